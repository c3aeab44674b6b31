"""The SDK's own functions for AUTOSPLIT_SHAPEFN_APPLY: where the part of an operand begins, and what it measures.

A part of the output from `start` of `size` along the split's dimension needs of an input, along one of its dimensions,
`size` from `start` (simple, simpledim), or, under a window that moves by `stride` (conv, pool),
`stride * (size - 1) + (window - 1) * dilation + 1` from `stride * start`. The other dimensions are taken whole. Sources:
the seed grammar for the first four; comments of the SDK's published headers for the others.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Splitter:
    """One function. `size`: it gives what the part measures, else where it begins. `roles`: of the arguments behind the
    input that is cut: `dim` (a number), `stride`, `dilation` (operands whose own dimensions they are), `weights` (its
    dimension 0 is the window's height), `window` (its dimensions are the window's), `extent`, `spread` (window and dilation as
    numbers). `height`: always along dimension 1."""

    size: bool
    roles: tuple[str, ...] = ()
    height: bool = False


SPLITTERS: dict[str, Splitter] = {
    "simple_split_start": Splitter(False),
    "simple_split_size": Splitter(True),
    "simpledim_split_start": Splitter(False, ("dim",)),
    "simpledim_split_size": Splitter(True, ("dim",)),
    "conv_valid_split_start": Splitter(False, ("stride",)),
    "conv_valid_split_size": Splitter(True, ("stride", "extent", "spread")),
    "conv_split_start_valid": Splitter(False, ("weights", "stride"), height=True),
    "conv_split_size_valid": Splitter(True, ("weights", "stride"), height=True),
    "conv_split_size_valid_dil": Splitter(True, ("weights", "stride", "dilation"), height=True),
    "pool_split_start_valid": Splitter(False, ("window", "stride"), height=True),
    "pool_split_size_valid": Splitter(True, ("window", "stride"), height=True),
}
HEIGHT = 1  # of NHWC
OPERANDS = ("stride", "dilation", "weights", "window")  # roles whose arguments are operands, not numbers


def splitter(function: str) -> Splitter | None:
    """The function of that name, with or without a namespace; None for the package's own."""
    return SPLITTERS.get(function.rpartition("::")[2])


def dimension_of(role: str, dim: int) -> int:
    """Which dimension of an operand tells its role for a split along `dim`."""
    return 0 if role == "weights" else dim
