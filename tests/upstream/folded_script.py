"""Runs in the interpreter that has the wheel: models whose constants our builders make, lowered and run.

Prints a line of JSON for each: delegates, operators on the CPU, operators of QNN, nodes that our builders and others made, the
largest difference from PyTorch.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import qti_aisw_executorch
import torch
from executorch.backends.qualcomm.builders import node_visitor_manager
from opkg_executorch import lowering
from opkg_executorch.upstream_watch import Watch


class Model(torch.nn.Module):
    """A function between two convolutions, where the backend has another layout."""

    def __init__(self, function: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(3, 3, 3, padding=1)
        self.second = torch.nn.Conv2d(3, 3, 1)
        self.function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(self.function(self.first(x)))


class Plain(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: torch.Tensor) -> object:
        return self.function(*inputs)


def filled(x: torch.Tensor) -> torch.Tensor:
    """`full` of a shape that is broadcast, `full_like` of the layout that the backend has chosen."""
    return x * torch.full_like(x, -1.5) + torch.full((1, 3, 1, 5), 0.25)


def counted(x: torch.Tensor) -> torch.Tensor:
    """Whole numbers downwards, real ones in steps, and one number."""
    steps = torch.arange(0.0, 1.6, 0.1) * torch.arange(7, -9, -1).float()
    return torch.where(x > 0, x + steps, torch.scalar_tensor(-0.5))


def returned(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A constant that the model returns: an op makes it."""
    return x + 1, torch.full((2, 3), 4.0)


def normed(x: torch.Tensor) -> torch.Tensor:
    """A batch norm without statistics, of one image."""
    return torch.nn.functional.batch_norm(x, None, None, training=True)


def replaced(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """A copy that broadcasts."""
    whole = x.clone()
    whole[:] = y
    return whole + x


MODELS = {
    "filled": (Model(filled), [(1, 3, 4, 5)], "float"),
    "filled in 8 bits": (Model(filled), [(1, 3, 4, 5)], "8a8w"),
    "counted": (Plain(counted), [(3, 16)], "float"),
    "returned": (Plain(returned), [(2, 3)], "float"),
    "normed": (Plain(normed), [(1, 17, 6, 6)], "float"),
    "replaced": (Plain(replaced), [(2, 3, 17), (3, 1)], "float"),
}
NAMES = ("full", "full_like", "arange", "scalar_tensor", "no_stats", "copy")

print("LEFT", json.dumps(sorted({*node_visitor_manager._node_visitor_dict} - {*qti_aisw_executorch.TARGETS})))
qti_aisw_executorch.register()
watch = Watch(["qti_aisw_executorch"])
watch.install()
for name, (model, shapes, mode) in MODELS.items():
    torch.manual_seed(1)
    inputs = tuple(torch.randn(shape) * 2 for shape in shapes)
    model = model.eval() if mode == "float" else lowering.quantize(model.eval(), inputs, mode)
    watch.clear()
    made = lowering.lower(model, inputs, mode)
    ours, others, _ = watch.counts()
    with torch.no_grad():
        wanted = model(*inputs)
    outputs = lowering.execute(made.pte, inputs)
    pairs = zip([wanted] if torch.is_tensor(wanted) else wanted, outputs, strict=True)
    far = [float((a - b).abs().max() / a.abs().max()) for a, b in pairs]
    named = {key: count for key, count in ours.items() if any(part in NAMES for part in key.split(".")[1:])}
    print("MODEL", json.dumps([name, made.delegates, list(made.on_cpu), named, others, max(far)]))
