"""Compiles the runners from opkg/sim/runner on first use, into a cache keyed by sources and compiler."""

from __future__ import annotations

import hashlib
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from opkg.spec.diagnostics import MissingTool, OpkgError, Span, error
from opkg.verify.machines import toolchain
from opkg.verify.machines.sanitizers import link_flags

HOST, HOST_QHPI, HOST_CLASSIC, HTP = "opkg-host", "opkg-host-qhpi", "opkg-host-classic", "opkg-htp"
# Not optimized: it compiles in two thirds of the time, and what takes long, the kernels, is compiled with the package.
FLAGS = ("-std=c++17", "-O0", "-g0", "-fPIC")
SHARED = ("-std=c++17", "-O1", "-fPIC", "-shared", "-fvisibility=hidden")
LINK = ("-rdynamic", "-ldl", "-lpthread", "-lm")
# A runner of one interface compiles in half the time of the one that has both.
UNITS = {
    HOST: ("qhpi", "classic", "common", "host"),
    HOST_QHPI: ("qhpi", "common", "host"),
    HOST_CLASSIC: ("classic", "common", "host"),
    HTP: ("common", "htp"),
}


def sources(name: str, folder: Path) -> list[Path]:
    """The translation units of one runner, those that take longest first (opkg/sim/runner/README.md, "Build")."""
    kind = next(kind for kind in (HOST_QHPI, HOST_CLASSIC, HOST, HTP) if name.startswith(kind))
    units = (folder / "unity" / f"{unit}.cpp" for unit in UNITS[kind])
    return [path for path in units if path.is_file()]


def cache_folder(root: Path) -> Path:
    """Where compiled runners are kept, so that one machine compiles them once: $OPKG_CACHE_DIR, else the user's cache
    folder ($XDG_CACHE_HOME/opkg, ~/.cache/opkg), else, where that cannot be written, the project's build folder."""
    wanted = os.environ.get("OPKG_CACHE_DIR")
    folder = os.path.expanduser(wanted or os.path.join(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "opkg"))
    own = root / "build" / ".opkg-runner"
    if folder.startswith("~"):  # nobody knows that home folder
        return own
    if wanted:
        return Path(folder)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return own
    return Path(folder) if os.access(folder, os.W_OK) else own


def _key(name: str, compiler: toolchain.Compiler) -> str:
    digest = hashlib.sha256(f"{name}\0{compiler.path}\0{compiler.version}\0{FLAGS}{LINK}".encode())
    for folder in (toolchain.RUNNER, toolchain.INCLUDE):
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".cpp", ".h", ".hpp", ".def")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def runner(name: str, root: Path) -> Path:
    """Path of a runner's executable, compiled when it is not in the cache.

    Raises MissingTool without a compiler, OpkgError (OPK432) when the sources do not compile.
    """
    compiler = toolchain.compiler()
    if compiler is None:
        hint = toolchain.INSTALL
        raise MissingTool([error("OPK430", f"no {toolchain.missing()} found", Span(""), hint)])
    folder = cache_folder(root)
    binary = folder / f"{name}-{_key(name, compiler)}"
    if binary.is_file():
        return binary
    folder.mkdir(parents=True, exist_ok=True)
    with toolchain.locked(folder / f".{name}.lock"):
        if not binary.is_file():
            _compile(name, compiler.path, binary)
    return binary


def _compile(name: str, compiler: str, binary: Path) -> None:
    """Compiles all sources in parallel and moves the finished executable into place."""
    with tempfile.TemporaryDirectory(dir=binary.parent, prefix=f".{name}-") as scratch:
        jobs = [(source, Path(scratch) / f"{source.stem}.o") for source in sources(name, toolchain.RUNNER)]
        if not jobs:
            raise OpkgError([error("OPK432", f"no sources of {name} in {toolchain.RUNNER}", Span(""))])

        def compile_one(job: tuple[Path, Path]) -> None:
            include = (f"-I{toolchain.INCLUDE}", f"-I{toolchain.RUNNER}")
            _run(name, [compiler, *FLAGS, *include, "-c", str(job[0]), "-o", str(job[1])])

        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(compile_one, jobs))
        linked = Path(scratch) / name
        _run(name, [compiler, *(str(o) for _, o in jobs), "-o", str(linked), *link_flags(name), *LINK])
        linked.replace(binary)


def _run(name: str, command: list[str]) -> None:
    done = toolchain.BUILDS.run(command)
    if done.returncode == 0:
        return
    first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[:300])
    raise OpkgError([error("OPK432", f"{name} does not compile: {first}", Span(""), " ".join(command))])


def shared(name: str, source: Path, includes: tuple[Path, ...], root: Path) -> Path:
    """Path of a library that is compiled from one file when it is not in the cache. `includes`: the headers it reads below
    opkg/sim/include. Raises as `runner` does."""
    compiler = toolchain.compiler()
    if compiler is None:
        raise MissingTool([error("OPK430", f"no {toolchain.missing()} found", Span(""), toolchain.INSTALL)])
    digest = hashlib.sha256(f"{compiler.path}\0{compiler.version}\0{SHARED}".encode())
    for path in (source, *includes):
        digest.update(path.read_bytes())
    binary = cache_folder(root).absolute() / f"{name}-{digest.hexdigest()[:16]}.so"
    if binary.is_file():
        return binary
    binary.parent.mkdir(parents=True, exist_ok=True)
    with toolchain.locked(binary.parent / f".{name}.lock"):
        if not binary.is_file():
            fresh = binary.with_name(f"{binary.name}.{os.getpid()}")
            try:
                _run(name, [compiler.path, *SHARED, f"-I{toolchain.INCLUDE}", str(source), "-o", str(fresh), "-ldl"])
                fresh.replace(binary)
            finally:
                fresh.unlink(missing_ok=True)
    return binary
