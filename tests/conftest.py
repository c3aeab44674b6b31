"""What all tests share: compiled runners and objects are cached inside the checkout; the environment does not leak in."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
os.environ.setdefault("OPKG_CACHE_DIR", str(ROOT / "build" / "cache"))
os.environ.pop("XDG_CACHE_HOME", None)
for name in ("OPKG_DEBUG", "FORCE_COLOR"):
    os.environ.pop(name, None)

# Many tests build the same package, each in a folder of its own: where ccache is, the same source is compiled once.
CCACHE = Path("/usr/lib/ccache")
if CCACHE.is_dir() and str(CCACHE) not in os.environ["PATH"].split(os.pathsep):
    os.environ["PATH"] = f"{CCACHE}{os.pathsep}{os.environ['PATH']}"
    os.environ.setdefault("CCACHE_DIR", str(ROOT / "build" / "ccache"))
    os.environ |= {"CCACHE_BASEDIR": tempfile.gettempdir(), "CCACHE_NOHASHDIR": "1", "CCACHE_ABSSTDERR": "1"}

# Compilers and other tests run beside these: how long an example takes says nothing.
settings.register_profile("opkg", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("opkg")

# Host libraries are built for a third less time; `make demo` has what users have, -O2.
os.environ["CXXFLAGS"] = "-O1"


TURNS = 5  # a commit runs one of so many long tests


def _commit() -> str:
    """What says whose turn it is: the commit, or nothing in particular outside of a checkout."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "none"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests take turns: a commit runs a fifth of `turns.txt`; all run with the sweeps, and where files are named."""
    if config.option.markexpr != "not sweep" or any(".py" in word for word in config.args):
        return
    listed = set((ROOT / "tests" / "turns.txt").read_text("utf-8").split())
    commit, left = _commit(), []
    for item in items:
        place = item.nodeid.partition("::")[0]
        function = f"{place}::{getattr(item, 'originalname', item.name)}"
        name = item.nodeid.partition("@")[0]
        key = place if place in listed else name if {name, function} & listed else ""
        if key and hashlib.sha256(f"{commit} {key}".encode()).digest()[0] % TURNS != 0:
            left.append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in set(left)]
