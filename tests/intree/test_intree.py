"""`opkg executorch intree` on a small checkout: twice is once, --remove restores, edits and conflicts stop it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from intree_lib import QUALCOMM, checkout, intree, project, tree

from opkg.spec.diagnostics import OpkgError

RULES = f"{QUALCOMM}/quantizer/annotators/htp_rules.py"
NO_KIND = (
    '{"format": 1, "checkouts": {"a": {"b": {"files": {}, "entries": '
    '[{"path": "a", "place": ["rows", "", "", ""], "key": "k", "text": "t"}]}}}}'
)
CONSTANTS = f"{QUALCOMM}/builders/qnn_constants.py"
EVERYTHING = Path(__file__).parents[1] / "executorch/specs/everything.yaml"
BUILDER = f"{QUALCOMM}/builders/op_acme_nn_scale.py"


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A checkout and a project."""
    return checkout(tmp_path / "executorch"), project(tmp_path / "project", torch="aten.softplus.default")


def done(where: Path, *words: str | Path) -> str:
    result = intree(where, *words)
    assert result.return_value == 0, (result.output, result.exception)
    return result.output


def refused(where: Path, *words: str | Path) -> str:
    result = intree(where, *words)
    assert result.return_value == 1, (result.output, result.exception)
    return result.output


def test_every_list(places: tuple[Path, Path]) -> None:
    root, own = places
    done(own, root)
    after = {name: data.decode() for name, data in tree(root).items()}
    init = after[f"{QUALCOMM}/builders/__init__.py"]
    assert init == (
        "from . import (\n    op_acme_nn_scale,\n    op_elu,\n    op_topk,\n)\n\n"
        "__all__ = [\n    op_acme_nn_scale,\n    op_elu,\n    op_topk,\n]\n"
    )
    assert after[CONSTANTS].index("class OpAcmeNnScale:") < after[CONSTANTS].index("class OpElu:")
    assert 'param_alpha: str = "alpha"\n\n\n@dataclass' in after[CONSTANTS]
    assert (
        "        torch.ops.aten.elu.default,\n        torch.ops.aten.softplus.default,  # opkg: acme.nn\n"
        "        torch.ops.torchao" in (after[f"{QUALCOMM}/partition/utils.py"])
    )
    assert (
        "        return False\n    if not acme_nn_package.allows(node):\n        return False\n    return True\n"
        in (after[f"{QUALCOMM}/partition/utils.py"])
    )
    layout = after[f"{QUALCOMM}/_passes/layout_transform.py"]
    assert (
        "edge.aten.softplus.default,  # opkg: acme.nn\n        exir_ops.edge.aten.topk.default,\n        _operator"
        in layout
    )
    assert "edge.acme_nn.scale.default,\n        exir_ops.edge.aten.abs" in layout
    assert '"*.py",\n            "acme_nn_package/*.py",\n' in after[f"{QUALCOMM}/builders/targets.bzl"]
    rules = after[RULES]
    assert (
        "from executorch.backends.qualcomm.builders import acme_nn_package\nfrom executorch.backends.qualcomm.q"
        in rules
    )
    assert "class AcmeNnScale(GeneralOpDef):" in rules
    assert "acme_nn_package.annotate(node, quantization_config)" in rules
    builder = after[BUILDER]
    assert "@register_node_visitor\nclass ScaleVisitor(PackageVisitor):" in builder
    assert "from .qnn_constants import OpAcmeNnScale as OpScale\n" in builder
    for name, text in after.items():
        assert "import opkg" not in text
        assert not name.endswith(".py") or compile(text, name, "exec")


def test_twice_is_once_and_remove_restores(places: tuple[Path, Path]) -> None:
    root, own = places
    before = tree(root)
    stale = refused(own, root, "--check")
    assert stale.count("is out of date [OPK364]") == 6
    assert f"{BUILDER}: error: the checkout is not what the specs say: is missing [OPK364]" in stale
    assert "+    op_acme_nn_scale," in done(own, root, "--diff")
    assert tree(root) == before
    done(own, root)
    after, record = tree(root), (own / "intree.json").read_bytes()
    assert json.loads(record)["checkouts"].keys() == {"../executorch"}
    times = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    done(own, root)
    done(own, root, "--check")
    assert (tree(root), (own / "intree.json").read_bytes()) == (after, record)
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == times
    (root / QUALCOMM / "builders/acme_nn_package/__pycache__").mkdir()
    done(own, root, "--remove")
    assert tree(root) == before
    assert not (root / QUALCOMM / "builders/acme_nn_package").exists()
    assert not (own / "intree.json").exists()
    done(own, root, "--remove")


