"""Generates one builder module an op: reads the node's arguments, checks the call, defines tensors, adds params."""

from __future__ import annotations

from textwrap import wrap

from opkg.resources import render
from opkg.spec.axis_params import counts_from_end
from opkg.spec.model import Op, OpPackage, ParamSpec, TensorSpec
from opkg.targets.executorch_builder.check_params import is_flat
from opkg.targets.executorch_builder.checks import check_name, types_name
from opkg.targets.executorch_builder.layout import Code, bracketed
from opkg.targets.executorch_builder.names import BACKENDS_OWN, doc, local, node_name, quoted, torch_op
from opkg.targets.executorch_builder.schema import schema
from opkg.targets.executorch_builder.torch_mapping import mapped_ops


def class_name(op: Op) -> str:
    return f"{op.identifier}Visitor"


def constants_name(op: Op) -> str:
    return f"Op{op.identifier}"


def builder_module(package: OpPackage, op: Op) -> str:
    """Text of `op_<name>.py`."""
    names = [quoted(name) for name in (*(t.name for t in op.inputs), *(p.name for p in op.params))]
    return render(
        "executorch_builder/op.py.j2",
        package=package,
        op=op,
        summary=doc(op.summary),
        target="\n".join(
            bracketed(
                "target = [", [quoted(t) for t in (torch_op(package, op), *map(node_name, mapped_ops(op)))], "]", 1
            )
        ),
        mapped=bool(op.torch),
        signature=wrap(f"{package.cpp_namespace}::{schema(op)}", 96),
        visitor=class_name(op),
        constants=constants_name(op),
        check=check_name(op),
        types=[types_name(op)] if any(call.inputs for call in op.torch) else [],
        constants_of=_constants_of(op),
        steps=any(expression.steps for call in op.torch for _, expression in call.inputs),
        arguments="\n".join(bracketed("arguments = [", names, "]", 1)),
        read=_read(op).text,
        define=_define(op).text,
        params=_params(op, package.name != BACKENDS_OWN).text,
    )


def _constants_of(op: Op) -> str:
    """Inputs that may be the result of a node, by name, or empty text."""
    names = dict.fromkeys(call.constant for call in op.torch if call.constant)
    return f"{{{', '.join(f'{quoted(name)}: {local(name)}' for name in names)}}}" if names else ""


def _read(op: Op) -> Code:
    """Inside `try:`: arguments and outputs, then the check."""
    code = Code(3)
    made = {name for call in op.torch for name, _ in call.inputs}
    for at, tensor in enumerate(op.inputs):
        if tensor.name in made and not tensor.variadic:
            _read_made(code, op, at)
            continue
        read = "inputs" if tensor.variadic else "input"
        read = f"self.optional_{read}" if tensor.optional else f"self.{read}"
        args = ["node", quoted(tensor.name), *(["static=True"] if tensor.static else [])]
        code.call(f"{local(tensor.name)} = {read}", *args)
        _narrow(code, op, tensor)
    optional = [t for t in op.inputs if t.optional]
    if optional and op.inputs.index(optional[0]) < len(op.inputs) - 1:
        pairs = [f"{quoted(t.name)}: {local(t.name)}" for t in op.inputs[op.inputs.index(optional[0]) :]]
        code.call("self.without_gap", f"{{{', '.join(pairs)}}}")
    for at, tensor in enumerate(op.outputs):
        if tensor.variadic:
            code.add(f"{local(tensor.name)} = self.outputs(node)")
        else:
            read = f"self.output(node, {at}, {len(op.outputs)})"
            if _is_narrow(op, tensor):
                read = f"self.narrowed({read})"
            code.add(f"{local(tensor.name)} = {read}")
    values = [f"{local(t.name)}={_info(local(t.name), bool(t.variadic), t.optional)}" for t in op.inputs]
    for param in op.params:
        read = "self.value" if param.optional else "self.required"
        values.append(f"{local(param.name)}={read}(node, {quoted(param.name)})")
    values += [f"{local(t.name)}={_info(local(t.name), bool(t.variadic), False)}" for t in op.outputs]
    code.call(f"call = {check_name(op)}" if op.params else check_name(op), *values)
    return code


