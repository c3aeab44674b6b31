"""`opkg fuse` on ONNX files: from a chain of ops that repeats to a spec, kernels, their proof, and the model with them."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opkg.cli.main import run

if importlib.util.find_spec("onnx") is None or importlib.util.find_spec("onnxruntime") is None:
    if os.environ.get("CI"):
        raise RuntimeError("the package onnx or onnxruntime is missing")
    pytest.skip("the package onnx or onnxruntime is missing", allow_module_level=True)
import onnx
import onnxruntime
from fuse_models import Maker, mlp, quantized

from opkg.fuse import api
from opkg.fuse.find import Found, find
from opkg.models.onnx_reader import of_proto
from opkg.models.partition.limits import HTP
from opkg.verify.options import VerifyOptions

pytestmark = pytest.mark.xdist_group("fuse")


def found_in(proto: Any) -> Found:
    model, findings = of_proto(proto, "m.onnx", {})
    assert model is not None, findings
    return api.usable(find(model, HTP), "m.onnx")


def outputs(path: Path, x: Any) -> Any:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x})[0]


@pytest.fixture(scope="module")
def fused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The model with three GELUs, one of which has another factor, after `opkg fuse`; and what it says."""
    folder = tmp_path_factory.mktemp("fuse")
    before = Path.cwd()
    os.chdir(folder)
    try:
        onnx.save(mlp(scales=(0.5, 0.5, 0.25)), "mlp.onnx")
        with open("said.json", "w") as file, pytest.MonkeyPatch.context() as patch:
            patch.setattr("click.echo", lambda text, nl=True: file.write(text))
            assert run(["fuse", "mlp.onnx", "--on", "host", "--format", "json"]) == 0
        yield folder, json.loads((folder / "said.json").read_text())
    finally:
        os.chdir(before)


def test_one_op_of_three_places(fused: tuple[Path, dict[str, Any]]) -> None:
    folder, said = fused
    (op,) = said["ops"]
    assert (op["name"], len(op["places"])) == ("Act", 3)
    assert op["computes"] == ["Div", "Erf", "Add", "Mul", "Mul"]
    elements = 17 * 128
    assert op["bytes"] == {"before": 3 * 4 * (11 * elements + 3), "after": 3 * 4 * 2 * elements}
    assert op["packets"]["after"] < op["packets"]["before"]
    assert [place["params"] for place in op["places"]] == [{"factor": 0.5}, {"factor": 0.5}, {"factor": 0.25}]
    text = (folder / "mlp-ops" / "specs" / "mlp.yaml").read_text()
    assert 'factor: {dtype: float32, default: 0.5, range: "> 0"}' in text
    assert "(erf(x / 1.4142135) + 1)" in text
    assert "shape: [1, 17, 128]}, factor: 0.25}" in text


def test_it_is_proved_beside_the_runtime(fused: tuple[Path, dict[str, Any]]) -> None:
    _, said = fused
    proof = said["proof"]
    assert (proof["runtime"], proof["ok"]) == ("onnxruntime", True)
    assert len(proof["against"]) == 3
    assert all(0 < each["error"] < each["allowed"] for each in proof["against"])
    (kernel,) = proof["kernels"]
    assert kernel["failures"] == 0
    assert kernel["cases"] >= 10
    assert kernel["code"].startswith("vector")


def test_the_rewritten_model_runs_everywhere(fused: tuple[Path, dict[str, Any]]) -> None:
    folder, said = fused
    path = folder / "mlp-ops" / "mlp.fused.onnx"
    proto = onnx.load(path)
    onnx.checker.check_model(proto, full_check=True)
    kinds = [node.op_type for node in proto.graph.node]
    assert kinds == ["MatMul", "Act", "MatMul"] * 3
    assert {function.name for function in proto.functions} == {"Act"}
    assert said["rewritten"]["nodes"] == {"before": 21, "after": 9}
    x = np.random.default_rng(5).standard_normal((1, 17, 64)).astype("float32")
    was, now = outputs(folder / "mlp.onnx", x), outputs(path, x)
    assert np.abs(was).max() > 0.01
    np.testing.assert_allclose(now, was, rtol=1e-5, atol=1e-7)


def test_a_page_with_both_pictures(fused: tuple[Path, dict[str, Any]]) -> None:
    page = (fused[0] / "mlp-ops" / "build" / "fuse.html").read_text()
    assert page.count("<svg") == 2
    assert page.count('class="fused"') == 15 + 3
    assert "://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "proved" in page


def test_nothing_is_overwritten(fused: tuple[Path, dict[str, Any]], capfd: pytest.CaptureFixture[str]) -> None:
    folder, _ = fused
    before = {path: path.read_bytes() for path in (folder / "mlp-ops").rglob("*") if path.is_file()}
    assert run(["fuse", "mlp.onnx", "--on", "host"]) == 1
    assert "[OPK761]" in capfd.readouterr().out
    (folder / "mlp-ops" / "mlp.fused.onnx").rename(folder / "moved.onnx")
    try:
        assert run(["fuse", "mlp.onnx", "--on", "host"]) == 1
        assert "op 'Act' exists already" in capfd.readouterr().out
    finally:
        (folder / "moved.onnx").rename(folder / "mlp-ops" / "mlp.fused.onnx")
    assert {path: path.read_bytes() for path in before} == before


