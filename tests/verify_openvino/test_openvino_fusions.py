"""fuse(): ops in the place of what their pattern stands for."""

from __future__ import annotations

import ctypes
import importlib
import subprocess
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
  small.Bump:
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
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the package, generated."""
    needed()
    root = tmp_path_factory.mktemp("fused")
    (root / "fused.yaml").write_text(SPEC)
    package, findings = read_file(root / "fused.yaml", "fused.yaml")
    assert package is not None, findings
    assert [f.id for f in TARGET.check(package) if f.id == "OPK744"] == ["OPK744"]
    for artifact in TARGET.render(package):
        (root / artifact.path).parent.mkdir(parents=True, exist_ok=True)
        (root / artifact.path).write_text(artifact.text)
    return root


@pytest.fixture(scope="module")
def fused(root: Path) -> Iterator[Any]:
    folder = Path(root / "generated/acme_fused/openvino/python")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("acme_fused_openvino")
    sys.path.remove(str(folder))


def _models() -> Iterator[Any]:
    """Graphs that are a pattern, in several ways, and graphs that look like one."""
    import openvino as ov
    import openvino.opset13 as op

    half, other = (op.constant(number, dtype=np.float32) for number in (0.5, 0.25))
    for shape in ((2, 3), (-1, -1)):
        a, b = parameter(*shape), parameter(*shape)
        yield ov.Model([op.relu(op.multiply(op.swish(a), b))], [a, b])
        yield ov.Model([op.multiply(b, silu_by_hand(op, a))], [a, b])
        yield ov.Model([op.multiply(silu_by_hand(op, a), silu_by_hand(op, b))], [a, b])  # one of two
        yield ov.Model([op.multiply(op.multiply(op.sigmoid(a), b), a)], [a, b])  # not a * sigmoid(a)
        inner = op.swish(a)
        yield ov.Model([op.multiply(inner, b), op.relu(inner)], [a, b])  # read elsewhere
        yield ov.Model([op.add(a, op.relu(op.subtract(a, half)))], [a, b])
        yield ov.Model([op.add(op.relu(op.subtract(a, half)), b)], [a, b])  # another a
        yield ov.Model([op.add(a, op.relu(op.subtract(a, other)))], [a, b])
        yield ov.Model([op.add(a, op.relu(op.subtract(half, a)))], [a, b])
        twice = op.add(a, op.relu(op.subtract(a, half)))
        yield ov.Model([op.add(op.relu(op.subtract(twice, half)), twice)], [a, b])
    a, b = parameter(2, 3), parameter(3)
    yield ov.Model([op.multiply(op.swish(a), b)], [a, b])  # broadcasts, which the op does not


def test_the_library_finds_what_python_finds(root: Path, fused: Any, tmp_path: Path) -> None:
    """In the same places; what it writes is read, and so are models that have the ops already."""
    import openvino as ov

    folder = root / "generated/acme_fused/openvino"
    make = ["make", "-s", "-C", folder, f"OUT={tmp_path}", f"OPENVINO={ov.__path__[0]}", "CXXFLAGS=-O0 -Werror"]
    subprocess.run(make, check=True)
    library = tmp_path / "libacme_fused_openvino.so"
    fuse = ctypes.CDLL(str(library)).acme_fused_fuse_file
    core = ov.Core()
    core.add_extension(str(library))
    counts = []
    for number, model in enumerate(_models()):
        before, after = tmp_path / f"{number}.xml", tmp_path / f"{number}.fused.xml"
        ov.serialize(model, before)
        counts.append(fuse(str(before).encode(), str(after).encode()))
        found = fused.fuse(model)
        assert len(found) == counts[-1], number
        made = core.read_model(after)
        kinds = [sorted(n.get_type_name() for n in each.get_ops()) for each in (made, model)]
        assert kinds[0] == kinds[1], number
        again = tmp_path / f"{number}.again.xml"
        assert fuse(str(after).encode(), str(again).encode()) == counts[-1]
    assert counts == [1, 1, 1, 0, 0, 1, 0, 0, 0, 2] * 2 + [0]
    assert fuse(b"no such file.xml", b"out.xml") == -1


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

    for number, found in ((0.5, ["small_Bump"]), (0.25, [])):
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
