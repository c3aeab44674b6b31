"""What a comparison says: findings, the table, JSON and the page, from runs made by hand."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from opkg.report import compare_html, compare_json, compare_text
from opkg.spec import catalog
from opkg.spec.diagnostics import Severity
from opkg.verify.machines.executorch.compare import Comparison, Figures, Node, Package, Pair, Run, compare
from opkg.verify.machines.executorch.compare_findings import findings
from opkg.verify.machines.executorch.environment import Environment

ENVIRONMENT = Environment(Path(sys.executable), Path("/sdk"), "1.5.1", "2.13.0", "2.49.40")


def node(type: str, module: str, line: int, ours: bool = False) -> Node:
    package = "llm.block" if ours else "qti.aisw"
    return Node(package, type, type.lower(), "aten.x.default", ours, "/p/block.py", line, module)


def figures(snr: float | None, **more: Any) -> Figures:
    return Figures((1, 4), "float32", 0.5, 0.125, snr, 0.99, 4, 0, None, **more)


STOCK = Run(
    "float", "stock", "ok", "execute", seconds={"lower": 2.0}, samples=1, outputs=(3.0,), delegates=1,
    delegated={"aten.rms_norm.default": 1, "aten.mul.Tensor": 2, "quantized_decomposed.dequantize.default": 9},
    nodes=(node("RmsNorm", "norm", 7), node("Sigmoid", "mlp", 9), node("Mul", "mlp", 9), node("Mul", "mlp", 9)),
    bytes=1000, against_float=(figures(40.0),), against_quantized=(figures(40.0),),
)  # fmt: skip
OURS = replace(
    STOCK,
    side="ours",
    delegated={"aten.rms_norm.default": 1, "llm_block.swi_glu.default": 1},
    nodes=(node("RmsNorm", "norm", 7, ours=True), node("SwiGlu", "mlp", 9, ours=True)),
    kernels={"llm.block::RmsNorm/rms_norm_f32": 1, "llm.block::SwiGlu/swi_glu_f32": 1, "other::Op/f": 3},
)


def comparison(stock: Run | None = STOCK, ours: Run | None = OURS) -> Comparison:
    return Comparison("/p/block.py", ("llm.block",), ENVIRONMENT, (Pair("float", stock, ours),))


def ids(found: Comparison) -> list[tuple[str, Severity]]:
    return [(each.id, each.severity) for each in findings(found)]


def test_what_was_replaced_is_told_by_place() -> None:
    first, second = comparison().pairs[0].replaced()
    assert (first.ours, first.stock, first.module) == ((("llm.block::RmsNorm", 1),), (("RmsNorm", 1),), "norm")
    assert second.stock == (("Sigmoid", 1), ("Mul", 2))
    assert comparison().pairs[0].changed()["Mul"] == (2, 0)


def test_an_op_stands_for_several_lines() -> None:
    """Those right before its own one, as far as nothing of them is left, and no other module's."""
    lines = [("other", 8), ("mlp", 3), ("mlp", 4), ("mlp", 7), ("mlp", 8), ("mlp", 9)]
    stock = replace(STOCK, nodes=tuple(node(f"Op{line}{module}", module, line) for module, line in lines))
    left = node("Op4mlp", "mlp", 4)
    ours = replace(OURS, nodes=(left, node("SwiGlu", "mlp", 9, ours=True)))
    (found,) = comparison(stock, ours).pairs[0].replaced()
    assert found.stock == (("Op7mlp", 1), ("Op8mlp", 1), ("Op9mlp", 1))
    (found,) = comparison(stock, replace(ours, nodes=ours.nodes[1:])).pairs[0].replaced()
    assert [name for name, _ in found.stock] == ["Op3mlp", "Op4mlp", "Op7mlp", "Op8mlp", "Op9mlp"]


def test_nothing_is_found_when_all_is_well() -> None:
    assert ids(comparison()) == []


def test_kernels_that_were_not_called_are_an_error() -> None:
    found = findings(comparison(ours=replace(OURS, kernels={"llm.block::RmsNorm/rms_norm_f32": 1})))
    assert [each.id for each in found] == ["OPK444"]
    assert "llm.block::SwiGlu is in the program" in found[0].message