def _read_made(code: Code, op: Op, at: int) -> None:
    """An input that an expression of `torch:` gives."""
    tensor, before = op.inputs[at], op.inputs[:at]
    others = ", ".join(f"{quoted(t.name)}: {local(t.name)}" for t in before if not t.variadic)
    args = ["node", quoted(tensor.name), types_name(op), f"{{{others}}}"]
    args += ["static=True"] if tensor.static else []
    same = tensor.quantization.same_as if tensor.quantization is not None else None
    args += [f"like={local(t.name)}" for t in before if t.name == same]
    name = local(tensor.name)
    code.call(f"{name} = self.made_input", *args)
    if not tensor.optional:
        code.call(f"{name} = self.needed", quoted(tensor.name), name)
    _narrow(code, op, tensor)


def _is_narrow(op: Op, tensor: TensorSpec) -> bool:
    """Whether 64 bits of torch are 32 bits here."""
    kinds = {tensor.dtype.of(combination).name for combination in op.combinations}
    return bool(op.torch) and "int32" in kinds and "int64" not in kinds


def _narrow(code: Code, op: Op, tensor: TensorSpec) -> None:
    """64 bits of torch as the 32 bits of the op."""
    if not _is_narrow(op, tensor) or not any(call.lowered for call in op.torch):
        return
    name = local(tensor.name)
    if tensor.variadic:
        value = f"[self.narrowed(each) for each in {name}]"
    else:
        value = f"self.narrowed({name})"
    code.add(f"{name} = {value} if {name} is not None else None" if tensor.optional else f"{name} = {value}")


def _info(name: str, variadic: bool, optional: bool) -> str:
    """The checked view of an argument: shape, element type, quantization."""
    text = f"[each.info for each in {name}]" if variadic else f"{name}.info"
    return f"{text} if {name} is not None else None" if optional else text


def _define(op: Op) -> Code:
    """The op's wrapper with its tensors, in the spec's order."""
    code = Code(2)
    for kind, specs in (("Input", op.inputs), ("Output", op.outputs)):
        values = [f"*{local(t.name)}" if t.variadic else local(t.name) for t in specs]
        optional = kind == "Input" and any(t.optional for t in specs)
        if optional:
            values = [f"*({n} or ())" if t.variadic else n for t in specs for n in (local(t.name),)]
        wrapped = f"self.wrap(node, nodes_to_wrappers, {', '.join(values)})"
        if len(wrapped) + 32 > 100:
            code.call(f"{kind.lower()}s = self.wrap", "node", "nodes_to_wrappers", *values)
            wrapped = f"{kind.lower()}s"
        code.call(f"op.Add{kind}Tensors", wrapped)
    return code


def _params(op: Op, from_end: bool) -> Code:
    """Every param, in the spec's order, because kernels see them by position. `from_end`: see `_value`."""
    code = Code(2)
    for param in op.params:
        name = f"{constants_name(op)}.param_{param.name}"
        value, number = _value(op, param, from_end), f"np.{_numpy(param)}"
        if param.shape is None:
            code.call("self.add_scalar", "op", name, quoted(_qnn(param)), f"{number}({value})")
        else:
            field = f"call.{local(param.name)}"
            dims = f"(len({field}),)" if is_flat(param.shape.tree) else f"call.dims_[{quoted(param.name)}]"
            code.call("self.add_tensor", "op", name, quoted(_qnn(param)), f"np.array({value}, {number})", dims)
    return code


def _value(op: Op, param: ParamSpec, from_end: bool) -> str:
    """The checked value; an axis moves with the dimensions when the backend changed the layout. `from_end`: it counts from
    the end where kernels see ranks padded."""
    field = f"call.{local(param.name)}"
    tensor = next((t for t in op.tensors if t.name in (param.axis_of, param.dims_of)), None)
    if tensor is None:
        return field
    source = f"{local(tensor.name)}[0]" if tensor.variadic else local(tensor.name)
    how = "rows" if param.dims_of else "axis" if param.shape is None else "axes"
    end = ", from_end=True" if from_end and counts_from_end(op, param) else ""
    moved = f"self.moved_{how}(node, {field}, {source}{end})"
    return f"{moved} if {local(tensor.name)} is not None else {field}" if tensor.optional else moved


def _qnn(param: ParamSpec) -> str:
    return param.dtype.qnn


def _numpy(param: ParamSpec) -> str:
    return "bool_" if param.dtype.numpy == "bool" else param.dtype.numpy
