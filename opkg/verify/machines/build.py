"""Builds generated packages with make and maps what the compiler says to diagnostics at the user's files."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic, MissingTool, Severity, Span, error, warning
from opkg.spec.model import OpPackage
from opkg.verify.machines import toolchain
from opkg.verify.machines.base import TARGETS, targets_of
from opkg.verify.machines.blame import cause
from opkg.verify.machines.sanitizers import Checker, checker
from opkg.verify.options import Built

_MESSAGE = re.compile(
    r"^(?P<path>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<kind>fatal error|error|warning): (?P<text>.*)$"
)
# Places that asked for the code a message is about, in the words of g++ and of clang.
_REQUIRED = re.compile(r"^(?P<path>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)?\s+required (?:from|by)\b")
_REQUESTED = re.compile(r"^(?P<path>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)? note: in instantiation of\b")
_CONTEXT = re.compile(r": (?:In|At) .*:$|^In file included from ")
GENERATED = "generated"
ONERT = "onert"  # the interface of custom kernels in onert
OPENVINO = "openvino"  # the interface of extension ops of OpenVINO
_FOLDERS = {ONERT: "onert/custom"}  # where an interface's Makefile is, where that is not its name
MOST_ERRORS = 20  # of one build; the rest follows from the first ones


def interface_folder(root: Path, package: OpPackage, interface: str) -> Path:
    """Where a target wrote the package's sources for an interface."""
    return root / GENERATED / package.cpp_namespace / _FOLDERS.get(interface, interface)


def library_name(package: OpPackage, interface: str) -> str:
    """File name of the library that an interface's Makefile builds."""
    return f"lib{package.cpp_namespace}_{interface}.so" if interface in (ONERT, OPENVINO) else package.library


def build_folder(root: Path, package: OpPackage, interface: str, machine: str) -> Path:
    """Where a build goes: `build/acme_vision/qhpi-x86`."""
    return root / "build" / package.cpp_namespace / f"{interface}-{machine}"


def interfaces(package: OpPackage) -> tuple[str, ...]:
    """The interfaces that the package's targets generate."""
    targets = targets_of(package)
    return tuple(name for name, target in TARGETS.items() if target in targets)


def build(root: Path, package: OpPackage, interface: str, checks: str = "", model: str = "") -> Built:
    """Builds one interface of a package for this machine. Raises MissingTool without a compiler or make.

    `checks`: what a sanitizer is to look for, as MEMORY; `model`: the floating point of an architecture, as "v79". Such
    builds have folders of their own.
    """
    root = root.resolve()
    compiler = toolchain.compiler()
    if compiler is None or toolchain.missing():
        message = f"no {toolchain.missing()} found"
        raise MissingTool([error("OPK430", message, Span(""), toolchain.INSTALL)])
    findings = prepared(root, package, interface)
    if findings:
        return Built(package, interface, None, tuple(findings))
    found = checker(checks) if checks else None
    variables = found.make() if isinstance(found, Checker) else _openvino() if interface == OPENVINO else ()
    kind = [found.name] if isinstance(found, Checker) else []
    if model:
        variables = (*variables, f"OPKG_HVX_QFLOAT={model.removeprefix('v')}")
        kind.append(model)
    out = build_folder(root, package, interface, "-".join(("x86", *kind)))
    library = out / library_name(package, interface)
    include = f"OPKG_SIM_INCLUDE={toolchain.INCLUDE}"
    words = (
        include,
        "OPKG_COUNT_PATHS=1",
        f"OPKG_LEAST_SLICE={toolchain.LEAST_SLICE}",
        f"CXX={compiler.path}",
        *variables,
        "x86",
    )
    built = run_make(root, package, interface, out, library, words)
    if built.library is None:
        return built
    undefined = undefined_kernels(library, package, interface_folder(root, package, interface), root)
    return Built(package, interface, library, (*built.findings, *undefined))


