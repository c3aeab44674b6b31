"""Entries at the places of a tree of onert: insert and remove are inverse, in any order, and nothing else changes."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onert_edits import edits
from onert_mini import OPS, files, shout

from opkg.targets.foreign import Era
from opkg.trees import anchors
from opkg.trees.found import Taken, Unexpected
from opkg.trees.onert.eras import detect
from opkg.trees.onert.places import ROWS

NAME = st.from_regex(r"[A-Z][a-zA-Z0-9]{2,9}", fullmatch=True).filter(lambda name: name not in OPS)


@cache
def tree(era: str) -> dict[str, str]:
    return files(era)


def era_of(era: str) -> Era:
    return detect(tree(era).get)


def places(era: str) -> list[tuple[str, str]]:
    """Rows that a tree has, with the path."""
    found = []
    for row in ROWS.values():
        for path in row.paths:
            if path in tree(era) and (not row.needs or re.search(row.needs, tree(era)[path])):
                found.append((row.name, path))
                break
    return found


def needed(era: str) -> set[str]:
    """Rows that the edits of an operation use."""
    return {edit.place for edit in edits("Any", era_of(era))}


ALL = [(era, name, path) for era in ("oplist", "classic") for name, path in places(era) if name in needed(era)]
ALL += [("between", name, path) for name, path in places("between") if name == "cpu_validator_h"]


def wanted(name: str, op: str, era: str) -> tuple[str, str]:
    """Key and text of an operation's entry at a place."""
    edit = next(each for each in edits(op, era_of(era)) if each.place == name)
    return anchors.key_of(ROWS[name], edit.text) or "", edit.text


def test_every_row_has_a_place() -> None:
    assert {name for _, name, _ in ALL} == set(ROWS)


def test_eras() -> None:
    assert era_of("oplist") == Era()
    assert era_of("classic") == Era(
        operation_lst=False,
        nested_namespaces=False,
        layout=True,
        unused_release=True,
        circle_custom=False,
        specific_loader=True,
        own_operands=True,
        zero_point=False,
        output_constraint=False,
        attr_map=False,
        same_quant=False,
        custom_gen=False,
        validator_operands=False,
        compiler_factory=False,
    )
    older = Era(operation_lst=False, nested_namespaces=False, circle_custom=False)
    assert era_of("2023") == replace(older, layout=True, unused_release=True, options_list=True)
    assert era_of("2024") == older
    assert era_of("2025") == Era(operation_lst=False)
    assert detect({}.get) == replace(
        older, compiler_factory=False, model_tests=False
    )  # nothing is known of a tree without files
    assert era_of("between") == Era(operation_lst=False, validator_visits=True)


@pytest.mark.parametrize(("era", "name", "path"), ALL, ids=lambda v: v if isinstance(v, str) and "/" not in v else "")
def test_inverse_and_in_any_order(era: str, name: str, path: str) -> None:
    series(era, name, path, 6)


@pytest.mark.sweep
@pytest.mark.parametrize(("era", "name", "path"), ALL, ids=lambda v: v if isinstance(v, str) and "/" not in v else "")
def test_inverse_in_long_series(era: str, name: str, path: str) -> None:
    series(era, name, path, 150)


def series(era: str, name: str, path: str, examples: int) -> None:
    """Random operations in random orders, with other line ends, without a newline at the end of the file."""
    row = ROWS[name]

    @settings(max_examples=examples)
    @given(st.lists(NAME, min_size=1, max_size=4, unique_by=shout), st.randoms(), st.booleans(), st.booleans())
    def check(ops: list[str], random: object, crlf: bool, cut: bool) -> None:
        text = tree(era)[path]
        text = text.rstrip("\n") if cut else text
        text = text.replace("\n", "\r\n") if crlf else text
        pairs = {op: wanted(name, op, era) for op in ops}
        results = set()
        for order in (ops, ops[::-1]):
            result = text
            for op in order:
                result = anchors.insert(result, row, *pairs[op])
            results.add(result)
        assert len(results) == 1
        left = iter(result.splitlines())
        assert all(line in left for line in text.splitlines())
        assert "\n" not in result.replace("\r\n", "") or not crlf
        assert result.endswith("\n") == (not cut)
        for op in ops:
            with pytest.raises(Taken) as taken:
                anchors.insert(result, row, *pairs[op])
            assert taken.value.text.rstrip("\n") == pairs[op][1].rstrip("\n")
        random.shuffle(ops)  # type: ignore[attr-defined]
        for op in ops:
            result = anchors.remove(result, row, pairs[op][0])
        assert result == text

    check()


def neighbours(era: str, name: str, op: str) -> tuple[str, str]:
    """The keys before and after a new entry."""
    path = dict(places(era))[name]
    key, text = wanted(name, op, era)
    keys = anchors.keys(anchors.insert(tree(era)[path], ROWS[name], key, text), ROWS[name])
    at = keys.index(key)
    return keys[at - 1] if at else "", keys[at + 1] if at + 1 < len(keys) else ""


