"""Static constructors of Hexagon objects: which variables need code that runs when a library is loaded."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from opkg.device.elf import FUNCTION, NOBITS, OBJECT, RELA, SECTION, THREAD_LOCAL, Elf, Symbol

_INITIALIZER = "__cxx_global_var_init"
SECTIONS = re.compile(r"\.(preinit_array|init_array|ctors|fini_array|dtors)(\.|$)")
_PCREL, _PCREL_LOW = 16, 65  # R_HEX_B32_PCREL_X, R_HEX_6_PCREL_X: the two words of an address


class Constructor(NamedTuple):
    """An initializer that would run when the library is loaded (or, in .dtors, unloaded), and the variables that it fills.
    `function`: its name, where somebody gave it one."""

    section: str
    function: str
    variables: tuple[str, ...]


def demangled(name: str) -> str:
    """`_ZN2nn7pick_u8ERKNS_4ArgsE` -> `nn::pick_u8`, without template arguments; other names as they are."""
    match = re.match(r"_ZT[WH]|_ZL|_ZN?K?", name)
    if match is None:
        return name
    parts, at = [], match.end()
    while (token := re.compile(r"L?(\d+)|I").match(name, at)) is not None:
        if token[0] == "I":
            at = _behind(name, at)
            continue
        at = token.end() + int(token[1])
        part = name[token.end() : at]
        parts.append("(anonymous)" if part.startswith("_GLOBAL__N") else part)
    return "::".join(parts) or name


def _behind(name: str, at: int) -> int:
    """Where the template arguments end that begin at a place."""
    depth = 0
    while at < len(name):
        length = re.compile(r"\d+").match(name, at)
        at = length.end() + int(length[0]) if length is not None else at + 1
        depth += 0 if length is not None else {"I": 1, "N": 1, "X": 1, "L": 1, "E": -1}.get(name[at - 1], 0)
        if depth == 0:
            break
    return at


def enclosing(elf: Elf, section: int, offset: int, types: Sequence[int]) -> Symbol | None:
    """The symbol of these types that covers a place."""
    for symbol in elf.symbols:
        ours = symbol.section == section and symbol.type in types
        if ours and symbol.value <= offset < symbol.value + max(symbol.size, 1):
            return symbol
    return None


def constructors(elf: Elf) -> list[Constructor]:
    """The initializers of an object."""
    found = []
    for section in elf.sections:
        if SECTIONS.match(section.name) and section.size and section.type != RELA:
            for relocation in elf.relocations(section):
                target = elf.symbols[relocation.symbol]
                place = target.value + relocation.addend
                function = enclosing(elf, target.section, place, (FUNCTION,))
                found.append(_constructor(elf, section.name, function))
    return found


def _constructor(elf: Elf, section: str, function: Symbol | None) -> Constructor:
    """Without optimization the function that runs calls others, one for each variable."""
    if function is None:
        return Constructor(section, "", ())
    if not function.name.startswith(("_GLOBAL__", _INITIALIZER)):
        return Constructor(section, demangled(function.name), ())
    called = [
        s
        for s in elf.symbols
        if s.type == FUNCTION and s.name.startswith(_INITIALIZER) and s.section == function.section
    ]
    variables = [name for each in (function, *called) for name in _variables(elf, each)]
    return Constructor(section, "", tuple(dict.fromkeys(variables)))


def _variables(elf: Elf, function: Symbol) -> Iterator[str]:
    """The variables that an initializer fills, each once: those that it refers to and that begin as zeros."""
    seen = {""}
    section = elf.sections[function.section]
    starts = _packets(elf.data(section), function)
    for relocation in elf.relocations(section):
        if relocation.offset not in starts or relocation.type == _PCREL_LOW:
            continue
        symbol: Symbol | None = elf.symbols[relocation.symbol]
        if symbol is not None and symbol.type == SECTION:
            within = relocation.offset - starts[relocation.offset] if relocation.type == _PCREL else 0
            symbol = enclosing(elf, symbol.section, relocation.addend - within, (OBJECT, THREAD_LOCAL))
        if symbol is None or symbol.type not in (OBJECT, THREAD_LOCAL):
            continue
        zeros = symbol.undefined or elf.sections[symbol.section].type == NOBITS
        if zeros and symbol.name not in seen:
            seen.add(symbol.name)
            if not symbol.name.startswith((".L", "_ZGV")):
                yield demangled(symbol.name)


def _packets(code: bytes, function: Symbol) -> dict[int, int]:
    """Of each word of a function, where its packet begins: addresses are relative to that. Bits 14 and 15 of a word are 3
    or, in a duplex, 0 at the end of a packet."""
    starts, first = {}, function.value
    for at in range(function.value, function.value + function.size, 4):
        starts[at] = first
        if struct.unpack_from("<I", code, at)[0] >> 14 & 3 in (0, 3):
            first = at + 4
    return starts
