"""C++ that the rule language does not read: where it ends, and its text on one line."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.rules.text.lexer import Token

BRACKETS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = frozenset(BRACKETS.values())
TYPE_WORDS = frozenset(
    ("bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "const", "volatile", "void")
)
_TYPES = TYPE_WORDS | {"size_t", "uint", "uint64", "DType", "Idx"}
_MOST_ANGLE = 200  # tokens between < and its >
_IN_ANGLE = frozenset(("::", ",", "*", "&", "<", ">", "..."))
_AFTER_ANGLE = frozenset(("(", ")", ",", ";", "{", "}", "]", ">", ""))


def is_type(name: str) -> bool:
    """Whether a name is that of a C++ arithmetic type."""
    name = name.removeprefix("::").removeprefix("std::")
    return name in _TYPES or name.endswith("_t")


def find_angle(tokens: Sequence[Token], at: int) -> int:
    """Index after the `>` that closes the `<` at `at` as brackets of template arguments; 0 when it is an operator."""
    depth = 0
    for index in range(at, min(at + _MOST_ANGLE, len(tokens) - 1)):
        token = tokens[index]
        if token.kind == "punct":
            if token.text not in _IN_ANGLE:
                return 0
            depth += (token.text == "<") - (token.text == ">")
            if depth == 0:
                after = tokens[index + 1]
                fits = after.text in _AFTER_ANGLE or (after.kind == "name" and after.text.startswith("::"))
                return index + 1 if fits else 0
        elif token.kind not in ("name", "number"):
            return 0
    return 0


def run_end(tokens: Sequence[Token], at: int, inside: bool = False) -> int:
    """Index of the token that ends the C++ text at `at`: a `,` or closing bracket outside of its brackets, or what
    cannot stand in C++. `inside`: commas belong to it."""
    stack: list[str] = []
    while True:
        token = tokens[at]
        if token.kind == "punct":
            if token.text in BRACKETS:
                stack.append(BRACKETS[token.text])
            elif token.text in CLOSERS:
                if not stack or stack.pop() != token.text:
                    return at
            elif not stack and ((token.text == "," and not inside) or token.text == ";"):
                return at
        elif token.kind in ("end", "bad", "directive") or token.kind.startswith("open_"):
            return at
        at += 1


def flat_text(tokens: Sequence[Token]) -> str:
    """Tokens as text on one line: one blank where there was anything between two."""
    parts: list[str] = []
    end = tokens[0].start if tokens else 0
    for token in tokens:
        if token.start > end:
            parts.append(" ")
        parts.append(token.text)
        end = token.end
    return "".join(parts)
