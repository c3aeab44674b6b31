"""Findings of the rule language in `validate` and `generate`: once, at their place in the YAML, and without files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from opkg.project.generate import generate
from opkg.project.read import read
from opkg.spec.diagnostics import Diagnostic

SPEC = """\
opkg: 1
package: {name: t.t, version: 1.0.0, targets: [qnn-htp-classic, qnn-htp-qhpi]}
ops:
  Op1:
    inputs: {x: {dtype: float32, rank: 1..4}}
    outputs: {y: {dtype: float32, shape: x.shape}}
"""
WRONG = """\
    rules:
      - name: wrong
        match: |
          Op("Op1",
             "X")
        when: |
          AND(GT(DIM_DEPTH("X"), 1),
              GT(DIM_DEPTH("Y"), 1))
        replace: 'Op("Op1", "Z")'
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    spec = tmp_path / "specs" / "t.yaml"
    spec.parent.mkdir()
    spec.write_text(SPEC + WRONG)
    return spec


def errors(findings: tuple[Diagnostic, ...]) -> list[tuple[int, int]]:
    return [(f.span.line, f.span.column) for f in findings if f.is_error]


def test_rule_errors_stand_where_they_are_and_once(project: Path) -> None:
    (found,) = read([str(project.parent.parent)])
    assert errors(found.findings) == [(14, 28), (15, 29)]
    assert not found.ok


def test_generate_writes_nothing(project: Path) -> None:
    result = generate([str(project.parent.parent)])
    assert errors(result.findings) == [(14, 28), (15, 29)]
    assert not (project.parent.parent / "generated").exists()


def test_tensor_properties_are_checked_with_the_names_of_the_op(project: Path) -> None:
    project.write_text(SPEC + '    tensor_properties:\n      - Flat("x", "z")\n      - Croutn("y")\n')
    (found,) = read([str(project.parent.parent)])
    assert errors(found.findings) == [(8, 19), (9, 9)]


def test_a_pass_of_another_sdk_is_an_error(project: Path) -> None:
    rule = '    rules: [{pass: PRE_OPTIMIZATION, match: \'Op("Op1", "X")\', replace: \'Op("q::Relu", "X")\'}]\n'
    project.write_text(SPEC.replace("version: 1.0.0", "version: 1.0.0, sdk: '2.25'") + rule)
    (found,) = read([str(project.parent.parent)])
    assert errors(found.findings) == [(7, 20)]


def test_specs_without_rules_do_not_load_the_rule_language(project: Path) -> None:
    project.write_text(SPEC)
    program = (
        "import sys\nfrom opkg.cli.main import main\n"
        "try:\n    main(['validate', sys.argv[1]])\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "print([name for name in sys.modules if name.startswith('opkg.rules')])\n"
    )
    command = [sys.executable, "-c", program, str(project.parent.parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.endswith("[]\n"), done.stdout + done.stderr
