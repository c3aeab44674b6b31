"""Fused ops: the patterns of a model with all of their places, named, in the language of `compute:`, and what they gain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from opkg.fuse import language, naming
from opkg.fuse.canonical import Occurrence, Pattern, Ref, Step
from opkg.models.model import Model
from opkg.spec.compute import tree
from opkg.spec.compute.printing import text_of
from opkg.spec.compute.tree import Assign, Assigned, Binary, BinaryOp, Call, Compute, Const, Function, Input, Param

MOST_INLINE = 6  # operations of an expression that becomes an operand of another one


@dataclass(frozen=True, slots=True)
class FusedOp:
    """One op. `inputs`, `outputs`: names in the pattern's order; `params`: names and the numbers of the pattern that they stand
    for; `before`, `after`: bytes moved by all places; `packets`: of the loops of all places, op by op and as one kernel;
    `numbers`: whether the kernel computes numbers for each row besides (of a mean, a spread), which are not in the packets;
    `also`: further element types in place of the model's float32, to which its users quantize it."""

    name: str
    pattern: Pattern
    places: tuple[Occurrence, ...]
    inputs: tuple[str, ...]
    static: tuple[bool, ...]
    outputs: tuple[str, ...]
    params: tuple[tuple[str, int], ...]
    compute: str
    before: int
    after: int
    packets: tuple[float, float]
    also: tuple[str, ...] = ()
    numbers: bool = False

    @property
    def saved(self) -> int:
        """Bytes."""
        return self.before - self.after

    @property
    def ops(self) -> tuple[str, ...]:
        return tuple(step.op for step in self.pattern.steps)


def number(value: float) -> float | int:
    """A number as a spec has it: whole ones without a point, others with as many digits as single precision needs."""
    import numpy as np

    if value == round(value) and abs(value) < 1e6:
        return int(value)
    return float(str(np.float32(value)))


class Writer:
    """Names and statements of one pattern."""

    def __init__(
        self, model: Model, pattern: Pattern, places: Sequence[Occurrence], steps: Mapping[int, float] | None = None
    ) -> None:
        """`steps`: scales of quantized tensors in between, by the numbers of their steps, to whole multiples of which the
        computation then rounds, as the model does."""
        self.scales = steps or {}
        self.model, self.pattern, self.places = model, pattern, places
        self.first = places[0]
        self.taken: set[str] = set()
        self.inputs = tuple(self._own(name, f"x{at + 1}" if at else "x") for at, name in enumerate(self.first.inputs))
        self.outputs = tuple(self._own(name, f"y{at + 1}" if at else "y") for at, name in enumerate(self.first.outputs))
        self.params: dict[int, str] = {}
        for at in range(pattern.numbers):
            if len({number(place.numbers[at]) for place in places}) > 1:
                self.params[at] = self._own(self.first.labels[at], "c")
        self.uses = self._count()
        self.statements: list[Assign] = []
        self.values: list[tree.Node] = []

    def _own(self, name: str, otherwise: str) -> str:
        made = naming.identifier(name, self.taken, otherwise)
        self.taken.add(made)
        return made

    def _count(self) -> list[int]:
        found = [0] * len(self.pattern.steps)
        for step in self.pattern.steps:
            twice = 1 + (step.op in _TWICE)
            for at, arg in enumerate(step.args):
                if arg.kind == "step":
                    found[arg.at] += twice if at == 0 else 1
        return found

    def compute(self) -> str:
        """The text."""
        results = {at: name for (at, _), name in zip(self.pattern.outputs, self.outputs, strict=True)}
        for at, step in enumerate(self.pattern.steps):
            value: tree.Node = self._value(at, step)
            if at in results:
                self.statements.append(Assign(results[at], value))
                value = Assigned(results[at])
            value = self._held(at, step, value)
            if isinstance(value, Assigned):
                pass
            elif self.uses[at] > 1 or _size(value) > MOST_INLINE:
                value = self._apart(value, step.op)
            self.values.append(value)
        return text_of(Compute(tuple(self.statements)))

    def _apart(self, value: tree.Node, kind: str) -> tree.Node:
        """A statement of its own for a value, and its name."""
        name = naming.distinct(_SHORT.get(kind, kind.lower()[:8]), self.taken)
        self.taken.add(name)
        self.statements.append(Assign(name, value))
        return Assigned(name)

    def _value(self, at: int, step: Step) -> tree.Node:
        args = [self._ref(arg) for arg in step.args]
        if step.op == "Softmax":
            args = [self._apart(language.softmax_top(args[0], step.axes), "Exp")]
        if step.op == "LayerNormalization":
            args[0] = self._apart(language.centred(args[0], step.axes), "Sub")
        numbers = {key: self._ref(ref) for key, ref in step.numbers}
        return language.expression(step.op, args, numbers, step.axes, step.words)

    def _held(self, at: int, step: Step, value: tree.Node) -> tree.Node:
        """What a quantized tensor holds of a value, for the ops that read it."""
        if at in self.scales:
            scale = Const(self.scales[at])
            value = Binary(BinaryOp.MUL, Call(Function.ROUND, (Binary(BinaryOp.DIV, value, scale),)), scale)
        if step.clips is not None:
            value = Call(Function.CLIP, (value, self._ref(step.clips[0]), self._ref(step.clips[1])))
        return value

    def _ref(self, ref: Ref) -> tree.Node:
        if ref.kind == "input":
            return Input(self.inputs[ref.at])
        if ref.kind == "step":
            return self.values[ref.at]
        if ref.literal is not None:
            return Const(number(ref.literal))
        if ref.at in self.params:
            return Param(self.params[ref.at])
        return Const(number(self.first.numbers[ref.at]))


_TWICE = frozenset(
    (
        *(
            "SquaredDifference",
            "Softsign",
            "Softplus",
            "Mish",
            "Swish",
            "Gelu",
            "HardSwish",
            "LeakyRelu",
            "PRelu",
            "Elu",
        ),
        *("ReduceSumSquare", "ReduceL2", "Softmax", "LayerNormalization", "RMSNormalization"),
    )
)  # these name their operand more than once
_SHORT = {"ReduceMean": "average", "ReduceSum": "total", "ReduceMax": "largest", "ReduceMin": "smallest", "Sub": "d",
          "Sigmoid": "gate", "Add": "s", "Mul": "p", "Div": "q", "Exp": "e", "Sqrt": "root", "Pow": "power"}  # fmt: skip


def _size(value: tree.Node) -> int:
    """Operations of an expression."""
    return sum(_size(child) for child in tree.children(value)) + (not isinstance(value, _LEAVES))


_LEAVES = (Assigned, Const, Input, Param)
