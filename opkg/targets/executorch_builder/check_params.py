"""The parts of a generated check that concern params: values, defaults, enumerations, ranges, axes."""

from __future__ import annotations

from opkg.spec.dtypes import DType, Kind
from opkg.spec.expr import Expression, Name, Num, Rest, ShapeList, Tree, Unary
from opkg.spec.model import ParamSpec, TensorSpec, Value
from opkg.spec.values import stored
from opkg.targets.executorch_builder.check_plan import Plan
from opkg.targets.executorch_builder.names import local, quoted
from opkg.targets.executorch_builder.pyexpr import can_fail, given_flag

_STRUCT = {"float32": '"f"', "float16": '"e"'}


def python_type(param: ParamSpec) -> str:
    """`int`, `tuple[float, ...]`."""
    kind = {Kind.BOOL: "bool", Kind.FLOAT: "float"}.get(param.dtype.kind, "int")
    return kind if param.shape is None else f"tuple[{kind}, ...]"


def argument_type(param: ParamSpec) -> str:
    """What a caller may give: any sequence for a tensor param."""
    return python_type(param).replace("tuple[", "Sequence[").replace(", ...", "")


def _conversion(plan: Plan, param: ParamSpec, value: str) -> tuple[str, list[str]]:
    """Helper and arguments that make a value one of the param's element type."""
    plural = "" if param.shape is None else "s"
    if param.dtype.kind is Kind.BOOL:
        return plan.use(f"as_bool{plural}"), [quoted(param.name), value]
    if param.dtype.kind is Kind.FLOAT:
        return plan.use(f"as_float{plural}"), [quoted(param.name), value, _STRUCT[param.dtype.name]]
    low, high = param.dtype.limits
    return plan.use(f"as_int{plural}"), [quoted(param.name), value, str(low), str(high)]


def _convert(plan: Plan, param: ParamSpec, value: str) -> None:
    helper, args = _conversion(plan, param, value)
    plan.code.call(f"{local(param.name)} = {helper}", *args)


def flags(plan: Plan, asked: set[str]) -> None:
    """Locals for `present(param)`."""
    for param in plan.op.params:
        if param.name in asked:
            text = f"{local(param.name)} is not None" if param.optional else "True"
            plan.code.add(f"{given_flag(param.name)} = {text}")


def normalise_axis(plan: Plan, param: ParamSpec) -> None:
    """torch counts a negative axis from the end; an unsigned param of QNN cannot."""
    tensor = _axis_tensor(plan, param)
    if tensor is None or param.dtype.signed:
        return
    variable = local(param.name)
    tests = [f"{variable} is not None"] if param.optional else []
    if tensor.optional or tensor in plan.op.outputs:
        tests.append(f"{local(tensor.name)} is not None")
    rank = f"{plan.printer.tensor(tensor.name)}.rank"
    with plan.code.block(f"if {' and '.join(tests)}:" if tests else ""):
        helper = plan.use("from_end" if param.shape is None else "from_end_all")
        plan.code.call(f"{variable} = {helper}", variable, rank)


def bind_given(plan: Plan, param: ParamSpec) -> None:
    """A tensor param that the call gives binds the open dimension of its shape."""
    name = _open_dimension(plan, param)
    if not name:
        return
    plan.declare([name], param.optional)
    with plan.code.block(f"if {local(param.name)} is not None:" if param.optional else ""):
        _bind(plan, param, name, param.optional)


def _open_dimension(plan: Plan, param: ParamSpec) -> str:
    """The dimension that only the number of elements tells, or empty text. Dims of inputs are bound by now."""
    tree = param.shape.tree if param.shape is not None else None
    if not isinstance(tree, ShapeList):
        return ""
    names = [item.id for item in tree.items if isinstance(item, Name) and item.id in plan.op.dims]
    known = [n for n in names if n in plan.first and n not in plan.absent]
    return next((n for n in names if n not in known and plan.uses[n] > 1), "")


def _bind(plan: Plan, param: ParamSpec, name: str, maybe: bool) -> None:
    assert param.shape is not None
    assert isinstance(param.shape.tree, ShapeList)
    others = [i for i in param.shape.tree.items if i != Name(name)]
    count = f"{plan.use('length_of')}({quoted(param.name)}, {local(param.name)})"
    if len(others) == 1:
        count += f" // {plan.printer.show(others[0]).at(8)}"
    elif others:
        count += f" // {plan.use('product')}({plan.printer.text(ShapeList(tuple(others)))})"
    plan.bind(name, param.name, count, maybe)


