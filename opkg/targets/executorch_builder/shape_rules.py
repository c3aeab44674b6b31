"""Generates `shape_rules.py`: output shapes from input shapes, without checks, so that symbolic dimensions stay symbolic.

A check compares dimensions, and each comparison of a symbolic one narrows what the exported program accepts.
"""

from __future__ import annotations

from opkg.spec.expr import Expression, Member, Name, Rest, ShapeList, Tree
from opkg.spec.model import Op, ParamSpec
from opkg.spec.names import snake
from opkg.spec.python_text import python_places
from opkg.targets.executorch_builder.check_params import literal, normalise_axis
from opkg.targets.executorch_builder.check_plan import Plan, nodes
from opkg.targets.executorch_builder.check_tensors import undetermined
from opkg.targets.executorch_builder.layout import bracketed, items
from opkg.targets.executorch_builder.names import doc, local


def rule_name(op: Op) -> str:
    return f"{snake(op.name)}_shapes"


def shape_rule(op: Op) -> tuple[str, frozenset[str]]:
    """The function of one op, and the helpers it imports."""
    plan = Plan(op)
    shapes = [None if undetermined(t) else t.shape.tree for t in op.outputs]
    needed = _needed(op, [tree for tree in shapes if tree is not None])
    _bind_inputs(plan, needed)
    for param in op.params:
        if param.name in needed:
            normalise_axis(plan, param)
            _default(plan, param)
        _bind_param(plan, param, needed)
    values = []
    for tensor, tree in zip(op.outputs, shapes, strict=True):
        values.append("None" if tree is None else plan.printer.shape(tree))
        if tree is not None and tensor.name in needed:  # an output behind it has its shape, or a part of it
            plan.code.add(f'{local(tensor.name)} = {plan.use("Tensor")}({values[-1]}, "")')
            values[-1] = f"{local(tensor.name)}.shape"
    returned = f"return {items(values)}"
    if len(returned) + 4 <= 100:
        plan.code.add(returned)
    else:
        plan.code.lines += bracketed("return (", [*values[:-1], values[-1] + ("," if len(values) == 1 else "")], ")", 1)
    args = ["*", *(f"{local(t.name)}: Any{' = None' if t.optional else ''}" for t in op.inputs)]
    args += [f"{local(p.name)}: Any{' = None' if p.optional else ''}" for p in op.params]
    head = bracketed(f"def {rule_name(op)}(", args, ") -> tuple[Any, ...]:", 0)
    text = "\n".join([*head, f'    """Shapes of the outputs of {doc(op.name)}."""', *plan.code.lines])
    return text, frozenset(plan.printer.helpers)


def _needed(op: Op, trees: list[Tree]) -> set[str]:
    """Names that the shapes read, and what the defaults of params among them read."""
    found: set[str] = set()
    stack = list(trees)
    while stack:
        for node in nodes(stack.pop()):
            name = node.id if isinstance(node, Name) else node.name if isinstance(node, Rest) else None
            name = node.tensor if isinstance(node, Member) else name
            if name is None or name in found:
                continue
            found.add(name)
            param = next((p for p in op.params if p.name == name), None)
            if param is not None and isinstance(param.default, Expression):
                stack.append(param.default.tree)
            for other in op.params:  # the length of a param binds a dimension: then the param is needed too
                if other.shape is not None and name in op.dims and Name(name) in nodes(other.shape.tree):
                    stack.append(Name(other.name))
    return found


def _bind_inputs(plan: Plan, needed: set[str]) -> None:
    """Locals for the dimensions: from mandatory inputs where there are such."""
    for tensor in sorted(plan.op.inputs, key=lambda t: t.optional):
        tree = tensor.shape.tree
        if not isinstance(tree, ShapeList):
            continue
        for item, at in python_places(tree):
            name = item.name if isinstance(item, Rest) else item.id if isinstance(item, Name) else None
            if name is None or name not in needed or name not in (*plan.op.dims, *plan.op.rests) or name in plan.first:
                continue
            plan.first[name] = tensor.name
            value = f"{plan.printer.tensor(tensor.name)}.shape[{at}]"
            given = f"{value} if {local(tensor.name)} is not None else None" if tensor.optional else value
            plan.code.add(f"{local(name)} = {given}")


def _default(plan: Plan, param: ParamSpec) -> None:
    if not param.optional or param.default is None:
        return
    default = param.default
    text = plan.printer.show(default.tree).at(1) if isinstance(default, Expression) else literal(default)
    plan.code.add(f"{local(param.name)} = {text} if {local(param.name)} is None else {local(param.name)}")


def _bind_param(plan: Plan, param: ParamSpec, needed: set[str]) -> None:
    """Dimensions that only the length of a tensor param tells."""
    tree = param.shape.tree if param.shape is not None else None
    if not isinstance(tree, ShapeList):
        return
    names = [i.id for i in tree.items if isinstance(i, Name) and i.id in plan.op.dims]
    name = next((n for n in names if n in needed and n not in plan.first), None)
    if name is None:
        return
    plan.first[name] = param.name
    others = [item for item in tree.items if item != Name(name)]
    count = f"len({local(param.name)})"
    for other in others:
        count += f" // {plan.printer.show(other).at(8)}"
    plan.code.add(f"{local(name)} = {count}")
