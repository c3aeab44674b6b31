"""What all tests share: compiled runners are cached inside the checkout; the environment does not leak in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
os.environ.setdefault("OPKG_CACHE_DIR", str(ROOT / "build" / "cache"))
os.environ.pop("XDG_CACHE_HOME", None)
for name in ("OPKG_DEBUG", "FORCE_COLOR"):
    os.environ.pop(name, None)

# Compilers and other tests run beside these: how long an example takes says nothing.
settings.register_profile("opkg", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("opkg")

# Whose host libraries may be built with -O1, for a third less time. The examples and `make demo` have what users have, -O2.
LESS_OPTIMIZED = ("kernels", "verify", "sim_qhpi", "sim_classic", "hexagon", "rules", "classic_target", "qhpi_target")


@pytest.fixture(autouse=True, scope="module")
def less_optimized(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if request.path.parent.name in LESS_OPTIMIZED:
            patch.setenv("CXXFLAGS", "-O1")
        yield
