"""Judges a library for a device, by whomever it was made: the Hexagon half of a package and the ARM half.

Facts: 1,303 public DSP libraries, shells of eight SoCs, QNN 2.47 to 2.51 (see `checks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opkg.device import android
from opkg.device.checks import Tables, check_name, faults, imports
from opkg.device.constructors import demangled
from opkg.device.elf import (
    AARCH64,
    FUNCTION,
    HEXAGON,
    INIT,
    INIT_ARRAY,
    LOAD,
    LOCAL,
    TEXTREL,
    TLS,
    WEAK,
    X86_64,
    Elf,
    ElfError,
    Symbol,
)
from opkg.device.socs import Soc
from opkg.device.swiv import checksum, swiv_of
from opkg.spec.diagnostics import Diagnostic, Span, error, warning

SHARED = 3  # ELF type: a library
PREPARE = "libQnnHtpPrepare.so"
_CXX = frozenset(("libc++.so.1", "libc++abi.so.1"))
_WITH_SKELS = frozenset(("libc.so",)) | _CXX
_GLIBC, _BIONIC = "libc.so.6", "libc.so"
_OURS_TO_PUSH = {"libstdc++.so.6": "GNU's C++ library", "libc++_shared.so": "the NDK's C++ library"}
_ANDROID_PAGE = 0x4000
_OF_GLIBC = ("libstdc++.so", "libgcc_s.so", "libpthread.so", "ld-linux", "libm.so.6", "libdl.so.2", "librt.so")
_MACHINES = {X86_64: "x86-64", 40: "ARM of 32 bits", 3: "x86 of 32 bits"}
_PROVIDER = "InterfaceProvider"
NEWEST_SURE = "v81"  # whose firmware asks for the record


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a library is checked for: SoCs (none: any of its architecture), and the oldest QNN ("2.48", empty: any)."""

    socs: tuple[Soc, ...] = ()
    qnn: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """`summary`: what the library is, in one line, empty when it cannot be read; `arch`: "v73", "aarch64"."""

    findings: tuple[Diagnostic, ...]
    summary: str = ""
    arch: str = ""
    needs: str = ""
    providers: tuple[str, ...] = ()


def check(path: str, content: bytes, wanted: Wanted, tables: Tables) -> Checked:
    """All that is to be said about a library."""
    where = Span(path)
    try:
        library = Elf(content)
    except ElfError as failure:
        return Checked((error("OPK475", f"{failure}", where, "name the shared library that goes to the device"),))
    if library.type != SHARED:
        hint = "name the library that the linker made of the objects (-shared)"
        return Checked((error("OPK475", "an ELF file, and no shared library", where, hint),))
    if library.machine == HEXAGON:
        return _Hexagon(path, library, wanted, tables).checked()
    if library.machine == AARCH64:
        return _Arm(path, library, wanted, tables).checked()
    machine = _MACHINES.get(library.machine, f"machine {library.machine}")
    hint = "opkg build --device v75 makes the half of it that the DSP of an SM8650 loads"
    return Checked((error("OPK475", f"a library for {machine}, which no device loads", where, hint),))


class _Library:
    """What both halves share."""

    def __init__(self, path: str, library: Elf, wanted: Wanted, tables: Tables) -> None:
        self.library, self.wanted, self.tables = library, wanted, tables
        self.found: list[Diagnostic] = []
        self.where = Span(path)
        self.imports = imports(library)
        self.needs = self._newest(self.imports)

    def wrong(self, id: str, message: str, hint: str = "") -> None:
        self.found.append(error(id, message, self.where, hint))

    def aside(self, id: str, message: str, hint: str = "") -> None:
        self.found.append(warning(id, message, self.where, hint))

    def _newest(self, symbols: Sequence[Symbol]) -> str:
        """The oldest QNN that has all QHPI functions that are used; weak names may be missing."""
        known = [self.tables.qhpi[s.name] for s in symbols if s.name in self.tables.qhpi and s.binding != WEAK]
        return max(known, key=_version, default="")

    def check_qnn(self) -> None:
        if not self.wanted.qnn or not self.needs or _version(self.needs) <= _version(self.wanted.qnn):
            return
        newer = sorted(s.name for s in self.imports if _is_newer(self.tables.qhpi.get(s.name, ""), self.wanted.qnn))
        hint = f"it needs QNN {self.needs}: ship that runtime, or do without {', '.join(newer)}"
        self.wrong("OPK478", f"QNN {self.wanted.qnn} has no {', '.join(newer)}", hint)

    def providers(self) -> tuple[str, ...]:
        """Functions for others that give the package's interface."""
        own = [s for s in self.library.dynamic_symbols if not s.undefined and s.type == FUNCTION and s.binding != LOCAL]
        found = tuple(s.name for s in own if s.name.endswith(_PROVIDER))
        if not found and not any(s.name.startswith("qhpi_") for s in self.imports):
            self.aside("OPK481", f"it has no function ...{_PROVIDER} for others: no op package, or one that hides it")
        elif not found:
            names = ", ".join(sorted(s.name for s in own if not s.name.startswith("_"))[:3]) or "nothing"
            hint = "give the provider default visibility; its name is what backendRegisterOpPackage is told"
            self.wrong("OPK481", f"it has no function ...{_PROVIDER} for others (it exports {names})", hint)
        return found

    def said(self, arch: str, more: Sequence[str], providers: tuple[str, ...]) -> Checked:
        words = [arch, f"{len(self.imports)} imports", *([f"QNN {self.needs} and later"] if self.needs else []), *more]
        return Checked(tuple(self.found), "; ".join(words), arch, self.needs, providers)


