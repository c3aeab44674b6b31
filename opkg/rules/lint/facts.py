"""What is known while a constraint is read: values of subexpressions, relations between them, what the pattern says."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.rules.core_match import Match, MatchOp, MatchTag, Type
from opkg.rules.core_scalar import (
    Const,
    Expr,
    InputOf,
    Operand,
    Property,
    PropertyKind,
    Relation,
    RelationKind,
    Tag,
)  # fmt: skip
from opkg.rules.lint.abstract import EITHER, FALSE, MIRROR, TRUE, Range, Value, top

MOST_RANK = 8
_MOST_SIZE = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of one path through a constraint; `with_` gives new facts."""

    values: dict[Expr, Value] = field(default_factory=dict)
    pairs: dict[tuple[Expr, Expr], frozenset[str]] = field(default_factory=dict)

    def pair(self, a: Expr, b: Expr) -> frozenset[str] | None:
        """Relations that can be between two expressions, as far as said."""
        if (a, b) in self.pairs:
            return self.pairs[a, b]
        turned = self.pairs.get((b, a))
        return None if turned is None else frozenset(MIRROR[relation] for relation in turned)

    def with_value(self, expr: Expr, value: Value) -> Facts:
        return Facts({**self.values, expr: value}, self.pairs)

    def with_pair(self, a: Expr, b: Expr, relations: frozenset[str]) -> Facts:
        key = (b, a) if (b, a) in self.pairs else (a, b)
        kept = relations if key == (a, b) else frozenset(MIRROR[relation] for relation in relations)
        return Facts(self.values, {**self.pairs, key: kept})


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a pattern says of the nodes its tags bind."""

    tags: dict[str, Match] = field(default_factory=dict)

    def op(self, operand: Operand) -> MatchOp | None:
        """The op an operand surely is, as far as the pattern tells."""
        found = self._match(operand)
        return found if isinstance(found, MatchOp) else None

    def _match(self, operand: Operand) -> Match | None:
        if isinstance(operand, Tag):
            return self.tags.get(operand.name)
        if isinstance(operand, InputOf) and isinstance(operand.index, Const):
            op = self.op(operand.operand)
            index = operand.index.value
            if op is not None and isinstance(index, int) and 0 <= index < len(op.inputs):
                found = op.inputs[index]
                return self.tags.get(found.tag, found) if isinstance(found, MatchTag) else found
        return None

    def property(self, expr: Property) -> Value:
        """The range of a property before anything is said of it."""
        if expr.kind is PropertyKind.RANK:
            return Range(0, MOST_RANK)
        if expr.kind is PropertyKind.ELEMENT_SIZE:
            return Range(0, 8)
        if expr.kind is PropertyKind.OUTPUTS:
            return Range(0, 2**31 - 1)
        if expr.kind is PropertyKind.DATA_SIZE:
            return Range(0, 2**63 - 1)
        op = self.op(expr.operand) if expr.kind is PropertyKind.INPUTS else None
        if op is not None:
            return Range(len(op.inputs), _MOST_SIZE if op.open else len(op.inputs))
        return top(expr.type)

    def relation(self, expr: Relation) -> Value:
        """Whether a relation can hold."""
        ops = [self.op(operand) for operand in expr.operands]
        if expr.kind is RelationKind.IS_OP and ops[0] is not None:
            return TRUE if ops[0].op == expr.name else FALSE
        if expr.kind in (RelationKind.SAME_OP, RelationKind.SAME_SHAPE) and len(expr.operands) == 2:
            one, other = expr.operands
            if one == other and isinstance(one, Tag):
                return TRUE
            a, b = ops
            if expr.kind is RelationKind.SAME_OP and a is not None and b is not None and a.op != b.op:
                return FALSE
        return EITHER


def dtypes_of(expr: Relation) -> tuple[Property, Property]:
    """The element types of the two operands of a relation."""
    one, other = expr.operands
    return (
        Property(PropertyKind.DTYPE, one, None, Type.DTYPE),
        Property(PropertyKind.DTYPE, other, None, Type.DTYPE),
    )
