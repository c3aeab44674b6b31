"""What an op's meaning is called with: the inputs and params of a case as plain values."""

from __future__ import annotations

from opkg.verify.cases.case import Case, CaseParam
from opkg.verify.meaning.numbers import decode


def arguments_of(case: Case) -> dict[str, object]:
    """The keyword arguments of a case: fresh arrays that the reference may do with as it likes."""
    arguments: dict[str, object] = {}
    for tensor in case.inputs:
        value = None
        if tensor.stored is not None:
            value = decode(tensor.stored, tensor.dtype, tensor.quant)
        if tensor.spec.variadic is not None:
            known = arguments.setdefault(tensor.spec.name, [])
            assert isinstance(known, list)
            known.append(value)
        else:
            arguments[tensor.spec.name] = value
    for spec in case.op.inputs:
        arguments.setdefault(spec.name, [] if spec.variadic is not None else None)
    for param in case.params:
        arguments[param.spec.name] = _plain(param)
    return arguments


def _plain(param: CaseParam) -> object:
    return param.value if param.shape is None else param.array()
