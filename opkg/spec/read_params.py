"""Params of an op: element types, defaults, enums, ranges."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from opkg.spec.diagnostics import Span
from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.spec.expr import Expression, Num, ShapeList, Tree, Truth, Type, Unary
from opkg.spec.fields import (
    Fields,
    Findings,
    is_loose_bool,
    read_record,
    surprising_number,
    take_bool,
    take_int,
    take_scalar,
    wrong_type,
)
from opkg.spec.model import ParamSpec, Range, Value
from opkg.spec.names import name_fault
from opkg.spec.parse_expr import parse
from opkg.spec.read_shapes import ShapeText, read_shape, take_shape
from opkg.spec.read_types import take_dtype
from opkg.spec.records import PARAM
from opkg.spec.scope import Scope, value_type
from opkg.spec.source import Mapping, Node, Piece, Scalar, Sequence
from opkg.spec.values import fits, stored

_COMPARISON = re.compile(r"\s*(>=|<=|>|<)")
_DOTS = re.compile(r"(?<!\.)\.\.(?!\.)")


class ParamDraft(NamedTuple):
    """A param whose record was read, but not yet its expressions."""

    name: str
    fields: Fields
    dtype: DType | None
    shape: ShapeText | None
    enum: tuple[tuple[str, int], ...]


def read_param_drafts(
    entries: dict[str, tuple[Scalar, Node]], variables: tuple[str, ...], findings: Findings
) -> list[ParamDraft]:
    """First pass over params: records, element types, shape texts, enums."""
    drafts: list[ParamDraft] = []
    for name, (key, node) in entries.items():
        fields = read_record(node, PARAM, findings, key.span)
        if fields is None:
            continue
        dtype_node = fields.node("dtype")
        dtype = _dtype(dtype_node, variables, findings) if dtype_node is not None else None
        shape_node = fields.node("shape")
        shape = take_shape(shape_node, findings) if shape_node is not None else None
        enum_node = fields.node("enum")
        enum = _enum(enum_node, dtype, findings) if enum_node is not None else ()
        drafts.append(ParamDraft(name, fields, dtype, shape, enum))
    return drafts


def _dtype(node: Node, variables: tuple[str, ...], findings: Findings) -> DType | None:
    if isinstance(node, Scalar) and node.text in variables and node.text not in DTYPES:
        message = f"a param has one element type, not the type variable '{node.text}'"
        findings.error("OPK198", message, node.span, "float32 serves for real values of any tensor type")
        return None
    dtype = take_dtype(node, findings)
    if dtype is not None and dtype.quantized:
        message = f"a param cannot be of the quantized type {dtype}"
        findings.error("OPK198", message, node.span, "use an int or float type, or a static input")
        return None
    return dtype


def _enum(node: Node, dtype: DType | None, findings: Findings) -> tuple[tuple[str, int], ...]:
    """The named values of a param: a list counts from 0."""
    pairs: list[tuple[str, int, Span]] = []
    if isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            scalar = take_scalar(item, "a name", findings)
            if scalar is not None:
                pairs.append((scalar.text, number, scalar.span))
    elif isinstance(node, Mapping):
        for name, (key, value) in node.entries.items():
            taken = take_int(value, findings, name)
            if taken is not None:
                pairs.append((name, taken, key.span))
    else:
        wrong_type(node, "a list of names or a mapping (enum)", "enum: {NEAREST: 0, LINEAR: 1}", findings)
        return ()
    if not pairs and not (node.items if isinstance(node, Sequence) else node.entries):
        findings.error("OPK134", "this enum has no values", node.span, "delete it or name some")
    if dtype is not None and dtype.kind not in (Kind.INT, Kind.UINT):
        findings.error("OPK192", f"an enum needs an int type, not {dtype}", node.span, "dtype: uint32")
        return ()
    return _checked_enum(pairs, dtype, findings)


def _checked_enum(
    pairs: list[tuple[str, int, Span]], dtype: DType | None, findings: Findings
) -> tuple[tuple[str, int], ...]:
    seen: dict[str, int] = {}
    for name, number, span in pairs:
        fault = name_fault(name)
        if fault is not None:
            findings.error(fault[0], fault[1], span, fault[2])
        elif name in seen:
            findings.error("OPK192", f"enum value '{name}' stands twice", span, "delete one")
        elif number in seen.values():
            findings.error("OPK192", f"{number} has two names in this enum", span, "every value has one name")
        elif dtype is not None and fits(number, dtype):
            findings.error("OPK192", f"{number} {fits(number, dtype)}, the limits of {dtype}", span)
        else:
            seen[name] = number
    return tuple(seen.items())


def literal(tree: Tree) -> bool | int | float | None:
    """The value of a literal, a minus sign included; None for any other expression."""
    if isinstance(tree, Num | Truth):
        return tree.value
    if isinstance(tree, Unary) and tree.op == "-" and isinstance(tree.operand, Num):
        return -tree.operand.value
    return None


class ParamReader:
    """Second pass: shape, default, range."""

    def __init__(self, scope: Scope, findings: Findings) -> None:
        self.scope = scope
        self.findings = findings

    def read(self, draft: ParamDraft) -> ParamSpec | None:
        fields, findings = draft.fields, self.findings
        shape = read_shape(draft.shape, self.scope, findings) if draft.shape is not None else None
        dtype = draft.dtype
        axis_of = self.axis_of(fields.node("axis_of"), dtype)
        if dtype is None:
            return None
        range_node = fields.node("range")
        range_ = self.range(range_node, dtype) if range_node is not None else None
        default_node = fields.node("default")
        default = self.default(default_node, draft, dtype, shape) if default_node is not None else None
        return ParamSpec(
            draft.name, dtype, shape, fields.text("description"), default, draft.enum, range_, axis_of, fields.spans
        )

    def axis_of(self, node: Node | None, dtype: DType | None) -> str | None:
        if node is None:
            return None
        scalar = take_scalar(node, "a tensor's name", self.findings)
        if scalar is None:
            return None
        if not self.scope.is_tensor(scalar.text):
            tensors = [name for name in self.scope.symbols if self.scope.is_tensor(name)]
            hint = "tensors: " + ", ".join(tensors)
            self.findings.error("OPK191", f"there is no tensor '{scalar.text[:40]}'", scalar.span, hint)
            return None
        if dtype is not None and dtype.kind not in (Kind.INT, Kind.UINT):
            self.findings.error("OPK191", f"an axis is of an int type, not {dtype}", scalar.span, "dtype: uint32")
            return None
        return scalar.text

    def range(self, node: Node, dtype: DType) -> Range | None:
        """`low .. high`, `> low`, `<= high`; None after a finding."""
        scalar = take_scalar(node, "a range", self.findings)
        if scalar is None:
            return None
        if dtype.kind is Kind.BOOL:
            self.findings.error("OPK192", "a bool has no range", scalar.span, "delete it")
            return None
        piece, text = scalar.piece, scalar.text
        sign = _COMPARISON.match(text)
        if sign is not None:
            end = self.end(piece.part(sign.end(), len(text)), dtype)
            is_open = len(sign.group(1)) == 1
            if end is None:
                return None
            return Range(end, None, low_open=is_open) if ">" in sign.group(1) else Range(None, end, high_open=is_open)
        dots = list(_DOTS.finditer(text))
        if len(dots) != 1:
            hint = 'write 0 .. 5, 0 .., or "> 0"'
            self.findings.error("OPK168", f"'{text[:40]}' is no range", scalar.span, hint)
            return None
        low_text, high_text = piece.part(0, dots[0].start()), piece.part(dots[0].end(), len(text))
        low = self.end(low_text, dtype) if low_text.text else None
        high = self.end(high_text, dtype) if high_text.text else None
        if (low_text.text and low is None) or (high_text.text and high is None):
            return None
        return self.ordered(Range(low, high), scalar)

    def ordered(self, range_: Range, scalar: Scalar) -> Range | None:
        low = literal(range_.low.tree) if range_.low is not None else None
        high = literal(range_.high.tree) if range_.high is not None else None
        if range_.low is None and range_.high is None:
            self.findings.error("OPK168", "a range needs at least one end", scalar.span, "write 0 .. 5, or 0 ..")
            return None
        if low is not None and high is not None and low > high:
            self.findings.error("OPK197", f"no value is in {low} .. {high}", scalar.span, "the smaller end comes first")
            return None
        return range_

    def end(self, piece: Piece, dtype: DType) -> Expression | None:
        want = (Type.FLOAT, Type.INT) if dtype.kind is Kind.FLOAT else (Type.INT,)
        return parse(piece, self.scope, want, self.findings.list, "an end of this range")

    # Defaults

    def default(
        self, node: Node, draft: ParamDraft, dtype: DType, shape: Expression | None
    ) -> Value | Expression | None:
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
