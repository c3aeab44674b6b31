"""End to end: a whole model as it was and with its fused ops, each on one machine, beside what its own runtime computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class OnMachine:
    """`machine`: where, and in which numbers; `operators`: of the model as it was and with the fused ops; `errors`: the largest
    difference of any output from the model's own runtime, as a share of that output's range, both ways (None: a run did not come
    to its end); `kernels`: calls of the fused ops' kernels by name (None: they are not counted there); `placed`: how many places
    of fused ops were on the machine, of how many; `note`: what else is said."""

    machine: str
    operators: tuple[int | None, int | None]
    errors: tuple[float | None, float | None]
    placed: tuple[int, int]
    kernels: Mapping[str, int] | None = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class EndToEnd:
    """The rewritten model: its file ("" for none), nodes before and after, and per output the largest difference from the model
    as it was, the same where the ops round nothing in between (as fused kernels do), and the largest value; `runs`: on
    machines."""

    file: str
    nodes: tuple[int, int]
    outputs: tuple[tuple[str, float, float, float], ...]
    runs: tuple[OnMachine, ...] = ()
