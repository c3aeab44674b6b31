"""Names of the HVX intrinsics, their operands and the architecture that introduced them: facts, without meaning.

`names.tsv` lists what clang-19 knows up to v73; a test compares it with the installed compiler.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ELEMENTS = {
    "b": "int8_t", "ub": "uint8_t", "h": "int16_t", "uh": "uint16_t", "w": "int32_t", "uw": "uint32_t",
}  # fmt: skip
_TOKEN = re.compile(r"(?:[VWRPQ]n?(?:u?[bhw]|hf|sf|qf16|qf32|bf)?|[IARM])")
_OPERANDS = re.compile(rf"(?:{_TOKEN.pattern})+")
_FLOAT = re.compile(r"(?<=[VW])(?:sf|hf|bf|qf16|qf32)(?=[_VWRQ]|$)")

# qemu runs these as something else, without a word; comparing with it would prove nothing.
MISREAD = frozenset({
    "Q6_Vsf_vfneg_Vsf", "Q6_Vhf_vfneg_Vhf", "Q6_Vh_vcvt_Vhf", "Q6_Vuh_vcvt_Vhf", "Q6_Vsf_equals_Vqf32",
    "Q6_Whf_vcvt_Vub", "Q6_Vw_vfmv_Vw",
})  # fmt: skip


# Intrinsics that the host's headers do not hold.
UNMODELLED: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """One C intrinsic.

    Kinds: V vector, W pair, Q predicate, R 32-bit scalar, D 64-bit scalar, P address of a vector, q address of a
    predicate, 1 2 3 unsigned constant of that many bits, - none.
    """

    name: str
    since: int  # architecture, 60 to 73
    result: str
    operands: str  # a letter for each

    @property
    def tokens(self) -> tuple[str, ...]:
        """Operands as the name spells them: `Wub`, `Rb`, ..."""
        parts = [p for p in self.name.split("_")[2:] if _OPERANDS.fullmatch(p)]
        return tuple(_TOKEN.findall(parts[0])) if parts else ()

    @property
    def family(self) -> str:
        """`integer`, `IEEE float` or `qfloat`."""
        found = set(_FLOAT.findall(self.name))
        if found & {"qf16", "qf32"}:
            return "qfloat"
        return "IEEE float" if found else "integer"


@cache
def intrinsics() -> dict[str, Intrinsic]:
    """All intrinsics of clang-19 by name."""
    return _read("names.tsv")


@cache
def every() -> dict[str, Intrinsic]:
    """Those of clang-19 and the ones that came later, by name: what the host's headers hold."""
    return dict(sorted({**intrinsics(), **_read("names_later.tsv")}.items()))


def _read(file: str) -> dict[str, Intrinsic]:
    found = {}
    for line in Path(__file__).with_name(file).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, since, result, operands = line.split("\t")
            found[name] = Intrinsic(name, int(since), result, operands.replace("-", ""))
    return found


def obstacle(intrinsic: Intrinsic) -> str:
    """Why an intrinsic cannot be compared with qemu; empty when it can."""
    if intrinsic.name in MISREAD:
        return "qemu runs something else in its place"
    if intrinsic.family != "integer":
        return "qemu has no HVX floating point"
    return ""


def comparable() -> list[Intrinsic]:
    """The intrinsics that the host's headers hold and that are compared with qemu, by name."""
    return [intrinsic for intrinsic in intrinsics().values() if not obstacle(intrinsic)]
