"""The calls of an op: which optional tensors and how many of the variadic ones are given."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.model import Op, TensorSpec
from opkg.spec.presence import Counts, presences
from opkg.targets.qnn_common.names import camel, unique


@dataclass(frozen=True, slots=True)
class Call:
    """One form of calling an op. All params arrive, behind the inputs: absent ones as their defaults."""

    inputs: Counts
    outputs: Counts
    params: tuple[str, ...]

    def position(self, name: str) -> int:
        """Index of a tensor's first item among its side, or of a param among the inputs; -1 when absent."""
        for side in (self.outputs, self.inputs):
            at = 0
            for tensor, count in side:
                if tensor == name:
                    return at
                at += count
        inputs = sum(count for _, count in self.inputs)
        return inputs + self.params.index(name) if name in self.params else -1


def may_be_null(op: Op, call: Call) -> frozenset[str]:
    """The optional inputs of a call that can be null, since a later one is given: HTP then passes an empty tensor."""
    last = call.inputs[-1][0] if call.inputs else ""
    names = {name for name, _ in call.inputs}
    return frozenset(t.name for t in op.inputs if t.optional and t.name in names and t.name != last)


@dataclass(frozen=True, slots=True)
class Slot:
    """What differs between the calls of an op: a template parameter of its kernels, `kGamma` or `kXsCount`."""

    name: str  # of a tensor or param
    counts: bool  # how many are given; else: where, -1 when absent
    parameter: str

    def value(self, call: Call) -> int:
        """The template argument for one call."""
        return dict(call.inputs + call.outputs).get(self.name, 0) if self.counts else call.position(self.name)


def calls(op: Op) -> tuple[Call, ...]:
    """Every form, the one with all tensors first. Optional tensors leave from the end."""
    params = tuple(param.name for param in op.params)
    return tuple(Call(i, o, params) for i in presences(op.inputs) for o in presences(op.outputs))


def slots(op: Op) -> tuple[Slot, ...]:
    """The positions that move and the numbers that vary; none when there is one form of call."""
    if len(calls(op)) == 1:
        return ()
    moving, found = _varying(op.outputs)
    moving, more = _varying(op.inputs)
    names = [*found, *more, *((param.name, False) for param in op.params if moving)]
    parameters = unique(f"k{camel(name)}Count" if counts else f"k{camel(name)}" for name, counts in names)
    return tuple(Slot(name, counts, p) for (name, counts), p in zip(names, parameters, strict=True))


def _varying(tensors: tuple[TensorSpec, ...]) -> tuple[bool, list[tuple[str, bool]]]:
    """Whether what stands behind these tensors moves, and their slots: (name, whether it is a number of tensors)."""
    moving = False
    found: list[tuple[str, bool]] = []
    for tensor in tensors:
        if tensor.optional or moving:
            found.append((tensor.name, False))
        if tensor.variadic:
            found.append((tensor.name, True))
        moving = moving or tensor.optional or tensor.variadic is not None
    return moving, found