@pytest.mark.parametrize(
    ("name", "op", "between"),
    [
        ("operations_lst", "ScaledAdd", ("RoPE", "Select")),
        ("operations_lst", "Xyz", ("While", "Loss")),  # above the training tail, which is no neighbour
        ("operations_lst", "Foo", ("Fill", "FullyConnected")),  # DetectionPostProcess stands behind LSTM
        ("operations_lst", "Aaa", ("", "AddN")),
        ("operations_include", "CumSum", ("ConvertFp32ToFp16", "Custom")),
        ("cpu_operation_lst", "Foo", ("Fill", "FullyConnected")),
        ("cpu_operation_lst", "Tiny", ("Tile", "Transpose")),  # TopKV2 stands before Tile
        ("operation_dumper_cc", "Sha", ("Select", "Shape")),
        ("shape_inference_cc", "Rank", ("Pad", "Reduce")),
        ("static_shape_inferer_cc", "Barn", ("ArgMinMax", "BatchMatMul")),
    ],
)
def test_among_its_neighbours(name: str, op: str, between: tuple[str, str]) -> None:
    assert neighbours("oplist", name, op) == between


def test_above_the_training_tail() -> None:
    path = "runtime/onert/core/include/ir/Operations.lst"
    text = anchors.insert(tree("oplist")[path], ROWS["operations_lst"], "Xyz", "OP(Xyz)\n")
    assert text == tree("oplist")[path].replace("OP(While)\n", "OP(While)\nOP(Xyz)\n")
    with pytest.raises(Taken):  # of the tail, but taken
        anchors.insert(text, ROWS["operations_lst"], "Loss", "OP(Loss)\n")


SWITCH = """\
template <typename LoaderDomain>
void BaseLoader<LoaderDomain>::loadOperation(const Operator *op, ir::Graph &subg)
{{
  switch (code)
  {{
{cases}    default:
      throw 1;
  }}
}}
"""
CASE = ROWS["base_loader_case"]


def case(name: str, body: str = "      f();\n      return;\n") -> str:
    return f"    case BuiltinOperator::BuiltinOperator_{name}:\n{body}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (case("PAD", "") + case("PAD_V2"), ""),  # labels that share code stay together
        (case("PAD", "      f();\n") + case("PAD_V2"), ""),  # runs into the next one
        (case("PAD", "    {\n      switch (a)\n      {\n        default:\n          break;\n      }\n    }\n"), ""),
        (case("AB"), case("PAD", "")),  # runs into the default
        (case("PAD", "      // what it does {\n      break;\n"), "    // of the last one\n" + case("ZED")),
    ],
)
def test_cases(before: str, after: str) -> None:
    text = SWITCH.format(cases=before + after)
    result = anchors.insert(text, CASE, "PAD_A", case("PAD_A"))
    if "PAD_V2" in before:
        assert result == SWITCH.format(cases=case("PAD_A") + before + after)
    else:
        assert result == SWITCH.format(cases=before + case("PAD_A") + after)
    assert anchors.remove(result, CASE, "PAD_A") == text
    with pytest.raises(Taken):
        anchors.insert(text, CASE, "PAD", case("PAD"))


def test_what_is_no_code() -> None:
    """Comments, strings, macros and other branches of `#if` are no entries and no braces."""
    row = ROWS["shape_validator_cc"]
    visit = "void ShapeValidator::visit(const ir::operation::{} &node)\n{{\n  x();\n}}\n"
    text = (
        "#define OPEN { \\\nvoid ShapeValidator::visit(const ir::operation::Macro &node) {\nnamespace onert::compiler\n{\n\n/*\n"
        + visit.format("Zed")
        + "*/\n#if A\nvoid f() {\n#else\n"
        "void f(int) {\n#endif\n}\n\n" + visit.format("Abs").replace("x()", 'g("}}", \'{\', R"(})")') + "\n"
        "#ifdef OLD\n" + visit.format("Mid") + "#endif\n\n} // namespace onert::compiler\n"
    )
    assert anchors.keys(text, row) == ("Abs", "Mid")
    result = anchors.insert(text, row, "Now", visit.format("Now"))
    assert result == text.replace('R"(})");\n}\n', 'R"(})");\n}\n\n' + visit.format("Now"))
    assert anchors.remove(result, row, "Now") == text
    with pytest.raises(Taken):
        anchors.insert(text, row, "Mid", visit.format("Mid"))


ONE_LINE = "void CircleLoader::loadCustom(int a)\n{\n  enum class BuiltinOP { A };\n}\n"
NO_SWITCH = "void BaseLoader<A>::loadOperation(int a)\n{\n  f(a);\n}\n"
NO_VISIT = "\nclass ShapeValidator\n{\n  int a;\n};\n"


@pytest.mark.parametrize(
    ("name", "text", "message", "place"),
    [
        ("operations_lst", "// OP(Abs)\n", "there is no line like 'OP(Name)'", (1, 1)),
        ("shape_validator_h", "class ShapeValidator;\n", "there is no 'class ShapeValidator' with a body", (1, 1)),
        ("shape_validator_h", NO_VISIT, "there is no line like 'void visit(const ... &) override;'", (4, 3)),
        ("base_loader_case", "void f();\n", "there is no 'BaseLoader<...>::loadOperation(' with a body", (1, 1)),
        ("base_loader_case", NO_SWITCH, "there is no 'switch (' with a body", (2, 1)),
        ("circle_custom_map", "", "there is no 'CircleLoader::loadCustom(' with a body", (1, 1)),
        (
            "circle_custom_enum",
            ONE_LINE,
            "'enum class BuiltinOP' stands on one line; one entry a line is expected",
            (3, 1),
        ),
    ],
)
def test_unexpected(name: str, text: str, message: str, place: tuple[int, int]) -> None:
    with pytest.raises(Unexpected) as failure:
        anchors.insert(text, ROWS[name], "Abs", "OP(Abs)\n")
    assert (failure.value.message, (failure.value.line, failure.value.column)) == (message, place)
