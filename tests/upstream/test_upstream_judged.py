"""Upstream's operator tests with generated builders: ours pass and do the work, and faulty ones are found out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from opkg.verify.machines.executorch.environment import Environment, find
from opkg.verify.machines.executorch.upstream_state import shuffled

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
SHARE = 3  # an ordinary run judges one of so many tests, other ones for each commit; all of them: `make test-all`
# Families with tests that take ten seconds of CPU time and more.
SLOW = (
    "batch_norm",
    "block",
    "cdist",
    "conv3d",
    "conv_transpose",
    "floor_divide",
    "group_norm",
    "hadamard",
    "index",
    "mha",
    "pdist",
    "pool3d",
)

pytestmark = pytest.mark.xdist_group("executorch")


def environment() -> Environment:
    """What runs the tests; without it a skip here and a failure in CI."""
    found = find(ROOT)
    if isinstance(found, Environment):
        return found
    message = f"{found.reason}: {found.install}"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def judged(
    folder: Path, expression: str, *words: str, limit: int = 900
) -> tuple[int, list[dict[str, Any]], list[dict[str, Any]]]:
    """Exit code, a record for each test, and the findings."""
    found = environment()
    command = [sys.executable, "-m", "opkg", "executorch", "judge", "--format", "json", "-k", expression, *words]
    variables = {**os.environ, "NO_COLOR": "1", "OPKG_EXECUTORCH_PYTHON": str(found.python)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=variables, timeout=limit)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, [r for r in records if "test" in r], [r for r in records if "id" in r]


def commit() -> str:
    """What chooses the sample: the commit, or nothing in particular outside of a checkout."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "none"


def recorded() -> set[str]:
    """Tests that the record of the example says are passed with our builders making all nodes."""
    lines = (ROOT / "examples" / "qnn" / "judged.tsv").read_text("utf-8").splitlines()[1:]
    return {line.split("\t")[0] for line in lines if line.split("\t")[2] == "passed"}


def test_a_sample_of_the_operators_of_the_example_pass(tmp_path: Path) -> None:
    project = tmp_path / "qnn"
    shutil.copytree(ROOT / "examples" / "qnn", project)
    quick = [test for test in recorded() if not any(word in test for word in SLOW)]
    sample = shuffled(quick, commit())[: len(quick) // SHARE]
    assert len(sample) > 100
    _, found, findings = judged(project, " or ".join(sample), limit=3000)
    tests = {each["test"]: each for each in found}
    assert sorted(tests) == sorted(sample)
    for test in sample:
        assert (tests[test]["ours"], tests[test]["left"]) == ("passed", {}), (tests[test], findings)
        assert sum(tests[test]["nodes"].values()) >= 1


@pytest.mark.sweep
def test_all_that_is_recorded_passes(tmp_path: Path) -> None:
    project = tmp_path / "qnn"
    shutil.copytree(ROOT / "examples" / "qnn", project)
    _, found, findings = judged(project, "", limit=7200)
    assert len(found) == 374
    passed = {each["test"] for each in found if each["ours"] == "passed"}
    assert recorded() <= passed, findings


def test_faults_are_found(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    shutil.copy(HERE / "specs" / "wrong.yaml", tmp_path / "specs")
    subprocess.run([sys.executable, "-m", "opkg", "generate"], cwd=tmp_path, check=True, capture_output=True)
    code, found, findings = judged(tmp_path, "FloatingPoint and (backend_elu or backend_tanh or backend_clamp)")
    assert code == 1, findings
    words = {each["test"].rpartition("_")[2]: each["ours"] for each in found}
    assert words == {"elu": "failed", "tanh": "not used", "clamp": "left over"}
    assert all(each["stock"] == "passed" and each["worse"] for each in found)
    assert [each["id"] for each in sorted(findings, key=lambda each: str(each["id"]))] == ["OPK447", "OPK448", "OPK449"]
    assert len({each["line"] for each in findings}) == 3  # each at the line that names its torch op
    assert "an output differs by" in next(each["message"] for each in findings if each["id"] == "OPK447")
    hints = " ".join(each["hint"] for each in findings)
    assert "has rank" in hints
    assert "max is not None does not hold" in hints


def test_nodes_become_constants() -> None:
    """`constant:`, and what else of the wheel's table no upstream test has."""
    found = environment()
    folders = [ROOT / "examples" / "qnn" / "generated" / "qti_aisw" / "executorch"]
    done = subprocess.run(
        [str(found.python), str(HERE / "folded_script.py")], capture_output=True, text=True, timeout=600,
        env=found.variables(folders),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [json.loads(line.removeprefix("MODEL ")) for line in done.stdout.splitlines() if line.startswith("MODEL ")]
    left = next(line.removeprefix("LEFT ") for line in done.stdout.splitlines() if line.startswith("LEFT "))
    others = ["aten.index_put.default", "getitem", "quantized_decomposed.dequantize_per_channel.tensor"]
    assert json.loads(left) == others  # torch ops of the wheel's table without a builder of ours
    nodes = {
        "filled": {"aten.full.default": 1, "aten.full_like.default": 1},
        "filled in 8 bits": {"aten.full.default": 1, "aten.full_like.default": 1},
        "counted": {"aten.arange.start_step": 2, "aten.scalar_tensor.default": 1},
        "returned": {"aten.full.default": 1},
        "normed": {"aten._native_batch_norm_legit.no_stats": 1},
        "replaced": {"aten.copy.default": 1},
    }
    assert {name: ours for name, _, _, ours, _, _ in lines} == nodes
    for name, delegates, on_cpu, _, strange, far in lines:
        assert (delegates, on_cpu, strange) == (1, [], {}), name
        assert far <= (0.03 if "bits" in name else 0.002), name


def test_constants_are_the_numbers_they_stand_for() -> None:
    found = environment()
    variables = found.variables([ROOT / "examples" / "qnn" / "generated" / "qti_aisw" / "executorch"])
    script = [str(found.python), str(HERE / "filled_script.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=variables)
    assert done.returncode == 0, done.stderr
    types = {
        "float32": "float32", "float16": "float16", "int32": "int32", "bool8": "bool", "sfixed8": "int8",
        "ufixed8": "uint8", "sfixed16": "int16", "ufixed16": "uint16", "sfixed32": "int32",
    }  # fmt: skip
    records = json.loads(done.stdout.splitlines()[-1])
    assert len(records) == 4 * len(types)
    for dtype, value, name, shape, kind, real, spread in records:
        assert (name, shape, kind, spread) == ("x_gamma", [2, 3], f"torch.{types[dtype]}", 0.0)
        wanted = float(int(value)) if dtype == "int32" else float(value != 0) if dtype == "bool8" else value
        assert real == pytest.approx(
            wanted, rel=1e-3 if dtype == "float16" else 1e-6, abs=1e-7 if dtype == "float16" else 0
        )


def test_the_kept_set_of_composite_ops_is_that_of_torch() -> None:
    found = environment()
    done = subprocess.run(
        [str(found.python), str(HERE / "tables_script.py")], capture_output=True, text=True, timeout=300,
        env=found.variables(),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told == {
        "same": [True] * 3,
        "everywhere": True,
        "defined": True,
        "new": [["opkg_tables.twice.default"], True],
    }
