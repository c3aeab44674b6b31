"""Compares what a machine computed with what the reference says, and counts the errors in the type's own units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Op, Tolerance
from opkg.verify.meaning.interval import Interval
from opkg.verify.meaning.numbers import Array, Quant, decode, encode, real_type, steps

# A value this near to the middle between two steps may be rounded either way.
NEAR_TIE = 2.0**-10
# Upper ends (inclusive) of the histogram's bins, in steps or ULP; the last bin is open.
BINS = (0, 1, 2, 4, 8, 16, 64, 256, 4096, 65536)
WORST_KEPT = 5


@dataclass(frozen=True, slots=True)
class Element:
    """One element of an output: expected and got as real values and as stored numbers (as text)."""

    index: tuple[int, ...]
    expected: float
    got: float
    expected_stored: str
    got_stored: str
    error: float


@dataclass(frozen=True, slots=True)
class OutputStats:
    """The errors of one output of one case. `unit` is "lsb", "ulp" or "" (whole numbers)."""

    name: str
    dtype: DType
    shape: tuple[int, ...]
    unit: str
    elements: int
    failed: int
    worst: float
    mean: float
    worst_abs: float
    histogram: tuple[int, ...]  # one count per bin of BINS, then the open one, then "not comparable" (NaN, Inf)
    worst_elements: tuple[Element, ...]
    least_failed: float = np.inf  # smallest error beyond the tolerance
    bounded: bool = False  # judged by the bound of a generated kernel, not by a tolerance
    share: float = 0.0  # largest error as a share of the bound
    room: float = np.inf  # how far off the element may be that is farthest off (`worst_abs`)
    unknown: int = 0  # elements of which the bound says nothing: infinite on the way, or an open decision

    @property
    def ok(self) -> bool:
        return self.failed == 0


def default_tolerance(dtype: DType) -> Tolerance:
    """What is allowed when the spec says nothing: docs/verify.md, "Tolerances"."""
    if dtype.quantized:
        return Tolerance(lsb=1)
    if dtype.name == "float16":
        return Tolerance(ulp=2, abs=1e-3, rel=1e-3)
    if dtype.name == "float32":
        return Tolerance(ulp=4, abs=1e-6, rel=1e-6)
    return Tolerance()


def tolerance_for(op: Op, dtype: DType) -> Tolerance:
    """The spec's tolerance for an output element type, or the default one."""
    for known, tolerance in op.tests.tolerance:
        if known.name == dtype.name:
            return tolerance
    return default_tolerance(dtype)


def _ordered(bits: Array, dtype: DType) -> Array:
    """IEEE bit patterns -> int64 that count in ULP across zero; subnormals count as zero (hardware flushes them)."""
    mantissa = 23 if dtype.bits == 32 else 10
    top = np.int64(1) << (dtype.bits - 1)
    wide = bits.astype(np.int64)
    size = wide & (top - 1)
    least = np.int64(1) << mantissa  # the smallest normal number
    size = np.where(size < least, 0, size - least + 1)
    return np.where(wide & top, -size, size)


def _float_errors(expected: Array, got: Array, dtype: DType) -> Array:
    """ULP between the rounded expectation and the result; inf where only one is NaN or infinite, or of other sign."""
    unsigned = np.dtype(f"uint{dtype.bits}")
    wanted = encode(expected, dtype, None)
    error = np.abs(_ordered(wanted.view(unsigned), dtype) - _ordered(got.view(unsigned), dtype)).astype(np.float64)
    finite = np.isfinite(wanted) & np.isfinite(got)
    same = (np.isnan(wanted) & np.isnan(got)) | (wanted == got)
    return np.asarray(np.where(finite, error, np.where(same, 0.0, np.inf)))


def _fixed_errors(expected: Array, got: Array, dtype: DType, quant: Quant) -> Array:
    """Steps beyond a correct rounding of the saturated expectation."""
    low, high = dtype.limits
    wanted = np.clip(steps(expected, quant), low, high)
    off = np.abs(got.astype(np.float64) - wanted)
    return np.asarray(np.maximum(0.0, np.ceil(off - 0.5 - NEAR_TIE)) + 0.0)  # no negative zero


def _whole_errors(expected: Array, got: Array, dtype: DType) -> Array:
    """Difference of whole numbers; the expectation saturates at the ends of the type."""
    wanted = encode(expected, dtype, None)
    difference = np.abs(wanted.astype(np.float64) - got.astype(np.float64))
    return np.where(wanted == got, 0.0, np.maximum(difference, 1.0))


