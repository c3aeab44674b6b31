"""The examples of OPK500 to OPK515 in `opkg explain`: the wrong one has the finding, the right one has none."""

from __future__ import annotations

import pytest

from opkg.rules.text.catalog_syntax import ENTRIES
from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.parse import parse_expression
from opkg.spec.catalog import Entry, entries
from opkg.spec.source_text import SourceText


def ids(example: str) -> set[str]:
    """Findings of a field of a rule, or of C++ source."""
    field, _, text = example.partition(": ")
    if field in ("match", "when", "pass", "replace"):
        return {d.id for d in parse_expression(SourceText("f", text))[1]}
    return {d.id for d in parse_cpp(text if field == "macro" else example, "f")[1]}


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.wrong], ids=lambda entry: entry.id)
def test_examples_have_and_have_not_the_finding(entry: Entry) -> None:
    assert entry.id in ids(entry.wrong)
    assert ids(entry.right) == set()


def test_all_ids_can_be_explained() -> None:
    known = entries()
    assert [entry.id for entry in ENTRIES] == [f"OPK{number}" for number in range(500, 516)]
    assert all(known[entry.id] == entry for entry in ENTRIES)
