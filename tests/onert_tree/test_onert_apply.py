"""`opkg onert apply` and `remove` on a small tree, in two eras: twice is once, remove restores, edits and conflicts stop it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import click
import pytest
from onert_lib import done, onert, project, refused
from onert_mini import CORE, CPU, mini, tree

from opkg.project import transaction

LST = f"{CORE}/include/ir/Operations.lst"
STATIC = f"{CORE}/src/compiler/StaticShapeInferer.cc"
HEADER = f"{CORE}/include/ir/operation/ScaledAdd.h"


def test_every_place(places: tuple[Path, Path]) -> None:
    root, own = places
    before = tree(root)
    done(own, "apply", root)
    after = tree(root)
    changed = {name for name in before if before[name] != after[name]}
    old = (root / "tests").exists()
    assert len(changed) == 20, sorted(changed)
    new = set(after) - set(before)
    tests = {name for name in new if "test" in name}
    if old:
        assert f"{CPU}/Operation.lst" not in after
        assert tests == {f"runtime/onert/test/core/exec/{op}.cc" for op in ("ScaledAdd", "Clamp")} | {
            f"tests/nnfw_api/src/one_op_tests/{op}.cc" for op in ("ScaledAdd", "Clamp")
        }
    else:
        assert b"OP(RoPE)\nOP(ScaledAdd)\nOP(Select)\n" in after[f"{CPU}/Operation.lst"]
        assert all(name.endswith(".test.cc") for name in tests)
        assert len(tests) == 4
    assert len(new) == 12
    assert b"OP(BroadcastTo)\nOP(Bulk)\nOP(Call)\nOP(Clamp)\nOP(Comparison)\n" in after[LST]


def test_twice_is_once_and_remove_restores(places: tuple[Path, Path]) -> None:
    root, own = places
    before = tree(root)
    stale = refused(own, "apply", root, "--check")
    assert f"{LST}: error: the checkout is not what the specs say: is out of date [OPK364]" in stale
    assert f"{HEADER}: error: the checkout is not what the specs say: is missing [OPK364]" in stale
    shown = done(own, "apply", root, "--diff")
    assert f"--- a/{root}/{LST}\n+++ b/{root}/{LST}\n" in shown
    assert "+OP(ScaledAdd)\n" in shown
    assert tree(root) == before
    done(own, "apply", root)
    after, record = tree(root), (own / "intree.json").read_bytes()
    times = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    done(own, "apply", root)
    done(own, "apply", root, "--check")
    assert (tree(root), (own / "intree.json").read_bytes()) == (after, record)
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == times
    assert "-OP(ScaledAdd)\n" in done(own, "remove", root, "--diff")
    done(own, "remove", root)
    assert tree(root) == before
    assert not (own / "intree.json").exists()
    done(own, "remove", root)


def test_projects_in_any_order(tmp_path: Path, by_hand: None) -> None:
    """Two projects, in either order: the same bytes; each takes out its own, whoever came first."""
    one, two = (
        project(tmp_path / "one", "acme.nn", "ScaledAdd", "Aaa"),
        project(tmp_path / "two", "zoo.nn", "Scale", "Zip"),
    )
    trees = []
    for first, second in ((one, two), (two, one)):
        root = mini(tmp_path / f"first_{first.name}")
        done(first, "apply", root)
        done(second, "apply", root)
        trees.append(tree(root))
        done(first, "remove", root)
        done(second, "remove", root)
        assert tree(root) == tree(mini(tmp_path / "fresh"))
    assert trees[0] == trees[1]


def test_a_spec_that_changes(places: tuple[Path, Path]) -> None:
    root, own = places
    before = tree(root)
    done(own, "apply", root)
    (root / HEADER).unlink()
    project(own, "acme.nn", "Clamp", "Grow")
    done(own, "apply", root)
    text = b"".join(tree(root).values())
    assert b"ScaledAdd" not in text
    assert b"operation::Grow &" in text
    done(own, "remove", root, "specs/acme.nn.yaml")
    assert tree(root) == before


def test_others_edit_beside_it(places: tuple[Path, Path]) -> None:
    """What somebody else adds between apply and remove stays, and what opkg put in goes all the same."""
    root, own = places
    before = (root / STATIC).read_text()
    done(own, "apply", root)
    visit = "void StaticShapeInferer::visit(const ir::operation::ScaleOther &op)\n{\n}\n"
    text = (root / STATIC).read_text()
    own_text = "void StaticShapeInferer::visit(const ir::operation::ScaledAdd &"
    (root / STATIC).write_text(text.replace(own_text, f"{visit}\n{own_text}"))
    done(own, "apply", root, "--check")
    done(own, "remove", root)
    left = (root / STATIC).read_text()
    assert left.replace(f"{visit}\n", "") == before or left.replace(f"\n{visit}", "") == before


def test_edits_are_never_lost(places: tuple[Path, Path]) -> None:
    root, own = places
    done(own, "apply", root)
    text = (root / STATIC).read_text()
    (root / STATIC).write_text(text.replace("  // ScaledAdd\n", "  // mine\n"))
    line = text[: text.index("ScaledAdd")].count("\n") + 1
    with (root / HEADER).open("a") as file:
        file.write("// mine\n")
    edited = tree(root)
    for words in (("apply",), ("remove",), ("apply", "--check")):
        output = refused(own, words[0], root, *words[1:])
        assert f"{STATIC}:{line}:1: error: the entry 'ScaledAdd' that opkg put in here was edited [OPK363]" in output
        assert f"{HEADER}: error: the file that opkg put in here was edited [OPK363]" in output
        assert tree(root) == edited


def test_a_name_that_is_taken(tmp_path: Path, by_hand: None) -> None:
    root, own = mini(tmp_path / "ONE"), project(tmp_path / "project", "acme.nn", "Softmax", "Loss", "Clamp")
    before = tree(root)
    output = refused(own, "apply", root)
    text = before[f"{CORE}/src/compiler/ShapeValidator.cc"].decode()
    line = text[: text.index("operation::Softmax")].count("\n") + 1
    assert (
        f"ShapeValidator.cc:{line}:1: error: there is 'Softmax' here already, and opkg did not put it in [OPK360]"
        in output
    )
    assert f"{CORE}/include/ir/operation/Softmax.h: error: there is a file of this name here already" in output
    assert "'Clamp'" not in output
    assert tree(root) == before


def test_lines_of_the_tree_itself(tmp_path: Path, by_hand: None) -> None:
    """A tree that has some of the lines already: they are not opkg's to take out."""
    root, own = mini(tmp_path / "ONE"), project(tmp_path / "project")
    text = (root / LST).read_text()
    (root / LST).write_text(text.replace("OP(Select)\n", "OP(ScaledAdd)\nOP(Select)\n"))
    before = tree(root)
    done(own, "remove", root)
    assert tree(root) == before
    done(own, "apply", root)
    done(own, "apply", root)
    done(own, "remove", root)
    assert tree(root) == before


