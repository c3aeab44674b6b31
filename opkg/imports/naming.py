"""Names of other worlds as names of a spec: usable in C++ and Python, and different within an op even in snake case."""

from __future__ import annotations

import re

from opkg.spec.names import IDENTIFIER, MAX_NAME, PACKAGE_NAME, name_fault, op_name_fault, snake
from opkg.spec.names import RESERVED as RESERVED

MAX_WORD = MAX_NAME - 6  # room for a number


class Names:
    """The names of one op, given out one by one."""

    def __init__(self) -> None:
        self.taken: set[str] = {"t"}  # type variables are T, T2, ...

    def take(self, wanted: str, fallback: str) -> str:
        """The wanted name, or what a spec can have that is nearest to it; `fallback`: where nothing of it is left."""
        name = usable(wanted, fallback)
        free, number = name, 2
        while snake(free) in self.taken or free in self.taken:
            free, number = f"{name}_{number}", number + 1
        self.taken |= {snake(free), free}
        return free


def usable(wanted: str, fallback: str) -> str:
    """`in[0]` -> `in0`, `Beta Value` -> `Beta_Value`, `class` -> `class_value`; `fallback` where nothing is left."""
    name = re.sub(r"\[(\d+)\]", r"\1", wanted)
    name = re.sub(r"_{2,}", "_", re.sub(r"[^A-Za-z0-9_]+", "_", name)).strip("_")[:MAX_WORD]
    if name[:1].isdigit():
        name = f"{fallback}_{name}"
    if not re.fullmatch(IDENTIFIER, name):
        return fallback
    if name_fault(name) is not None:
        name = f"{name}_value" if name_fault(f"{name}_value") is None else f"the_{name}"
    return name if name_fault(name) is None else fallback


def op_name(wanted: str) -> str:
    """The name of an op: dots may join words. "" where there is none."""
    if op_name_fault(wanted) is None:
        return wanted
    name = ".".join(part for part in (usable(word, "") for word in wanted.split(".")) if part)
    return name if name and op_name_fault(name) is None else ""


def package_name(wanted: str) -> str:
    """`SoundKit` -> `sound_kit`, `qti.aisw` as it is; "" where nothing fits."""
    words = (re.sub(r"[^a-z0-9_]+", "_", snake(word) or word.lower()).strip("_") for word in wanted.split("."))
    name = ".".join(f"{word}_ops" if word in RESERVED else word for word in words if word)[:MAX_NAME]
    return name if re.fullmatch(PACKAGE_NAME, name) and "__" not in name.replace(".", "_") else ""
