"""Which code computed the elements of a call: vector code, portable code, or a kernel by hand, of which nothing is counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paths:
    """Elements that the vector code and the portable code of generated kernels computed (of reductions: elements of rows).

    What `prepare`, or a row, turned down counts as portable: that is what ran.
    """

    vector: int = 0
    portable: int = 0

    @property
    def total(self) -> int:
        return self.vector + self.portable

    @property
    def share(self) -> float:
        """The part of the elements that vector code computed; 0 of none."""
        return self.vector / self.total if self.total else 0.0

    def text(self) -> str:
        """`vector`, `portable`, `vector 97%`; empty where nothing was counted."""
        if self.total == 0:
            return ""
        if self.portable == 0 or self.vector == 0:
            return "portable" if self.vector == 0 else "vector"
        return f"vector {_percent(self.share)}"


NOTHING = Paths()
BY_HAND = "by hand"


def sum_of(paths: Iterable[Paths]) -> Paths:
    """All of them together."""
    listed = list(paths)
    return Paths(sum(p.vector for p in listed), sum(p.portable for p in listed))


def _percent(share: float) -> str:
    """Never 0 % or 100 % of what is both."""
    if share > 0.99:
        return ">99%"
    return "<1%" if share < 0.01 else f"{share:.0%}"
