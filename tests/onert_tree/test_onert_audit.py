"""`opkg onert audit` on a small tree that has the counts of the real one."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from onert_lib import done, onert, project, refused
from onert_mini import COMPLETE, CORE, LOADED, OPS, mini, tree

KNOWN = {
    "operation-validator": 43, "shape-validator": 48, "static-shape": 51, "dynamic-shape": 46, "dumper": 60, "loader": 68,
    "cpu": 54, "acl_cl": 46, "acl_neon": 40, "ruy": 2, "ggml": 2, "nnapi": 53, "one-op-test": 40, "untrainable-test": 68,
}  # fmt: skip

SHORT = [
    "valid",
    "shape",
    "static",
    "dynam",
    "dump",
    "load",
    "cpu",
    "acl_cl",
    "acl_neon",
    "ruy",
    "ggml",
    "nnapi",
    "one_op",
    "untrain",
]


@pytest.mark.parametrize("era", ["oplist", "classic"])
def test_counts(tmp_path: Path, era: str) -> None:
    root = mini(tmp_path / "ONE", era)
    before = tree(root)
    found = json.loads(done(tmp_path, "audit", root, "--format", "json"))
    counts = {point["name"]: point["count"] for point in found["points"]}
    assert counts == {name: KNOWN[name] for name in KNOWN if era == "oplist" or name != "untrainable-test"}
    assert (found["count"], len(found["complete"])) == (74 if era == "oplist" else 73, 21)
    assert sorted(found["complete"]) == sorted(COMPLETE)
    has = found["operations"]["RoPE"]["has"]
    assert (has["shape-validator"], has["static-shape"], has["cpu"]) == (True, False, True)
    assert {name for name, each in found["operations"].items() if each["has"]["loader"]} == set(LOADED)
    assert tree(root) == before


def test_table(tmp_path: Path) -> None:
    root = mini(tmp_path / "ONE")
    lines = done(tmp_path, "audit", root).splitlines()
    assert lines[0].split() == SHORT
    assert len(lines) == 1 + 74 + 2
    assert lines[1].split() == ["AddN", *"x-xxxxxx---", "-", "x", "x"]
    assert lines[-2].split() == ["of", "74", "operations", *map(str, KNOWN.values())]
    assert lines[-1] == "21 of 74 have valid, shape, static, dynam, dump, load, cpu"
    assert len({line.rindex(" ") for line in lines[1:-1]}) == 2  # marks and counts in one column
    few = done(tmp_path, "audit", root, "--op", "RoPE,Softmax").splitlines()
    assert [line.split()[0] for line in few[1:-2]] == ["RoPE", "Softmax"]
    assert len(done(tmp_path, "audit", root, "--lacking").splitlines()) == 1 + 53 + 2


def test_require(tmp_path: Path) -> None:
    root = mini(tmp_path / "ONE")
    lst = f"{CORE}/include/ir/Operations.lst"
    line = (root / lst).read_text().splitlines().index("OP(RoPE)") + 1
    output = refused(tmp_path, "audit", root, "--require")
    lacks = "no OperationValidator, no StaticShapeInferer, no DynamicShapeInferer"
    assert f"ONE/{lst}:{line}:1: error: RoPE has {lacks}" in output
    assert output.count("[OPK371]") == 53
    output = refused(tmp_path, "audit", root, "--require", "cpu,loader", "--op", "RoPE,Permute")
    assert f":{line}:1: error: RoPE has no loader [OPK371]" in output or "RoPE has" not in output
    assert "Permute has no kernel in backend cpu" in output
    done(tmp_path, "audit", root, "--require", "--op", COMPLETE[0])
    with pytest.raises(click.UsageError, match=r"no touch point 'cup'\. Did you mean 'cpu'\? There are core, all,"):
        raise onert(tmp_path, "audit", root, "--require", "cup").exception or AssertionError
    with pytest.raises(click.UsageError, match=r"no operation 'Rope' in the tree\. Did you mean 'RoPE'\?"):
        raise onert(tmp_path, "audit", root, "--op", "Rope").exception or AssertionError


def test_sarif(tmp_path: Path) -> None:
    root = mini(tmp_path / "ONE")
    for words, level in (([], "warning"), (["--require"], "error")):
        result = onert(tmp_path, "audit", root, *words, "--format", "sarif")
        results = json.loads(result.output)["runs"][0]["results"]
        assert len(results) == len(OPS) + 1 - 21
        assert {(each["ruleId"], each["level"]) for each in results} == {("OPK371", level)}
        assert result.return_value == int(bool(words))


def test_an_operation_that_was_put_in_is_complete(tmp_path: Path, by_hand: None) -> None:
    """apply, then audit: the operation has every touch point that is opkg's to fill, in both eras."""
    for era in ("oplist", "classic"):
        root, own = mini(tmp_path / era, era), project(tmp_path / f"{era}_project")
        required = "core,one-op-test" + (",untrainable-test" if era == "oplist" else "")
        done(own, "apply", root)
        done(tmp_path, "audit", root, "--require", required, "--op", "ScaledAdd,Clamp")
        found = json.loads(done(tmp_path, "audit", root, "--format", "json"))
        assert (found["count"], len(found["complete"])) == (76 if era == "oplist" else 75, 23)


def test_files_that_look_different(tmp_path: Path) -> None:
    root = mini(tmp_path / "ONE")
    (root / f"{CORE}/src/ir/OperationDumper.h").write_text("class OperationDumper\n{\n};\n")
    (root / f"{CORE}/src/compiler/ShapeValidator.h").unlink()
    output = done(tmp_path, "audit", root)
    assert "OperationDumper.h:3:1: warning: does not look as expected: there is no line like" in output
    assert "dump" not in output.splitlines()[0]
    assert "shape" not in output.splitlines()[0]
    (root / f"{CORE}/include/ir/Operations.lst").write_text("\n")
    assert "Operations.lst: error: there is no line like 'OP(Name)' [OPK361]" in refused(tmp_path, "audit", root)
    with pytest.raises(click.UsageError, match="is no source tree of onert"):
        raise onert(tmp_path, "audit", tmp_path).exception or AssertionError
