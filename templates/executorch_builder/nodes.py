"""What builders see of the nodes of a graph: tensors, parts, layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .checks import Tensor
from .constants import TORCH_NAMESPACE
from .wheel import QCOM_AXIS_ORDER

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Argument:
    """A tensor of the node: its source, its value or shape, and what the checks see of it."""

    source: torch.fx.Node
    tensor: torch.Tensor
    info: Tensor
    index: int = 0
    static: bool = False
    part: torch.fx.Node | None = None  # what takes this one of several outputs


def is_real(node: torch.fx.Node) -> bool:
    """Whether a node has floats."""
    return bool(node.meta["val"].is_floating_point())


def part_of(node: torch.fx.Node, index: int) -> torch.fx.Node | None:
    """What takes one of the node's outputs."""
    return next((user for user in node.users if user.args[1:] == (index,)), None)


def axis_order(node: torch.fx.Node) -> list[int] | None:
    """Order of the dimensions that the backend chose for the node; None when it is torch's."""
    order = node.meta.get(QCOM_AXIS_ORDER)
    return None if order is None else list(order)


def nominal(dim: Any) -> int:
    """A dimension; of a dynamic one, the size it was traced with."""
    return dim if isinstance(dim, int) else int(dim.node.hint)


def is_alone(target: Any) -> bool:
    """Whether a node calls an op of ours that does not become torch ops where nobody takes it."""
    overload = getattr(target, "_op", None)
    ours = getattr(target, "__name__", "").startswith(f"{TORCH_NAMESPACE}.")
    if not ours or overload is None:
        return False
    from torch._C import DispatchKey

    return not overload.has_kernel_for_dispatch_key(DispatchKey.CompositeImplicitAutograd)
