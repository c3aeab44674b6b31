"""Inputs and outputs of an op."""

from __future__ import annotations

import re
from typing import NamedTuple

from opkg.spec.diagnostics import Span, nearest
from opkg.spec.expr import Expression, Rest, ShapeList
from opkg.spec.fields import Fields, read_record
from opkg.spec.kinds import Record
from opkg.spec.model import Quantization, Ranks, TensorSpec, TypeRef
from opkg.spec.nodes import Mapping, Node, Scalar
from opkg.spec.read_shapes import ShapeText, any_shape, ranks_of, read_shape, take_ranks, take_shape
from opkg.spec.read_types import OpTypes
from opkg.spec.records import INPUT, OUTPUT, QUANTIZATION
from opkg.spec.scalars import Findings, is_loose_bool, take_bool, take_scalar
from opkg.spec.scope import Scope

_COUNTS = re.compile(r"\s*([0-9]{1,3})\s*\.\.\s*([0-9]{1,3})\s*$")
MAX_VARIADIC = 8


class TensorDraft(NamedTuple):
    """A tensor whose record was read, but not yet its expressions."""

    name: str
    fields: Fields
    dtype: TypeRef | None
    shape: ShapeText | None
    is_input: bool


def read_drafts(
    entries: dict[str, tuple[Scalar, Node]], is_input: bool, types: OpTypes, findings: Findings
) -> list[TensorDraft]:
    """First pass over inputs or outputs: their records, element types and shape texts."""
    record: Record = INPUT if is_input else OUTPUT
    drafts: list[TensorDraft] = []
    for name, (key, node) in entries.items():
        fields = read_record(node, record, findings, key.span)
        if fields is None:
            types.broken = True
            continue
        dtype = types.read_ref(name, fields.node("dtype"))
        shape_node = fields.node("shape")
        if shape_node is not None:
            shape = take_shape(shape_node, findings)
        else:
            shape = any_shape(key.span) if is_input else None
        drafts.append(TensorDraft(name, fields, dtype, shape, is_input))
    return drafts


