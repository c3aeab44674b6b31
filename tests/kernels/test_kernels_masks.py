"""Masked softmax of quantized tensors: rows of chosen elements, against numpy in float64."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from kernels_kit import absent, snippets_of
from kernels_product import failures, generated
from kernels_sequence_cases import STORED, elements
from kernels_sequence_kit import Row, RowKit

from opkg.kernels.sequence import Sequence
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.columns.strategy import lower as down_columns
from opkg.kernels.strategies.rows.strategy import lower
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.machines.hexagon import toolchain

LENGTHS = (1, 3, 17, 100, 128, 1000, 4133)
SOFTMAX = "e = exp(v - max(v, axis=-1, keepdims=True)); y = e / sum(e, axis=-1, keepdims=True)"
FORMS = {
    "masked": f"v = where(m, x, -10000.0); {SOFTMAX}",
    "filled": f"v = where(m, -1.0e9, x * 0.25); {SOFTMAX}",  # the mask says what is left out
    "lowest": f"v = where(m, x / 8, -3.4e38); {SOFTMAX}",
    "chosen": "e = where(m, exp(x - max(x, axis=-1, keepdims=True)), 0.0); y = e / sum(e, axis=-1, keepdims=True)",
}


def lowered(form: str, dtype: str, out: str) -> tuple[Snippet, Sequence]:
    text = f"  Op: {{inputs: {{x: {{dtype: {dtype}, shape: [n]}}, m: {{dtype: bool8, shape: [n]}}}}, "
    text += f"outputs: {{y: {{dtype: {out}, shape: [n]}}}}, compute: {FORMS[form]!r}}}\n"
    (snippet,) = snippets_of(text)
    made = lower(snippet)
    assert not isinstance(made, str), made
    return snippet, made


def reference(form: str, x: np.ndarray, m: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        if form == "chosen":
            e = np.where(m, np.exp(x - x.max()), 0.0)
        else:
            of = {"masked": (m, x, -1e4), "filled": (~m, x * 0.25, -1e9), "lowest": (m, x / 8, -3.4e38)}
            v: np.ndarray = np.where(*of[form])
            e = np.exp(v - v.max())
        return np.asarray(e / e.sum())


def check(kit: RowKit, forms: tuple[str, ...], dtype: str, out: str, seed: int, lengths: tuple[int, ...]) -> float:
    """Rows of any data under masks of several kinds; the share that the vector code computes, of those with a chosen element."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    wanted: list[tuple[str, np.ndarray, np.ndarray]] = []
    limits, room = np.iinfo(STORED[dtype]), np.iinfo(STORED[out])
    for (unit, form), n, share in itertools.product(enumerate(forms), lengths, (0.0, 0.02, 0.5, 1.0)):
        x, m = elements(rng, STORED[dtype], n, int(rng.integers(4))), rng.random(n) < share
        scale, zero = (
            float(np.float32(rng.uniform(2, 60) / (limits.max - limits.min))),
            int(rng.integers(limits.min, limits.max)),
        )
        exact = reference(form, (x.astype(np.float64) - zero) * scale, m)
        largest = exact.max() if np.isfinite(exact).all() else 1.0
        y = float(np.float32(max(largest, 1e-4) / (room.max - room.min) * rng.choice([1, 4, 0.25])))
        at = int(room.min)
        rows.append(
            Row(
                unit,
                {"x": x, "m": m.astype(np.uint8)},
                {"x": (scale, zero), "y": (y, at)},
                shift=int(rng.choice([0, 4])),
            )
        )
        wanted.append((form, m, np.clip(np.rint(exact / y) + at, room.min, room.max)))
    vectors = alive = 0
    for row, (form, m, stored), got in zip(rows, wanted, kit.run_rows(rows), strict=True):
        chosen = bool((~m if form == "filled" else m).any())
        assert chosen or got is None  # 1 / n each, or no number: portable
        if got is not None:
            assert np.abs(got["y"].astype(np.float64) - stored).max() <= 1, (form, row.n)
        alive += chosen
        vectors += got is not None
    return vectors / alive


SWEPT = [("sfixed8", "sfixed8"), ("ufixed8", "ufixed16"), ("sfixed16", "ufixed8")]


