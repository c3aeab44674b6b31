"""Generates `shapes.py`: per op a function that checks a call and infers the output shapes, in plain Python.

The order of the checks is that of `opkg.spec.infer`, of which the function is the twin; the first violation rejects.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.expr import Call, Name
from opkg.spec.model import Combination, Op, TensorSpec
from opkg.spec.names import snake
from opkg.targets.executorch_builder import check_params as params
from opkg.targets.executorch_builder import check_tensors as tensors
from opkg.targets.executorch_builder.check_plan import Plan, expressions, nodes
from opkg.targets.executorch_builder.layout import WIDTH, bracketed
from opkg.targets.executorch_builder.names import doc, local, quoted
from opkg.targets.executorch_builder.profiles import Profile
from opkg.targets.executorch_builder.torch_compute import cast_variables


@dataclass(frozen=True, slots=True)
class Check:
    """The text of one op's check, and the helpers it imports."""

    text: str
    helpers: tuple[str, ...]


def check_name(op: Op) -> str:
    return f"check_{snake(op.name)}"


def result_name(op: Op) -> str:
    return f"{op.identifier}Call"


def types_name(op: Op) -> str:
    return f"{snake(op.name).upper()}_TYPES"


def make_check(op: Op, profile: Profile) -> Check:
    """The types, the result class and the function of one op."""
    plan = Plan(op)
    body = _body(plan)
    lines = [
        *_types(op, profile, plan.printer.type_vars | cast_variables(op)),
        "",
        "",
        *_result(op),
        "",
        "",
        *_signature(op),
        *_doc(op),
    ]
    given = ", ".join(f"{quoted(t.name)}: {local(t.name)}" for t in op.tensors)
    match = "types = match" if plan.printer.needs_types else "match"
    lines += bracketed(f"{match}(", [types_name(op), f"{{{given}}}"], ")", 1)
    helpers = {*plan.printer.helpers, "match", "Tensor", "Shape"}
    text = "\n".join([*lines, *body])
    return Check(text, tuple(sorted(helpers)))


def _body(plan: Plan) -> list[str]:
    op = plan.op
    params.flags(plan, _asked(op))
    for tensor in op.inputs:
        tensors.ranks(plan, tensor)
    for tensor in op.inputs:
        tensors.bind_dims(plan, tensor)
    for param in op.params:
        params.normalise_axis(plan, param)
    for param in op.params:
        params.bind_given(plan, param)
    for param in op.params:
        params.fill(plan, param)
        params.bind_default(plan, param)
    for param in op.params:
        params.check(plan, param)
    for tensor in op.inputs:
        tensors.fits(plan, tensor)
    for tensor in op.outputs:
        tensors.infer_output(plan, tensor)
        if _is_read(op, tensor):
            tensors.complete_output(plan, tensor)
    for constraint in op.constraints:
        tensors.constraint(plan, constraint.require, constraint.message)
    for tensor in op.tensors:
        tensors.quantization(plan, tensor)
    _return(plan)
    return plan.code.lines


def _asked(op: Op) -> set[str]:
    """Names that `present()` asks for."""
    calls = [n for e in expressions(op) for n in nodes(e.tree) if isinstance(n, Call) and n.function == "present"]
    return {call.args[0].id for call in calls if isinstance(call.args[0], Name)}


def _is_read(op: Op, tensor: TensorSpec) -> bool:
    """Whether a constraint, or the shape of an output behind it, reads the output."""
    trees = [c.require.tree for c in op.constraints] + [output.shape.tree for output in op.outputs]
    return tensor.name in {getattr(n, "tensor", getattr(n, "id", "")) for tree in trees for n in nodes(tree)}


