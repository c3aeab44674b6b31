"""The parts of a generated check that concern tensors: counts, ranks, dimensions, shapes, quantization."""

from __future__ import annotations

from opkg.spec.expr import Expression, Name, Rest, ShapeList, Tree
from opkg.spec.model import Op, TensorSpec
from opkg.spec.python_text import python_places
from opkg.targets.executorch_builder.check_plan import Plan
from opkg.targets.executorch_builder.names import local, quoted


def ranks(plan: Plan, tensor: TensorSpec) -> None:
    """Count, rank and dimensions of an input, or of an output that the graph has."""
    name, low, high = quoted(tensor.name), tensor.ranks.low, tensor.ranks.high
    tree = tensor.shape.tree
    if isinstance(tree, ShapeList):
        least = sum(not isinstance(item, Rest) for item in tree.items)
        low = max(low, least)
        high = min(high, least) if least == len(tree.items) else high
    if tensor.variadic:
        plan.call("count_within", name, local(tensor.name), *map(str, tensor.variadic))
    plan.call("rank_within", name, local(tensor.name), str(low), str(high))


def _dimension(plan: Plan, item: Tree) -> str:
    """The dimension or run that an item of a shape list binds, or empty text."""
    if isinstance(item, Rest):
        return item.name or ""
    return item.id if isinstance(item, Name) and item.id in plan.op.dims else ""


def bind_dims(plan: Plan, tensor: TensorSpec) -> None:
    """Locals for the named dimensions of an input, as far as something reads them."""
    tree = tensor.shape.tree
    if not isinstance(tree, ShapeList):
        return
    named = [(name, at) for item, at in python_places(tree) if (name := _dimension(plan, item)) and plan.uses[name] > 1]
    if not named:
        return
    plan.declare([name for name, _ in named], tensor.optional)
    variable = local(tensor.name)
    with plan.code.block(f"if {variable} is not None:" if tensor.optional else ""):
        for name, at in named:
            plan.bind(name, tensor.name, f"{plan.printer.tensor(tensor.name)}.shape[{at}]", tensor.optional)
        if tensor.variadic:
            with plan.code.block(f"for each in {variable}[1:]:"):
                for name, at in named:
                    plan.bind(name, tensor.name, f"each.shape[{at}]", True)


def fits(plan: Plan, tensor: TensorSpec, output: bool = False) -> None:
    """The shape of an input (or of an output the graph has) against its expression, where that is more than names."""
    tree = tensor.shape.tree
    checked: list[tuple[Tree, str]] = [(tree, "")]
    if isinstance(tree, ShapeList):
        parts = [(item, at) for item, at in python_places(tree) if not isinstance(item, Rest)]
        checked = [(item, at) for item, at in parts if output or not _dimension(plan, item)]
    if not checked:
        return
    variable = local(tensor.name)
    with plan.code.block(f"if {variable} is not None:" if tensor.optional or output else ""):
        if tensor.variadic:
            with plan.code.block(f"for each in {variable}:"):
                _compare(plan, tensor, "each", checked)
        else:
            _compare(plan, tensor, variable, checked)


def _compare(plan: Plan, tensor: TensorSpec, variable: str, checked: list[tuple[Tree, str]]) -> None:
    name = quoted(tensor.name)
    for item, at in checked:
        before = f"dimension {at} of '{tensor.name}': " if at else f"shape of '{tensor.name}': "
        with plan.code.block(plan.guard(item)), plan.code.block(plan.safely(before, item)):
            if at:
                plan.call("same_dim", at, name, f"{variable}.shape", plan.printer.text(item))
            else:
                plan.call("same_shape", name, f"{variable}.shape", plan.printer.shape(item))


def undetermined(tensor: TensorSpec) -> bool:
    """Whether the spec leaves the shape of an output open (`...`)."""
    tree = tensor.shape.tree
    return isinstance(tree, ShapeList) and any(isinstance(i, Rest) and i.name is None for i in tree.items)


def shape_local(tensor: TensorSpec) -> str:
    """The local that holds the shape of an output."""
    return f"shape_of_{tensor.name}_"


def infer_output(plan: Plan, tensor: TensorSpec) -> None:
    """The shape of an output by its expression, compared with the one the graph has."""
    ranks(plan, tensor)
    if undetermined(tensor):
        fits(plan, tensor, output=True)
        return
    tree, name, shape = tensor.shape.tree, quoted(tensor.name), shape_local(tensor)
    before = f"cannot infer the shape of '{tensor.name}': "
    for missing in plan.unknown(tree):
        with plan.code.block(f"if {local(missing)} is None:"):
            plan.code.call("raise Rejected", quoted(f"{before}'{missing}' is not known in this call"))
            plan.use("Rejected")
    plan.use("inferred")
    with plan.code.block(plan.safely(before, tree)):
        args = (name, plan.printer.shape(tree), str(tensor.ranks.low), str(tensor.ranks.high))
        plan.code.call(f"{shape} = inferred", *args)
    plan.call("agree", name, local(tensor.name), shape)


def complete_output(plan: Plan, tensor: TensorSpec) -> None:
    """The output as a tensor, when constraints or quantization read it and the graph has not given it."""
    variable = local(tensor.name)
    if undetermined(tensor):
        plan.absent.add(tensor.name)
        return
    plan.printer.needs_types = True
    made = f"{plan.use('Tensor')}({shape_local(tensor)}, types[{quoted(tensor.name)}])"
    made = f"({made},) * {tensor.variadic[0]}" if tensor.variadic else made
    plan.code.add(f"{variable} = {variable} or {made}")


def is_quantized(op: Op, tensor: TensorSpec) -> bool:
    """Whether any allowed combination gives the tensor a quantized element type."""
    return any(tensor.dtype.of(combination).quantized for combination in op.combinations)


def quantization(plan: Plan, tensor: TensorSpec) -> None:
    """What the spec demands of scale and offset."""
    if not is_quantized(plan.op, tensor):
        return
    wanted, args = tensor.quantization, [quoted(tensor.name), local(tensor.name)]
    if wanted is not None and wanted.any:
        return
    if wanted is not None:
        for key in ("scale", "offset", "axis"):
            value = getattr(wanted, key)
            args += [f"{key}={value!r}"] if value is not None else []
        args += ["symmetric=True"] if wanted.symmetric else []
        if wanted.same_as is not None:
            args.append(f"same_as=({quoted(wanted.same_as)}, {local(wanted.same_as)})")
    plan.call("quantized", *args)


def constraint(plan: Plan, require: Expression, message: str) -> None:
    """One constraint of the spec, where all it needs is there."""
    tree = require.tree
    with plan.code.block(plan.guard(tree)), plan.code.block(plan.safely(f"{message} (", tree, after=")")):
        plan.call("require", plan.printer.text(tree), quoted(message))