def test_packages_without_an_operator_are_a_warning_with_the_refusals() -> None:
    refusal = "[llm.block] RmsNorm is not delegated (rms_norm): rank 5"
    found = findings(comparison(ours=replace(OURS, nodes=STOCK.nodes, kernels={}, warnings=(refusal,))))
    assert [(each.id, each.severity, each.hint) for each in found] == [("OPK444", Severity.WARNING, refusal)]


def test_places_that_nearly_have_a_pattern_are_told_wherever_one_looks() -> None:
    near = "[llm.block] swi_glu is nearly at aten_mul_tensor (block.py:9): 2 of 3 calls; argument 'other': it is 2"
    found = comparison(ours=replace(OURS, nodes=STOCK.nodes, kernels={}, nearly=(near,)))
    assert findings(found)[0].hint == near
    assert f"  nearly: {near}\n" in compare_text.render(found)
    assert json.loads(compare_json.render(found, []))["modes"][0]["ours"]["nearly"] == [near]
    assert "nearly: [llm.block] swi_glu is nearly at aten_mul_tensor (block.py:9)" in compare_html.render(found, [])


def test_losses_are_warnings() -> None:
    worse = replace(OURS, against_float=(figures(38.5),), delegates=2, on_cpu={"aten.mul.Tensor": 1})
    found = findings(comparison(ours=worse))
    assert {(each.id, each.severity) for each in found} == {("OPK445", Severity.WARNING)}
    text = "\n".join(each.message for each in found)
    assert "1.5 dB farther" in text
    assert "2 delegates, with stock 1" in text
    assert "delegated by stock: 1 aten.mul.Tensor" in text
    assert ids(comparison(ours=replace(OURS, against_float=(figures(39.2),)))) == []
    assert ids(comparison(ours=replace(OURS, against_float=(figures(None),)))) == []


def test_a_program_that_is_what_the_quantized_model_is_has_lost_nothing() -> None:
    worse = replace(OURS, against_float=(figures(38.5),), quantization=(figures(38.6),))
    (found,) = findings(comparison(ours=worse))
    assert (found.id, found.severity) == ("OPK445", Severity.INFO)
    assert "where the quantized model is (38.6 dB)" in found.message
    assert ids(comparison(ours=replace(worse, quantization=(figures(39.5),)))) == [("OPK445", Severity.WARNING)]


def test_a_model_that_is_another_one_each_time_is_not_judged() -> None:
    found = findings(comparison(ours=replace(OURS, outputs=(3.5,), against_float=(figures(1.0),))))
    assert [each.id for each in found] == ["OPK445"]
    assert "seed" in found[0].hint


def test_a_run_that_failed_is_an_error_unless_it_is_stock_alone(tmp_path: Path) -> None:
    log = tmp_path / "float-stock.log"
    log.write_text("loading\n[ERROR] code 4003\nbye\n")
    died = Run("float", "stock", "died", "lower", "the process ended: signal SIGSEGV", log=log)
    assert ids(comparison(stock=died)) == [("OPK443", Severity.WARNING)]
    assert ids(comparison(stock=died, ours=replace(died, side="ours"))) == [("OPK443", Severity.ERROR)] * 2
    found = findings(comparison(stock=died))[0]
    assert found.message == "float stock: lower failed: the process ended: signal SIGSEGV"
    assert "[ERROR] code 4003" in found.hint
    assert "bye" not in found.hint
    log.write_text("loading\nbye\n")
    assert "loading; bye; log: " in findings(comparison(stock=died))[0].hint
    failed = Run("float", "ours", "failed", "lower", "RuntimeError: no", line=7, hint="SwiGlu is not delegated: rank")
    (found,) = findings(comparison(ours=failed))
    assert (found.span.line, found.hint, found.severity) == (7, failed.hint, Severity.ERROR)