NO_LINE = "does not look as expected: there is no line like"


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        (STATIC, None, ": error: is missing: the checkout is not as expected [OPK361]"),
        (STATIC, "\n", f": error: {NO_LINE} 'void StaticShapeInferer::visit(const ... &node)' [OPK361]"),
        (
            f"{CORE}/src/ir/OperationDumper.h",
            "\n\nclass OperationDumper\n{\n  int a;\n};\n",
            f":5:3: error: {NO_LINE} 'void visit(const ... &) override;' [OPK361]",
        ),
    ],
)
def test_another_tree(tmp_path: Path, by_hand: None, path: str, text: str | None, words: str) -> None:
    root, own = mini(tmp_path / "ONE"), project(tmp_path / "project")
    (root / path).unlink() if text is None else (root / path).write_text(text)
    before = tree(root)
    output = refused(own, "apply", root)
    assert path + words in output
    assert text is None or "hint: this opkg knows trees of Samsung/ONE from 2021 to 2026-04 (de7f4736)" in output
    assert tree(root) == before
    assert not (own / "intree.json").exists()


def test_no_tree_and_no_target(tmp_path: Path, by_hand: None) -> None:
    root, own = mini(tmp_path / "ONE"), project(tmp_path / "project")
    with pytest.raises(
        click.UsageError, match=r"is no source tree of onert: .* Name the top folder of a clone of Samsung/ONE"
    ):
        raise onert(own, "apply", tmp_path).exception or AssertionError
    with pytest.raises(click.UsageError, match=f"Its top is {root}"):
        raise onert(own, "remove", root / "runtime/onert").exception or AssertionError
    spec = own / "specs/acme.nn.yaml"
    spec.write_text(spec.read_text().replace("targets: [onert]", "targets: [qnn-htp-qhpi]"))
    assert "no spec here has the target onert [OPK370]" in refused(own, "apply", root)


@pytest.mark.parametrize("cut", [False, True])
def test_line_ends_stay(tmp_path: Path, by_hand: None, cut: bool) -> None:
    """A tree with CRLF, and files without a newline at their end."""
    root, own = (
        mini(tmp_path / "ONE", newline="\r\n"),
        project(tmp_path / "project", "acme.nn", "Zip", "Aaa", "ScaledAdd"),
    )
    for path in root.rglob("*") if cut else ():
        if path.is_file():
            path.write_bytes(path.read_bytes().rstrip(b"\r\n"))
    before = tree(root)
    done(own, "apply", root)
    for name, data in tree(root).items():
        assert name not in before or b"\n" not in data.replace(b"\r\n", b"")
        assert name not in before or data.endswith(b"\n") != cut
    done(own, "apply", root)
    done(own, "apply", root, "--check")
    done(own, "remove", root)
    assert tree(root) == before


