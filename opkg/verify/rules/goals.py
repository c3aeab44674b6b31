"""What a constraint wants of a graph: turns a condition that does not hold into properties that would make it hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from opkg.rules import core
from opkg.rules.core import ConstValKind, HtpType, MatchOp, MatchTag, PropertyKind, RelationKind
from opkg.rules.sim.arithmetic import Fault, Scalar
from opkg.rules.sim.evaluate import evaluate
from opkg.rules.sim.frame import Frame
from opkg.rules.walk import below
from opkg.verify.cases.rng import Rng
from opkg.verify.rules.inverses import INVERSES

# (operand, property): "dtype", "step", "zero", "rank", "dim3", "value0", "const", "producer", "consumer", "alias", "shape"
# of a tag (or `X<0`: input 0 of a leaf X); operand "" are graph options.
Key = tuple[str, str]
Goal = bool | int | float | str
_MIRROR = {"EQ": "EQ", "NE": "NE", "LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE"}
_ALIKE = {
    RelationKind.SAME_OP: "alias", RelationKind.SAME_SHAPE: "shape", RelationKind.SAME_ENCODING: "encoding",
}  # fmt: skip
_OPPOSITE = {"EQ": "NE", "NE": "EQ", "LT": "GE", "GE": "LT", "GT": "LE", "LE": "GT"}


def target(operand: core.Operand, rule: core.TypedRule, frame: Frame) -> str | None:
    """The name under which goals about an operand are kept; None for one that cannot be asked for."""
    if isinstance(operand, core.Tag):
        return operand.name
    if isinstance(operand, core.SelectOperand):
        return target(operand.then if evaluate(operand.condition, frame) else operand.otherwise, rule, frame)
    if isinstance(operand, core.InputOf):
        base = target(operand.operand, rule, frame)
        index = evaluate(operand.index, frame)
        if base is None:
            return None
        op = _op_of(base, rule.match)
        if op is None:
            return f"{base}<{int(index)}"
        part = op.inputs[int(index)] if 0 <= int(index) < len(op.inputs) else None
        return None if part is None else part.tag or None
    return None


def _op_of(tag: str, match: MatchOp, root: bool = True) -> MatchOp | None:
    if (tag == "*" and root) or match.tag == tag:
        return match
    for part in match.inputs:
        found = None if isinstance(part, MatchTag) else _op_of(tag, part, False)
        if found is not None:
            return found
    return None


def producers(rule: core.TypedRule) -> frozenset[str]:
    """Leaf tags (and inputs of leaves, `X<0`) whose inputs the constraint looks at: they have to be made by an op."""
    found: set[str] = set()

    def called(operand: object) -> str:
        if isinstance(operand, core.InputOf) and isinstance(operand.index, core.Const):
            base = called(operand.operand)
            return f"{base}<{int(operand.index.value)}" if base else ""
        return operand.name if isinstance(operand, core.Tag) and _op_of(operand.name, rule.match) is None else ""

    for node in below(rule.when):
        if isinstance(node, core.InputOf) and called(node.operand):
            found.add(called(node.operand))
    return frozenset(found)


@dataclass(slots=True)
class Repair:
    """Collects goals for one graph on which the constraint failed. `blame`: places of the conditions that failed."""

    rule: core.TypedRule
    frame: Frame
    rng: Rng
    goals: dict[Key, Goal] = field(default_factory=dict)
    blame: list[tuple[int, int]] = field(default_factory=list)

    def make(self, expr: core.Expr, wanted: bool) -> bool:
        """Goals such that the condition has the wanted truth; whether there is anything to ask for."""
        value = self.value(expr)
        if value is not None and bool(value) == wanted:
            return True
        if isinstance(expr, core.Message) and expr.operand is not None:
            return self.make(expr.operand, wanted)
        if isinstance(expr, core.Cast):
            return self._cast(expr, wanted)
        if isinstance(expr, core.Apply):
            return self._apply(expr, wanted)
        if isinstance(expr, core.SelectScalar):
            chosen = expr.then if self.value(expr.condition) else expr.otherwise
            return self.make(chosen, wanted) or self.make(expr.condition, not self.value(expr.condition))
        self.blame.append(expr.at)
        if isinstance(expr, core.Relation):
            return self._relation(expr, wanted)
        if isinstance(expr, core.ConstVal):
            return self._ask(expr.operand, "const", wanted)
        return self.assign(expr, wanted)

    def value(self, expr: core.Expr) -> Scalar | None:
        try:
            return evaluate(expr, self.frame)
        except Fault:
            return None

    def _ask(self, operand: core.Operand, key: str, value: Goal) -> bool:
        try:
            name = target(operand, self.rule, self.frame)
        except Fault:
            return False
        if name is None:
            return False
        self.goals[(name, key)] = value
        return True

    def _cast(self, expr: core.Cast, wanted: bool) -> bool:
        if expr.operand.type is core.Type.BOOL:
            return self.make(expr.operand, wanted)
        self.blame.append(expr.at)
        return self.assign(expr.operand, self.rng.between(1, 4) if wanted else 0)

    def _apply(self, expr: core.Apply, wanted: bool) -> bool:
        operator = expr.operator
        if operator == "NOT":
            return self.make(expr.args[0], not wanted)
        if operator in ("AND", "OR"):
            if (operator == "AND") == wanted:
                made = [self.make(arg, wanted) for arg in expr.args]
                return all(made)
            return any(self.make(arg, wanted) for arg in self.rng.shuffled(list(expr.args)))
        if operator == "XOR":
            arg = self.rng.choice(expr.args)
            return self.make(arg, not self.value(arg))
        self.blame.append(expr.at)
        if operator in _MIRROR:
            return self._compare(expr, wanted)
        if operator == "IS_POW2":
            return self.assign(expr.args[0], 1 << self.rng.below(6) if wanted else 3)
        return False

    def _compare(self, expr: core.Apply, wanted: bool) -> bool:
        operator = expr.operator if wanted else _OPPOSITE[expr.operator]
        left, right = expr.args
        sides = [(left, right, operator), (right, left, _MIRROR[operator])]
        if self.rng.chance(0.25):
            sides.reverse()
        for place, other, relation in sides:
            value = self.value(other)
            if value is None or isinstance(place, core.Const):
                continue
            if self.assign(place, _satisfying(relation, value, place.type, self.rng)):
                return True
        return False

    def _relation(self, expr: core.Relation, wanted: bool) -> bool:
        kind, first = expr.kind, expr.operands[0]
        if kind in (RelationKind.IS_OP, RelationKind.PRODUCER_FOR):
            key = "producer" if kind is RelationKind.IS_OP else "consumer"
            return wanted and self._ask(first, key, expr.name)
        key = _ALIKE[kind]
        if not wanted:
            return kind is RelationKind.SAME_SHAPE and self._ask(first, "dim1", self.rng.between(2, 7))
        try:
            names = [target(operand, self.rule, self.frame) for operand in expr.operands[:2]]
        except Fault:
            return False
        changed, model = names[1], names[0]
        if changed is None or model is None:
            return False
        if _op_of(changed, self.rule.match) is not None and _op_of(model, self.rule.match) is None:
            changed, model = model, changed
        self.goals[(changed, key)] = model
        return True

    # ---- making an expression have a value

    def assign(self, expr: core.Expr, value: Scalar) -> bool:
        """Goals under which the expression has the value, as far as one of its parts can be chosen."""
        if isinstance(expr, core.Cast):
            return self.assign(expr.operand, value)
        if isinstance(expr, core.Message):
            return expr.operand is not None and self.assign(expr.operand, value)
        if isinstance(expr, core.SelectScalar):
            return self.assign(expr.then if self.value(expr.condition) else expr.otherwise, value)
        if isinstance(expr, core.Option):
            if expr.name in self.frame.settings.options:
                return False  # the user has set it
            self.goals[("", expr.name)] = int(value) if expr.type is not core.Type.FLOAT else float(value)
            return True
        if isinstance(expr, core.Property):
            return self._property(expr, value)
        if isinstance(expr, core.ConstVal):
            return self._constant(expr, value)
        if isinstance(expr, core.Apply):
            rule = INVERSES.get(expr.operator)
            return rule is not None and rule(self, expr, value)
        return False

    def _constant(self, expr: core.ConstVal, value: Scalar) -> bool:
        if expr.kind in (ConstValKind.INT_VALID, ConstValKind.FLOAT_VALID):
            return self._ask(expr.operand, "const", bool(value))
        index = [self.value(i) for i in expr.index]
        places = [int(i) for i in index if i is not None and 0 <= i < 4096]
        if len(places) != len(index):
            return False
        self._ask(expr.operand, "const", True)
        return self._ask(expr.operand, "value" + ",".join(map(str, places)), float(value))

    def _property(self, expr: core.Property, value: Scalar) -> bool:
        kind = expr.kind
        if kind is PropertyKind.DIM:
            return 0 < value <= 1 << 16 and self._dim(expr, int(value))
        if kind is PropertyKind.RANK:
            return 0 < value <= 8 and self._ask(expr.operand, "rank", int(value))
        if kind is PropertyKind.STEPSIZE:
            return 0 < value < 1e30 and self._ask(expr.operand, "step", float(value))
        if kind is PropertyKind.ZERO_OFFSET:
            return self._ask(expr.operand, "zero", int(value))
        if kind is PropertyKind.DTYPE:
            return value in _TYPES and self._ask(expr.operand, "dtype", int(value))
        if kind is PropertyKind.ELEMENT_SIZE:
            sized = {1: HtpType.QUInt8, 2: HtpType.QUInt16, 4: HtpType.Float32}.get(int(value))
            return sized is not None and self._ask(expr.operand, "dtype", int(sized))
        return False

    def _dim(self, expr: core.Property, value: int) -> bool:
        rank = self.value(core.Property(PropertyKind.RANK, expr.operand, None, core.Type.SIZE))
        if rank is not None and expr.index is not None and rank <= expr.index < 8:
            self._ask(expr.operand, "rank", expr.index + 1)
        return self._ask(expr.operand, f"dim{expr.index}", value)

    def part(self, expr: core.Apply, solve: Callable[[Scalar, Scalar], Scalar | None], value: Scalar) -> bool:
        """Assigns the first argument such that, the other one unchanged, the operator gives the value."""
        other = self.value(expr.args[1]) if len(expr.args) > 1 else 0
        solved = None if other is None else solve(value, other)
        return solved is not None and self.assign(expr.args[0], solved)


_TYPES = frozenset(int(t) for t in HtpType if t not in (HtpType.UNKNOWN, HtpType.Multi, HtpType.NONE))


def _satisfying(relation: str, value: Scalar, type: core.Type, rng: Rng) -> Scalar:
    """Something that stands in the relation to the value: mostly right at the edge, sometimes farther."""
    if type is core.Type.DTYPE:
        options = [t for t in sorted(_TYPES) if (t == value) == (relation == "EQ")]
        return rng.choice(options or [int(value)])
    if relation in ("EQ", "GE", "LE") and (relation == "EQ" or rng.chance(0.6)):
        return value
    if type is core.Type.FLOAT:
        factor = rng.choice((1.5, 2.0, 4.0))
        up = relation in ("GT", "GE", "NE")
        return float(value) * factor + (0 if value else 1.0) if up == (value >= 0) else float(value) / factor
    far = rng.choice((1, 1, 2, 3, 8, int(abs(value)) or 1))
    return int(value) - far if relation in ("LT", "LE") else int(value) + far
