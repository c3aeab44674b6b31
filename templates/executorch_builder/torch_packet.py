"""Calls of torch custom ops that nothing watches: what is known of calls like them computes them before torch's dispatcher is
asked, whose way to a Python function takes as long as a small computation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._ops import OpOverloadPacket
from torch.autograd import forward_ad

from .torch_eager import Eager

# What the dispatcher would have to do with a call of plain tensors on the processor: each is 0 or None where it has nothing.
_WATCHES = (
    "_len_torch_function_stack",
    "_len_torch_dispatch_stack",
    "_is_tracing",
    "_autograd._profiler_enabled",
    "_functorch.peek_interpreter_stack",
)


def quicken(packet: Any, eager: Eager) -> None:
    """Makes `torch.ops.<namespace>.<op>` ask for known calls first, if this torch says what is to be asked."""
    watches = [each for each in (_of(torch._C, name) for name in _WATCHES) if each is not None]
    if type(packet) is OpOverloadPacket and len(watches) == len(_WATCHES):
        packet.__class__ = _quick(eager, *watches)


def slow(packet: Any) -> None:
    """The packet as torch made it."""
    if isinstance(packet, OpOverloadPacket):
        packet.__class__ = OpOverloadPacket


def _of(module: Any, name: str) -> Callable[[], Any] | None:
    """A function of torch, None where this torch has none."""
    for part in name.split("."):
        module = getattr(module, part, None)
    return module if callable(module) else None


def _quick(
    eager: Eager,
    functions: Callable[[], Any],
    modes: Callable[[], Any],
    is_tracing: Callable[[], Any],
    is_profiled: Callable[[], Any],
    transform: Callable[[], Any],
) -> type[OpOverloadPacket[Any, Any]]:
    """The class of the packet of one op. Keys of calls say that tensors are plain (`torch_keys`)."""
    known, frozen, derived, seen = eager.known, eager.frozen, eager.derived, eager.seen
    asks_gradients = torch.is_grad_enabled

    class Packet(OpOverloadPacket[Any, Any]):  # type: ignore[misc]
        def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
            if not kwargs:
                try:
                    key = seen(*args)
                    direct = known.get(key)
                    if direct is None:
                        direct = (derived if asks_gradients() else frozen).get(key)
                except (AttributeError, RuntimeError, TypeError):
                    direct = None  # no such tensors, or another number of arguments
                if direct is not None and not (
                    modes()
                    or functions()
                    or is_tracing()
                    or is_profiled()
                    or transform()
                    or forward_ad._current_level >= 0
                ):
                    return direct(*args)
            return self._op(*args, **kwargs)

    Packet.__name__ = Packet.__qualname__ = OpOverloadPacket.__name__
    return Packet