def test_a_fault_of_the_model_file_is_the_only_finding() -> None:
    fault = Run("float", "stock", "fault", "load", "has no function model()", line=3, hint="define it")
    (found,) = findings(comparison(stock=fault, ours=None))
    assert (found.id, found.span.path, found.span.line) == ("OPK441", "/p/block.py", 3)
    (found,) = findings(comparison(stock=replace(fault, stage="export"), ours=None))
    assert found.id == "OPK442"
    assert compare_text.render(comparison(stock=fault, ours=None)) == ""


def test_every_id_is_explained() -> None:
    for id in ("OPK441", "OPK442", "OPK443", "OPK444", "OPK445"):
        assert catalog.entries()[id].explanation


def test_the_table() -> None:
    lines = compare_text.render(comparison()).splitlines()
    cells = {line[:26].strip(): line[26:].split() for line in lines}
    assert cells["operators delegated"] == ["3", "2"]
    assert cells["operators of QNN"] == ["4", "2"]
    assert cells["of these, of the packages"] == ["0", "2"]
    assert cells["calls of their kernels"] == ["0", "2"]
    assert cells["SNR, dB"] == ["40.0", "40.0"]
    assert "llm.block::SwiGlu    mlp, block.py:9    Sigmoid, 2 Mul" in lines
    assert "run" not in cells
    died = Run("float", "stock", "died", "lower", "the process ended")
    assert "died (lower)" in compare_text.render(comparison(stock=died))


def test_slices_stand_beside_calls_where_a_call_ran_in_several() -> None:
    rms, gate = "llm.block::RmsNorm/rms_norm_f32", "llm.block::SwiGlu/swi_glu_f32"
    found = comparison(ours=replace(OURS, slices={rms: 4, gate: 1, "other::Op/f": 9}))
    text = compare_text.render(found)
    assert f"kernels: {rms} 1 call in 4 slices, {gate} 1 call\n" in text + "\n"
    ours = json.loads(compare_json.render(found, []))["modes"][0]["ours"]
    assert (ours["kernel_calls"], ours["kernel_slices"]) == ({rms: 1, gate: 1}, {rms: 4})
    assert ids(found) == []


def test_operators_of_the_backend_itself_have_no_kernels_to_count() -> None:
    own = replace(OURS, nodes=tuple(replace(each, package="qti.aisw") for each in OURS.nodes), kernels={})
    found = replace(comparison(ours=own), packages=("qti.aisw",))
    assert ids(found) == []
    text = compare_text.render(found)
    assert "qti.aisw::SwiGlu" in text
    assert "calls of their kernels" not in text


def test_json_is_one_object_with_everything() -> None:
    found = json.loads(compare_json.render(comparison(), []))
    (mode,) = found["modes"]
    assert mode["ours"]["kernel_calls"] == {"llm.block::RmsNorm/rms_norm_f32": 1, "llm.block::SwiGlu/swi_glu_f32": 1}
    assert mode["replaced"][1]["stock"] == "Sigmoid, 2 Mul"
    assert mode["stock"]["nodes"][0]["type"] == "RmsNorm"
    assert mode["ours"]["against_float"][0]["snr"] == 40.0


def test_the_page_is_self_contained_and_escapes(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("<script>alert(1)</script>")
    died = Run("float", "ours", "died", "lower", "<b>", log=log)
    for found in (comparison(), comparison(ours=died)):
        page = compare_html.render(found, findings(found))
        assert "<script" not in page
        assert "http" not in page
        assert "<b>" not in page
    assert "llm.block::SwiGlu" in compare_html.render(comparison(), [])


def test_an_interpreter_that_does_not_start_is_a_run_that_died(tmp_path: Path) -> None:
    model = tmp_path / "m.py"
    model.touch()
    pairs = compare(ENVIRONMENT, model, [Package("a.b", "a_b", None)], [], Path("o.so"), tmp_path / "out", ("float",))
    (found,) = findings(Comparison("m.py", ("a.b",), ENVIRONMENT, pairs))
    assert (found.id, found.severity) == ("OPK443", Severity.ERROR)
    assert "torch" in found.message + found.hint or "numpy" in found.message + found.hint
