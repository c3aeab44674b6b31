"""Smooth functions of 16-bit elements in pieces: within 1 step of the correctly rounded result, for all elements."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from kernels_fixed import Case, distances, exact, spec_of
from kernels_kit import NUMPY, Call, Kit, Unit, snippets_of

from opkg.kernels.choose import choose
from opkg.kernels.lowered import Lowered
from opkg.kernels.strategies.curves import lower

TEXTS = {
    "sigmoid": "y = sigmoid(x)",
    "tanh": "y = 0.5 * tanh(2 * x - 1) + 0.25",
    "silu": "y = x * sigmoid(x)",
    "gelu": "y = 0.5 * x * (1 + erf(0.7071067811865476 * x))",
    "softplus": "y = log(1 + exp(x))",
    "mish": "y = x * tanh(log(exp(x) + 1))",
    "mish function": "y = mish(x)",
    "softplus function": "y = 2 - softplus(0.5 * x)",
    "param": "y = p * sigmoid(x / p)",
    "atan": "y = 0.5 * x + atan(x)",
    "sin": "y = 0.25 * x + sin(x + 0.3)",
    "cos": "y = 0.5 - 0.25 * cos(x)",
}
TYPES = [("x:u16", "y:u16"), ("x:s16", "y:s16")]


def case_of(text: str, tensors: str, outputs: str) -> Case:
    spec = spec_of(text, tensors, outputs, "p" if "p *" in text else "")
    snippet = snippets_of(spec)[0]
    lowered = lower(snippet)
    assert isinstance(lowered, Lowered), lowered
    return Case(Unit(snippet, lowered), spec)


NAMES = [(name, types) for name in TEXTS for types in TYPES]
CASES = [case_of(TEXTS[name], *types) for name, types in NAMES]


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    return Kit(tmp_path_factory.mktemp("curves"), [case.unit for case in CASES])


def call_of(
    case: Case,
    number: int,
    width: float,
    zero: float,
    fits: float,
    n: int = 65536,
    cut: tuple[float, float] | None = None,
) -> Call:
    """All elements, or some; `width`: of the real inputs; `zero`: where 0 is among them, 0 to 1; `cut`: the output ends at
    these quantiles of the results."""
    x, y = case.unit.snippet.inputs[0], case.unit.snippet.outputs[0]
    low, high = x.storage.limits
    stored = np.linspace(low, high, n).round().astype(NUMPY[x.storage])
    scales = {"x": (float(np.float32(width / 65536)), round(low + zero * 65535))}
    params = {p.name: 0.75 for p in case.unit.snippet.params}
    call = Call(number, {"x": stored}, -1, scales, params)
    with np.errstate(over="ignore"):
        values = exact(case, call)["y"]
    if cut is not None:
        scales["y"] = output_of(y.storage.limits, *np.quantile(values, cut))
        return call
    least, most = min(float(values.min()), 0.0), max(float(values.max()), 1e-30)
    scales["y"] = output_of(y.storage.limits, least, most, fits)
    return call


def output_of(limits: tuple[int, int], least: float, most: float, fits: float = 1.0) -> tuple[float, int]:
    """Scale and zero point of an output that begins at the least result."""
    scale = float(np.float32(max((most - least) / 65535 * fits, 1e-30)))
    return scale, int(np.clip(round(limits[0] - least / scale), *limits))


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda n: f"{NAMES[n][0]}-{NAMES[n][1][0][2:]}")
def test_all_elements(kit: Kit, number: int) -> None:
    """Of usual widths nearly all calls are taken, results that the range of the output cuts off included."""
    case = CASES[number]
    calls = [call_of(case, number, width, 0.5, fits) for width in (0.1, 4, 12, 20, 40) for fits in (1.0, 1.001, 1.7)]
    taken = 0
    for call, got in zip(calls, kit.run(calls), strict=True):
        taken += got is not None
        if got is not None:
            assert distances(case, call, got)["y"].max() <= 1, call.scales
    assert taken == 15, taken


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda n: f"{NAMES[n][0]}-{NAMES[n][1][0][2:]}")
def test_extreme_scales(kit: Kit, number: int) -> None:
    """Widths over twelve orders of magnitude, zero points at the ends, results far beyond the output: refused or right."""
    case = CASES[number]
    calls = [
        call_of(case, number, width, zero, fits)
        for width in (1e-6, 1.0, 90.0, 500.0, 1e4, 1e6)
        for zero in (0.0, 0.31, 1.0)
        for fits in (0.05, 0.7, 1.0, 1e4)
    ]
    for call, got in zip(calls, kit.run(calls), strict=True):
        if got is not None:
            assert distances(case, call, got)["y"].max() <= 1, call.scales


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda n: f"{NAMES[n][0]}-{NAMES[n][1][0][2:]}")
def test_ranges_that_cut_off(kit: Kit, number: int) -> None:
    """Outputs cut off what functions turn at, and one end or both. Of waves that turn at both ends some are refused."""
    case = CASES[number]
    cuts = [(low, high) for low in (0.0, 0.02, 0.1, 0.3) for high in (1.0, 0.97, 0.79)]
    calls = [
        call_of(case, number, width, zero, 1.0, cut=cut) for width in (4, 16) for zero in (0.5, 0.3) for cut in cuts
    ]
    taken = 0
    for call, got in zip(calls, kit.run(calls), strict=True):
        taken += got is not None
        if got is not None:
            assert distances(case, call, got)["y"].max() <= 1, call.scales
    assert taken >= (len(calls) if NAMES[number][0] not in ("sin", "cos") else 40), taken


@pytest.mark.parametrize("types", TYPES, ids=["u16", "s16"])
def test_ends_on_both_sides_of_the_least_result(kit: Kit, types: tuple[str, str]) -> None:
    """Elements 0 and 256 have the same result, which is not that of those between."""
    number = NAMES.index(("silu", types))
    case = CASES[number]
    low = case.unit.snippet.inputs[0].storage.limits[0]
    call = call_of(case, number, 16.0, 0.0, 1.0)
    step, scale = float(np.float32(16 / 65536)), float(np.float32(2e-5))

    def stored_of(zero: int) -> np.ndarray:
        x = (np.arange(257) - zero) * step
        return np.asarray(np.rint(x / (1 + np.exp(-x)) / scale))

    zero = next(zero for zero in range(5000, 5500) if stored_of(zero)[0] == stored_of(zero)[256])
    assert stored_of(zero)[0] - stored_of(zero)[128] > 2
    call = replace(call, scales={"x": (step, low + zero), "y": (scale, round(0.279 / scale) + low)})
    (got,) = kit.run([call])
    assert got is not None
    assert distances(case, call, got)["y"].max() <= 1


@pytest.mark.parametrize("name", ["silu", "gelu", "mish"])
def test_turns_of_a_few_elements(kit: Kit, name: str) -> None:
    """Where inputs reach thousands, results leave 0 and come back to it within the elements between two that are looked at."""
    number = NAMES.index((name, TYPES[1]))
    calls = [
        replace(
            call_of(CASES[number], number, 16.0, 0.5, 1.0), scales={"x": (float(np.float32(x)), 0), "y": (y, -31768)}
        )
        for x in (0.05, 0.08, 0.15, 0.3, 1.0, 40.0)
        for y in (float(np.float32(5e-4)), float(np.float32(2e-3)))
    ]
    taken = 0
    for call, got in zip(calls, kit.run(calls), strict=True):
        taken += got is not None
        if got is not None:
            assert distances(CASES[number], call, got)["y"].max() <= 1, call.scales
    assert taken >= 4, taken


@pytest.mark.parametrize("types", TYPES, ids=["u16", "s16"])
def test_a_wave_that_comes_back_to_its_first_result(kit: Kit, types: tuple[str, str]) -> None:
    """Elements 0 and 256 lie on both sides of a crest, with the same result: those between have others."""
    number = NAMES.index(("cos", types))
    case = CASES[number]
    low = case.unit.snippet.inputs[0].storage.limits[0]
    call = call_of(case, number, 1.0, 0.5, 1.0)
    call.scales["x"] = (float(np.float32(2 * np.pi / 20000)), low + 128 + 20000)
    values = exact(case, call)["y"]
    scale = float(np.float32(values.max() / 65535))
    call.scales["y"] = (scale, low)
    stored = np.rint(values.ravel() / scale)
    assert stored[0] == stored[256] != stored[128]
    (got,) = kit.run([call])
    assert got is not None
    assert distances(case, call, got)["y"].max() <= 1


@pytest.mark.parametrize("n", [1, 127, 129, 1000])
def test_sizes_and_misaligned_rows(kit: Kit, n: int) -> None:
    for shift in (0, 2, 126):
        call = call_of(CASES[0], 0, 16.0, 0.5, 1.0, n)
        (got,) = kit.run([Call(0, call.inputs, -1, call.scales, call.params, shift=shift)])
        assert got is not None
        assert distances(CASES[0], call, got)["y"].max() <= 1


def test_which_kernel_is_chosen() -> None:
    found = choose(CASES[0].unit.snippet)
    assert found is not None
    assert found.strategy == "curves"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("y = exp(-x)", "linear"),
        ("y = tanh(x * x)", "linear"),
        ("y = sigmoid(x) * tanh(x)", "linear"),
        ("y = x * 3", "linear"),
        ("y = sigmoid(floor(x))", "linear"),
    ],
)
def test_what_it_leaves_to_others(text: str, why: str) -> None:
    assert why in str(lower(snippets_of(spec_of(text, "x:u16", "y:u16"))[0]))
