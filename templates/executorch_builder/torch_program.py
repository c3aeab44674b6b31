"""A computation as a straight program: the torch calls that it makes for tensors of one shape, each into a tensor of its own.

Recorded once, it runs without the computation's tests and conversions and without new tensors. It is the same calls of the
same functions. What cannot be recorded (steps that hang on numbers, that change tensors, or have no `out`) stays a computation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .torch_values import entered

Tensors: TypeAlias = Sequence[torch.Tensor | None]
Compute: TypeAlias = Callable[[Tensors], Sequence[Any]]
Call: TypeAlias = tuple[Any, tuple[Any, ...], dict[str, Any], Any]
"""A function of aten, its arguments and its result."""


@dataclass(frozen=True)
class Program:
    """`takes`: what puts an input in its place for the next run; `steps` then leave the results in `values`.

    One thread at a time may run it.
    """

    takes: Sequence[Callable[[Any], Any]]
    steps: Sequence[Callable[[], Any]]
    values: Sequence[Any]

    def run(self) -> Sequence[Any]:
        for step in self.steps:
            step()
        return self.values


def recorded(
    compute: Compute, tensors: Tensors, cut: Sequence[bool], kind: torch.dtype
) -> Program | None:
    """The program of a computation of tensors like these, whose results must be those of the computation to the last bit.

    `cut`: the inputs that each run gets anew; it leaves the others as they are. `kind`: the type of reals. None when there
    is no program.
    """
    with torch.inference_mode(False), torch.no_grad():
        inputs, values = _copies(tensors, kind), _copies(tensors, kind)
        takes = [_take(tensor, place) for tensor, place in zip(tensors, inputs, strict=True)]
        program = _recorded(compute, inputs, takes, cut)
        if program is None:
            return None
        for place, value, each in zip(inputs, values, cut, strict=True):
            if each and place is not None and value is not None:
                place.copy_(value)
        return program if _same(program.run(), compute(values)) else None


def _take(tensor: torch.Tensor | None, place: torch.Tensor | None) -> Callable[[Any], Any]:
    """Copies an input; from float16 to float64 through float32, which is twice as fast."""
    if tensor is None or place is None:
        return lambda absent: None
    if tensor.dtype is not torch.float16 or place.dtype is not torch.float64:
        taken: Callable[[Any], Any] = place.copy_
        return taken
    between = torch.empty_like(place, dtype=torch.float32)
    return lambda tensor: place.copy_(between.copy_(tensor))


def _copies(tensors: Tensors, kind: torch.dtype) -> Tensors:
    """New tensors of a computation's types."""
    whole = torch.contiguous_format
    return [None if t is None else entered(t, kind).clone(memory_format=whole) for t in tensors]


def _recorded(
    compute: Compute, inputs: Tensors, takes: Sequence[Callable[[Any], Any]], cut: Sequence[bool]
) -> Program | None:
    made, values = followed(compute, inputs)
    calls = _hanging(made, inputs)
    if calls is None:
        return None
    again = [t for t, each in zip(inputs, cut, strict=True) if each and t is not None]
    places = _Places(calls, values, again)
    steps: list[Callable[[], Any]] = []
    for at, (call, args, kwargs, _) in enumerate(calls):
        if not _is_view(call):
            step = _step(call, places.of(args), places.of(kwargs), places.result(at))
            if step is None:
                return None
            steps.append(step)
    return Program(takes, steps, [places.of(value) for value in values])


def followed(compute: Compute, inputs: Tensors) -> tuple[list[Call], Sequence[Any]]:
    """The calls that a computation makes, and its results."""
    recorder = _Recorder()
    with recorder:
        values = compute(inputs)
    return recorder.calls, values


def _hanging(calls: Sequence[Call], inputs: Tensors) -> list[Call] | None:
    """The calls that hang on the inputs, all else is constant; None when one cannot be repeated."""
    alive = {id(tensor) for tensor in inputs if tensor is not None}
    found = []
    for each in calls:
        call, args, kwargs, result = each
        if any(id(tensor) in alive for tensor in _tensors((args, kwargs))):
            if not isinstance(result, torch.Tensor) or call._schema.is_mutable:
                return None
            found.append(each)
            alive.add(id(result))
    return found


