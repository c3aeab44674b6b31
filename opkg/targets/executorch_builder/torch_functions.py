"""The functions of a `compute:`: one in float64, and those that calls of proved element types take, all or partly float32."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from opkg.spec.model import Combination, Op
from opkg.targets.executorch_builder.checks import reached
from opkg.targets.executorch_builder.layout import bracketed, items
from opkg.targets.executorch_builder.names import quoted
from opkg.targets.executorch_builder.profiles import Profile
from opkg.targets.executorch_builder.torch_casts import are_reals
from opkg.targets.executorch_builder.torch_compute import (
    computation,
    compute_name,
    half_computation,
    half_name,
    room_computation,
    room_name,
    single_computation,
    single_name,
    whole_computation,
    whole_name,
)
from opkg.targets.executorch_builder.torch_forms import formed, has_softplus
from opkg.targets.executorch_builder.torch_gradients import with_branches
from opkg.targets.executorch_builder.torch_half import BRAIN, is_half, takes_once
from opkg.targets.executorch_builder.torch_inputs import is_floor
from opkg.targets.executorch_builder.torch_mixed import Mixed, mixed
from opkg.targets.executorch_builder.torch_plain import plain
from opkg.targets.executorch_builder.torch_single import Wide, proved
from opkg.targets.executorch_builder.torch_whole import is_narrow, is_whole, room_of

# Functions that are several steps of torch where it has one: what is large is best computed in parts.
_IN_STEPS = ("tm.gelu(", "tm.logit(", "tm.steepness(")
# Functions that look at what tensors hold.
_LOOKING = ("tm.held(", "tm.roomy(", "tm.remainder(", "tm.floor_divide(")


@dataclass(frozen=True, slots=True)
class Functions:
    """`texts` by name; `single`: by row of element types the one that computes it in float32, `mixed`: rows of which some
    steps are float64, `half`: rows whose steps may be float16, `plain`: rows of float32 steps that are torch's own;
    `whole`: rows of int32 steps, `narrow`: those of them whose steps may have the type of their tensors,
    `cut`: rows of functions in several steps, `floors`: params that may not be small
    or negative; `brain`: by row what computes it in bfloat16, where all tensors are that; `reals`: rows whose integers are
    float32 or float64 as all else, `looks`: rows of functions whose steps hang on numbers."""

    texts: dict[str, str]
    single: dict[int, str]
    mixed: tuple[int, ...]
    half: tuple[int, ...]
    floors: tuple[str, ...] = ()
    plain: tuple[int, ...] = ()
    whole: tuple[int, ...] = ()
    cut: tuple[int, ...] = ()
    brain: Mapping[int, str] = field(default_factory=dict)
    reals: tuple[int, ...] = ()
    looks: tuple[int, ...] = ()
    narrow: tuple[int, ...] = ()

    def fields(self) -> list[str]:
        """Fields of the op's record."""
        pairs = [f"{row}: {name}" for row, name in sorted(self.single.items())]
        found = bracketed("single={", pairs, "},", 2) if pairs else []
        named = (
            ("mixed", self.mixed),
            ("half", self.half),
            ("plain", self.plain),
            ("whole", self.whole),
            ("narrow", self.narrow),
            ("cut", self.cut),
            ("reals", self.reals),
            ("looks", self.looks),
        )
        for name, rows in named:
            if rows:
                found.append(f"{name}={items([str(row) for row in rows])},")
        if self.brain:
            found += bracketed("brain={", [f"{row}: {name}" for row, name in sorted(self.brain.items())], "},", 2)
        if pairs and self.floors:
            found.append(f"floors={items([quoted(name) for name in self.floors])},")
        return found


def functions(op: Op, profile: Profile) -> Functions:
    """The functions of an op with a `compute:`."""
    op, rows = with_branches(op), reached(op, profile)
    texts = {compute_name(op): computation(op)}
    better, mixture = _best(op, rows)
    sound = [at for at, row in enumerate(rows) if proved(better, row) is not None]
    single: dict[int, str] = {}
    for wide, chosen in ((Wide(), sound), (mixture.wide, list(mixture.rows)) if mixture else (Wide(), [])):
        text = single_computation(op, better, wide) if chosen else ""
        name = single_name(op, wide) if text else compute_name(op)
        texts |= {name: text} if text else {}
        single |= dict.fromkeys(chosen, name)
    steps = {at: found for at, row in enumerate(rows) if at not in single and (found := plain(better, row)) is not None}
    if mixture is not None:  # one function has float64 steps
        steps = {at: found for at, found in steps.items() if not found.wide.size}
    wide = next((found.wide for found in steps.values()), Wide())
    if steps:
        text = single_computation(op, better, wide)
        texts |= {single_name(op, wide): text} if text else {}
        single |= dict.fromkeys(steps, single_name(op, wide) if text else compute_name(op))
    once = [*sound, *(steps if not wide.size and takes_once(better) else ())]
    half = tuple(at for at in once if is_half(better, rows[at]))
    brain = dict.fromkeys((at for at in once if is_half(better, rows[at], BRAIN)), single_name(op, Wide()))
    if (half or brain) and (text := half_computation(better)):
        texts[half_name(op)] = text
        single |= dict.fromkeys(half, half_name(op))
        brain = dict.fromkeys(brain, half_name(op))
    brain = {at: name if name in texts else compute_name(op) for at, name in brain.items()}
    whole = tuple(at for at, row in enumerate(rows) if at not in single and is_whole(op, row))
    if whole:
        text = whole_computation(op, [rows[at] for at in whole])
        texts |= {whole_name(op): text} if text else {}
        single |= dict.fromkeys(whole, whole_name(op) if text else compute_name(op))
    rooms = {at: most for at, row in enumerate(rows) if at not in single and (most := room_of(op, row)) is not None}
    if rooms:
        texts[room_name(op)] = room_computation(op, [rows[at] for at in rooms], min(rooms.values()))
        single |= dict.fromkeys(rooms, room_name(op))
        whole = tuple(sorted((*whole, *rooms)))
    narrow = tuple(at for at in whole if is_narrow(op, rows[at]))
    floors = tuple(param.name for param in op.params if is_floor(param))
    mixtures = tuple(mixture.rows) if mixture else tuple(steps) if wide.size else ()
    cut = tuple(row for row, name in sorted(single.items()) if any(each in texts[name] for each in _IN_STEPS))
    looks = tuple(
        row for row, name in sorted(single.items()) if row not in mixtures and any(e in texts[name] for e in _LOOKING)
    )
    reals = tuple(at for at, row in enumerate(rows) if at not in whole and are_reals(op, row))
    return Functions(texts, single, mixtures, half, floors, tuple(steps), whole, cut, brain, reals, looks, narrow)


def _best(op: Op, rows: Sequence[Combination]) -> tuple[Op, Mixed | None]:
    """The op with the formulas that float32 steps are better with, as it is where float64 steps have them; what is mixed."""
    better = formed(op)
    mixture = mixed(better, rows)
    if mixture is None or not has_softplus(better, mixture.wide):
        return better, mixture
    return op, mixed(op, rows)
