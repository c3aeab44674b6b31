"""`opkg kernel show`: every stage says what it should, and wrong command lines say what is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from doc_pages import renewed

from opkg.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
SPEC = """\
opkg: 1
package: {name: acme.show, version: 1.0.0, targets: [qnn-htp-qhpi, qnn-htp-classic]}
ops:
  Scale:
    types: {T: [ufixed8, float32]}
    inputs:
      x: {dtype: T, shape: [batch..., C], rank: 1..4}
      gain: {dtype: float32, shape: [C]}
      shift: {dtype: T, shape: [C], optional: true}
    params:
      p: {dtype: float32, default: 2.0}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: |
      gated = x * gain * 1 + 0.5 ** 2
      y = gated + shift * p if present(shift) else gated
  Gelu:
    inputs:
      x: {dtype: ufixed8, rank: 1..4}
    outputs:
      y: {dtype: ufixed8, shape: x.shape}
    compute: y = 0.5 * x * (1 + erf(x / 1.4142135623730951))
  Softmax:
    inputs:
      x: {dtype: float32, rank: 1..4}
    outputs:
      y: {dtype: float32, shape: x.shape}
    compute: |
      e = exp(x - max(x, -1, keepdims=True))
      y = e / sum(e, -1, keepdims=True)
  Sum:
    inputs:
      a: {dtype: int32, rank: 1..4}
      b: {dtype: int32, rank: 1..4}
    outputs:
      y: {dtype: int32, shape: "broadcast(a, b)"}
    compute: y = a + b
  Opaque:
    inputs:
      x: {dtype: float32, rank: 1..4}
    outputs:
      y: {dtype: float32, shape: x.shape}
    reference: references:opaque
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "show.yaml").write_text(SPEC)
    (tmp_path / "references.py").write_text("def opaque(case):\n    return (case.x,)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


def show(capsys: pytest.CaptureFixture[str], line: str, code: int = 0) -> str:
    assert run(["kernel", "show", *line.split()]) == code
    found = capsys.readouterr()
    return found.out if code == 0 else found.out + found.err


def test_all_in_short(capsys: pytest.CaptureFixture[str]) -> None:
    text = show(capsys, "Gelu")
    assert text.startswith("gelu: y = 0.5 * x * (1 + erf(x / 1.4142135623730951))\n")
    assert "11 one operation at a time, 2 in one kernel, 5.5 times fewer" in text
    assert "layout-oblivious: all tensors have one shape" in text
    assert re.search(r"^  \* table8 +8\.00 packets: .*exact$", text, re.M)
    assert re.search(r"^    rows +cannot: ", text, re.M)
    assert re.search(r"^  registers +\d+ of 32 vectors, \d of 4 predicates$", text, re.M)
    assert re.search(r"^  packets +8\.00 per 128 bytes of output at least on v66, bound by permute$", text, re.M)


def test_loops_without_results_are_counted_by_what_they_read(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "opkg: 1\npackage: {name: acme.most}\nops:\n  Most:\n    inputs: {x: {dtype: ufixed8, shape: [N, C]}}\n"
    for axis in (0, 1):
        (project / "specs" / "most.yaml").write_text(
            f"{head}    outputs: {{y: {{dtype: int32, shape: [{'NC'[1 - axis]}]}}}}\n    compute: y = argmax(x, axis={axis})\n"
        )
        assert re.search(r"^  packets +1\.25 per 128 bytes of input at least on v66", show(capsys, "Most"), re.M)


def test_one_text_per_kernel_and_set_of_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    names = [line for line in show(capsys, "Scale").splitlines() if line.startswith("scale")]
    assert names == [
        "scale_u8 (T=ufixed8):", "scale_u8 (T=ufixed8) without shift:", "scale_f32 (T=float32):",
        "scale_f32 (T=float32) without shift:",
    ]  # fmt: skip
    assert len(re.findall(r"^scale", show(capsys, "Scale --when T=ufixed8"), re.M)) == 2


def test_the_graph_as_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    text = show(capsys, "Scale --when T=float32 --stage graph")
    assert "mul %2, 1 " in text
    assert "pow 0.5, 2" in text
    assert "one number" in text
    assert "gated" in text


def test_the_canonical_graph(capsys: pytest.CaptureFixture[str]) -> None:
    text = show(capsys, "Scale --when T=float32 --stage canonical")
    assert "pow" not in text
    assert "add %2, 0.25" in text
    assert "layout-aware: an operand, gain, may be broadcast" in text


def test_memory_and_loops(capsys: pytest.CaptureFixture[str]) -> None:
    text = show(capsys, "Scale --when T=float32 --stage linear --shape x=2,3,300")
    first, *_ = text.splitlines()[3:]
    assert first == "x [2, 3, 300], gain [300], shift [300], y [2, 3, 300]"
    assert "for each of 6:" in text
    assert "  vectors, 9 steps of 32 elements, a masked tail of 12:" in text
    assert "gain read: the same for each of 6" in text
    assert text.count("load gain") == 2  # with and without shift


def test_names_of_dimensions_without_shapes(capsys: pytest.CaptureFixture[str]) -> None:
    text = show(capsys, "Scale --when T=ufixed8 --stage linear")
    assert "x [*batch, C], gain [C]" in text
    assert "C // 32 steps" not in text or "C // 128 steps" not in text
    assert "shapes: all tensors alike" in show(capsys, "Sum --stage linear")
    assert "2 rows of 4" not in show(capsys, "Sum --shape a=2,4 --shape b=2,4")
    assert "2 rows of 4" in show(capsys, "Sum --shape a=2,1 --shape b=1,4")


def test_reductions_are_passes(capsys: pytest.CaptureFixture[str]) -> None:
    text = show(capsys, "Softmax --stage linear --shape x=4,100")
    assert [line.strip() for line in text.splitlines() if "pass " in line] == ["pass 1:", "pass 2:", "pass 3:"]
    assert "for each of 4:" in text
    assert text.count("load x") == 1
    assert "3 passes" in show(capsys, "Softmax --shape x=4,100")


def test_what_has_no_floats_takes_whole_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    text = show(capsys, "Softmax")
    assert ", v68 and later" not in text
    assert "on v66 several times that, in whole numbers: HVX has floating point from v68 on" in text


def test_one_line_of_json_per_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in show(capsys, "Scale --format json").splitlines()]
    assert [(line["types"], line["absent"]) for line in lines] == [
        ({"T": "ufixed8"}, []), ({"T": "ufixed8"}, ["shift"]), ({"T": "float32"}, []), ({"T": "float32"}, ["shift"]),
    ]  # fmt: skip
    (gelu,) = [json.loads(line) for line in show(capsys, "Gelu --format json").splitlines()]
    assert gelu["memory_walks"] == {"before": 11, "after": 2, "shrink": 5.5}
    assert gelu["chosen"] == "table8"
    assert gelu["registers"]["spills"] == 0
    packets = {line["name"]: line["packets"] for line in gelu["strategies"]}
    assert packets["table8"] == 8.0
    assert packets["rows"] is None
    assert "without --stage" in show(capsys, "Gelu --format json --stage graph", 2)


@pytest.mark.parametrize(
    ("words", "steps", "elements"),
    [
        ("Gelu --shape x=3,1000", 24, 128),  # rows run into one another
        ("Gelu --shape x=1", 1, 128),
        ("Scale --when T=ufixed8 --shape x=7,100", 6, 128),
        ("Sum --shape a=5,1,33 --shape b=17,1", 88, 32),
        ("Softmax --shape x=7,100", 7 * 4, 32),  # each of seven rows takes four steps
    ],
)
def test_a_call_of_a_shape(capsys: pytest.CaptureFixture[str], words: str, steps: int, elements: int) -> None:
    line = json.loads(show(capsys, f"{words} --arch v73 --format json").splitlines()[0])
    (chosen,) = [s for s in line["strategies"] if s["name"] == line["chosen"]]
    assert chosen["step"] == elements
    per_step = chosen["packets"] * (chosen["stores"] or chosen["loads"])
    assert line["call"] == pytest.approx(steps * per_step, abs=1)
    assert f"{line['call']:,} packets in loops" in show(capsys, f"{words} --arch v73")


def test_no_call_without_shapes(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(show(capsys, "Gelu --format json"))["call"] is None
    assert "in loops" not in show(capsys, "Gelu")


def test_what_cannot_be_generated(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    text = SPEC.replace("max(x, -1, keepdims=True)", "max(x, 0, keepdims=True)")
    (project / "specs" / "show.yaml").write_text(text)
    assert "no kernel can be generated: " in show(capsys, "Softmax")
    assert "* portable" not in show(capsys, "Softmax")
    assert "OPK600" in show(capsys, "Softmax --stage code", 1)
    assert json.loads(show(capsys, "Softmax --format json"))["refused"]


def test_outputs_of_different_shapes_are_kernels_of_their_own(
    capsys: pytest.CaptureFixture[str], project: Path
) -> None:
    text = SPEC.replace('"broadcast(a, b)"}', '"broadcast(a, b)"}\n      m: {dtype: int32, shape: b.shape}')
    text = text.replace("compute: y = a + b", "compute: y = a + b; m = -b")
    (project / "specs" / "show.yaml").write_text(text)
    assert re.findall(r"^sum\w*", show(capsys, "Sum"), re.M) == ["sum_y", "sum_m"]
    first, second = show(capsys, "Sum --stage graph").split("\n\n")
    assert "neg" not in first
    assert "add" not in second


def test_registers(capsys: pytest.CaptureFixture[str]) -> None:
    text = show(capsys, "Gelu --stage registers")
    assert text.splitlines()[1].startswith("table8: ")
    assert re.search(r"^v\d+ +\w+ = load\('x'\)$", text, re.M)
    assert re.search(r"^ +store\('y', \w+\[v\d+\]\)$", text, re.M)
    assert re.search(r"^\d+ vectors and 0 predicates live at most$", text, re.M)


def test_code_is_the_kernel_file(capsys: pytest.CaptureFixture[str]) -> None:
    text = show(capsys, "Gelu --stage code")
    assert '#include "acme_show/gelu.h"' in text
    assert "opkg::Status gelu(const GeluArgs& op) {" in text
    assert "scale_f32" not in show(capsys, "Scale --when T=ufixed8 --stage code")


def test_classic_hands_signed_elements_over_as_they_are(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    path = project / "specs" / "show.yaml"
    path.write_text(SPEC.replace("dtype: int32", "dtype: int8"))
    assert show(capsys, "Sum --stage code") != show(capsys, "Sum --stage code --target qnn-htp-classic")


def test_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    text = show(capsys, "Scale --dot")
    assert text.count("digraph") == 2  # with and without shift; element types change nothing
    named = set(re.findall(r"^  (n\d+|\"out \w+\") \[label=", text, re.M))
    for source, target in re.findall(r"^  (n\d+) -> (n\d+|\"out \w+\")", text, re.M):
        assert {source, target} <= named
    assert text.count("{") == text.count("}")
    assert "pow" in show(capsys, "Scale --dot --stage graph")
    assert "#fdf1d0" in text


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("Gelo", 2, "no op 'Gelo'. Did you mean 'Gelu'?"),
        ("Opaque", 1, "specs/show.yaml:38:3: error: op Opaque has no computation [OPK601]"),
        ("Scale --when T=int8", 2, "Scale has no kernel with T=int8. It has: T=ufixed8; T=float32."),
        ("Scale --when T=int8,T=float32", 2, "Scale has no kernel with T=int8,T=float32."),
        ("Scale --when T=float32,U=int8", 2, "Scale has no element type 'U'."),
        ("Scale --when U=int8", 2, "Scale has no element type 'U'."),
        ("Scale --when int8", 2, "--when wants NAME=TYPE: T=ufixed8."),
        ("Scale --package acme.shw", 2, "no package 'acme.shw'. Did you mean 'acme.show'?"),
        ("Scale --target qnn-htp-qhp", 2, "Did you mean 'qnn-htp-qhpi'?"),
        ("Scale --shape q=1", 2, "Scale has no tensor 'q'. It has x, gain, shift, y."),
        ("Scale --shape x=1,-1", 2, "'x=1,-1' is no shape; write x=1,8,8,32"),
        ("Scale --shape x=1,2,3,4,5", 2, "x has 1 to 4 dimensions, not 5"),
        ("Scale --shape x=2,4 --shape gain=3", 2, "the dimension C of gain is 3 and 4"),
        ("Sum --shape a=2 --shape b=3", 2, "shapes [2] and [3] do not broadcast"),
        ("Scale --stage linear --dot", 2, "--dot draws a graph: --stage graph or canonical, not linear."),
        ("Scale --arch 66", 2, "'66' is no architecture; write v66"),
        ("Scale --stage cod", 2, "'cod'"),
        ("", 2, "OP"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(capsys: pytest.CaptureFixture[str], line: str, code: int, words: str) -> None:
    assert words in show(capsys, line, code)


def test_an_op_of_two_packages(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    (project / "specs" / "other.yaml").write_text(SPEC.replace("acme.show", "acme.other"))
    assert "op 'Gelu' is in several packages: acme.other, acme.show." in show(capsys, "Gelu", 2)
    assert show(capsys, "Gelu --package acme.other").startswith("gelu: ")


def test_specs_with_errors(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    (project / "specs" / "show.yaml").write_text(SPEC.replace("erf(x", "erff(x"))
    assert "OPK1" in show(capsys, "Gelu", 1)


def test_the_finding_can_be_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "OPK601"]) == 0
    assert "no computation" in capsys.readouterr().out


def test_the_page_shows_what_is_printed() -> None:
    """Its runs are renewed by `python scripts/doc_runs.py --write docs/kernels.md`."""
    page = (ROOT / "docs" / "kernels.md").read_text("utf-8")
    assert renewed(page) == page
