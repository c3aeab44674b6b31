"""The terms of DEF_TENSOR_PROPERTIES: what each sets, for which tensors, in which SDKs.

A tensor has two properties, layout (flat or crouton: blocks) and memory (main or TCM); the first term that sets one wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from opkg.rules.constructs.model import version
from opkg.rules.sdk_profiles import profile_of


class Args(StrEnum):
    """What stands in the brackets of a term."""

    TENSORS = "tensors"
    INPUTS = "inputs"  # tensors, outputs excluded
    NUMBER = "number"
    FREE = "free"  # not looked into


@dataclass(frozen=True, slots=True)
class Term:
    """`sets`: (property, value) pairs; `soft`: only where nothing is set before, which is no conflict."""

    name: str
    args: Args
    sets: tuple[tuple[str, str], ...] = ()
    soft: bool = False
    since: str = "2.13"
    until: str = ""

    def missing_in(self, sdk: str) -> str:
        """Why an SDK does not have the term, "" when it has."""
        profile = version(profile_of(sdk))
        if profile < version(self.since):
            return f"exists since SDK {self.since}"
        return f"is gone since SDK {self.until}" if self.until and profile >= version(self.until) else ""


_ROWS = (
    Term("Flat", Args.TENSORS, (("layout", "flat"),)),
    Term("Crouton", Args.TENSORS, (("layout", "crouton"),)),
    Term("MainMemory", Args.TENSORS, (("memory", "main memory"),)),
    Term("Tcm", Args.TENSORS, (("memory", "TCM"),)),
    Term("PreferTcm", Args.INPUTS, (("memory", "TCM if it fits"),)),
    Term("Fixed", Args.TENSORS, (("layout", "flat"), ("memory", "main memory")), soft=True),
    Term("FixedConstant", Args.INPUTS),
    Term("UnalignedOk", Args.TENSORS),
    Term("CroutonIf", Args.INPUTS),
    Term("WhenFitsIfTCM", Args.TENSORS),
    Term("EarlyCrouton", Args.INPUTS, until="2.43"),
    Term("FlatAboveArg", Args.NUMBER),
    Term("Rename", Args.FREE),
    Term("TilingOnly", Args.FREE, since="2.43"),
    Term("INVARIANT", Args.FREE, since="2.43"),
)
TERMS = {term.name: term for term in _ROWS}
OUTPUTS = "Outputs"
FIRST_OUTPUT = "*"
REST = "..."


def terms_of(sdk: str) -> tuple[str, ...]:
    """Names of the terms an SDK has, Outputs among them."""
    return (OUTPUTS, *(term.name for term in _ROWS if not term.missing_in(sdk)))
