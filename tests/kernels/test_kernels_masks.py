"""Masked softmax of quantized tensors: rows of chosen elements, against numpy in float64."""

from __future__ import annotations

import itertools
import re
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


def check(kit: RowKit, forms: dict[int, str], dtype: str, out: str, seed: int, lengths: tuple[int, ...]) -> float:
    """Rows of any data under masks of several kinds; the share that the vector code computes, of those with a chosen element."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    wanted: list[tuple[str, np.ndarray, np.ndarray]] = []
    limits, room = np.iinfo(STORED[dtype]), np.iinfo(STORED[out])
    for (unit, form), n, share in itertools.product(forms.items(), lengths, (0.0, 0.02, 0.5, 1.0)):
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
        chosen = form != "chosen" or m.any()
        assert chosen or got is None  # no number: portable
        assert got is not None or form == "chosen" or (~m if form == "filled" else m).any()  # 1 / n each
        if got is not None:
            assert np.abs(got["y"].astype(np.float64) - stored).max() <= 1, (form, row.n)
        alive += chosen
        vectors += got is not None
    return vectors / alive


FEW = [("masked", "ufixed8"), ("chosen", "ufixed8"), ("filled", "ufixed16")]


def test_rows(tmp_path: Path) -> None:
    kit = RowKit(tmp_path, [lowered(form, dtype, dtype) for form, dtype in FEW])
    for unit, (form, dtype) in enumerate(FEW):
        assert check(kit, {unit: form}, dtype, dtype, 5, (1, 3, 17, 100, 128, 1000)) >= 0.6
    x, m = np.full(9, 200, np.uint8), np.arange(9) % 2  # x may be as low as what is masked: the portable code
    rows = [Row(0, {"x": x, "m": m}, {"x": (lowest / 255, 255), "y": (1 / 256, 0)}) for lowest in (9990.0, 9900.0)]
    assert [got is not None for got in kit.run_rows(rows)] == [False, True]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("dtype", "out"),
    [
        ("ufixed8", "ufixed8"),
        ("ufixed16", "ufixed16"),
        ("sfixed8", "sfixed8"),
        ("ufixed8", "ufixed16"),
        ("sfixed16", "ufixed8"),
    ],
)
def test_all_rows(tmp_path: Path, dtype: str, out: str) -> None:
    kit = RowKit(tmp_path, [lowered(form, dtype, out) for form in FORMS])
    assert check(kit, dict(enumerate(FORMS)), dtype, out, 5, LENGTHS) >= 0.6


@pytest.mark.sweep
@pytest.mark.parametrize(("arch", "dtype"), [("v66", "ufixed8"), ("v73", "ufixed8")])
def test_on_hexagon(tmp_path: Path, arch: str, dtype: str) -> None:
    if toolchain.missing() or arch not in toolchain.runnable():
        absent(f"no Hexagon toolchain for {arch}")
    forms = {0: "filled", 1: "chosen"}
    kit = RowKit(tmp_path, [lowered(form, dtype, dtype) for form in forms.values()], arch)
    check(kit, forms, dtype, dtype, 6, (3, 100, 1000))


@pytest.mark.parametrize(
    "compute",
    [
        "y = max(where(m, x, -1.0e9), axis=-1, keepdims=True)",
        "v = where(m, x, -1.0e9); y = x - max(v, axis=-1, keepdims=True)",
        "v = where(m, x, -10000.0); y = exp(v - max(v, axis=-1, keepdims=True))",  # 1 where nothing is chosen
        f"v = where(m, x, -10000.0); {SOFTMAX.replace('y = ', 'p = ')}; y = log(p)",
    ],
)
def test_what_is_no_masked_softmax(compute: str) -> None:
    """It is portable, or computed in single precision as any other function is."""
    text = "  Op: {inputs: {x: {dtype: ufixed8, shape: [n]}, m: {dtype: bool8, shape: [n]}}, "
    shape = "[1]" if compute.startswith("y = max") else "[n]"
    (snippet,) = snippets_of(f"{text}outputs: {{y: {{dtype: ufixed8, shape: {shape}}}}}, compute: {compute!r}}}\n")
    found = lower(snippet)
    assert isinstance(found, str) or found.counted
    assert isinstance(down_columns(snippet), str)


@pytest.mark.parametrize("form", FORMS)
def test_columns_have_none(form: str) -> None:
    text = "  Op: {inputs: {x: {dtype: ufixed8, shape: [n, h, w]}, m: {dtype: bool8, shape: x.shape}}, "
    text += f"outputs: {{y: {{dtype: ufixed8, shape: x.shape}}}}, compute: {FORMS[form].replace('=-1', '=1')!r}}}\n"
    (snippet,) = snippets_of(text)
    assert isinstance(down_columns(snippet), str)


ALL = "[2, 3, 17, 17], [1, 2, 70, 64], [2, 2, 33, 100], [1, 2, 35, 128], [2, 2, 9, 197], [1, 3, 9, 1000], [3, 1, 1, 17]"
MASKS = {  # rows that go on together, and such that stand for several
    "Full": ("masked", "x.shape", "", "[1, 1, 40, 16], [1, 3, 5, 100], [1, 1, 3, 1000], [1, 2, 2, 2049]"),
    "Causal": ("lowest", "[1, 1, S, L]", "", ALL),
    "Padding": ("filled", "[B, 1, 1, L]", "", ALL),
    "Heads": ("masked", "[1, H, 1, L]", "", ALL),
    "Both": ("both", "[B, 1, 1, L]", ", k: {dtype: bool8, shape: [1, 1, S, L]}", ALL),
}


def op(name: str, types: str, shapes: str = "") -> str:
    form, mask, more, cases = MASKS[name]
    compute = FORMS["masked"].replace("where(m,", "where(m and k,") if form == "both" else FORMS[form]
    given = ", ".join(f"{{x: {{shape: {shape}}}}}" for shape in re.findall(r"\[.*?\]", shapes or cases))
    return f"""\
  {name}:
    types: {{T: [{types}]}}
    inputs: {{x: {{dtype: T, shape: [B, H, S, L]}}, m: {{dtype: bool8, shape: {mask}}}{more}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    compute: {compute!r}
    tests: {{cases: [{given}]}}
"""


def check_calls(root: Path, ops: str, arch: str) -> None:
    package = generated(root, ops)
    machines = (f"hexagon-{arch}",) if not toolchain.missing() and arch in toolchain.runnable() else ("host",)
    result = verify(root, [package], VerifyOptions(on=machines, cases=1, check_current=False))
    assert failures(result) == ""


def test_calls(tmp_path: Path) -> None:
    check_calls(tmp_path, op("Both", "ufixed8", "[2, 2, 33, 17], [2, 2, 9, 197]"), "v66")


@pytest.mark.sweep
@pytest.mark.parametrize("arch", ["v66", "v68", "v73"])
@pytest.mark.parametrize("types", ["ufixed8, sfixed8", "ufixed16"])
def test_all_calls(tmp_path: Path, types: str, arch: str) -> None:
    """Several rows at a time, and masks that rows share."""
    check_calls(tmp_path, "".join(op(name, types) for name in MASKS), arch)


ADDED = f"v = x * 0.125 + a; {SOFTMAX}"  # a: 0, or far below zero
FLOATS = {"masked": FORMS["masked"], "chosen": FORMS["chosen"], "added": ADDED, "plain": "e = exp(x); y = e / sum(e)"}


def float_rows(rng: np.random.Generator, unit: int, form: str, dtype: str, n: int) -> list[tuple[Row, np.ndarray]]:
    """Rows and what they are in double; those of which nothing is masked, something, or all."""
    found = []
    of = np.float32 if dtype == "float32" else np.float16
    for share, size, far in itertools.product((0.0, 0.05, 0.5, 1.0), (1, 30, 300), (-np.inf, -1e4)):
        x, m = (rng.normal(size=n) * size).astype(of), rng.random(n) < share
        a, wide = np.where(m, 0, far).astype(of), x.astype(np.float64)
        with np.errstate(all="ignore"):
            v = {"masked": np.where(m, wide, -1e4), "added": wide * 0.125 + a}.get(form, wide)
            e = np.exp(v - v.max()) if form != "plain" else np.exp(v)
            e = np.where(m, e, 0.0) if form == "chosen" else e
            exact = e / e.sum()
        if form != "added" or m.any() or far == -np.inf:  # x + -10000 is rounded to single precision
            inputs = {"x": x, **({"a": a} if form == "added" else {} if form == "plain" else {"m": m.astype(np.uint8)})}
            found.append((Row(unit, inputs), exact))
    return found


def check_floats(root: Path, forms: tuple[str, ...], dtype: str, lengths: tuple[int, ...], arch: str = "") -> None:
    rng, pairs = np.random.default_rng(8), []
    rows: list[tuple[Row, np.ndarray]] = []
    for unit, form in enumerate(forms):
        other = f", a: {{dtype: {dtype}, shape: [n]}}" if form == "added" else ", m: {dtype: bool8, shape: [n]}"
        text = f"  Op: {{inputs: {{x: {{dtype: {dtype}, shape: [n]}}{'' if form == 'plain' else other}}}, "
        text += f"outputs: {{y: {{dtype: {dtype}, shape: [n]}}}}, compute: {FLOATS[form]!r}}}\n"
        (snippet,) = snippets_of(text)
        made = lower(snippet)
        assert not isinstance(made, str), made
        pairs.append((snippet, made))
        rows += [row for n in lengths for row in float_rows(rng, unit, form, dtype, n)]
    got = RowKit(root, pairs, arch).run_rows([row for row, _ in rows])
    off, least = (300 * 2.0**-24, 1e-12) if dtype == "float32" else (2.0**-10, 2.0**-25)
    for (_, exact), found in zip(rows, got, strict=True):
        if found is not None:
            np.testing.assert_allclose(found["y"].astype(np.float64), exact, rtol=off, atol=least)
    vectors = [found is not None for (_, exact), found in zip(rows, got, strict=True) if np.isfinite(exact).all()]
    assert np.mean(vectors) > 0.8


def test_floats(tmp_path: Path) -> None:
    check_floats(tmp_path, ("chosen", "plain"), "float32", (3, 100))


@pytest.mark.sweep
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_all_floats(tmp_path: Path, dtype: str) -> None:
    check_floats(tmp_path, ("masked", "chosen", "added"), dtype, (1, 3, 17, 100, 1000, 4133))
