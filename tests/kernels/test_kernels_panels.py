"""Functions of rows reduced in single precision, and rows whose elements lie apart, in panels: packages against references."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from kernels_kit import snippets_of
from kernels_product import expression, failures, generated

from opkg.kernels.choose import choose
from opkg.kernels.sequence import Sequence
from opkg.verify.api import VerifyOptions, verify

# Of both tensors, of one number for each element of a row, of one for each row; panels of one row and of several.
APART = """\
  Apart:
    types: {T: [ufixed8, float32]}
    inputs: {x: {dtype: T, shape: [N, C, W]}, z: {dtype: T, shape: [N, C, W]}}
    outputs: {y: {dtype: T, shape: [N, 1, W]}}
    compute: y = mean(abs(x - z), axis=1, keepdims=True)
    tests:
      cases:
        - {x: {shape: [2, 17, 133]}, z: {shape: [2, 17, 133]}}
        - {x: {shape: [2, 1000, 3]}, z: {shape: [2, 1000, 3]}}
        - {x: {shape: [1, 100, 1]}, z: {shape: [1, 100, 1]}}
        - {x: {shape: [3, 1, 5]}, z: {shape: [3, 1, 5]}}
  Steep:
    types: {T: [ufixed8, float16]}
    inputs: {x: {dtype: T, shape: [N, C, W]}, g: {dtype: T, shape: [C, 1]}, b: {dtype: T, shape: [W]}}
    outputs: {y: {dtype: T, shape: [N, C, W]}}
    compute: y = x * g / (mean(abs(x), axis=1, keepdims=True) + 0.1) + b
    tests:
      cases:
        - {x: {shape: [2, 24, 24]}, g: {shape: [24, 1]}, b: {shape: [24]}}
        - {x: {shape: [1, 3, 100]}, g: {shape: [3, 1]}, b: {shape: [100]}}
  Outer:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [1, H, W, 1]}}
    compute: |
      m = max(x, axis=(0, 3), keepdims=True)
      y = m + log(sum(exp(x - m), axis=(0, 3), keepdims=True))
"""
# Curves that meet where a choice changes.
ROWS = """\
  Huber:
    types: {T: [ufixed16, sfixed8]}
    inputs: {x: {dtype: T, shape: [A, C]}, z: {dtype: T, shape: [A, C]}}
    params: {delta: {dtype: float32, default: 1.5, range: 0.25 .. 4}}
    outputs: {y: {dtype: T, shape: [A]}}
    compute: |
      d = x - z
      y = mean(where(abs(d) > delta, delta * abs(d) - 0.5 * delta * delta, 0.5 * d * d), axis=-1)
    tests: {cases: [{x: {shape: [7, 1]}, z: {shape: [7, 1]}}, {x: {shape: [3, 1000]}, z: {shape: [3, 1000]}}]}
"""
# Shapes that no spec tells: in these calls an input has as many rows as its tensor has columns.
OPEN = """\
  Open:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 3}, g: {dtype: T, rank: 1..3}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * g / (mean(x * x, axis=1, keepdims=True) + 0.1)
    tests:
      cases:
        - {name: rows, x: {shape: [2, 40, 40]}, g: {shape: [40, 1]}}
        - {name: images, x: {shape: [40, 3, 40]}, g: {shape: [40, 1, 1]}}
"""
ENTROPY = """\
  Entropy:
    inputs: {p: {dtype: ufixed8, shape: [A, C]}}
    outputs: {y: {dtype: ufixed8, shape: [A]}}
    compute: y = -sum(max(p, 0.0) * log(max(p, 0.0) + 0.00001), axis=-1)
"""


def test_a_package_against_its_references(tmp_path: Path) -> None:
    package = generated(tmp_path, APART + ROWS)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=3, check_current=False))
    assert failures(result) == ""
    for cell in result.cells:  # calls whose results are too fine for single precision are portable
        assert cell.paths.vector > cell.paths.portable, (cell.op, str(cell.types), cell.paths)


def test_rows_are_no_columns(tmp_path: Path) -> None:
    package = generated(tmp_path, OPEN)
    for case in ("f32-rows", "f32-images"):
        result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=1, case=case, check_current=False))
        assert failures(result) == ""
        assert sum(len(cell.outcomes) for cell in result.cells) == 1


def test_which_rows_are_brought_into_panels() -> None:
    """Columns come first; an input along the columns of a norm has no number for each of them."""
    text = "compute: y = x * g / (mean(abs(x), axis=1, keepdims=True) + 0.1) + b"
    assert text in APART
    for compute, panels in ((text, True), (text.replace("* g ", ""), False)):
        shapes = {"x": "[N, C, W]", "g": "[C, 1]", "b": "[W]"}
        inputs = ", ".join(f"{name}: {{dtype: float16, shape: {shape}}}" for name, shape in shapes.items())
        outputs = "{y: {dtype: float16, shape: x.shape}}"
        (snippet,) = snippets_of(f"  A:\n    inputs: {{{inputs}}}\n    outputs: {outputs}\n    {compute}\n")
        found = choose(snippet)
        assert found is not None
        assert isinstance(found.lowered, Sequence)
        assert found.lowered.panels is panels, found


def test_choices_that_jump_are_portable() -> None:
    for other, vectors in (("1.0 * abs(x - z) - 0.5", True), ("1.0 * abs(x - z) - 0.25", False)):
        compute = f"y = mean(where(abs(x - z) < 1, 0.5 * (x - z) * (x - z), {other}), axis=-1)"
        inputs = "inputs: {x: {dtype: ufixed8, shape: [A, C]}, z: {dtype: ufixed8, shape: [A, C]}}"
        (snippet,) = snippets_of(
            f"  A:\n    {inputs}\n    outputs: {{y: {{dtype: ufixed8, shape: [A]}}}}\n    compute: {compute}\n"
        )
        assert (choose(snippet) is not None) is vectors


def test_entropies_are_sums_of_tables() -> None:
    (snippet,) = snippets_of(ENTROPY)
    found = choose(snippet)
    assert found is not None
    assert found.lowered is not None
    assert not found.lowered.float_unit
    assert any("* mul_spread.unit" in line for line in found.lowered.prepare)


def _random_op(rng: random.Random, number: int) -> str:
    """An op that reduces a random function of two tensors, along rows or down columns."""
    axis = rng.choice((-1, 1))
    fold, value = rng.choice(("mean", "sum", "max", "min")), expression(rng, "R", ["x", "z"])
    reduced = f"{fold}({value} + x * 0, axis={axis}, keepdims=True)"
    full = rng.random() < 0.4
    shape = "[N, C, W]" if full else "[N, C, 1]" if axis == -1 else "[N, 1, W]"
    both = [f"{{x: {{shape: {dims}}}, z: {{shape: {dims}}}}}" for dims in ("[2, 3, 17]", "[1, 100, 5]")]
    return f"""\
  R{number}:
    types: {{T: [{rng.choice(("ufixed8", "sfixed8"))}, {rng.choice(("ufixed16", "sfixed16"))}]}}
    inputs: {{x: {{dtype: T, shape: [N, C, W]}}, z: {{dtype: T, shape: [N, C, W]}}}}
    outputs: {{y: {{dtype: T, shape: {shape}}}}}
    compute: "y = {f"x * 0.5 + z * {reduced}" if full else reduced}"
    tests: {{cases: [{", ".join(both)}]}}
"""


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(4, 7))
def test_random_functions(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    package = generated(tmp_path, "".join([_random_op(rng, number) for number in range(7)]), types="all")
    assert failures(verify(tmp_path, [package], VerifyOptions(on=("host",), cases=5, check_current=False))) == ""
