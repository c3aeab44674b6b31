"""Reductions, softmax and normalization of rows of floats, on the host: against numpy in float64."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from kernels_kit import absent, snippets_of
from kernels_product import failures, generated
from kernels_sequence_cases import CASES, STORED, expected, lowered, of_case, snippet_of
from kernels_sequence_kit import Row, RowKit

from opkg.kernels.strategies.rows.strategy import lower
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.machines.hexagon import toolchain

LENGTHS = (1, 31, 32, 33, 64, 127, 1000, 4096 + 37)
HALVES = ("max", "softmax", "layer_norm")
# Relative to the largest result: single precision of a few steps, half precision of the last one.
BOUND = {"float32": 1e-6, "float16": 2.0**-11 + 2.0**-14}


def rows_of(rng: np.random.Generator, unit: int, name: str, dtype: str) -> list[Row]:
    """Rows of normal numbers, of any scale and place that the type holds well."""
    found = []
    for n in LENGTHS:
        for _ in range(2):
            spread, middle = rng.uniform(0.1, 5), rng.uniform(-3, 3)
            inputs = {key: (rng.normal(size=n) * spread + middle).astype(dtype) for key in ("x", *CASES[name].others)}
            found.append(Row(unit, inputs, shift=int(rng.choice([0, 4, 64]))))
    return found


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_cases(tmp_path: Path, dtype: str) -> None:
    names = [name for name in (CASES if dtype == "float32" else HALVES) if name != "norm_relu"]
    kit = RowKit(tmp_path, [of_case(name, dtype, dtype) for name in names])
    rng = np.random.default_rng(8)
    rows = [row for unit, name in enumerate(names) for row in rows_of(rng, unit, name, dtype)]
    for row, got in zip(rows, kit.run_rows(rows), strict=True):
        exact = np.atleast_1d(CASES[names[row.unit]].reference(*[v.astype(np.float64) for v in row.inputs.values()]))
        assert got is not None, (names[row.unit], row.n)
        error = np.abs(got["y"].astype(np.float64) - exact).max()
        assert error <= BOUND[dtype] * max(np.abs(exact).max(), 2.0**-10), (names[row.unit], row.n)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_masks_take_the_vector_path(tmp_path: Path, dtype: str) -> None:
    """Attention masks: minus infinity, or the lowest number, in some or in most places of a row."""
    lowest = float(np.finfo(dtype).min)
    kit = RowKit(tmp_path, [of_case("softmax", dtype, dtype)])
    rng = np.random.default_rng(6)
    rows = []
    for n in LENGTHS:
        for masked in (-np.inf, lowest):
            for live in (1, max(1, n // 2), n):
                x = rng.normal(size=n).astype(dtype)
                x[rng.permutation(n)[live:]] = masked
                rows.append(Row(0, {"x": x}))
    rows.append(Row(0, {"x": np.full(100, lowest, dtype)}))  # a row of padding
    for row, got in zip(rows, kit.run_rows(rows), strict=True):
        (exact,) = [CASES["softmax"].reference(row.inputs["x"].astype(np.float64))]
        assert got is not None, row.n
        assert np.abs(got["y"].astype(np.float64) - exact).max() <= BOUND[dtype]


def test_what_only_double_holds_is_left_to_the_portable_code(tmp_path: Path) -> None:
    kit = RowKit(tmp_path, [of_case("sum", "float32", "float32")])
    rows = []
    for n, place in ((65, 64), (128, 5), (1000, 999)):
        for wrong in (np.nan, np.inf, -np.inf, 3e38):
            x = np.full(n, 1e38 if wrong == 3e38 else 1, np.float32)  # a sum beyond the range of a lane
            x[place] = wrong
            rows.append(Row(0, {"x": x}))
    assert all(got is None for got in kit.run_rows(rows))


def test_softmax_of_16_bits(tmp_path: Path) -> None:
    """Distances from the largest element are exact, so the results are within one step."""
    names = ["softmax", "softmin", "scaled_softmax"]
    kit = RowKit(tmp_path, [of_case(name, "ufixed16", "ufixed16") for name in names])
    rng = np.random.default_rng(4)
    wanted = [
        expected(rng, unit, name, "ufixed16", "ufixed16", n, shift)
        for unit, name in enumerate(names)
        for n, shift in ((1, 0), (33, 2), (64, 0), (129, 64), (1000, 2), (2048, 0), (2049, 2), (4133, 0))
        for _ in range(4)
    ]
    for want, got in zip(wanted, kit.run_rows([want.row for want in wanted]), strict=True):
        assert got is not None, want.row
        assert np.abs(got["y"].astype(np.float64) - want.stored).max() <= 1, want.row


@pytest.mark.parametrize(("dtype", "out"), [("ufixed16", "ufixed16"), ("sfixed16", "sfixed8")])
def test_log_softmax_of_16_bits(tmp_path: Path, dtype: str, out: str) -> None:
    """As softmax, for results of scales from 1e-5 on, whose sums' logarithms are small."""
    compute = "e = x - max(x, axis=-1, keepdims=True)\ny = e - log(sum(exp(e), axis=-1, keepdims=True))"
    snippet = snippet_of(compute, dtype, out, full=True)
    kit = RowKit(tmp_path, [(snippet, lowered(snippet))])
    rng = np.random.default_rng(8)
    wanted = [
        expected(rng, 0, "log_softmax", dtype, out, n, shift)
        for n, shift in ((1, 0), (33, 2), (64, 0), (129, 64), (1000, 2), (4133, 0))
        for _ in range(6)
    ]
    for want, got in zip(wanted, kit.run_rows([want.row for want in wanted]), strict=True):
        assert (got is None) == (want.row.scales["y"][0] < 1e-5), want.row
        if got is not None:
            assert np.abs(got["y"].astype(np.float64) - want.stored).max() <= 1, want.row


