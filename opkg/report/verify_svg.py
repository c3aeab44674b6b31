"""Error histograms as values that a template draws: bars on a logarithmic scale, one per bin of errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from opkg.verify.judge.tolerance import BINS

WIDTH, HEIGHT = 260.0, 92.0
BASE, TOP = 74.0, 14.0  # y of the axis and of the tallest bar
LEAST_BARS = 4  # so that a chart of exact results is not one fat bar


@dataclass(frozen=True, slots=True)
class Bar:
    """One bin. `tone`: exact, near, off or none (not comparable)."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    label: str
    count: str
    tone: str
    title: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A histogram, ready to be drawn."""

    bars: tuple[Bar, ...]
    unit: str
    width: float
    height: float
    base: float
    summary: str


def _labels() -> list[str]:
    labels, last = [], -1
    for end in BINS:
        if end - last == 1:
            label = str(end)
        else:
            label = f"{last + 1}-{end}" if end < 100 else f"\N{LESS-THAN OR EQUAL TO}{_short(end)}"
        labels.append(label)
        last = end
    return [*labels, f">{_short(BINS[-1])}", "NaN"]


def _short(number: int) -> str:
    return f"{number // 1024}k" if number >= 1024 else str(number)


def short_count(count: int) -> str:
    """`950`, `12k`, `3.4M`: what fits above a bar."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= size:
            value = count / size
            return f"{value:.0f}{letter}" if value >= 10 else f"{value:.1f}{letter}"
    return str(count)


def _tone(place: int, least_failed: float) -> str:
    if place == len(BINS) + 1:
        return "none"
    beyond = place == len(BINS) or BINS[place] >= least_failed
    return "exact" if place == 0 else "off" if beyond and least_failed < math.inf else "near"


def chart(histogram: tuple[int, ...], unit: str, least_failed: float = math.inf) -> Chart:
    """The chart of a histogram; bins behind the last one that holds anything are left out."""
    last = max((i for i, count in enumerate(histogram[:-1]) if count), default=0)
    shown = list(range(max(last + 1, LEAST_BARS)))
    if histogram[-1]:
        shown.append(len(histogram) - 1)
    labels = _labels()
    scale = math.log10(max(max(histogram), 1) + 1)
    step = WIDTH / len(shown)
    bars = []
    for slot, place in enumerate(shown):
        count = histogram[place]
        height = (BASE - TOP) * math.log10(count + 1) / scale if count else 0.0
        width = min(step * 0.72, 44.0)
        x = slot * step + (step - width) / 2
        words = f"{count} elements off by {labels[place]} {unit}".rstrip()
        middle = round(slot * step + step / 2, 2)
        bars.append(
            Bar(round(x, 2), round(BASE - height, 2), round(width, 2), round(height, 2), middle,
                labels[place], short_count(count) if count else "", _tone(place, least_failed), words)
        )  # fmt: skip
    total = sum(histogram)
    summary = f"{histogram[0]} of {total} elements exact"
    return Chart(tuple(bars), unit or "difference", WIDTH, HEIGHT, BASE, summary)
