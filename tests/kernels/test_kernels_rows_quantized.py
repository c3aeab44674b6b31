"""Reductions, softmax and normalization of quantized rows in vectors: against numpy in float64."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_kit import snippets_of
from kernels_sequence_cases import (
    BUMP,
    CASES,
    LENGTHS,
    NORMED,
    STORED,
    Expected,
    compare,
    elements,
    expected,
    lowered,
    of_case,
    snippet_of,
)
from kernels_sequence_kit import Row, RowKit

from opkg.kernels.strategies.rows.strategy import lower

EXACT = frozenset(("max", "min", "sum", "mean", "range", "variance", "dot"))  # correctly rounded: no difference at all
REDUCED = EXACT | {"distance", "mean_abs", "log_sum_exp"}
OF_SUMS = ["add_norm", "add_rms_norm", "add_layer_norm", "distance"]
OF_16_BITS = ["max", "sum", "variance", "center", "norm", "add_max"]


@pytest.fixture(scope="module")
def bytes_kit(tmp_path_factory: pytest.TempPathFactory) -> RowKit:
    """All cases of unsigned bytes."""
    return RowKit(tmp_path_factory.mktemp("bytes"), [of_case(name, "ufixed8", "ufixed8") for name in CASES])


def check(kit: RowKit, names: list[str], dtype: str, out: str, lengths: tuple[int, ...], times: int) -> None:
    """Runs rows of random data through some cases."""
    rng = np.random.default_rng(len(names))
    wanted = [
        expected(rng, unit, name, dtype, out, n, int(rng.choice([0, 2, 64])))
        for unit, name in enumerate(names)
        for n in lengths
        for _ in range(times)
    ]
    found = compare(kit, wanted)
    for name, entry in found.items():
        assert entry.steps <= (0 if name in EXACT else 1), (name, entry)
        assert entry.refused <= (0.2 if name in REDUCED else 0.8) * entry.rows, (name, entry)


def test_all_cases_of_unsigned_bytes(bytes_kit: RowKit) -> None:
    check(bytes_kit, list(CASES), "ufixed8", "ufixed8", LENGTHS, 5)


class WithoutDoubles(RowKit):
    """Numbers of rows are made in registers, or rows are turned down."""

    def _compile(self, source: Path) -> None:
        self.text, self.replaced = re.subn(
            r"(OPKG_RARE bool in_double\(.*\n)", r"\1    if (n != 0) return false;\n", self.text
        )
        super()._compile(source)


def test_numbers_of_one_row_in_registers(tmp_path: Path) -> None:
    """Of any scales 31 bits are enough for most rows, of usual ones for all."""
    names, dtypes = ("softmax", "softmin", "layer_norm", "rms_norm", "norm_relu"), ("ufixed8", "sfixed8")
    units = [(name, dtype) for name in names for dtype in dtypes]
    kit = WithoutDoubles(tmp_path, [of_case(name, dtype, dtype) for name, dtype in units])
    assert kit.replaced == len(units)
    rng = np.random.default_rng(3)
    found = compare(
        kit,
        [
            expected(rng, unit, name, dtype, dtype, n, 0)
            for unit, (name, dtype) in enumerate(units)
            for n in LENGTHS
            for _ in range(6)
        ],
    )
    for name, entry in found.items():
        assert entry.steps <= 1, (name, entry)
        assert entry.refused <= 0.4 * entry.rows, (name, entry)
    steps = {"x": (1 / 16, 3), "g": (1 / 128, 100), "b": (1 / 64, 120), "y": (1 / 64, 110)}
    usual = []
    for unit, ((_, dtype), (snippet, _)) in enumerate(zip(units, kit.pairs, strict=True)):
        low = np.iinfo(STORED[dtype]).min
        scales = {o.name: (steps[o.name][0], steps[o.name][1] + low) for o in (*snippet.inputs, *snippet.outputs)}
        for n in (100, 768, 1000):
            usual.append(Row(unit, {o.name: elements(rng, STORED[dtype], n, 1) for o in snippet.inputs}, scales))
    assert all(got is not None for got in kit.run_rows(usual))


def test_equal_elements_have_no_deviation(bytes_kit: RowKit) -> None:
    """What doubles leave of their variance is no less than nothing: it would have no root."""
    unit, y = list(CASES).index("score"), (float(np.float32(0.00782748)), 127)
    rows = [
        Row(unit, {"x": np.full(n, value, np.uint8)}, {"x": (float(np.float32(scale)), zero), "y": y})
        for scale, zero in ((1 / 255, 0), (0.0596078, 16), (0.0116078, 96))
        for n in (2, 3, 7)
        for value in range(256)
    ]
    found = [got["y"] for got in bytes_kit.run_rows(rows) if got is not None]
    assert len(found) > 100
    assert all((results == 127).all() for results in found)


@given(
    name=st.sampled_from(sorted(CASES)),
    kind=st.integers(0, 3),
    n=st.integers(1, 700),
    seed=st.integers(0, 1 << 32),
    scales=st.lists(st.floats(-6, 6), min_size=5, max_size=5),
    zeros=st.lists(st.integers(0, 255), min_size=5, max_size=5),
)
@settings(max_examples=100, deadline=None)
def test_any_scales(
    bytes_kit: RowKit, name: str, kind: int, n: int, seed: int, scales: list[float], zeros: list[int]
) -> None:
    """Scales of 1e-6 to 1e6, any zero points: what the vector code does not leave alone is within its bound."""
    case, rng = CASES[name], np.random.default_rng(seed)
    names = ("x", *case.others)
    stored = {key: elements(rng, np.uint8, n, kind) for key in names}
    steps = {key: (float(np.float32(10**e)), z) for key, e, z in zip((*names, "y"), scales, zeros, strict=False)}
    with np.errstate(all="ignore"):
        exact = case.reference(*[(stored[key].astype(np.float64) - steps[key][1]) * steps[key][0] for key in names])
        places = np.atleast_1d(exact) / steps["y"][0]
        wanted = np.clip(np.rint(places) + steps["y"][1], 0, 255)
        # Float64 rounds, too: halfway between two steps it may be on the other side.
        between = bool((np.abs(np.abs(places - np.rint(places)) - 0.5) < 1e-6).any())
    (got,) = bytes_kit.run_rows([Row(list(CASES).index(name), stored, steps)])
    if got is not None and np.isfinite(exact).all():
        assert np.abs(got["y"] - wanted).max() <= (0 if name in EXACT and not between else 1)


@pytest.mark.parametrize(
    ("dtype", "out", "names"),
    [
        ("sfixed8", "sfixed8", ["dot", "mean_abs", "softmax", "layer_norm", "add_layer_norm"]),
        ("ufixed8", "ufixed16", ["softmax", "norm", "layer_norm", "mean"]),
        ("sfixed8", "sfixed16", ["layer_norm", "rms_norm"]),
        ("ufixed16", "ufixed16", [*OF_16_BITS, "layer_norm", *OF_SUMS]),
        ("sfixed16", "sfixed16", [*OF_16_BITS, "layer_norm", *OF_SUMS]),
        ("ufixed16", "ufixed8", [*OF_16_BITS, "layer_norm", *OF_SUMS]),
        ("sfixed16", "sfixed8", ["norm_relu", "layer_norm", "rms_norm", "add_layer_norm"]),
    ],
)
def test_other_types(tmp_path: Path, dtype: str, out: str, names: list[str]) -> None:
    kit = RowKit(tmp_path, [of_case(name, dtype, out) for name in names])
    check(kit, names, dtype, out, LENGTHS, 3)


@pytest.mark.parametrize("arch", ["v66", "v73"])
def test_on_hexagon(tmp_path: Path, arch: str) -> None:
    names = ["max", "variance", "softmax", "layer_norm", "log_softmax"]
    kit = RowKit(tmp_path, [of_case(name, "ufixed8", "ufixed8") for name in names], arch)
    check(kit, names, "ufixed8", "ufixed8", (1, 127, 129, 1000), 2)


def test_typical_rows_stay_in_vectors(bytes_kit: RowKit) -> None:
    """Scales as a quantized network has them: nothing is left to the portable code."""
    softmax, norm = list(CASES).index("softmax"), list(CASES).index("layer_norm")
    rng = np.random.default_rng(3)
    rows = []
    for n in (32, 197, 768, 4096, 70000):
        x = np.clip(np.rint(rng.normal(128, 25, n)), 0, 255).astype(np.uint8)
        rows.append(Row(softmax, {"x": x}, {"x": (0.1, 120), "y": (1 / 256, 0)}))
        other = {"g": rng.integers(40, 256, n).astype(np.uint8), "b": rng.integers(0, 256, n).astype(np.uint8)}
        scales = {"x": (0.05, 120), "g": (1 / 128, 10), "b": (0.02, 128), "y": (8 / 255, 128)}
        rows.append(Row(norm, {"x": x, **other}, scales))
    assert all(got is not None for got in bytes_kit.run_rows(rows))


def test_norms_stay_in_vectors_at_any_scale(bytes_kit: RowKit) -> None:
    """Results that fit their scale, or a scale four times finer; rows of elements that are nearly alike; weights of any size."""
    rng = np.random.default_rng(5)
    names = list(CASES)
    wanted = [
        expected(rng, names.index(name), name, "ufixed8", "ufixed8", n, 0)
        for name in ("norm", "norm_relu", "layer_norm", "rms_norm")
        for n in (17, 100, 768)
        for _ in range(30)
    ]
    for name, entry in compare(bytes_kit, wanted).items():
        assert (entry.steps, entry.refused) == (1, 0), (name, entry)


@pytest.mark.parametrize("out", ["ufixed16", "ufixed8"])
def test_norms_of_16_bits_stay_in_vectors(tmp_path: Path, out: str) -> None:
    """Rows nearly alike, far from zero or not, and others: what is left are rows of one element, or all alike, whose results
    have very fine scales."""
    kit = RowKit(tmp_path, [of_case(name, "ufixed16", out) for name in ("norm", "layer_norm")])
    rng = np.random.default_rng(6)
    wanted = [
        expected(rng, unit, name, "ufixed16", out, n, 0)
        for unit, name in enumerate(("norm", "layer_norm"))
        for n in (100, 768, 20001)
        for _ in range(30)
    ]
    varied = [want for want in wanted if np.ptp(want.row.inputs["x"]) > 0]
    for name, entry in compare(kit, varied).items():
        assert (entry.steps, entry.refused) == (1, 0), (name, entry)


@pytest.mark.parametrize("bits", [8, 16])
def test_norms_of_sums_stay_in_vectors(tmp_path: Path, bits: int) -> None:
    """A tensor and what is added to it, of other scales, weights about 1, results that reach to 8: rows that cancel are left to
    the portable code, others are not."""
    names, dtype = ["add_rms_norm", "add_layer_norm"], f"ufixed{bits}"
    kit, rng, most = (
        RowKit(tmp_path, [of_case(name, dtype, dtype) for name in names]),
        np.random.default_rng(8),
        1 << bits,
    )
    reals = {"x": 16.0, "r": 10.0, "g": 2.5, "b": 2.0, "y": 16.0}
    scales = {name: (float(np.float32(reach / most)), most // 2 - 3) for name, reach in reals.items()}
    rows = []
    for unit, name in enumerate(names):
        for n in (17, 100, 768, 4096):
            stored = {
                key: np.clip(np.rint(rng.normal(most / 2, most / 12, n)), 0, most - 1).astype(STORED[dtype])
                for key in ("x", *CASES[name].others)
            }
            rows.append(Row(unit, stored, scales))
        opposite = {**rows[-1].inputs, "r": (most - 6 - rows[-1].inputs["x"].astype(np.int64)).astype(STORED[dtype])}
        rows.append(Row(unit, opposite, {**scales, "r": scales["x"]}))
    left = [got is None for got in kit.run_rows(rows)]
    assert not any(left[:4] + left[5:9])
    assert left[4] == left[9] == (bits == 16)


def test_a_row_of_many_small_numbers_is_summed_up_exactly(bytes_kit: RowKit) -> None:
    """One element far above 4000 others whose exp() is below half an entry of the table, yet counts in their sum."""
    x = np.full(60000, 100, np.uint8)
    x[777] = 218
    real = (x.astype(np.float64) - 7) * float(np.float32(0.1))
    e = np.exp(real - real.max())
    wanted = np.clip(np.rint(e / e.sum() * 256), 0, 255)
    softmax = list(CASES).index("softmax")
    (got,) = bytes_kit.run_rows([Row(softmax, {"x": x}, {"x": (0.1, 7), "y": (1 / 256, 0)})])
    assert got is not None
    assert wanted[777] < 200
    assert np.abs(got["y"] - wanted).max() <= 1


SEVERAL = """
  Op:
    inputs:
      x: {dtype: ufixed8, shape: [n, h, w, d]}
    params:
      beta: {dtype: float32, default: 1.0, range: "> 0"}
    outputs:
      y: {dtype: ufixed8, shape: x.shape}
      m: {dtype: ufixed8, shape: [n, h, 1, 1]}
      s: {dtype: float32, shape: [n, h, 1, 1]}
    compute: |
      m = max(x, axis=[-1, -2], keepdims=True)
      s = mean(x * x, axis=[-1, -2], keepdims=True) * beta
      e = exp(beta * (x - m))
      y = e / sum(e, axis=[-1, -2], keepdims=True)
