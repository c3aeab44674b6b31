"""Nodes that a rule leaves behind, as far as its text tells: old ones under their tags, new ones with op, inputs and output.

An expression about such nodes becomes one about the operands of the rule that built them (`translated`), so that what
its constraint said can be held against another rule's constraint, or against its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from opkg.rules.core import (
    Apply,
    Const,
    ConstVal,
    Expr,
    ExternalScalar,
    InputOf,
    MatchOp,
    MatchTag,
    OpaqueScalar,
    Operand,
    OutputOf,
    Property,
    PropertyKind,
    Relation,
    RelationKind,
    SelectOperand,
    SplitVar,
    Tag,
    Type,
)
from opkg.rules.lint.facts import Pattern
from opkg.rules.lint.walk import rewritten

_UNKNOWN = count()


def unknown(type: Type) -> Expr:
    """A scalar of which nothing is known; no two are the same."""
    return OpaqueScalar(f"?{next(_UNKNOWN)}", (), type)


@dataclass(frozen=True, slots=True)
class Described:
    """An output. `shape`: the operand whose shape it has, except for `dims`; `scalars`: dtype, zero offset and step size
    where they are not those of the operand `type`."""

    shape: Operand | None = None
    dims: tuple[tuple[int, Expr], ...] = ()
    rank: int | None = None
    type: Operand | None = None
    scalars: tuple[tuple[PropertyKind, Expr], ...] = ()

    def with_shape(self, other: Described) -> Described:
        return replace(self, shape=other.shape, dims=other.dims, rank=other.rank)

    def with_type(self, other: Described) -> Described:
        return replace(self, type=other.type, scalars=other.scalars)

    def with_dim(self, index: int, size: Expr) -> Described:
        kept = tuple(pair for pair in self.dims if pair[0] != index)
        return replace(self, dims=(*kept, (index, size)))

    def dim(self, index: int) -> Expr | None:
        for at, size in self.dims:
            if at == index:
                return size
        return None if self.shape is None else Property(PropertyKind.DIM, self.shape, index, Type.SIZE)

    def property(self, expr: Property) -> Expr | None:
        """A property of the output; None when it is not known."""
        kind = expr.kind
        if kind is PropertyKind.DIM:
            return self.dim(expr.index or 0)
        if kind is PropertyKind.RANK:
            if self.rank is not None:
                return Const(Type.SIZE, self.rank)
            return None if self.shape is None else replace(expr, operand=self.shape)
        for known, scalar in self.scalars:
            if known is kind:
                return scalar
        typed = {PropertyKind.DTYPE, PropertyKind.ZERO_OFFSET, PropertyKind.STEPSIZE, PropertyKind.ELEMENT_SIZE}
        if kind in typed and self.type is not None and not self.scalars:
            return replace(expr, operand=self.type)
        return None


NOTHING = Described()


def described_as(operand: Operand) -> Described:
    """The output of an operand."""
    return Described(shape=operand, type=operand)


@dataclass(frozen=True, slots=True, eq=False)
class New:
    """A node that was built. `inputs` None: not known."""

    op: str
    inputs: tuple[Bound, ...] | None
    output: Described


@dataclass(frozen=True, slots=True)
class Old:
    """A node that was there before."""

    operand: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Unseen:
    """A node of which nothing is known."""


Bound = New | Old | Unseen


def canonical(operand: Operand, pattern: Pattern) -> Operand:
    """An operand under its tag, where the pattern gives it one."""
    if isinstance(operand, InputOf) and isinstance(operand.index, Const):
        inner = canonical(operand.operand, pattern)
        op, index = pattern.op(inner), int(operand.index.value)
        if op is not None and 0 <= index < len(op.inputs) and op.inputs[index].tag:
            return Tag(op.inputs[index].tag)
        return InputOf(inner, Const(Type.INT, index))
    return operand


def input_of(bound: Bound, index: int, pattern: Pattern) -> Bound:
    """Input `index` of a node."""
    if isinstance(bound, Old):
        return Old(canonical(InputOf(bound.operand, Const(Type.INT, index)), pattern))
    if isinstance(bound, New) and bound.inputs is not None and 0 <= index < len(bound.inputs):
        return bound.inputs[index]
    return Unseen()


# ---- matching ------------------------------------------------------------------------------------------------------


def unify(wanted: MatchOp, bound: Bound, pattern: Pattern) -> dict[str, Bound] | None:
    """What the tags of a pattern bind when it is tried on a node; None when it need not match. `pattern` tells of old
    nodes."""
    found: dict[str, Bound] = {"*": bound}
    return found if _fits(wanted, bound, pattern, found) else None


def _fits(wanted: MatchOp, bound: Bound, pattern: Pattern, found: dict[str, Bound]) -> bool:
    if not _is_op(wanted, bound, pattern):
        return False
    if wanted.tag and not _bind(found, wanted.tag, bound):
        return False
    for index, part in enumerate(wanted.inputs):
        given = input_of(bound, index, pattern)
        if isinstance(part, MatchTag):
            if not _bind(found, part.tag, given):
                return False
        elif not _fits(part, given, pattern, found):
            return False
    return True


def _is_op(wanted: MatchOp, bound: Bound, pattern: Pattern) -> bool:
    """Whether the node surely is the op with the number of inputs."""
    least = len(wanted.inputs)
    if isinstance(bound, Old):
        op = pattern.op(bound.operand)
        if op is None or op.op != wanted.op or len(op.inputs) < least:
            return False
        return wanted.open or (not op.open and len(op.inputs) == least)
    if isinstance(bound, New) and bound.inputs is not None and bound.op == wanted.op:
        return len(bound.inputs) == least or (wanted.open and len(bound.inputs) > least)
    return False


def _bind(found: dict[str, Bound], tag: str, bound: Bound) -> bool:
    before = found.setdefault(tag, bound)
    return before is bound or (isinstance(before, Old) and before == bound)


# ---- expressions ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Translator:
    """Turns expressions about bound nodes into expressions about the operands of the rule that made them."""

    binding: dict[str, Bound]
    pattern: Pattern = field(default_factory=Pattern)

    def translated(self, expr: Expr) -> Expr:
        made: Expr = rewritten(expr, self._change)
        return made

    def _change(self, node: Any) -> Any:
        match node:
            case Property():
                return self._property(node)
            case ConstVal(operand=operand, index=index):
                bound = self.bound(operand)
                if not isinstance(bound, Old):
                    return unknown(node.type)
                return replace(node, operand=bound.operand, index=tuple(map(self.translated, index)))
            case Relation():
                return self._relation(node)
            case SplitVar() | ExternalScalar() | OpaqueScalar():
                return unknown(node.type)
        return None

    def _property(self, node: Property) -> Expr:
        bound = self.bound(node.operand)
        if isinstance(bound, Old):
            return replace(node, operand=bound.operand)
        if isinstance(bound, New):
            if node.kind is PropertyKind.INPUTS and bound.inputs is not None:
                return Const(Type.SIZE, len(bound.inputs))
            return bound.output.property(node) or unknown(node.type)
        return unknown(node.type)

    def _relation(self, node: Relation) -> Expr:
        bounds = [self.bound(operand) for operand in node.operands]
        if node.kind is RelationKind.PRODUCER_FOR:  # a rewrite changes who reads what
            return unknown(Type.BOOL)
        if node.kind is RelationKind.IS_OP and isinstance(bounds[0], New):
            return Const(Type.BOOL, bounds[0].op == node.name)
        if node.kind is RelationKind.SAME_OP and any(isinstance(bound, New) for bound in bounds):
            same = bounds[0] is bounds[1]
            return Const(Type.BOOL, same) if not any(isinstance(b, Unseen) for b in bounds) else unknown(Type.BOOL)
        if node.kind is RelationKind.SAME_SHAPE and any(isinstance(bound, New) for bound in bounds):
            return _same_shape(*bounds)
        operands = [self._stand_in(bound, node.kind) for bound in bounds]
        if any(operand is None for operand in operands):
            return unknown(Type.BOOL)
        return replace(node, operands=tuple(operand for operand in operands if operand is not None))

    def _stand_in(self, bound: Bound, kind: RelationKind) -> Operand | None:
        """An old operand that is like the node, as far as the relation goes."""
        if isinstance(bound, Old):
            return bound.operand
        if isinstance(bound, New) and kind is RelationKind.SAME_ENCODING and not bound.output.scalars:
            return bound.output.type
        return None

    def bound(self, operand: Operand) -> Bound:
        """The node of an operand."""
        match operand:
            case Tag(name=name):
                return self.binding.get(name, Unseen())
            case InputOf(operand=inner, index=index):
                made = self.translated(index)
                found = self.bound(inner)
                if isinstance(made, Const):
                    return input_of(found, int(made.value), self.pattern)
                return Old(InputOf(found.operand, made)) if isinstance(found, Old) else Unseen()
            case OutputOf(operand=inner, index=index):
                found = self.bound(inner)
                return Old(OutputOf(found.operand, self.translated(index))) if isinstance(found, Old) else Unseen()
            case SelectOperand(condition=condition, then=then, otherwise=otherwise):
                one, other = self.bound(then), self.bound(otherwise)
                if isinstance(one, Old) and isinstance(other, Old):
                    return Old(SelectOperand(self.translated(condition), one.operand, other.operand))
        return Unseen()


def _same_shape(one: Bound, other: Bound) -> Expr:
    """Whether two nodes, one of them new, have the same shape. Shapes that differ from those of old nodes in the same
    dimensions are the same if those are; else they may be."""
    if one is other and isinstance(one, New):
        return Const(Type.BOOL, True)
    a, b = (_shape(bound) for bound in (one, other))
    if a.shape is None or b.shape is None or a.dims != b.dims:
        return unknown(Type.BOOL)
    same = Relation(RelationKind.SAME_SHAPE, (a.shape, b.shape))
    return Apply("OR", (same, unknown(Type.BOOL)), Type.BOOL) if a.dims else same


def _shape(bound: Bound) -> Described:
    if isinstance(bound, Old):
        return described_as(bound.operand)
    return bound.output if isinstance(bound, New) else NOTHING
