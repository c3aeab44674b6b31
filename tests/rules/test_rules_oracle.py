"""Agreement with the real C++ templates: every row of rule-oracle.tsv, or the reason why opkg says something else on purpose."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from opkg.rules.check import check
from opkg.rules.context import Context
from opkg.rules.text.cpp import parse_cpp
from opkg.spec.diagnostics import Diagnostic

FILE = Path(__file__).parent / "data" / "rule-oracle.tsv"
SDKS = ("2.25", "2.43")
FRAMES = {
    "pass": 'DEF_PACKAGE_OPTIMIZATION({}, Op("A","X"), OK, Op("B","X"))',
    "flags": 'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, {}, Op("A","X"), OK, Op("B","X"))',
    "match": 'DEF_PACKAGE_OPTIMIZATION(EARLY, {}, OK, Op("B","X"))',
    "cst": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X","Y"), {}, Op("B","X","Y"))',
    "repl": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X","Y"), OK, {})',
    "props": "DEF_TENSOR_PROPERTIES({})",
    "op": "{}",
    "top": "{}",
}
DESCRIBED = {  # rows that say what was compiled instead of giving it
    "std::string opname": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op(std::string("A"),"X"), OK, Op("B","X"))',
    "variable operand tag": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A",my_tag), OK, Op("B","X"))',
    "followed by (": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X"), OK, Op("B","X"))(1);',
    "DEF_OPT": 'DEF_OPT(EARLY, Op("A","X"), OK, Op("B","X"))',
    "DEF_AUTOSPLIT": 'DEF_AUTOSPLIT(EARLY, Op("A","X"), OK, 3, "I", 32, Op("B",TYPICAL_SLICE("X","I")))',
    "DEF_AUTOSPLIT_TYPICAL": 'DEF_AUTOSPLIT_TYPICAL(EARLY, "A", 1, 3, 32)',
    "undefined operand tag (compile time)": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X"), OK, Op("B","Z"))',
    "DEF_AUTOSPLIT_ORDERED": 'DEF_AUTOSPLIT_ORDERED(EARLY, Op("A","X"), OK, 3, "I", 32, Op("B",TYPICAL_SLICE("X","I")))',
}
UNKNOWN_TAG = "C++ looks tags up when the rule is tried, and throws then"
STRONGER = {  # snippet -> (id of the error, why opkg rejects what C++ compiles)
    "-1": ("OPK546", "the priority wraps to 65535, the last pass of all"),
    'Op("A")': ("OPK525", f"the frame's replacement names X: {UNKNOWN_TAG}"),
    "variable operand tag": ("OPK522", "a tag that is no string cannot be followed; no public rule has one"),
    '"*"': ("OPK537", "the rule replaces the node by itself and changes nothing; the published text forbids it"),
    'Operand("*")': ("OPK537", "the same, written out"),
    'AUTOSPLIT(3,"I",32,Op("B",TYPICAL_SLICE("X","J")))': (
        "OPK529",
        "no split has the tag J: it fails when it is built",
    ),
    'gen_ConstScalar_i32(SPLIT_DIM("I"))': ("OPK529", "there is no split around it: it fails when it is built"),
    'Op("B", "X" "Y")': ("OPK525", f"adjacent strings are one, and there is no tag XY: {UNKNOWN_TAG}"),
    "undefined operand tag (compile time)": ("OPK525", UNKNOWN_TAG),
    'Flat("*")': ("OPK554", "no op is named, so the declaration applies to nothing"),
}


class Row(NamedTuple):
    category: str
    snippet: str
    verdicts: dict[str, str]


def rows() -> list[Row]:
    """The rows; the last column (the compiler's first error) is not used."""
    lines = FILE.read_text("utf-8").splitlines()[1:]
    split = [line.split("\t") for line in lines]
    return [Row(category, snippet, dict(zip(SDKS, rest, strict=False))) for category, snippet, *rest in split]


def findings(row: Row, sdk: str) -> list[Diagnostic]:
    source = DESCRIBED.get(row.snippet) or FRAMES[row.category].format(row.snippet)
    document, found = parse_cpp(source + "\n", "oracle.cpp")
    return [*found, *check(document, Context("my.pkg", sdk)).findings]


def test_the_file_is_whole() -> None:
    assert len(rows()) == 183
    assert {row.category for row in rows()} == FRAMES.keys()
    assert {verdict for row in rows() for verdict in row.verdicts.values()} == {"accept", "reject"}


def test_exceptions_are_rows() -> None:
    snippets = {row.snippet for row in rows()}
    assert STRONGER.keys() | DESCRIBED.keys() <= snippets


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.category}: {row.snippet}")
def test_row(row: Row, sdk: str) -> None:
    errors = [finding for finding in findings(row, sdk) if finding.is_error]
    verdict = row.verdicts[sdk]
    if row.snippet in STRONGER:
        id_, reason = STRONGER[row.snippet]
        assert verdict == "accept", f"no difference any more: {reason}"
        assert id_ in {finding.id for finding in errors}, f"no difference any more: {reason}"
        return
    assert ("reject" if errors else "accept") == verdict, [(finding.id, finding.message) for finding in errors]
