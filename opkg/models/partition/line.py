"""Things in a line, whose places can be compared, and between which others can be put."""

from __future__ import annotations

from collections.abc import Iterable

GAP = 1.0
LEAST = 1e-9  # between two places; closer ones are numbered anew


class Line:
    """`place`: of every thing in the line, a number."""

    def __init__(self, things: Iterable[int]) -> None:
        listed = list(things)
        self.place = {thing: number * GAP for number, thing in enumerate(listed)}
        ends = [None, *listed, None]
        self._before: dict[int, int | None] = dict(zip(listed, ends[:-2], strict=True))
        self._behind: dict[int, int | None] = dict(zip(listed, ends[2:], strict=True))

    def take(self, thing: int) -> None:
        """Takes a thing out."""
        left, right = self._before.pop(thing), self._behind.pop(thing)
        if left is not None:
            self._behind[left] = right
        if right is not None:
            self._before[right] = left
        del self.place[thing]

    def before(self, thing: int, other: int) -> None:
        """Puts a thing directly before another."""
        self._put(self._before[other], thing, other)

    def behind(self, thing: int, other: int) -> None:
        """Puts a thing directly behind another."""
        self._put(other, thing, self._behind[other])

    def _put(self, left: int | None, thing: int, right: int | None) -> None:
        low = self.place[left] if left is not None else None
        high = self.place[right] if right is not None else None
        low = (high or 0.0) - 2 * GAP if low is None else low
        high = low + 2 * GAP if high is None else high
        self.place[thing] = (low + high) / 2
        self._before[thing], self._behind[thing] = left, right
        if left is not None:
            self._behind[left] = thing
        if right is not None:
            self._before[right] = thing
        if high - low < LEAST:
            self._number()

    def _number(self) -> None:
        """Even places for all."""
        at = next((thing for thing, left in self._before.items() if left is None), None)
        number = 0
        while at is not None:
            self.place[at] = number * GAP
            at = self._behind[at]
            number += 1
