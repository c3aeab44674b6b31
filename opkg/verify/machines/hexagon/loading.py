"""Loads a finished Hexagon library with a strict loader in the emulator, and reads what its package says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opkg.device.elf import FUNCTION, LOCAL, Elf
from opkg.verify.machines.hexagon import runtime, toolchain
from opkg.verify.machines.hexagon.loadable import tables
from opkg.verify.machines.toolchain import INCLUDE, SIM

SOURCES = (SIM / "loader" / "loader.cpp", SIM / "loader" / "registry.cpp")
_ABSENT = "opkg_loader_absent"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a library's package said. `refused`: why it was not loaded, then the rest is empty. `kernels`: the names of each
    registered op's kernels; `outputs`: bytes of each output of the kernel that was called."""

    refused: str = ""
    package: str = ""
    operations: tuple[str, ...] = ()
    kernels: Mapping[str, tuple[str, ...]] | None = None
    log: tuple[str, ...] = ()
    outputs: tuple[bytes, ...] = ()


def build(arch: str, folder: Path, root: Path) -> Path:
    """The loader for an architecture. Raises MissingTool, ToolFailed."""
    library = runtime.objects(arch, root)
    flags = ["-O1", "-Wall", "-Wextra", f"-I{toolchain.RUNTIME}", f"-I{INCLUDE}"]
    objects = toolchain.compile(SOURCES, arch, flags, folder)
    have = {name for path in [*library, *objects] for name in _functions(path)}
    names = folder / "names.cpp"
    names.write_text(_names(arch, have), encoding="utf-8")
    objects += toolchain.compile([names], arch, [*flags, f"-I{SOURCES[0].parent}", "-fno-builtin"], folder)
    program = folder / f"loader-{arch}.elf"
    toolchain.link([*objects, *library], program)
    return program


def _functions(path: Path) -> list[str]:
    """The C functions that an object defines for others."""
    elf = Elf(path.read_bytes())
    return [s.name for s in elf.symbols if s.type == FUNCTION and s.binding != LOCAL and not s.undefined]


def _names(arch: str, have: set[str]) -> str:
    """The table: names that every shell of the architecture exports, and QHPI's; those that the run time lacks trap."""
    known = tables()
    shell = [name for name in known.shells if not known.lacking(name, arch)]
    lines = ['#include "loader.h"', 'extern "C" {']
    rows = []
    for number, name in enumerate([*shell, *known.qhpi]):
        if name in have:
            lines.append(f'void opkg_name_{number}() __asm__("{name}");')
        target = f"opkg_name_{number}" if name in have else _ABSENT
        rows.append(f'    {{"{name}", reinterpret_cast<void*>({target})}},')
    return "\n".join(
        [*lines, "}", "const loader::Name loader::kNames[] = {", *rows, "    {nullptr, nullptr},", "};", ""]
    )


def load(program: Path, library: Path, provider: str, kernel: str = "", elements: int = 0) -> Loaded:
    """Runs the loader on a library; with `kernel` (the name in its record), that is called on flat tensors."""
    call = [kernel, str(elements)] if kernel else []
    ran = toolchain.run(program, [str(library), provider, *call])
    if ran.status != 0:
        return Loaded(refused=ran.stderr.decode("utf-8", "replace").strip() or f"it ended with status {ran.status}")
    lines = [line.split("\t") for line in ran.stdout.decode("utf-8", "replace").splitlines()]
    kernels: dict[str, list[str]] = {}
    for words in lines:
        if words[0] == "op":
            kernels[words[1]] = []
        elif words[0] == "kernel":
            kernels[next(reversed(kernels))].append(words[1])
    said = {
        key: tuple(words[-1] for words in lines if words[0] == key) for key in ("package", "operation", "log", "output")
    }
    return Loaded(
        "", said["package"][0], said["operation"], {op: tuple(names) for op, names in kernels.items()}, said["log"],
        tuple(bytes.fromhex(text) for text in said["output"]),
    )  # fmt: skip
