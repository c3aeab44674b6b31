"""The examples are current, and every op passes on host, in both interfaces, and inside Qualcomm's HTP backend."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import claims
import pytest
import yaml

from opkg.spec.model import OpPackage
from opkg.spec.reader import read_file

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = sorted(p.name for p in (ROOT / "examples").iterdir() if (p / "specs").is_dir())
# `qnn` describes QNN's own operators; `onert`, `openvino` and `onnxruntime` are verified by tests of their own.
WITH_KERNELS = [name for name in EXAMPLES if name not in ("qnn", "onert", "openvino", "onnxruntime")]
# Whose floats are computed in vectors for the most part: v79 has a floating point of its own. The sweep has the others.
NUMERIC = ("activations", "math", "transformer")
# Whose largest tensors are smaller here: `make demo` has those of `activations`, the sweep has all.
SMALLER = NUMERIC


def opkg(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "opkg", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})


def read_packages(project: Path) -> list[OpPackage]:
    found = [read_file(path, path.relative_to(project).as_posix())[0] for path in sorted(project.glob("specs/*.yaml"))]
    return [package for package in found if package is not None]


def test_what_is_committed_is_what_the_specs_say() -> None:
    done = opkg("check", "examples")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_specs_have_no_findings() -> None:
    done = opkg("validate", "examples", "--format", "json")
    assert done.returncode == 0, done.stdout
    findings = [json.loads(line) for line in done.stdout.splitlines()]
    assert [f for f in findings if f["severity"] != "info"] == []


def test_there_are_ten_operators_at_least() -> None:
    specs = [yaml.safe_load(path.read_text()) for path in (ROOT / "examples").glob("*/specs/*.yaml")]
    assert sum(len(spec["ops"]) for spec in specs) >= 10


@pytest.mark.htp
@pytest.mark.parametrize("example", WITH_KERNELS)
def test_every_op_passes_on_every_machine(example: str, tmp_path: Path) -> None:
    on = ["host", *(["host-v79"] if example == "math" else []), "htp"]
    if importlib.util.find_spec("onnxruntime_qnn") is None:
        if "CI" in os.environ:
            pytest.fail("onnxruntime-qnn is not installed: pip install '.[htp]'")
        on.remove("htp")
    project = tmp_path / example
    shutil.copytree(ROOT / "examples" / example, project, ignore=shutil.ignore_patterns("build"))
    done = opkg(
        "verify",
        "--on",
        ",".join(on),
        *(("--large", "1M") if example in SMALLER else ()),
        "--json",
        "result.json",
        "--html",
        "report.html",
        "--junit",
        "report.xml",
        cwd=project,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads((project / "result.json").read_text())
    ran = {(column["machine"], column["interface"]) for column in result["columns"] if column["ran"]}
    wanted = {("host", "classic")} | {(machine, "qhpi") for machine in on}
    assert ran == wanted
    labels = {column["label"] for column in result["columns"]}
    ops = {cell["op"] for cell in result["cells"] if not cell["rule"]}
    for op in ops:
        assert {cell["column"] for cell in result["cells"] if cell["op"] == op} == labels
    for cell in result["cells"]:
        assert cell["ok"], cell
        assert len(cell["cases"]) >= (4 if cell["rule"] else 8), cell["op"]
    assert list(claims.differing(read_packages(project), result["cells"])) == []
    specs = [yaml.safe_load(path.read_text()) for path in (ROOT / "examples" / example / "specs").glob("*.yaml")]
    rules = {
        f"{op}/{rule['name']}"
        for spec in specs
        for op, record in spec["ops"].items()
        for rule in record.get("rules", ())
    }
    if "htp" in on:  # only the backend has the core's ops
        assert {cell["op"] for cell in result["cells"] if cell["rule"] and cell["column"].startswith("htp")} == rules


def test_both_sides_of_every_rule_compute_the_same() -> None:
    folders = [f"examples/{name}/specs" for name in EXAMPLES]
    done = opkg("rules", "test", *folders, "--format", "json", "--cases", "12")
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(verdicts) >= 9
    assert {verdict["status"] for verdict in verdicts} == {"equivalent"}


def test_rules_are_laid_out() -> None:
    done = opkg("rules", "format", "--check", *(f"examples/{name}/specs" for name in EXAMPLES))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.sweep
@pytest.mark.parametrize("example", sorted({*WITH_KERNELS} - {*NUMERIC}))
def test_floats_of_v79(example: str, tmp_path: Path) -> None:
    project = tmp_path / example
    shutil.copytree(ROOT / "examples" / example, project, ignore=shutil.ignore_patterns("build"))
    done = opkg("verify", "--on", "host-v79", cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.sweep
@pytest.mark.parametrize("example", SMALLER)
def test_large_tensors(example: str, tmp_path: Path) -> None:
    project = tmp_path / example
    shutil.copytree(ROOT / "examples" / example, project, ignore=shutil.ignore_patterns("build"))
    done = opkg("verify", "--on", "htp", "--cases", "1", cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr
