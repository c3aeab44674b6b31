"""Inputs and params that nothing reads: most likely another one was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opkg.spec.check_op import names_in
from opkg.spec.diagnostics import warning
from opkg.spec.expr import Expression
from opkg.spec.model import Op
from opkg.spec.scalars import Findings

_WORD = re.compile(r"[A-Za-z_]\w*")


def check_unread(op: Op, compute: str, findings: Findings) -> None:
    """Warns (OPK199) of mandatory inputs and of params that neither the computation names nor anything else of the op; not of
    params that have one value."""
    read = set(_WORD.findall(compute))
    for expression in _expressions(op):
        read.update(names_in(expression.tree))
    read.update(tensor.quantization.same_as or "" for tensor in op.tensors if tensor.quantization is not None)
    inputs = [("input", tensor.name, tensor.spans) for tensor in op.inputs if not tensor.optional]
    params = [("param", param.name, param.spans) for param in op.params if len(param.enum) != 1]
    for kind, name, spans in (*inputs, *params):
        if name not in read:
            hint = "delete it, or name it in compute or in constraints"
            findings.list.append(warning("OPK199", f"{kind} '{name}' is not read", spans[""], hint))


def _expressions(op: Op) -> Iterator[Expression]:
    """All of them, but for a tensor's own shape in terms of itself."""
    for tensor in op.tensors:
        yield tensor.shape
    for param in op.params:
        ends = (param.range.low, param.range.high) if param.range is not None else ()
        for expression in (param.shape, param.default, *ends):
            if isinstance(expression, Expression):
                yield expression
    for constraint in op.constraints:
        yield constraint.require