@pytest.mark.parametrize(
    ("dtype", "out"),
    [
        ("ufixed8", "ufixed8"),
        ("ufixed16", "ufixed16"),
        *(pytest.param(*pair, marks=pytest.mark.sweep) for pair in SWEPT),
    ],
)
def test_rows(tmp_path: Path, dtype: str, out: str) -> None:
    forms = tuple(FORMS)
    kit = RowKit(tmp_path, [lowered(form, dtype, out) for form in forms])
    assert check(kit, forms, dtype, out, 5, LENGTHS) >= 0.6


@pytest.mark.parametrize(
    ("arch", "dtype"), [pytest.param("v66", "ufixed8", marks=pytest.mark.sweep), ("v73", "ufixed8")]
)
def test_on_hexagon(tmp_path: Path, arch: str, dtype: str) -> None:
    if toolchain.missing() or arch not in toolchain.runnable():
        absent(f"no Hexagon toolchain for {arch}")
    forms = ("filled", "chosen")
    check(
        RowKit(tmp_path, [lowered(form, dtype, dtype) for form in forms], arch), forms, dtype, dtype, 6, (3, 100, 1000)
    )


def test_a_number_that_is_not_far_below(tmp_path: Path) -> None:
    """x may be as low as what is masked: the portable code."""
    kit = RowKit(tmp_path, [lowered("masked", "ufixed8", "ufixed8")])
    x, m = np.full(9, 200, np.uint8), np.arange(9) % 2
    rows = [Row(0, {"x": x, "m": m}, {"x": (lowest / 255, 255), "y": (1 / 256, 0)}) for lowest in (9990.0, 9900.0)]
    assert [got is not None for got in kit.run_rows(rows)] == [False, True]


@pytest.mark.parametrize(
    "compute",
    [
        "y = max(where(m, x, -1.0e9), axis=-1, keepdims=True)",
        "v = where(m, x, -1.0e9); y = x - max(v, axis=-1, keepdims=True)",
        "v = where(m, x, -10000.0); y = exp(v - max(v, axis=-1, keepdims=True))",  # 1 where nothing is chosen
        f"v = where(m, x, -10000.0); {SOFTMAX.replace('y = ', 'p = ')}; y = log(p)",
    ],
)
def test_what_stays_portable(compute: str) -> None:
    text = "  Op: {inputs: {x: {dtype: ufixed8, shape: [n]}, m: {dtype: bool8, shape: [n]}}, "
    shape = "[1]" if compute.startswith("y = max") else "[n]"
    (snippet,) = snippets_of(f"{text}outputs: {{y: {{dtype: ufixed8, shape: {shape}}}}}, compute: {compute!r}}}\n")
    assert isinstance(lower(snippet), str)
    assert isinstance(down_columns(snippet), str)


@pytest.mark.parametrize("form", FORMS)
def test_columns_have_none(form: str) -> None:
    text = "  Op: {inputs: {x: {dtype: ufixed8, shape: [n, h, w]}, m: {dtype: bool8, shape: x.shape}}, "
    text += f"outputs: {{y: {{dtype: ufixed8, shape: x.shape}}}}, compute: {FORMS[form].replace('=-1', '=1')!r}}}\n"
    (snippet,) = snippets_of(text)
    assert isinstance(down_columns(snippet), str)


def op(name: str, form: str, types: str, mask: str, cases: str) -> str:
    return f"""\
  {name}:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [A, B, C]}}, m: {{dtype: bool8, shape: {mask}}}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    compute: {FORMS[form]!r}
    tests: {{cases: [{cases}]}}
"""


def test_calls(tmp_path: Path) -> None:
    """Several rows at a time, and masks that rows share."""
    cases = ", ".join(f"{{x: {{shape: [{dims}]}}}}" for dims in ("1, 40, 16", "3, 5, 100", "1, 3, 1000", "2, 2, 2049"))
    shared = ", ".join(f"{{x: {{shape: [3, {dims}]}}, m: {{shape: [1, {dims}]}}}}" for dims in ("9, 17", "2, 300"))
    ops = op("Full", "masked", "ufixed8", "x.shape", cases) + op("Shared", "filled", "ufixed8", "[1, B, C]", shared)
    package = generated(tmp_path, ops, "qnn-htp-qhpi")
    machines = ("hexagon-v66",) if not toolchain.missing() and "v66" in toolchain.runnable() else ("host",)
    result = verify(tmp_path, [package], VerifyOptions(on=machines, cases=2, check_current=False))
    assert failures(result) == ""
