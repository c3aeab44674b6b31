"""Builds the program that runs a package's kernels on one architecture: kernel files, a driver, the run time."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.spec.model import OpPackage
from opkg.verify.machines import build as builder
from opkg.verify.machines.hexagon import driver, loadable, runtime, scan, steady, toolchain
from opkg.verify.machines.toolchain import LEAST_SLICE, locked
from opkg.verify.options import Built

_KERNEL = ("-O2", "-Wall", "-Wextra", "-DOPKG_COUNT_PATHS", f"-DOPKG_LEAST_SLICE={LEAST_SLICE}")
_ALIGNMENT = ("-fsanitize=alignment",)
_DRIVER = ("-O1", "-Wall", "-Wextra")
_UNDEFINED = re.compile(r"undefined symbol: (?P<name>.+)")


def kernel_sources(root: Path, package: OpPackage, folder: Path) -> list[Path]:
    """The user's kernel files and those that `opkg generate` wrote for `compute:`, each once."""
    bodies = [root / kernel.body for op in package.ops for kernel in op.kernels]
    generated = [folder / driver.generated_source(package, op) for op in package.ops if op.compute is not None]
    return list(dict.fromkeys(path for path in (*bodies, *generated) if path.is_file()))


def build(root: Path, package: OpPackage, interface: str, arch: str, checks: str = "") -> Built:
    """The program of a package for an architecture; with `checks` its kernels look at the alignment of what they read and
    write. Raises MissingTool; what does not compile is in the findings."""
    runtime.require()
    root = root.resolve()
    findings = builder.prepared(root, package, interface)
    if findings:
        return Built(package, interface, None, tuple(findings))
    folder = builder.interface_folder(root, package, interface)
    out = builder.build_folder(root, package, interface, f"hexagon-{arch}" + (f"-{checks}" if checks else ""))
    out.mkdir(parents=True, exist_ok=True)
    with locked(out / ".lock"):
        return _Work(
            root, package, interface, arch, folder, out, (*_KERNEL, *_ALIGNMENT) if checks else _KERNEL
        ).built()


