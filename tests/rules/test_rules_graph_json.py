"""The JSON form of graphs and graph files: everything survives, what is wrong is said with its place."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules_graph_strategies import any_graphs
from rules_sim_kit import check_books, graph, run

from opkg.rules.sim import Graph, read_graph, read_json, write_graph, write_json, write_text
from opkg.rules.sim.json_places import Placed, parse


@settings(max_examples=120, deadline=None)
@given(any_graphs())
def test_what_is_written_is_read(found: Graph) -> None:
    text = write_json(found)
    again, findings = read_json(text)
    assert findings == (), text
    assert again is not None
    assert again == found
    assert again.nodes.keys() == found.nodes.keys()
    assert write_json(again) == text
    check_books(again)


def test_origins_and_split_history_are_kept() -> None:
    text = "input x: Float32[1,8]\na: Float32[1,8] = q::A(x)\noutput a\n"
    done = run(text, 'EARLY, Op("q::A", "X"), OK, AUTOSPLIT(1, "I", 4, Op("q::B", TYPICAL_SLICE("X", "I")))')
    again, findings = read_json(write_json(done.graph))
    assert findings == ()
    assert again is not None
    assert again.splits == done.graph.splits
    assert {id: (n.origin, n.history) for id, n in again.nodes.items()} == {
        id: (n.origin, n.history) for id, n in done.graph.nodes.items()
    }
    assert again.add("q::New").id > max(done.graph.nodes)


def plain(placed: Placed) -> object:
    if isinstance(placed.value, dict):
        return {key: plain(value) for key, value in placed.value.items()}
    return [plain(value) for value in placed.value] if isinstance(placed.value, list) else placed.value


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=("Cs",))),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)


@given(_json, st.sampled_from([None, 1]), st.booleans())
def test_json_is_what_python_reads(value: object, indent: int | None, ascii: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    found = parse(text)
    assert plain(found) == json.loads(text)
    assert text[found.start : found.end] == text


def test_json_has_the_numbers_that_python_writes() -> None:
    values = plain(parse("[NaN, Infinity, -Infinity, -0.0, 1e3, 5]"))
    assert isinstance(values, list)
    assert math.isnan(values[0])
    assert values[1:] == [math.inf, -math.inf, 0.0, 1000.0, 5]
    assert isinstance(values[5], int)


@given(st.text() | st.text(st.sampled_from('{}[]",:0-1e.tru fals\\\n')))
def test_no_json_is_a_finding(text: str) -> None:
    found, findings = read_json(text)
    assert found is None
    assert findings[0].span.line <= text.count("\n") + 1


def lines(*nodes: str, rest: str = '"outputs": {}') -> str:
    inner = ",\n".join(nodes)
    return '{"format": "opkg-graph 1", "nodes": [\n' + inner + "\n], " + rest + "}"


X = '{"id": 0, "op": "*Input", "type": "Float32", "shape": [1]}'


@pytest.mark.parametrize(
    ("text", "id", "line", "column", "message"),
    [
        ("", "OPK585", 1, 1, "a value is missing"),
        ("{", "OPK585", 1, 1, "a key in quotes is missing"),
        ("[" * 30, "OPK585", 1, 21, "nested more than 20 deep"),
        ("[]", "OPK585", 1, 1, "a graph must be an object"),
        ("{} x", "OPK585", 1, 4, "text after the end of the JSON value"),
        ('{"format": "other"}', "OPK585", 1, 12, '"format" must be "opkg-graph 1"'),
        ('{"format": "opkg-graph 1", "format": 1}', "OPK585", 1, 28, "a second key 'format'"),
        ('{"format": "opkg-graph 1", "nods": []}', "OPK585", 1, 36, "a graph has no key 'nods'"),
        (
            '{"format": "opkg-graph 1", "options": {"a": []}}',
            "OPK585",
            1,
            45,
            "an option is a number, true, false or text",
        ),
        (lines("{}"), "OPK585", 2, 1, "id is missing or not a number"),
        (lines('{"id": 0}'), "OPK585", 2, 1, "op is missing or not text"),
        (lines(X, X), "OPK582", 3, 8, "a second node 0"),
        (lines(X.replace("Float32", "Float3")), "OPK583", 2, 35, "no element type Float3"),
        (lines(X.replace("[1]", "[1, true]")), "OPK585", 2, 59, "a size must be a number"),
        (lines(X.replace("[1]", "[-1]")), "OPK585", 2, 56, "a size must be an integer from 0 to 2147483647"),
        (lines(X.replace("[1]", '[1], "zero": 3')), "OPK583", 2, 68, "Float32 is not quantized"),
        (lines(X.replace("[1]", '[1], "values": [1, 2]')), "OPK584", 2, 70, "2 values for 1 elements"),
        (lines(X.replace("[1]", '[1], "value": [1, 2]')), "OPK585", 2, 69, "a node has no key 'value'"),
        (lines(X.replace("[1]", '[1], "splits": [[1]]')), "OPK585", 2, 71, "a split of a node is [record, index]"),
        (lines(X.replace("[1]", '[1], "inputs": [0]')), "OPK581", 2, 71, "no node 0 above"),
        (lines(X.replace("[1]", '[1], "inputs": [7]')), "OPK581", 2, 71, "no node 7 above"),
        (lines(X, rest='"outputs": {"y": 1}'), "OPK581", 3, 21, "no node 1 above"),
    ],
)
def test_findings_have_their_place(text: str, id: str, line: int, column: int, message: str) -> None:
    found, findings = read_json(text, "g.json")
    assert found is None
    first = findings[0]
    assert (first.id, first.span.line, first.span.column, first.message) == (id, line, column, message)
    assert first.span.path == "g.json"


def test_readers_of_a_node_with_an_error_say_so() -> None:
    text = lines(X.replace("Float32", ""), X.replace('0, "op"', '1, "inputs": [0], "op"'))
    assert [f.message for f in read_json(text)[1]] == ["no element type ", "the node 0 has an error"]


# ---- files


def test_files_by_their_suffix(tmp_path: Path) -> None:
    found = graph("input x: Float32[1]\ny: Float32[1] = q::A(x)\noutput y\n")
    for name in ("g.txt", "g.graph", "g.json", "G.JSON"):
        (tmp_path / name).write_text(write_graph(found, Path(name).suffix))
        again, findings = read_graph(tmp_path / name)
        assert findings == ()
        assert again == found
    assert (tmp_path / "G.JSON").read_text().startswith("{")
    (tmp_path / "bom.txt").write_bytes(b"\xef\xbb\xbf" + write_text(found).replace("\n", "\r\n").encode())
    assert read_graph(str(tmp_path / "bom.txt"))[0] == found


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "binary.txt").write_bytes(b"\x80\xff\x00")
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "none.onnx").mkdir()
    for name, said in {
        "absent.txt": "cannot read the graph: no such file",
        "none.onnx": "cannot read the graph: it is a folder",
        "pipe.txt": "cannot read the graph: it is no file",
        "binary.txt": "byte 0 is not UTF-8: no graph in text form",
    }.items():
        found, findings = read_graph(tmp_path / name)
        assert found is None
        assert [(f.id, f.message, f.span.path) for f in findings] == [("OPK591", said, str(tmp_path / name))]
