"""Outputs of torch custom ops: values as the spec's shapes and torch types have them, and the shortest ways to small ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np
import torch

from .checks import Rejected
from .torch_op import CustomOp
from .torch_places import is_view, tensors_of
from .torch_plan import Plan
from .torch_program import Tensors, followed
from .torch_values import HALVES, entered, number, rounded

Reference: TypeAlias = Callable[..., Any]
Direct: TypeAlias = Callable[..., Any]
"""A call by its arguments by position."""
Finisher: TypeAlias = Callable[[Any], torch.Tensor]
_NARROWINGS: dict[torch.dtype, Finisher] = {
    torch.float16: torch.Tensor.half,
    torch.bfloat16: torch.Tensor.bfloat16,
}
_CONVERSIONS: dict[tuple[torch.dtype, torch.dtype], Finisher] = {
    **{(torch.float32, dtype): narrow for dtype, narrow in _NARROWINGS.items()},
    (torch.float64, torch.float32): torch.Tensor.float,
    (torch.int64, torch.int32): torch.Tensor.int,
    (torch.int32, torch.int16): torch.Tensor.short,
    (torch.int32, torch.int8): torch.Tensor.char,
    (torch.int32, torch.uint8): torch.Tensor.byte,
}
_SINGLE = torch.Tensor.float
_MAKING = frozenset(
    {
        "sum",
        "mean",
        "amax",
        "amin",
        "prod",
        "argmax",
        "argmin",
        "cumsum",
        "cat",
        "softplus_backward",
    }
)


def finished(name: str, value: Any, shape: Any, dtype: torch.dtype) -> torch.Tensor:
    """A value as an output: one number fills it, anything else has its shape."""
    made = isinstance(value, torch.Tensor) and value.dtype is not dtype  # no input as it is
    if made and value.shape == shape:
        return rounded(value, dtype).contiguous()
    tensor = number(torch.from_numpy(value) if isinstance(value, np.ndarray) else value)
    if shape is not None and tensor.ndim == 0:
        tensor = tensor.expand(shape)
    if shape is not None and tensor.shape != shape:
        found = list(tensor.shape)
        raise Rejected(f"{name}: a result has shape {found}, the spec says {list(shape)}")
    if tensor.dtype is dtype:  # it may be an input
        return tensor.clone(memory_format=torch.contiguous_format)
    return rounded(tensor, dtype).contiguous()


def finisher(name: str, value: Any, shape: Any, dtype: torch.dtype) -> Finisher:
    """`finished` of values like one that a program leaves."""
    narrow = _NARROWINGS.get(dtype)
    if narrow is not None and _is(value, shape, torch.float32) and value.is_contiguous():
        return narrow
    if _is(value, shape, torch.float64) and value.is_contiguous():
        if dtype is torch.float32:
            return torch.Tensor.float  # type: ignore[no-any-return]
        if dtype is torch.float16:
            return lambda value: value.float().half()
    return lambda value: finished(name, value, shape, dtype)


def computed(name: str, tensors: Tensors, plan: Plan) -> list[torch.Tensor]:
    """The outputs by float32 steps of whole tensors. What a step has made is the output, if it is nothing else, too."""
    assert plan.compute is not None
    inputs = [t if t is None else entered(t, plan.kind, plan.all_real) for t in tensors]
    values: Sequence[Any] = plan.compute(*inputs, *plan.params, plan.types)
    results: list[torch.Tensor] = []
    taken = [_storage(tensor) for tensor in tensors if tensor is not None]
    for value, shape, dtype in zip(values, plan.shapes, plan.dtypes, strict=True):
        if _is(value, shape, dtype) and _storage(value) not in taken:
            results.append(value.contiguous())
        else:
            results.append(finished(name, value, shape, dtype))
        taken += [_storage(value)] if isinstance(value, torch.Tensor) else []
    return results


def direct_call(op: CustomOp, plan: Plan, like: Sequence[Any]) -> Direct:
    """`computed`, of arguments `like` these, without its tests where they cannot fail: a small call is nothing else."""
    count, kind = len(op.inputs), plan.kind
    absent = (None,) * (count - len(like))
    assert plan.compute is not None
    compute = _given(plan.compute, (*absent, *plan.params, plan.types))
    ends = _ends((*like[:count], *absent), plan) if op.outputs[0].variadic is None else None
    end = ends[0] if ends else _contiguous

    def one(*args: Any) -> Any:
        value: Any = compute(*args)[0]
        return value if value.is_contiguous() else value.contiguous()

    def one_ended(*args: Any) -> Any:
        return end(compute(*args)[0])

    def one_converted(*args: Any) -> Any:
        return end(compute(*map(_SINGLE, args))[0])

    def several(*args: Any) -> Any:
        pairs = zip(ends or (), compute(*args[:count]), strict=True)
        return op.packed([finish(value) for finish, value in pairs])

    def converted(*args: Any) -> Any:
        return several(
            *[None if t is None else entered(t, kind, plan.all_real) for t in args[:count]]
        )

    def any_call(*args: Any) -> Any:
        return op.packed(computed(op.name, (*args[:count], *absent), plan))

    if ends is None:
        return any_call
    if len(ends) == 1 and len(like) <= count:
        if plan.single:
            return one if end is _contiguous else one_ended
        if kind is torch.float32 and all(t is not None and t.dtype in HALVES for t in like):
            return one_converted
    return several if plan.single else converted


def _given(compute: Any, rest: tuple[Any, ...]) -> Callable[..., Any]:
    """The computation with its last arguments given: a small call has no time to put them behind the others."""
    return FunctionType(compute.__code__, compute.__globals__, compute.__name__, rest)


def _contiguous(value: Any) -> torch.Tensor:
    made: torch.Tensor = value if value.is_contiguous() else value.contiguous()
    return made


def _converted(narrow: Finisher, value: Any) -> torch.Tensor:
    return _contiguous(narrow(value))


def _copied(value: Any) -> torch.Tensor:
    made: torch.Tensor = value.clone(memory_format=torch.contiguous_format)
    return made


def _ends(tensors: Tensors, plan: Plan) -> list[Finisher] | None:
    """What makes the outputs of what the steps give, however the inputs are stored; None where these say it."""
    compute = plan.compute
    assert compute is not None
    inputs = [
        None if t is None else torch.empty(t.shape, dtype=_inside(t, plan), device="meta")
        for t in tensors
    ]
    try:
        calls, values = followed(lambda given: compute(*given, *plan.params, plan.types), inputs)
    except (RuntimeError, NotImplementedError, TypeError, ValueError):  # it asks for numbers
        return None
    if len(values) != len(plan.dtypes) or len({id(value) for value in values}) < len(values):
        return None
    made = {id(each[3]) for each in calls if _is_making(*each)}
    given = {id(tensor) for tensor in inputs if tensor is not None}
    for call, args, _, result in calls:  # parts of inputs, or these in another order
        if is_view(call) and any(id(each) in given for each in tensors_of(args)):
            given.add(id(result))
    found: list[Finisher] = []
    for value, shape, dtype in zip(values, plan.shapes, plan.dtypes, strict=True):
        if not isinstance(value, torch.Tensor) or value.shape != shape:
            return None
        if value.dtype is dtype and id(value) in made | given:
            found.append(_contiguous if id(value) in made else _copied)
        elif (narrow := _CONVERSIONS.get((value.dtype, dtype))) is not None:
            found.append(partial(_converted, narrow))
        else:
            return None
    return found


def _inside(tensor: torch.Tensor, plan: Plan) -> torch.dtype:
    """The type of a tensor as a computation takes it (`entered`)."""
    return entered(torch.empty(0, dtype=tensor.dtype), plan.kind, plan.all_real).dtype


def _is_making(call: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> bool:
    """Whether a function of aten never returns an operand; copies may be of an operand's elements as they are stored, but
    conversions are not."""
    name = call.overloadpacket.__name__
    if name == "_to_copy":
        converts: bool = args[0].dtype is not result.dtype
        return converts
    if name == "clone" or call._schema.is_mutable:
        return False
    return torch.Tag.pointwise in call.tags or name in _MAKING


def _storage(tensor: torch.Tensor) -> int:
    """Where the elements of a tensor are."""
    place: int = tensor.untyped_storage().data_ptr()
    return place


def _is(value: Any, shape: Any, dtype: torch.dtype) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype is dtype and value.shape == shape


def called(function: Reference, arguments: Mapping[str, Any]) -> list[Any]:
    """The results of a numpy function in one list: arrays, or None."""
    with np.errstate(all="ignore"):
        result = function(**arguments)
    found: list[Any] = []
    for value in result if isinstance(result, tuple | list) else [result]:
        found += value if isinstance(value, tuple | list) else [value]
    return [None if value is None else np.asarray(value) for value in found]


def put(values: Sequence[Any], places: Sequence[torch.Tensor]) -> None:
    """Results of a part in the outputs."""
    for place, value in zip(places, values, strict=True):
        made = number(value)
        if made.dtype is torch.float64 and place.dtype in HALVES:
            made = made.float() if place.dtype is torch.float16 else rounded(made, place.dtype)
        place.copy_(made)  # to float16 through float32, as `rounded` does it
