"""An op's `compute:` as a model-local ONNX function: what any runtime computes where there is no op package.

One function per variant (element types that compute alike) and per number of inputs given, told apart by `overload`:
onnxruntime's calls with fewer inputs than a function has end the process (docs/onnxruntime.md). float16 is computed in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from opkg.models.onnx_body import Body
from opkg.models.onnx_nodes import Unfit
from opkg.models.onnx_text import Attribute, Function, Kind
from opkg.spec.compute.types import Type, value_type
from opkg.spec.dtypes import DType
from opkg.spec.dtypes import Kind as Family
from opkg.spec.expr import Expression
from opkg.spec.model import Combination, Op, ParamSpec

LEAST_OPSET = 13  # whose ReduceSum, Squeeze and DequantizeLinear are those of today
AXES_AS_INPUTS = 18  # of all reductions


@dataclass(frozen=True, slots=True)
class Made:
    """One function of an op, and the calls it is for: element types of its tensors, and how many inputs a call gives."""

    function: Function
    combinations: tuple[Combination, ...]
    inputs: int


def value_key(dtype: DType) -> str:
    """What an element type is in a function: one text for types that compute alike. Integers saturate at their own ends."""
    return "real" if value_type(dtype) is Type.REAL else dtype.suffix


def variants(op: Op) -> list[tuple[str, tuple[Combination, ...]]]:
    """The combinations of an op in groups that one function serves, each with a short name."""
    found: dict[tuple[str, ...], list[Combination]] = {}
    for combination in op.combinations:
        key = (*(value_key(t.dtype.of(combination)) for t in op.tensors), *(value_key(d) for _, d in combination.types))
        found.setdefault(key, []).append(combination)
    return [("_".join(dict.fromkeys(value_key(d) for _, d in c[0].types)), tuple(c)) for c in found.values()]


def arities(op: Op) -> range:
    """How many of an op's inputs a call can give: those at the end may be left out."""
    least = len(op.inputs)
    while least and op.inputs[least - 1].optional:
        least -= 1
    return range(least, len(op.inputs) + 1)


def functions(op: Op, domain: str, as_inputs: bool, opset: int = AXES_AS_INPUTS) -> list[Made]:
    """All functions of an op that has a `compute:`; `as_inputs`: its params are inputs behind its own, else attributes.

    Raises Unfit where ONNX's ops of this opset cannot say it.
    """
    if op.compute is None:
        raise Unfit("it has no compute:")
    if any(tensor.variadic for tensor in op.tensors):
        raise Unfit("it has a variadic tensor")
    groups, counts = variants(op), arities(op)
    made = []
    for name, combinations in groups:
        for count in counts:
            parts = [name] if len(groups) > 1 else []
            parts += [str(count)] if len(counts) > 1 else []
            function = _function(op, domain, combinations, count, as_inputs, opset)
            made.append(Made(replace(function, overload="_".join(parts)), combinations, count))
    return made


def _function(
    op: Op, domain: str, combinations: Sequence[Combination], count: int, as_inputs: bool, opset: int
) -> Function:
    given = op.inputs[:count]
    inputs = tuple(tensor.name for tensor in given) + (tuple(param.name for param in op.params) if as_inputs else ())
    outputs = tuple(tensor.name for tensor in op.outputs)
    body = Body(op, tuple(combinations), frozenset(t.name for t in given), opset, dict.fromkeys(inputs + outputs))
    for tensor in given:
        body.read(tensor)
    for param in op.params:
        if as_inputs:
            body.param_from_input(param)
        else:
            body.param_from_attribute(param)
    assert op.compute is not None
    for statement in op.compute.statements:
        body.assign(statement)
    for tensor in op.outputs:
        body.write(tensor)
    attributes = () if as_inputs else tuple(_attribute(param) for param in op.params)
    return Function(domain, op.identifier, "", inputs, outputs, attributes, body.used(outputs), body.least_opset)


def attribute_kind(param: ParamSpec) -> Kind:
    """ONNX has no bool and no unsigned attributes."""
    real = param.dtype.kind is Family.FLOAT
    if param.shape is not None:
        return Kind.FLOATS if real else Kind.INTS
    return Kind.FLOAT if real else Kind.INT


def _attribute(param: ParamSpec) -> Attribute:
    default = None if isinstance(param.default, Expression) else param.default
    if isinstance(default, bool):
        default = int(default)
    if isinstance(default, tuple):
        default = tuple(int(v) if isinstance(v, bool) else v for v in default)
    return Attribute(param.name, attribute_kind(param), default)
