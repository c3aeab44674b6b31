"""What a generated kernel on floats may give: the bound of every element, and what it lets pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from opkg.report.verify_text import bounds as bounds_line
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.cases.complete import of_case
from opkg.verify.cases.reference import References
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.results import RawOutput, RawResult
from opkg.verify.judge.verdict import judge
from opkg.verify.meaning.interval import Interval

from .projects import cases_of, op_of, relu_kernel, relu_project

OP = """\
  Op:
    types: {{T: [{type}]}}
    inputs:
      x: {{dtype: T, rank: 1}}
      z: {{dtype: T, shape: x.shape}}
    outputs:
      y: {{dtype: T, shape: {shape}}}
    compute: y = {text}
"""


def case_of(
    folder: Path, text: str, x: np.ndarray, z: np.ndarray | None = None, shape: str = "x.shape", more: str = ""
) -> Case:
    """A case of an op with generated kernels on given numbers."""
    op = op_of(folder, OP.format(type=x.dtype.name, shape=shape, text=text) + more)
    first = cases_of(folder, op, 1)[0]
    given = [x, np.ones_like(x) if z is None else z]
    inputs = tuple(replace(t, shape=a.shape, stored=a) for t, a in zip(first.inputs, given, strict=True))
    outputs = tuple(replace(t, shape=x.shape if shape == "x.shape" else (1,)) for t in first.outputs)
    case = replace(first, inputs=inputs, outputs=outputs, expected=(), others=(), bounds=())
    meaning = References(folder).load(op, folder / "specs" / "test.yaml")
    done = replace(case, expected=meaning(case), others=meaning.others(case))
    return replace(done, bounds=of_case(done))


def judged(case: Case, *outputs: np.ndarray) -> CaseOutcome:
    """The outcome where a kernel gives these numbers."""
    raw = [
        RawOutput(t.name, t.shape, np.ascontiguousarray(a).tobytes())
        for t, a in zip(case.outputs, outputs, strict=True)
    ]
    return judge(case, RawResult(0, "ok", outputs=tuple(raw)))


def bound(case: Case) -> Interval:
    found = case.bounds[0]
    assert found is not None
    return found


def off(value: np.ndarray, ulps: int) -> np.ndarray:
    kind = {2: np.int16, 4: np.int32}[value.dtype.itemsize]
    return (value.view(kind) + kind(ulps)).view(value.dtype)


NUMBERS = np.linspace(-4, 4, 1000).astype(np.float32)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(
    ("text", "ulps"),
    [("exp(x)", 3), ("x * sigmoid(x)", 9), ("x + z", 1), ("tanh(x) / z", 6), ("x if x > z else exp(z)", 3)],
)
def test_what_is_beyond_the_parts_fails(tmp_path: Path, text: str, ulps: int, dtype: type) -> None:
    case = case_of(tmp_path, text, NUMBERS.astype(dtype), (NUMBERS * 0 + 3).astype(dtype))
    right = case.expected[0].astype(dtype)
    assert judged(case, right).ok
    wrong = off(right, ulps if dtype is np.float32 else 2)
    outcome = judged(case, wrong)
    assert outcome.status == "failed"
    assert outcome.outputs[0].bounded
    assert outcome.outputs[0].failed > 100


@pytest.mark.parametrize("text", ["exp(x)", "x * z", "x * sigmoid(x)", "sqrt(abs(x)) + z", "erf(x) / z"])
def test_a_kernel_84_ulp_off_fails(tmp_path: Path, text: str) -> None:
    """1e-5 of the value, which once passed."""
    case = case_of(tmp_path, text, NUMBERS[NUMBERS > 0.1])
    outcome = judged(case, off(case.expected[0].astype(np.float32), 84))
    assert outcome.status == "failed"
    assert outcome.outputs[0].failed == outcome.outputs[0].elements


def test_a_kernel_written_by_hand_84_ulp_off_fails(tmp_path: Path) -> None:
    package = relu_project(tmp_path, relu_kernel("x > 0 ? x * 1.00001f : 0"))
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=8, check_current=False))
    failed = {cell.combination for cell, _ in result.failures}
    assert failed == {"f32"}
    assert bounds_line(result) == ""


def test_the_tolerance_of_the_spec_comes_first(tmp_path: Path) -> None:
    more = "    tests: {tolerance: {float32: 100 ulp}}\n"
    case = case_of(tmp_path, "exp(x)", NUMBERS, more=more)
    assert case.bounds == (None,)
    outcome = judged(case, off(case.expected[0].astype(np.float32), 84))
    assert outcome.ok
    assert not outcome.outputs[0].bounded


def test_cancellation_widens_the_bound_by_what_is_lost(tmp_path: Path) -> None:
    x = np.array([1e-4, 0.01, 1.0, 10.0], np.float32)
    case = case_of(tmp_path, "exp(x) - 1.0", x)
    room = bound(case).high - case.expected[0]
    assert (room < np.array([3, 3, 8, 6e4]) * 2.0**-23).all()
    assert (room > np.array([1, 1, 1, 1e4]) * 2.0**-23).all()  # as much as exp() itself may be off
    flat = np.float32(1 + 2.0**-23) - np.float32(1)
    assert judged(case, np.concatenate([[flat * np.float32(839)], np.expm1(x[1:].astype(float))]).astype(np.float32)).ok


def test_errors_of_an_argument_grow_with_it(tmp_path: Path) -> None:
    x = np.array([0.1, 80.0], np.float32)
    case = case_of(tmp_path, "exp(x * z)", x, np.array([1.1, 1.1], np.float32))
    ulps = (bound(case).high - bound(case).low) / np.spacing(case.expected[0].astype(np.float32))
    assert ulps[0] < 4
    assert 20 < ulps[1] < 100


SPECIAL = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1e30, -1e30, 3e38, 1e-40, 1e-30, 2.0**-149], np.float32)


def test_special_numbers(tmp_path: Path) -> None:
    """Single precision as numpy has it is within the bound, and so is double that is rounded at the end."""
    x, z = np.repeat(SPECIAL, len(SPECIAL)), np.tile(SPECIAL, len(SPECIAL))
    for text, single in {
        "x * x / z": lambda x, z: x * x / z,
        "x * z * z": lambda x, z: x * z * z,
        "x - z": lambda x, z: x - z,
        "max(x, z) * 0.5": lambda x, z: np.maximum(x, z) * np.float32(0.5),
        "x if x > z * z else z": lambda x, z: np.where(x > z * z, x, z),
        "floor(x / z)": lambda x, z: np.floor(x / z),
    }.items():
        case = case_of(tmp_path, text, x, z)
        with np.errstate(all="ignore"):
            for kind in (np.float32, np.float64):
                value = single(x.astype(kind), z.astype(kind)).astype(np.float32)
                outcome = judged(case, value)
                assert outcome.ok, (text, kind, outcome.outputs[0].worst_elements)


def test_what_exceeds_single_precision_is_told_from_what_is_wrong(tmp_path: Path) -> None:
    case = case_of(tmp_path, "x * x / z", np.full(3, 1e30, np.float32), np.full(3, 1e30, np.float32))
    for value, good in ((1e30, True), (np.inf, True), (1e29, False), (-np.inf, False), (np.nan, False)):
        assert judged(case, np.full(3, value, np.float32)).ok is good, value


def test_an_open_decision_has_both_outcomes_and_no_third(tmp_path: Path) -> None:
    x = np.array([0.3, 3.0], np.float32)
    z = np.array([0.1, 0.5], np.float32)  # 0.3f / 0.1f is 3.0000000, 2.9999999 exactly
    case = case_of(tmp_path, "floor(x / z) * 10.0", x, z)
    assert judged(case, np.array([20, 60], np.float32)).ok
    assert judged(case, np.array([30, 60], np.float32)).ok
    assert not judged(case, np.array([10, 60], np.float32)).ok
    assert not judged(case, np.array([30, 50], np.float32)).ok


@pytest.mark.parametrize("count", [1, 17, 1000])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_sums_of_rows(tmp_path: Path, count: int, dtype: type) -> None:
    rng = np.random.default_rng(count)
    x = rng.normal(size=count).astype(dtype)
    case = case_of(tmp_path, "sum(x * z, axis=-1, keepdims=True)", x, x, shape="[1]")
    size = float(np.sum(x.astype(np.float64) ** 2))
    half = float(np.spacing(dtype(size))) / 2
    roundings = min(64, -(-count // 32)) - 1
    assert bound(case).high[0] - size <= size * (roundings + 1.01) * 2.0**-24 + 3 * half
    assert judged(case, np.array([size], dtype)).ok
    assert not judged(case, off(np.array([size], dtype), 40 if dtype is np.float32 else 2)).ok


def test_sums_whose_parts_are_beyond_single_precision(tmp_path: Path) -> None:
    x = np.full(64, 3e38, np.float32)
    x[32:] = -3e38
    one = np.zeros(1, np.float32)
    both = case_of(tmp_path, "sum(x + 0 * z, axis=-1, keepdims=True)", x, shape="[1]")
    assert all(judged(both, one + np.float32(value)).ok for value in (0, np.inf, -np.inf, np.nan))
    above = case_of(tmp_path, "sum(x + 0 * z, axis=-1, keepdims=True)", np.abs(x), shape="[1]")
    assert judged(above, one + np.float32(np.inf)).ok
    assert not any(judged(above, one + np.float32(value)).ok for value in (0, -np.inf, np.nan))


def test_masked_softmax(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    text = (
        "exp(x - max(x, axis=-1, keepdims=True)) / sum(exp(x - max(x, axis=-1, keepdims=True)), axis=-1, keepdims=True)"
    )
    for mask in (-np.inf, float(np.finfo(np.float32).min), -1e30):
        x = rng.normal(size=1000).astype(np.float32)
        x[::3] = mask
        case = case_of(tmp_path, text, x)
        right = case.expected[0].astype(np.float32)
        assert not bound(case).is_unknown.any()
        assert judged(case, right).ok
        assert not judged(case, off(right, 84)).ok
        assert not judged(case, np.where(right == 0, np.float32(1e-30), right)).ok


def test_halves_are_judged_as_halves(tmp_path: Path) -> None:
    """A param is rounded to half precision there, and so is the product."""
    x = np.array([1.0, 3.0, 65504.0], np.float16)
    case = case_of(tmp_path, "max(x * z, 0.0)", x, np.array([1.001, 1.001, 2.0], np.float16))
    with np.errstate(over="ignore"):
        product = x * np.array([1.001, 1.001, 2.0], np.float16)
    assert judged(case, product).ok
    assert not judged(case, off(product, 1)).ok


def test_the_line_below_the_table(tmp_path: Path) -> None:
    from opkg.verify.judge.outcome import Cell, Column, VerifyResult

    case = case_of(tmp_path, "x * x - x * z", np.array([1e30, 1.0, 3.3], np.float32), np.full(3, 1e30, np.float32))
    outcome = judged(case, case.expected[0].astype(np.float32))
    column = Column("host", "host", "qhpi")
    cell = Cell("p", "Op", "f32", "T=float32", column, (outcome,), case.span)
    line = bounds_line(VerifyResult((column,), (cell,), (), 0, 1, 0.1))
    assert line.startswith("floats of generated kernels: worst error ")
    assert line.endswith("1 of 3 elements may be any number")


def test_tensors_without_a_bound_have_the_tolerance(tmp_path: Path) -> None:
    case = case_of(tmp_path, "prod(x, axis=-1, keepdims=True) * z", NUMBERS[:4])
    assert case.bounds == (None,)
    assert isinstance(case.outputs[0], CaseTensor)
    assert not judged(case, off(case.expected[0].astype(np.float32), 84)).ok


def test_places_beside_a_mean_leave_it_its_bound(tmp_path: Path) -> None:
    """A sum of 33 elements of single precision, two in a lane: far from the last place where the largest ones cancel."""
    text = "mean(x)\n      k = argmin(x)"
    op = OP.replace("\n    compute:", "\n      k: {{dtype: int32, shape: [1]}}\n    compute:").replace(
        "y = ", "|\n      y = "
    )
    made = op_of(tmp_path, op.format(type="float32", shape="[1]", text=text))
    first = cases_of(tmp_path, made, 1)[0]
    x = np.full(33, 0.1, np.float32)
    x[0], x[32] = 1e4, -1e4
    inputs = tuple(replace(t, shape=x.shape, stored=x) for t in first.inputs)
    case = replace(first, inputs=inputs, expected=(np.array([3.1 / 33]), np.array([32])), others=(), bounds=())
    mean, place = of_case(case)
    assert place is None
    assert mean is not None
    assert 1e-6 < float(mean.high[0] - mean.low[0]) < 1e-3


def test_whole_quotients_beyond_single_precision_have_room(tmp_path: Path) -> None:
    """From 2^24 on, where no single one is added: two places beside the nearest number, and no more."""
    case = case_of(tmp_path, "floor(x / 0.75)", np.array([15979547.0, 1e6], np.float32))
    near = np.array([21306064.0, 1333333.0], np.float32)
    assert judged(case, near).ok
    for wrong in ([21306070.0, 1333333.0], [21306062.0, 1333332.0]):
        assert judged(case, np.array(wrong, np.float32)).status == "failed"