def test_without_a_record(places: tuple[Path, Path], tmp_path: Path) -> None:
    """A tree that was moved, or a record that is lost: what stands there just as the specs want it is taken out."""
    root, own = places
    before = tree(root)
    done(own, "apply", root)
    moved = shutil.move(root, tmp_path / "elsewhere")
    done(own, "remove", moved)
    assert tree(moved) == before
    (own / "intree.json").unlink()
    done(own, "apply", moved)
    after = tree(moved)
    (own / "intree.json").unlink()
    done(own, "apply", moved, "--check")
    done(own, "apply", moved)
    assert tree(moved) == after
    assert json.loads((own / "intree.json").read_text())["checkouts"].keys() == {"../elsewhere"}
    done(own, "remove", moved)
    assert tree(moved) == before


def test_links_and_read_only_files(tmp_path: Path, by_hand: None) -> None:
    root, own = mini(tmp_path / "ONE"), project(tmp_path / "project")
    (root / LST).chmod(0o444)
    before = tree(root)
    done(own, "apply", root)
    assert (root / LST).stat().st_mode & 0o777 == 0o444
    done(own, "remove", root)
    assert (root / LST).stat().st_mode & 0o777 == 0o444
    assert tree(root) == before
    (root / STATIC).rename(tmp_path / "other.cc")
    (root / STATIC).symlink_to(tmp_path / "other.cc")
    assert f"{STATIC}: error: is no file of its own (a link or a folder) [OPK361]" in refused(own, "apply", root)
    (root / STATIC).unlink()
    (tmp_path / "other.cc").rename(root / STATIC)
    shutil.move(root / CORE / "src/compiler", tmp_path / "compiler")
    (root / CORE / "src/compiler").symlink_to(tmp_path / "compiler")
    output = refused(own, "apply", root)
    assert f"{STATIC}: error: is in a folder that a link leads to, outside of the checkout [OPK361]" in output
    (root / CORE / "src/compiler").unlink()
    shutil.move(tmp_path / "compiler", root / CORE / "src/compiler")
    shutil.move(root / CPU / "ops", tmp_path / "ops")
    (root / CPU / "ops").symlink_to(tmp_path / "ops")
    there = tree(tmp_path / "ops")
    output = refused(own, "apply", root)
    assert f"{CPU}/ops/ClampLayer.cc: error: is in a folder that a link leads to" in output
    assert tree(tmp_path / "ops") == there
    (root / CPU / "ops").unlink()
    shutil.move(tmp_path / "ops", root / CPU / "ops")
    assert tree(root) == before
    link = tmp_path / "link"
    link.symlink_to(root)
    done(own, "apply", link)
    done(own, "remove", link)
    assert tree(root) == before


def test_never_half(tmp_path: Path, by_hand: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fails in the middle: all is as before; a run that is killed is undone by the next one."""
    root, own = mini(tmp_path / "ONE"), project(tmp_path / "project")
    before = tree(root)
    put = transaction.Transaction._put
    calls = []

    def failing(self: transaction.Transaction, number: int, *rest: object) -> None:
        calls.append(number)
        if len(calls) == 9:
            raise OSError(28, "No space left on device")
        put(self, number, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(transaction.Transaction, "_put", failing)
    result = onert(own, "apply", root)
    assert "No space left on device" in str(result.exception)
    assert tree(root) == before
    calls.clear()
    monkeypatch.setattr(transaction.Transaction, "rollback", lambda self: None)  # killed
    assert onert(own, "apply", root).exception is not None
    monkeypatch.undo()
    assert tree(root) != before
    assert os.path.isdir(root / ".opkg-transaction")
    result = onert(own, "apply", tmp_path / "ONE", "--check")
    left = {name: data for name, data in tree(root).items() if not name.startswith(".opkg")}
    assert left == before


def test_a_tree_of_2020_is_refused(tmp_path: Path, by_hand: None) -> None:
    """What it lacks is said, with file and line, and nothing is written."""
    root, own = mini(tmp_path / "ONE", "oldest"), project(tmp_path / "project")
    before = tree(root)
    text = refused(own, "apply", root)
    validator = f"{root}/runtime/onert/core/src/compiler/OperationValidator.h"
    assert f"{validator}: error: OperationValidator is one of the compiler: the tree is too old [OPK375]" in text
    assert "backend/ITensor.h: error: ITensor has no applyShape(): the tree is too old [OPK375]" in text
    assert text.count("OPK375]") == 2
    assert tree(root) == before
    assert '"operation-validator"' in done(own, "audit", root, "--format", "json")  # an audit only looks