def test_two_packages_in_either_order(tmp_path: Path) -> None:
    """Projects of two owners; each takes out its own and leaves the other's."""
    one, two = project(tmp_path / "one"), project(tmp_path / "two", "zoo.nn", "Hush")
    trees = []
    for order in ((one, two), (two, one)):
        root = checkout(tmp_path / f"first_{order[0].name}")
        for own in order:
            done(own, root)
        trees.append(tree(root))
        done(order[0], root, "--remove")
        done(order[1], root, "--remove")
        assert tree(root) == tree(checkout(tmp_path / "fresh"))
    assert trees[0] == trees[1]


def test_a_spec_that_changes(places: tuple[Path, Path]) -> None:
    """What a spec does not ask for any more goes away; what was deleted by hand comes back."""
    root, own = places
    before = tree(root)
    done(own, root)
    (root / BUILDER).unlink()
    project(own, op="Grow")
    assert f"{BUILDER}" not in refused(own, root, "--check")
    done(own, root)
    assert not (root / BUILDER).exists()
    assert (root / f"{QUALCOMM}/builders/op_acme_nn_grow.py").exists()
    assert b"aten.softplus.default" not in b"".join(tree(root).values())
    done(own, root, "specs/acme.nn.yaml", "--remove")
    assert tree(root) == before


def test_edits_are_never_lost(places: tuple[Path, Path]) -> None:
    root, own = places
    done(own, root)
    (root / CONSTANTS).write_text(
        (root / CONSTANTS).read_text().replace('op_name: str = "Scale"', 'op_name: str = "Mine"')
    )
    with (root / BUILDER).open("a") as file:
        file.write("# mine\n")
    (root / RULES).write_text("x = 1\n" + (root / RULES).read_text())  # not ours: stays
    edited = tree(root)
    for words in ((), ("--remove",), ("--check",)):
        output = refused(own, root, *words)
        assert f"{CONSTANTS}:4:1: error: the entry 'OpAcmeNnScale' that opkg put in here was edited [OPK363]" in output
        assert f"{BUILDER}: error: the file that opkg put in here was edited [OPK363]" in output
        assert tree(root) == edited


@pytest.mark.parametrize(
    ("name", "op", "torch", "words"),
    [
        ("qti.aisw", "TopK", "", f"{CONSTANTS}:11:1: error: there is 'OpTopK' here already, and opkg did not put it in [OPK360]"),
        ("qti.aisw", "Elu", "", f"{QUALCOMM}/builders/op_elu.py: error: there is a file of this name here already"),
        ("qti.aisw", "Elu", "", f"{RULES}:7:1: error: there is 'Elu' here already"),
        ("a.b", "Elu", "aten.elu.default", "builders/op_elu.py:3:1: error: 'aten.elu.default' has a builder here already"),
        ("a.b", "Elu", "aten.mish.default", f"{RULES}:12:1: error: 'aten.mish.default' has a quantizer rule here already"),
    ],
)  # fmt: skip
def test_conflicts(tmp_path: Path, name: str, op: str, torch: str, words: str) -> None:
    root, own = checkout(tmp_path / "executorch"), project(tmp_path / "project", name, op, torch)
    before = tree(root)
    assert words in refused(own, root)
    assert tree(root) == before
    assert not (own / "intree.json").exists()


