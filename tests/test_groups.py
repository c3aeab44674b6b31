"""How the tests are arranged: those of a group, which share builds, run in one worker; each file has a name of its own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@pytest.mark.xdist_group("groups")
def test_a_group_is_part_of_the_name(request: pytest.FixtureRequest) -> None:
    """pytest-xdist schedules by it; some versions of pytest do not let it write there (9.2 with 3.8)."""
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith("@groups")


def test_every_file_has_a_name_of_its_own() -> None:
    """Folders without an __init__.py are no packages: of two files of one name pytest collects the first."""
    files = [path for path in Path(__file__).parent.rglob("test_*.py") if not (path.parent / "__init__.py").exists()]
    assert len(files) > 100
    assert [name for name, count in Counter(path.name for path in files).items() if count > 1] == []


def test_those_that_take_turns_exist() -> None:
    """`turns.txt`: a file, whose tests share what takes long, or one of its functions, maybe with parameters."""
    lines = (TESTS / "turns.txt").read_text("utf-8").split()
    assert lines == sorted(set(lines))
    for line in lines:
        place, _, function = line.partition("[")[0].partition("::")
        text = (TESTS.parent / place).read_text("utf-8")
        assert not function or f"def {function}(" in text, line
