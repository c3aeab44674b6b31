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
) -> tuple[list[torch.Tensor], Tensors, Cut]:
    """New outputs, the inputs, and how both are cut."""
    pairs = zip(plan.shapes, plan.dtypes, strict=True)
    made = [torch.empty(shape, dtype=dtype, device=device) for shape, dtype in pairs]
    first = made[0]
    if plan.flat:
        tensors = [t if t is None or t.is_contiguous() else t.reshape(-1) for t in tensors]
        return made, tensors, Cut(1, 0, first.numel(), plan.rows, True)
    return made, tensors, Cut(first.ndim, plan.dim, first.shape[plan.dim], plan.rows)


def by_program(program: Program, tensors: Tensors, outs: Sequence[torch.Tensor], cut: Cut) -> None:
    """Part by part."""
    windows: list[Window] = []
    before: list[Callable[[int], Any]] = []
    after: list[Callable[[int], Any]] = []
    loans, given = program.lent
    for at, (take, tensor) in enumerate(zip(program.takes, tensors, strict=False)):
        if tensor is None or not cut.cuts(tensor):
            take(tensor)
            continue
        row = cut.row(tensor)
        if not row:
            before.append(partial(_take, take, cut, tensor))
            continue
        loan = loans[at]
        window = loan or _window(program, at, tensor, cut)
        window.over(tensor, row)
        windows.append(window)
        if loan is None:
            before.append(partial(_copy, take, window))
    for at, (loan, value, out) in enumerate(zip(given, program.values, outs, strict=True)):
        row = cut.row(out)
        if row and loan is not None and value.dtype is out.dtype:
            loan.over(out, row)
            windows.append(loan)
        elif row:
            window = _window(program, ~at, out, cut)
            window.over(out, row)
            windows.append(window)
            after.append(partial(_give, value, window))
        else:
            after.append(partial(_put, value, cut, out))
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


def _window(program: Program, at: int, tensor: torch.Tensor, cut: Cut) -> Window:
    """The program's window over an input, or over an output (`~at`), which it does not read or write itself."""
    found = program.windows.get(at)
    if found is None:
        found = program.windows[at] = Window(tensor.new_empty(0), cut.size_of(tensor))
    return found


def _take(take: Callable[[Any], Any], cut: Cut, tensor: torch.Tensor, start: int) -> None:
    take(cut.part(tensor, start, cut.rows))


def _put(value: Any, cut: Cut, out: torch.Tensor, start: int) -> None:
    put((value,), (cut.part(out, start, cut.rows),))


def _copy(take: Callable[[Any], Any], window: Window, start: int) -> None:
    take(window.place)


def _give(value: Any, window: Window, start: int) -> None:
    put((value,), (window.place,))