def test_an_upstream_class_that_will_do(tmp_path: Path) -> None:
    """QNN's own op with params that upstream's constants have: the class is used, and not taken out."""
    root, own = checkout(tmp_path / "executorch"), project(tmp_path / "project", "qti.aisw", "Elu")
    (root / f"{QUALCOMM}/builders/op_elu.py").unlink()
    rules = root / RULES
    rules.write_text(rules.read_text().replace("class Elu", "class Other"))
    (root / QUALCOMM / "builders/README.md").write_text(
        "| Operators | HTP - 1/2 Enabled |\n|---|---|\n| Elu | &cross; |\n"
    )
    before = tree(root)
    init = root / f"{QUALCOMM}/builders/__init__.py"
    done(own, root)
    assert tree(root)[CONSTANTS] == before[CONSTANTS]
    assert init.read_bytes() == before[f"{QUALCOMM}/builders/__init__.py"]
    assert (
        b"HTP - 2/2 Enabled |\n|---|---|\n| Elu | &check; <!-- opkg: qti.aisw --> |\n"
        in tree(root)[f"{QUALCOMM}/builders/README.md"]
    )
    done(own, root, "--remove")
    assert tree(root)[f"{QUALCOMM}/builders/README.md"] == before[f"{QUALCOMM}/builders/README.md"]
    assert tree(root)[CONSTANTS] == before[CONSTANTS]


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        (RULES, None, "error: is missing: the checkout is not as expected [OPK361]"),
        (RULES, "x = (\n", "htp_rules.py: error: does not look as expected: is not Python: '(' was never closed [OPK361]"),
        (f"{QUALCOMM}/partition/utils.py", "def get_skip_decomp_table():\n    return []\n",
         "there is no 'get_skip_decomp_table.do_not_decompose' [OPK361]"),
        (f"{QUALCOMM}/builders/__init__.py", "from . import op_elu, op_topk\n__all__ = []\n",
         "__init__.py: error: does not look as expected: the list stands on one line; one entry a line is expected [OPK361]"),
    ],
)  # fmt: skip
def test_another_checkout(places: tuple[Path, Path], path: str, text: str | None, words: str) -> None:
    root, own = places
    (root / path).unlink() if text is None else (root / path).write_text(text)
    before = tree(root)
    assert words in refused(own, root)
    assert tree(root) == before


def test_no_checkout_no_target_bad_record(places: tuple[Path, Path], tmp_path: Path) -> None:
    root, own = places
    assert "is no source tree of ExecuTorch" in refused(own, tmp_path)
    for text in (
        "{",
        '{"format": 2}',
        '{"format": 1, "checkouts": {"a": {"b": {"files": {"../x": ""}, "entries": []}}}}',
    ):
        (own / "intree.json").write_text(text)
        with pytest.raises(OpkgError, match="the record of checkouts cannot be read"):
            raise intree(own, root).exception or AssertionError
    other = project(tmp_path / "other")
    spec = other / "specs/acme.nn.yaml"
    spec.write_text(spec.read_text().replace("executorch-builder", "qnn-htp-qhpi"))
    assert "no spec here has the target executorch-builder [OPK307]" in refused(other, root)


def test_line_ends_stay(places: tuple[Path, Path]) -> None:
    """A checkout with CRLF: inserted lines have it too."""
    root, own = places
    for path in (root / QUALCOMM).rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = tree(root)
    done(own, root)
    assert b"\n" not in (root / CONSTANTS).read_bytes().replace(b"\r\n", b"")
    done(own, root)
    done(own, root, "--remove")
    assert tree(root) == before


def test_ruff_of_the_builders(tmp_path: Path) -> None:
    """All kinds of arguments, and names that are too long for a line."""
    root, own = (
        checkout(tmp_path / "executorch"),
        project(tmp_path / "project", "acme." + "_".join(["very_long_name"] * 4), "Scale" * 5),
    )
    shutil.copy(EVERYTHING, own / "specs")
    done(own, root)
    folder = root / QUALCOMM / "builders"
    ours = [str(p) for pattern in ("op_test_*", "op_acme_*", "test_*_package") for p in folder.glob(pattern)]
    assert len(ours) > 5
    ruff = [str(Path(sys.executable).parent / "ruff")]
    options = ["--isolated", "--no-cache", "--line-length", "100"]
    select = ["--select", "E4,E7,E9,F,I,B,UP,SIM,C4", "--ignore", "SIM300"]
    for words in (["check", *options, *select], ["format", *options, "--diff"]):
        run = subprocess.run([*ruff, *words, *ours], cwd=folder, capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr
