"""The text form of graphs: what is written can be read, what is wrong is said with its place, nothing crashes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules_graph_strategies import any_graphs

from opkg.rules.core import HtpType
from opkg.rules.sim import Graph, read_json, read_text, write_text
from opkg.rules.sim.catalog import ENTRIES
from opkg.rules.sim.data import Array, Fill, Listed, Random
from opkg.rules.sim.model import Output

WHOLE = """\
# every kind of line
option tile_height = 8
option scale = 0.5
option on = true
option mode = "fast"
input x: QUInt8[1,8,8,32] zero 128 step 0.05
input "strange name": Float16[]
const w: Float32[1,3] = [1, -2.5, 1e-3]   # listed
const k: Int32[4] = fill 7
const r: QInt8[2,2] zero 0 step 0.1 = random 42
const u: Float32[64] = ?
shape s: [1,2,3]
y: QUInt8[1,8,8,32] zero 128 step 0.05 = q::Relu(x)
m: Multi(2) = my.pkg::Two(y, w, [0,0,0,4], s)
a: Float32[8] = m.0
b: Float32[8] = m.1
z: Float32[8] = q::Add(a, b, k, r, u, "strange name")
output z, other = y
"""


def test_every_kind_of_line() -> None:
    graph, findings = read_text(WHOLE)
    assert findings == ()
    assert graph is not None
    assert graph.options == {"tile_height": 8, "scale": 0.5, "on": True, "mode": "fast"}
    nodes = {node.name: node for node in graph.nodes.values()}
    assert nodes["x"].output == Output(HtpType.QUInt8, (1, 8, 8, 32), 128, 0.05)
    assert nodes["strange name"].output == Output(HtpType.Float16, ())
    assert [nodes[name].data for name in "wkru"] == [Listed((1, -2.5, 1e-3)), Fill(7), Random(42), None]
    assert nodes["s"].output == Output(HtpType.Int32, (1, 2, 3))
    assert nodes["m"].output.count == 2
    assert graph.nodes[nodes["m"].inputs[2]].output.shape == (0, 0, 0, 4)
    assert (nodes["b"].op, graph.nodes[nodes["b"].inputs[1]].output.shape) == ("$Out", (0, 0, 2, 1))
    assert [(name, graph.nodes[id].name) for name, id in graph.outputs] == [("z", "z"), ("other", "y")]
    assert read_text(write_text(graph))[0] == graph


@settings(max_examples=120, deadline=None)
@given(any_graphs())
def test_what_is_written_is_read(graph: Graph) -> None:
    text = write_text(graph)
    again, findings = read_text(text)
    assert findings == (), text
    assert again == graph, text
    assert write_text(again) == write_text(read_text(write_text(again))[0] or again)


def test_equality_sees_every_difference() -> None:
    graph = read_text(WHOLE)[0]
    for old, new in (
        ("128", "127"),
        ("zero 128 step 0.05 = q", "zero 128 step 0.06 = q"),
        ("q::Relu", "q::Relu6"),
        ("Two(y", "Two(x"),
        ("fill 7", "fill 8"),
        ("m.1", "m.0"),
        ("random 42", "random 43"),
        ("-2.5", "2.5"),
        ("[1,2,3]", "[1,2,4]"),
        ("output z", "output q = z"),
        ("on = true", "on = 1"),
    ):
        assert old in WHOLE
        other, findings = read_text(WHOLE.replace(old, new, 1) if "zero" not in old else WHOLE.replace(old, new))
        assert not findings
        assert other != graph, old


@pytest.mark.parametrize(
    ("line", "id", "column", "message"),
    [
        ("y: Float32[1] = q::Relu x", "OPK580", 25, "'(' is missing after the op's name"),
        ("y: Float32[1] = q::Relu(x", "OPK580", 26, "',' is missing between two inputs"),
        ("y: Float32[1] = q::Relu(x y)", "OPK580", 27, "',' is missing between two inputs"),
        ("y: Float32[1] = q::Relu(x) y", "OPK580", 28, "the line should end here"),
        ("y: Float32[1] = q::Relu(3)", "OPK580", 25, "an input, or ')', is missing"),
        ("y: Float32[1] q::Relu(x)", "OPK580", 15, "'=' is missing before the op"),
        ("y: Float32 = q::Relu(x)", "OPK580", 12, "'[' is missing before the sizes"),
        ("y: Float32[-1] = q::Relu(x)", "OPK580", 12, "a size must be an integer from 0 to 2147483647"),
        ("y: Float32[1.5] = q::Relu(x)", "OPK580", 12, "a size must be an integer from 0 to 2147483647"),
        ("y: Float32[1,1,1,1,1,1,1,1,1] = q::Relu(x)", "OPK583", 11, "9 dimensions; 8 are the most"),
        ("y: Float3[1] = q::Relu(x)", "OPK583", 4, "no element type Float3"),
        ("y: Float32[1] zero 3 = q::Relu(x)", "OPK583", 15, "Float32 is not quantized"),
        ("y: QUInt8[1] step 0 = q::Relu(x)", "OPK583", 14, "the step size must be above 0"),
        ("y: Float32[1] = q::Relu(q)", "OPK581", 25, "no node q above"),
        ("x: Float32[1] = q::Relu(x)", "OPK582", 1, "a second node x"),
        ("y: Float32[1] = x.0", "OPK583", 17, "x has one output and is read by its name"),
        ("y: Float32[1] = m.2", "OPK583", 17, "m has 2 outputs"),
        ("y: Float32[1] = nope.2", "OPK581", 17, "no node nope above"),
        ("const y: Float32[3] = [1, 2]", "OPK584", 23, "2 values for 3 elements"),
        ("const y: Float32[3]", "OPK580", 20, "'=' is missing before the values"),
        (
            "const y: Float32[3] = 3",
            "OPK580",
            23,
            "'[' is missing before the values (or write fill V, random SEED or ?)",
        ),
        ("const y: Float32[3] = random -1", "OPK580", 30, "the seed must be an integer from 0 to 2147483647"),
        ("option a", "OPK580", 9, "'=' is missing after the option's name"),
        ("option a = b", "OPK580", 12, "the value (a number, true, false or text in quotes) must be a number"),
        ("inpt y: Float32[1]", "OPK580", 1, "no line of a graph begins like this"),
        ("output nope", "OPK581", 8, "no node nope above"),
        ("output x, x", "OPK582", 11, "a second output x"),
        ("output", "OPK580", 7, "the output's name is missing"),
        ("y: Multi(0) = q::Two(x)", "OPK580", 10, "the number of outputs must be an integer from 1 to 65535"),
        ('"\\q": Float32[1] = q::Relu(x)', "OPK580", 1, "a text with an escape that JSON does not have"),
        ("y: Float32[1] = q::Relu(x) & 3", "OPK580", 28, "'&' is not understood here"),
        ("   5: Float32[1] = q::Relu(x)", "OPK580", 4, "no line of a graph begins like this"),
    ],
)
def test_findings_have_their_place(line: str, id: str, column: int, message: str) -> None:
    text = f"input x: Float32[1]\nm: Multi(2) = q::Two(x)\n\n{line}\noutput x\n".replace(
        "output x\n", "", "x, x" in line
    )
    graph, findings = read_text(text, "g.txt")
    assert graph is None
    found = findings[0]
    assert (found.id, found.span.path, found.span.line, found.span.column, found.message) == (
        id,
        "g.txt",
        4,
        column,
        message,
    )


def test_all_errors_are_found_and_followers_say_why() -> None:
    text = "input x: Flot32[1]\ny: Float32[1] = q::A(x)\nz: Float32[2 = q::A(y)\noutput z\n"
    findings = read_text(text)[1]
    assert [(f.span.line, f.id, f.message) for f in findings] == [
        (1, "OPK583", "no element type Flot32"),
        (2, "OPK581", "the line of x has an error"),
        (3, "OPK580", "',' is missing between two sizes"),
        (4, "OPK581", "the line of z has an error"),
    ]
    assert findings[0].hint == "did you mean Float32?"


def test_hints_name_the_nearest() -> None:
    assert read_text("inpt x: Float32[1]")[1][0].hint == "did you mean input?"
    assert read_text("input abc: Float32[1]\ny: Float32[1] = q::A(abd)")[1][0].hint == "did you mean abc?"


@settings(max_examples=120, deadline=None)
@given(st.text() | st.text(st.sampled_from('input x: Float32[1]=q::A(,)".%#\\\n\r 0-')))
def test_any_text_gives_a_graph_or_findings(text: str) -> None:
    graph, findings = read_text(text)
    assert (graph is None) == bool(findings)
    for found in findings:
        lines = text.split("\n")
        assert 1 <= found.span.line <= len(lines)
        assert 1 <= found.span.column <= len(lines[found.span.line - 1]) + 1


@given(any_graphs(), st.data())
def test_damaged_text_never_crashes(graph: Graph, data: st.DataObject) -> None:
    text = write_text(graph)
    at = data.draw(st.integers(0, len(text)))
    read_text(text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :])


@pytest.mark.parametrize(
    "entry", [e for e in ENTRIES if e.id in ("OPK580", "OPK581", "OPK582", "OPK583", "OPK584", "OPK585")]
)
def test_the_catalog_is_right(entry: tuple[str, ...]) -> None:
    id, _, _, wrong, right = entry
    known = "input z: Float32[1,4]\n" if "(x)" in wrong or "Relu x" in wrong else ""
    known = known.replace("z", "x") if "x" in wrong else known
    read = read_json if id == "OPK585" else read_text
    assert [f.id for f in read(known + wrong)[1]] == [id]
    assert read(known + right)[1] == ()


def test_large_constants_can_be_left_out() -> None:
    graph = Graph()
    graph.add("$Const", (), Output(HtpType.Float32, (3,)), Array(np.arange(3.0)), "big")
    graph.add("$Const", (), Output(HtpType.Float32, (2,)), Listed((1, 2)), "small")
    assert write_text(graph, limit=2) == "const big: Float32[3] = ?  # 3 values\nconst small: Float32[2] = [1, 2]\n"
    assert read_text(write_text(graph, limit=2))[1] == ()
    assert write_text(graph).startswith("const big: Float32[3] = [0.0, 1.0, 2.0]\n")


# ---- values of constants


@given(
    st.sampled_from(
        [
            Output(HtpType.QUInt8, (3, 5), 128, 0.5),
            Output(HtpType.QInt16, (15,), 0, 0.25),
            Output(HtpType.Float16, (5, 3)),
            Output(HtpType.Int32, (15, 1)),
        ]
    ),
    st.integers(0, (1 << 31) - 1),
)
def test_random_constants_can_be_stored(output: Output, seed: int) -> None:
    values = Random(seed).array(output)
    assert values.shape == output.shape
    assert values.reshape(-1).tolist() == [Random(seed).element(output, i) for i in range(15)]
    stored = values / output.step_size + output.zero_offset
    if output.quantized or output.dtype is HtpType.Int32:
        assert np.array_equal(stored, np.round(stored))
        low, high = {HtpType.QUInt8: (0, 255), HtpType.QInt16: (-32768, 32767), HtpType.Int32: (-128, 127)}[
            output.dtype
        ]
        assert low <= stored.min() <= stored.max() <= high
    else:
        assert np.array_equal(values.astype(np.float16), values)
        assert -1 <= values.min() <= values.max() < 1


def test_random_constants_differ() -> None:
    output = Output(HtpType.Int32, (1000,))
    first, second = Random(1).array(output), Random(2).array(output)
    assert len(set(first.tolist())) > 200
    assert (first != second).mean() > 0.9


def test_arrays_of_constants() -> None:
    output = Output(HtpType.Float32, (2, 2))
    assert Listed((1, 2, 3, 4)).array(output).tolist() == [[1, 2], [3, 4]]
    assert Fill(2.5).array(output).tolist() == [[2.5, 2.5], [2.5, 2.5]]
    assert Array(np.arange(4)).element(output, 3) == 3
    assert Array(np.arange(4)) == Array(np.arange(4))
    assert Array(np.arange(4)) != Array(np.arange(1, 5))
