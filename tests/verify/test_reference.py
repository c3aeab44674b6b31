"""The user's Python: found, isolated, called, and never the cause of a traceback."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from opkg.spec.diagnostics import Diagnostic, OpkgError
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.cases.reference import References

from .projects import RELU, op_of


def _finding(root: Path, reference: str, ops: str = RELU) -> Diagnostic:
    op = op_of(root, ops, reference)
    try:
        loaded = References(root).load(op, root / "specs" / "test.yaml")
    except OpkgError as failed:
        return failed.diagnostics[0]
    _, findings = generate(op, loaded, Plan(3))
    assert len({f.id for f in findings}) == 1
    return findings[0]


@pytest.mark.parametrize(
    ("source", "id", "words"),
    [
        ("", "OPK410", "no module 'references'"),
        ("import nowhere_to_be_found", "OPK411", "ModuleNotFoundError"),
        ("def relu(x:\n", "OPK411", "references.py:1"),
        ("raise SystemExit(3)", "OPK411", "SystemExit: 3"),
        ("def rely(x): return x", "OPK412", "no function 'relu'"),
        ("relu = 3", "OPK412", "no function 'relu'"),
        ("def relu(x):\n    y = x\n    raise ValueError('bad')", "OPK413", "ValueError: bad (references.py:3)"),
        ("def relu(y): return y", "OPK413", "unexpected keyword argument"),
        ("def relu(x): exit(1)", "OPK413", "SystemExit: 1"),
        ("import numpy as np\ndef relu(x): return np.zeros((7, 7, 7, 7))", "OPK414", "the spec says"),
        ("def relu(x): return x.astype(str)", "OPK415", "no array of real numbers"),
        ("def relu(x): return None", "OPK415", "no array of real numbers"),
        ("def relu(x): return x * 1j", "OPK415", "complex"),
        ("def relu(x): return x, x", "OPK416", "returned 2 arrays, the op has 1 outputs"),
        ("def relu(x): return x * float('nan')", "OPK417", "holds NaN"),
    ],
)
def test_what_goes_wrong_is_a_finding_at_the_reference(tmp_path: Path, source: str, id: str, words: str) -> None:
    finding = _finding(tmp_path, source, RELU.replace("[float32, ufixed8]", "[ufixed8]"))
    assert finding.id == id
    assert words in finding.message
    assert (finding.span.path, finding.span.line) == ("specs/test.yaml", 14)


def test_hint_names_the_nearest_function(tmp_path: Path) -> None:
    assert "'rely'" in _finding(tmp_path, "def rely(x): return x").hint


def test_integer_outputs_take_whole_numbers_only(tmp_path: Path) -> None:
    ops = RELU.replace("y: {dtype: T", "y: {dtype: int32")
    assert _finding(tmp_path, "def relu(x): return x + 0.5", ops).id == "OPK415"


def test_an_op_without_reference(tmp_path: Path) -> None:
    from dataclasses import replace

    op = replace(op_of(tmp_path, RELU, "def relu(x): return x"), reference=None)
    with pytest.raises(OpkgError) as caught:
        References(tmp_path).load(op, tmp_path / "specs" / "test.yaml")
    assert caught.value.diagnostics[0].id == "OPK418"


def test_packages_do_not_see_each_others_modules(tmp_path: Path) -> None:
    values = []
    for name, factor in (("a", 2), ("b", 3)):
        root = tmp_path / name
        source = "from helper import FACTOR\ndef relu(x):\n    import helper\n    return x * helper.FACTOR"
        op = op_of(root, RELU, source)
        (root / "helper.py").write_text(f"FACTOR = {factor}", encoding="utf-8")
        loaded = References(root).load(op, root / "specs" / "test.yaml")
        cases, findings = generate(op, loaded, Plan(2))
        assert not findings
        values.append(cases[0].expected[0])
        assert not list(root.rglob("__pycache__"))
    assert "helper" not in sys.modules
    assert "references" not in sys.modules
    assert (values[0] * 3 == values[1] * 2).all()


def test_beside_the_spec_comes_first(tmp_path: Path) -> None:
    op = op_of(tmp_path, RELU, "def relu(x): return x + 1")
    (tmp_path / "specs" / "references.py").write_text("def relu(x): return x", encoding="utf-8")
    loaded = References(tmp_path).load(op, tmp_path / "specs" / "test.yaml")
    cases, _ = generate(op, loaded, Plan(1))
    assert (cases[0].expected[0] == cases[0].inputs[0].stored).all()  # type: ignore[union-attr]


def test_a_reference_may_change_its_arguments_and_print(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    op = op_of(tmp_path, RELU, "def relu(x):\n    print('hello')\n    x[...] = 0\n    return x")
    loaded = References(tmp_path).load(op, tmp_path / "specs" / "test.yaml")
    cases, findings = generate(op, loaded, Plan(3))
    assert not findings
    assert cases[0].inputs[0].stored is not None
    assert cases[0].inputs[0].stored.any()
    assert capsys.readouterr().out == ""
