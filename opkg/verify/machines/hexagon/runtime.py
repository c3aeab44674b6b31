"""The run time of Hexagon programs (`opkg/sim/hexagon`), compiled once per architecture into the cache of the runners."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from opkg.spec.diagnostics import MissingTool, OpkgError, Span, error
from opkg.verify.machines.hexagon import toolchain
from opkg.verify.machines.runners import cache_folder
from opkg.verify.machines.toolchain import locked

# A loop of memcpy must not become a call of memcpy, and no multiply-add may be fused where rounding errors are counted.
FLAGS = ("-O2", "-ffreestanding", "-fno-builtin", "-ffp-contract=off", "-ffunction-sections", "-Wall", "-Wextra")


def sources() -> list[Path]:
    """The run time's sources."""
    return sorted(p for p in toolchain.RUNTIME.iterdir() if p.suffix in (".c", ".cpp"))


def _key(arch: str) -> str:
    """Changes with every source, header, flag and the compiler."""
    tool = toolchain.clang()
    digest = hashlib.sha256(f"{tool}\0{arch}\0{FLAGS}\0{toolchain.flags(arch)}".encode())
    for folder in (toolchain.RUNTIME, toolchain.FREESTANDING):
        for path in sorted(p for p in folder.iterdir() if p.is_file() and p.suffix != ".md"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def require() -> None:
    """Raises MissingTool (OPK430) when compiler, linker or emulator are not here."""
    lacking = toolchain.missing()
    if lacking:
        message = f"machine 'hexagon' is not available: no {lacking}"
        raise MissingTool([error("OPK430", message, Span(""), f"install it: {toolchain.INSTALL}")])


def objects(arch: str, root: Path) -> list[Path]:
    """The objects to link with a program for an architecture. `root`: the project, whose build folder serves where the
    user's cache cannot be written. Raises MissingTool, and OpkgError (OPK432) when they do not compile."""
    require()
    folder = cache_folder(root) / f"opkg-hexagon-{arch}-{_key(arch)}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder.parent / f".opkg-hexagon-{arch}.lock"):
            if not folder.is_dir():
                _compile(arch, folder)
    return [folder / f"{source.stem}.o" for source in sources()]


def _compile(arch: str, folder: Path) -> None:
    """Compiles into a scratch folder that takes the name of the finished one."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".opkg-hexagon-") as scratch:
        made = Path(scratch) / "objects"
        try:
            toolchain.compile(sources(), arch, FLAGS, made)
        except toolchain.ToolFailed as failed:
            first = next((line for line in failed.stderr.splitlines() if "error" in line), failed.stderr.strip()[:300])
            message = f"the Hexagon run time does not compile: {first}"
            raise OpkgError([error("OPK432", message, Span(""), " ".join(failed.command))]) from None
        made.replace(folder)
