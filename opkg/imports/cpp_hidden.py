"""Registrations and rules that a package's own macros make: calls of these are written out and read like others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from opkg.imports.cpp_definitions import closing, expanded, macros
from opkg.imports.cpp_report import Source
from opkg.rules.syntax import Item
from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.macros import Macro

_OURS = re.compile(r"\b(?:DEF_PACKAGE_\w+|DEF_TENSOR_PROPERTIES|DEF_OPTIM)\b")
_HELD = "OPK514"  # a macro that holds rules


def with_hidden(sources: Sequence[Source]) -> list[Source]:
    """The sources with what macros of any of them hold, at the lines of their calls."""
    known: dict[str, Macro] = {}
    for source in sources:
        known |= macros(source.code)
    holders = [name for name in known if _holds(name, known)]
    lists = {name: macro for name, macro in known.items() if macro.parameters and macro.parameters[-1] == "..."}
    return [_read(_listed(source, lists), known, holders) for source in sources]


def _listed(source: Source, lists: Mapping[str, Macro]) -> Source:
    """The source with macros of `...` written out in its items, which the rules' own macros cannot be."""
    if not lists:
        return source
    word = re.compile(rf"\b(?:{'|'.join(map(re.escape, lists))})\s*\(")
    items: list[Item] = []
    for item in source.document.items:
        text = source.code[item.start : item.end]
        line = source.code.count("\n", 0, item.start)
        made = parse_cpp("\n" * line + expanded(text, lists), source.path)[0].items if word.search(text) else ()
        items += made or [item]
    return replace(source, document=replace(source.document, items=tuple(items)))


def _holds(name: str, known: Mapping[str, Macro], depth: int = 8) -> bool:
    if name.startswith("DEF_"):
        return False
    body = known[name].body
    inner = set(re.findall(r"\b[A-Za-z_]\w*", body)) & set(known) - {name}
    return _OURS.search(body) is not None or (depth > 0 and any(_holds(each, known, depth - 1) for each in inner))


def _read(source: Source, known: Mapping[str, Macro], holders: Sequence[str]) -> Source:
    pattern = re.compile(rf"^(?![ \t]*#)[^\n]*?\b({'|'.join(map(re.escape, holders))})\b[ \t]*(?=\(|$)", re.MULTILINE)
    if not holders:
        return source
    items: list[Item] = []
    for found in pattern.finditer(re.sub(r"\\\n[^\n]*", lambda cut: " " * len(cut[0]), source.code)):
        opening = found.end()
        end = closing(source.code, opening) if source.code[opening : opening + 1] == "(" else opening
        line = source.code.count("\n", 0, found.start(1))
        text = expanded(source.code[found.start(1) : end], known)
        items += parse_cpp("\n" * line + text, source.path)[0].items
    if not items:
        return source
    every = sorted([*source.document.items, *items], key=lambda item: item.text.span(item.start, item.end).line)
    findings = tuple(
        f for f in source.findings if f.id != _HELD or not any(f"'{name}'" in f.message for name in holders)
    )
    return replace(source, document=replace(source.document, items=tuple(every)), findings=findings)
