"""Defaults of params: literals of the param's type, lists of them, or expressions."""

from __future__ import annotations

from typing import Any, NamedTuple

from opkg.spec.diagnostics import Span
from opkg.spec.dtypes import DType, Kind
from opkg.spec.expr import Expression, Num, ShapeList, Tree, Truth, Type, Unary
from opkg.spec.fields import Fields
from opkg.spec.model import ParamSpec, Value
from opkg.spec.nodes import Mapping, Node, Scalar, Sequence
from opkg.spec.parse_expr import parse
from opkg.spec.read_shapes import ShapeText
from opkg.spec.scalars import Findings, is_loose_bool, surprising_number, take_bool, take_scalar, wrong_type
from opkg.spec.scope import Scope, value_type
from opkg.spec.values import fits, stored


class ParamDraft(NamedTuple):
    """A param whose record was read, but not yet its expressions."""

    name: str
    fields: Fields
    dtype: DType | None
    shape: ShapeText | None
    enum: tuple[tuple[str, int], ...]


def literal(tree: Tree) -> bool | int | float | None:
    """The value of a literal, a minus sign included; None for any other expression."""
    if isinstance(tree, Num | Truth):
        return tree.value
    if isinstance(tree, Unary) and tree.op == "-" and isinstance(tree.operand, Num):
        return -tree.operand.value
    return None


class DefaultReader:
    """Reads the `default:` of a param."""

    def __init__(self, scope: Scope, findings: Findings) -> None:
        self.scope = scope
        self.findings = findings

    def read(self, node: Node, draft: ParamDraft, dtype: DType, shape: Expression | None) -> Value | Expression | None:
        """A typed value or an expression; None after a finding."""
        if isinstance(node, Mapping):
            wrong_type(node, "a value, a list or an expression (default)", "", self.findings)
            return None
        if isinstance(node, Sequence):
            return self.list_default(node, draft, dtype, shape)
        value = self.element(node, dtype, allow_shape=shape is not None)
        if value is None:
            return None
        if isinstance(value, Expression):
            return value
        if draft.shape is not None:
            message = f"the default of tensor param '{draft.name}' must be a list"
            self.findings.error("OPK180", message, node.span, f"default: [{node.text}]")
            return None
        return value if self.allowed(value, node.span, draft, dtype) else None

    def list_default(
        self, node: Sequence, draft: ParamDraft, dtype: DType, shape: Expression | None
    ) -> Value | Expression | None:
        if draft.shape is None:
            message = f"'{draft.name}' is a scalar, its default is a list"
            self.findings.error("OPK180", message, node.span, f"give the param a shape: [{len(node.items)}]")
            return None
        before = len(self.findings.list)
        values: list[Any] = []
        trees: list[Tree] = []
        for scalar in _leaves(node, self.findings):
            value = self.element(scalar, dtype, allow_shape=False)
            if isinstance(value, Expression):
                trees.append(value.tree)
            elif value is not None and self.allowed(value, scalar.span, draft, dtype):
                values.append(value)
                trees.append(Truth(value) if isinstance(value, bool) else Num(value))
        if len(self.findings.list) > before:
            return None
        if len(values) == len(trees):
            return tuple(values) if self.counted(len(values), node, shape) else None
        if value_type(dtype) is not Type.INT:
            message = "a list of expressions can only be the default of an int param"
            self.findings.error("OPK180", message, node.span, "write numbers")
            return None
        text = "[" + ", ".join(s.text for s in _leaves(node, self.findings)) + "]"
        return Expression(text, ShapeList(tuple(trees)), Type.SHAPE, node.span)

    def counted(self, count: int, node: Sequence, shape: Expression | None) -> bool:
        """Whether a literal default has as many elements as its constant shape."""
        tree = shape.tree if shape is not None else None
        if not isinstance(tree, ShapeList):
            return True
        wanted = 1
        for item in tree.items:
            if not isinstance(item, Num):
                return True
            wanted *= int(item.value)
        if wanted != count:
            message = f"the default has {count} elements, the shape has {wanted}"
            self.findings.error("OPK180", message, node.span, "write all elements, row by row")
        return wanted == count

    def element(self, node: Scalar, dtype: DType, allow_shape: bool) -> bool | int | float | Expression | None:
        """One scalar of a default: a literal of the param's type, or an expression."""
        if surprising_number(node, self.findings):
            return None
        if dtype.kind is Kind.BOOL and node.plain and is_loose_bool(node.text):
            take_bool(node, self.findings)
            return None
        type_ = value_type(dtype)
        want = (type_, Type.SHAPE) if allow_shape and type_ is Type.INT else (type_,)
        if allow_shape and "(" not in node.text and "." not in node.text:
            want = (*want, Type.INT)
        expression = parse(node.piece, self.scope, want, self.findings.list, f"a default of type {dtype}")
        if expression is None:
            return None
        value = literal(expression.tree)
        if value is None:
            return expression
        return float(value) if type_ is Type.FLOAT else value

    def allowed(self, value: bool | int | float, span: Span, draft: ParamDraft, dtype: DType) -> bool:
        """Whether a literal fits the element type and the enum; the range is checked with the op."""
        why = fits(value, dtype)
        if why:
            self.findings.error("OPK180", f"the default {value:g} {why}", span, f"'{draft.name}' is of type {dtype}")
            return False
        numbers = [number for _, number in draft.enum]
        if numbers and value not in numbers:
            names = ", ".join(name for name, _ in draft.enum)
            self.findings.error("OPK180", f"the default {value} is not in the enum", span, f"values: {names}")
            return False
        return True


def _leaves(node: Sequence, findings: Findings) -> list[Scalar]:
    """The scalars of nested lists, row by row."""
    result: list[Scalar] = []
    for item in node.items:
        if isinstance(item, Sequence):
            result.extend(_leaves(item, findings))
        else:
            scalar = take_scalar(item, "a value", findings)
            if scalar is not None:
                result.append(scalar)
    return result


def check_default_range(spec: ParamSpec, findings: Findings) -> None:
    """A literal default against a range with literal ends."""
    if spec.range is None or spec.default is None or isinstance(spec.default, Expression):
        return
    elements = spec.default if isinstance(spec.default, tuple) else (spec.default,)
    ends = ((spec.range.low, True, spec.range.low_open), (spec.range.high, False, spec.range.high_open))
    for end, is_low, is_open in ends:
        limit = literal(end.tree) if end is not None else None
        if limit is None:
            continue
        limit = stored(limit, spec.dtype)
        for raw in elements:
            value = stored(raw, spec.dtype)
            if (value < limit if is_low else value > limit) or (is_open and value == limit):
                message = f"the default {raw} is not in the range of '{spec.name}'"
                findings.error("OPK180", message, spec.spans["default"], "correct the default or the range")
                return
