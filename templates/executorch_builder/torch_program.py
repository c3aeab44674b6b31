"""A computation as a straight program: the torch calls that it makes for tensors of one shape, each into a tensor of its own.

Recorded once, it runs without the computation's tests and conversions and without new tensors. It is the same calls of the
same functions. What cannot be recorded (steps that hang on numbers, that change tensors, or have no `out`) stays a computation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .torch_places import Call, Places, Window, is_alike, is_view, tensors_of
from .torch_values import entered

Tensors: TypeAlias = Sequence[torch.Tensor | None]
Compute: TypeAlias = Callable[[Tensors], Sequence[Any]]


@dataclass(frozen=True)
class Program:
    """`takes`: what puts an input in its place for the next run, `take`: all of them; `steps` then leave the results in `values`.

    `lent`: for inputs and for results, the tensors that may stand for one of the caller's instead of a copy; `windows`: kept ones
    over others.
    One thread at a time may run it.
    """

    takes: Sequence[Callable[[Any], Any]]
    take: Callable[[Sequence[Any]], Any]
    steps: Sequence[Callable[[], Any]]
    values: Sequence[Any]
    lent: tuple[Sequence[Window | None], Sequence[Window | None]]
    windows: dict[int, Window] = field(default_factory=dict)

    def run(self) -> Sequence[Any]:
        for step in self.steps:
            step()
        return self.values


def recorded(
    compute: Compute,
    tensors: Tensors,
    cut: Sequence[bool],
    kind: torch.dtype,
    in_parts: bool = False,
    all_real: bool = False,
) -> Program | None:
    """The program of a computation of tensors like these, whose results must be those of the computation to the last bit.

    `cut`: the inputs that each run gets anew; it leaves the others as they are. `kind`: the type of reals, `all_real`: of integers, too. `in_parts`:
    the tensors are parts, which need not be copied. None when there is no program.
    """
    with torch.inference_mode(False), torch.no_grad():
        inputs, values = (_copies(tensors, kind, all_real) for _ in range(2))
        takes = [_take(tensor, place) for tensor, place in zip(tensors, inputs, strict=True)]
        lends = [
            in_parts and each and t is not None and place is not None and t.dtype is place.dtype
            for t, place, each in zip(tensors, inputs, cut, strict=True)
        ]
        program = _recorded(compute, inputs, takes, cut, lends)
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


def _take_all(
    takes: Sequence[Callable[[Any], Any]], places: Tensors
) -> Callable[[Sequence[Any]], Any]:
    """`takes` of the inputs of a call, of which the last may be absent; one function of torch where all are copies."""
    copied = [
        p for p, take in zip(places, takes, strict=True) if p is not None and _copies_to(p, take)
    ]
    together: Callable[..., Any] | None = getattr(torch, "_foreach_copy_", None)
    if together is not None and 1 < len(copied) == len(takes):
        return partial(together, copied)

    def take(tensors: Sequence[Any]) -> None:
        for each, tensor in zip(takes, tensors, strict=False):
            each(tensor)

    return take


def _copies_to(place: torch.Tensor, take: Callable[[Any], Any]) -> bool:
    return getattr(take, "__self__", None) is place


def _copies(tensors: Tensors, kind: torch.dtype, all_real: bool) -> Tensors:
    """New tensors of a computation's types."""
    whole = torch.contiguous_format
    return [
        None if t is None else entered(t, kind, all_real).clone(memory_format=whole)
        for t in tensors
    ]


def _recorded(
    compute: Compute,
    inputs: Tensors,
    takes: Sequence[Callable[[Any], Any]],
    cut: Sequence[bool],
    lends: Sequence[bool],
) -> Program | None:
    """The program, not tried yet. `lends`: the inputs that may be the caller's own tensors."""
    followed_calls, values = followed(compute, inputs)
    calls = _hanging(followed_calls, inputs)
    if calls is None:
        return None
    viewed = {id(t) for each in calls if is_view(each[0]) for t in tensors_of(each[1:])}
    loans = [
        Window(place) if each and place is not None and id(place) not in viewed else None
        for place, each in zip(inputs, lends, strict=True)
    ]
    again = [
        t
        for t, each, loan in zip(inputs, cut, loans, strict=True)
        if each and t is not None and loan is None
    ]
    places = Places(calls, values, again)
    steps: list[Callable[[], Any]] = []
    for at, (call, args, kwargs, _) in enumerate(calls):
        if not is_view(call):
            step = _step(call, places.of(args), places.of(kwargs), places.result(at))
            if step is None:
                return None
            steps.append(step)
    made = {id(each[3]) for each in calls if not is_view(each[0])} - viewed
    results = [places.of(value) for value in values]
    once = len({id(result) for result in results}) == len(results)
    given = [
        Window(result) if once and id(value) in made else None
        for value, result in zip(values, results, strict=True)
    ]
    return Program(takes, _take_all(takes, inputs), steps, results, (loans, given))


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
        if any(id(tensor) in alive for tensor in tensors_of((args, kwargs))):
            if not isinstance(result, torch.Tensor) or call._schema.is_mutable:
                return None
            found.append(each)
            alive.add(id(result))
    return found


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


def _step(
    call: Any, args: tuple[Any, ...], kwargs: dict[str, Any], place: torch.Tensor
) -> Callable[[], Any] | None:
    """The call again, into a tensor; torch's function where there is one, which is called faster."""
    if call is torch.ops.aten._to_copy.default or call is torch.ops.aten.clone.default:
        return partial(place.copy_, args[0])
    name = call.overloadpacket.__name__
    if args and args[0] is place and not kwargs and torch.Tag.pointwise in call.tags:
        within = getattr(place, f"{name}_", None)  # called faster than with `out`
        if within is not None:
            return partial(within, *args[1:])
    for function in (getattr(torch, name, None), getattr(torch._C._nn, name, None), _into(call)):
        if function is not None and _writes(function, args, kwargs, place):
            return partial(function, *args, **kwargs, out=place)
    return None


def _writes(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], place: torch.Tensor
) -> bool:
    """Whether a function writes into an `out` like a place, and makes no other one of it. Places have any numbers yet, also 0
    as a divisor of integers."""
    trial = torch.empty_like(place)
    try:
        function(*args, **kwargs, out=trial)
    except TypeError:
        return False
    except RuntimeError as error:
        if "ZeroDivisionError" not in str(error):
            return False
    return is_alike(trial, place)


def _into(call: Any) -> Any:
    """The overload that writes into `out`."""
    wanted = [(each.name, str(each.type)) for each in call._schema.arguments]
    for name in call.overloadpacket.overloads():
        overload = getattr(call.overloadpacket, name)
        given = [(each.name, str(each.type)) for each in overload._schema.arguments]
        if given == [*wanted, ("out", "Tensor")]:
            return overload
    return None
