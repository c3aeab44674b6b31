"""Kernels of signed integers beside those of unsigned ones in one function: the zero of a tensor tells which one a call is of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from opkg.kernels.emit.parts import Source, asked
from opkg.kernels.emit.passes import kernel_parts
from opkg.kernels.emit.rows_code import RowsCode
from opkg.kernels.snippet import Snippet
from opkg.spec.model import Kernel, Op

_ZERO = re.compile(r"if \((op\.\w+\.zero != \d+)\) return false;")

Rows = tuple[RowsCode, ...]


def signed_snippets(op: Op, source: Source) -> list[tuple[str, tuple[Snippet, ...]]]:
    """Snippets of the kernels that a function of unsigned integers serves, too, and C++ of what tells their calls."""
    if asked(op):
        return []
    found = []
    for kernel in source.alike:
        snippets = next(kernel_parts(op, replace(source, kernel=kernel), True))
        told = _told(op, source.kernel, kernel)
        if told and not any(snippet.views for snippet in snippets):
            found.append((told, snippets))
    return found


def joined(signed: Sequence[tuple[str, Rows]], unsigned: Rows) -> list[tuple[str, Rows]]:
    """The cases of such a function, the unsigned one last: it takes the calls of the other one if that has the same code, and all
    its signs are those of one type variable."""
    (condition, rows), *others = signed
    if not others and "&&" not in condition and len(rows) == len(unsigned):
        both = [one for one in map(_one, rows, unsigned) if one is not None]
        if len(both) == len(rows):
            return [("", tuple(both))]
    return [*signed, ("", unsigned)]


def _told(op: Op, unsigned: Kernel, signed: Kernel) -> str:
    """A test for each type variable that has another sign, which elements of 32 bits do not show."""
    tests: dict[str, str] = {}
    for tensor in op.tensors:
        own, other = tensor.dtype.of(unsigned.combination), tensor.dtype.of(signed.combination)
        if own != other and own.bits < 32 and tensor.dtype.var:
            tests.setdefault(tensor.dtype.var, f"op.{tensor.name}.zero == {1 << (own.bits - 1)}")
    return " && ".join(tests.values())


def _one(signed: RowsCode, unsigned: RowsCode) -> RowsCode | None:
    """The rows for both, where they differ in the zeros that they take alone."""
    same = replace(signed, name=unsigned.name, notes=unsigned.notes, prepare=unsigned.prepare, inputs=unsigned.inputs)
    if replace(same, outputs=unsigned.outputs) != unsigned or len(signed.prepare) != len(unsigned.prepare):
        return None
    prepare = []
    for one, other in zip(signed.prepare, unsigned.prepare, strict=True):
        tests = [_ZERO.fullmatch(line) for line in (other, one)]
        if one == other:
            prepare.append(one)
        elif tests[0] and tests[1]:
            prepare.append(f"if ({tests[0][1]} && {tests[1][1]}) return false;")
        else:
            return None
    return replace(unsigned, prepare=tuple(prepare))
