"""Large cases run one after the other, and leave no numbers behind: hundreds of them would not fit into memory."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest

from opkg.spec.model import Combination
from opkg.verify.cases import generate
from opkg.verify.cases import large as large_cases
from opkg.verify.cases.generate import Plan
from opkg.verify.cases.reference import References
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.results import RawResult
from opkg.verify.machines import execute
from opkg.verify.meaning.compute import evaluate, evaluate_others
from opkg.verify.run import large

from .projects import read

OP = """\
  Half:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [...]}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = x * 0.5
"""


def test_what_large_cases_leave_has_no_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = read(tmp_path, OP)
    meaning = References(tmp_path).load(package.ops[0], tmp_path / "specs" / "test.yaml")
    bounded = []

    def judged(case: large.Case, result: RawResult) -> CaseOutcome:
        bounded.append(case.bounds != () and case.bounds[0] is not None)
        assert case.inputs[0].stored is not None
        assert case.inputs[0].stored.size > 10000
        return CaseOutcome(case.id, "passed", "")

    monkeypatch.setattr(execute, "run", lambda job: [None])
    monkeypatch.setattr(large, "judge", judged)
    job = execute.Job((), tmp_path, "large", 1, 1.0)
    paths = (tmp_path / "large.cases", tmp_path / "large.bin")
    work = large.LargeRun("t", package.ops, {"Half": meaning}, Plan(large=1 << 17), job, paths)
    left = [case for case, _ in large.run(work, [])]
    assert bounded == [True, False]
    assert [(case.id, case.expected, case.others, case.bounds) for case in left] == [
        ("f32-large", (), (), ()),
        ("u8-large", (), (), ()),
    ]
    assert all(tensor.stored is None for case in left for tensor in case.tensors)


def test_an_expectation_leaves_no_tensors(tmp_path: Path) -> None:
    """Nothing holds an input in a circle, which would stay until all garbage is collected: that is rarely done."""
    package = read(tmp_path, OP.replace("x * 0.5", "floor(x * 0.3) + where(x > 1.0, x, 0.0)"))
    (compute,) = [op.compute for op in package.ops if op.compute is not None]
    x = np.linspace(-3, 3, 1000)
    seen = weakref.ref(x)
    gc.disable()
    try:
        evaluate(compute, {"x": x})
        evaluate_others(compute, {"x": x}, Combination(()), {"x": 2.0**-24})
        del x
        assert seen() is None
    finally:
        gc.enable()


IMAGES = """\
  Whole:
    types: {T: [ufixed8]}
    inputs:
      x: {dtype: T, rank: 4}
    outputs:
      y: {dtype: T, shape: "[x.shape[0], 1, 1, 1]"}
    compute: y = mean(x, axis=[1, 2, 3], keepdims=True)
"""


def test_large_cases_have_no_tens_of_thousands_of_images(tmp_path: Path) -> None:
    package = read(tmp_path, IMAGES)
    meaning = References(tmp_path).load(package.ops[0], tmp_path / "specs" / "test.yaml")
    seen: list[int] = []
    for seed in range(12):
        plan = Plan(seed=seed, large=1 << 22)
        seen += [case.inputs[0].shape[0] for case in generate.large_cases(package.ops[0], meaning, plan)]
    assert len(seen) >= 6
    assert 300 < max(seen) <= large_cases.MOST_IMAGES


TYPES = """\
  Stored:
    types: {A: [ufixed8], B: [sfixed16, sfixed8]}
    inputs:
      x: {dtype: A, rank: 4}
    outputs:
      y: {dtype: B, shape: x.shape}
    compute: y = x
"""


def test_images_of_signed_results_are_few_where_inputs_are_unsigned(tmp_path: Path) -> None:
    """Validators refuse more (OPK277): HTP takes 1 MiB of several images of 16 bits, and 4 MiB of 129 images of 8."""
    package = read(tmp_path, TYPES)
    meaning = References(tmp_path).load(package.ops[0], tmp_path / "specs" / "test.yaml")
    seen = []
    for seed in range(6):
        for case in generate.large_cases(package.ops[0], meaning, Plan(seed=seed, large=5 << 20)):
            images, size = case.inputs[0].shape[0], case.inputs[0].stored.size  # type: ignore[union-attr]
            many, most = (2, 1 << 20) if case.id.startswith("u8_s16") else (129, 1 << 22)
            assert images < many or 2 * size <= most, (case.id, case.inputs[0].shape)
            seen.append(case.id)
    assert {"u8_s16-large", "u8_s8-large"} <= set(seen)
