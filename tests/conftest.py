"""What all tests share: compiled runners are cached inside the checkout; the environment does not leak in."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
os.environ.setdefault("OPKG_CACHE_DIR", str(ROOT / "build" / "cache"))
os.environ.pop("XDG_CACHE_HOME", None)
for name in ("OPKG_DEBUG", "FORCE_COLOR"):
    os.environ.pop(name, None)