def run_make(root: Path, package: OpPackage, interface: str, out: Path, library: Path, words: Sequence[str]) -> Built:
    """Runs an interface's Makefile: `words` are variables and goals, `library` is what it makes, under `out`."""
    out.mkdir(parents=True, exist_ok=True)
    folder = interface_folder(root, package, interface)
    jobs = f"-j{max(2, os.cpu_count() or 2)}"
    command = ["make", "-s", "-k", jobs, "-C", str(folder), f"OUT={os.path.relpath(out, folder)}", *words]
    with toolchain.locked(out / ".lock"):
        environment = {**os.environ, "LC_ALL": "C", "MAKEFLAGS": ""}
        done = toolchain.BUILDS.run(command, environment)
    (out / "make.log").write_text(done.stdout + done.stderr, encoding="utf-8")
    findings = compiler_findings(done.stderr, folder, root, package)
    if done.returncode != 0 or not library.is_file():
        if not any(f.is_error for f in findings):
            findings.append(_make_failed(package, command, done.stdout + done.stderr, library))
        return Built(package, interface, None, tuple(findings))
    return Built(package, interface, library, tuple(findings))


def _openvino() -> tuple[str, ...]:
    """What make must know of OpenVINO. Raises MissingTool without it."""
    from opkg.verify.machines.openvino import library

    place = library.folder()
    if place is None:
        raise MissingTool([error("OPK430", "no openvino with its headers found", Span(""), library.INSTALL)])
    return (f"OPENVINO={place}",)


def prepared(root: Path, package: OpPackage, interface: str) -> list[Diagnostic]:
    """What must be there before make can run: the generated Makefile and the kernel files."""
    makefile = interface_folder(root, package, interface) / "Makefile"
    if not makefile.is_file():
        shown = makefile.relative_to(root).as_posix()
        span = package.spans.get("", Span(package.path))
        return [error("OPK403", f"{shown} is missing", span, "run: opkg generate")]
    findings: dict[str, Diagnostic] = {}
    for op in package.ops:
        for kernel in op.kernels:
            if kernel.body and not (root / kernel.body).is_file():
                span = kernel.spans.get("body", kernel.spans.get("", op.span))
                message = f"the kernel file {kernel.body} does not exist"
                hint = f"it must define {kernel.function}; `opkg generate` writes a first one"
                findings.setdefault(kernel.body, error("OPK404", message, span, hint))
    return list(findings.values())


def _make_failed(package: OpPackage, command: Sequence[str], output: str, library: Path) -> Diagnostic:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    last = "; ".join(lines[-3:]) if lines else f"{library.name} was not built"
    span = package.spans.get("", Span(package.path))
    return error("OPK402", f"building {package.name} failed: {last[:600]}", span, f"run: {shlex.join(command)}")


def _inside(path: str, folder: Path, root: Path) -> str:
    """A compiler's path relative to the project's root where it lies inside, else whole."""
    whole = Path(os.path.normpath(folder / path))
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else str(whole)


def compiler_findings(output: str, folder: Path, root: Path, package: OpPackage | None = None) -> list[Diagnostic]:
    """Errors and warnings, each once, in the compiler's order. Warnings about code that nobody of the project asked for
    are left out.

    Paths within the project are relative to its root. What is said of generated code and of headers stands at the line of
    the user's kernel that asked for it, else, with `package`, at the line of the spec; the compiler's words are the hint.
    """
    found: dict[tuple[str, int, int, str], Diagnostic] = {}
    for match, asked in _matches(output):
        path = _inside(match["path"], folder, root)
        generated = path.startswith(GENERATED + "/")
        severity = Severity.WARNING if match["kind"] == "warning" else Severity.ERROR
        is_error = severity is Severity.ERROR
        line, column = int(match["line"]), int(match["column"] or 1)
        if generated or path.startswith("/"):
            place = f"{path}:{line}:{column}: {match['text']}"
            behind = package if generated else None
            whose = _users(asked, folder, root, severity) or _specs(behind, root, match, path, severity)
            if whose is not None:
                key = (whose.span.path, whose.span.line, whose.span.column, whose.message)
                found.setdefault(key, replace(whose, hint=place))  # what follows at the same line follows from it
            if whose is not None or not is_error:
                continue
        span = Span(path, line, column, line, column + 1)
        hint = "compare the kernel's definition with this declaration" if generated else ""
        finding = Diagnostic("OPK400" if is_error else "OPK405", match["text"], span, hint, severity)
        found.setdefault((path, line, column, match["text"]), finding)
    errors = [f for f in found.values() if f.is_error]
    return errors[:MOST_ERRORS] + [f for f in found.values() if not f.is_error][:MOST_ERRORS]


