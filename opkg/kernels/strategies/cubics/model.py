"""What opkg::hvx::cubics_hf (templates/qnn/hvx_cubics.h) gives for all halves, bit by bit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opkg.kernels.strategies.cubics.values import HALVES, Array

NO_LEAST, NO_MOST = 0xFC00, 0x7C00


@dataclass(frozen=True)
class Cubics:
    """The members of the struct of that name; `table`: value, slope, bend, twist and power of each piece."""

    times: bool
    point: int
    length: int
    origin: int
    least: int
    most: int
    overflows: bool
    undefined: bool
    table: Array

    @property
    def pieces(self) -> int:
        return int(self.table.shape[0])

    def results(self) -> Array:
        """Bits of f(x) for the halves with bits 0 to 65535."""
        given = HALVES.astype(np.int32)
        x = np.minimum(given, self.least)
        x = np.where((x < 0x8000) & (x > self.most), self.most, x)
        size = x & 0x7FFF
        tiny = size < 0x400
        significand = (x << 4 & 0x3FF0) + np.where(tiny, 0, 0x4000)
        exponent = (size >> 10) + tiny
        place = self._place(x, significand, exponent)
        piece = place >> self.length
        t = (place << (16 - self.length) & 0xFFFF) - 0x8000
        value, slope, bend, twist, power = (self.table[:, part][piece] for part in range(5))
        g = twist
        for part in (bend, slope, value):
            g = np.clip(part + _product(g, t), -32768, 32767)
        if self.times:
            found = _half(_product(g, significand), exponent - power) | given & 0x8000
        else:
            found = _half(g, power)
        if self.overflows:
            found = np.minimum(found, 0x7C00)
        none = (given & 0x7FFF) > 0x7C00
        if self.undefined:
            none |= given == NO_LEAST
        return np.asarray(np.where(none, 0x7FFF, found & 0xFFFF).astype(np.uint16))

    def _place(self, x: Array, significand: Array, exponent: Array) -> Array:
        steps = exponent + self.point - 29
        if wide(self.origin, self.pieces, self.length):
            away = _shifted(significand, steps) + (_shifted(significand, steps + 1) & 1)
            far = exponent > 30 - self.point
        else:
            away = (_shifted(significand, steps + 1) & 0xFFFF) + 1 >> 1
            far = exponent > 29 - self.point
        away = np.where(far, 0xFFFF, away & 0xFFFF)
        found = np.where(x >= 0x8000, np.maximum(self.origin - away, 0), np.minimum(self.origin + away, 0xFFFF))
        return np.asarray(np.minimum(found, (self.pieces << self.length) - 1))


def wide(origin: int, pieces: int, length: int) -> bool:
    """Whether places on one side of 0 take 16 bits."""
    return max(origin, (pieces << length) - origin) > 1 << 15


def _product(a: Array, b: Array) -> Array:
    return np.asarray(np.minimum((a * b + (1 << 14)) >> 15, 32767))


def _shifted(number: Array, count: Array) -> Array:
    """To the left, or to the right: counts have five bits."""
    count = np.clip(count, -16, 15)
    return np.asarray(np.where(count < 0, number >> -np.minimum(count, 0), number << np.maximum(count, 0)))


def _half(number: Array, exponent: Array) -> Array:
    number = number & 0xFFFF
    room = np.minimum(16 - np.frexp(number.astype(np.float64))[1], exponent)
    digits = (_shifted(number, np.where(room == 16, -16, room)) & 0xFFFF) + 16 >> 1
    return np.asarray((digits >> 4) + ((exponent - room) << 10))
