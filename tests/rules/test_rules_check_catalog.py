"""Every entry of the checker's catalog: the wrong example has that finding and no other, the right one has none."""

import pytest
from rules_check_kit import checked, own

from opkg.rules.elaborate.catalog import ENTRIES
from opkg.rules.syntax import Front


def ids(example: str) -> set[str]:
    parts = dict(line.split(": ", 1) for line in example.split("\n"))
    return {finding.id for finding in own(checked(Front.YAML, **parts))}


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.wrong], ids=lambda entry: entry.id)
def test_examples_have_what_they_show(entry):
    assert ids(entry.wrong) == {entry.id}
    assert ids(entry.right) == set()


def test_ids_are_all_there():
    assert [entry.id for entry in ENTRIES] == [f"OPK{number}" for number in range(520, 545)]
