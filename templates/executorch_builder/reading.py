"""Reads the params of an op out of a graph: of the numbers of its pattern, those that change with a param say what it is."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from torch.fx import Node

from .checks import rounded
from .matching import Binding, Template, ValueOf, arguments, orders, same
from .torch_op import CustomOp

Params = tuple[tuple[str, Any], ...]
Path = tuple[int, ...]
CLOSE = 1e-5  # numbers of a graph may be float32
MOST = 4  # readings of one place


@dataclass(frozen=True)
class Slot:
    """A number of a template: `scale * param + shift`, or of `1 / param`. `part`: which call; else which constant."""

    part: int
    path: Path
    param: str
    scale: float
    shift: float
    inverse: bool

    def values(self, number: float) -> Iterator[float]:
        """What the param may be: as it would be written, and as it is computed."""
        if self.scale == 1 and self.shift == 0 and not self.inverse:
            found = number
        else:
            found = (number - self.shift) / self.scale
            found = (1 / found if found else 0.0) if self.inverse else found
        short = float(f"{found:.7g}")
        if rounded(short, "f") == rounded(found, "f") or not self.path:
            yield short
        yield found


@dataclass(frozen=True)
class Family:
    """The graphs of a pattern that differ in numbers only. `inputs`: those that the call has; `fixed`: params of all of them."""

    template: Template
    inputs: tuple[str, ...]
    fixed: Params
    slots: tuple[Slot, ...]

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal keys: the same places, read in the same way."""
        return self.inputs, self.fixed, masked(self.template), self.slots

    def readings(self, op: CustomOp, binding: Binding, value_of: ValueOf) -> list[Params]:
        """The params that the numbers of a place may mean; those with their default are left out."""
        found: dict[str, list[Any]] = {}
        for slot in self.slots:
            number = self._number(slot, binding, value_of)
            if number is not None and slot.param not in found:
                found[slot.param] = list(dict.fromkeys(_typed(op, slot, number)))
        rows = islice(product(*found.values()), MOST)
        return list(
            dict.fromkeys(written(op, self.fixed, dict(zip(found, r, strict=True))) for r in rows)
        )

    def _number(self, slot: Slot, binding: Binding, value_of: ValueOf) -> float | None:
        if not slot.path:
            value = value_of(binding[list(self.template.constants)[slot.part]])
            return float(value.item()) if value is not None and value.numel() == 1 else None
        part = self.template.parts[slot.part]
        for theirs in orders(binding[part]):
            pairs = zip(arguments(part), theirs, strict=False)
            if all(binding.get(ours) is other for ours, other in pairs if isinstance(ours, Node)):
                return _at(theirs, slot.path)
        return None


def families(
    op: CustomOp, inputs: tuple[str, ...], fixed: Params, traced: Sequence[tuple[Params, Template]]
) -> list[Family]:
    """The graphs of one call with several values of its params, by what is the same but for numbers."""
    groups: dict[str, list[tuple[Params, Template]]] = {}
    for params, template in traced:
        groups.setdefault(masked(template), []).append((params, template))
    found = []
    for each in groups.values():
        settings = [{**defaults(op), **dict(params)} for params, _ in each]
        rows = [_numbers(template) for _, template in each]
        slots = [
            slot
            for place in rows[0]
            if (slot := _slot(place, [row[place] for row in rows], settings)) is not None
        ]
        slots.sort(key=lambda slot: (slot.inverse, slot.scale != 1, slot.shift != 0, not slot.path))
        found.append(Family(each[0][1], inputs, fixed, tuple(slots)))
    return found


def defaults(op: CustomOp) -> dict[str, Any]:
    """Of the params that the pattern reads."""
    assert op.pattern is not None
    known = inspect.signature(op.pattern).parameters
    return {name: known[name].default for name in op.reads}


def written(op: CustomOp, fixed: Params, values: Mapping[str, Any]) -> Params:
    """Params of a call in the op's order, without those that have their default."""
    known = defaults(op)
    given = {**dict(fixed), **values}
    return tuple(
        (name, given[name])
        for name in op.params
        if name in given and not same(known[name], given[name])
    )


def masked(template: Template) -> str:
    """Equal texts: the same computation, but for numbers."""
    names: dict[Node, str] = {node: f"input{at}" for at, node in enumerate(template.inputs)}
    for node, value in template.constants.items():
        names[node] = f"{value.dtype}{list(value.shape)}"
    names.update({node: f"v{at}" for at, node in enumerate(template.parts)})

    def shown(value: Any) -> str:
        if isinstance(value, list | tuple):
            return f"[{', '.join(map(shown, value))}]"
        if isinstance(value, Node):
            return names[value]
        return "#" if _is_number(value) else repr(value)

    lines = [f"{n.target}({shown(arguments(n))})" for n in template.parts]
    return "\n".join([*lines, shown(template.outputs)])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _numbers(template: Template) -> dict[tuple[int, Path], float]:
    """The numbers of a template by place."""
    found: dict[tuple[int, Path], float] = {}

    def visit(value: Any, part: int, path: Path) -> None:
        if isinstance(value, list | tuple):
            for at, each in enumerate(value):
                visit(each, part, (*path, at))
        elif _is_number(value):
            found[part, path] = value

    for part, node in enumerate(template.parts):
        visit(arguments(node), part, ())
    for at, value in enumerate(template.constants.values()):
        if value.numel() == 1:
            found[at, ()] = float(value.item())
    return found


def _slot(
    place: tuple[int, Path], numbers: Sequence[float], settings: Sequence[Mapping[str, Any]]
) -> Slot | None:
    """How a number hangs on one param; None when it does not, or when that cannot be told."""
    if all(same(numbers[0], number) for number in numbers):
        return None
    names = [name for name, value in settings[0].items() if _is_number(value)]
    found = []
    for name in names:
        given = [float(each[name]) for each in settings]
        found += [Slot(*place, name, *fit, False) for fit in _fits(given, numbers)]
        if all(given):
            found += [
                Slot(*place, name, *fit, True) for fit in _fits([1 / g for g in given], numbers)
            ]
    return min(found, key=lambda s: (s.inverse, s.scale != 1, s.shift != 0), default=None)


def _fits(given: Sequence[float], numbers: Sequence[float]) -> Iterator[tuple[float, float]]:
    """`scale` and `shift` of the line through all points; of two points, only one that is as plain as can be."""
    first = next((at for at, value in enumerate(given) if value != given[0]), 0)
    if first == 0:
        return
    scale = (numbers[first] - numbers[0]) / (given[first] - given[0])
    scale = round(scale) if abs(scale - round(scale)) < CLOSE else scale
    shift = numbers[0] - scale * given[0]
    shift = round(shift) if abs(shift - round(shift)) < CLOSE else shift
    off = [
        abs(scale * g + shift - n) / max(1.0, abs(n)) for g, n in zip(given, numbers, strict=True)
    ]
    enough = len({*given}) > 2 or scale == 1
    if scale != 0 and enough and max(off) < CLOSE:
        yield float(scale), float(shift)


def _typed(op: CustomOp, slot: Slot, number: float) -> Iterator[Any]:
    """The values of a param that a number may mean, in its type."""
    whole = isinstance(defaults(op)[slot.param], int)
    for value in slot.values(number):
        if not whole:
            yield float(value)
        elif abs(value - round(value)) < CLOSE:
            yield round(value)


def _at(values: Any, path: Path) -> float | None:
    for at in path:
        if not isinstance(values, list | tuple) or at >= len(values):
            return None
        values = values[at]
    return values if _is_number(values) else None
