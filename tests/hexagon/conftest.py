"""What these tests say of compilers' messages, places and objects is of the compiler itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def no_cache_of_objects() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CCACHE_DISABLE", "1")
        yield
