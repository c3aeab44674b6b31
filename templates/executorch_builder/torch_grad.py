"""Gradients of the torch custom ops: those that torch derives of a computation, or a numpy function's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch.autograd import forward_ad

from .torch_eager import Eager
from .torch_keys import is_plain
from .torch_op import CustomOp
from .torch_planning import planned
from .torch_record import Given, listed
from .torch_results import called

# Keys below autograd of a call on the processor that nothing traces: the computation is next.
_PLAIN = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU).raw_repr()
_BELOW = torch._C._after_autograd_keyset
_PLAIN_KEYS: set[int] = set()  # whole sets of keys of which what is below autograd is _PLAIN
_TRANSFORM = torch._C._functorch.peek_interpreter_stack  # the innermost of torch.func, or None
_DERIVES = (torch._C._functorch.TransformType.Grad, torch._C._functorch.TransformType.Jvp)


def define_gradient(library: torch.library.Library, op: CustomOp, eager: Eager) -> None:
    """Makes an op of the library differentiable. What `backward:` names is an op of its own, so that it can be traced."""
    overload = getattr(getattr(torch.ops, library.ns), op.name).default
    library.impl(op.name, differentiable(eager, overload), "Autograd", with_keyset=True)
    if eager.derives:
        library.impl(op.name, partial(_in_steps, eager), "FuncTorchBatchedDecomposition")
    if eager.backward is None:
        return
    name, (_, _, arguments) = gradient_name(op), op.schema.partition("(")
    arguments = arguments.rpartition(" -> ")[0]
    schema = f"{name}(Tensor?[] {_grads(op)}, {arguments} -> Tensor[]"
    library.define(schema, tags=(torch.Tag.pt2_compliant_tag,))
    library.impl(name, partial(_gradient, eager), "CompositeExplicitAutograd")
    torch.library.register_fake(f"{library.ns}::{name}", partial(_fake_gradient, op), lib=library)


def gradient_name(op: CustomOp) -> str:
    """The torch op that computes the gradient by a numpy function."""
    return f"_gradient_of_{op.name}"


def _grads(op: CustomOp) -> str:
    """The argument with the gradients of the results."""
    return "grads_" if "grads" in (*op.inputs, *op.params) else "grads"


def differentiable(eager: Eager, overload: Any) -> Callable[..., Any]:
    """What the dispatcher calls for gradients' sake. A small call is little more than this: what is known of calls like it
    comes first."""
    known, frozen, derived, seen = eager.known, eager.frozen, eager.derived, eager.seen

    def call(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        if keyset.raw_repr() in _PLAIN_KEYS and not kwargs and forward_ad._current_level < 0:
            key = seen(*args)
            direct = known.get(key)
            if direct is None:
                direct = (derived if torch.is_grad_enabled() else frozen).get(key)
            if direct is not None:
                return direct(*args)
        return _derivable(eager, overload, keyset, args, kwargs)

    return call


def _derivable(
    eager: Eager, overload: Any, keyset: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """The op as steps that torch derives gradients of, or, where it is traced or has a numpy function, with a formula for its
    backward. Transforms of torch.func, and forward differentiation, see the steps in float64."""
    transform = _TRANSFORM()
    if forward_ad._current_level >= 0 or (transform is not None and transform.key() in _DERIVES):
        given = eager.op.bind(args, kwargs)
        if any(_is_tracked(tensor) for tensor in eager.op.tensors(given)):
            if not eager.derives:
                raise NotImplementedError(_no_transform(eager))
            return _in_steps(eager, *args, **kwargs)
    is_watched = (keyset & _BELOW).raw_repr() != _PLAIN
    if torch.is_grad_enabled() and _may_require(args, kwargs):
        given = eager.op.bind(args, kwargs)
        tensors = list(eager.op.tensors(given))
        in_steps = eager.derives and not is_watched and all(map(is_plain, tensors))
        if not in_steps and any(t.requires_grad for t in tensors):
            below = _Below(overload, keyset & _BELOW)
            formula = _Derived if eager.derives else _Referred
            return eager.op.packed(list(formula.apply(eager, below, given, *tensors)))
    if not is_watched:
        _PLAIN_KEYS.add(keyset.raw_repr())
        return eager(*args, **kwargs)
    return overload.redispatch(keyset & _BELOW, *args, **kwargs)


def _may_require(args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    for value in (*args, *kwargs.values()) if kwargs else args:
        if isinstance(value, torch.Tensor):
            if value.requires_grad:
                return True
        elif isinstance(value, list):  # a variadic input, or numbers
            return True
    return False


def _in_steps(eager: Eager, *args: Any, **kwargs: Any) -> Any:
    """The op as steps of torch, which its transforms know."""
    given = eager.op.bind(args, kwargs)
    return eager.op.packed(eager.whole(given, planned(eager.op, given)))


def _is_tracked(tensor: torch.Tensor) -> bool:
    """Whether a transform, or forward differentiation, wants the derivative by a tensor."""
    return tensor.requires_grad or forward_ad.unpack_dual(tensor).tangent is not None


class _Below:
    """The op without gradients, as the dispatcher goes on: into a tracer, a fake tensor's rule or the computation."""

    def __init__(self, overload: Any, keyset: Any) -> None:
        self.overload, self.keyset = overload, keyset

    def __call__(self, given: Given) -> list[torch.Tensor]:
        known = {name: value for name, value in given.items() if value is not None}
        return listed(self.overload.redispatch(self.keyset, **known))