def _types(op: Op, profile: Profile, read: set[str]) -> list[str]:
    """The combinations of element types that can reach a builder, as a tuple of mappings."""
    rows: list[list[str]] = []
    for combination in reached(op, profile):
        found = {t.name: t.dtype.of(combination) for t in op.tensors}
        found |= {name: dtype for name, dtype in combination.types if name in read}
        rows.append([f"{quoted(name)}: {quoted(dtype.name)}" for name, dtype in found.items()])
    flat = f"{types_name(op)} = (" + "".join("{" + ", ".join(row) + "}," for row in rows) + ")"
    if len(rows) < 2 and len(flat) <= WIDTH:
        return [flat]
    return [f"{types_name(op)} = (", *(line for row in rows for line in _row(row)), ")"]


def reached(op: Op, profile: Profile) -> list[Combination]:
    """The combinations of element types that can reach a builder."""
    tensors = [(row, [t.dtype.of(row) for t in op.tensors]) for row in op.combinations]
    return [row for row, dtypes in tensors if all(dtype.qnn in profile.tensors for dtype in dtypes)]


def _row(row: list[str]) -> list[str]:
    flat = f"    {{{', '.join(row)}}},"
    return [flat] if len(flat) <= WIDTH else ["    {", *(f"        {item}," for item in row), "    },"]


def _result(op: Op) -> list[str]:
    """The dataclass of an allowed call."""
    lines = ["@dataclass(frozen=True)", f"class {result_name(op)}:"]
    lines += [f'    """Params and output shapes of an allowed call of {op.name}."""', ""]
    lines += [f"    {local(p.name)}: {params.python_type(p)}" for p in op.params]
    if shaped(op):
        lines.append("    dims_: dict[str, Shape]")
    for tensor in op.outputs:
        kind = "tuple[Shape, ...]" if tensor.variadic else "Shape"
        lines.append(f"    {local(tensor.name)}: {kind}{' | None' if tensors.undetermined(tensor) else ''}")
    return lines


def shaped(op: Op) -> list[str]:
    """Tensor params of other ranks than 1, whose dimensions the check has to tell."""
    return [p.name for p in op.params if p.shape is not None and not params.is_flat(p.shape.tree)]


def _signature(op: Op) -> list[str]:
    args = ["*"]
    for tensor in op.inputs:
        kind = "Sequence[Tensor]" if tensor.variadic else "Tensor"
        args.append(f"{local(tensor.name)}: {kind}" + (" | None = None" if tensor.optional else ""))
    for param in op.params:
        kind = params.argument_type(param)
        args.append(f"{local(param.name)}: {kind}" + (" | None = None" if param.optional else ""))
    for tensor in op.outputs:
        kind = "Sequence[Tensor]" if tensor.variadic else "Tensor"
        args.append(f"{local(tensor.name)}: {kind} | None = None")
    return bracketed(f"def {check_name(op)}(", args, f") -> {result_name(op)}:", 0)


def _doc(op: Op) -> list[str]:
    first = f"Check a call of {op.name} and infer its output shapes; Rejected names what does not hold."
    return [f'    """{doc(first)}"""']


def _return(plan: Plan) -> None:
    op = plan.op
    values = [f"{local(p.name)}={local(p.name)}" for p in op.params]
    if shaped(op):
        shapes = {p.name: p.shape for p in op.params if p.shape is not None and p.name in shaped(op)}
        dims = ", ".join(f"{quoted(n)}: {plan.printer.shape(s.tree)}" for n, s in shapes.items())
        values.append(f"dims_={{{dims}}}")
    for tensor in op.outputs:
        values.append(f"{local(tensor.name)}={_output_value(tensor)}")
    plan.code.lines += bracketed(f"return {result_name(op)}(", values, ")", 1)


def _output_value(tensor: TensorSpec) -> str:
    name, shape = local(tensor.name), tensors.shape_local(tensor)
    if tensor.variadic is None:
        return f"{name}.shape if {name} is not None else None" if tensors.undetermined(tensor) else shape
    if tensors.undetermined(tensor):
        return f"tuple(each.shape for each in {name}) if {name} is not None else None"
    return f"({shape},) * ({tensor.variadic[0]} if {name} is None else len({name}))"
