"""Outputs of torch custom ops: values as the spec's shapes and torch types have them, and the shortest ways to small ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import torch

from .checks import Rejected
from .torch_op import CustomOp
from .torch_plan import Plan
from .torch_program import Tensors
from .torch_values import HALVES, entered, number, rounded

Reference: TypeAlias = Callable[..., Any]
Direct: TypeAlias = Callable[[Sequence[Any]], Any]
"""A call by its arguments, as the dispatcher gives them."""
Finisher: TypeAlias = Callable[[Any], torch.Tensor]


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
    if _is(value, shape, torch.float32) and dtype is torch.float16 and value.is_contiguous():
        half: Finisher = torch.Tensor.half
        return half
    return lambda value: finished(name, value, shape, dtype)


def computed(name: str, tensors: Tensors, plan: Plan) -> list[torch.Tensor]:
    """The outputs by float32 steps of whole tensors. What a step has made is the output, if it is nothing else, too."""
    assert plan.compute is not None
    inputs = [t if t is None else entered(t, plan.kind) for t in tensors]
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
    """`computed`, of arguments `like` these, with few tests: a small call is nothing else. Types and shapes of what the steps
    give are those of the first such call."""
    count, kind = len(op.inputs), plan.kind
    absent = (None,) * (count - len(like))
    rest = (*absent, *plan.params, plan.types)
    known, dtype = False, plan.dtypes[0]
    compute = plan.compute
    assert compute is not None

    def one(args: Sequence[Any]) -> Any:
        nonlocal known
        value: Any = compute(*args[:count], *rest)[0]
        if known or (_is(value, plan.shapes[0], dtype) and _are_apart([value], args)):
            known = True
            for arg in args:
                if value is arg:
                    return value.clone(memory_format=torch.contiguous_format)
            return value if value.is_contiguous() else value.contiguous()
        return finished(op.name, value, plan.shapes[0], dtype)

    def converted(args: Sequence[Any]) -> Any:
        nonlocal known
        singles = [arg if arg is None else arg.float() for arg in args[:count]]
        values: Any = compute(*singles, *rest)
        if known or all(map(_is, values, plan.shapes, [kind] * len(values))):
            known = True
            halves = [(v if v.is_contiguous() else v.contiguous()).half() for v in values]
            return halves[0] if len(halves) == 1 else tuple(halves)
        return any_call(args)

    def several(args: Sequence[Any]) -> Any:
        nonlocal known
        values: Any = compute(*args[:count], *rest)
        fit = known or all(map(_is, values, plan.shapes, plan.dtypes))
        if known or (fit and _are_apart(values, args)):
            known = True
            if _are_new(values, args):
                return values
        return any_call(args)

    def any_call(args: Sequence[Any]) -> Any:
        return op.packed(computed(op.name, (*args[:count], *absent), plan))

    if plan.single and len(plan.shapes) == 1 and dtype in (kind, torch.bool):
        return one
    if kind is torch.float32 and all(each is torch.float16 for each in plan.dtypes):
        return converted
    if plan.single and len(plan.shapes) > 1 and all(each is kind for each in plan.dtypes):
        return several
    return any_call


def _are_new(values: Sequence[torch.Tensor], tensors: Tensors) -> bool:
    """Whether results are tensors of their own, and stored as outputs are."""
    seen = {id(tensor) for tensor in tensors}
    for value in values:
        if id(value) in seen or not value.is_contiguous():
            return False
        seen.add(id(value))
    return True


def _storage(tensor: torch.Tensor) -> int:
    """Where the elements of a tensor are."""
    place: int = tensor.untyped_storage().data_ptr()
    return place


def _are_apart(values: Sequence[torch.Tensor], args: Sequence[Any]) -> bool:
    """Whether results share no elements with each other and with inputs, of which they may be views."""
    tensors = (*values, *(arg for arg in args if isinstance(arg, torch.Tensor)))
    places = [_storage(tensor) for tensor in tensors]
    return all(places.count(place) == 1 for place in places[: len(values)])


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
        halved = place.dtype in HALVES and made.dtype is torch.float64
        place.copy_(rounded(made, place.dtype) if halved else made)
