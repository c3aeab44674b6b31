"""Text of C++ files in parts: what is defined at the top, macros and what they stand for. Read by pattern, comments blanked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from opkg.rules.text.macros import Macro, joined
from opkg.rules.text.macros import definitions as macro_definitions

_SCOPE = re.compile(r"(\bnamespace\b[\w\s:]*|\bextern\s*\"C\"\s*)$")
_PAIRS = {"{": "}", "(": ")"}


def closing(code: str, opening: int) -> int:
    """The place after the bracket that closes the one at `opening`; the end of the text when none does."""
    left, right = code[opening], _PAIRS[code[opening]]
    depth = 0
    for found in re.compile(rf"[{re.escape(left + right)}]").finditer(code, opening):
        depth += 1 if found[0] == left else -1
        if depth == 0:
            return found.end()
    return len(code)


def definitions(code: str) -> Iterator[tuple[int, int]]:
    """Places of what is declared or defined at the top of a file, inside of namespaces too."""
    at, begun = 0, -1
    while at < len(code):
        letter = code[at]
        if begun < 0 and letter == "#":
            while at < len(code) and (code[at] != "\n" or code[at - 1] == "\\"):
                at += 1
        elif letter == "{" and _SCOPE.search(code[max(begun, 0) : at]):
            begun = -1
        elif letter in "{(":
            body = letter == "{" and begun >= 0 and "=" not in re.sub(r"\([^()]*\)", "", code[begun:at])
            at = closing(code, at)
            rest = re.compile(r"\s*;").match(code, at) if body else None
            is_class = body and re.match(
                r"(?:typedef\s+)?(?:template\s*<[^{]*>\s*)?(?:struct|class|enum|union)\b", code[begun:]
            )
            if body and (rest is not None or not is_class):
                at = rest.end() if rest is not None else at
                yield begun, at
                begun = -1
            continue
        elif letter == ";":
            if begun >= 0:
                yield begun, at + 1
            begun = -1
        elif letter == "}":
            begun = -1
        elif begun < 0 and not letter.isspace():
            begun = at
        at += 1


def dead(code: str, removed: Sequence[tuple[int, int]], keep: Collection[str]) -> list[tuple[int, int]]:
    """Definitions that only what is removed uses, and what only they use; not those of the names in `keep`."""
    gone = list(removed)
    parts = [part for part in definitions(code) if not _inside(part, gone)]
    out: list[tuple[int, int]] = []
    while True:
        lost = "\n".join(code[start:end] for start, end in gone)
        found = []
        for start, end in parts:
            name = _name(code[start:end])
            if name and name not in keep and re.search(rf"\b{name}\b", lost):
                rest = _without(code, [*gone, (start, end)])
                if re.search(rf"\b{name}\b", rest) is None:
                    found.append((start, end))
        if not found:
            return out
        out += found
        gone += found
        parts = [part for part in parts if part not in found]


def _inside(part: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= part[0] and part[1] <= end for start, end in spans)


def _without(code: str, spans: Sequence[tuple[int, int]]) -> str:
    out, at = [], 0
    for start, end in sorted(spans):
        out.append(code[at : max(at, start)])
        at = max(at, end)
    return "".join([*out, code[at:]])


def _name(text: str) -> str:
    """What a definition of a function or variable names."""
    if re.match(r"(?:typedef|using|struct|class|enum|union|namespace|static_assert|extern)\b", text):
        return ""
    head = re.sub(r"^template\s*<[^<>]*>\s*", "", text)
    found = re.match(r"(?:\[\[\w+\]\]\s*)?[\w:<>,*&\s]*?[\s*&](\w+)\s*(?:\[[^\]]*\]\s*)*[({=;]", head)
    return found[1] if found is not None else ""


def macros(code: str) -> dict[str, Macro]:
    """The macros of a text, the last definition of each."""
    return {name: macro for name, macro in macro_definitions(joined(code)) if macro is not None}


def expanded(text: str, known: Mapping[str, Macro], depth: int = 8) -> str:
    """The text with macros written out; strings stay. Pasting (##) and making text (#) are done as the preprocessor does."""
    out, at = [], 0
    for found in re.finditer(r'"(?:\\.|[^"\\\n])*"|\b[A-Za-z_]\w*', text):
        macro = known.get(found[0]) if found.start() >= at else None
        if macro is None or depth == 0:
            continue
        end = found.end()
        arguments: tuple[str, ...] = ()
        if macro.parameters is not None:
            opening = re.compile(r"\s*\(").match(text, end)
            if opening is None:
                continue
            end = closing(text, opening.end() - 1)
            arguments = tuple(_arguments(text[opening.end() : end - 1]))
        body = _substituted(macro, tuple(expanded(argument, known, depth - 1) for argument in arguments), arguments)
        out.append(text[at : found.start()])
        out.append(expanded(body, {name: m for name, m in known.items() if name != macro.name}, depth - 1))
        at = end
    return "".join([*out, text[at:]])


def _arguments(text: str) -> Iterator[str]:
    depth, begun = 0, 0
    for found in re.finditer(r'"(?:\\.|[^"\\\n])*"|[(){}\[\],]', text):
        depth += (found[0] in "({[") - (found[0] in ")}]")
        if found[0] == "," and depth == 0:
            yield text[begun : found.start()].strip()
            begun = found.end()
    yield text[begun:].strip()


def _substituted(macro: Macro, arguments: Sequence[str], raw: Sequence[str]) -> str:
    if not macro.parameters:
        return macro.body
    names = macro.parameters
    if names[-1] == "...":
        count = len(names) - 1
        arguments = (*arguments[:count], ", ".join(arguments[count:]))
        raw = (*raw[:count], ", ".join(raw[count:]))
        names = (*names[:-1], "__VA_ARGS__")
    values, texts = dict(zip(names, arguments, strict=False)), dict(zip(names, raw, strict=False))

    def put(found: re.Match[str]) -> str:
        if found[1] in texts:
            return '"' + texts[found[1]].replace("\\", "\\\\").replace('"', '\\"') + '"'
        return found[0] if found[1] else values.get(found[0], found[0])

    body = re.sub(r"(?<!#)#\s*(\w+)|\b[A-Za-z_]\w*\b", put, re.sub(r"\s*##\s*", "##", macro.body))
    return body.replace("##", "")
