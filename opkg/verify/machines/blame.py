"""Which line of a spec stands behind a line of generated code: the `compute:`, a param, a kernel's entry, the op."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from opkg.spec.diagnostics import Span
from opkg.spec.model import Kernel, Op, OpPackage
from opkg.spec.names import snake

_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"[‘'`\"]([^’'`\"]+)[’'`\"]")
_BODIES = "_kernels"  # ends the name of a file with what `compute:` says


class Cause(NamedTuple):
    """A place in the spec, and what stands there: `param 'axis' of Softmax`."""

    span: Span
    what: str


def cause(package: OpPackage, root: Path, path: str, line: int, words: str = "") -> Cause | None:
    """What of a spec became a line of a generated file. `path`: relative to `root`; `words`: of the compiler, whose quoted
    names are looked for first. None when the file is of no op of the package."""
    stem = PurePosixPath(path).stem
    op = _op(package, stem)
    if op is None:
        return None
    lines = _lines(root / path)
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    names = [*(name for part in _QUOTED.findall(words) for name in _WORD.findall(part)), *_WORD.findall(text)]
    named = next((found for name in names if (found := _named(op, name)) is not None), None)
    kernel = _around(op, lines[:line])
    if named is not None:
        return named
    if kernel is not None and kernel.body:
        return _entry(op, kernel)
    if op.compute is not None and (kernel is not None or stem.endswith(_BODIES)):
        return Cause(op.spans.get("compute", op.span), f"`compute:` of {op.name}")
    return _entry(op, kernel) if kernel is not None else Cause(op.span, op.name)


def _op(package: OpPackage, stem: str) -> Op | None:
    """The op that a file is about: the one with the longest name that its own begins with."""
    names = {snake(op.identifier): op for op in package.ops}
    fitting = [name for name in names if stem == name or stem.startswith(f"{name}_")]
    return names[max(fitting, key=len)] if fitting else None


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []


def _named(op: Op, name: str) -> Cause | None:
    """What a name in generated code is in the spec; locals may have an underscore behind them."""
    name = name.rstrip("_")
    for kernel in op.kernels:
        if kernel.function == name and kernel.body:
            return _entry(op, kernel)
    for param in op.params:
        if name in (param.name, snake(param.name)):
            return Cause(param.spans.get("", op.span), f"param '{param.name}' of {op.name}")
    for statement in op.compute.statements if op.compute is not None else ():
        if statement.name == name and statement.span.line:
            return Cause(statement.span, f"`compute:` of {op.name}")
    return None


def _entry(op: Op, kernel: Kernel) -> Cause:
    span = kernel.spans.get("function", kernel.spans.get("", op.span))
    return Cause(span, f"kernel '{kernel.function}' of {op.name}")


def _around(op: Op, above: Sequence[str]) -> Kernel | None:
    """The kernel whose function a line stands in: the last one that is named above it, outside of other code."""
    functions = {kernel.function: kernel for kernel in op.kernels}
    for text in _heads(above):
        for name in _WORD.findall(text):
            if name in functions:
                return functions[name]
    return None


def _heads(above: Sequence[str]) -> Iterator[str]:
    """Lines at which a definition may begin, the nearest first."""
    return (text for text in reversed(above) if text[:1].isalpha())
