"""Division of integer lanes, digit by digit (templates/qnn/hvx_divide.h)."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.kernels.graphs.ranges import Interval
from opkg.kernels.strategies.integer.lanes import S32, S64, Form, Lanes, Vectors
from opkg.kernels.strategies.integer.lowering import PLAIN, Lowering, Lowerings, Write

FUNCTIONS, DIVIDE = "opkg::hvx::", "opkg/hvx_divide.h"
_LANES = {8: "ByteLanes", 16: "HalfwordLanes", 32: "WordLanes"}


def _division(part: str, form: Form) -> str:
    return f"{part}_of_{'signed' if form.signed else 'unsigned'}<{FUNCTIONS}{_LANES[form.bits]}>"


# Packets of a division, of a vector: the units that it takes.
DIVISIONS = {
    _division(part, form): {8: 11.5, 16: 26.5, 32: 30.5}[form.bits] + (2.5 if form.signed else 0.5)
    for part in ("quotient", "rest") for form in PLAIN
} | {"long_quotient": 33.0}  # fmt: skip


def _divide(part: str) -> Lowerings:
    """The quotient or the rest of a division, digit by digit (templates/qnn/hvx_divide.h)."""

    def lowerings(range_: Interval, constants: tuple[int, ...]) -> Iterator[Lowering]:
        for form in PLAIN:
            name = _division(part, form)
            yield Lowering((form, form), form, int(4 * DIVISIONS[name]), _called(FUNCTIONS + name, part))
        if part == "quotient":
            yield Lowering((S32, S32), S64, int(2 * DIVISIONS["long_quotient"]), _long_quotient)

    return lowerings


def _long_quotient(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    found: list[str] = []
    for a, b in zip(*args, strict=True):
        found += lanes.halves(lanes.body.call(f"{FUNCTIONS}long_quotient", a, b, kind="W", to="quotient"))
    return tuple(found)


def _called(name: str, hint: str) -> Write:
    return lambda lanes, args: lanes.call(name, *args, to=hint)


DIVIDES: dict[str, Lowerings] = {"floor_div": _divide("quotient"), "mod": _divide("rest")}