class _Derived(torch.autograd.Function):  # type: ignore[misc]
    """Of `compute:`, or a pattern, where calls are traced: torch differentiates the generated code, which is computed again."""

    @staticmethod
    def forward(
        ctx: Any, eager: Eager, below: _Below, given: Given, *tensors: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*tensors)
        ctx.eager, ctx.given = eager, _without_tensors(eager, given)
        made = tuple(below(given))
        ctx.mark_non_differentiable(*(t for t in made if not t.dtype.is_floating_point))
        return made

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor | None) -> tuple[torch.Tensor | None, ...]:
        with torch.enable_grad():
            leaves = [t.view_as(t) if t.requires_grad else t for t in ctx.saved_tensors]
        results = _recomputed(ctx, leaves)
        pairs = zip(results, grads, strict=True)
        used = [(y, g) for y, g in pairs if g is not None and y.requires_grad]
        places = [at for at, leaf in enumerate(leaves) if leaf.requires_grad]
        found: list[torch.Tensor | None] = [None] * len(leaves)
        if used:
            derived = torch.autograd.grad(
                [y for y, _ in used],
                [leaves[at] for at in places],
                [g for _, g in used],
                create_graph=torch.is_grad_enabled(),
                allow_unused=True,
            )
            for at, grad in zip(places, derived, strict=True):
                found[at] = grad
        return (None, None, None, *found)


class _Referred(torch.autograd.Function):  # type: ignore[misc]
    """Of `reference:`: the numpy function that `backward:` names, once; without it an error that names the op.

    In a traced graph its op stands, whose gradients that are None are zeros.
    """

    @staticmethod
    def forward(
        ctx: Any, eager: Eager, below: _Below, given: Given, *tensors: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*tensors)
        ctx.eager, ctx.given = eager, _without_tensors(eager, given)
        ctx.space = below.overload.namespace
        made = tuple(below(given))
        ctx.mark_non_differentiable(*(t for t in made if not t.dtype.is_floating_point))
        return made

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor | None) -> tuple[torch.Tensor | None, ...]:
        eager: Eager = ctx.eager
        tensors = ctx.saved_tensors
        if eager.backward is None:
            raise NotImplementedError(_no_gradient(eager))
        given = _with_tensors(eager, ctx.given, tensors)
        made: Sequence[torch.Tensor | None]
        with torch.no_grad():
            if all(_is_real(t) for t in (*tensors, *grads) if t is not None):
                made = _referred(eager, given, tensors, grads)
            else:
                call = getattr(getattr(torch.ops, ctx.space), gradient_name(eager.op))
                made = call(list(grads), **{n: v for n, v in given.items() if v is not None})
        if torch.is_grad_enabled():  # somebody may differentiate these gradients
            hang_on = [t for t in (*tensors, *grads) if t is not None]
            made = [g if g is None else _Once.apply(eager, g, *hang_on) for g in made]
        return (None, None, None, *made)


