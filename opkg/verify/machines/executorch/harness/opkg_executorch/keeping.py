"""Keeps a program that ran, with what a run of it elsewhere needs: the .pte, its contexts, inputs and right outputs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from opkg_executorch.lowering import Lowered

PROGRAM = "model.pte"


def keep(
    folder: Path,
    lowered: Lowered,
    inputs: Sequence[torch.Tensor],
    expected: Sequence[torch.Tensor],
    grids: Sequence[Any],
) -> None:
    """Writes them; `program.json` has shapes, element types and the steps of quantized outputs, in the program's order.
    `grids`: of each output, scale first; None where it is not quantized."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PROGRAM).write_bytes(lowered.pte)
    for number, context in enumerate(lowered.contexts):
        (folder / f"context.{number}").write_bytes(context)
    facts = {kind: [_raw(folder / f"{kind}.{at}", each) for at, each in enumerate(tensors)]
             for kind, tensors in (("input", inputs), ("output", expected))}  # fmt: skip
    for output, grid in zip(facts["output"], grids, strict=True):
        output["step"] = None if grid is None else float(grid[0])
    (folder / "program.json").write_text(json.dumps(facts), encoding="utf-8")


def _raw(path: Path, tensor: torch.Tensor) -> dict[str, Any]:
    array = tensor.detach().contiguous().numpy()
    path.write_bytes(array.tobytes())
    return {"type": str(array.dtype), "dims": list(array.shape)}
