"""Calls of torch ops that ops of this package implement: their arguments as inputs and params."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Protocol

from .checks import Rejected


class Reader(Protocol):
    """What knows the model that a node belongs to."""

    def real_values(self, node: Any) -> Any:
        """The numbers that a constant of the model stands for."""

    def per_channel(self, node: Any) -> bool:
        """Whether a tensor has a scale for each channel."""


# Meta of a node that makes an input of another one: its arguments by name, and that other node.
ARGUMENTS, CALLER = "opkg_arguments", "opkg_caller"
# What an expression of the spec may meet in a call that it was not written for.
FAULTS = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


class Call(dict[str, Any]):
    """Arguments of a call by name.

    `reader`: what knows the model. `order`: the dimensions of the node as they are stored.
    """

    def __init__(
        self,
        arguments: Mapping[str, Any],
        reader: Reader | None = None,
        order: Sequence[int] | None = None,
    ) -> None:
        super().__init__(arguments)
        self.reader = reader
        self.order = order

    def place(self, node: Any, dim: int) -> int:
        """Where a dimension of a tensor is, after the backend's change of layout if there was one."""
        at, order = dim % rank(node), self.order
        return at if order is None or len(order) != rank(node) else list(order).index(at)

    def value(self, node: Any) -> Any:
        """The real values of a constant of the model; without the model, a tensor like it."""
        return node.meta["val"] if self.reader is None else self.reader.real_values(node)

    def per_channel(self, node: Any) -> bool:
        """Whether a tensor has a scale for each channel; without the model, it has not."""
        return self.reader is not None and self.reader.per_channel(node)


Expression = Callable[[Call], Any]


@dataclass(frozen=True)
class TorchCall:
    """One torch op. `names`: inputs and params of the op of this package, in order.

    `args`: which argument each of them is; None: by position. `values`: params and inputs from expressions
    on the arguments. `when`: conditions. `read`: arguments that the expressions read, or that may have
    any value. The docstring of an expression is its text in the spec. `decompose`: torch
    may decompose the op, whose parts are named, too. `lowered`: the builder alone takes the op.
    `encoding`: the output whose quantization the arguments are. `constant`: the input that the result is.
    """

    op: str
    names: Sequence[str]
    args: Mapping[str, str] | None = None
    values: Mapping[str, Expression] = field(default_factory=dict)
    when: Sequence[Expression] = ()
    read: frozenset[str] = frozenset()
    decompose: bool = False
    lowered: bool = False
    encoding: str = ""
    constant: str = ""

    def check(self, overload: Any) -> None:
        """ValueError when the torch op does not have the arguments that are named, or has others."""
        known = [argument.name for argument in schema_of(overload).arguments]
        mapped = self._mapped(known)
        for name in (*mapped.values(), *sorted(self.read)):
            if name not in known:
                raise ValueError(f"{self.op} has no argument '{name}'; it has {', '.join(known)}")
        for argument in schema_of(overload).arguments:
            spoken_of = argument.name in self.read or argument.name in mapped.values()
            if not spoken_of and not argument.has_default_value():
                where = "no args, params, when or ignore"
                raise ValueError(f"argument '{argument.name}' of {self.op} is in {where}")

    def arguments(
        self, node: Any, reader: Reader | None = None, order: Sequence[int] | None = None
    ) -> dict[str, Any]:
        """Inputs and params of a call; Rejected when a condition does not hold."""
        schema = schema_of(node.target)
        call = Call(dict(_given(schema, node)), reader, order)
        for condition in self.when:
            if not self._value(condition, call):
                raise Rejected(f"{self.op}: {condition.__doc__} does not hold")
        mapped = self._mapped(list(call))
        for argument in schema.arguments:
            name, value = argument.name, call[argument.name]
            ours = name in self.read or name in mapped.values()
            if not ours and value != argument.default_value:
                raise Rejected(f"{self.op}: there is no place for argument '{name}', {value}")
        found = {ours: call[theirs] for ours, theirs in mapped.items() if theirs in call}
        found |= {name: self._value(value, call) for name, value in self.values.items()}
        return found

    def encoded(self, node: Any) -> dict[str, Any]:
        """The arguments that say how the result is quantized."""
        names = [argument.name for argument in schema_of(node.target).arguments][1:]
        call = dict(_given(schema_of(node.target), node))
        return {name: call[name] for name in names}

    def _mapped(self, known: Sequence[str]) -> Mapping[str, str]:
        if self.args is not None:
            return self.args
        return dict(zip((n for n in self.names if n not in self.values), known, strict=False))

    def _value(self, expression: Expression, call: Call) -> Any:
        try:
            return expression(call)
        except FAULTS as failure:
            raise Rejected(f"{self.op}: {expression.__doc__}: {failure}") from None


def schema_of(target: Any) -> Any:
    """The schema of a torch op, also of the edge dialect."""
    schema = target._schema
    return getattr(schema, "schema", schema)


def name_of(target: Any) -> str:
    """`aten.relu.default`, of the edge dialect or of torch; of what is no torch op, its name."""
    name = getattr(target, "__name__", "")
    return str(target) if name.count(".") == 1 else name


def _given(schema: Any, node: Any) -> Iterator[tuple[str, Any]]:
    """All arguments of a call by name, defaults too."""
    for at, argument in enumerate(schema.arguments):
        default = argument.default_value if argument.has_default_value() else None
        value = node.kwargs.get(argument.name, default)
        value = node.args[at] if at < len(node.args) and not argument.kwarg_only else value
        yield argument.name, list(value) if isinstance(value, list | tuple) else value


