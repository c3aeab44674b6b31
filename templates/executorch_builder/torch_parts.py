"""Computations part by part: where the parts are, and programs that compute them one after another."""

from __future__ import annotations

from collections.abc import Sequence

import torch

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
    """Part by part; the last one has some rows of the one before again, so that all are alike."""
    loans, given = program.lent
    before, lent = [], []
    for take, loan, tensor in zip(program.takes, loans, tensors, strict=False):
        if tensor is not None and cut.cuts(tensor):
            pieces = cut.pieces(tensor)
            if loan is not None and loan.fits(pieces):
                lent.append(loan)
                take = loan.take
            before.append((take, pieces))
        elif tensor is not None:
            take(tensor)
    after = []
    for loan, value, out in zip(given, program.values, outs, strict=True):
        pieces = cut.pieces(out)
        if loan is not None and loan.fits(pieces):
            lent.append(loan)
            before.append((loan.take, pieces))
        else:
            after.append((value, pieces))
    for number in range(-(-cut.size // cut.rows)):
        for take, pieces in before:
            take(pieces[number])
        program.run()
        for value, pieces in after:
            put((value,), (pieces[number],))
    for loan in lent:
        loan.back()
