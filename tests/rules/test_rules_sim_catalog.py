"""The catalog's examples of what runs show: the wrong one gives its id, the right one nothing."""

from __future__ import annotations

import pytest
from rules_sim_kit import run

from opkg.rules.sim import apply, read_text
from opkg.rules.sim.catalog import ENTRIES
from opkg.spec.catalog import Entry

TEXT = "input x: Float32[0,8,8,4]\ny: Float32[0,8,8,4] = p::Relu(x)\noutput y\n"
OF_RULES = [entry for entry in ENTRIES if entry.wrong.startswith(("match:", "when:"))]


def source(example: str) -> str:
    """A rule of an example's fields; those that are not there match a Relu and replace it by Clip."""
    fields = dict(line.split(": ", 1) for line in example.split("\n"))
    match, replace = fields.get("match", 'Op("Relu", "X")'), fields.get("replace", 'Op("Clip", "X")')
    return f"EARLY, {match}, {fields.get('when', 'OK')}, {replace}"


def test_there_are_examples() -> None:
    assert [entry.id for entry in OF_RULES] == ["OPK587", "OPK588", "OPK589"]


@pytest.mark.parametrize("entry", OF_RULES, ids=lambda entry: entry.id)
def test_examples_of_rules(entry: Entry) -> None:
    assert [finding.id for finding in run(TEXT, source(entry.wrong)).findings] == [entry.id]
    assert run(TEXT, source(entry.right)).findings == ()


def test_the_example_of_a_graph() -> None:
    (entry,) = [entry for entry in ENTRIES if entry.id == "OPK592"]
    for text, ids in ((entry.wrong, ["OPK592"]), (entry.right, [])):
        graph, _ = read_text(text)
        assert graph is not None
        assert [finding.id for finding in apply(graph, ()).findings] == ids
