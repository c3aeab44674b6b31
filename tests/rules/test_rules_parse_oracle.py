"""Every snippet of the oracle, in its place: read and printed back, or a finding that says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.rules.syntax import Declaration
from opkg.rules.text.parse_rule import parse_macro_call
from opkg.rules.text.printer import declaration_text, rule_text
from opkg.spec.source_text import SourceText

ORACLE = Path(__file__).parent / "data" / "rule-oracle.tsv"
FRAMES = {
    "pass": 'DEF_PACKAGE_OPTIMIZATION({}, Op("A","X"), OK, Op("B","X"))',
    "flags": 'DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, {}, Op("A","X"), OK, Op("B","X"))',
    "match": 'DEF_PACKAGE_OPTIMIZATION(EARLY, {}, OK, Op("B","X"))',
    "cst": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X","Y"), {}, Op("B","X","Y"))',
    "repl": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X","Y"), OK, {})',
    "props": "DEF_TENSOR_PROPERTIES({})",
    "op": "{}",
}
NOT_CODE = ("std::string opname", "variable operand tag")
# What a parser alone has to say; all else is the checker's.
FINDINGS = {'EQ(DIM_OF("X",0),010)': "OPK504"}
TOP = {
    "DEF_OPT": 'DEF_OPT(EARLY, Op("A","X"), OK, Op("B","X"))',
    "DEF_AUTOSPLIT": 'DEF_AUTOSPLIT(EARLY, Op("A","X"), OK, 3, "I", 32, Op("B",TYPICAL_SLICE("X","I")))',
    "DEF_AUTOSPLIT_TYPICAL": 'DEF_AUTOSPLIT_TYPICAL(EARLY, "A", 1, 3, 32)',
    "DEF_AUTOSPLIT_ORDERED": 'DEF_AUTOSPLIT_ORDERED(EARLY, Op("A","X"), OK, 3, "I", 32, Op("B",TYPICAL_SLICE("X","I")))',
}


def _rows() -> list[tuple[str, str]]:
    lines = ORACLE.read_text("utf-8").splitlines()[1:]
    rows = [(category, snippet) for category, snippet, *_ in (line.split("\t") for line in lines)]
    assert len(rows) > 150
    framed = [(FRAMES[category].format(snippet), snippet) for category, snippet in rows if category in FRAMES]
    return framed + [(TOP[snippet], snippet) for category, snippet in rows if category == "top" and snippet in TOP]


@pytest.mark.parametrize(("text", "snippet"), _rows())
def test_snippets_are_read(text: str, snippet: str) -> None:
    item, findings = parse_macro_call(SourceText("f", text), "rule")
    if snippet in NOT_CODE:
        assert [d.id for d in findings] == ["OPK500"]
        return
    assert [d.id for d in findings] == ([FINDINGS[snippet]] if snippet in FINDINGS else [])
    assert item is not None
    printed = declaration_text(item, 60) if isinstance(item, Declaration) else rule_text(item, 60)
    again, _ = parse_macro_call(SourceText("f", printed), "rule")
    if text.startswith(("DEF_AUTOSPLIT", "DEF_OPT")):
        assert again is not None
    else:
        assert again == item