def test_a_wrong_computation_is_found(tmp_path: Path) -> None:
    """The runtime's values are held against the computation: one of another op is not taken for it."""
    from opkg.fuse.onnx_run import OnnxRuntime
    from opkg.fuse.proof import cases, wrong
    from opkg.fuse.values import drawn
    from opkg.spec.reader import read

    proto = mlp(1)
    found = found_in(proto)
    values = OnnxRuntime(proto, "m.onnx").values(drawn(found.model, 0), api.bordering(found))
    for compute, good in (("erf(x / 1.4142135) + 1", True), ("erf(x / 1.4142) + 1.0001", False)):
        text = api.lines_of(found, "m.onnx")[0][1].replace("erf(x / 1.4142135) + 1", compute)
        lines = "".join(f"  {line}\n" for line in text.splitlines())
        package, findings = read(f"opkg: 1\npackage: {{name: a.b}}\nops:\n{lines}".encode(), "m.yaml")
        assert package is not None, findings
        held = cases(found.model, found.ops[0], package.ops[0], values)
        assert [finding.id for finding in wrong(held.against, "onnxruntime", "m.onnx")] == ([] if good else ["OPK763"])


def test_a_place_left_out_of_the_proof_is_said(tmp_path: Path) -> None:
    """A tensor of 16 MiB and a row more is not tried: a warning, and a word in the table, the JSON and the page."""
    from opkg.fuse.onnx_run import OnnxRuntime
    from opkg.fuse.proof import cases, read_op, unproved
    from opkg.fuse.values import drawn
    from opkg.report import fuse_html, fuse_ops, fuse_ops_json

    m = Maker()
    results = []
    for name, rows in (("large", 4097), ("small", 3)):
        x = m.input(f"{name}_x", rows, 1024)
        results.append(m.op("Add", f"/{name}/Add", m.op("Abs", f"/{name}/Abs", x), x))
    proto = m.model("places", results)
    found = found_in(proto)
    runtime = OnnxRuntime(proto, "m.onnx")
    values = runtime.values(drawn(found.model, 0), api.bordering(found))
    made = api.write_project(found, "m.onnx", str(tmp_path), None, "fused.places")
    options = VerifyOptions(on=("host",), cases=1, large=0)
    proof = api.prove(found, made.spec, runtime, values, options, "m.onnx")
    why = "large_x has 4,195,328 elements, more than 4,194,304"
    assert proof.ok
    assert [each.place for each in proof.against] == ["/small/Add"]
    assert [(f.id, f.severity.value) for f in proof.findings] == [("OPK765", "warning")]
    assert f"Large at /large/Add: NOT PROVED, {why}" in fuse_ops.proved(proof)
    (said,) = json.loads(fuse_ops_json.render(found, proof))["proof"]["findings"]
    assert said["message"].endswith(f"at /large/Add: {why}")
    page = fuse_html.render(found, proof)
    assert "proved, 1 left out" in page
    assert f"NOT PROVED, {why}" in page
    op = found.ops[0]
    held = cases(found.model, op, read_op(found.model, op, "m.onnx"), {})
    assert [each.why for each in held.left] == ["large_x has no value", "small_x has no value"]
    assert [finding.id for finding in unproved(held.left, "onnxruntime", "m.onnx")] == ["OPK765", "OPK765"]


@pytest.mark.xdist_group("onnxruntime")
@pytest.mark.parametrize(("form", "room"), [("qdq", 0.02), pytest.param("float", 1e-4, marks=pytest.mark.sweep)])
def test_the_model_with_its_ops_on_htp(form: str, room: float, tmp_path: Path) -> None:
    """ONNX Runtime's QNN provider has every place in our package: chains with params, and a normalization of odd rows. In QDQ
    form tensors have several readers, at which the provider would end the process."""
    from opkg.fuse.values import drawn

    m = Maker(18)
    x = m.input("x", 3, 17)
    for at, factor in enumerate((0.5, 0.25)):
        y = m.op("MatMul", f"/l.{at}/MatMul", x, m.weight(f"w{at}", 17, 17))
        s = m.op("Mul", f"/l.{at}/act/Mul", y, m.op("Sigmoid", f"/l.{at}/act/Sigmoid", y))
        x = m.op("Mul", f"/l.{at}/act/Mul_1", s, m.constant(f"factor{at}", factor))
    mean = m.op("ReduceMean", "/norm/ReduceMean", m.op("Mul", "/norm/Mul", x, x), m.constant("axes", [-1], "int64"))
    root = m.op("Sqrt", "/norm/Sqrt", m.op("Add", "/norm/Add", mean, m.constant("eps", 1e-5)))
    path = str(tmp_path / "odd.onnx")
    proto = m.model("odd", [m.op("Div", "/norm/Div", x, root)])
    onnx.save(quantized(proto) if form == "qdq" else proto, path)
    found = found_in(onnx.load(path))
    made = api.write_project(found, path, str(tmp_path / "ops"), None, "fused.odd")
    assert "targets: [qnn-htp-qhpi, onnxruntime]" in Path(made.spec).read_text()
    _, end = api.rewrite_onnx(found, path, {}, made.spec, drawn(found.model, 0), True)
    (run_,) = end.runs
    places = sum(len(op.places) for op in found.ops)
    assert run_.placed == (places, places)
    assert sum(run_.kernels.values()) == places >= 2
    (was, now), errors = run_.operators, run_.errors
    assert was is not None
    assert now is not None
    assert now < was
    assert all(error is not None and error < room for error in errors)
