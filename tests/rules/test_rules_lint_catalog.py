"""Every entry of the lints' catalog: the wrong example has that finding and no other, the right one has none."""

from __future__ import annotations

import pytest

from opkg.rules.check import check
from opkg.rules.context import Context
from opkg.rules.lint.catalog import ENTRIES
from opkg.rules.text.cpp import parse_cpp
from opkg.spec.catalog import Entry, entry

PARTS = {"pass": "EARLY", "flags": "0", "match": 'Op("A", "X")', "when": "OK", "replace": 'Op("C", "X")'}
KNOWN = frozenset(("p::A", "p::B", "p::C"))


def ids(example: str) -> set[str]:
    source = example
    if not example.startswith("DEF_"):
        parts = {**PARTS, **dict(line.split(": ", 1) for line in example.split("\n"))}
        source = f"DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS({', '.join(parts[part] for part in PARTS)})"
    document, findings = parse_cpp(source + "\n", "f.cpp")
    return {finding.id for finding in (*findings, *check(document, Context("p", "", KNOWN)).findings)}


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.wrong], ids=lambda entry: entry.id)
def test_examples_have_what_they_show(entry: Entry) -> None:
    assert ids(entry.wrong) == {entry.id}
    assert ids(entry.right) == set()


def test_ids_are_all_there() -> None:
    assert [entry.id for entry in ENTRIES] == [f"OPK{number}" for number in range(545, 570)]


def test_explain_knows_them() -> None:
    assert entry("opk562") == next(found for found in ENTRIES if found.id == "OPK562")
