"""How far the outputs of a program are from those that it should have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch


def difference(got: torch.Tensor, wanted: torch.Tensor) -> dict[str, Any]:
    """Figures of one output, computed in float64; those that mean nothing here are None.

    `max`: the largest absolute difference; `relative`: that by the range of `wanted` (largest less smallest value);
    `snr`: power of `wanted` by that of the difference in dB, None when there is no difference; `cosine`: of the angle
    between both as vectors; `unequal`: elements that differ at all; `invalid`: elements that are NaN or infinite in one
    of them only. A shape or a kind of type that is not as wanted is `fault`, a sentence.
    """
    figures: dict[str, Any] = {"shape": list(wanted.shape), "dtype": str(wanted.dtype).removeprefix("torch.")}
    figures |= dict.fromkeys(("max", "relative", "snr", "cosine", "unequal", "invalid", "fault"))
    if got.shape != wanted.shape:
        return figures | {"fault": f"its shape is {list(got.shape)}, not {list(wanted.shape)}"}
    if got.is_floating_point() != wanted.is_floating_point():
        return figures | {"fault": f"its type is {got.dtype}, not {wanted.dtype}"}
    g, w = (each.detach().to(torch.float64).flatten() for each in (got, wanted))
    valid = torch.isfinite(g) & torch.isfinite(w)
    same_kind = (g == w) | (torch.isnan(g) & torch.isnan(w))
    figures["invalid"] = int((~valid & ~same_kind).sum())
    figures["unequal"] = int((~same_kind).sum())
    if wanted.is_floating_point() and bool(valid.any()):
        figures |= _real(g[valid], w[valid])
    return figures


def _real(got: torch.Tensor, wanted: torch.Tensor) -> dict[str, Any]:
    off = got - wanted
    worst = float(off.abs().max())
    extent = float(wanted.max() - wanted.min()) or float(wanted.abs().max())
    noise, signal = float((off * off).sum()), float((wanted * wanted).sum())
    length = math.sqrt(signal) * float(got.norm())
    return {
        "max": worst,
        "relative": worst / extent if extent else None,
        "snr": 10 * math.log10(signal / noise) if noise and signal else None,
        "cosine": float(got @ wanted) / length if length else None,
    }


def differences(
    got: Sequence[Sequence[torch.Tensor]], wanted: Sequence[Sequence[torch.Tensor]]
) -> list[dict[str, Any]]:
    """Figures of all outputs, each over all samples. ValueError when there are not as many outputs as wanted."""
    found = []
    for number, outputs in enumerate(zip(*wanted, strict=True)):
        if any(len(each) != len(wanted[0]) for each in got):
            raise ValueError(f"the program has {len(got[0])} outputs, the model {len(wanted[0])}")
        found.append(difference(torch.stack([each[number] for each in got]), torch.stack(outputs)))
    return found
