"""Finishes a Hexagon library after its link: checks what a loader on the DSP demands of it, then writes its SWIV record.

    python3 finish.py LIBRARY --arch v68 [--tables FOLDER] [--sdk] [OBJECT...]

OBJECTS are those that were linked; findings name them. FOLDER: opkg's `device/tables`, the names that DSPs and QNN export;
without it imports are not checked. --sdk: the SDK's linker made the library, and knows the form that its loader takes (its
start-up code runs constructors). Only the standard library and the files beside this one are used: generated packages
carry them, so that they can be built where opkg is not installed. Exit code 1: there are errors; the library has no record
then and must not be used.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from opkg.device.checks import (
    Finding,
    Tables,
    check_constructors,
    check_form,
    check_imports,
    imports,
    load_tables,
)
from opkg.device.elf import HEXAGON, Elf, ElfError
from opkg.device.swiv import swiv_of, with_swiv


def examine(path: Path, objects: Sequence[Path], arch: str, tables: Tables | None, sdk: bool) -> list[Finding]:
    """All findings about a linked library. OSError and ElfError for files that cannot be read."""
    library = Elf(path.read_bytes())
    if library.machine != HEXAGON:
        raise ElfError("not a library for Hexagon")
    parts = {str(o): Elf(o.read_bytes()) for o in objects}
    found = [] if sdk else [f for where, elf in parts.items() for f in check_constructors(where, elf)]
    if not sdk and not found:  # which the form would only repeat
        found = check_form(str(path), library)
    return found + (check_imports(str(path), library, parts, arch, tables) if tables is not None else [])


def needs(library: Elf, tables: Tables) -> str:
    """The oldest QNN that has all QHPI functions of a library: "2.47"; empty when it uses none."""
    known = [tables.qhpi[s.name] for s in imports(library) if s.name in tables.qhpi]
    return max(known, key=lambda version: tuple(map(int, version.split("."))), default="")


def _summary(path: Path, arch: str, tables: Tables | None) -> str:
    library = Elf(path.read_bytes())
    record = swiv_of(library)
    said = f"{path.name}: {arch}, {len(imports(library))} imports"
    if tables is None:
        said += " (not checked: there is no table of names; set HEXAGON_TABLES to opkg's folder device/tables)"
    else:
        version = needs(library, tables)
        said += f", all known on {arch}" + (f" and in QNN {version} and later" if version else "")
    return said + (f"; SWIV {record[1]:08x}" if record is not None else "")


def _shown(finding: Finding) -> str:
    kind = "error" if finding.is_error else "warning"
    hint = f"\n  {finding.hint}" if finding.hint else ""
    return f"{finding.where}: {kind}: {finding.message} [{finding.id}]{hint}"


def _tables(folder: Path | None) -> Tables | None:
    return load_tables(folder) if folder is not None and folder.is_dir() else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0 the library is finished, 1 it must not be used, 2 it cannot be read."""
    parser = argparse.ArgumentParser(description="Check a Hexagon library and write its SWIV record.")
    parser.add_argument("library", type=Path)
    parser.add_argument("objects", type=Path, nargs="*")
    parser.add_argument("--arch", required=True, help="v68, v69, v73, ...")
    parser.add_argument("--tables", type=Path, help="opkg's folder device/tables")
    parser.add_argument("--sdk", action="store_true", help="the SDK's linker made the library")
    options = parser.parse_args(arguments)
    try:
        tables = _tables(options.tables)
        found = examine(options.library, options.objects, options.arch, tables, options.sdk)
        for finding in found:
            print(_shown(finding), file=sys.stderr)
        if any(finding.is_error for finding in found):
            return 1
        options.library.write_bytes(with_swiv(options.library.read_bytes()))
        print(_summary(options.library, options.arch, tables))
    except (OSError, ElfError, UnicodeDecodeError) as failure:
        print(f"{options.library}: error: {failure}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
