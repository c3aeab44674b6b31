"""Large cases run one after the other, and leave no numbers behind: hundreds of them would not fit into memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.verify.cases import generate
from opkg.verify.cases import large as large_cases
from opkg.verify.cases.generate import Plan
from opkg.verify.cases.reference import References
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.results import RawResult
from opkg.verify.machines import execute
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
