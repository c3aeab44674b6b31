"""Outputs of torch custom ops: values as the spec's shapes and torch types have them, and the shortest ways to small ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import torch

from .checks import Rejected
from .torch_op import CustomOp
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
_NOT_REAL = (torch.bool, torch.int32)  # results of reals that need no conversion
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
    rest = (*absent, *plan.params, plan.types)
    compute = plan.compute
    assert compute is not None
    narrows = [_NARROWINGS[dtype] for dtype in plan.dtypes if dtype in _NARROWINGS]

    def one(*args: Any) -> Any:
        value: Any = compute(*args, *rest)[0]
        return value if value.is_contiguous() else value.contiguous()

    def several(*args: Any) -> Any:
        values: Any = compute(*args[:count], *rest)
        results = [v if v.is_contiguous() else v.contiguous() for v in values]
        return results[0] if len(results) == 1 else tuple(results)

    def converted(*args: Any) -> Any:
        values: Any = compute(*[None if t is None else t.float() for t in args[:count]], *rest)
        held = [v if v.is_contiguous() else v.contiguous() for v in values]
        results = [narrow(v) for narrow, v in zip(narrows, held, strict=True)]
        return results[0] if len(results) == 1 else tuple(results)

    def raised(*args: Any) -> Any:
        return several(*[None if t is None else entered(t, kind, True) for t in args[:count]])

    def any_call(*args: Any) -> Any:
        return op.packed(computed(op.name, (*args[:count], *absent), plan))

    if op.outputs[0].variadic is None and _makes_new((*like[:count], *absent), plan):
        if plan.single and list(plan.dtypes) == [kind] * len(plan.shapes):
            return one if len(plan.shapes) == 1 and len(like) <= count else several
        if (
            plan.single
            and list(plan.dtypes) in ([torch.bool], [torch.int32])
            and len(like) <= count
        ):
            return one
        if kind is torch.float32 and len(narrows) == len(plan.shapes):
            return converted
        if plan.all_real and list(plan.dtypes) == [kind] * len(plan.shapes):
            return raised
    return any_call


def _makes_new(tensors: Tensors, plan: Plan) -> bool:
    """Whether the steps give tensors as the outputs are, each made by a step that never returns what it was given nor a part
    of that, however the inputs are stored."""
    compute = plan.compute
    assert compute is not None
    kinds = [dtype if dtype in _NOT_REAL else plan.kind for dtype in plan.dtypes]
    inputs = [
        None if t is None else torch.empty(t.shape, dtype=_inside(t, plan), device="meta")
        for t in tensors
    ]
    try:
        calls, values = followed(lambda given: compute(*given, *plan.params, plan.types), inputs)
    except (RuntimeError, NotImplementedError, TypeError, ValueError):  # it asks for numbers
        return False
    made = {id(each[3]) for each in calls if _is_making(*each)}
    alike = len(values) == len(kinds) and all(map(_is, values, plan.shapes, kinds))
    return alike and len({id(v) for v in values} & made) == len(values)


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
