"""`opkg rules apply`: graphs, traces, pictures, endless rule sets, functions in Python."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Done

Opkg = Callable[..., "Done"]
GRAPH = "input x: Float16[1,20,4,8]\ny: Float16[1,20,4,8] = my::Gelu(x)\noutput y\n"
SPLIT = """\
DEF_PACKAGE_OPTIMIZATION(
    LATE + 1,
    Op("Gelu", "X"),
    AND(IS_FLOAT16("X"), GT(DIM_HEIGHT("*"), 8)),
    AUTOSPLIT(1, "I", 8, Op("Gelu", TYPICAL_SLICE("X", "I"))))
"""
ENDLESS = SPLIT.replace(', GT(DIM_HEIGHT("*"), 8)', ", OK")
CALLS = SPLIT.replace('GT(DIM_HEIGHT("*"), 8)', 'EXTERNAL_CONSTRAINT(big, "*", 600)')
AFTER = """\
input x: Float16[1,20,4,8]
%4: Float16[1,8,4,8] = q::Slice_shape(x, [0,0,0,0], [1,8,4,8])
%5: Float16[1,8,4,8] = my::Gelu(%4)
%8: Float16[1,8,4,8] = q::Slice_shape(x, [0,8,0,0], [1,8,4,8])
%9: Float16[1,8,4,8] = my::Gelu(%8)
%12: Float16[1,4,4,8] = q::Slice_shape(x, [0,16,0,0], [1,4,4,8])
%13: Float16[1,4,4,8] = my::Gelu(%12)
const %14: Int32[1,1,1,1] = [1]
%15: Float16[1,20,4,8] = q::Concat(%14, %5, %9, %13)
output y = %15
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPKG_DEBUG", raising=False)
    for name, text in (("g.txt", GRAPH), ("split.cpp", SPLIT), ("endless.cpp", ENDLESS), ("calls.cpp", CALLS)):
        (tmp_path / name).write_text(text)
    return tmp_path


def run(opkg: Opkg, *words: str) -> Done:
    return opkg("rules", "apply", "g.txt", *words, "--package", "my")


def test_the_graph_is_printed(opkg: Opkg, here: Path) -> None:
    assert run(opkg, "split.cpp") == (0, AFTER, "opkg: split_1 1x; 2 nodes before, 15 after\n")


def test_what_is_printed_is_a_graph(opkg: Opkg, here: Path) -> None:
    (here / "again.txt").write_text(run(opkg, "split.cpp").out)
    done = opkg("rules", "apply", "again.txt", "split.cpp", "--package", "my")
    assert done.code == 0
    assert "no rule applied" in done.err


def test_trace(opkg: Opkg, here: Path) -> None:
    done = run(opkg, "split.cpp", "--trace", "--output", "out.txt")
    assert (here / "out.txt").read_text() == AFTER
    assert done.out == (
        "step 1: split_1, pass LATE + 1 (21051)  split.cpp:1\n"
        "  matched    *  y: Float16[1,20,4,8] = my::Gelu(x)\n"
        "             X  input x: Float16[1,20,4,8]\n"
        '  constraint true  AND(IS_FLOAT16("X"), GT(DIM_HEIGHT("*"), 8))\n'
        '             true    IS_FLOAT16("X")\n'
        '             true    GT(DIM_HEIGHT("*"), 8)\n'
        '             20        DIM_HEIGHT("*")\n'
        "  built      " + "\n             ".join(AFTER.splitlines()[1:-1]) + "\n"
        "  removed    y: Float16[1,20,4,8] = my::Gelu(x)\n"
        "\n"
    )  # fmt: skip


def test_json(opkg: Opkg, here: Path) -> None:
    step, graph = run(opkg, "split.cpp", "--trace", "--format", "json").objects()
    assert (step["kind"], step["rule"], step["pass"], step["place"]) == (
        "step", "split_1", "LATE + 1 (21051)", "split.cpp:1",
    )  # fmt: skip
    assert step["matched"] == {"*": "y: Float16[1,20,4,8] = my::Gelu(x)", "X": "input x: Float16[1,20,4,8]"}
    assert step["constraint"][-1] == ["20", 'DIM_HEIGHT("*")']
    assert graph["kind"] == "graph"
    assert graph["counts"] == {"split_1": 1}
    assert graph["graph"]["outputs"] == {"y": 15}


def test_output_as_json_is_a_graph(opkg: Opkg, here: Path) -> None:
    assert run(opkg, "split.cpp", "--output", "sub/out.json").out == ""
    done = opkg("rules", "apply", "sub/out.json", "split.cpp", "--package", "my")
    assert (done.code, done.out) == (0, AFTER)


def test_endless(opkg: Opkg, here: Path) -> None:
    done = run(opkg, "endless.cpp", "--html", "run.html")
    assert done.code == 1
    first = done.out.splitlines()[0]
    assert first.startswith(
        "endless.cpp:1:1: error: endless: rule endless_1 rewrites what it built (my::Gelu -> my::Gelu)"
    )
    assert "my::Gelu(" not in done.out, "no graph"
    assert ">endless</span>" in (here / "run.html").read_text()
    (found, *_) = run(opkg, "endless.cpp", "--format", "json").objects()
    assert (found["id"], found["severity"], found["path"], found["line"]) == ("OPK587", "error", "endless.cpp", 1)


