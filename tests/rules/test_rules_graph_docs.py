"""The examples of docs/rules-graphs.md are true."""

from __future__ import annotations

import re
from pathlib import Path

from rules_sim_kit import rule

from opkg.rules.sim import Settings, apply_once, read_json, read_text, write_text

PAGE = (Path(__file__).parents[2] / "docs" / "rules-graphs.md").read_text("utf-8")


def block(begin: str) -> str:
    """The indented block of the page that begins with a text."""
    at = PAGE.index(f"\n\n    {begin}") + 2
    lines = []
    for line in PAGE[at:].split("\n"):
        if line and not line.startswith("    "):
            break
        lines.append(line[4:])
    return "\n".join(lines).rstrip() + "\n"


def test_the_text_example() -> None:
    graph, findings = read_text(block("# A quantized"))
    assert findings == ()
    assert graph is not None
    assert [name for name, _ in graph.outputs] == ["low", "result"]
    again, findings = read_text(write_text(graph))
    assert findings == ()
    assert again == graph


def test_the_json_example() -> None:
    graph, findings = read_json(block('{"format"'))
    assert findings == ()
    assert graph is not None
    assert sorted(graph.nodes) == [0, 3, 5]


def test_the_function() -> None:
    space: dict[str, object] = {}
    exec(block("def halved"), space)
    made = rule('EARLY, Op("q::Relu", "X"), OK, WITH_SIZE(SHAPEFN_APPLY(halved, "X"), Op("q::N", "X"))')
    graph, _ = read_text(block("# A quantized"))
    assert graph is not None
    root = graph.find("r")
    assert root is not None
    after = apply_once(graph, made, root.id, Settings(externals={"halved": space["halved"]}))  # type: ignore[dict-item]
    assert after is not None
    assert "QUInt8[1,8,8,32] zero 0 step 0.05 = q::N(c)" in write_text(after)


def test_every_imported_name_exists() -> None:
    import opkg.rules.sim as sim

    (line,) = re.findall(r"from opkg\.rules\.sim import (.*)", PAGE)
    assert all(hasattr(sim, name.strip()) for name in line.split(","))
