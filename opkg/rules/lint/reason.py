"""Reasoning about constraints: what values an expression can have, and whether it can be true or false at all.

Everything said is safe: "cannot" means that no graph makes it so; when the analysis does not know, it says "can".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from opkg.rules.core_match import MatchOp, Type
from opkg.rules.core_scalar import (
    Apply,
    Cast,
    ChunkSize,
    Const,
    Expr,
    Message,
    Property,
    Relation,
    RelationKind,
    SelectScalar,
)  # fmt: skip
from opkg.rules.lint import abstract
from opkg.rules.lint.abstract import ALL, Range, Value, exactly, top, truth
from opkg.rules.lint.facts import Facts, Pattern, dtypes_of
from opkg.rules.lint.walk import bound_by, is_stable

COMPARISONS = frozenset(("EQ", "NE", "LT", "GT", "LE", "GE"))
_STEPS = 4000
_INTEGERS = (Type.BOOL, Type.INT, Type.INT64, Type.SIZE)


@dataclass(slots=True)
class Reasoner:
    """Reasons within one pattern. After `steps` nodes it knows nothing any more, so that work stays bounded."""

    pattern: Pattern
    steps: int = _STEPS
    _inside: int = 0
    _stable: dict[int, tuple[Expr, bool]] = field(default_factory=dict)

    @staticmethod
    def of(match: MatchOp) -> Reasoner:
        """A reasoner that knows what a pattern says."""
        return Reasoner(Pattern(bound_by(match)))

    def stable(self, expr: Expr) -> bool:
        """Whether what is known of it stays true: the same value each time."""
        found = self._stable.get(id(expr))
        if found is None:
            found = self._stable[id(expr)] = (expr, is_stable(expr))
        return found[1]

    # ---- values ----------------------------------------------------------------------------------------------------

    def value(self, expr: Expr, facts: Facts) -> Value:
        """What an expression can be, given the facts."""
        self.steps -= 1
        if self.steps < 0:
            return top(expr.type)
        found = self._value(expr, facts)
        known = facts.values.get(expr)
        return (found.meet(known) or found) if known is not None else found

    def _value(self, expr: Expr, facts: Facts) -> Value:
        match expr:
            case Const(type=type, value=value):
                return exactly(type, value)
            case ChunkSize(value=int(value)):
                return exactly(Type.SIZE, value)
            case Property():
                return self.pattern.property(expr)
            case Relation():
                return self.pattern.relation(expr)
            case Message(operand=operand):
                return abstract.TRUE if operand is None else self.value(operand, facts)
            case Cast(operand=operand, type=type):
                return abstract.cast(self.value(operand, facts), operand.type, type)
            case SelectScalar():
                return self._select(expr, facts)
            case Apply(operator="AND" | "OR" | "NOT"):
                return truth(self.assume(expr, True, facts) is not None, self.assume(expr, False, facts) is not None)
            case Apply(operator="XOR"):
                return self._xor(expr, facts)
            case Apply(operator=operator, args=(a, b)) if operator in COMPARISONS:
                possible = self._possible(a, b, facts)
                return truth(bool(possible & abstract.holds(operator)), bool(possible - abstract.holds(operator)))
            case Apply(operator=operator, args=args):
                return abstract.apply(operator, args[0].type, expr.type, [self.value(arg, facts) for arg in args])
        return top(expr.type)

    def _select(self, expr: SelectScalar, facts: Facts) -> Value:
        found: Value | None = None
        for condition, arm in ((True, expr.then), (False, expr.otherwise)):
            there = self.assume(expr.condition, condition, facts)
            if there is not None:
                value = self.value(arm, there)
                found = value if found is None else found.join(value)
        return top(expr.type) if found is None else found

    def _xor(self, expr: Apply, facts: Facts) -> Value:
        odd = False
        for arg in expr.args:
            only = self.value(arg, facts).only
            if only is None:
                return abstract.EITHER
            odd ^= bool(only)
        return exactly(Type.BOOL, odd)

    def _possible(self, a: Expr, b: Expr, facts: Facts) -> frozenset[str]:
        """The relations that can be between two expressions."""
        possible = frozenset(abstract.relations(self.value(a, facts), self.value(b, facts)))
        if a == b and self.stable(a):
            possible &= frozenset("=u")
        said = facts.pair(a, b)
        return possible if said is None else possible & said

    # ---- assumptions -----------------------------------------------------------------------------------------------

    def can(self, expr: Expr, truth: bool, facts: Facts | None = None) -> bool:
        """Whether an expression can have that truth."""
        return self.assume(expr, truth, facts or Facts()) is not None

    def assume(self, expr: Expr, truth: bool, facts: Facts) -> Facts | None:
        """The facts with an expression being true (or false) added; None when that cannot be."""
        self.steps -= 1
        if self.steps < 0:
            return facts
        match expr:
            case Apply(operator="NOT", args=(arg,)):
                return self.assume(arg, not truth, facts)
            case Apply(operator="AND" | "OR" as operator, args=args):
                if truth == (operator == "AND"):
                    return self._all(args, truth, facts)
                return _only(self._any(args, truth, facts), facts)
            case Apply(operator=operator, args=(a, b)) if operator in COMPARISONS:
                wanted = abstract.holds(operator)
                return self._relate(a, b, wanted if truth else ALL - wanted, facts)
            case Cast(operand=operand, type=Type.BOOL):
                if operand.type is Type.BOOL:
                    return self.assume(operand, truth, facts)
                zero = Const(operand.type, 0.0 if operand.type is Type.FLOAT else 0)
                return self._relate(operand, zero, ALL - {"="} if truth else frozenset("="), facts)
            case Message(operand=operand):
                if operand is not None:
                    return self.assume(operand, truth, facts)
                return facts if truth else None
            case SelectScalar(condition=condition, then=then, otherwise=otherwise, type=Type.BOOL):
                return _only(self._either(condition, then, otherwise, truth, facts), facts)
        return self._set(expr, exactly(Type.BOOL, truth), self._implied(expr, truth, facts))

    def _all(self, args: Sequence[Expr], truth: bool, facts: Facts) -> Facts | None:
        """All args have that truth. Outermost they are taken twice, as what comes later tells of what came before."""
        rounds = 1 if self._inside else 2
        self._inside += 1
        try:
            for _ in range(rounds):
                for arg in args:
                    found = self.assume(arg, truth, facts)
                    if found is None:
                        return None
                    facts = found
            return facts
        finally:
            self._inside -= 1

    def _any(self, args: Sequence[Expr], truth: bool, facts: Facts) -> Iterator[Facts]:
        """Facts of each way in which one arg, those before it not, has that truth."""
        before: Facts | None = facts
        for arg in args:
            if before is None:
                return
            found = self.assume(arg, truth, before)
            if found is not None:
                yield found
            before = self.assume(arg, not truth, before)

    def _either(self, condition: Expr, then: Expr, otherwise: Expr, truth: bool, facts: Facts) -> Iterator[Facts]:
        for chosen, arm in ((True, then), (False, otherwise)):
            there = self.assume(condition, chosen, facts)
            found = None if there is None else self.assume(arm, truth, there)
            if found is not None:
                yield found

    def _relate(self, a: Expr, b: Expr, wanted: frozenset[str], facts: Facts) -> Facts | None:
        """One of the relations is between two expressions."""
        left = self._possible(a, b, facts) & wanted
        if not left:
            return None
        value_a, value_b = self.value(a, facts), self.value(b, facts)
        turned = frozenset(abstract.MIRROR[relation] for relation in left)
        narrow_a = abstract.narrowed(value_a, left, value_b, a.type)
        narrow_b = abstract.narrowed(value_b, turned, value_a, b.type)
        if narrow_a is None or narrow_b is None:
            return None
        if self.stable(a) and self.stable(b):
            facts = facts.with_pair(a, b, left)
        there = self._set(a, narrow_a, facts)
        return None if there is None else self._set(b, narrow_b, there)

    def _set(self, expr: Expr, value: Value, facts: Facts | None) -> Facts | None:
        """An expression has one of these values."""
        if facts is None:
            return None
        now = self.value(expr, facts).meet(value)
        if now is None:
            return None
        if isinstance(expr, Const) or not self.stable(expr):
            return facts
        facts = facts.with_value(expr, now)
        if isinstance(expr, Cast) and isinstance(now, Range) and self._keeps(expr, facts):
            return self._set(expr.operand, now, facts)
        return facts

    def _keeps(self, expr: Cast, facts: Facts) -> bool:
        """Whether a cast between integer types surely keeps the number."""
        inner = expr.operand
        if inner.type not in _INTEGERS or expr.type not in _INTEGERS or expr.type is Type.BOOL:
            return False
        value, bounds = self.value(inner, facts), top(expr.type)
        assert isinstance(value, Range)
        assert isinstance(bounds, Range)
        return bounds.low <= value.low and value.high <= bounds.high

    def _implied(self, expr: Expr, truth: bool, facts: Facts) -> Facts | None:
        """What a relation says beyond itself: the same encoding is the same element type."""
        if truth and isinstance(expr, Relation) and expr.kind is RelationKind.SAME_ENCODING:
            return self._relate(*dtypes_of(expr), frozenset("="), facts)
        return facts


def _only(ways: Iterator[Facts], facts: Facts) -> Facts | None:
    """Facts when one of some ways is taken: those of the only one, what was known before when there are more."""
    found = list(ways)
    if len(found) > 1:
        return facts
    return found[0] if found else None