class TensorReader:
    """Second pass: expressions, ranks, quantization."""

    def __init__(self, scope: Scope, findings: Findings) -> None:
        self.scope = scope
        self.findings = findings
        self.done: dict[str, TensorSpec] = {}
        self.rests: dict[str, Ranks] = {}

    def read(self, draft: TensorDraft) -> TensorSpec | None:
        """The tensor; None after findings that leave nothing to go on with."""
        fields = draft.fields
        shape = read_shape(draft.shape, self.scope, self.findings) if draft.shape is not None else None
        quantization = self.quantization(fields.node("quantization"))
        variadic = self.variadic(fields.node("variadic"))
        ranks = self.ranks(draft, shape)
        layout = self.layout(fields.node("layout"), ranks)
        if draft.dtype is None or shape is None or ranks is None:
            return None
        spec = TensorSpec(
            draft.name,
            draft.dtype,
            shape,
            ranks,
            fields.text("description"),
            fields.flag("optional"),
            fields.flag("static"),
            variadic,
            layout,
            quantization,
            fields.spans,
        )
        self.done[draft.name] = spec
        return spec

    def ranks(self, draft: TensorDraft, shape: Expression | None) -> Ranks | None:
        """The ranks that both `rank:` and the shape allow."""
        node = draft.fields.node("rank")
        stated = take_ranks(node, self.findings) if node is not None else None
        if shape is None:
            return None
        derived = ranks_of(shape, self.done, self.rests)
        tree = shape.tree
        open_ = not isinstance(tree, ShapeList) or any(isinstance(i, Rest) and i.name is None for i in tree.items)
        named_run = isinstance(tree, ShapeList) and any(
            isinstance(i, Rest) and i.name is not None and i.name not in self.rests for i in tree.items
        )
        fixed = len([i for i in tree.items if not isinstance(i, Rest)]) if isinstance(tree, ShapeList) else 0
        ranks: Ranks | None = derived
        if stated is not None and node is not None:
            if open_ or named_run:
                ranks = stated if stated.high >= fixed else None
                ranks = Ranks(max(stated.low, fixed), stated.high) if ranks is not None else None
            else:
                low, high = max(stated.low, derived.low), min(stated.high, derived.high)
                ranks = Ranks(low, high) if low <= high else None
            if ranks is None:
                allowed = f"{derived.low}" if derived.low == derived.high else f"{derived.low} to {derived.high}"
                message = f"rank {stated.low}..{stated.high} does not fit the shape, which has rank {allowed}"
                self.findings.error("OPK187", message, node.span, "correct one of the two")
        if ranks is not None and isinstance(tree, ShapeList):
            for item in tree.items:
                if isinstance(item, Rest) and item.name is not None:
                    self.rests.setdefault(item.name, Ranks(max(0, ranks.low - fixed), ranks.high - fixed))
        return ranks

    def layout(self, node: Node | None, ranks: Ranks | None) -> str:
        if node is None:
            return ""
        scalar = take_scalar(node, "a layout", self.findings)
        if scalar is None:
            return ""
        text = scalar.text
        if not re.fullmatch("[A-Z]{1,8}", text) or len(set(text)) != len(text):
            message = f"'{text[:40]}' is no meaning of dimensions"
            self.findings.error("OPK188", message, scalar.span, "one different capital letter per dimension: NHWC")
        elif ranks is not None and len(text) not in ranks:
            allowed = f"{ranks.low}" if ranks.low == ranks.high else f"{ranks.low} to {ranks.high}"
            message = f"layout {text} has {len(text)} letters, the tensor has rank {allowed}"
            self.findings.error("OPK188", message, scalar.span, "one letter per dimension")
        return text

    def variadic(self, node: Node | None) -> tuple[int, int] | None:
        """Least and greatest count; None when there is one tensor."""
        if node is None:
            return None
        scalar = take_scalar(node, "variadic", self.findings)
        if scalar is None or (scalar.plain and scalar.text == "false"):
            return None
        if scalar.plain and scalar.text == "true":
            return 1, MAX_VARIADIC
        if scalar.plain and is_loose_bool(scalar.text):
            take_bool(node, self.findings)
            return None
        match = _COUNTS.match(scalar.text)
        hint = "write true (1 to 8) or 2..4"
        if match is None:
            self.findings.error("OPK136", f"'{scalar.text[:40]}' is no number of tensors", scalar.span, hint)
            return None
        low, high = int(match.group(1)), int(match.group(2))
        if not 1 <= low <= high <= 64:
            self.findings.error("OPK125", f"counts {low}..{high} are not within 1..64", scalar.span, hint)
            return None
        return low, high

    def quantization(self, node: Node | None) -> Quantization | None:
        if node is None:
            return None
        if isinstance(node, Mapping):
            return self.quantization_record(node)
        scalar = take_scalar(node, "quantization", self.findings)
        if scalar is None:
            return None
        text = scalar.text.strip()
        if text == "symmetric":
            return Quantization(symmetric=True, span=scalar.span)
        if text == "any":
            return Quantization(any=True, span=scalar.span)
        if text.startswith("same as "):
            at = scalar.text.index("same as ") + len("same as ")
            name = scalar.text[at:].strip()
            span = scalar.piece.at(at, len(scalar.text))
            if self.same_as(name, span):
                return Quantization(same_as=name, span=scalar.span)
            return None
        hint = "write: same as x, symmetric, any, or {scale: 0.5, offset: 0}"
        self.findings.error("OPK136", f"'{text[:40]}' is no quantization", scalar.span, hint)
        return None

    def quantization_record(self, node: Mapping) -> Quantization | None:
        findings = self.findings
        fields = read_record(node, QUANTIZATION, findings)
        assert fields is not None
        scale, offset = fields.number("scale"), fields.whole("offset")
        if scale is not None and scale <= 0:
            findings.error("OPK190", "a scale is greater than 0", fields.at("scale"))
        same_as = None
        same_node = fields.node("same_as")
        if same_node is not None:
            scalar = take_scalar(same_node, "a tensor's name", findings)
            if scalar is not None and self.same_as(scalar.text, scalar.span):
                same_as = scalar.text
        axis = fields.whole("axis")
        if axis is not None and not -8 <= axis < 8:
            findings.error("OPK190", f"there is no dimension {axis}", fields.at("axis"), "dimensions count from 0")
        if same_as is not None and (scale is not None or offset is not None):
            message = "'same_as' already says what scale and offset are"
            findings.error("OPK133", message, fields.at("same_as"), "delete one of them")
        if axis is not None and (scale is not None or same_as is not None):
            findings.error(
                "OPK133", "'axis' gives every channel its own scale", fields.at("axis"), "delete one of them"
            )
        return Quantization(scale, offset, same_as, fields.flag("symmetric"), axis, node.span)

    def same_as(self, name: str, span: Span) -> bool:
        """Whether `same as name` names a tensor of this op."""
        if self.scope.is_tensor(name):
            return True
        tensors = tuple(n for n in self.scope.symbols if self.scope.is_tensor(n))
        near = nearest(name, tensors)
        hint = f"did you mean '{near}'?" if near else "tensors: " + ", ".join(tensors)
        self.findings.error("OPK190", f"there is no tensor '{name[:40]}'", span, hint)
        return False
