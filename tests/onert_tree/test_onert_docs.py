"""The runs that docs/onert.md shows under "Into the tree" and "Audit" are what opkg prints, on the small tree.

`PYTHONPATH=. python tests/onert_tree/test_onert_docs.py` puts the output in.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml
from onert_mini import mini

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/onert.md"
_BLOCK = re.compile(r"^```\n(\$ opkg onert .*?)^```$", re.M | re.S)


def renewed(page: str, folder: Path) -> str:
    """The page with what its commands print in a project beside a fresh tree."""
    mini(folder / "ONE")
    specs = folder / "project/specs"
    specs.mkdir(parents=True)
    spec = yaml.safe_load(next((ROOT / "examples/onert/specs").glob("*.yaml")).read_text())
    spec["ops"] = {"ScaledAdd": spec["ops"]["ScaledAdd"]}
    (specs / "scale.yaml").write_text(yaml.safe_dump(spec, sort_keys=False))
    return _BLOCK.sub(lambda block: f"```\n{_run(block[1], folder / 'project')}```", page)


def _run(block: str, folder: Path) -> str:
    shown = ""
    for line in block.splitlines():
        if line.startswith("$ "):
            words = line.split()[2:]
            environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
            command = [sys.executable, "-m", "opkg", *words]
            run = subprocess.run(
                command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            shown += f"{line}\n{_shortened(run.stdout)}"
    return shown


def _shortened(output: str) -> str:
    """At most 12 lines of an output: its first ones and its last two."""
    lines = output.splitlines(keepends=True)
    return "".join([*lines[:9], "...\n", *lines[-2:]] if len(lines) > 12 else lines)


def test_runs(tmp_path: Path) -> None:
    page = PAGE.read_text()
    assert len(_BLOCK.findall(page)) == 2
    assert _counted(renewed(page, tmp_path)) == _counted(page)


def _counted(page: str) -> str:
    """Without how many files it was: that is the target's to say."""
    return re.sub(r"\d+ files?", "N files", page)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        PAGE.write_text(renewed(PAGE.read_text(), Path(temporary)))
