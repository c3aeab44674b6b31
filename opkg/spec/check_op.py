"""Checks between the parts of one op that was read without findings: order of evaluation, binding, positions."""

from __future__ import annotations

from opkg.spec.diagnostics import warning
from opkg.spec.expr import Expression, Member, Name, Rest, ShapeList, Tree
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.spec.read_defaults import check_default_range
from opkg.spec.requirements import requirements
from opkg.spec.scalars import Findings
from opkg.spec.walk_expr import children


def check_op(op: Op, findings: Findings) -> None:
    """All checks; findings of ids OPK172, OPK180, OPK189, OPK190, OPK195."""
    _positions(op.inputs, "input", findings)
    _positions(op.outputs, "output", findings)
    _quantization(op, findings)
    _order(op, findings)
    _bound(op, findings)
    for param in op.params:
        check_default_range(param, findings)


def names_in(tree: Tree) -> list[str]:
    """All names in an expression, with repeats."""
    if isinstance(tree, Name):
        return [tree.id]
    if isinstance(tree, Member):
        return [tree.tensor]
    if isinstance(tree, Rest):
        return [tree.name] if tree.name is not None else []
    found: list[str] = []
    for child in children(tree):
        found.extend(names_in(child))
    return found


def _positions(tensors: tuple[TensorSpec, ...], kind: str, findings: Findings) -> None:
    """A variadic tensor stands last and alone takes a varying number of places."""
    variadic = [tensor for tensor in tensors if tensor.variadic is not None]
    if not variadic:
        return
    for tensor in variadic[1:]:
        message = f"'{tensor.name}' is a second variadic {kind}"
        findings.error("OPK189", message, tensor.spans["variadic"], "an op has at most one")
    first = variadic[0]
    if tensors[-1] is not first and len(variadic) == 1:
        findings.error("OPK189", f"variadic '{first.name}' is not the last {kind}", first.spans["variadic"], "move it")
    for tensor in tensors:
        if tensor.optional:
            message = f"'{tensor.name}' is optional beside a variadic {kind}: positions would be ambiguous"
            findings.error("OPK189", message, tensor.spans["optional"], "make it mandatory")


def _quantization(op: Op, findings: Findings) -> None:
    for tensor in op.tensors:
        quantization = tensor.quantization
        if quantization is None:
            continue
        span = tensor.spans["quantization"]
        if not any(tensor.dtype.of(c).quantized for c in op.combinations):
            findings.error("OPK190", f"'{tensor.name}' is never quantized", span, "delete it or add a quantized type")
        if quantization.same_as == tensor.name:
            findings.error(
                "OPK190", f"'{tensor.name}' is to have the quantization of itself", span, "name another tensor"
            )
        offset = quantization.offset
        if offset is not None and abs(offset) >= 1 << 31:
            findings.error("OPK190", "an offset has 32 bits", span)
        elif offset is not None:
            _zero_point(tensor, offset, op, findings)


def _zero_point(tensor: TensorSpec, offset: int, op: Op, findings: Findings) -> None:
    """Warns of an offset with which no element stands for 0: most likely it has the other sign."""
    for dtype in dict.fromkeys([tensor.dtype.of(c) for c in op.combinations]):
        if not dtype.quantized:
            continue
        low, high = dtype.limits
        if not low <= -offset <= high:
            message = f"with offset {offset} no element of {dtype} is 0"
            hint = f"QNN's offset is minus the zero point: {-offset}" if low <= offset <= high else f"{-high} to {-low}"
            findings.list.append(warning("OPK190", message, tensor.spans["quantization"], hint))
            return


def _order(op: Op, findings: Findings) -> None:
    """Expressions name nothing that is only known after them."""
    outputs = [tensor.name for tensor in op.outputs]
    params = [param.name for param in op.params]
    for tensor in op.inputs:
        _none_of(tensor.shape, outputs, f"the shape of input '{tensor.name}'", findings)
    for at, param in enumerate(op.params):
        later = outputs + params[at:]
        if param.shape is not None:
            _none_of(param.shape, later, f"the shape of '{param.name}'", findings)
        if isinstance(param.default, Expression):
            _none_of(param.default, later, f"the default of '{param.name}'", findings)
        for end in (param.range.low, param.range.high) if param.range is not None else ():
            if end is not None:
                _none_of(end, [*outputs, param.name], f"the range of '{param.name}'", findings)
    for at, tensor in enumerate(op.outputs):
        _none_of(tensor.shape, outputs[at:], f"the shape of output '{tensor.name}'", findings)


def _none_of(expression: Expression, forbidden: list[str], what: str, findings: Findings) -> None:
    for name in names_in(expression.tree):
        if name in forbidden:
            message = f"{what} uses '{name}', which is only known after it"
            findings.error("OPK172", message, expression.span, "use inputs, and what is declared before")
            return


def _bound(op: Op, findings: Findings) -> None:
    """Output shapes need only what every call has."""
    mandatory: set[str] = set()
    for tensor in op.inputs:
        if not tensor.optional:
            mandatory.update(binds(tensor.shape))
    for param in op.params:
        if param.shape is not None:
            mandatory.update(binds(param.shape))
    optional = {tensor.name for tensor in op.inputs if tensor.optional}
    for tensor in op.outputs:
        for name in requirements(tensor.shape.tree):
            if name in optional or ((name in op.dims or name in op.rests) and name not in mandatory):
                message = f"'{name}' is not there in every call, so the shape of '{tensor.name}' is not known"
                findings.error("OPK195", message, tensor.shape.span, "use mandatory inputs, or present()")
                break
    for param in op.params:
        _open_dims(op, param, findings)


def binds(shape: Expression) -> list[str]:
    """The names that a shape list binds."""
    tree = shape.tree
    if not isinstance(tree, ShapeList):
        return []
    items = [item.id for item in tree.items if isinstance(item, Name)]
    return items + [item.name for item in tree.items if isinstance(item, Rest) and item.name is not None]


def _open_dims(op: Op, param: ParamSpec, findings: Findings) -> None:
    """A tensor param tells its number of elements only: one open dimension can be bound from it."""
    if param.shape is None:
        return
    from_inputs = {name for tensor in op.inputs for name in binds(tensor.shape)}
    earlier = {n for p in op.params[: op.params.index(param)] if p.shape is not None for n in binds(p.shape)}
    known = from_inputs | earlier
    new = [name for name in dict.fromkeys(binds(param.shape)) if name in (*op.dims, *op.rests) and name not in known]
    if len(new) > 1 or any(name in op.rests for name in new):
        message = f"the shape of param '{param.name}' binds {', '.join(new)}; it can bind one dimension"
        findings.error("OPK195", message, param.shape.span, "give the other dimensions as numbers or expressions")
