"""Looks for a pattern's ops among a model's nodes: a search that goes back where operands may stand in any order.

What nearly fits is remembered, so that a model without a match can be told why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from opkg.fuse.patch.forms import CHOICE, COMMUTATIVE, IGNORED, SETTINGS
from opkg.models.fold import Dequantized
from opkg.models.model import Attribute, Links, Model, Node
from opkg.models.partition.moved import is_number
from opkg.spec.pattern_graph import Core, Input, Kind, Number, Part

_WORDS = {"none": 0.0, "tanh": 1.0}  # values of Gelu's `approximate`
_INFINITE = {1: float("-inf"), 2: float("inf")}  # ends that a Clip leaves out


@dataclass(frozen=True, slots=True)
class Match:
    """`bound`: input of the op -> tensor; `nodes`: in the order of the model, the last one gives `output`."""

    bound: Mapping[str, str]
    nodes: tuple[int, ...]
    output: str


@dataclass(frozen=True, slots=True)
class _State:
    """What is known so far. `ops`: of the pattern, by identity, which is one tensor wherever it is read."""

    bound: dict[str, str] = field(default_factory=dict)
    ops: dict[int, str] = field(default_factory=dict)
    nodes: frozenset[int] = frozenset()


class Matcher:
    """One pattern and one model. `axes`: the pattern's dimension -> the model's, for tensors of rank 4."""

    def __init__(self, model: Model, edges: Links, root: Core, axes: tuple[int, ...] = (0, 1, 2, 3)) -> None:
        self.model, self.edges, self.root, self.axes = model, edges, root, axes
        self.roots = frozenset(_first_ops(root))
        self.nearest: tuple[int, str] = (0, "")  # nodes that fitted, and what did not fit then

    def at(self, number: int) -> Iterator[Match]:
        """All ways in which the pattern ends at a node."""
        node = self.model.nodes[number]
        if node.op not in self.roots:
            return
        for state in self._match(self.root, node.outputs[0], _State()):
            yield Match(state.bound, tuple(sorted(state.nodes)), node.outputs[0])

    def _match(self, part: Part, name: str, state: _State) -> Iterator[_State]:
        if isinstance(part, Input):
            if state.bound.setdefault(part.name, name) == name:
                yield state
            else:
                self._missed(state, f"{name} and {state.bound[part.name]} would both be '{part.name}'")
        elif isinstance(part, Number):
            if self._is_number(part, name):
                yield state
            else:
                self._missed(state, f"{name} is not the number {part.value:.7g}")
        elif id(part) in state.ops:
            if state.ops[id(part)] == name:
                yield state
            else:
                self._missed(state, f"{name} is computed twice in the pattern, but not {state.ops[id(part)]}")
        elif part.op == CHOICE:
            for form in part.operands:
                for found in self._match(form, name, _copied(state)):
                    yield replace(found, ops={**found.ops, id(part): name})
        else:
            yield from self._node(part, name, state)

    def _node(self, part: Core, name: str, state: _State) -> Iterator[_State]:
        number = self.edges.maker.get(name)
        node = self.model.nodes[number] if number is not None else None
        if number is None or node is None or node.op != part.op or node.outputs != (name,):
            made = f"made by {node.op}" if node is not None else "no result"
            self._missed(state, f"{name} is {made}, not {part.op}")
            return
        tensors = self._tensors(part, node)
        if tensors is None:
            self._missed(state, f"{node.name} has other attributes than the pattern's {part.op}")
            return
        inside = replace(state, ops={**state.ops, id(part): name}, nodes=state.nodes | {number})
        wanted = part.operands[: len(tensors)]
        yield from self._operands(wanted, tensors, _copied(inside))
        if node.op in COMMUTATIVE and len(tensors) == 2 and tensors[0] != tensors[1]:
            yield from self._operands(wanted, tensors[::-1], _copied(inside))

    def _operands(self, parts: tuple[Part, ...], names: tuple[str, ...], state: _State) -> Iterator[_State]:
        if not parts:
            yield state
            return
        for found in self._match(parts[0], names[0], _copied(state)):
            yield from self._operands(parts[1:], names[1:], found)

    def _tensors(self, part: Core, node: Node) -> tuple[str, ...] | None:
        """The node's operands that stand for the pattern's, in order; None where attributes or counts differ."""
        settings = [each for each in part.operands if isinstance(each, Number) and each.kind is not Kind.TENSOR]
        count = len(part.operands) - len(settings)
        names = node.inputs
        if part.op == "Clip":
            return self._clip(part, node)
        if part.op.startswith("Reduce"):
            names = names[:1]
        if len(names) != count or not all(names):
            return None
        index = [each for each in settings if each.kind is Kind.INDEX]
        numbers = [each.value for each in settings if each.kind is Kind.FLOAT]
        known = SETTINGS.get(part.op, ())
        if index and not self._along(int(index[0].value), node):
            return None
        wanted = dict(zip((key for key, _ in known if key != "axis"), numbers, strict=True))
        for key, default in known:
            if key in wanted and not _alike(node.attributes.get(key, default), wanted[key]):
                return None
        spoken = {*(key for key, _ in known), *IGNORED, *(("axes",) if index else ())}
        return names if set(node.attributes) <= spoken else None

    def _clip(self, part: Core, node: Node) -> tuple[str, ...] | None:
        """A Clip's ends may be left out, or be numbers; the tensor, when they are what the pattern has."""
        for place in (1, 2):
            wanted = part.operands[place]
            assert isinstance(wanted, Number)
            name = node.inputs[place] if place < len(node.inputs) else ""
            if not (self._is_number(wanted, name) if name else wanted.value == _INFINITE[place]):
                return None
        return node.inputs[:1]

    def _along(self, axis: int, node: Node) -> bool:
        """Whether a node works along the pattern's dimension, and no other."""
        shape = self.model.tensor(node.inputs[0]).fixed
        if shape is None or not -len(shape) <= axis < len(shape):
            return False
        axis %= len(shape)
        axis = self.axes[axis] if len(shape) == 4 else axis
        given = node.attributes.get("axis", -1) if not node.op.startswith("Reduce") else self._axes(node)
        if isinstance(given, int):
            given = (given,)
        if not isinstance(given, tuple) or not all(isinstance(each, int) for each in given):
            return False
        return [each % len(shape) for each in given if isinstance(each, int)] == [axis]

    def _axes(self, node: Node) -> tuple[int, ...] | None:
        """Of a reduction: an attribute, or a constant input in later opsets."""
        if len(node.inputs) < 2:
            given = node.attributes.get("axes")
            return tuple(int(each) for each in given) if isinstance(given, tuple) else None
        values = self.model.constants.get(node.inputs[1])
        return tuple(int(each) for each in values.read().reshape(-1)) if values is not None else None

    def _is_number(self, wanted: Number, name: str) -> bool:
        """Whether a tensor is a constant of one element with this value, as its element type stores it."""
        import numpy as np

        if not is_number(self.model, name):
            return False
        values = self.model.constants[name]
        found = values.read().reshape(-1)[0]
        if isinstance(values, Dequantized):  # a number is stored to the nearest step
            return abs(float(found) - wanted.value) <= 0.5 * values.scale
        with np.errstate(over="ignore"):
            stored = np.asarray(wanted.value).astype(found.dtype)
        return bool(stored == found) and (found.dtype.kind == "f" or float(stored) == wanted.value)

    def _missed(self, state: _State, why: str) -> None:
        if len(state.nodes) > self.nearest[0]:
            self.nearest = len(state.nodes), why


def _copied(state: _State) -> _State:
    return replace(state, bound=dict(state.bound))


def _alike(given: Attribute, wanted: float) -> bool:
    """Whether an attribute, a float32 in the file, is a number."""
    import numpy as np

    if isinstance(given, str):
        return _WORDS.get(given) == wanted
    return isinstance(given, (int, float)) and np.float32(given) == np.float32(wanted)


def _first_ops(part: Core) -> Iterator[str]:
    """The ops by which a pattern's result can be made."""
    if part.op != CHOICE:
        yield part.op
        return
    for form in part.operands:
        if isinstance(form, Core):
            yield from _first_ops(form)
