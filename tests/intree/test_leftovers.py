"""What was put into a checkout goes out again when nobody remembers it: by marks of files and names of entries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from intree_lib import checkout, intree, project, tree

from opkg.spec.diagnostics import OpkgError

PARTITION = "backends/qualcomm/partition/utils.py"
README = "backends/qualcomm/builders/README.md"
INIT = "backends/qualcomm/builders/__init__.py"


@pytest.mark.parametrize("name", ["acme.nn", "qti.aisw", "topk"])
@pytest.mark.parametrize(
    ("torch", "words"), [("", ()), ("aten.softplus.default", ()), ("aten.elu.default", ("--existing", "replace"))]
)
def test_without_the_record(tmp_path: Path, name: str, torch: str, words: tuple[str, ...]) -> None:
    """The record is lost: --remove restores the checkout all the same, and upstream's own entries stay."""
    there, ours = checkout(tmp_path / "et"), project(tmp_path / "p", name, torch=torch)
    before = tree(there)
    assert intree(ours, there, *words).return_value == 0
    put_in = tree(there)
    assert put_in != before
    (ours / "intree.json").unlink()
    assert intree(ours, there, "--check").return_value == 0
    result = intree(ours, there, "--remove")
    assert result.return_value == 0, result.output
    assert tree(there) == before


def test_marks_tell_packages_apart(tmp_path: Path) -> None:
    """A torch op of another package, whose name begins with this one's, stays; one that upstream has has no mark."""
    there, ours = checkout(tmp_path / "et"), project(tmp_path / "a", "acme.nn", torch="aten.softplus.default")
    others = project(tmp_path / "b", "acme.nn2", torch="aten.mish.default")
    assert intree(others, there, "--existing", "replace").return_value == 0
    before = tree(there)
    assert b"torch.ops.aten.mish.default,  # opkg: acme.nn2\n" in before[PARTITION]
    assert intree(ours, there).return_value == 0
    assert b"torch.ops.aten.softplus.default,  # opkg: acme.nn\n" in tree(there)[PARTITION]
    assert b"torch.ops.aten.elu.default,\n" in tree(there)[PARTITION]
    (ours / "intree.json").unlink()
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before


def test_ticks_go_by_their_mark(tmp_path: Path) -> None:
    """Those of an op that has another name now, too; a tick without a mark is upstream's or somebody else's."""
    there, ours = checkout(tmp_path / "et"), project(tmp_path / "p", "qti.aisw")
    before = tree(there)
    assert b"| TopK | &check; |" in before[README]
    assert intree(ours, there).return_value == 0
    assert tree(there)[README] == before[README].replace(b"1/5 Enabled", b"2/5 Enabled").replace(
        b"| Scale | &cross; |", b"| Scale | &check; <!-- opkg: qti.aisw --> |"
    )
    (ours / "intree.json").unlink()
    project(ours, "qti.aisw", op="LayerNorm")
    result = intree(ours, there, "--check")
    assert result.return_value == 1
    assert "README.md" in result.output
    assert intree(ours, there).return_value == 0
    assert b"| LayerNorm | &check; <!-- opkg: qti.aisw --> |\n| Scale | &cross; |" in tree(there)[README]
    (ours / "intree.json").unlink()
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before


def test_a_tick_that_an_older_opkg_put_in(tmp_path: Path) -> None:
    """Without a mark, but remembered: it gets its mark, or goes out."""
    there, ours = checkout(tmp_path / "et"), project(tmp_path / "p", "qti.aisw")
    before = tree(there)
    assert intree(ours, there).return_value == 0
    after = tree(there)
    for path in (ours / "intree.json", there / README):
        text = path.read_text()
        assert text.count(" <!-- opkg: qti.aisw -->") == 1
        path.write_text(text.replace(" <!-- opkg: qti.aisw -->", ""))
    old = {path: path.read_bytes() for path in (ours / "intree.json", there / README)}
    assert intree(ours, there).return_value == 0
    assert tree(there) == after
    for path, data in old.items():
        path.write_bytes(data)
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before


def test_entries_that_a_rewritten_record_does_not_know(tmp_path: Path) -> None:
    there, ours = checkout(tmp_path / "et"), project(tmp_path / "p")
    before = tree(there)
    assert intree(ours, there).return_value == 0
    path = ours / "intree.json"
    record = json.loads(path.read_text())
    (packages,) = record["checkouts"].values()
    packages["acme.nn"]["entries"] = []
    path.write_text(json.dumps(record))
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before


def test_a_record_that_cannot_be_read_may_be_deleted(tmp_path: Path) -> None:
    """The finding says so, and then --remove gives the checkout back."""
    there, ours = checkout(tmp_path / "et"), project(tmp_path / "p")
    before = tree(there)
    assert intree(ours, there).return_value == 0
    put_in = tree(there)
    (ours / "intree.json").write_text('{"opkg": 1}')
    with pytest.raises(OpkgError) as refused:
        raise intree(ours, there, "--remove").exception or AssertionError
    assert "or delete it: opkg then looks in the checkout for what is its own" in refused.value.diagnostics[0].hint
    assert tree(there) == put_in
    (ours / "intree.json").unlink()
    assert intree(ours, there, "--remove").return_value == 0
    assert tree(there) == before