class _Hexagon(_Library):
    """The half that holds the kernels."""

    def checked(self) -> Checked:
        arch = f"v{self.library.flags & 0xFF:x}"
        self._check_arch(arch)
        self._check_form()
        self._check_imports(arch)
        self._check_record(arch)
        self.check_qnn()
        record = swiv_of(self.library)
        return self.said(arch, [f"SWIV {record[1]:08x}"] if record is not None else ["no SWIV"], self.providers())

    def _check_arch(self, arch: str) -> None:
        known = set(self.tables.archs.values()) | {"v69"}
        if arch not in known:
            names = ", ".join(sorted(known))
            self.aside("OPK476", f"its architecture, {arch}, is none of those whose names are known ({names})")
        for soc in self.wanted.socs:
            if _number(arch) > _number(soc.arch):
                hint = f"build it for {soc.arch}: opkg build --device {soc.arch}"
                self.wrong("OPK476", f"built for {arch}; the DSP of {soc.name} is {soc.arch}", hint)
            elif arch != soc.arch:
                hint = f"it runs code of older architectures; opkg build --device {soc.arch} makes its own"
                self.aside("OPK476", f"built for {arch}; the DSP of {soc.name} is {soc.arch}", hint)

    def _check_form(self) -> None:
        runs = self.library.tag(INIT) is not None and self.library.tag(INIT_ARRAY) is None
        for fault in faults(self.library):
            if fault.runs_by_init and runs:
                continue  # start-up code of the SDK's linker runs them
            add = self.wrong if fault.binds else self.aside
            add("OPK473", f"not the form of a DSP library: {fault.text}", fault.remedy)
        if any(s.type == TLS for s in self.library.segments):
            self.aside("OPK474", "it has thread-local data", "QNN's own DSP libraries have such data, too")

    def _check_imports(self, arch: str) -> None:
        needed = set(self.library.needed)
        has_cxx = bool(needed & _CXX)
        if has_cxx and _number(arch) >= _number(NEWEST_SURE):
            hint = "link libc++ and libc++abi into the library"
            self.aside(
                "OPK480", f"it needs {', '.join(sorted(needed & _CXX))}, which QNN does not bring for {arch}", hint
            )
        for name in sorted(needed - _WITH_SKELS):
            hint = "it has to lie in a folder of ADSP_LIBRARY_PATH on the device; some have no libgcc.so"
            self.aside("OPK480", f"it needs {name}, which not every device has", hint)
        foreign = needed - _WITH_SKELS
        classic: list[Symbol] = []
        weak: list[str] = []
        for symbol in self.imports:
            fault = self._fault(symbol.name, arch)
            if fault is None or (has_cxx and symbol.name in self.tables.cxx):
                continue
            id, why, hint = fault
            if symbol.name.startswith("_Z") and symbol.name not in self.tables.cxx:
                classic.append(symbol)
                continue
            if symbol.binding == WEAK:
                weak.append(symbol.name)
                continue
            (self.aside if foreign else self.wrong)(id, f"{demangled(symbol.name)} {why}", hint)
        if weak:
            some = ", ".join(sorted(weak)[:3]) + (", ..." if len(weak) > 3 else "")
            hint = "QNN's own libraries have such names, too; one report says that a device refused one"
            self.aside("OPK471", f"weak names that not every {arch} DSP has: {some} ({len(weak)})", hint)
        if classic:
            some = ", ".join(sorted({demangled(s.name) for s in classic})[:3])
            hint = "QNN's releases drop 10 to 27 of them each: build it with the SDK of the runtime that is shipped, or use QHPI"
            self.aside(
                "OPK482", f"it uses {len(classic)} C++ names of QNN's own library ({some}, ...), not checked", hint
            )

    def _fault(self, name: str, arch: str) -> tuple[str, str, str] | None:
        """What is wrong with a name: on the SoCs that were asked for, else on all of the architecture."""
        for soc in self.wanted.socs:
            own = self.tables._replace(archs={soc.shell: soc.arch}) if soc.shell else self.tables
            fault = check_name(name, soc.arch, own)
            if fault is not None:
                return fault
        return None if self.wanted.socs else check_name(name, arch, self.tables)

    def _check_record(self, arch: str) -> None:
        record = swiv_of(self.library)
        hint = "the last step of the generated build writes it: opkg/hexagon/finish.py LIBRARY"
        if record is not None and record[1] != checksum(self.library):
            self.wrong(
                "OPK477", "its SWIV record is not that of its content: it was changed afterwards (strip, objcopy)", hint
            )
        if record is not None:
            return
        picky = [soc.name for soc in self.wanted.socs if soc.automotive or _number(soc.arch) >= _number(NEWEST_SURE)]
        if picky or _number(arch) >= _number(NEWEST_SURE):
            where = ", ".join(picky) or arch
            self.wrong(
                "OPK477", f"it has no SWIV record, which firmware of {where} asks for in unsigned libraries", hint
            )
        else:
            self.aside("OPK477", "it has no SWIV record, which some firmware asks for in unsigned libraries", hint)


