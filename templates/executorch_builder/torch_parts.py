"""Computations part by part: where the parts are, and programs that compute them one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from .torch_places import Window
from .torch_plan import Cut, Plan
from .torch_program import Program, Tensors
from .torch_results import put


def placed(
    tensors: Tensors, plan: Plan, device: torch.device
) -> tuple[list[torch.Tensor], Tensors, list[torch.Tensor], Cut]:
    """New outputs, then inputs and outputs as they are cut, and how."""
    pairs = zip(plan.shapes, plan.dtypes, strict=True)
    made = [torch.empty(shape, dtype=dtype, device=device) for shape, dtype in pairs]
    outs = [out.view(-1) for out in made] if plan.flat else made
    if plan.flat:
        tensors = [None if t is None else t.reshape(-1) for t in tensors]
    return made, tensors, outs, Cut(outs[0].ndim, plan.dim, outs[0].shape[plan.dim], plan.rows)


def by_program(program: Program, tensors: Tensors, outs: Sequence[torch.Tensor], cut: Cut) -> None:
    """Part by part."""
    windows: list[Window] = []
    before: list[Callable[[int], Any]] = []
    after: list[Callable[[int], Any]] = []
    loans, given = program.lent
    for take, loan, tensor in zip(program.takes, loans, tensors, strict=False):
        if tensor is None or not cut.cuts(tensor):
            take(tensor)
            continue
        row = cut.row(tensor)
        if not row:
            before.append(partial(_take, take, cut, tensor))
            continue
        window = loan or Window(tensor.new_empty(0), cut.size_of(tensor))
        window.over(tensor, row)
        windows.append(window)
        if loan is None:
            before.append(partial(_copy, take, window))
    for loan, value, out in zip(given, program.values, outs, strict=True):
        row = cut.row(out)
        if loan is not None and row and value.dtype is out.dtype:
            loan.over(out, row)
            windows.append(loan)
        else:
            after.append(partial(_give, value, cut, out))
    for start in cut.starts():
        for window in windows:
            window.at(start)
        for move in before:
            move(start)
        for step in program.steps:
            step()
        for move in after:
            move(start)
    for window in windows:
        window.back()


def _take(take: Callable[[Any], Any], cut: Cut, tensor: torch.Tensor, start: int) -> None:
    take(cut.part(tensor, start, cut.rows))


def _give(value: Any, cut: Cut, out: torch.Tensor, start: int) -> None:
    put((value,), (cut.part(out, start, cut.rows),))


def _copy(take: Callable[[Any], Any], window: Window, start: int) -> None:
    take(window.place)
