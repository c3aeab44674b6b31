"""ONNX's schemas of this package's ops: for its checker and its shape inference."""

from __future__ import annotations

from typing import Any

import onnx
from onnx import defs, helper, numpy_helper

from .inferring import outputs_of
from .nodes import choose, function
from .opdef import Op, Param
from .ops import DOMAIN, OPS, VERSION

_Formal = defs.OpSchema.FormalParameter
_Option = defs.OpSchema.FormalParameterOption
_ANY = "AnyOfThem"  # what stands behind the inputs that every call has
_KINDS = {
    "float": defs.OpSchema.AttrType.FLOAT,
    "int": defs.OpSchema.AttrType.INT,
    "floats": defs.OpSchema.AttrType.FLOATS,
    "ints": defs.OpSchema.AttrType.INTS,
}


def register_schemas() -> None:
    """Make the ops known to `onnx`: once is enough, more often does no harm."""
    for op in OPS.values():
        if not defs.has(op.name, domain=DOMAIN):
            defs.register_schema(schema(op))


def schema(op: Op) -> Any:
    """The schema of one op."""
    made = defs.OpSchema(
        op.name,
        DOMAIN,
        VERSION,
        op.doc,
        inputs=_inputs(op),
        outputs=[_formal(each.name, _type(op, each.type), each.variadic) for each in op.outputs],
        type_constraints=_constraints(op),
        attributes=[] if op.as_inputs else [attribute(param) for param in op.params],
    )
    if op.functions or op.shapes:
        made.set_type_and_shape_inference_function(lambda context: _infer(op, context))
    return made


def _constraints(op: Op) -> list[tuple[str, list[str], str]]:
    found = [(name, [f"tensor({each})" for each in types], "") for name, types in (op.types or {}).items()]
    moving = op.as_inputs and op.least_inputs < len(op.inputs)
    return [*found, (_ANY, ["tensor(float)", "tensor(float16)", "tensor(int32)"], "")] if moving else found


def _inputs(op: Op) -> list[Any]:
    formal = [_formal(each.name, _type(op, each.type), each.variadic, each.optional) for each in op.inputs]
    if not op.as_inputs:
        return formal
    if op.least_inputs < len(op.inputs):  # params follow whatever inputs are given
        rest = _Formal("others", _ANY, param_option=_Option.Variadic, is_homogeneous=False, min_arity=len(op.params))
        return [*formal[: op.least_inputs], rest]
    return formal + [_formal(p.name, "tensor(float)" if p.is_float else "tensor(int32)", False) for p in op.params]


def _formal(name: str, type_name: str, variadic: bool, optional: bool = False) -> Any:
    option = _Option.Variadic if variadic else _Option.Optional if optional else _Option.Single
    return _Formal(name, type_name, param_option=option)


def _type(op: Op, name: str) -> str:
    return name if name in (op.types or {}) else f"tensor({name})"


def attribute(param: Param) -> Any:
    """An attribute of a schema."""
    if param.default is None:
        return defs.OpSchema.Attribute(param.name, _KINDS[param.kind], "", required=True)
    value: Any = param.default
    if isinstance(value, bool):
        value = int(value)
    return defs.OpSchema.Attribute(param.name, helper.make_attribute(param.name, value), "")


def _infer(op: Op, context: Any) -> None:
    """Types and shapes of the outputs are those of the function's, or the rule's."""
    types = [context.get_input_type(at) for at in range(context.get_num_inputs())]
    if op.shapes:
        _apply(op, context, types)
        return
    known = {
        f"input{at}": onnx.TensorProto.DataType.Name(each.tensor_type.elem_type).lower()
        for at, each in enumerate(types)
        if each is not None
    }
    node = helper.make_node(op.name, [f"input{at}" for at in range(len(types))], [], domain=DOMAIN)
    chosen = choose(op, node, known, defs.onnx_opset_version())
    if chosen is None or any(each is None for each in types):
        return
    attributes = []
    if not op.as_inputs:
        for param in op.params:
            given = context.get_attribute(param.name)
            attributes.append(given or helper.make_attribute(param.name, param.default))
    body = function(op.name, chosen, max(18, chosen.opset))
    found = onnx.shape_inference.infer_function_output_types(body, types, attributes)
    for at, each in enumerate(found):
        context.set_output_type(at, each)


def _apply(op: Op, context: Any, types: list[Any]) -> None:
    count = len(types) - (len(op.params) if op.as_inputs else 0)
    if any(each is None for each in types[:count]):
        return
    if op.as_inputs:
        held = [context.get_input_data(at) for at in range(count, len(types))]
        given = {p.name: numpy_helper.to_array(t) for p, t in zip(op.params, held, strict=True) if t is not None}
    else:
        attributes = [(p.name, context.get_attribute(p.name)) for p in op.params]
        given = {name: helper.get_attribute_value(each) for name, each in attributes if each is not None}
    found = outputs_of(op, [each.tensor_type for each in types[:count]], given)
    for at, each in enumerate(found):
        if each is not None:
            context.set_output_type(at, helper.make_tensor_type_proto(*each))
