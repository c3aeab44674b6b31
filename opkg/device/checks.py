"""What a loader on the DSP demands of a Hexagon library, checked in objects and libraries: no constructors, known names, form.

Facts: dynamic symbol tables of the unsigned shells of eight SoCs, of QNN 2.47 to 2.51, and 1,303 public DSP libraries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from opkg.device.constructors import SECTIONS, constructors, demangled, enclosing
from opkg.device.elf import (
    ALLOCATED,
    FINI_ARRAY,
    FUNCTION,
    GNU_HASH,
    HASH,
    INIT_ARRAY,
    LOAD,
    RELRO,
    STACK,
    TEXTREL,
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


class Tables(NamedTuple):
    """Names that a library may import: of the SoCs' shells (name: SoCs), of QHPI (name: first QNN version), and those of the
    C++ run time, which packages do not link. `archs`: SoC to architecture."""

    shells: dict[str, frozenset[str]]
    archs: dict[str, str]
    qhpi: dict[str, str]
    cxx: frozenset[str]

    def lacking(self, name: str, arch: str) -> tuple[str, ...]:
        """The SoCs of an architecture that do not export a name; of one without a public shell (v69), those of its neighbours
        are asked, the next older and the next newer architecture."""
        mine = [soc for soc, of in self.archs.items() if of in self._like(arch)]
        have = self.shells.get(name, frozenset())
        return tuple(soc for soc in mine if soc not in have)

    def _like(self, arch: str) -> set[str]:
        known = set(self.archs.values())
        if arch in known:
            return {arch}
        older, newer = {a for a in known if a < arch}, {a for a in known if a > arch}
        return {*([max(older)] if older else []), *([min(newer)] if newer else [])}


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


def uses(elf: Elf) -> list[Use]:
    """Which functions of an object use names that it does not define."""
    found: dict[Use, None] = {}
    for section in elf.sections:
        if not section.flags & ALLOCATED:  # debugging information
            continue
        for relocation in elf.relocations(section):
            symbol = elf.symbols[relocation.symbol]
            if symbol.undefined:
                function = enclosing(elf, section.number, relocation.offset, (FUNCTION,))
                found[Use(demangled(function.name) if function else "", symbol.name)] = None
    return list(found)


def check_constructors(where: str, elf: Elf) -> list[Finding]:
    """Static constructors of an object (OPK470)."""
    said: dict[tuple[str, str], None] = {}
    for made in constructors(elf):
        if made.function:
            said[made.function, f"{made.function} runs when the library is loaded or unloaded"] = None
        for name in () if made.function else made.variables or ("",):
            said[name, f"{name or 'it'} has a static constructor"] = None
    hint = "make it constexpr, or fill it at its first use: nobody is known to run constructors of a package on the DSP"
    return [Finding("OPK470", where, name, message, hint) for name, message in said]


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
    if not tables.lacking(f"__wrap_{name}", arch):
        return "OPK471", f"is on no {arch} DSP", f"DSPs have __wrap_{name}: link it with --wrap={name}"
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


class Fault(NamedTuple):
    """In what a library differs from those of the DSP. `binds`: all public ones, QNN's own included, agree in it (those have
    GNU_RELRO, and one for v75 a GNU hash table: QNN 2.51); `runs_by_init`: no fault where
    start-up code of the library runs constructors."""

    text: str
    remedy: str
    binds: bool = True
    runs_by_init: bool = False


def check_form(where: str, library: Elf) -> list[Finding]:
    """Segments and dynamic entries as all public DSP libraries have them (OPK473), thread-local data (OPK474)."""
    found = []
    wrong = [fault.text for fault in faults(library)]
    if wrong:
        hint = f"link it with {' '.join(LINK)} and a -soname"
        found.append(Finding("OPK473", where, "", f"not the form of a DSP library: {'; '.join(wrong)}", hint))
    if any(s.type == TLS for s in library.segments):
        hint = "QNN's own DSP libraries have such data; `opkg verify --on hexagon` cannot run it"
        found.append(Finding("OPK474", where, "", "it has thread-local data", hint, is_error=False))
    return found


def _like_qnn(what: str, options: str) -> str:
    return f"libraries of QNN 2.51 have {what}, too, so it may stay; or link it with {options}"


def faults(library: Elf) -> list[Fault]:
    """In what a library differs from what the DSP's loaders are known to take."""
    load = [s for s in library.segments if s.type == LOAD]
    pages = any(s.align != PAGE or (s.offset | s.address) % PAGE for s in load)
    stray = any(s.type in (RELRO, STACK) for s in library.segments)
    hashes = library.tag(HASH) is None or library.tag(GNU_HASH) is not None
    arrays = any(library.tag(t) is not None for t in (INIT_ARRAY, FINI_ARRAY))
    left = any(SECTIONS.match(s.name) and s.size for s in library.sections)
    constant = "make variables constexpr, or fill them at their first use"
    segments = f"{len(load)} LOAD segments, not one RX and one RW"
    told = [
        (Fault(segments, "link it with --no-rosegment"), [s.flags for s in load] != [READ_EXECUTE, READ_WRITE]),
        (Fault("segments that do not lie on pages of 4 KiB", f"link it with {' '.join(LINK[1:5])}"), pages),
        (Fault("a segment GNU_RELRO or GNU_STACK", _like_qnn("GNU_RELRO", "-z norelro -z nognustack"), False), stray),
        (Fault("another hash table than DT_HASH", _like_qnn("DT_GNU_HASH (v75)", "--hash-style=sysv"), False), hashes),
        (Fault("text relocations", "compile its parts with -fPIC"), library.tag(TEXTREL) is not None),
        (Fault("no SONAME", "link it with -soname", binds=False), not library.soname),
        (Fault("an .init_array or .fini_array", constant), arrays),
        (Fault("constructors that nobody runs", constant, runs_by_init=True), left),
    ]
    return [fault for fault, is_so in told if is_so]