WHY = """\
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Relu"), Op(FROM_DEFAULT_PACKAGE("Relu"), "X")), OK, "X")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Tanh"), "X"), AND(GT(DIM_HEIGHT("*"), 64), IS_FLOAT("X")), "X")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Exp"), "X"), OK, "X")
DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, relaxed_precision_flag, Op(FROM_DEFAULT_PACKAGE("Tanh"), "X"), OK, "X")
DEF_PACKAGE_OPTIMIZATION(LATE, Op(FROM_DEFAULT_PACKAGE("Tanh"), LET("R", Op(FROM_DEFAULT_PACKAGE("Relu"), "X"))),
                         OK, Op(FROM_DEFAULT_PACKAGE("Sigmoid"), "R"))
"""
ASKED = """\
input x: Float32[1,8,8,16]
r: Float32[1,8,8,16] = q::Relu(x)
t: Float32[1,8,8,16] = q::Tanh(r)
y: Float32[1,8,8,16] = q::Tanh(t)
output y
"""


def test_rules_that_do_not_apply_say_why(opkg: Opkg, here: Path) -> None:
    (here / "why.cpp").write_text(WHY)
    (here / "asked.txt").write_text(ASKED)
    done = opkg("rules", "apply", "asked.txt", "why.cpp", "--trace", "--html", "why.html")
    assert done.code == 0
    told = done.out[done.out.index("not applied") : done.out.rindex("input x")]
    assert (
        told
        == """\
not applied: why_1  why.cpp:1
  r: the pattern does not fit: x is *Input, not q::Relu

not applied: why_2  why.cpp:2
  t: the constraint is false (and at 1 other node)
    false  AND(GT(DIM_HEIGHT("*"), 64), IS_FLOAT("X"))
    false    GT(DIM_HEIGHT("*"), 64)
    8          DIM_HEIGHT("*")

not applied: why_3  why.cpp:3
  no node is q::Exp

not applied: why_4  why.cpp:4
  it runs only where the option relaxed_precision is on

"""
    )
    page = (here / "why.html").read_text()
    assert "why not" in page
    assert "no node is q::Exp" in page
    rows = opkg("rules", "apply", "asked.txt", "why.cpp", "--trace", "--format", "json").objects()
    silent = [row for row in rows if row["kind"] == "not applied"]
    assert [row["rule"] for row in silent] == ["why_1", "why_2", "why_3", "why_4"]
    assert silent[1]["reasons"][0]["constraint"][-1] == ["8", '    DIM_HEIGHT("*")']
    none = opkg("rules", "apply", "asked.txt", "why.cpp", "--trace", "--max-steps", "0")
    assert "why_5" not in none.out  # it would have been applied


def test_first_steps(opkg: Opkg, here: Path) -> None:
    done = run(opkg, "endless.cpp", "--max-steps", "1")
    assert (done.code, done.out) == (0, AFTER)
    assert done.err.endswith("opkg: endless_1 1x; 2 nodes before, 15 after\n")
    assert run(opkg, "endless.cpp", "--max-steps", "0").out == GRAPH


def test_functions_in_python(opkg: Opkg, here: Path) -> None:
    (here / "f.py").write_text("def big(context, node, most):\n    return node.output.elements > most\n")
    assert run(opkg, "calls.cpp", "--external", "f.py").out == AFTER
    (here / "f.py").write_text("def big(context, node, most):\n    return False\n")
    assert run(opkg, "calls.cpp", "--external", "f.py").out == GRAPH
    done = run(opkg, "calls.cpp")  # nobody knows what it does: the rule does not apply, and that is said
    assert (done.code, done.out) == (0, GRAPH)
    assert "warning: rule calls_1 fails at y: function big is not known here" in done.err


@pytest.mark.parametrize(
    ("source", "place", "said"),
    [
        ("def f(:\n", (1, 7), "this is no Python"),
        ("x = 1\ny = x / 0\n", (2, 1), "ZeroDivisionError"),
        ("raise SystemExit(3)\n", (1, 1), "SystemExit"),
        (None, (1, 1), "cannot be read"),
    ],
)
def test_python_that_does_not_run(
    opkg: Opkg, here: Path, source: str | None, place: tuple[int, int], said: str
) -> None:
    if source is not None:
        (here / "f.py").write_text(source)
    done = run(opkg, "calls.cpp", "--external", "f.py", "--format", "json")
    assert done.code == 1
    (found,) = done.objects()
    assert (found["path"], found["line"], found["column"]) == ("f.py", *place)
    assert said in found["message"]


