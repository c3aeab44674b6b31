"""What a kernel is chosen by, as words of a spec: layouts, memories, resources, costs, flags."""

from __future__ import annotations

from enum import StrEnum


class Layout(StrEnum):
    FLAT = "flat"
    CROUTON = "crouton"
    EITHER = "either"  # in specs only: of a generated kernel, flat and `also_blocks`


class Storage(StrEnum):
    DIRECT = "direct"
    INDIRECT = "indirect"


class Placement(StrEnum):
    DDR = "ddr"
    TCM = "tcm"
    EITHER = "either"


class Resource(StrEnum):
    HVX = "hvx"
    HMX = "hmx"


class CostName(StrEnum):
    FREE = "free"
    FAST = "fast"
    SNAIL = "snail"
    GLACIAL = "glacial"


class Flag(StrEnum):
    IS_CONST = "is_const"
    INHIBIT_CONST_PROP = "inhibit_const_prop"