def test_check_finds_what_an_old_spec_left(tmp_path: Path) -> None:
    """The op has another name now and the record is lost: --check says so, the next run takes the old builder out."""
    there, ours = checkout(tmp_path / "et"), project(tmp_path / "p", op="Old")
    assert intree(ours, there).return_value == 0
    (ours / "intree.json").unlink()
    project(ours, op="New")
    result = intree(ours, there, "--check")
    assert result.return_value == 1
    assert "op_acme_nn_old.py" in result.output
    assert intree(ours, there).return_value == 0
    assert b"op_acme_nn_old" not in tree(there)[INIT]
    assert b"class OpAcmeNnOld" not in tree(there)["backends/qualcomm/builders/qnn_constants.py"]
    assert not (there / "backends/qualcomm/builders/op_acme_nn_old.py").exists()
    assert b"acme_nn.old." not in b"".join(tree(there).values())


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("name", ["acme.nn", "qti.aisw"])
def test_without_specs(tmp_path: Path, name: str, lost: bool) -> None:
    """The record says what is to be taken out, or marks do."""
    there, ours = (
        checkout(tmp_path / "et"),
        project(tmp_path / "p", name, torch="[aten.softplus.default, aten.elu.default]"),
    )
    spec = ours / f"specs/{name}.yaml"
    spec.write_text(spec.read_text() + "    pattern: x * alpha\n")
    before = tree(there)
    assert intree(ours, there, "--existing", "replace").return_value == 0
    spec.unlink()
    (ours / "specs").rmdir()
    if lost:
        (ours / "intree.json").unlink()
    with pytest.raises(OpkgError, match="no spec found"):
        raise intree(ours, there).exception or AssertionError
    result = intree(ours, there, "--remove")
    assert result.return_value == 0, result.output
    assert tree(there) == before


def test_entries_whose_marks_are_gone(tmp_path: Path) -> None:
    """They stay, as they may be the checkout's own, and --remove says so."""
    there, ours = checkout(tmp_path / "et"), project(tmp_path / "p", torch="aten.softplus.default")
    assert intree(ours, there).return_value == 0
    (ours / "intree.json").unlink()
    for path in (PARTITION, "backends/qualcomm/_passes/layout_transform.py"):
        (there / path).write_text((there / path).read_text().replace("  # opkg: acme.nn", ""))
    result = intree(ours, there, "--remove", "--diff")
    assert f"{PARTITION}:" in result.output
    assert (
        result.output.count(
            "stays: without the record and the mark '# opkg: acme.nn' it may be the checkout's own [OPK361]"
        )
        == 2
    )
    for words in (("--check",), ("--remove", "--check")):
        result = intree(ours, there, *words)
        assert result.return_value == 1
        assert f"{PARTITION}:17:1: error: 'torch.ops.aten.softplus.default' was left over: " in result.output, words
        assert result.output.count("acme.nn's [OPK364]\n") == 2, words
    assert intree(ours, there, "--remove").return_value == 0
    result = intree(ours, there, "--remove", "--check")  # nothing but the two lines is there
    assert (result.return_value, result.output.count("was left over")) == (1, 2)


def test_what_is_upstreams_is_not_left_over(tmp_path: Path) -> None:
    """Without a record and without marks: a builder or a rule of the checkout serves it, or its lists have it anyway."""
    ops = "[aten.elu.default, aten.mish.default, aten.leaky_relu.default]"
    there, ours = checkout(tmp_path / "et"), project(tmp_path / "p", torch=ops)
    listed = there / PARTITION
    more = "        torch.ops.aten.leaky_relu.default,\n        torch.ops.aten.mish.default,\n        torch.ops.torchao"
    listed.write_text(listed.read_text().replace("        torch.ops.torchao", more))
    assert intree(ours, there, "--remove", "--check").return_value == 0
    assert intree(ours, there, "--existing", "replace").return_value == 0
    (ours / "intree.json").unlink()
    assert intree(ours, there, "--check").return_value == 0


def test_an_edited_file_is_not_taken_for_ours(tmp_path: Path) -> None:
    there, ours = checkout(tmp_path / "et"), project(tmp_path / "p")
    assert intree(ours, there).return_value == 0
    (ours / "intree.json").unlink()
    edited = there / "backends/qualcomm/builders/op_acme_nn_scale.py"
    edited.write_text(edited.read_text() + "# mine\n")
    before = tree(there)
    result = intree(ours, there, "--remove")
    assert result.return_value == 1
    assert "op_acme_nn_scale.py: error: the file that opkg put in here was edited [OPK363]" in result.output
    assert tree(there) == before
