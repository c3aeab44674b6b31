"""Random choices that are the same on every machine and version: SHA-256 seeds, PCG64 raw bits, our own arithmetic."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from opkg.verify.meaning.numbers import Array

T = TypeVar("T")


class Rng:
    """A stream of random numbers named by its seed and labels: streams of different names are independent.

    numpy promises the bits of PCG64, not what its distributions make of them; hence only raw bits are used.
    """

    def __init__(self, seed: int, *labels: str) -> None:
        digest = hashlib.sha256("\0".join((str(seed), *labels)).encode()).digest()
        self._bits = np.random.PCG64(int.from_bytes(digest[:16], "little"))

    def uniform(self) -> float:
        """In [0, 1)."""
        return float((int(self._bits.random_raw()) >> 11) * 2.0**-53)

    def below(self, end: int) -> int:
        """0 .. end - 1."""
        return min(int(self.uniform() * end), end - 1)

    def between(self, low: int, high: int) -> int:
        """low .. high, both included."""
        return low + self.below(high - low + 1)

    def real(self, low: float, high: float) -> float:
        """In [low, high)."""
        return low + (high - low) * self.uniform()

    def log(self, low: float, high: float) -> float:
        """In [low, high), each decade as likely as the next."""
        return float(low * (high / low) ** self.uniform())

    def chance(self, probability: float) -> bool:
        """True as often as `probability` says."""
        return self.uniform() < probability

    def choice(self, items: Sequence[T]) -> T:
        """One of them."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All of them in a random order."""
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(len(rest))]

    def array(self, shape: tuple[int, ...]) -> Array:
        """Uniform numbers in [0, 1), float64."""
        count = int(np.prod(shape, dtype=np.int64))
        raw = np.asarray(self._bits.random_raw(count), dtype=np.uint64)
        return ((raw >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(shape)