def _matches(output: str) -> Iterator[tuple[re.Match[str], list[re.Match[str]]]]:
    """The compiler's messages, each with the places that asked for the code it is about: g++ names them before the message,
    clang behind it."""
    lines = output.splitlines()
    places = [at for at, line in enumerate(lines) if _MESSAGE.match(line) is not None]
    asked: list[re.Match[str]] = []
    for before, at, after in zip([-1, *places], places, [*places[1:], len(lines)], strict=False):
        match = _MESSAGE.match(lines[at])
        assert match is not None
        around = [_REQUIRED.match(line) for line in lines[before + 1 : at]]
        around += [_REQUESTED.match(line) for line in lines[at + 1 : after]]
        if any(_CONTEXT.search(line) for line in lines[before + 1 : at]):  # else that of the message before goes on
            asked = []
        asked = [found for found in around if found is not None] or asked
        yield match, asked


def _users(asked: Sequence[re.Match[str]], folder: Path, root: Path, severity: Severity) -> Diagnostic | None:
    """A finding at the line of a file of the user's that asked for code."""
    for match in asked:
        path = _inside(match["path"], folder, root)
        if not path.startswith((GENERATED + "/", "/")):
            line, column = int(match["line"]), int(match["column"] or 1)
            span = Span(path, line, column, line, column + 1)
            if severity is Severity.ERROR:
                return error("OPK400", "the compiler rejects the code that this line asks for", span)
            return warning("OPK405", "the compiler warns about the code that this line asks for", span)
    return None


def _specs(
    package: OpPackage | None, root: Path, match: re.Match[str], path: str, severity: Severity
) -> Diagnostic | None:
    """A finding at the line of the spec that generated code was made from."""
    found = cause(package, root, path, int(match["line"]), match["text"]) if package is not None else None
    if found is None:
        return None
    if severity is Severity.ERROR:
        return error("OPK466", f"the generated code of {found.what} does not compile", found.span)
    return warning("OPK405", f"the compiler warns about the generated code of {found.what}", found.span)


def undefined_kernels(library: Path, package: OpPackage, folder: Path, root: Path) -> list[Diagnostic]:
    """Kernel functions that the library wants and does not define; none without nm."""
    nm = shutil.which("nm")
    if nm is None:
        return []
    command = [nm, "-D", "-C", "--undefined-only", str(library)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    names = {base_name(line) for line in done.stdout.splitlines()}
    findings: dict[str, Diagnostic] = {}
    for op in package.ops:
        for kernel in op.kernels:
            if kernel.function in names:
                span = kernel.spans.get("function", kernel.spans.get("", op.span))
                place = kernel.body or "the generated code"
                message = f"{place} does not define {kernel.function}"
                hint = signature_hint(kernel.function, folder, root)
                findings.setdefault(kernel.function, error("OPK401", message, span, hint))
    return list(findings.values())


def base_name(line: str) -> str:
    """`   U acme::relu_u8(float const*)` -> `relu_u8`."""
    symbol = line.strip().partition(" ")[2].strip()
    return symbol.partition("(")[0].partition("<")[0].rpartition("::")[2].rpartition(" ")[2]


def signature_hint(function: str, folder: Path, root: Path) -> str:
    """Where the function is declared, with the declaration."""
    word = re.compile(rf"\b{re.escape(function)}\b")
    for path in sorted(folder.rglob("*.h")) + sorted(folder.parent.glob("*.h")):
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if word.search(line):
                shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
                return f"declared in {shown}:{number}: {line.strip()}"
    return "define it with the signature that the generated header declares"
