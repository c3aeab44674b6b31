"""The functions of a `compute:`: one in float64, and those that calls of proved element types take, all or partly float32."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.model import Op
from opkg.targets.executorch_builder.checks import reached
from opkg.targets.executorch_builder.layout import items
from opkg.targets.executorch_builder.profiles import Profile
from opkg.targets.executorch_builder.torch_compute import (
    computation,
    compute_name,
    single_computation,
    single_name,
)
from opkg.targets.executorch_builder.torch_single import Wide, mixed, proved


@dataclass(frozen=True, slots=True)
class Functions:
    """`texts` by name; `single`: by row of element types the one that computes it in float32, `mixed`: rows of which some
    steps are float64."""

    texts: dict[str, str]
    single: dict[int, str]
    mixed: tuple[int, ...]

    def fields(self) -> list[str]:
        """Fields of the op's record."""
        pairs = [f"{row}: {name}" for row, name in sorted(self.single.items())]
        found = [f"single={{{', '.join(pairs)}}},"] if pairs else []
        rows = items([str(row) for row in self.mixed])
        return [*found, f"mixed={rows},"] if self.mixed else found


def functions(op: Op, profile: Profile) -> Functions:
    """The functions of an op with a `compute:`."""
    rows = reached(op, profile)
    texts = {compute_name(op): computation(op)}
    whole = [at for at, row in enumerate(rows) if proved(op, row) is not None]
    mixture = mixed(op, rows)
    single: dict[int, str] = {}
    for wide, chosen in ((Wide(), whole), (mixture.wide, list(mixture.rows)) if mixture else (Wide(), [])):
        text = single_computation(op, wide) if chosen else ""
        name = single_name(op, wide) if text else compute_name(op)
        texts |= {name: text} if text else {}
        single |= dict.fromkeys(chosen, name)
    return Functions(texts, single, tuple(mixture.rows) if mixture else ())
