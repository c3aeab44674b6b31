"""The cpu backend's layer of an operation: how tensors reach the kernel, and the visits that make the layer."""

from __future__ import annotations

from opkg.spec.model import Combination, Op, TensorSpec
from opkg.targets.onert.kernel import function_name, namespace
from opkg.targets.onert.names import variable
from opkg.targets.onert.operation import Operation
from opkg.targets.onert.types import data_type, usable
from opkg.targets.portable_kernel.lines import brackets


def configure_parameters(operation: Operation) -> list[str]:
    """The parameters of the layer's configure()."""
    op = operation.op
    found = [f"const IPortableTensor *{variable(t.name)}" for t in op.inputs]
    found += [f"const {namespace(op)}::Params &params"] if op.params else []
    return found + [f"IPortableTensor *{variable(t.name)}" for t in op.outputs]


def generator_lines(operation: Operation) -> list[str]:
    """The statements of KernelGenerator's visit."""
    op = operation.op
    lines = []
    for tensor in op.tensors:
        lines += operation.index_lines(tensor)
    lines.append("")
    for tensor in op.tensors:
        found = f"{tensor.name}_tensor = _tensor_reg->getPortableTensor({tensor.name}_index);"
        if not tensor.optional:
            lines.append(f"auto {found}")
            continue
        lines += [f"IPortableTensor *{tensor.name}_tensor = nullptr;", f"if (!{tensor.name}_index.undefined())"]
        lines.append(f"  {found}")
    if op.params:
        lines += ["", f"{namespace(op)}::Params params;"]
        lines += [f"params.{p.name} = node.param().{p.name};" for p in op.params]
    arguments = [f"{t.name}_tensor" for t in op.inputs] + (["params"] if op.params else [])
    arguments += [f"{t.name}_tensor" for t in op.outputs]
    lines += ["", f"auto fn = std::make_unique<ops::{operation.name}Layer>();"]
    return [*lines, *brackets("fn->configure(", arguments, ");"), "", "_return_fn = std::move(fn);"]


def run_lines(operation: Operation) -> list[str]:
    """The statements of the layer's run(): the function for the element types at hand."""
    op = operation.op
    lines = []
    for tensor in op.tensors:
        member = f"_{variable(tensor.name)}"
        shape = f"{member}->getShape()"
        shape = f"{member} != nullptr ? {shape} : ir::Shape{{}}" if tensor.optional else shape
        lines.append(f"const auto {tensor.name}_shape = {shape};")
    lines.append("")
    owners = _owners(op)
    combinations = usable(op)
    if not owners:
        return [*lines, *_call(op, combinations[0], "")]
    if len(owners) == 1:
        (var, tensor), *_ = owners.items()
        lines += [f"switch (_{variable(tensor.name)}->data_type())", "{"]
        for combination in combinations:
            lines.append(f"  case OperandType::{data_type(combination.dtype(var))}:")
            lines += [*_call(op, combination, "    "), "    break;"]
        lines += ["  default:", f'    throw std::runtime_error{{"{op.name}: unsupported data type"}};', "}"]
        return lines
    for number, combination in enumerate(combinations):
        tests = [
            f"_{variable(t.name)}->data_type() == OperandType::{data_type(combination.dtype(v))}"
            for v, t in owners.items()
        ]
        lines += [f"{'else if' if number else 'if'} ({' && '.join(tests)})", "{"]
        lines += [*_call(op, combination, "  "), "}"]
    return [*lines, "else", "{", f'  throw std::runtime_error{{"{op.name}: unsupported data types"}};', "}"]


def _owners(op: Op) -> dict[str, TensorSpec]:
    """A tensor that is always there for each type variable."""
    found: dict[str, TensorSpec] = {}
    for tensor in op.tensors:
        if tensor.dtype.var is not None and not tensor.optional:
            found.setdefault(tensor.dtype.var, tensor)
    return found


def _call(op: Op, combination: Combination, indent: str) -> list[str]:
    arguments = ["_params"] if op.params else []
    for tensor in op.tensors:
        const = "const " if any(tensor is t for t in op.inputs) else ""
        type_ = f"{const}{tensor.dtype.of(combination).cpp}"
        arguments.append(f"view<{type_}>(_{variable(tensor.name)}, {tensor.name}_shape)")
    # two blanks of the function's body come on top
    lines = brackets(f"  {indent}{namespace(op)}::{function_name(combination)}(", arguments, ");")
    return [line[2:] for line in lines]