class _Once(torch.autograd.Function):  # type: ignore[misc]
    """A gradient that `backward:` made of tensors, which nobody can differentiate again. (torch's once_differentiable says so
    only where the gradient that it was made of has one.)"""

    @staticmethod
    def forward(ctx: Any, eager: Eager, grad: torch.Tensor, *tensors: torch.Tensor) -> torch.Tensor:
        ctx.eager = eager
        return grad.view_as(grad)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> None:
        name = ctx.eager.op.name
        how = "backward: is differentiated once only; write compute:"
        raise NotImplementedError(f"{name} has no gradient of its gradient: {how}")


def _referred(
    eager: Eager,
    given: Given,
    tensors: Sequence[torch.Tensor],
    grads: Sequence[torch.Tensor | None],
) -> list[torch.Tensor | None]:
    """What the numpy function says of the gradients of the tensors of a call."""
    assert eager.backward is not None
    plan = eager.plan(given)
    arguments = eager.arguments(given, plan)
    for output, grad, shape in zip(eager.op.outputs, grads, plan.shapes, strict=True):
        known = grad.detach().cpu().double().numpy() if grad is not None else np.zeros(shape)
        arguments[f"grad_{output.name}"] = known
    found = called(eager.backward, arguments)
    name = f"{eager.op.name}: the gradient"
    if len(found) != len(eager.op.inputs):
        raise ValueError(f"{name} has {len(found)} results for {len(eager.op.inputs)} inputs")
    found = [g for g, each in zip(found, eager.op.inputs, strict=True) if given[each] is not None]
    made: list[torch.Tensor | None] = []
    for grad, tensor in zip(found, tensors, strict=True):
        if grad is not None and grad.shape != tuple(tensor.shape):
            have, want = list(grad.shape), list(tensor.shape)
            raise ValueError(f"{name} of an input has shape {have}, the input {want}")
        made.append(None if grad is None else torch.from_numpy(grad).to(tensor))
    return made


def _gradient(
    eager: Eager, grads: Sequence[torch.Tensor | None], *args: Any, **kwargs: Any
) -> list[torch.Tensor]:
    """The op of `gradient_name` on real tensors."""
    given = eager.op.bind(args, kwargs)
    tensors = list(eager.op.tensors(given))
    found = zip(_referred(eager, given, tensors, grads), tensors, strict=True)
    return [_filled(t) if g is None else g.contiguous() for g, t in found]


def _fake_gradient(op: CustomOp, grads: Any, *args: Any, **kwargs: Any) -> list[torch.Tensor]:
    return [_filled(t) for t in op.tensors(op.bind(args, kwargs))]


def _filled(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.new_zeros(tensor.shape)


def _recomputed(ctx: Any, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """The results with the graph that torch derives gradients of."""
    eager: Eager = ctx.eager
    given = _with_tensors(eager, ctx.given, tensors)
    with torch.enable_grad():
        real = all(_is_real(tensor) for tensor in tensors)
        plan = eager.plan(given) if real else planned(eager.op, given)
        return eager.whole(given, plan, plan.kind)


def _is_real(tensor: torch.Tensor) -> bool:
    return type(tensor) in (torch.Tensor, torch.nn.Parameter)


def _without_tensors(eager: Eager, given: Given) -> Given:
    """The arguments of a call with the number of tensors in place of these: what may be kept until the backward pass."""
    shown = {name: given[name] for name in eager.op.inputs}
    counts = {n: len(v) if isinstance(v, list | tuple) else v is not None for n, v in shown.items()}
    return {**given, **counts}


def _with_tensors(eager: Eager, given: Given, tensors: Sequence[torch.Tensor]) -> Given:
    """The arguments again."""
    left, found = list(tensors), dict(given)
    for name in eager.op.inputs:
        count = given[name]
        if isinstance(count, bool):
            found[name] = left.pop(0) if count else None
        else:
            found[name] = [left.pop(0) for _ in range(count)]
    return found


def _no_transform(eager: Eager) -> str:
    name = eager.op.schema.partition("(")[0]
    how = (
        "backward() takes the function that backward: names" if eager.backward else "write compute:"
    )
    return f"{name} has no derivative in torch.func and forward differentiation: the spec has no compute: that one could be derived of; {how}"


def _no_gradient(eager: Eager) -> str:
    name = eager.op.schema.partition("(")[0]
    how = "name its numpy function with backward: beside reference:, or write compute:"
    return f"{name} has no gradient: the spec has no compute: that one could be derived of; {how}"
