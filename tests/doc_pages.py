"""Pages of docs whose runs a script renews: what it would write now."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "doc_runs.py"


def renewed(page: str) -> str:
    """The page with what its commands print now, as `python scripts/doc_runs.py --write PAGE` writes it."""
    place = importlib.util.spec_from_file_location("doc_runs", SCRIPT)
    assert place is not None
    assert place.loader is not None
    doc_runs = importlib.util.module_from_spec(place)
    place.loader.exec_module(doc_runs)
    return str(doc_runs.renewed(page))
