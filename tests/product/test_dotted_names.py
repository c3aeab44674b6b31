"""Ops whose names have dots: every target takes them, every machine runs them, and rules and cases are found by them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opkg.spec.names import name_fault, op_name_fault, snake

SPEC = """\
opkg: 1
package:
  name: acme.dot
  version: 1.0.0
  summary: Ops with dots in their names
  targets: [qnn-htp-qhpi, qnn-htp-classic, executorch-builder, onert, openvino-extension, onnxruntime]
ops:
  wkv7.fp16.tcm:
    summary: a product that is not negative
    inputs:
      x: {dtype: ufixed8, shape: [rest...], rank: 1..4}
      w: {dtype: ufixed8, shape: x.shape}
    params:
      gain: {dtype: float32, default: 1.0}
    outputs:
      y: {dtype: ufixed8, shape: x.shape}
    compute: y = max(x * w, 0) * gain
    tests: {tolerance: {ufixed8: 1 lsb}}
    rules:
      - name: split
        pass: EARLY
        match: Op("wkv7.fp16.tcm", "X", "W", "G")
        when: GT(DIM_HEIGHT("*"), 8)
        replace: AUTOSPLIT(1, "I", 8, Op("wkv7.fp16.tcm", TYPICAL_SLICE("X", "I"), TYPICAL_SLICE("W", "I"), "G"))
"""
MACHINES = ("host", "htp", "onert", "openvino", "onnxruntime")


def opkg(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "opkg", *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dot")
    (folder / "specs").mkdir()
    (folder / "specs" / "dot.yaml").write_text(SPEC)
    done = opkg(folder, "generate")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.xdist_group("dotted")
def test_every_machine_runs_an_op_with_dots(project: Path) -> None:
    words = ["--op", "wkv7.fp16.tcm", "--cases", "2", "--large", "0", "--json", "result.json"]
    done = opkg(project, "verify", "--on", ",".join(MACHINES), *words)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((project / "result.json").read_text())
    assert {column["machine"] for column in found["columns"] if column["ran"]} == set(MACHINES)
    cells = [cell for cell in found["cells"] if not cell["rule"]]
    assert {cell["op"] for cell in cells} == {"wkv7.fp16.tcm"}
    assert len(cells) == len(found["columns"])
    assert all(cell["ok"] and cell["cases"] for cell in cells)


def test_a_rule_is_found_by_an_op_with_dots(project: Path) -> None:
    done = opkg(project, "rules", "test", "--rule", "wkv7.fp16.tcm.split")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "wkv7.fp16.tcm.split" in done.stdout


def test_generated_names_have_no_dots(project: Path) -> None:
    header = (project / "generated/acme_dot/qhpi/include/acme_dot/wkv7_fp16_tcm.h").read_text()
    assert "struct wkv7_fp16_tcmArgs" in header
    source = (project / "generated/acme_dot/qhpi/src/wkv7_fp16_tcm.cpp").read_text()
    assert 'info.name = "acme.dot::wkv7.fp16.tcm";' in source
    assert "DEF_PACKAGE_OP" in (project / "generated/acme_dot/classic/src/wkv7_fp16_tcm.cpp").read_text()


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("a..b", "'a..b' is no name", "letters, digits, _ and dots between them, a letter first: 'a.b'"),
        ("a.b.", "'a.b.' is no name", "letters, digits, _ and dots between them, a letter first: 'a.b'"),
        (".a", "'.a' is no name", "letters, digits, _ and dots between them, a letter first: 'a'"),
        ("a.b-c", "'a.b-c' is no name", "letters, digits, _ and dots between them, a letter first: 'a.b_c'"),
        ("a_._b", "'a_._b' is reserved in C++ (two underscores)", "for example 'a___b_value'"),
        ("opkg.x", "'opkg.x' is reserved for generated code", "for example 'opkg_x_value'"),
    ],
)
def test_names_that_do_not_do(name: str, message: str, hint: str) -> None:
    fault = op_name_fault(name)
    assert fault is not None
    assert fault[1:] == (message, hint)


def test_dots_are_for_ops_alone() -> None:
    assert op_name_fault("MaxPool_valid.tcm") is None
    assert name_fault("MaxPool_valid.tcm") is not None
    assert snake("MaxPool_valid.tcm") == snake("MaxPool_valid_tcm") == "max_pool_valid_tcm"


def test_two_names_that_become_one(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    other = SPEC.partition("ops:\n")[2].replace("wkv7.fp16.tcm", "wkv7.fp16_tcm")
    (tmp_path / "specs" / "dot.yaml").write_text(SPEC + other)
    done = opkg(tmp_path, "validate")
    assert done.returncode == 1
    line = len(SPEC.splitlines()) + 1
    assert f"specs/dot.yaml:{line}:3: error: ops 'wkv7.fp16_tcm' and 'wkv7.fp16.tcm' collide" in done.stdout


def test_the_name_of_a_flat_twin_is_taken(tmp_path: Path) -> None:
    op = """\
  {name}:
    inputs: {{x: {{dtype: ufixed8, shape: [rest...], rank: 4}}}}
    outputs: {{y: {{dtype: ufixed8, shape: x.shape}}}}
    kernels: [{{layout: either}}]
    compute: y = x * 2
"""
    (tmp_path / "specs").mkdir()
    head = re.sub(r"targets: .*", "targets: [qnn-htp-qhpi]", SPEC.partition("ops:\n")[0])
    spec = f"{head}ops:\n{op.format(name='Twice')}{op.format(name='Twice.flat')}"
    (tmp_path / "specs" / "dot.yaml").write_text(spec)
    done = opkg(tmp_path, "validate")
    assert done.returncode == 1
    assert "specs/dot.yaml:13:3: error: 'Twice.flat' is registered twice" in done.stdout
