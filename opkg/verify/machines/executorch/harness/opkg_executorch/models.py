"""Small models around one op: the op alone, or with neighbours that force other layouts and more uses of a tensor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

# float32 and the integers that torch's export knows.
TYPES = {
    "float32": torch.float32,
    "bool8": torch.bool,
    "int8": torch.int8,
    "int16": torch.int16,
    "int32": torch.int32,
    "int64": torch.int64,
    "uint8": torch.uint8,
}


@dataclass(frozen=True)
class Argument:
    """One argument of the torch op: tensors (several of a variadic input), or a value.

    `constant`: the tensors belong to the model.
    """

    name: str
    tensors: tuple[torch.Tensor, ...] = ()
    value: Any = None
    constant: bool = False
    variadic: bool = False


def read_arguments(described: Sequence[Mapping[str, Any]], data: bytes) -> list[Argument]:
    """Arguments as a file of cases has them; `data`: the tensors' float64 numbers."""
    found = []
    for each in described:
        tensors = tuple(_tensor(tensor, data) for tensor in each.get("tensors", ()))
        found.append(
            Argument(each["name"], tensors, each.get("value"), bool(each.get("constant")), bool(each.get("variadic")))
        )
    return found


def _tensor(described: Mapping[str, Any], data: bytes) -> torch.Tensor:
    start, shape = described["offset"], described["shape"]
    count = int(np.prod(shape, dtype=np.int64))
    numbers = np.frombuffer(data, dtype="<f8", count=count, offset=start).reshape(shape)
    return torch.from_numpy(numbers.copy()).to(TYPES[described["dtype"]])


def in_float16(tensor: torch.Tensor) -> torch.Tensor:
    """The nearest numbers that pass through layers in float16 as they are; the backend makes subnormal ones 0."""
    rounded = tensor.half().float()
    return torch.where(rounded.abs() < 2.0**-14, torch.zeros_like(rounded), rounded)


def _reversed(size: int) -> torch.Tensor:
    """The matrix that reverses the order of elements: products with it are exact in every element type."""
    return torch.eye(size).flip(0)


class Reversal(torch.nn.Module):  # type: ignore[misc]  # torch is not here when opkg is checked
    """A convolution or a linear layer that reverses the order of channels and changes no number."""

    def __init__(self, kind: str, size: int) -> None:
        super().__init__()
        layer = (
            torch.nn.Conv2d(size, size, 1, bias=False)
            if kind == "convolutions"
            else torch.nn.Linear(size, size, bias=False)
        )
        layer.weight.data = _reversed(size).reshape(layer.weight.shape)
        self.layer = layer

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.layer(x)
        return found


class Model(torch.nn.Module):  # type: ignore[misc]  # torch is not here when opkg is checked
    """One call of `op`, with what is around it.

    `around`: alone; convolutions (rank 4), linear (ranks 2 to 4): layers that reverse the channels, before and after;
    pools (rank 4): pooling of one element, before and after; transposed: the last two dimensions change places before
    and after; flat: reshaped before and after; sigmoid: after it; add: its input is added to its result. The first
    float input that is no constant and the first float output have the neighbours.
    """

    def __init__(self, op: Any, arguments: Sequence[Argument], around: str, outputs: Sequence[torch.Tensor]) -> None:
        super().__init__()
        self.op, self.around = op, around
        self.plan: list[tuple[str, str, Any]] = []  # name, kind, places of the inputs or names of the constants
        self.given: list[torch.Tensor] = []
        self.first, self.result = -1, next((at for at, each in enumerate(outputs) if each.is_floating_point()), -1)
        for argument in arguments:
            self._add(argument)
        self._neighbours(outputs)

    def _add(self, argument: Argument) -> None:
        if not argument.tensors:
            self.plan.append((argument.name, "value", argument.value))
            return
        kind = "list" if argument.variadic else "one"
        if argument.constant:
            names = []
            for at, tensor in enumerate(argument.tensors):
                names.append(f"{argument.name}_{at}")
                if tensor.is_floating_point():
                    self.register_parameter(names[-1], torch.nn.Parameter(tensor, requires_grad=False))
                else:
                    self.register_buffer(names[-1], tensor)
            self.plan.append((argument.name, f"constant {kind}", names))
            return
        places = []
        for tensor in argument.tensors:
            if self.first < 0 and tensor.is_floating_point():
                self.first = len(self.given)
            places.append(len(self.given))
            self.given.append(tensor)
        self.plan.append((argument.name, kind, places))

    def _neighbours(self, outputs: Sequence[torch.Tensor]) -> None:
        self.before: Any = None
        self.after: Any = None
        axis = 1 if self.around == "convolutions" else -1
        if self.around in ("convolutions", "linear"):
            if self.first >= 0:
                self.before = Reversal(self.around, self.given[self.first].shape[axis])
            if self.result >= 0 and outputs[self.result].dim() == (
                4 if axis == 1 else max(outputs[self.result].dim(), 2)
            ):
                self.after = Reversal(self.around, outputs[self.result].shape[axis])
        if self.first < 0:
            return
        self.shape = tuple(self.given[self.first].shape)
        if self.around == "transposed":
            self.given[self.first] = self.given[self.first].transpose(-1, -2).contiguous()
        elif self.around == "flat":
            self.given[self.first] = self.given[self.first].reshape(1, -1)

    def forward(self, *given: torch.Tensor) -> Any:
        tensors = list(given)
        if self.first >= 0:
            tensors[self.first] = self._entered(tensors[self.first])
        found = self.op(**{name: self._value(kind, what, tensors) for name, kind, what in self.plan})
        results = list(found) if isinstance(found, list | tuple) else [found]
        if self.result >= 0:
            results[self.result] = self._left(results[self.result], tensors)
        return tuple(results)

    def _value(self, kind: str, what: Any, tensors: Sequence[torch.Tensor]) -> Any:
        if kind == "value":
            return what
        many = [getattr(self, name) for name in what] if kind.startswith("constant") else [tensors[at] for at in what]
        return many if kind.endswith("list") else many[0]

    def _entered(self, x: torch.Tensor) -> Any:
        if self.before is not None:
            return self.before(x)
        if self.around == "pools":
            return torch.nn.functional.max_pool2d(x, 1, 1)
        if self.around == "transposed":
            return x.transpose(-1, -2)
        return x.reshape(self.shape) if self.around == "flat" else x

    def _left(self, y: torch.Tensor, tensors: Sequence[torch.Tensor]) -> Any:
        if self.after is not None:
            return self.after(y)
        if self.around == "pools" and y.dim() == 4:
            return torch.nn.functional.max_pool2d(y, 1, 1)
        if self.around == "transposed" and y.dim() > 1:
            return y.transpose(-1, -2)
        if self.around == "flat":
            return y.reshape(1, -1)
        if self.around == "sigmoid":
            return torch.sigmoid(y)
        return y + tensors[self.first] if self.around == "add" else y
