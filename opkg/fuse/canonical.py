"""The canonical form of a kernel: the same text for subgraphs that compute the same, whatever their names, sizes and numbers are.

Nodes stand in the order of a walk from the results; operands of commutative ops are sorted by what they are. Constants of one
element are numbers, which may differ from place to place; exponents, and the dimensions that are reduced, may not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha1

from opkg.fuse import language
from opkg.fuse.spaces import Extent, extent, named, names_of, space_of
from opkg.models.model import Links, Model, Node
from opkg.models.partition.moved import borders, is_number
from opkg.spec.dtypes import DTYPES
from opkg.spec.shapes import Shape

QUANTIZED = {"uint8": "ufixed8", "int8": "sfixed8", "uint16": "ufixed16", "int16": "sfixed16"}


@dataclass(frozen=True, slots=True)
class Ref:
    """An operand. `kind`: "input", "number" (which may differ from place to place), "step"; `literal`: a number that may not."""

    kind: str
    at: int = -1
    literal: float | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One op of a pattern. `numbers`: attributes; `clips`: the ends of what a quantized tensor in between can hold."""

    op: str
    args: tuple[Ref, ...]
    numbers: tuple[tuple[str, Ref], ...]
    axes: tuple[int, ...]
    words: tuple[tuple[str, object], ...]
    clips: tuple[Ref, Ref] | None = None


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor of a pattern: element type as a spec has it, and its dimensions."""

    dtype: str
    extent: Extent


@dataclass(frozen=True, slots=True)
class Pattern:
    """What places have in common. `outputs`: numbers of steps. `named`: how many of the last dimensions have names."""

    steps: tuple[Step, ...]
    inputs: tuple[Operand, ...]
    outputs: tuple[tuple[int, Operand], ...]
    named: int
    rank: int | None  # of the space, where it matters
    numbers: int
    sizes: Shape = ()  # of the last dimensions, where the text of a step has them

    def names(self, rank: int) -> tuple[str, ...]:
        """Of the last dimensions of a space of this rank: letters, and sizes where these may not differ."""
        letters = names_of(self.named, rank)
        return (*letters[: len(letters) - len(self.sizes)], *map(str, self.sizes))


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place of a pattern in a model, everything in the pattern's order. `labels`: names of constants and attributes."""

    nodes: tuple[int, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    numbers: tuple[float, ...]
    labels: tuple[str, ...]
    space: Shape


def spec_type(model: Model, name: str) -> str:
    """The element type that a spec has for a tensor."""
    tensor = model.tensor(name)
    return QUANTIZED.get(tensor.dtype, "") if tensor.quantization is not None else tensor.dtype


def refused(model: Model, edges: Links, nodes: Sequence[int]) -> str:
    """Why no pattern can be made of nodes; "" when it can."""
    inputs, outputs = borders(model, edges, nodes)
    for name in (*inputs, *outputs):
        tensor = model.tensor(name)
        if not tensor.fixed:
            return f"{name} has no dimension"
        if spec_type(model, name) not in DTYPES:
            return f"{name} is {tensor.dtype}, which a spec has not"
        if tensor.quantization is not None and tensor.quantization.axis is not None:
            return f"{name} is quantized per channel"
    if not inputs:
        return "it reads no tensor"
    shapes = [model.tensor(name).fixed or () for number in nodes for name in _tensors(model, model.nodes[number])]
    return "" if space_of(shapes) is not None else "its tensors do not broadcast to one shape"


def _tensors(model: Model, node: Node) -> tuple[str, ...]:
    """Operands that are values, and results."""
    return (*operands(node), *node.outputs)


def operands(node: Node) -> tuple[str, ...]:
    """The inputs of a node that are values, not lists of axes."""
    return node.inputs[:1] if node.op.startswith("Reduce") else tuple(name for name in node.inputs if name)


def canonical(model: Model, edges: Links, nodes: Sequence[int]) -> tuple[Pattern, Occurrence]:
    """The pattern of a kernel that is not refused, and its place."""
    return _Walk(model, edges, nodes).made()


class _Walk:
    def __init__(self, model: Model, edges: Links, nodes: Sequence[int]) -> None:
        self.model, self.edges = model, edges
        self.inside = {number: model.nodes[number] for number in nodes}
        self.maker = {name: number for number, node in self.inside.items() for name in node.outputs}
        inputs, outputs = borders(model, edges, sorted(nodes))
        self.results = outputs
        every = [model.tensor(n).fixed or () for node in self.inside.values() for n in _tensors(model, node)]
        space = space_of(every)
        assert space is not None
        self.space = space
        border = [*inputs, *outputs]
        self.sizes = self._said_sizes()
        count = named([self._sizes_of(name) for name in border], len(inputs), space)
        self.named = max(count, len(self.sizes))
        self.uses = self._uses(inputs)
        self.labels: dict[str, str] = {}
        self.steps: list[Step] = []
        self.at: dict[int, int] = {}
        self.inputs: dict[str, int] = {}
        self.numbers: list[float] = []
        self.names: list[str] = []
        self.order: list[int] = []

    def _said_sizes(self) -> Shape:
        """The sizes that torch's calls name: those of the dimensions that a normalization goes over."""
        normal = [node for node in self.inside.values() if node.op in ("LayerNormalization", "RMSNormalization")]
        axes = [language.axes_of(self.model, node) for node in normal if self.model.exact]
        return self.space[min(axis for each in axes for axis in each) :] if axes else ()

    def _uses(self, inputs: Sequence[str]) -> Mapping[str, str]:
        """Who reads an input and how: tells inputs apart that look alike."""
        found: dict[str, Counter[str]] = {name: Counter() for name in inputs}
        for node in self.inside.values():
            for place, name in enumerate(operands(node)):
                if name in found:
                    found[name][node.op + ("" if node.op in language.COMMUTATIVE else str(place))] += 1
        return {name: " ".join(f"{word}*{count}" for word, count in sorted(c.items())) for name, c in found.items()}

    def operand(self, name: str) -> Operand:
        return Operand(spec_type(self.model, name), extent(self._sizes_of(name), self.space, self.named))

    def _sizes_of(self, name: str) -> Shape:
        """The sizes of a tensor; 0 where a constant has one element, which it has whatever the space has there."""
        shape = self.model.tensor(name).fixed or ()
        return tuple(size if size != 1 else 0 for size in shape) if name in self.model.constants else shape

    def label(self, name: str, literal: bool = False) -> str:
        """What a value is, without names and numbers."""
        if is_number(self.model, name):
            return f"number {self.value(name)}" if literal or self.model.exact else "number"
        if name not in self.labels:
            number = self.maker.get(name)
            if number is None:
                self.labels[name] = f"input {self.operand(name)} {self.uses[name]}"
            else:
                what = repr((self._said(self.inside[number]), self.operand(name), name in self.results))
                self.labels[name] = "step " + sha1(what.encode(), usedforsecurity=False).hexdigest()
        return self.labels[name]

    def _said(self, node: Node) -> tuple[object, ...]:
        axes = language.axes_of(self.model, node) if node.op in language.REDUCING else ()
        parts = tuple(self.label(name, node.op in language.EXACT) for name in self.sorted(node))
        numbers = language.numbers_of(node)
        return node.op, axes, language.words_of(node), tuple(numbers.items() if self.model.exact else numbers), parts

    def sorted(self, node: Node) -> tuple[str, ...]:
        names = operands(node)
        if node.op not in language.COMMUTATIVE:
            return names
        return tuple(sorted(names, key=self._rank))

    def _rank(self, name: str) -> tuple[bool, bool, str]:
        """Numbers stand last, what is broadcast before them."""
        return is_number(self.model, name), self.model.tensor(name).fixed != self.space, self.label(name)

    def value(self, name: str) -> float:
        return float(self.model.constants[name].read().reshape(-1)[0])

    def made(self) -> tuple[Pattern, Occurrence]:
        results = sorted(self.results, key=self.label)
        for name in results:
            self.visit(self.maker[name])
        results.sort(key=lambda name: self.at[self.maker[name]])
        outputs = tuple((self.at[self.maker[name]], self.operand(name)) for name in results)
        inputs = tuple(self.operand(name) for name in self.inputs)
        rank = len(self.space) if self.named == len(self.space) or self._reduces_first() else None
        pattern = Pattern(tuple(self.steps), inputs, outputs, self.named, rank, len(self.numbers), self.sizes)
        numbers, names = tuple(self.numbers), tuple(self.names)
        return pattern, Occurrence(tuple(self.order), tuple(self.inputs), tuple(results), numbers, names, self.space)

    def _reduces_first(self) -> bool:
        """Whether a step reduces a dimension before those that have names."""
        return any(-axis > max(self.named, 1) for step in self.steps for axis in step.axes)

    def visit(self, last: int) -> None:
        """The steps of a node and of what it needs, first things first."""
        waiting = [last]
        while waiting:
            number = waiting[-1]
            missing = [self.maker[n] for n in self.sorted(self.inside[number]) if n in self.maker]
            missing = [each for each in missing if each not in self.at]
            if number in self.at or not missing:
                waiting.pop()
                if number not in self.at:
                    self._step(number)
            else:
                waiting += reversed(missing)

    def _step(self, number: int) -> None:
        node = self.inside[number]
        args = tuple(self._ref(name, node.op in language.EXACT) for name in self.sorted(node))
        attributes = tuple((key, self._number(value, key)) for key, value in language.numbers_of(node).items())
        axes = language.axes_of(self.model, node) if node.op in language.REDUCING else ()
        clips = self._clips(node.outputs[0])
        self.at[number] = len(self.steps)
        self.order.append(number)
        self.steps.append(Step(node.op, args, attributes, axes, language.words_of(node), clips))

    def _clips(self, name: str) -> tuple[Ref, Ref] | None:
        """What a quantized tensor can hold that ops of the kernel read, and which saturates beyond it."""
        tensor = self.model.tensor(name)
        if tensor.quantization is None or not any(name in node.inputs for node in self.inside.values()):
            return None
        dtype = DTYPES[QUANTIZED[tensor.dtype]]
        scale, zero = tensor.quantization.scales[0], tensor.quantization.zeros[0]
        low, high = ((end - zero) * scale for end in dtype.limits)
        return self._number(low, "low"), self._number(high, "high")

    def _ref(self, name: str, literal: bool) -> Ref:
        if name in self.maker:
            return Ref("step", self.at[self.maker[name]])
        if is_number(self.model, name):
            return Ref("number", literal=self.value(name)) if literal else self._number(self.value(name), name)
        return Ref("input", self.inputs.setdefault(name, len(self.inputs)))

    def _number(self, value: float, label: str) -> Ref:
        if self.model.exact:
            return Ref("number", literal=value)
        self.numbers.append(value)
        self.names.append(label)
        return Ref("number", len(self.numbers) - 1)
