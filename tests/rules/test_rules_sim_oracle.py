"""Every snippet of the oracle that the checker accepts runs on a graph: nothing but verdicts comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from rules_sim_kit import check_books, graph

from opkg.rules.check import Context, check
from opkg.rules.core import TypedRule
from opkg.rules.sim import Settings, apply, write_text
from opkg.rules.sim.run import Run
from opkg.rules.text.cpp import parse_cpp

ROWS = [
    row.split("\t") for row in (Path(__file__).parent / "data" / "rule-oracle.tsv").read_text("utf-8").splitlines()[1:]
]
PLACES = {
    "match": 'DEF_PACKAGE_OPTIMIZATION(EARLY, {}, OK, Op("N"))',
    "cst": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X","Y"), {}, Op("N","X","Y"))',
    "repl": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A","X","Y"), OK, {})',
}
# A and B of the package with the inputs that snippets want, a multi-output op, constants.
TEXT = """
input x: QUInt8[1,8,8,32] zero 3 step 0.5
input y: Float32[1,8,8,32]
const k: Float32[1,1,1,4] = [1, 2, 3, 4]
b: QUInt8[1,8,8,32] zero 3 step 0.5 = p::B(x)
a0: QUInt8[1,8,8,32] zero 3 step 0.5 = p::A()
a1: QUInt8[1,8,8,32] zero 3 step 0.5 = p::A(b)
a2: QUInt8[1,8,8,32] zero 3 step 0.5 = p::A(x, y)
a3: QUInt8[1,8,8,32] zero 3 step 0.5 = p::A(y, b)
a4: QUInt8[1,8,8,32] zero 3 step 0.5 = p::A(x, b)
a5: QUInt8[1,8,8,32] zero 3 step 0.5 = p::A(k)
a6: QUInt8[1,8,8,32] zero 3 step 0.5 = q::A(x)
a7: QUInt8[1,8,8,32] zero 3 step 0.5 = p::A.b(x)
a8: QUInt8[1,8,8,32] zero 3 step 0.5 = p::A(x, x)
"""


def _rule(category: str, snippet: str) -> TypedRule | None:
    document, _ = parse_cpp(PLACES[category].format(snippet), "oracle.cpp", "p")
    found = check(document, Context(package="p", sdk="2.43")).rules
    return found[0] if found else None


def _runs(category: str) -> list[tuple[str, Run]]:
    found = []
    for snippet in [row[1] for row in ROWS if row[0] == category]:
        rule = _rule(category, snippet)
        if rule is not None:
            run = apply(graph(TEXT), [rule], Settings(verbose=True, attempts=True, max_growth=1, max_lineage=30))
            check_books(run.graph)
            assert write_text(run.at(len(run.steps))) == write_text(run.graph), snippet
            found.append((snippet, run))
    return found


@pytest.mark.parametrize("category", list(PLACES))
def test_all_that_is_accepted_runs(category: str) -> None:
    runs = _runs(category)
    assert len(runs) >= {"match": 8, "cst": 20, "repl": 20}[category]
    fired = [snippet for snippet, run in runs if sum(run.counts.values())]
    assert len(fired) >= len(runs) * {"match": 0.6, "cst": 0.2, "repl": 0.6}[category]
