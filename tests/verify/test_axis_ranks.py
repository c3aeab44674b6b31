"""Params that number dimensions, over ranks 1 to 4: the same dimension on every machine, counted from either end."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.cli.main import run
from opkg.verify.cases import call_params, casefile
from opkg.verify.cases.case import Case, CaseParam

SPEC = """\
opkg: 1
package: {name: test.axes, version: 1.0.0, targets: [qnn-htp-qhpi, qnn-htp-classic, executorch-builder, onnxruntime]}
ops:
  LogSoftmaxAt:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, rank: 1..4}}
    params: {axis: {dtype: int32, default: -1, axis_of: x}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      d = x - max(x, axis=axis, keepdims=True)
      y = d - log(sum(exp(d), axis=axis, keepdims=True))
    tests:
      cases:
        - {name: first_of_two, x: {shape: [3, 5]}, axis: 0}
        - {name: second_of_two, x: {shape: [3, 5]}, axis: 1}
        - {name: one, x: {shape: [7]}, axis: 0}
        - {name: three, x: {shape: [2, 17, 3]}, axis: 1}
        - {name: channels, x: {shape: [1, 100, 3, 2]}, axis: -3}
  SumTo:
    summary: the sum of all elements up to each, along a dimension
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 1..4}}
    params: {axis: {dtype: int32, axis_of: x}}
    outputs: {y: {dtype: T, shape: x.shape}}
    reference: references:sum_to
    kernels: [{body: kernels/sum_to.cpp}]
    tests:
      cases:
        - {name: rows, x: {shape: [4, 3]}, axis: 0}
        - {name: middle, x: {shape: [2, 3, 4]}, axis: -2}
"""

REFERENCE = "import numpy as np\n\n\ndef sum_to(x, axis):\n    return np.cumsum(x, axis=axis)\n"

KERNEL = """\
#include "test_axes/sum_to.h"

namespace test_axes {

opkg::Status sum_to_f32(const SumToArgsF32& op) {
  const size_t count = op.x.dim(op.axis);
  size_t inner = 1;
  for (int32_t i = op.axis + 1; i < 0; ++i) inner *= op.x.dim(i);
  for (size_t row = 0; row < op.x.size() / count; ++row) {
    const size_t first = row / inner * inner * count + row % inner;
    double sum = 0;
    for (size_t i = first; i < first + count * inner; i += inner) {
      sum += op.x.load(i);
      op.y.store(i, static_cast<float>(sum));
    }
  }
  return opkg::Status::ok;
}

}  // namespace test_axes
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("specs/s.yaml", SPEC), ("references.py", REFERENCE), ("kernels/sum_to.cpp", KERNEL)):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    assert run(["generate"]) == 0
    return tmp_path


def test_every_rank_and_both_ends(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--on", "host,htp,hexagon-v73", "--cases", "3", "--large", "0"]) == 0, capfd.readouterr()


@pytest.mark.sweep
def test_in_models_of_other_runtimes(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--on", "executorch,onnxruntime"]) == 0, capfd.readouterr()
    assert "EPFail" not in capfd.readouterr().out


def test_validators_refuse_what_kernels_cannot_tell(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As a caller gives it who counts from the front; cases of ours are converted."""

    def as_they_are(case: Case) -> tuple[CaseParam, ...]:
        return case.params

    for module in (call_params, casefile):
        monkeypatch.setattr(module, "call_params", as_they_are)
    assert run(["verify", "--on", "host", "--cases", "1", "--op", "SumTo", "--case", "f32-rows"]) == 1
    text = capfd.readouterr().out
    assert "param 'axis' is 0; kernels see ranks below 4 padded in front: count from the end, -2" in text


@pytest.mark.parametrize(
    ("axis", "hint"),
    [
        ("{dtype: uint32, axis_of: x}", "count from the end (dtype: int32)"),
        ("{dtype: int32, default: 0, axis_of: x}", "default: -1 is the last dimension"),
        ("{dtype: int32, default: rank(x) - 1, axis_of: x}", "default: -1 is the last dimension"),
    ],
)
def test_what_cannot_be_told_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], axis: str, hint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    text = SPEC.replace("{dtype: int32, default: -1, axis_of: x}", axis).replace("axis: -3", "axis: 1")
    Path("specs/s.yaml").write_text(text)
    assert run(["validate"]) == 1
    said = capfd.readouterr().out
    assert "[OPK206]" in said
    assert "[OPK225]" in said
    assert hint in said
