"""What can be said of kernels written by hand: files that nothing uses, functions not written yet, ops without a meaning."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from opkg.project import files
from opkg.spec.diagnostics import Diagnostic, Span, warning
from opkg.spec.model import Op, OpPackage
from opkg.spec.names import snake

FOLDER = "kernels"
_SOURCES = (".cpp", ".cc", ".c")
_TEXTS = (*_SOURCES, ".h", ".hpp", ".inc")
# The body of a function as a target first writes it: nothing but this status.
_STUB = re.compile(r"\b(\w+)\s*\([^;{}]*\)\s*\{\s*return\s+opkg::Status::unsupported;[^\n}]*\n?\s*\}")
_CORE = "qti.aisw"  # its ops are described, not made


def of_packages(root: str, packages: Sequence[OpPackage], whole: bool) -> list[Diagnostic]:
    """Warnings about the kernel files below `root`, and about ops without a meaning to compare with.

    `whole`: the packages are all of the project, so that a file that none names is used by nobody.
    """
    found = [finding for package in packages for finding in _of_package(root, package)]
    return [*found, *(unused(root, packages) if whole else ())]


def _of_package(root: str, package: OpPackage) -> Iterator[Diagnostic]:
    if package.name == _CORE:
        return
    for op in package.ops:
        if op.kernels and op.compute is None and op.reference is None:
            hint = "write compute: y = ..., or reference: module:function"
            yield warning("OPK348", f"nothing says what {op.name} computes, so it cannot be verified", op.span, hint)
        yield from stubs(root, op)


def stubs(root: str, op: Op) -> Iterator[Diagnostic]:
    """A warning for each kernel function of an op that computes nothing yet."""
    functions = {kernel.function for kernel in op.kernels}
    for body in sorted({kernel.body for kernel in op.kernels if kernel.body}):
        text = _text(f"{root}/{body}")
        for stub in _STUB.finditer(text):
            if stub[1] not in functions:
                continue
            line = text.count("\n", 0, stub.start()) + 1
            column = stub.start() - text.rfind("\n", 0, stub.start())
            span = Span(body, line, column, line, column + len(stub[1]))
            yield warning(
                "OPK349", f"{stub[1]} is not written yet: it returns 'unsupported'", span, "compute the outputs"
            )


def unused(root: str, packages: Sequence[OpPackage]) -> Iterator[Diagnostic]:
    """A warning for each source file in kernels/ that no kernel has as its body and no other file includes."""
    used = {kernel.body for package in packages for op in package.ops for kernel in op.kernels}
    defaults = {
        default_body(op) for package in packages for op in package.ops if op.compute is not None
    }  # see `shadowed`
    there = sorted(_files(root))
    included: set[str] | None = None
    for path in there:
        if not path.endswith(_SOURCES) or path in used or path in defaults:
            continue
        if included is None:
            included = {name for file in there for name in _includes(f"{root}/{file}")}
        if path.rpartition("/")[2] not in included:
            hint = f"delete it, or name it in a spec: kernels: [{{body: {path}}}]"
            yield warning("OPK317", "no op uses this kernel file", Span(path), hint)


def shadowed(root: str, package: OpPackage) -> list[Diagnostic]:
    """Warnings about kernel files of the default name that nothing uses, because the op's kernels are generated."""
    used = {kernel.body for op in package.ops for kernel in op.kernels}
    found = []
    for op in package.ops:
        path = default_body(op)
        if op.compute is None or path in used or not os.path.isfile(os.path.join(root, path)):
            continue
        message = f"{path} is not used: the kernels of {op.name} are generated from its computation"
        hint = f"delete the file, or name it: kernels: [{{body: {path}}}]"
        found.append(warning("OPK317", message, op.compute.span, hint))
    return found


def default_body(op: Op) -> str:
    """The kernel file of an op whose spec names none."""
    return f"{FOLDER}/{snake(op.name)}.cpp"


def _files(root: str) -> Iterator[str]:
    for folder, folders, names in os.walk(f"{root}/{FOLDER}"):
        folders[:] = [name for name in folders if not name.startswith(".")]
        below = os.path.relpath(folder, root).replace(os.sep, "/")
        yield from (f"{below}/{name}" for name in names if name.endswith(_TEXTS) and not name.startswith("."))


def _includes(path: str) -> list[str]:
    """Names of the files that a file includes, without their folders."""
    found = re.findall(r'^\s*#\s*include\s*"([^"\n]+)"', _text(path), re.MULTILINE)
    return [name.rpartition("/")[2] for name in found]


def _text(path: str) -> str:
    try:
        return files.unix(files.read(path, limit=1 << 22)).decode("utf-8", "replace")
    except OSError:
        return ""
