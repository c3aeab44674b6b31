"""The ops in Python give what the library gave, and refuse what it refuses."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from openvinoprojects import Project

pytestmark = pytest.mark.xdist_group("openvino")


@pytest.fixture(scope="module")
def twins(project: Project) -> Iterator[Any]:
    sys.path.insert(0, str(project.root / "generated/nn_blocks/openvino/python"))
    yield importlib.import_module("nn_blocks_openvino")
    sys.path.pop(0)


@pytest.fixture(scope="module")
def core(twins: Any) -> Any:
    import openvino

    found = openvino.Core()
    for op in twins.OPS:
        found.add_extension(op)
    return found


def test_they_compute_what_the_library_computes(project: Project, core: Any) -> None:
    """In every case of the run: on its models, with its data."""
    import openvino as ov

    folder = project.library.parent / "verify" / "openvino"
    cases = json.loads((folder / "cases.cases").read_text())
    data, out = (folder / "cases.bin").read_bytes(), (folder / "results.0.bin").read_bytes()
    records = [json.loads(line) for line in (folder / "results.0.jsonl").read_text().splitlines()]
    assert len(cases) == len(records) > 100
    seen: set[str] = set()
    for case, record in zip(cases, records, strict=True):
        model = core.read_model(case["model"])
        model.reshape({tensor["name"]: tensor["dims"] for tensor in case["inputs"]})
        dims = [list(port.get_shape()) for port in model.outputs]
        assert dims == [tensor["dims"] for tensor in case["outputs"]], case["name"]
        given = [
            np.frombuffer(data, t["type"], int(np.prod(t["dims"])), t["offset"]).reshape(t["dims"])
            for t in case["inputs"]
        ]
        if case["op"] not in seen:  # through the device, which computes with other types
            seen.add(case["op"])
            found = list(core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(given).values())
        else:
            made = [ov.Tensor(port.get_element_type(), port.get_shape()) for port in model.outputs]
            assert model.evaluate(made, [ov.Tensor(np.ascontiguousarray(array)) for array in given])
            found = [tensor.data for tensor in made]
        for array, tensor, written in zip(found, case["outputs"], record["outputs"], strict=True):
            count = int(np.prod(tensor["dims"]))
            wanted = np.frombuffer(out, tensor["type"], count, written["offset"]).reshape(tensor["dims"])
            close = 0.0 if wanted.dtype.kind in "iub" else 2e-3 if wanted.dtype == np.float16 else 2e-6
            np.testing.assert_allclose(
                array.astype(np.float64), wanted.astype(np.float64), rtol=close, atol=close, err_msg=case["name"]
            )
    assert len(seen) == 7


@pytest.mark.parametrize(
    ("op", "attributes", "shapes", "message"),
    [
        ("ScaledAdd", {"alpha": 5}, [[2, 3], [3]], "ScaledAdd: param 'alpha' must be <= 4"),
        ("ScaledAdd", {}, [[2, 3]], "1 inputs given, expected 2"),
        ("ScaledAdd", {}, [[2, 3], [4]], "do not broadcast"),
        ("ScaledAdd", {}, [[1, 1, 1, 1, 2, 3], [4]], "'a' has rank 6, allowed is 1 to 5"),
        ("SwiGlu", {}, [[2, 3], [2, 4]], "'up' has shape [2,4], expected [2,3]"),
        ("LogSumExp", {"axis": 4}, [[1, 2, 3, 4]], "param 'axis' numbers no dimension"),
        ("LogSumExp", {"beta": 0.1}, [[1, 2, 3, 4]], "param 'beta' must be >= 0.125"),
        ("LogSumExp", {"x_scale": 0.0}, [[1, 2, 3, 4]], "the scale of 'x' must be positive"),
        ("Moments", {}, [[3, 1]], "one number has no variance"),
        ("Moments", {}, [[3, 4], [5]], "dimension 0 of 'gamma' is 5, expected 4 (C)"),
    ],
)
def test_refusals(twins: Any, op: str, attributes: dict[str, Any], shapes: list[list[int]], message: str) -> None:
    import openvino as ov

    inputs = [ov.op.Parameter(ov.Type.f32, ov.PartialShape(shape)).output(0) for shape in shapes]
    with pytest.raises((ValueError, RuntimeError)) as refused:
        getattr(twins, op)(inputs, **attributes)
    assert message in str(refused.value)


def test_unknown_dimensions(twins: Any) -> None:
    import openvino as ov

    def made(op: str, *shapes: Any) -> list[str]:
        inputs = [ov.op.Parameter(ov.Type.f32, ov.PartialShape(shape)).output(0) for shape in shapes]
        return [str(port.get_partial_shape()) for port in getattr(twins, op)(inputs).outputs()]

    assert made("ScaledAdd", [ov.Dimension(2, 5), 1], [ov.Dimension(3, 4)]) == ["[2..5,3..4]"]
    assert made("Moments", [-1, -1, 7]) == ["[?,?,1]", "[?,?,1]"]
    assert made("SwiGlu", [-1, 3], [2, -1]) == ["[?,3]"]
