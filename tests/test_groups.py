"""Tests of a group share builds: they run in one worker, or the same things are built twice."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("groups")
def test_a_group_is_part_of_the_name(request: pytest.FixtureRequest) -> None:
    """pytest-xdist schedules by it; some versions of pytest do not let it write there (9.2 with 3.8)."""
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith("@groups")
