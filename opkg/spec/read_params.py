"""Params of an op: element types, defaults, enums, ranges."""

from __future__ import annotations

import re

from opkg.spec.diagnostics import Span
from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.spec.expr import Expression, Type
from opkg.spec.fields import read_record
from opkg.spec.model import ParamSpec, Range
from opkg.spec.names import name_fault
from opkg.spec.nodes import Mapping, Node, Piece, Scalar, Sequence
from opkg.spec.parse_expr import parse
from opkg.spec.read_defaults import DefaultReader, ParamDraft, literal
from opkg.spec.read_shapes import read_shape, take_shape
from opkg.spec.read_types import take_dtype
from opkg.spec.records import PARAM
from opkg.spec.scalars import Findings, take_int, take_scalar, wrong_type
from opkg.spec.scope import Scope
from opkg.spec.values import fits

_COMPARISON = re.compile(r"\s*(>=|<=|>|<)")
_DOTS = re.compile(r"(?<!\.)\.\.(?!\.)")


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
        dims_of = self.dims_of(fields.node("dims_of"), draft.shape is not None)
        if dtype is None:
            return None
        range_node = fields.node("range")
        range_ = self.range(range_node, dtype) if range_node is not None else None
        default_node = fields.node("default")
        reader = DefaultReader(self.scope, findings)
        default = reader.read(default_node, draft, dtype, shape) if default_node is not None else None
        return ParamSpec(
            draft.name,
            dtype,
            shape,
            fields.text("description"),
            default,
            draft.enum,
            range_,
            axis_of,
            dims_of,
            fields.spans,
        )

    def axis_of(self, node: Node | None, dtype: DType | None) -> str | None:
        if node is None:
            return None
        scalar = self._tensor(node)
        if scalar is not None and dtype is not None and dtype.kind not in (Kind.INT, Kind.UINT):
            self.findings.error("OPK191", f"an axis is of an int type, not {dtype}", scalar.span, "dtype: uint32")
            return None
        return scalar.text if scalar is not None else None

    def dims_of(self, node: Node | None, tensor: bool) -> str | None:
        if node is None:
            return None
        scalar = self._tensor(node)
        if scalar is not None and not tensor:
            message = "one number cannot tell something of each dimension"
            self.findings.error("OPK191", message, scalar.span, f"shape: [rank({scalar.text})]")
            return None
        return scalar.text if scalar is not None else None

    def _tensor(self, node: Node) -> Scalar | None:
        """The name of an input or output."""
        scalar = take_scalar(node, "a tensor's name", self.findings)
        if scalar is None or self.scope.is_tensor(scalar.text):
            return scalar
        tensors = [name for name in self.scope.symbols if self.scope.is_tensor(name)]
        hint = "tensors: " + ", ".join(tensors)
        self.findings.error("OPK191", f"there is no tensor '{scalar.text[:40]}'", scalar.span, hint)
        return None

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
