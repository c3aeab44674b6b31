"""Outputs with open shapes have the ones of their computations."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.spec.model import TensorSpec
from opkg.spec.reader import read, read_file

SPEC = """opkg: 1
package: {{name: acme.open}}
ops:
  Op:
    inputs:
      x: {{dtype: float32, shape: {x}}}
      g: {{dtype: float32, shape: [C]}}
      i: {{dtype: int32, shape: [K]}}
      o: {{dtype: float32, shape: [M, N], optional: true}}
    params: {{p: {{dtype: float32, default: 1.0}}}}
    outputs: {{y: {{dtype: float32, shape: {y}}}}}
    compute: |
      s = sum(x)
      t = (x + g * 0) * (i[0] + (0 if not present(o) else 1))
      y = {value}
"""


def output(folder: Path, value: str, x: str = "[A, B, C]", y: str = "[...]") -> TensorSpec:
    path = folder / "open.yaml"
    path.write_text(SPEC.format(value=value, x=x, y=y), encoding="utf-8")
    package, findings = read_file(path, "open.yaml")
    assert package is not None, findings
    return package.ops[0].outputs[0]


@pytest.mark.parametrize(
    ("value", "shape", "rank"),
    [
        ("x * 2", "[A, B, C]", 3),
        ("x + g", "[A, B, C]", 3),
        ("transpose(x, (2, 0, 1))", "[C, A, B]", 3),
        ("max(x, axis=1, keepdims=True)", "[A, 1, C]", 3),
        ("mean(x, axis=(0, 2))", "[B]", 1),
        ("take(x, i, axis=1)", "[A, K, C]", 3),
        ("x[:, 0]", "[A, C]", 2),
        ("x[:, None]", "[A, 1, B, C]", 4),
        ("s", "[1]", 1),
        ("s * p + 1", "[1]", 1),
        ("x[..., : C // 2]", "[A, B, C // 2]", 3),
        ("x[..., C // 2 :] * 2", "[A, B, C - C // 2]", 3),
        ("x[:, : x.shape[1] // 3, ::2]", "[A, B // 3, (C + 1) // 2]", 3),
        ("x[..., C // 4 : C - C // 4]", "[A, B, C - C // 4 - C // 4]", 3),
        ("concat(-x[..., C // 2 :], x[..., : C // 2], axis=-1)", "[A, B, C]", 3),
        ("x[..., : C // 2 - 1]", "[...]", 3),  # of C of 1, that is the last one from the end
        ("x[..., 2:]", "[...]", 3),  # C - 2, unless it is shorter
        ("concat(x, x, axis=1)", "[...]", 3),  # 2 * B is no dimension that is known
        ("pad(x, ((0, 0), (1, 1), (0, 0)))", "[...]", 3),
        ("o if present(o) else x[0]", "[...]", 2),
    ],
)
def test_shapes(tmp_path: Path, value: str, shape: str, rank: int) -> None:
    found = output(tmp_path, value)
    assert found.shape.text == shape
    assert (found.ranks.low, found.ranks.high) == (rank, rank)


def test_shapes_of_open_inputs(tmp_path: Path) -> None:
    assert output(tmp_path, "abs(x)", "[...]").shape.text == "x.shape"
    assert output(tmp_path, "abs(x)", "[batch..., C]").shape.text == "[batch..., C]"
    assert output(tmp_path, "mean(x, axis=-1)", "[batch..., C]").shape.text == "[batch...]"
    whole = output(tmp_path, "cumsum(x, axis=-1) + g", "[...]")
    assert (whole.shape.text, whole.ranks.low, whole.ranks.high) == ("[...]", 1, 5)


def test_what_is_said_stays(tmp_path: Path) -> None:
    """A number fills an output whatever its shape is; a shape that is not open is the author's."""
    assert output(tmp_path, "p").shape.text == "[...]"
    assert output(tmp_path, "p + 1").ranks.high == 5
    assert output(tmp_path, "x", y="[A, B, ...]").shape.text == "[A, B, ...]"
    assert output(tmp_path, "x", y="[A, B, ...]").ranks.high == 3


def test_dimensions_in_front_of_brackets_stay(tmp_path: Path) -> None:
    found = output(tmp_path, "x[..., : C // 2]", x="[batch..., C]")
    assert found.shape.text == "[batch..., C // 2]"


@pytest.mark.parametrize(("constraint", "fits"), [("C % 2 == 0", True), ("C % 3 == 0", False), ("C == A", True)])
def test_halves_meet_where_constraints_say_so(constraint: str, fits: bool) -> None:
    text = SPEC.format(x="[A, B, C]", y="[...]", value="x[..., : C // 2] * x[..., C // 2 :]")
    package, findings = read(f"{text}    constraints: [{constraint}]\n".encode(), "open.yaml")
    assert (package is not None) is fits
    hints = [finding.hint for finding in findings if finding.id == "OPK148"]
    assert hints == ([] if fits else ['constraints: ["C % 2 == 0"]'])