def test_options_of_the_graph(opkg: Opkg, here: Path) -> None:
    (here / "split.cpp").write_text(SPLIT.replace('DIM_HEIGHT("*"), 8', 'DIM_HEIGHT("*"), OPTION_UINT("rows")'))
    assert run(opkg, "split.cpp", "--option", "rows=8").out == "option rows = 8\n" + AFTER
    assert run(opkg, "split.cpp", "--option", "rows=20").out == "option rows = 20\n" + GRAPH
    done = run(opkg, "split.cpp", "--option", "rows")
    assert done.code == 2
    assert "write name=value" in done.err


def test_errors_come_before_the_run(opkg: Opkg, here: Path) -> None:
    (here / "split.cpp").write_text(SPLIT.replace('"X", "I"', '"Y", "I"'))
    (found,) = run(opkg, "split.cpp", "--format", "json").objects()
    assert (found["id"], found["line"]) == ("OPK525", 5)
    (here / "g.txt").write_text(GRAPH.replace("Gelu(x)", "Gelu(z)"))
    found = run(opkg, "split.cpp", "--format", "json").objects()[0]
    assert (found["path"], found["line"], found["column"]) == ("g.txt", 2, 33)


def test_one_rule_of_several(opkg: Opkg, here: Path) -> None:
    assert run(opkg, "split.cpp", "endless.cpp", "--rule", "split_1").out == AFTER
    done = run(opkg, "split.cpp", "--rule", "split_2")
    assert done.code == 2
    assert "no rule 'split_2'. Did you mean 'split_1'?" in done.err


@pytest.mark.parametrize("graph", ["missing.txt", ".", "split.cpp"])
def test_what_is_no_graph(opkg: Opkg, here: Path, graph: str) -> None:
    done = opkg("rules", "apply", graph, "split.cpp", "--format", "json")
    assert done.code == 1
    assert all(f["id"].startswith("OPK5") and f["path"] == graph for f in done.objects())


def test_dot(opkg: Opkg, here: Path) -> None:
    (here / "g.txt").write_text(GRAPH.replace("\ny:", '\n"a\\"<b>":').replace("output y", 'output "a\\"<b>"'))
    assert run(opkg, "split.cpp", "--dot", "d/run.dot").code == 0
    text = (here / "d" / "run.dot").read_text()
    assert text.count("subgraph cluster_") == 2
    assert "before_0 -> before_1;" in text
    assert re.search(
        r'before_1 \[label="a\\"<b>\\nmy::Gelu\\nFloat16\[1,20,4,8\]", shape=box, fillcolor="#fbe3e0"\]', text
    )
    assert re.search(r'after_15 \[label=".*q::Concat.*", shape=box, fillcolor="#dff3e7"\]', text)


def test_html(opkg: Opkg, here: Path) -> None:
    assert run(opkg, "split.cpp", "--html", "run.html").code == 0
    page = (here / "run.html").read_text()
    assert page.count("<template id=") == 2
    assert page.count('class="step"') == 2
    assert 'data-matched="0" data-removed="1"' in page
    shown = re.search(r'id="after" .*?</svg>', page, re.S)
    assert shown is not None
    assert shown[0].count("<use ") == 10  # x, three slices, three parts, the dimension, Concat, the output
    assert shown[0].count('class="arrow"') == 11


def test_html_of_a_large_graph(opkg: Opkg, here: Path) -> None:
    """Only what is near the changes is drawn."""
    chain = "".join(f"n{i + 1}: Float16[1,20,4,8] = q::Relu(n{i})\n" for i in range(300))
    (here / "g.txt").write_text(
        f"input n0: Float16[1,20,4,8]\n{chain}y: Float16[1,20,4,8] = my::Gelu(n300)\noutput y\n"
    )
    assert run(opkg, "split.cpp", "--html", "run.html").code == 0
    page = (here / "run.html").read_text()
    assert "pictures show what is near a change" in page
    assert page.count("<template id=") == 4
    assert page.count('<g id="n') < 70


def test_reports_that_cannot_be_written(opkg: Opkg, here: Path) -> None:
    for option in ("--html", "--dot", "--output"):
        done = run(opkg, "split.cpp", option, "g.txt/x", "--format", "json")
        assert done.code == 1
        assert done.objects()[-1]["id"] == "OPK324"


def test_a_spec_gives_rules(opkg: Opkg, here: Path) -> None:
    spec = {
        "opkg": 1, "package": {"name": "my", "version": "1.0.0"},
        "ops": {"Gelu": {
            "inputs": {"x": {"dtype": "float16", "shape": ["rest..."]}},
            "outputs": {"y": {"dtype": "float16", "shape": "x.shape"}},
            "reference": "r:f", "rules": [{"match": 'Op("Gelu", "X")', "replace": 'Op(FROM_DEFAULT_PACKAGE("Gelu"), "X")'}],
        }},
    }  # fmt: skip
    (here / "s.yaml").write_text(json.dumps(spec))
    done = opkg("rules", "apply", "g.txt", "s.yaml")
    assert done.code == 0, done.out
    assert "= q::Gelu(x)" in done.out
    assert "Gelu.rule_1 1x" in done.err
