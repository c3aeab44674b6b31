"""Whole numbers on OpenVINO's CPU device, which makes int32 of most, and lists of them as attributes."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import numpy as np
import pytest
from openvinoprojects import needed

from opkg.cli.main import run
from opkg.spec.reader import read_file
from opkg.targets.openvino_extension.types import alike
from opkg.verify.api import VerifyOptions, verify

pytestmark = pytest.mark.xdist_group("openvino")
SPEC = """\
opkg: 1
package: {name: t.whole, targets: [qnn-htp-qhpi, openvino-extension]}
ops:
  Total:
    types: {T: [int16, uint16, int32]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}}
    outputs: {y: {dtype: T, shape: "[batch..., 1]"}}
    compute: y = sum(x, axis=-1, keepdims=True)
  Times:
    types: {T: [uint16, int32]}
    inputs: {x: {dtype: T}}
    params: {k: {dtype: int32, default: 3}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * k
  Most:
    inputs: {x: {dtype: int32, rank: 4}}
    params: {axes: {dtype: uint32, shape: [K], axis_of: x}}
    outputs: {y: {dtype: int32, shape: "reduce(x, axes, true)"}}
    compute: y = max(x, axis=axes, keepdims=True)
"""


def test_types_that_the_device_makes_one_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the library, and by the ops in Python on the same models."""
    needed()
    import openvino

    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "s.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    assert run(["-q", "generate"]) == 0
    package, _ = read_file(tmp_path / "specs" / "s.yaml", "specs/s.yaml")
    assert package is not None
    assert [alike(op) for op in package.ops] == [True, True, False]
    result = verify(tmp_path, [package], VerifyOptions(on=("openvino",), cases=8))
    assert result.ok, [outcome.reason() for _, outcome in result.failures]

    monkeypatch.syspath_prepend(str(tmp_path / "generated/t_whole/openvino/python"))
    core = openvino.Core()
    for op in importlib.import_module("t_whole_openvino").OPS:
        core.add_extension(op)
    folder = tmp_path / "build/t_whole/openvino-x86/verify/openvino"
    data, out = (folder / "cases.bin").read_bytes(), (folder / "results.0.bin").read_bytes()
    records = [json.loads(line) for line in (folder / "results.0.jsonl").read_text().splitlines()]
    for case, record in zip(json.loads((folder / "cases.cases").read_text()), records, strict=True):
        given, wanted = case["inputs"][0], case["outputs"][0]
        model = core.read_model(case["model"])
        model.reshape({given["name"]: given["dims"]})
        array = np.frombuffer(data, given["type"], int(np.prod(given["dims"])), given["offset"])
        (found,) = core.compile_model(model, "CPU")([array.reshape(given["dims"])]).values()
        count = int(np.prod(wanted["dims"]))
        right = np.frombuffer(out, wanted["type"], count, record["outputs"][0]["offset"])
        np.testing.assert_array_equal(found.ravel(), right, err_msg=case["name"])
