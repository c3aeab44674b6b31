"""Headers of packages for programs of tests: some of them, with all that they include."""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[2] / "templates" / "qnn"


def copied(folder: Path, *names: str) -> Path:
    """The folder, where `#include "opkg/NAME"` is found now, as in a package, of each name and of what it includes."""
    to = folder / "opkg"
    to.mkdir(parents=True, exist_ok=True)
    left = list(names)
    while left:
        name = left.pop()
        if (to / name).exists():
            continue
        text = (TEMPLATES / name).read_text("utf-8")
        (to / name).write_text(text, "utf-8")
        left += [n for n in re.findall(r'^#include "opkg/(.*)"', text, re.MULTILINE) if (TEMPLATES / n).is_file()]
    return folder
