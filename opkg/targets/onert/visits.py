"""The visits of an operation: their heads, and what both shape inferers do."""

from __future__ import annotations

from collections.abc import Iterable

from opkg.targets.onert.names import variable
from opkg.targets.onert.operation import Operation
from opkg.targets.portable_kernel.lines import WIDTH, brackets, fold


def definition(
    owner: str, operation: Operation, body: Iterable[str], variable: str = "node", prefix: str = "ir::"
) -> str:
    """The text of `void Owner::visit(const ...)`; without a name for the node where the body does not use it."""
    lines = list(body)
    named = f" &{variable}" if any(f"{variable}." in line or f"({variable}" in line for line in lines) else " &"
    head = f"void {owner}::visit(const {prefix}operation::{operation.name}{named})"
    one = f"{head} {{ {lines[0]} }}" if len(lines) == 1 else ""
    if one and len(one) <= WIDTH:
        return one + "\n"
    folded = [part for line in lines for part in fold(f"  {line}" if line else "")]
    return "\n".join([head, "{", *folded, "}"]) + "\n"


def static_lines(operation: Operation, own_operands: bool) -> list[str]:
    """The visit of StaticShapeInferer."""
    op = operation.op
    if operation.binary is not None:
        a, b = operation.binary
        return brackets("handleBinaryArithmeticOp(", ["op", operation.index(a, "op"), operation.index(b, "op")], ");")
    if operation.same is not None and len(op.outputs) == 1:
        return brackets("handleSimpleUnaryOp(", ["op", operation.index(operation.same, "op")], ");")
    operands = "_operands" if own_operands else "operands"
    lines = [] if own_operands else ["auto &operands = _lowered_subg->graph().operands();", ""]
    read = (operation.same,) if operation.same is not None else operation.read
    for tensor in read:
        lines.append(f"const auto &{variable(tensor.name)} = {operands}.at({operation.index(tensor, 'op')});")
    shape_of = {t.name: f"{variable(t.name)}.info().shape()" for t in read}
    for output in op.outputs:
        lines.append(f"auto &{variable(output.name)} = {operands}.at({operation.index(output, 'op')});")
    lines.append("")
    for output in op.outputs:
        text = (
            shape_of[read[0].name]
            if operation.same is not None
            else operation.infer_call(shape_of, "op.param()", output)
        )
        lines.append(f"{variable(output.name)}.info().shape({text});")
    return lines


def dynamic_lines(operation: Operation) -> list[str]:
    """The visit of DynamicShapeInferer."""
    op = operation.op
    if operation.binary is not None or (operation.same is not None and len(op.outputs) == 1):
        return static_lines(operation, False)
    read = (operation.same,) if operation.same is not None else operation.read
    tensors = {variable(t.name): t for t in (*read, *op.outputs)}
    lines = [f"auto {name} = _tensor_registry->getITensor({operation.index(t, 'op')});" for name, t in tensors.items()]
    tests = [f"!{name}->is_dynamic()" for name in tensors]
    lines += ["", f"if ({' && '.join(tests)})", "  return;", ""]
    shape_of = {t.name: f"{variable(t.name)}->getShape()" for t in read}
    for output in op.outputs:
        text = (
            shape_of[read[0].name]
            if operation.same is not None
            else operation.infer_call(shape_of, "op.param()", output)
        )
        name = variable(output.name)
        lines += [f"{name}->applyShape({text});", f"assert({name}->buffer() != nullptr);"]
    return lines
