"""numpy's own names in a computation: each gives what numpy gives, or a finding at its place; kernels come of them, too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from opkg.spec.compute.check import read_checked
from opkg.spec.compute.spellings import SPELLINGS
from opkg.spec.source_text import SourceText
from opkg.verify.api import VerifyOptions, verify

from .projects import generated, read
from .test_compute_meaning import OP, value

TEXTS = (
    "maximum(x, z)", "minimum(x, 0.25)", "absolute(x)", "power(absolute(x), 1.5)", "rint(x * 3)", "arcsin(x / 4)",
    "arctan(x)", "amax(x)", "amax(x, -2)", "amin(x, axis=(0, 2), keepdims=True)", "amax(x, axis=None)", "var(x)",
    "var(x, axis=-1)", "std(x, 1)", "std(x, axis=(-1, 0), keepdims=True)", "concatenate((x, z), axis=1)",
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_a_name_of_numpys_is_numpys_function(text: str) -> None:
    random = np.random.default_rng(len(text))
    given = {"x": random.uniform(-3, 3, (3, 5, 7)), "z": random.uniform(-3, 3, (3, 5, 7))}
    wanted = eval(text, {name: getattr(np, name) for name in SPELLINGS}, given)
    np.testing.assert_allclose(value(text, **given), wanted, rtol=1e-12, atol=1e-12)


def test_every_name_is_tried() -> None:
    assert {name for name in SPELLINGS if any(f"{name}(" in text for text in TEXTS)} == set(SPELLINGS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("maximum(x)", "maximum takes 2 operands"),
        ("minimum(x, axis=-1)", "minimum takes 2 operands"),
        ("amax()", "amax takes 1 operand, not 0"),
        ("std(x, 0, 1)", "std takes 1 operand, not 3"),
        ("var(x, ddof=1)", "var has no argument 'ddof'"),
        ("var(x, axis=-1, axis=0)", "'axis' is given twice"),
        ("amax(x, -1, axis=0)", "'axis' is given twice"),
        ("sum(x, axis=0, axis=1)", "'axis' is given twice"),
        ("absolut(x)", "no function 'absolut'"),
    ],
)
def test_what_numpy_would_not_take(text: str, message: str) -> None:
    compute, findings = read_checked(SourceText("f.yaml", f"y = {text}"), OP)
    assert compute is None
    (found,) = findings
    assert (found.id, found.message, found.span.line) == ("OPK143", message, 1)
    assert found.span.column >= len("y = ") + 1


OPS = """\
  Standard:
    types: {T: [float32, ufixed8, sfixed8]}
    inputs:
      x: {dtype: T, shape: [N..., C], rank: 1..4}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = minimum((x - mean(x, axis=-1, keepdims=True)) / (std(x, axis=-1, keepdims=True) + 0.125), 2)
"""


def test_kernels_are_generated_and_run(tmp_path: Path) -> None:
    package = read(tmp_path, OPS)
    generated(tmp_path, package)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=6, seed=3, check_current=False))
    assert result.ok, (result.diagnostics, result.failures)
    assert [cell.combination for cell in result.cells if len(cell.outcomes) >= 6] == ["f32", "u8", "s8"]