class _Arm(_Library):
    """The half that prepares graphs: validators, rules, tiling."""

    def checked(self) -> Checked:
        needed = self.library.needed
        system = "Android" if _BIONIC in needed else "Linux with glibc" if _GLIBC in needed else "no C library named"
        if _BIONIC in needed:
            self._check_android()
        qhpi = [s.name for s in self.imports if s.name.startswith("qhpi_")]
        unknown = sorted(name for name in qhpi if name not in self.tables.qhpi)
        for name in unknown:
            self.wrong("OPK471", f"{name} is no function of QHPI (QNN 2.47 to 2.51)")
        if qhpi and PREPARE not in needed:
            hint = f"link it with -l:{PREPARE}: on ARM, QHPI is there, and QNN loads it for itself alone"
            end = f"registration ends with 'undefined symbol: {qhpi[0]}'"
            self.wrong("OPK480", f"it uses QHPI and does not name {PREPARE}: {end}", hint)
        for name, what in _OURS_TO_PUSH.items():
            if name in needed and not (_BIONIC in needed and name.startswith(_OF_GLIBC)):
                self.aside(
                    "OPK480", f"it needs {name}, {what}", "put it beside the library, or link it in (-static-libstdc++)"
                )
        self.check_qnn()
        return self.said("aarch64", [f"for {system}"], self.providers())

    def _check_android(self) -> None:
        """What Android's loader would not take, or its libraries do not have."""
        wrong = "as all is that is compiled for another C library: build it for Android (opkg build --device aarch64-android)"
        for name in self.library.needed:
            if name == _GLIBC or name.startswith(_OF_GLIBC):
                self.wrong("OPK480", f"it needs {name}, which Android does not have", wrong)
        small = [s.align for s in self.library.segments if s.type == LOAD and s.align < _ANDROID_PAGE]
        if small:
            hint = "link it with -Wl,-z,max-page-size=16384"
            text = f"its segments lie on pages of {small[0]} bytes: phones with pages of 16 KiB refuse it"
            self.aside("OPK473", text, hint)
        if self.library.tag(TEXTREL) is not None:
            self.wrong("OPK473", "it has text relocations, which Android refuses", "compile its parts with -fPIC")
        if any(s.type == TLS for s in self.library.segments):
            self.aside("OPK474", "it has thread-local data, which Android loads from version 10 on")
        foreign = set(self.library.needed) - {*android.LIBRARIES, PREPARE}
        unknown = [s.name for s in self.imports if s.name not in android.names() and not s.name.startswith("qhpi_")]
        if unknown and not foreign:
            some = ", ".join(unknown[:3]) + (", ..." if len(unknown) > 3 else "")
            hint = "the table has what C code of packages uses: opkg/device/tables/android-exports.tsv"
            self.aside("OPK471", f"names that are in no table of Android's C library: {some} ({len(unknown)})", hint)
        late = {s.name: known for s in self.imports if (known := android.names().get(s.name)) is not None}
        for name, known in sorted(late.items()):
            if known.level > android.LEVEL:
                self.aside("OPK471", f"{name} is there from Android's API level {known.level} on")


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def _is_newer(first: str, than: str) -> bool:
    return bool(first) and _version(first) > _version(than)


def _number(arch: str) -> int:
    """116 of "v74": the digits are hexadecimal, as in the ELF header."""
    return int(arch[1:], 16)
