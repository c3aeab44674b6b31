"""What a loader on the DSP demands of a Hexagon library, checked in objects and libraries: no constructors, known names, form.

Facts: dynamic symbol tables of the unsigned shells of eight SoCs, of QNN 2.47 to 2.51, and 1,303 public DSP libraries.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from opkg.device.elf import (
    ALLOCATED,
    FINI_ARRAY,
    FUNCTION,
    GNU_HASH,
    HASH,
    INIT_ARRAY,
    LOAD,
    NOBITS,
    OBJECT,
    RELA,
    RELRO,
    SECTION,
    STACK,
    TEXTREL,
    THREAD_LOCAL,
    TLS,
    WEAK,
    Elf,
    Symbol,
)

PAGE = 0x1000
# What lld needs for the form that all DSP libraries have (the generated Makefile and hexagon.cmake say the same).
LINK = (
    "--no-rosegment", "-z", "separate-loadable-segments", "-z", "max-page-size=4096", "-z", "norelro", "-z", "nognustack",
    "--hash-style=sysv",
)  # fmt: skip
READ_EXECUTE, READ_WRITE = 5, 6
_CONSTRUCTORS = re.compile(r"\.(preinit_array|init_array|ctors|fini_array|dtors)(\.|$)")
_PCREL, _PCREL_LOW = 16, 65  # R_HEX_B32_PCREL_X, R_HEX_6_PCREL_X: the two words of an address


class Finding(NamedTuple):
    """Something that a device would stumble over. `where`: the object or library; `name`: the symbol it is about."""

    id: str
    where: str
    name: str
    message: str
    hint: str
    is_error: bool = True


class Use(NamedTuple):
    """A function of an object that uses a name; `function` is empty for data."""

    function: str
    name: str


class Constructor(NamedTuple):
    """An initializer that would run when the library is loaded, and the variables that it fills."""

    section: str
    variables: tuple[str, ...]


class Tables(NamedTuple):
    """Names that a library may import: of the SoCs' shells (name: SoCs), of QHPI (name: first QNN version), and those of the
    C++ run time, which packages do not link. `archs`: SoC to architecture."""

    shells: dict[str, frozenset[str]]
    archs: dict[str, str]
    qhpi: dict[str, str]
    cxx: frozenset[str]

    def lacking(self, name: str, arch: str) -> tuple[str, ...]:
        """The SoCs of an architecture that do not export a name; of an architecture without a known one, all are asked."""
        mine = [soc for soc, of in self.archs.items() if of == arch] or list(self.archs)
        have = self.shells.get(name, frozenset())
        return tuple(soc for soc in mine if soc not in have)


def load_tables(folder: Path) -> Tables:
    """Reads the three tables of a folder. OSError when they are not there."""
    shells: dict[str, frozenset[str]] = {}
    archs: dict[str, str] = {}
    for line in (folder / "dsp-exports.tsv").read_text("utf-8").splitlines():
        if line.startswith("#"):
            archs.update(re.findall(r"(\w+)=(v\d+)", line))
            continue
        name, _, socs = line.partition("\t")
        shells[name] = frozenset(archs if socs == "all" else socs.split(","))
    rows = [line.split("\t") for line in _rows(folder / "qhpi-exports.tsv")]
    return Tables(shells, archs, dict(rows), frozenset(_rows(folder / "cxx-runtime.tsv")))


def _rows(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]


def demangled(name: str) -> str:
    """`_ZN2nn7pick_u8ERKNS_4ArgsE` -> `nn::pick_u8`; other names as they are."""
    match = re.match(r"_ZT[WH]|_ZL|_ZN?K?L?", name)
    if match is None:
        return name
    parts, at = [], match.end()
    while (length := re.match(r"(\d+)", name[at:])) is not None:
        at += len(length[1])
        part = name[at : at + int(length[1])]
        parts.append("(anonymous)" if part.startswith("_GLOBAL__N") else part)
        at += int(length[1])
        at += 1 if name[at : at + 1] == "L" else 0
    return "::".join(parts) or name


def _enclosing(elf: Elf, section: int, offset: int, types: Sequence[int]) -> Symbol | None:
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
        if _CONSTRUCTORS.match(section.name) and section.size and section.type != RELA:
            for relocation in elf.relocations(section):
                target = elf.symbols[relocation.symbol]
                place = target.value + relocation.addend
                function = _enclosing(elf, target.section, place, (FUNCTION,))
                found.append(Constructor(section.name, tuple(_variables(elf, function)) if function else ()))
    return found


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
            symbol = _enclosing(elf, symbol.section, relocation.addend - within, (OBJECT, THREAD_LOCAL))
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


def uses(elf: Elf) -> list[Use]:
    """Which functions of an object use names that it does not define."""
    found: dict[Use, None] = {}
    for section in elf.sections:
        if not section.flags & ALLOCATED:  # debugging information
            continue
        for relocation in elf.relocations(section):
            symbol = elf.symbols[relocation.symbol]
            if symbol.undefined:
                function = _enclosing(elf, section.number, relocation.offset, (FUNCTION,))
                found[Use(demangled(function.name) if function else "", symbol.name)] = None
    return list(found)


def check_constructors(where: str, elf: Elf) -> list[Finding]:
    """Static constructors of an object (OPK470)."""
    names = dict.fromkeys(name for made in constructors(elf) for name in made.variables or ("",))
    hint = "make it constexpr, or fill it at its first use: nobody is known to run constructors of a package on the DSP"
    return [Finding("OPK470", where, name, f"{name or 'it'} has a static constructor", hint) for name in names]


def check_name(name: str, arch: str, tables: Tables) -> tuple[str, str, str] | None:
    """Id, what is wrong ("is on no v68 DSP") and hint when a device cannot give a library this name; None when it can."""
    if name.startswith("qhpi_"):
        if name in tables.qhpi:
            return None
        return "OPK471", "is no function of QHPI (QNN 2.47 to 2.51)", ""
    lacking = tables.lacking(name, arch)
    if not lacking:
        return None
    if name in tables.cxx:
        hint = (
            "it is in the DSP's libc++, which packages do not link: write the code without it (malloc, constant data)"
        )
        return "OPK472", "is of the C++ run time", hint
    some = ", ".join(lacking)
    if name in tables.shells:
        return "OPK471", f"is not on every {arch} DSP ({some} lacks it)", "the library would not load there"
    return "OPK471", f"is on no {arch} DSP", f"nothing here defines it either; looked for on {some}"


def sentence(function: str, name: str, why: str) -> str:
    """A fault of a name as a message."""
    return f"{function} uses {name}, which {why}" if function else f"{name} {why}"


def imports(library: Elf) -> list[Symbol]:
    """What a library wants from others."""
    return [symbol for symbol in library.dynamic_symbols if symbol.undefined]


def check_imports(where: str, library: Elf, objects: Mapping[str, Elf], arch: str, tables: Tables) -> list[Finding]:
    """Names that no device gives the library, with the functions that use them."""
    found = []
    users: dict[str, list[tuple[str, str]]] = {}
    for path, elf in objects.items():
        for use in uses(elf):
            users.setdefault(use.name, []).append((path, use.function))
    for symbol in imports(library):
        fault = check_name(symbol.name, arch, tables)
        if fault is None:
            continue
        id, why, hint = fault
        is_error = symbol.binding != WEAK and not library.needed
        for path, function in users.get(symbol.name.replace("__wrap_", "", 1), [(where, "")]):
            found.append(Finding(id, path, symbol.name, sentence(function, symbol.name, why), hint, is_error))
    return found


def check_form(where: str, library: Elf) -> list[Finding]:
    """Segments and dynamic entries as all public DSP libraries have them (OPK473), thread-local data (OPK474)."""
    faults = _faults(library)
    found = []
    if faults:
        hint = f"link it with {' '.join(LINK)} and a -soname"
        found.append(Finding("OPK473", where, "", f"not the form of a DSP library: {'; '.join(faults)}", hint))
    if any(s.type == TLS for s in library.segments):
        hint = "QNN's own DSP libraries have such data; `opkg verify --on hexagon` cannot run it"
        found.append(Finding("OPK474", where, "", "it has thread-local data", hint, is_error=False))
    return found


def _faults(library: Elf) -> list[str]:
    """In what a library differs from what the DSP's loaders are known to take."""
    load = [s for s in library.segments if s.type == LOAD]
    unlike = {
        f"{len(load)} LOAD segments, not one RX and one RW": [s.flags for s in load] != [READ_EXECUTE, READ_WRITE],
        "segments that do not lie on pages of 4 KiB": any(
            s.align != PAGE or (s.offset | s.address) % PAGE for s in load
        ),
        "a segment GNU_RELRO or GNU_STACK": any(s.type in (RELRO, STACK) for s in library.segments),
        "another hash table than DT_HASH": library.tag(HASH) is None or library.tag(GNU_HASH) is not None,
        "text relocations": library.tag(TEXTREL) is not None,
        "no SONAME": not library.soname,
        "an .init_array or .fini_array": any(library.tag(t) is not None for t in (INIT_ARRAY, FINI_ARRAY)),
        "constructors that nobody runs": any(_CONSTRUCTORS.match(s.name) and s.size for s in library.sections),
    }
    return [text for text, is_so in unlike.items() if is_so]