@dataclass(frozen=True)
class Constant:
    """A constant input that the torch op does not have: real values, row-major, or one everywhere."""

    shape: tuple[int, ...]
    numbers: tuple[float, ...]

    @property
    def meta(self) -> dict[str, Any]:
        """What it stands for, as the nodes of a graph tell it."""
        import torch

        count = prod(self.shape)
        numbers = self.numbers * count if len(self.numbers) == 1 else self.numbers
        whole = all(isinstance(number, int) for number in numbers)
        kind = torch.int32 if whole else torch.float32
        if whole and any(not -(1 << 31) <= number < 1 << 31 for number in numbers):
            kind = torch.int64
        return {"val": torch.tensor(numbers, dtype=kind).reshape(self.shape)}


@dataclass(frozen=True)
class Moved:
    """A constant of the model with its dimensions in another order, or another shape.

    `every`: of its scales for channels, one in so many.
    """

    node: Any
    order: tuple[int, ...] = ()
    shape: tuple[int, ...] = ()
    every: int = 1

    @property
    def meta(self) -> dict[str, Any]:
        return {"val": self.of(self.node.meta["val"])}

    def of(self, tensor: Any) -> Any:
        """The tensor moved."""
        moved = tensor.permute(self.order) if self.order else tensor
        moved = moved.reshape(self.shape) if self.shape else moved
        return moved.contiguous()

    def thin(self, attributes: dict[str, Any], count: int) -> None:
        """Leaves out scales of a constant that has `count` of them, one for each channel; once."""
        for name in ("scales", "zero_points") if self.every > 1 else ():
            if len(attributes[name]) == count:
                attributes[name] = attributes[name][:: self.every]


@dataclass(frozen=True)
class Made:
    """An input that another op of this package makes, for one call alone.

    `follows`: the input that it has the element type and quantization of; None: those of what the
    call gives. `dims`: its shape, when it is not that of the first input. `dtype`: its element
    type in torch, when it is another one and not quantized.
    """

    op: str
    inputs: tuple[Any, ...]
    params: Mapping[str, Any]
    follows: int | None
    dims: tuple[int, ...] | None
    dtype: str | None


# Functions of the expressions


def made(
    op: str,
    inputs: Sequence[Any],
    params: Mapping[str, Any],
    follows: int | None,
    dims: Sequence[int] | None,
    dtype: str | None,
) -> Made:
    """What another op of this package makes of tensors, as they are stored."""
    return Made(op, tuple(inputs), params, follows, None if dims is None else tuple(dims), dtype)


def kind(value: Any) -> str:
    """The element type of a tensor, or an element type of torch: `int64`."""
    dtype = value.meta["val"].dtype if hasattr(value, "meta") else value
    return str(dtype).removeprefix("torch.")


def bound(index: int | None, default: int, size: int) -> int:
    """An end of a slice: counted from the end when negative, and never outside."""
    if index is None:
        return default
    return min(max(index + size if index < 0 else index, 0), size)


def repeated(value: int | Sequence[int], count: int) -> list[int]:
    """As many numbers as dimensions: torch takes one for all."""
    values = [value] if isinstance(value, int) else list(value)
    return values * count if len(values) == 1 else values


def grid(ranges: Sequence[Sequence[int]]) -> Constant:
    """A constant with a row for each place that has one index of each range."""
    rows: list[list[int]] = [[]]
    for each in ranges:
        rows = [[*row, at] for row in rows for at in each]
    dims = (*(len(each) for each in ranges), len(ranges))
    return Constant(dims, tuple(at for row in rows for at in row))


def permute(node: Any, order: Sequence[int]) -> Moved:
    """A constant of the model with its dimensions in another order; its quantization stays."""
    return Moved(node, order=tuple(order))


def reshape(node: Any, dims: Sequence[int]) -> Moved:
    """A constant of the model in another shape."""
    return Moved(node, shape=tuple(dims))


def fewer_scales(node: Any, every: int) -> Moved:
    """A constant of the model with one in so many of its scales for channels."""
    return Moved(node, every=every)


def constant(values: Any) -> Constant:
    """A constant input of these numbers: nested lists, or a tensor.

    A tensor without data, as the partitioner has them when it asks, is as good as ones.
    """
    if type(values).__name__ == "FakeTensor":
        return Constant(tuple(values.shape), (1.0,))
    if hasattr(values, "tolist"):
        return Constant(tuple(values.shape), tuple(values.flatten().tolist()))
    dims: list[int] = []
    while isinstance(values, list) and values and isinstance(values[0], list):
        dims.append(len(values))
        values = [each for row in values for each in row]
    dims.append(len(values) // prod(dims))
    if prod(dims) != len(values):
        raise ValueError("rows of one length make a constant")
    return Constant(tuple(dims), tuple(values))


def sqrt(values: Any) -> Any:
    """The square root of a number or a tensor."""
    return values**0.5


def full(dims: Sequence[int], value: float) -> Constant:
    """A constant input."""
    return Constant(tuple(int(dim) for dim in dims), (value,))


def shape(node: Any) -> list[int]:
    """Dimensions of a tensor of the graph."""
    return [dim if isinstance(dim, int) else int(dim.node.hint) for dim in node.meta["val"].shape]


def rank(node: Any) -> int:
    return len(node.meta["val"].shape)
