"""Calls of torch ops that ops of this package implement: their arguments as inputs and params."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .checks import Rejected

Call = Mapping[str, Any]
Expression = Callable[[Call], Any]


@dataclass(frozen=True)
class TorchCall:
    """One torch op. `names`: inputs and params of the op of this package, in order.

    `args`: which argument each of them is; None: by position. `values`: params and inputs from expressions
    on the arguments. `when`: conditions. `read`: arguments that the expressions read, or that may have
    any value. The docstring of an expression is its text in the spec. `decompose`: torch
    may decompose the op, whose parts are named, too.
    """

    op: str
    names: Sequence[str]
    args: Mapping[str, str] | None = None
    values: Mapping[str, Expression] = field(default_factory=dict)
    when: Sequence[Expression] = ()
    read: frozenset[str] = frozenset()
    decompose: bool = False

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

    def arguments(self, node: Any) -> dict[str, Any]:
        """Inputs and params of a call; Rejected when a condition does not hold."""
        schema = schema_of(node.target)
        call = dict(_given(schema, node))
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

    def _mapped(self, known: Sequence[str]) -> Mapping[str, str]:
        if self.args is not None:
            return self.args
        return dict(zip((n for n in self.names if n not in self.values), known, strict=False))

    def _value(self, expression: Expression, call: Call) -> Any:
        try:
            return expression(call)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as failure:
            raise Rejected(f"{self.op}: {expression.__doc__}: {failure}") from None


def schema_of(target: Any) -> Any:
    """The schema of a torch op, also of the edge dialect."""
    schema = target._schema
    return getattr(schema, "schema", schema)


def _given(schema: Any, node: Any) -> Iterator[tuple[str, Any]]:
    """All arguments of a call by name, defaults too."""
    for at, argument in enumerate(schema.arguments):
        default = argument.default_value if argument.has_default_value() else None
        value = node.kwargs.get(argument.name, default)
        value = node.args[at] if at < len(node.args) and not argument.kwarg_only else value
        yield argument.name, list(value) if isinstance(value, list | tuple) else value


@dataclass(frozen=True)
class Constant:
    """A constant input that the torch op does not have: one number everywhere."""

    shape: tuple[int, ...]
    value: float

    @property
    def meta(self) -> dict[str, Any]:
        """What it stands for, as the nodes of a graph tell it."""
        import torch

        return {"val": torch.full(self.shape, self.value)}


# Functions of the expressions


def full(dims: Sequence[int], value: float) -> Constant:
    """A constant input."""
    return Constant(tuple(int(dim) for dim in dims), float(value))


def shape(node: Any) -> list[int]:
    """Dimensions of a tensor of the graph."""
    return [dim if isinstance(dim, int) else int(dim.node.hint) for dim in node.meta["val"].shape]


def rank(node: Any) -> int:
    return len(node.meta["val"].shape)
