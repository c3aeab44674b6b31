"""`pattern:` in a checkout: what installs the fusions, where it stands, and out again with or without the record."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from intree_lib import QUALCOMM, checkout, intree, project, tree

STATEMENT = "from executorch.backends.qualcomm.builders.acme_nn_package import installed  # noqa: F401"


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    own, there = project(tmp_path / "project"), checkout(tmp_path / "tree")
    spec = own / "specs/acme.nn.yaml"
    spec.write_text(spec.read_text() + "    pattern: x * alpha\n")
    return own, there


def test_in_and_out(places: tuple[Path, Path]) -> None:
    """Two functions begin with the import; the second run changes nothing; every byte comes back."""
    own, there = places
    before = tree(there)
    assert intree(own, there).return_value == 0
    after = tree(there)
    manager = after[f"{QUALCOMM}/_passes/qnn_pass_manager.py"].decode()
    assert manager.splitlines()[1:] == ['    """The class."""', f"    {STATEMENT}", "    return QnnPassManager"]
    quantizer = after[f"{QUALCOMM}/quantizer/quantizer.py"].decode()
    assert quantizer.splitlines()[2:4] == [f"        {STATEMENT}", "        from a import b"]
    support = {Path(name).name for name in after if "/acme_nn_package/" in name}
    assert {"fusion.py", "fusing.py", "reading.py", "pipeline.py", "installed.py", "hooks.py"} <= support
    for name, data in after.items():
        if name.endswith(".py"):
            ast.parse(data.decode(), name)
    assert intree(own, there).return_value == 0
    assert tree(there) == after
    assert intree(own, there, "--remove").return_value == 0
    assert tree(there) == before


@pytest.mark.parametrize("without", [False, True])
def test_leftovers(places: tuple[Path, Path], without: bool) -> None:
    """A pattern that is gone from the spec, with the record and without it."""
    own, there = places
    before = tree(there)
    assert intree(own, there).return_value == 0
    spec = own / "specs/acme.nn.yaml"
    spec.write_text(spec.read_text().replace("    pattern: x * alpha\n", ""))
    if without:
        (own / "intree.json").unlink()
    assert intree(own, there, "--check").return_value == 1
    assert intree(own, there).return_value == 0
    after = tree(there)
    for name in ("_passes/qnn_pass_manager.py", "quantizer/quantizer.py"):
        assert after[f"{QUALCOMM}/{name}"] == before[f"{QUALCOMM}/{name}"]
    assert not [name for name in after if name.endswith(("/fusion.py", "/installed.py", "/hooks.py"))]
    assert intree(own, there, "--check").return_value == 0


def test_an_edited_line_stops_the_run(places: tuple[Path, Path]) -> None:
    own, there = places
    assert intree(own, there).return_value == 0
    path = there / QUALCOMM / "_passes/qnn_pass_manager.py"
    path.write_text(path.read_text().replace("# noqa: F401", "# ours"))
    result = intree(own, there, "--remove")
    assert result.return_value == 1
    assert "qnn_pass_manager.py:3" in result.output
    assert "OPK363" in result.output


def test_before_the_pass_manager(places: tuple[Path, Path]) -> None:
    """A tree that has no such function: the op goes in without its fusion, with a warning."""
    own, there = places
    (there / QUALCOMM / "_passes/qnn_pass_manager.py").unlink()
    result = intree(own, there)
    assert result.return_value == 0
    assert "the fusion of Scale (pattern:) is not put into this checkout [OPK365]" in result.output
    assert not [name for name in tree(there) if name.endswith("/fusion.py")]
