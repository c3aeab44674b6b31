"""The Python trees of released wheels take a package, before their own builders, and are given back byte for byte."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from intree_lib import intree, tree

ROOT = Path(__file__).parents[2]
QUALCOMM = "executorch/backends/qualcomm/"

pytestmark = pytest.mark.sweep


def unpacked(version: str, folder: Path) -> Path:
    """`folder/executorch` with the Qualcomm backend of a wheel."""
    download = ["download", "-q", "--no-deps", "--only-binary=:all:", "-d", str(folder), f"executorch=={version}"]
    subprocess.run([sys.executable, "-m", "pip", *download], check=True, capture_output=True, timeout=300)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(
            folder, [name for name in file.namelist() if name.startswith(QUALCOMM) and name.endswith(".py")]
        )
    wheel.unlink()
    return folder / "executorch"


@pytest.mark.parametrize("version", ["1.2.0", "1.3.1", "1.4.0", "1.5.0", "1.5.1"])
def test_trees_of_wheels(version: str, tmp_path: Path) -> None:
    there = unpacked(version, tmp_path / "tree")
    for example, words in (("activations", ()), ("rewrites", ()), ("qnn", ("--existing", "replace"))):
        own = tmp_path / example
        shutil.copytree(ROOT / "examples" / example, own, ignore=shutil.ignore_patterns("build", "generated"))
        before = tree(there)
        result = intree(own, there, *words)
        assert result.return_value == 0, result.output
        after = tree(there)
        assert len(after) > len(before) + 10
        fuses = any(name.endswith("/installed.py") for name in after)
        assert fuses == (example == "rewrites" and version >= "1.4")
        for name, data in after.items():
            if data != before.get(name):
                ast.parse(data.decode(), name)
        assert intree(own, there, "--check").return_value == 0
        assert intree(own, there, "--remove").return_value == 0
        assert tree(there) == before