def fill(plan: Plan, param: ParamSpec) -> None:
    """The value of a param: given or default, of its element type."""
    variable, default = local(param.name), param.default
    if default is None:
        _convert(plan, param, variable)
        return
    if not isinstance(default, Expression):
        _convert(plan, param, f"{literal(default)} if {variable} is None else {variable}")
        return
    unknown = plan.unknown(default.tree)
    if not unknown and not can_fail(default.tree):
        shown = plan.printer.show(default.tree)
        _convert(plan, param, f"{shown.at(1)} if {variable} is None else {variable}")
        return
    before = f"default of param '{param.name}': "
    with plan.code.block(f"if {variable} is None:"):
        for missing in unknown:
            with plan.code.block(f"if {local(missing)} is None:"):
                text = quoted(f"{before}'{missing}' is not known in this call")
                plan.code.call(f"raise {plan.use('Rejected')}", text)
        with plan.code.block(plan.safely(before, default.tree)):
            plan.code.add(f"{variable} = {plan.printer.text(default.tree)}")
    _convert(plan, param, variable)


def bind_default(plan: Plan, param: ParamSpec) -> None:
    """A default binds the open dimension of its shape too."""
    name = _open_dimension(plan, param)
    if name and param.optional:
        _bind(plan, param, name, False)


def literal(value: Value) -> str:
    if isinstance(value, tuple):
        return f"({value[0]!r},)" if len(value) == 1 else repr(value)
    return repr(value)


def check(plan: Plan, param: ParamSpec) -> None:
    """Number of elements, named values, range and axis of a param."""
    name, variable = quoted(param.name), local(param.name)
    if param.shape is not None and not _is_open(plan, param.shape.tree):
        tree = param.shape.tree
        with plan.code.block(plan.guard(tree)), plan.code.block(plan.safely(f"shape of param '{param.name}': ", tree)):
            plan.call("element_count", name, variable, _count(plan, tree))
    if param.enum:
        allowed = ", ".join(f"{quoted(key)}: {number}" for key, number in param.enum)
        plan.call("one_of", name, variable, f"{{{allowed}}}")
    if param.range is not None:
        low, high = param.range.low, param.range.high
        if low is not None:
            _limit(plan, param, "above" if param.range.low_open else "at_least", low.tree)
        if high is not None:
            _limit(plan, param, "below" if param.range.high_open else "at_most", high.tree)
    _check_axis(plan, param)


def is_flat(tree: Tree) -> bool:
    """Whether a param's shape has rank 1, so that its number of elements is its only dimension."""
    return isinstance(tree, ShapeList) and len(tree.items) == 1 and not isinstance(tree.items[0], Rest)


def _count(plan: Plan, tree: Tree) -> str:
    if isinstance(tree, ShapeList) and is_flat(tree):
        return plan.printer.text(tree.items[0])
    return f"{plan.use('product')}({plan.printer.shape(tree)})"


def _is_open(plan: Plan, tree: Tree) -> bool:
    """Whether a dimension of the shape is bound by nothing but this param itself, and read by nobody."""
    if not isinstance(tree, ShapeList):
        return False
    return any(
        (isinstance(i, Rest) and (i.name is None or i.name not in plan.first))
        or (isinstance(i, Name) and i.id in plan.op.dims and i.id not in plan.first)
        for i in tree.items
    )


def _limit(plan: Plan, param: ParamSpec, helper: str, tree: Tree) -> None:
    name, variable = quoted(param.name), local(param.name)
    number = _number(tree)
    if number is not None:
        plan.call(helper, name, variable, repr(_end(number, param.dtype)))
        return
    before = f"range of param '{param.name}': "
    with plan.code.block(plan.guard(tree)), plan.code.block(plan.safely(before, tree)):
        text = plan.printer.text(tree)
        if param.dtype.kind is Kind.FLOAT:
            text = f"{plan.use('rounded')}({text}, {_STRUCT[param.dtype.name]})"
        plan.call(helper, name, variable, text)


def _number(tree: Tree) -> int | float | None:
    if isinstance(tree, Unary) and tree.op == "-" and isinstance(tree.operand, Num):
        return -tree.operand.value
    return tree.value if isinstance(tree, Num) else None


def _end(number: int | float, dtype: DType) -> int | float:
    return stored(float(number), dtype) if dtype.kind is Kind.FLOAT else number


def _axis_tensor(plan: Plan, param: ParamSpec) -> TensorSpec | None:
    return next((t for t in plan.op.tensors if t.name == param.axis_of), None)


def _check_axis(plan: Plan, param: ParamSpec) -> None:
    tensor = _axis_tensor(plan, param)
    if tensor is None:
        return
    maybe = tensor.optional or tensor in plan.op.outputs
    with plan.code.block(f"if {local(tensor.name)} is not None:" if maybe else ""):
        rank = f"{plan.printer.tensor(tensor.name)}.rank"
        args = (quoted(param.name), local(param.name), quoted(tensor.name), rank, repr(param.dtype.signed))
        plan.call("axis_within", *args)
