"""Reads scales from a quantized model: those of its inputs and of its outputs."""

from __future__ import annotations

from typing import Any

import torch

Grid = tuple[float, float, float, float]  # scale, zero point, least and greatest stored number


def _grid(node: Any) -> Grid | None:
    """Of a quantize or dequantize node with one scale for the whole tensor."""
    if "quantize_per_tensor" not in str(node.target):
        return None
    scale, zero, low, high = node.args[1:5]
    return float(scale), float(zero), float(low), float(high)


def on_grid(model: Any, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
    """The inputs as the model's first quantize nodes see them, so that quantizing them rounds nothing."""
    places = [node for node in model.graph.nodes if node.op == "placeholder"]
    found = []
    for place, tensor in zip(places, inputs, strict=True):
        grids = [grid for grid in map(_grid, place.users) if grid is not None]
        if grids and tensor.is_floating_point():
            scale, zero, low, high = grids[0]
            stored = torch.clamp(torch.round(tensor / scale) + zero, low, high)
            tensor = (stored - zero) * scale
        found.append(tensor)
    return tuple(found)


def grids(model: Any, count: int) -> list[Grid | None]:
    """Scale, zero point and ends of each output; None for those that are not quantized."""
    output = next(node for node in model.graph.nodes if node.op == "output")
    flat = list(output.args[0]) if isinstance(output.args[0], list | tuple) else [output.args[0]]
    return [_grid(node) for node in flat[:count]]


def own_scale(model: Any, op: str, count: int) -> list[float | None]:
    """The scale of each output of the first node of a torch op, before what stands behind it."""
    node = next(node for node in model.graph.nodes if str(node.target) == op)
    found: list[float | None] = [None] * count
    for user in node.users:
        part = "getitem" in str(user.target)
        at, users = (int(user.args[1]), list(user.users)) if part else (0, [user])
        grid = next((grid for grid in map(_grid, users) if grid is not None), None)
        found[at] = found[at] if grid is None else grid[0]
    return found
