"""Kernels that a device would not load or not fill: static constructors, and names that no DSP has, found in their objects."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from opkg.device import checks
from opkg.device.constructors import demangled
from opkg.device.elf import THREAD_LOCAL, WEAK, Elf, ElfError
from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.verify.machines.hexagon.toolchain import WRAPPED

TABLES = Path(checks.__file__).with_name("tables")
_OLDEST = "v68"  # the first architecture that QHPI packages are loaded on


@functools.cache
def tables() -> checks.Tables:
    """The names that DSPs and QNN export."""
    return checks.load_tables(TABLES)


def findings(objects: Mapping[Path, Path], root: Path, arch: str) -> list[Diagnostic]:
    """What is to be said about the objects of a package's kernels. `objects`: source to object."""
    try:
        read = {source: Elf(path.read_bytes()) for source, path in objects.items()}
    except (OSError, ElfError):
        return []  # the linker says why
    own = {symbol.name for elf in read.values() for symbol in elf.symbols if not symbol.undefined}
    found = [_constructor(f, source, root) for source, elf in read.items() for f in checks.check_constructors("", elf)]
    for source, elf in read.items():
        optional = {symbol.name for symbol in elf.symbols if symbol.binding == WEAK}
        found += [_thread_local(symbol.name, source, root) for symbol in elf.symbols if symbol.type == THREAD_LOCAL]
        for use in checks.uses(elf):
            if use.name not in own | optional and (finding := _name(use, source, root, arch)) is not None:
                found.append(finding)
    return list(dict.fromkeys(found))


def _constructor(finding: checks.Finding, source: Path, root: Path) -> Diagnostic:
    return error(finding.id, finding.message, _place(source, root, finding.name), finding.hint)


def _thread_local(name: str, source: Path, root: Path) -> Diagnostic:
    """Thread-local data, which the run time has no place for."""
    name = demangled(name)
    hint = "a device should load it, as it loads QNN's own libraries; here the kernel cannot run with it"
    return error("OPK474", f"{name} is thread-local", _place(source, root, name), hint)


def _name(use: checks.Use, source: Path, root: Path, arch: str) -> Diagnostic | None:
    """A name that the DSP does not have. What looks like a function of the user's is the linker's to name."""
    wanted = f"__wrap_{use.name}" if use.name in WRAPPED else use.name
    fault = checks.check_name(wanted, max(arch, _OLDEST), tables())
    if fault is None or (use.name.startswith("_Z") and use.name not in tables().cxx):
        return None
    id, why, hint = fault
    return error(id, checks.sentence(use.function, use.name, why), _place(source, root, use.name, use.function), hint)


def _place(source: Path, root: Path, *names: str) -> Span:
    """The first line of a source that has one of the names, else its first line."""
    shown = source.relative_to(root).as_posix() if source.is_relative_to(root) else str(source)
    lines = source.read_text("utf-8", errors="replace").splitlines()
    for name in names:
        word = name.rpartition("::")[2]
        for number, text in enumerate(lines, 1) if word else ():
            match = re.search(rf"\b{re.escape(word)}\b", text)
            if match is not None:
                return Span(shown, number, match.start() + 1, number, match.end() + 1)
    return Span(shown, 1, 1, 1, 1)