"""


def test_several_outputs_and_a_param(tmp_path: Path) -> None:
    (snippet,) = snippets_of(SEVERAL)
    kit = RowKit(tmp_path, [(snippet, lowered(snippet))])
    rng = np.random.default_rng(2)
    scales = {"x": (0.05, 3), "y": (1 / 256, 0), "m": (0.06, 1)}
    for n in (5, 300, 3000):
        x = rng.integers(0, 256, n).astype(np.uint8)
        (got,) = kit.run_rows([Row(0, {"x": x}, scales, {"beta": 0.5})])
        assert got is not None
        real = (x.astype(np.float64) - 3) * float(np.float32(0.05))
        e = np.exp(0.5 * (real - real.max()))
        assert np.abs(got["y"] - np.clip(np.rint(e / e.sum() * 256), 0, 255)).max() <= 1
        assert got["m"][0] == np.rint(real.max() / float(np.float32(0.06))) + 1
        assert got["s"][0] == np.float32((real * real).mean() * 0.5)


REASONS = {
    "y = prod(x + 1.0, axis=-1, keepdims=True)": "'prod' of",
    "y = max(sum(x, axis=-1, keepdims=True) * 0.0 + max(x, axis=-2, keepdims=True), axis=-1, keepdims=True)": "different",
}
FUNCTIONS = ("sum(x * x * x, axis=-1)", "sum(exp(x), axis=-1) - 1.0", "min(abs(x), axis=-1)")


@pytest.mark.parametrize("compute", REASONS)
def test_says_why_it_cannot(compute: str) -> None:
    made = lower(snippet_of(compute, "ufixed8", "ufixed8", full=False))
    assert isinstance(made, str)
    assert REASONS[compute] in made


@pytest.mark.parametrize("value", FUNCTIONS)
def test_single_precision_takes_the_rest(value: str) -> None:
    """Within a bound (tests/kernels/test_kernels_panels.py)."""
    made = lower(
        snippet_of(f"y = {value.replace('axis=-1', 'axis=-1, keepdims=True')}", "ufixed8", "ufixed8", full=False)
    )
    assert not isinstance(made, str)
    assert made.counted


@pytest.mark.parametrize("bits", [8, 16])
def test_functions_of_norms_stay_in_vectors(tmp_path: Path, bits: int) -> None:
    """Rows nearly alike, far from zero, and others, with weights about 1: what is added to a mean cancels in whole steps, so
    that single precision is enough for 16 bits, too."""
    names, dtype, most = list(NORMED), f"ufixed{bits}", 1 << bits
    kit, rng = RowKit(tmp_path, [of_case(name, dtype, dtype) for name in names]), np.random.default_rng(9)
    wanted = []
    for unit, name in enumerate(names):
        for n in (2, 17, 100, 768, 4133):
            for kind in range(4):
                x, g, b = (elements(rng, STORED[dtype], n, kind if key == "x" else 1) for key in "xgb")
                steps = {"x": (3.0 / most, 7), "g": (2.0 / most, most // 3), "b": (2.0 / most, most // 2)}
                reals = {
                    key: (stored.astype(np.float64) - steps[key][1]) * float(np.float32(steps[key][0]))
                    for key, stored in (("x", x), ("g", g), ("b", b))
                }
                exact = NORMED[name].reference(*[reals[key] for key in ("x", *NORMED[name].others)])
                scale = float(np.float32(max(np.ptp(exact), 4.0) / most))
                zero = int(np.clip(np.rint(-exact.min() / scale), 0, most - 1))
                row = Row(unit, {"x": x, "g": g, "b": b}, {**steps, "y": (scale, zero)})
                wanted.append(Expected(name, row, np.clip(np.rint(exact / scale) + zero, 0, most - 1)))
    for name, entry in compare(kit, wanted).items():
        assert (entry.steps <= 1, entry.refused) == (True, 0), (name, entry)


def test_a_function_is_looked_at_wherever_it_changes(tmp_path: Path) -> None:
    """A dip of a few units at 116, below the least result: found, or left to the portable code."""
    kit = RowKit(tmp_path, [of_case("bump", "ufixed8", "ufixed8")])
    stored = (np.arange(640) % 256).astype(np.uint8)
    real = stored.astype(np.float64)
    exact = BUMP["bump"].reference(real)
    for scale, zero in ((0.02, 0), (0.02, 20), (0.5, 0), (1.0, 0)):
        step = float(np.float32(scale))
        wanted = np.clip(np.rint(exact / step) + zero, 0, 255)
        (got,) = kit.run_rows([Row(0, {"x": stored}, {"x": (1.0, 0), "y": (step, zero)})])
        assert got is None or np.abs(got["y"] - wanted).max() <= 1, (scale, zero)
