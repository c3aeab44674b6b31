"""fuse(): ops in the place of what their pattern stands for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openvinoprojects import needed

from opkg.spec.reader import read_file
from opkg.targets.openvino_extension import TARGET

SPEC = """\
opkg: 1
package: {name: acme.fused, version: 1.0.0, targets: [openvino-extension]}
ops:
  Gated:
    summary: silu(gate) * up
    types: {T: [float32]}
    inputs:
      gate: {dtype: T, rank: 1..5}
      up: {dtype: T, shape: gate.shape, rank: 1..5}
    outputs: {y: {dtype: T, shape: gate.shape}}
    pattern: torch.nn.functional.silu(gate) * up
    compute: y = gate * sigmoid(gate) * up
  Bump:
    summary: relu(a - half) + a
    types: {T: [float32]}
    inputs: {a: {dtype: T, rank: 1..5}}
    params: {half: {dtype: float32, default: 0.5}}
    outputs: {y: {dtype: T, shape: a.shape}}
    pattern: |
      t = torch.relu(a - half)
      y = t + a
    compute: y = max(a - half, 0) + a
  Other:
    types: {T: [float32]}
    inputs: {a: {dtype: T, rank: 2}}
    outputs: {y: {dtype: T, shape: a.shape}}
    pattern: torch.softmax(a, 1)
    compute: y = exp(a) / sum(exp(a), axis=-1, keepdims=True)
"""


@pytest.fixture(scope="module")
def fused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    needed()
    root = tmp_path_factory.mktemp("fused")
    (root / "fused.yaml").write_text(SPEC)
    package, findings = read_file(root / "fused.yaml", "fused.yaml")
    assert package is not None, findings
    assert [f.id for f in TARGET.check(package) if f.id == "OPK744"] == ["OPK744"]
    for artifact in TARGET.render(package):
        (root / artifact.path).parent.mkdir(parents=True, exist_ok=True)
        (root / artifact.path).write_text(artifact.text)
    folder = Path(root / "generated/acme_fused/openvino/python")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("acme_fused_openvino")
    sys.path.remove(str(folder))


def parameter(*shape: int) -> Any:
    import openvino as ov

    return ov.op.Parameter(ov.Type.f32, ov.PartialShape(list(shape)))


def silu_by_hand(op: Any, x: Any) -> Any:
    return op.multiply(op.sigmoid(x), x)


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("silu", ["swish", "by hand"])
def test_a_gate_is_found_in_each_form_and_computes_the_same(fused: Any, order: int, silu: str) -> None:
    import openvino as ov
    import openvino.opset13 as op

    a, b = parameter(2, 3), parameter(2, 3)
    first = op.swish(a) if silu == "swish" else silu_by_hand(op, a)
    product = op.multiply(first, b) if order == 0 else op.multiply(b, first)
    product.set_friendly_name("product")
    model = ov.Model([op.relu(product)], [a, b])
    core = ov.Core()
    x, y = np.linspace(-3, 3, 6, dtype=np.float32).reshape(2, 3), np.full((2, 3), 2, np.float32)
    config = {"INFERENCE_PRECISION_HINT": "f32"}
    before = core.compile_model(model.clone(), "CPU", config)([x, y])[0]
    assert fused.fuse(model) == [("product", "Gated")]
    assert sorted(node.get_type_name() for node in model.get_ops()) == [
        "Gated",
        "Parameter",
        "Parameter",
        "Relu",
        "Result",
    ]
    after = core.compile_model(model, "CPU", config)([x, y])[0]
    np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-6)


def test_constants_of_the_pattern(fused: Any) -> None:
    import openvino as ov
    import openvino.opset13 as op

    for number, found in ((0.5, ["Bump"]), (0.25, [])):
        a = parameter(4)
        shifted = op.subtract(a, op.constant(number, dtype=np.float32))
        model = ov.Model([op.add(a, op.relu(shifted))], [a])
        assert [name for _, name in fused.fuse(model)] == found
    a = parameter(4)
    model = ov.Model([op.add(a, op.relu(op.subtract(op.constant(0.5, dtype=np.float32), a)))], [a])
    assert fused.fuse(model) == []  # half - a


def test_what_is_read_elsewhere_or_refused_stays(fused: Any) -> None:
    import openvino as ov
    import openvino.opset13 as op

    a, b = parameter(2, 3), parameter(2, 3)
    inner = op.swish(a)
    assert fused.fuse(ov.Model([op.multiply(inner, b), op.relu(inner)], [a, b])) == []
    a, b = parameter(2, 3), parameter(3)  # broadcasts, which the op does not
    assert fused.fuse(ov.Model([op.multiply(op.swish(a), b)], [a, b])) == []