def test_logarithms_of_sums_however_they_are_written(tmp_path: Path) -> None:
    """`x - (m + log(s))`, quotients by a number of the call, the extreme and the logarithm as a result."""
    names = ["log_softmax", "log_softmax_of_quotients", "log_sum_exp"]
    kit = RowKit(tmp_path, [of_case(name, "ufixed16", "ufixed16") for name in names])
    rng = np.random.default_rng(9)
    wanted = [
        expected(rng, unit, name, "ufixed16", "ufixed16", n, 2)
        for unit, name in enumerate(names)
        for n in (3, 64, 129, 1000)
        for _ in range(6)
    ]
    found = kit.run_rows([want.row for want in wanted])
    for want, got in zip(wanted, found, strict=True):
        assert (got is None) == (want.row.scales["y"][0] < 1e-5), want.row
        if got is not None:
            assert np.abs(got["y"].astype(np.float64) - want.stored).max() <= 1, want.row


@pytest.mark.parametrize("bits", [8, 16])
def test_masked_softmax(tmp_path: Path, bits: int) -> None:
    """Rows of which some elements are masked, all of them, or all but one; a bias at each place. Nothing is left to the
    portable code but rows that are masked so far that single precision does not find their largest sum."""
    dtype, most = f"ufixed{bits}", (1 << bits) - 1
    kit = RowKit(tmp_path, [of_case("masked_softmax", dtype, dtype)])
    rng, rows = np.random.default_rng(12), []
    for n, masked in itertools.product((1, 3, 17, 100, 1000), (-50.0, -10000.0, -1e9)):
        scales = {
            "x": (float(np.float32(240 / most)), most // 2 + 5),
            "r": (float(np.float32(-masked / most)), most),
            "y": (1 / (most + 1), 0),
        }
        x = np.clip(np.rint(rng.normal(most / 2, most / 6, n)), 0, most)
        one = np.where(np.arange(n) == n // 2, most, 0)
        for mask in (np.where(rng.random(n) < 0.5, 0, most), np.zeros(n), one, np.linspace(most // 2, most, n)):
            stored = {"x": x.astype(STORED[dtype]), "r": np.rint(mask).astype(STORED[dtype])}
            rows.append(Row(0, stored, scales, shift=int(rng.choice([0, 2, 64]))))
    for row, got in zip(rows, kit.run_rows(rows), strict=True):
        reals = [
            (row.inputs[name].astype(np.float64) - row.scales[name][1]) * row.scales[name][0] for name in ("x", "r")
        ]
        wanted = np.clip(np.rint(CASES["masked_softmax"].reference(*reals) / row.scales["y"][0]), 0, most)
        far = bits == 16 and sum(reals).max() < -1e8
        assert (got is None) == far
        assert got is None or np.abs(got["y"].astype(np.float64) - wanted).max() <= 1


@pytest.mark.parametrize("bits", [8, 16])
def test_softmax_of_elements_times_a_number_of_any_sign(tmp_path: Path, bits: int) -> None:
    """`x * s`, s a tensor with one number for each row, or a param: distances of x are in whole steps."""
    dtype, most, soft = f"ufixed{bits}", (1 << bits) - 1, "y = e / sum(e, axis=-1, keepdims=True)"
    texts = [
        f"v = x * s\ne = exp(v - max(v, axis=-1, keepdims=True))\n{soft}",
        f"v = p * x\ne = exp(v - max(v, axis=-1, keepdims=True))\n{soft}",
        f"v = s * x\ne = exp(min(v, axis=-1, keepdims=True) - v)\n{soft}",
    ]
    pairs = []
    for text in texts:
        other = "s: {dtype: T, shape: [B, 1, 1]}" if "s" in text.partition("e")[0] else ""
        lines = [
            "  Op:", f"    types: {{T: [{dtype}]}}", "    inputs:", "      x: {dtype: T, shape: [B, H, C]}",
            *([f"      {other}"] if other else ["    params:", "      p: {dtype: float32}"]),
            "    outputs:", "      y: {dtype: T, shape: x.shape}", "    compute: |",
            *(f"      {line}" for line in text.split("\n")),
        ]  # fmt: skip
        (snippet,) = snippets_of("\n".join(lines) + "\n")
        pairs.append((snippet, lowered(snippet)))
    kit, rng, rows = RowKit(tmp_path, pairs), np.random.default_rng(5), []
    for unit, n, times in itertools.product(range(3), (1, 3, 17, 100, 1000), (3.0, -0.5, 40.0, -900.0, 0.0, 1e-4)):
        scales = {"x": (float(np.float32(24 / most)), most // 3), "y": (1 / (most + 1), 0)}
        scales["s"] = (float(np.float32(max(abs(times), 1e-3) / 100)), 101)
        x = np.clip(np.rint(rng.normal(most / 2, most / 9, n)), 0, most).astype(STORED[dtype])
        s = np.full(n, 101 + round(times / scales["s"][0]), STORED[dtype])
        given = {"x": x} if unit == 1 else {"x": x, "s": s}
        rows.append(Row(unit, given, scales, {"p": times} if unit == 1 else {}, shift=int(rng.choice([0, 2, 64]))))
    for row, got in zip(rows, kit.run_rows(rows), strict=True):
        reals = {k: (a.astype(np.float64) - row.scales[k][1]) * row.scales[k][0] for k, a in row.inputs.items()}
        v = reals["x"] * (float(np.float32(row.params["p"])) if row.unit == 1 else reals["s"])
        e = np.exp(v.min() - v if row.unit == 2 else v - v.max())
        wanted = np.clip(np.rint(e / e.sum() / row.scales["y"][0]), 0, most)
        assert got is not None, row
        assert np.abs(got["y"].astype(np.float64) - wanted).max() <= 1, row
    x, y = {"x": rows[0].inputs["x"]}, rows[0].scales
    assert kit.run_rows([Row(1, x, y, {"p": p}) for p in (np.inf, -np.inf, np.nan)]) == [None] * 3


def test_calls_with_one_number_for_each_row(tmp_path: Path) -> None:
    """Of all rows, of each and of some; a sum over that number alone counts it once. What has nothing else takes no vectors."""
    shapes, given = (
        {"One": "[1]", "Heads": "[H, 1, 1]", "Each": "[B, H, S, 1]"},
        "[2, 3, 9, 17], [1, 2, 3, 100], [1, 1, 2, 1000]",
    )
    cases = ", ".join(f"{{x: {{shape: {shape}}}}}" for shape in re.findall(r"\[.*?\]", given))
    ops = "".join(
        f"""\
  {name}:
    types: {{T: [{"ufixed8" if name == "Heads" else "ufixed16"}]}}
    inputs: {{x: {{dtype: T, shape: [B, H, S, L]}}, s: {{dtype: T, shape: {shape}}}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    compute: "v = x * s; e = exp(v - max(v, axis=-1, keepdims=True)); y = e / sum(e, axis=-1, keepdims=True)"
    tests: {{cases: [{cases}]}}
"""
        for name, shape in shapes.items()
    )
    ops += """\
  Alone:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [B, L]}, s: {dtype: T, shape: [B, 1]}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      e = exp(x - max(x, axis=-1, keepdims=True))
      y = e / sum(e, axis=-1, keepdims=True) * exp(sum(s, axis=-1, keepdims=True) - s)
  Moved:
    types: {T: [ufixed8, float16, float32]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}, s: {dtype: T, shape: "[batch..., 1]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * s + mean(x, axis=-1, keepdims=True)
"""
    package = generated(tmp_path, ops)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=2, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        least = 1 if cell.op == "Moved" else 2  # cases of floats have rows with infinities and NaN
        assert cell.op == "Alone" or cell.paths.vector > least * cell.paths.portable, (cell.op, cell.paths)


def test_numbers_of_each_row_beside_those_of_its_elements(tmp_path: Path) -> None:
    """Alone, as a function that no row changes, dropped, and beside a number that the elements meet."""
    ops = """\
  Offset:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}, b: {dtype: T, shape: "[batch..., 1]"}}
    outputs: {y: {dtype: T, shape: "[batch..., 1]"}}
    compute: y = sum(x * x, axis=-1, keepdims=True) + b
  Dropped:
    inputs: {x: {dtype: float16, shape: "[batch..., C]"}, g: {dtype: ufixed8, shape: "[batch...]"}}
    outputs: {y: {dtype: float16, shape: "[batch...]"}}
    compute: y = max(x, axis=-1) * exp(g)
  Both:
    inputs:
      x: {dtype: float32, shape: "[batch..., C]"}
      g: {dtype: float32, shape: "[batch..., 1]"}
      s: {dtype: float32, shape: "[batch..., 1]"}
    outputs: {y: {dtype: float32, shape: x.shape}, m: {dtype: float32, shape: "[batch..., 1]"}}
    compute: m = mean(x * s, axis=-1, keepdims=True) * g; y = x - m
"""
    package = generated(tmp_path, ops)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=4, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:
        assert cell.paths.vector > cell.paths.portable, (cell.op, cell.paths)


@pytest.mark.parametrize(("shape", "keep"), [("[batch..., 1]", ", keepdims=True"), ("[batch...]", "")])
def test_results_of_numbers_of_each_row_alone_take_no_vectors(shape: str, keep: str) -> None:
    """`kernel show` and costs say what runs: no call's rows came to such loops."""
    text = f"""  Largest:
    inputs: {{x: {{dtype: ufixed8, shape: "[batch..., C]"}}, s: {{dtype: ufixed8, shape: "{shape}"}}}}
    outputs: {{y: {{dtype: ufixed8, shape: "{shape}"}}}}
    compute: y = max(x, axis=-1{keep}) * s
"""
    (snippet,) = snippets_of(text)
    why = lower(snippet)
    assert isinstance(why, str)
    assert why.startswith("'s' and 'y' have one element for each row")


@pytest.mark.parametrize(("bits", "taken"), [(8, 30), (16, 20)])
def test_softmax_of_what_is_rounded(tmp_path: Path, bits: int, taken: int) -> None:
    """Of `c * tanh(x / c)` and products: what is off together counts for nothing, and the results are parts of their sum. Calls
    that reach too far for a step of 16 bits are refused."""
    dtype, most = f"ufixed{bits}", (1 << bits) - 1
    forms = {"50 * tanh(x / 50)": lambda x, t: 50 * np.tanh(x / 50), "x * t": lambda x, t: x * t}
    pairs = []
    for form in forms:
        end = "e = exp(v - max(v, axis=-1, keepdims=True)); y = e / sum(e, axis=-1, keepdims=True)"
        tensors = f"x: {{dtype: {dtype}, shape: [n]}}" + f", t: {{dtype: {dtype}, shape: [n]}}" * (
            "t" in form[3:] and "tanh" not in form
        )
        (snippet,) = snippets_of(
            f"  Op: {{inputs: {{{tensors}}}, outputs: {{y: {{dtype: {dtype}, shape: [n]}}}}, compute: 'v = {form}; {end}'}}\n"
        )
        pairs.append((snippet, lowered(snippet)))
    kit, rng, rows = RowKit(tmp_path, pairs), np.random.default_rng(6), []
    for unit, n, width in itertools.product(range(2), (1, 3, 17, 100, 1000), (4.0, 30.0, 400.0)):
        x, t = (np.clip(np.rint(rng.normal(most / 2, most / 6, n)), 0, most).astype(STORED[dtype]) for _ in "xt")
        scales = {
            "x": (float(np.float32(width / most)), most // 2),
            "t": (float(np.float32(0.1 / most)), 0),
            "y": (1 / (most + 1), 0),
        }
        rows.append(Row(unit, {"x": x, "t": t} if unit else {"x": x}, scales))
    found = 0
    for row, got in zip(rows, kit.run_rows(rows), strict=True):
        reals = {k: (a.astype(np.float64) - row.scales[k][1]) * row.scales[k][0] for k, a in row.inputs.items()}
        v = list(forms.values())[row.unit](reals["x"], reals.get("t"))
        e = np.exp(v - v.max())
        wanted = np.clip(np.rint(e / e.sum() / row.scales["y"][0]), 0, most)
        found += got is not None
        assert got is None or np.abs(got["y"].astype(np.float64) - wanted).max() <= 1, row
    assert found >= taken


@pytest.mark.parametrize("allowed", [", range: 0.1 .. 8", ""])
def test_elements_that_are_scaled_by_params_have_exact_distances(allowed: str) -> None:
    text = f"""
  Op:
    inputs: {{x: {{dtype: ufixed16, shape: [n, d]}}}}
    params: {{t: {{dtype: float32, default: 0.5{allowed}}}}}
    outputs: {{y: {{dtype: ufixed16, shape: x.shape}}}}
    compute: z = x * t; e = exp(z - max(z, axis=-1, keepdims=True)); y = e / sum(e, axis=-1, keepdims=True)
"""
    (snippet,) = snippets_of(text)
    found = lower(snippet)
    assert not isinstance(found, str)
    assert not found.counted  # others have a bound


def test_other_quantized_results_ask_how_far_they_may_be_off() -> None:
    cubes = "y = x * mean(x * x * x, axis=-1, keepdims=True)"
    made = lower(snippet_of(cubes, "ufixed16", "ufixed16", full=True))
    assert not isinstance(made, str)
    assert "if (!y.within_a_step(op.y)) return false;" in made.counted


class Compiled(RowKit):
    """A program that is compiled with HVX floats for Hexagon, and not linked: no emulator runs them."""

    def _compile(self, source: Path) -> None:
        if toolchain.clang() is None:
            absent("no clang for Hexagon")
        source.write_text(self.text)
        options = ["-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-UOPKG_HVX_FLOAT"]
        (self.program,) = toolchain.compile(
            [source], self.arch, [*options, f"-I{self.folder / 'include'}"], self.folder
        )


@pytest.mark.parametrize("arch", ["v68", "v73"])
def test_compiles_for_hexagon_without_a_warning(tmp_path: Path, arch: str) -> None:
    pairs = [of_case("softmax", "float32", "float32"), of_case("layer_norm", "float16", "float16")]
    pairs.append(of_case("masked_softmax", "ufixed16", "ufixed16"))
    assert Compiled(tmp_path, pairs, arch).program.stat().st_size > 1000


def test_a_mixture_of_types(tmp_path: Path) -> None:
    """Bytes in, floats out: sums of tables would not be exact enough."""
    snippet = snippet_of("y = log(sum(exp(x), axis=-1, keepdims=True))", "ufixed8", "float32", full=False)
    kit = RowKit(tmp_path, [(snippet, lowered(snippet))])
    x = np.random.default_rng(0).integers(0, 256, 777).astype(np.uint8)
    (got,) = kit.run_rows([Row(0, {"x": x}, {"x": (0.05, 100)})])
    assert got is not None
    real = (x.astype(np.float64) - 100) * float(np.float32(0.05))
    assert got["y"][0] == pytest.approx(np.log(np.exp(real).sum()), rel=1e-6)