class _Work:
    """One build, with its folders."""

    def __init__(
        self, root: Path, package: OpPackage, interface: str, arch: str, folder: Path, out: Path, flags: Sequence[str]
    ) -> None:  # fmt: skip
        self.root, self.package, self.interface, self.arch = root, package, interface, arch
        self.folder, self.out, self.flags = folder, out, flags
        self.findings: list[Diagnostic] = [w for w in (steady.warning(),) if w is not None]

    def built(self) -> Built:
        main = self.out / "driver.cpp"
        text = driver.render(self.package, self.interface)
        if not main.is_file() or main.read_text("utf-8") != text:
            main.write_text(text, encoding="utf-8")
        kernels = kernel_sources(self.root, self.package, self.folder)
        kernels.sort(key=lambda path: -path.stat().st_size)  # what takes longest first
        jobs: list[tuple[Path, Path, Sequence[str]]] = [(path, self._object(path), self.flags) for path in kernels]
        jobs.append((main, self.out / "driver.o", _DRIVER))
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            library = pool.submit(runtime.objects, self.arch, self.root)
            made = list(pool.map(lambda job: self._compiled(*job), jobs))
        for path, object_file, _ in jobs[:-1]:
            self.findings += self._misread(path, object_file) if object_file.is_file() else []
        if all(made) and self.flags == _KERNEL:  # one that looks at alignment is for no device
            self.findings += loadable.findings({path: made for path, made, _ in jobs[:-1]}, self.root, self.arch)
        if not all(made) or any(f.is_error for f in self.findings):
            return self._result(None)
        program = self.out / "kernels.elf"
        try:
            toolchain.link([*(o for _, o, _ in jobs), *library.result()], program)
        except toolchain.ToolFailed as failed:
            self.findings += self._undefined(failed)
            return self._result(None)
        return self._result(program)

    def _result(self, program: Path | None) -> Built:
        return Built(self.package, self.interface, program, tuple(self.findings))

    def _object(self, source: Path) -> Path:
        """`kernels/relu.cpp` -> `kernels_relu.o`, distinct for distinct files."""
        base = self.root if source.is_relative_to(self.root) else source.parent
        return self.out / (re.sub(r"\W+", "_", source.relative_to(base).with_suffix("").as_posix()) + ".o")

    def _compiled(self, source: Path, object_file: Path, flags: Sequence[str]) -> bool:
        """Compiles unless the object was made by the same command from the same files."""
        depends = object_file.with_suffix(".d")
        include = [f"-I{self.folder / 'include'}", f"-I{self.folder / 'src'}", f"-I{self.root / builder.GENERATED}"]
        include.append(f"-I{toolchain.RUNTIME}")
        extra = [*flags, *include, "-MD", "-MF", str(depends)]
        command = toolchain.compile_command(source, self.arch, extra, object_file)
        stamp = object_file.with_suffix(".stamp")
        if object_file.is_file() and _fresh(stamp, command):
            return True
        object_file.unlink(missing_ok=True)
        stamp.unlink(missing_ok=True)
        try:
            said = toolchain.checked(command, self.folder)
        except toolchain.ToolFailed as failed:
            found = builder.compiler_findings(failed.stderr, self.folder, self.root, self.package)
            self.findings += found
            if not any(f.is_error for f in found):
                self.findings.append(self._failed(failed))
            return False
        warned = builder.compiler_findings(said, self.folder, self.root, self.package)
        self.findings += warned
        if not warned:  # a warning is to be seen again
            stamp.write_text(json.dumps(_state(command, depends)), encoding="utf-8")
        return True

    def _failed(self, failed: toolchain.ToolFailed) -> Diagnostic:
        lines = [line.strip() for line in failed.stderr.splitlines() if line.strip()]
        message = f"building {self.package.name} for Hexagon {self.arch} failed: {'; '.join(lines[-3:])[:600]}"
        return error("OPK402", message, self._span(), f"run: {shlex.join(failed.command)}")

    def _span(self) -> Span:
        return self.package.spans.get("", Span(self.package.path))

    def _undefined(self, failed: toolchain.ToolFailed) -> list[Diagnostic]:
        """What the linker misses: kernel functions that nobody defines, C functions that the run time does not have."""
        names = list(dict.fromkeys(m["name"].strip() for m in _UNDEFINED.finditer(failed.stderr)))
        missing = {builder.base_name(f"U {name}") for name in names}
        findings: dict[str, Diagnostic] = {}
        for op in self.package.ops:
            for kernel in op.kernels:
                if kernel.function in missing:
                    span = kernel.spans.get("function", kernel.spans.get("", op.span))
                    hint = builder.signature_hint(kernel.function, self.folder, self.root)
                    who = f"{kernel.body} does not define" if kernel.body else "no generated file defines"
                    message = f"{who} {kernel.function}"
                    findings.setdefault(kernel.function, error("OPK401", message, span, hint))
        for name in names:
            if builder.base_name(f"U {name}") not in findings:
                message = f"the kernels of {self.package.name} call {name}, which a Hexagon program has not here"
                hint = "the run time has the functions that opkg/sim/freestanding declares"
                findings[name] = error("OPK434", message, self._span(), hint)
        return list(findings.values()) or [self._failed(failed)]

    def _misread(self, source: Path, object_file: Path) -> list[Diagnostic]:
        """Float instructions that the emulator would run as something else."""
        findings = []
        shown = source.relative_to(self.root).as_posix() if source.is_relative_to(self.root) else str(source)
        for mnemonic, intrinsic in scan.misread(object_file):
            lines = source.read_text("utf-8", errors="replace").splitlines()
            line = next((n for n, text in enumerate(lines, 1) if intrinsic in text), 1)
            message = f"{intrinsic} ({mnemonic}): qemu runs another instruction in its place"
            hint = "leave it out where OPKG_HVX_FLOAT is 0: `#if OPKG_HVX_FLOAT`"
            findings.append(error("OPK435", message, Span(shown, line, 1, line, 1), hint))
        return findings


def _sha(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _state(command: Sequence[str], depends: Path) -> dict[str, object]:
    """The command and the content of every file that it read, as make's dependency file lists them."""
    text = depends.read_text("utf-8", errors="replace").replace("\\\n", " ").partition(":")[2]
    names = [name.replace("\\ ", " ") for name in re.split(r"(?<!\\)\s+", text.strip()) if name]
    return {"command": list(command), "tool": str(toolchain.clang()), "files": {n: _sha(Path(n)) for n in names}}


def _fresh(stamp: Path, command: Sequence[str]) -> bool:
    try:
        state = json.loads(stamp.read_text("utf-8"))
        same = state["command"] == list(command) and state["tool"] == str(toolchain.clang())
        return same and all(_sha(Path(name)) == digest for name, digest in state["files"].items())
    except (OSError, ValueError, KeyError, AttributeError):
        return False