def _allowed(errors: Array, apart: Array, expected: Array, tolerance: Tolerance, dtype: DType) -> Array:
    """Which elements are within the tolerance: any of its parts suffices."""
    good: Array = errors == 0
    limit = tolerance.ulp if dtype.kind is Kind.FLOAT else tolerance.lsb
    if limit is not None:
        good = good | (errors <= limit)
    if tolerance.abs is not None or tolerance.rel is not None:
        with np.errstate(invalid="ignore"):
            good = good | (np.isfinite(errors) & (apart <= _absolute(expected, tolerance)))
    return np.asarray(good)


def _absolute(expected: Array, tolerance: Tolerance) -> Array:
    """How far elements may be off, by the absolute and relative parts of a tolerance."""
    return np.asarray((tolerance.abs or 0.0) + (tolerance.rel or 0.0) * np.abs(expected))


def _room(apart: Array, expected: Array, got: Array, tolerance: Tolerance, bound: Interval | None) -> float:
    """How far off the element may be that is farthest off; inf where nothing says it."""
    far = np.where(np.isfinite(apart), apart, -1.0).ravel()
    if not far.size or far.max() < 0:
        return np.inf
    with np.errstate(all="ignore"):
        if bound is not None:
            room = np.where(got < expected, expected - bound.low, bound.high - expected)
        elif tolerance.abs is None and tolerance.rel is None:
            return np.inf
        else:
            room = _absolute(expected, tolerance)
    return float(np.broadcast_to(room, apart.shape).ravel()[int(far.argmax())])


def histogram(errors: Array) -> tuple[int, ...]:
    """Counts per bin of BINS, then of larger errors, then of those that are not comparable."""
    finite = errors[np.isfinite(errors)]
    places = np.searchsorted(np.asarray(BINS, dtype=np.float64), finite, side="left")
    counts = np.bincount(places, minlength=len(BINS) + 1)
    return (*(int(c) for c in counts), int(errors.size - finite.size))


def _text(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, float | np.floating) else str(value)


def _worst(errors: Array, good: Array, expected: Array, wanted: Array, got: Array, real: Array) -> tuple[Element, ...]:
    """The elements with the largest errors, failing ones first; none for elements without error."""
    flat = errors.ravel()
    order = np.lexsort((-flat, good.ravel()))[:WORST_KEPT]
    found = []
    for place in order:
        if flat[place] == 0:
            continue
        index = tuple(int(i) for i in np.unravel_index(int(place), errors.shape))
        texts = _text(wanted[index]), _text(got[index])
        found.append(Element(index, float(expected[index]), float(real[index]), *texts, float(flat[place])))
    return tuple(found)


def _share(bound: Interval, expected: Array, got: Array) -> float:
    """The largest error as a share of the bound on its side, of elements that have a finite one."""
    with np.errstate(all="ignore"):
        room = np.where(got < expected, expected - bound.low, bound.high - expected)
        off = np.abs(got - expected)
        known = np.isfinite(room) & np.isfinite(off) & (off > 0)
        return float(np.max(off[known] / room[known], initial=0.0))


def output_stats(
    name: str,
    expected: Array,
    got: Array,
    dtype: DType,
    quant: Quant | None,
    tolerance: Tolerance,
    bound: Interval | None = None,
) -> OutputStats:
    """Compares one output. `expected`: real values; `got`: stored numbers of the same shape, in the type's storage.

    `bound`: what a float element may be, instead of the tolerance."""
    unit = "ulp" if dtype.kind is Kind.FLOAT else ""
    with np.errstate(all="ignore"):
        if dtype.kind is Kind.FLOAT:
            errors = _float_errors(expected, got, dtype)
        elif dtype.quantized and quant is not None:
            unit = "lsb"
            errors = _fixed_errors(expected, got, dtype, quant)
        else:
            errors = _whole_errors(expected, got, dtype)
        wanted = encode(expected.astype(real_type(dtype)), dtype, quant)
        real = decode(got, dtype, quant).astype(np.float64)
        target = decode(wanted, dtype, quant).astype(np.float64)
        apart = np.abs(real - target)
        good = _allowed(errors, apart, target, tolerance, dtype) if bound is None else bound.holds(real)
        finite = errors[np.isfinite(errors)]
        far = apart[np.isfinite(apart)]
    return OutputStats(
        name=name,
        dtype=dtype,
        shape=tuple(got.shape),
        unit=unit,
        elements=int(errors.size),
        failed=int(errors.size - np.count_nonzero(good)),
        worst=float(errors.max()) if errors.size else 0.0,
        mean=float(finite.mean()) if finite.size else 0.0,
        worst_abs=float(far.max()) if far.size else 0.0,
        room=_room(apart, target, real, tolerance, bound),
        histogram=histogram(errors),
        bounded=bound is not None,
        share=0.0 if bound is None else _share(bound, expected, real),
        unknown=0 if bound is None else int(np.count_nonzero(bound.is_unknown)),
        least_failed=float(np.min(errors[~good], initial=np.inf)),
        worst_elements=_worst(errors, good, expected, wanted, got, real),
    )
