"""Numbers in the place of absent inputs: when one kernel serves calls with and without them, and what it computes then."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernels_product import failures, generated, package_of

from opkg.cli.main import run
from opkg.kernels.emit.filled import numbers_for
from opkg.kernels.emit.parts import Source, parts
from opkg.targets.qnn_htp_qhpi import TARGET
from opkg.verify.api import VerifyOptions, verify

NORM = """\
  Norm:
    types: {{T: [{types}]}}
    inputs:
      x: {{dtype: T, shape: [batch..., C], rank: 2..3}}
      gamma: {{dtype: T, shape: [C], optional: true}}
      beta: {{dtype: T, shape: [C], optional: true}}
    params:
      epsilon: {{dtype: float32, default: 1.0e-6, range: 1.0e-12 .. 1}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    compute: |
      n = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + epsilon)
      scaled = {scaled}
      y = scaled + beta if present(beta) else scaled
"""
TESTS = """\
    tests:
      tolerance: {ufixed8: 1 lsb, ufixed16: 1 lsb}
"""
USUAL = "n * gamma if present(gamma) else n"
ODD = "n * gamma if present(gamma) else n * n"


def numbers(scaled: str, dtype: str, element: str) -> list[dict[str, float] | None]:
    """For the kernel of one element type: the numbers for calls without beta, without gamma, and without both."""
    op = package_of(NORM.format(types=dtype, scaled=scaled)).ops[0]
    source = Source(op.kernels[0], "NormArgs", dict.fromkeys(("x", "gamma", "beta", "y"), element))
    (whole,), *others = list(parts(op, source, False))
    return [numbers_for(whole, part) for (part,) in others]


@pytest.mark.parametrize(
    ("dtype", "element"), [("ufixed8", "uint8_t"), ("float32", "float"), ("float16", "opkg::Float16")]
)
def test_numbers_stand_for_what_is_absent(dtype: str, element: str) -> None:
    beta, gamma, both = numbers(USUAL, dtype, element)
    assert (beta, gamma, both) == ({"beta": -0.0}, {"gamma": 1.0}, {"beta": -0.0, "gamma": 1.0})
    assert str(beta["beta"]) == "-0.0"  # with 0.0 a sum would lose the sign of -0.0


def test_what_computes_something_else_has_none() -> None:
    assert numbers(ODD, "ufixed8", "uint8_t") == [{"beta": -0.0}, None, None]


def test_elements_without_numbers_have_none() -> None:
    assert numbers(USUAL, "sfixed8", "opkg::SFixed8") == [None, None, None]


def kernels(scaled: str) -> str:
    made = TARGET.render(package_of(NORM.format(types="ufixed8", scaled=scaled)))
    return next(a.text for a in made if a.path.endswith("norm_kernels.cpp"))


def test_calls_with_some_or_none_have_no_code_of_their_own() -> None:
    usual = kernels(USUAL)
    assert usual.count("\nstruct Norm") == 1
    assert "Without" not in usual
    assert kernels(ODD).count("\nstruct Norm") == 4


def test_calls_with_some_inputs_are_those_of_the_reference(tmp_path: Path) -> None:
    package = generated(tmp_path, NORM.format(types="ufixed8, ufixed16", scaled=USUAL) + TESTS)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=12, check_current=False))
    assert failures(result) == ""
    assert sum(len(cell.outcomes) for cell in result.cells) >= 24


def test_show_has_the_kernels_that_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "opkg: 1\npackage: {name: t.made, version: 1.0.0, targets: [qnn-htp-qhpi]}\nops:\n"
    (tmp_path / "norm.yaml").write_text(head + NORM.format(types="ufixed8", scaled=USUAL))
    assert run(["kernel", "show", "Norm", str(tmp_path / "norm.yaml")]) == 0
    told = capsys.readouterr().out
    assert "without beta" not in told
    assert "the same code, with zeros for beta, ones for gamma" in told