def _is_view(call: Any) -> bool:
    return any(each.alias_info for each in call._schema.returns)


class _Places:
    """Where the results of calls are: in tensors of their own, or in one that nobody needs any more."""

    def __init__(
        self, calls: Sequence[Call], values: Sequence[Any], inputs: Sequence[torch.Tensor]
    ) -> None:
        self._calls = calls
        self._last = {id(t): at for at, each in enumerate(calls) for t in _tensors(each[1:3])}
        self._kept = {id(value) for value in values if isinstance(value, torch.Tensor)}
        views = (t for each in calls if _is_view(each[0]) for t in _tensors(each[1:]))
        self._kept |= {id(tensor) for tensor in views}
        self._made = {id(tensor) for tensor in (*(each[3] for each in calls), *inputs)}
        self._moved: dict[int, torch.Tensor] = {}
        self._free: list[torch.Tensor] = []

    def of(self, value: Any) -> Any:
        """The same with tensors where they are."""
        if isinstance(value, torch.Tensor):
            return self._moved.get(id(value), value)
        if isinstance(value, tuple | list):
            return type(value)(self.of(each) for each in value)
        if isinstance(value, dict):
            return {name: self.of(each) for name, each in value.items()}
        return value

    def result(self, at: int) -> torch.Tensor:
        """Where the result of a call goes."""
        call, args, kwargs, result = self._calls[at]
        viewed = id(result) in self._kept and self._last.get(id(result)) is not None
        operands = {id(t): t for t in _tensors((args, kwargs))}
        freed = [self.of(t) for t in operands.values() if self._is_last(t, at)]
        places = (freed if torch.Tag.pointwise in call.tags else []) + self._free
        place = None if viewed else next((p for p in places if _is_alike(p, result)), None)
        self._free = [p for p in (*freed, *self._free) if p is not place]
        if place is None:
            return result
        self._moved[id(result)] = place
        return place

    def _is_last(self, tensor: torch.Tensor, at: int) -> bool:
        """Whether nobody needs an operand after a call."""
        return id(tensor) in self._made - self._kept and self._last[id(tensor)] == at


def _is_alike(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.dtype is b.dtype and a.shape == b.shape and a.stride() == b.stride()


def _same(first: Sequence[Any], second: Sequence[Any]) -> bool:
    pairs = list(zip(first, second, strict=True))
    return all(type(a) is type(b) for a, b in pairs) and all(
        _equal(a, b) if isinstance(a, torch.Tensor) else a == b for a, b in pairs
    )


def _equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    if a.dtype is not b.dtype or a.shape != b.shape:
        return False
    if a.dtype.is_floating_point:
        bits = {8: torch.int64, 4: torch.int32}.get(a.element_size(), torch.int16)
        a, b = a.contiguous().view(bits), b.contiguous().view(bits)
    equal: bool = torch.equal(a, b)
    return equal


class _Recorder(TorchDispatchMode):  # type: ignore[misc]
    """Keeps all calls, with what they returned."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Call] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        self.calls.append((func, args, kwargs or {}, result))
        return result


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _tensors(each)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))


def _step(
    call: Any, args: tuple[Any, ...], kwargs: dict[str, Any], place: torch.Tensor
) -> Callable[[], Any] | None:
    """The call again, into a tensor; torch's function where there is one, which is called faster."""
    if call is torch.ops.aten._to_copy.default or call is torch.ops.aten.clone.default:
        return partial(place.copy_, args[0])
    name = call.overloadpacket.__name__
    trial = torch.empty_like(place)
    for function in (getattr(torch, name, None), getattr(torch._C._nn, name, None), _into(call)):
        if function is not None:
            try:
                function(*args, **kwargs, out=trial)
            except (RuntimeError, TypeError):
                continue
            if _is_alike(trial, place):  # none that has made another one of it
                return partial(function, *args, **kwargs, out=place)
    return None


def _into(call: Any) -> Any:
    """The overload that writes into `out`."""
    wanted = [(each.name, str(each.type)) for each in call._schema.arguments]
    for name in call.overloadpacket.overloads():
        overload = getattr(call.overloadpacket, name)
        given = [(each.name, str(each.type)) for each in overload._schema.arguments]
        if given == [*wanted, ("out", "Tensor")]:
            return overload
    return None
