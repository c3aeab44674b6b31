"""Text that goes into C++: what would break out of a string, a comment or a macro call."""

from __future__ import annotations

import re

MAX_LINE = 300
MAX_TEXT = 4000

# (pattern, message, hint)
_IN_COMMENTS = (
    ("*/", "would end a C++ comment", "write it with a space: * /"),
    ("/*", "would open a C++ comment", "write it with a space: / *"),
    ('"""', "would end a Python docstring", "use single quotes"),
    ("\\", "has a backslash, which C++ strings and comments read specially", "write it without"),
)
_TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")

Fault = tuple[str, str, int, str]


def text_fault(text: str, one_line: bool) -> Fault | None:
    """(id, what is wrong, offset, hint) of a summary, message or description; None when it is safe."""
    limit = MAX_LINE if one_line else MAX_TEXT
    if len(text) > limit:
        return "OPK137", f"has {len(text)} characters; at most {limit} are allowed", limit, "shorten it"
    for pattern, message, hint in _IN_COMMENTS:
        at = text.find(pattern)
        if at >= 0:
            return "OPK128", message, at, hint
    found = _TRIGRAPH.search(text)
    if found is not None:
        return "OPK128", "has a C++ trigraph", found.start(), "put a space between the question marks"
    if one_line and "\n" in text:
        return "OPK128", "must be one line", text.index("\n"), "more goes into the description"
    if one_line and '"' in text:
        return "OPK128", "has a double quote, which would end a C++ string", text.index('"'), "use single quotes"
    return None


_OPENERS = {"(": ")", "[": "]", "{": "}"}


def code_fault(text: str) -> Fault | None:
    """Why a piece of rule text could not stay inside its macro call: unbalanced or with comments and directives."""
    for pattern in ("//", "/*", "*/"):
        at = text.find(pattern)
        if at >= 0:
            return "OPK129", f"has a comment ('{pattern}')", at, "comments go into YAML, with #"
    found = re.search(r"#|\\\s*\n|\\$|\?\?[=/'()!<>-]|\bR\"", text)
    if found is not None:
        shown = found.group().strip() or "\\"
        return "OPK129", f"has '{shown}', which the C++ preprocessor reads", found.start(), "leave it out"
    return _balance(text)


def _balance(text: str) -> Fault | None:
    """Brackets and quotes: each one closed by its partner."""
    stack: list[tuple[str, int]] = []
    i = 0
    while i < len(text):
        char = text[i]
        if char in "\"'":
            end = _string_end(text, i)
            if end < 0:
                return "OPK129", "has a quote that is not closed", i, f"close it with {char}"
            i = end
        elif char in _OPENERS:
            stack.append((_OPENERS[char], i))
        elif char in ")]}" and (not stack or stack.pop()[0] != char):
            return "OPK129", f"has a '{char}' that closes nothing", i, "delete it, or open it before"
        elif char == ";" and not any(closer == "}" for closer, _ in stack) and text[i:].strip() != ";":
            return "OPK129", "has a ';', which would end the macro call", i, "delete it"
        i += 1
    if stack:
        closer, at = stack[-1]
        return "OPK129", f"has a '{text[at]}' that is not closed", at, f"a '{closer}' is missing"
    return None


def _string_end(text: str, start: int) -> int:
    """Index of the quote that closes the one at `start`; -1 when there is none on its line."""
    i = start + 1
    while i < len(text) and text[i] != "\n":
        if text[i] == "\\":
            i += 1
        elif text[i] == text[start]:
            return i
        i += 1
    return -1
