"""The case generator: what it finds by itself, what it keeps fixed, and what it says when it finds nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from opkg.verify.cases.calls import possible_calls
from opkg.verify.cases.case import Case
from opkg.verify.cases.casefile import render
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.cases.reference import References

from .projects import RELU, RELU_REFERENCE, cases_of, op_of


def _same(a: list[Case], b: list[Case]) -> bool:
    return render(a, "p") == render(b, "p")


def test_cases_depend_on_the_seed_only(tmp_path: Path) -> None:
    op = op_of(tmp_path, RELU, RELU_REFERENCE)
    assert _same(cases_of(tmp_path, op, seed=3), cases_of(tmp_path, op, seed=3))
    assert not _same(cases_of(tmp_path, op, seed=3), cases_of(tmp_path, op, seed=4))


def test_another_op_or_more_cases_change_nothing(tmp_path: Path) -> None:
    alone = cases_of(tmp_path, op_of(tmp_path, RELU, RELU_REFERENCE))
    both = RELU.replace("Relu:", "Abc:") + RELU
    op = op_of(tmp_path, both, name="Relu")
    assert _same(alone, cases_of(tmp_path, op))
    longer = cases_of(tmp_path, op, cases=40)
    assert [c.describe() for c in longer if int(c.id[-3:]) < 24] == [c.describe() for c in alone]


@pytest.mark.parametrize("only", ["u8-007", "7", "007"])
def test_one_case_is_made_as_in_the_whole_run(tmp_path: Path, only: str) -> None:
    op = op_of(tmp_path, RELU, RELU_REFERENCE)
    found = {c.id: c.describe() for c in cases_of(tmp_path, op, only=only)}
    every = {c.id: c.describe() for c in cases_of(tmp_path, op)}
    assert found["u8-007"] == every["u8-007"]
    assert len(found) == (1 if only == "u8-007" else 2)


def test_ranks_edges_and_quantisation_vary(tmp_path: Path) -> None:
    found = cases_of(tmp_path, op_of(tmp_path, RELU, RELU_REFERENCE))
    assert {len(c.inputs[0].shape) for c in found} == {1, 2, 3, 4}
    assert any(c.inputs[0].elements == 1 for c in found)
    assert any(c.inputs[0].shape[-1] % 32 for c in found)
    quantized = [c for c in found if c.inputs[0].quant]
    assert len({c.inputs[0].quant for c in quantized}) > 6
    stored = np.concatenate([c.inputs[0].stored.ravel() for c in quantized if c.inputs[0].stored is not None])
    assert {0, 255} <= set(stored.tolist())
    saturated = [c for c in quantized if c.expected[0].max() > 1.2 * 255 * c.outputs[0].quant.scale]  # type: ignore[union-attr]
    assert saturated
    floats = np.concatenate([c.inputs[0].stored.ravel() for c in found if c.inputs[0].quant is None])  # type: ignore[union-attr]
    assert np.any(np.signbit(floats) & (floats == 0))
    assert np.all(np.isfinite(floats))


MANY = """\
  Join:
    types: {T: [ufixed8, int32]}
    inputs:
      x: {dtype: T, rank: 1..4, variadic: 2..3}
    params:
      axis: {dtype: uint32, axis_of: x}
    outputs:
      y: {dtype: T, shape: "concat(axis, x)"}
    reference: references:join
  Blocks:
    types: {T: [float32]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
      w: {dtype: T, shape: [C, "2 * C"], static: true}
      b: {dtype: T, shape: ["2 * C"], optional: true}
    params:
      block: {dtype: uint32, shape: [2], default: [2, 2], range: 1 .. 8}
      mode: {dtype: uint32, default: 0, enum: {plain: 0, other: 1}}
      gain: {dtype: float32, default: 1.0, range: "> 0"}
    outputs:
      y: {dtype: T, shape: [N, "H / block[0]", "W / block[1]", "2 * C"]}
    constraints:
      - {require: "H % block[0] == 0 and W % block[1] == 0", message: block must divide}
      - {require: C >= 2, message: too few channels}
      - {require: H == 2 * W, message: twice as high as wide}
    reference: references:blocks
  Weights:
    types: {T: [sfixed8]}
    inputs:
      x: {dtype: T, shape: [M, C], quantization: {symmetric: true}}
      w: {dtype: T, shape: [C, K], quantization: {axis: 1, symmetric: true}}
      z: {dtype: T, shape: [M, C], quantization: same as x}
    outputs:
      y: {dtype: T, shape: [M, C], quantization: {scale: 0.25, offset: 3}}
      v: {dtype: T, shape: [M, C], quantization: same as x}
    reference: references:weights
  Broad:
    types: {T: [float32]}
    inputs:
      a: {dtype: T, rank: 1..4}
      b: {dtype: T, rank: 1..4}
    outputs:
      y: {dtype: T, shape: "broadcast(a, b)"}
    reference: references:broad
"""
MANY_REFERENCE = """\
import numpy as np

def join(x, axis):
    assert isinstance(x, list) and isinstance(axis, int)
    return np.concatenate(x, axis)

def blocks(x, w, b, block, mode, gain):
    assert block.shape == (2,) and isinstance(gain, float) and mode in (0, 1)
    assert b is None or b.shape == (w.shape[1],)
    return (x[:, ::block[0], ::block[1]] @ w + (0 if b is None else b)) * gain

def weights(x, w, z):
    return x + z, x

def broad(a, b):
    return a + b
"""


@pytest.fixture
def many(tmp_path: Path) -> dict[str, list[Case]]:
    names = ("Join", "Blocks", "Weights", "Broad")
    return {n: cases_of(tmp_path, op_of(tmp_path, MANY, MANY_REFERENCE, n), cases=30) for n in names}


def test_variadic_inputs_vary_in_count_and_along_the_axis(many: dict[str, list[Case]]) -> None:
    found = many["Join"]
    assert {len(c.inputs) for c in found} == {2, 3}
    assert any(c.inputs[0].shape != c.inputs[1].shape for c in found)
    assert found[0].inputs[1].name == "x.1"


def test_constraints_between_dimensions_and_params_are_solved(many: dict[str, list[Case]]) -> None:
    found = many["Blocks"]
    assert all(c.inputs[0].shape[1] == 2 * c.inputs[0].shape[2] for c in found)
    blocks = {p.value for c in found for p in c.params if p.spec.name == "block"}
    assert len(blocks) > 3
    given: dict[str, set[bool]] = {}
    for param in (p for c in found for p in c.params):
        given.setdefault(param.spec.name, set()).add(param.given)
    assert given == {"block": {True, False}, "mode": {True, False}, "gain": {True, False}}
    assert {c.inputs[2].absent for c in found} == {True, False}


def test_every_arrangement_has_its_turn_beside_those_of_enums(tmp_path: Path) -> None:
    """All defaults, what most callers give, among them."""
    op = op_of(tmp_path, MANY, MANY_REFERENCE, "Blocks")
    possible = possible_calls(op, op.combinations[0])
    wanted = {(len(call.inputs) == 3, call.params) for call in possible}
    assert len(wanted) == len(possible) > 8
    cases = cases_of(tmp_path, op, cases=2 * len(possible))
    found = {(not c.inputs[2].absent, tuple(p.spec.name for p in c.params if p.given)) for c in cases}
    assert found == wanted


def test_quantisation_constraints_hold(many: dict[str, list[Case]]) -> None:
    for case in many["Weights"]:
        x, w, z = case.inputs
        assert x.quant is not None
        assert w.quant is not None
        assert x.quant.offset == 0
        assert z.quant == x.quant
        assert (w.quant.axis, set(w.quant.offsets)) == (1, {0})
        assert len(w.quant.scales) == w.shape[1]
        assert (case.outputs[0].quant.scale, case.outputs[0].quant.offset) == (0.25, 3)  # type: ignore[union-attr]
        assert case.outputs[1].quant == x.quant


def test_broadcasting_shapes_differ(many: dict[str, list[Case]]) -> None:
    pairs = [(c.inputs[0].shape, c.inputs[1].shape) for c in many["Broad"]]
    assert any(a == b for a, b in pairs)
    assert any(len(a) > len(b) for a, b in pairs)
    assert any(len(a) < len(b) for a, b in pairs)
    assert any(len(a) == len(b) and a != b for a, b in pairs)


def test_impossible_constraints_ask_for_an_example(tmp_path: Path) -> None:
    ops = RELU + '    constraints:\n      - {require: "x.size == 7919 * 7919", message: a prime size}\n'
    op = op_of(tmp_path, ops, RELU_REFERENCE)
    loaded = References(tmp_path).load(op, tmp_path / "specs" / "test.yaml")
    cases, findings = generate(op, loaded, Plan(4))
    assert not cases
    assert {f.id for f in findings} == {"OPK420"}
    assert "a prime size" in findings[0].message
    assert findings[0].span == op.span


OWN = """\
    tests:
      cases:
        - {name: tall, x: {shape: [3, 5]}, y: {scale: 0.5, offset: -2}, when: {T: ufixed8}}
        - {x: {shape: [2, 2], values: [-1, 0, 1, 2]}}
"""


def test_own_cases_are_completed(tmp_path: Path) -> None:
    op = op_of(tmp_path, RELU + OWN, RELU_REFERENCE)
    found = {c.id: c for c in cases_of(tmp_path, op, cases=0)}
    assert list(found) == ["f32-case_2", "u8-tall", "u8-case_2"] or "u8-tall" in found
    tall = found["u8-tall"]
    assert tall.inputs[0].shape == (3, 5)
    assert tall.outputs[0].quant is not None
    assert (tall.outputs[0].quant.scale, tall.outputs[0].quant.offset) == (0.5, -2)
    plain = next(c for c in found.values() if c.id.startswith("f32"))
    assert plain.inputs[0].stored is not None
    assert plain.inputs[0].stored.tolist() == [[-1, 0], [1, 2]]
    assert plain.expected[0].tolist() == [[0, 0], [1, 2]]


def test_an_own_case_that_breaks_a_constraint_is_a_finding(tmp_path: Path) -> None:
    ops = RELU + '    constraints:\n      - {require: "x.size > 4", message: too small}\n'
    ops += "    tests:\n      cases:\n        - {x: {shape: [2, 2]}}\n"
    op = op_of(tmp_path, ops, RELU_REFERENCE)
    loaded = References(tmp_path).load(op, tmp_path / "specs" / "test.yaml")
    _, findings = generate(op, loaded, Plan(2))
    assert [f.id for f in findings] == ["OPK421", "OPK421"] or [f.id for f in findings] == ["OPK421"]
    assert "too small" in findings[0].message
    assert findings[0].span == op.tests.cases[0].span


def test_with_cases_of_its_own_an_op_needs_no_generated_ones(tmp_path: Path) -> None:
    ops = RELU + '    constraints:\n      - {require: "x.size == 7919", message: a prime size}\n'
    ops += "    tests:\n      cases:\n        - {x: {shape: [7919]}}\n"
    op = op_of(tmp_path, ops, RELU_REFERENCE)
    loaded = References(tmp_path).load(op, tmp_path / "specs" / "test.yaml")
    cases, findings = generate(op, loaded, Plan(2))
    assert [c.inputs[0].shape for c in cases] == [(7919,), (7919,)]
    assert [(f.id, f.is_error) for f in findings] == [("OPK420", False)] * len(findings)
    assert findings


MODES = """\
  Pick:
    inputs:
      x: {dtype: float32, shape: [...]}
    params:
      mode: {dtype: uint32, enum: [@NAMES@], default: A}
      inverse: {dtype: bool8, default: false}
    outputs:
      y: {dtype: float32, shape: x.shape}
    reference: references:pick
"""
PICK = """\
def pick(x, mode, inverse):
    return -x if inverse else x
"""


@pytest.mark.parametrize("names", ["AB", "ABC", "ABCD"])
@pytest.mark.parametrize("seed", range(7))
def test_every_value_of_an_enum_has_a_quarter_of_the_cases_and_the_corners(
    tmp_path: Path, names: str, seed: int
) -> None:
    """A fault in one branch alone must show whatever the seed: with vectors that are whole, short and one too long."""
    op = op_of(tmp_path, MODES.replace("@NAMES@", ", ".join(names)), PICK)
    cases = cases_of(tmp_path, op, seed=seed)
    numbered = [case for case in cases if case.id.rpartition("-")[2].isdecimal()]
    assert len(numbered) == 24
    for place, param in ((0, "mode"), (1, "inverse")):
        values = range(len(names)) if param == "mode" else (False, True)
        for value in values:
            mine = [case for case in numbered if case.params[place].value == value]
            assert len(mine) >= len(numbered) / 4, (param, value, len(mine))
            assert max(case.inputs[0].shape[-1] for case in mine) > 32
            corners = {case.inputs[0].shape[-1] for case in cases if case.params[place].value == value}
            assert {1, 127, 129} <= corners
    pairs = {(case.params[0].value, case.params[1].value) for case in numbered}
    assert len(pairs) == 2 * len(names)


def test_a_param_is_given_where_its_value_is_not_the_default(tmp_path: Path) -> None:
    op = op_of(tmp_path, MODES.replace("@NAMES@", "A, B"), PICK)
    cases = cases_of(tmp_path, op)
    assert all(p.given for case in cases for p in case.params if p.spec.name == "mode" and p.value != 0)
    assert any(not p.given for case in cases for p in case.params)


def test_a_case_names_the_values_of_enums(tmp_path: Path) -> None:
    op = op_of(tmp_path, MODES.replace("@NAMES@", "A, B"), PICK)
    told = {str(param) for case in cases_of(tmp_path, op) for param in case.params if param.spec.name == "mode"}
    assert {"mode=A (0)", "mode=B (1)"} <= told | {text.removesuffix(" (default)") for text in told}
    assert any("mode=B (1)" in case.describe() for case in cases_of(tmp_path, op))


@pytest.mark.parametrize("dtype", ["int32", "uint32"])
def test_lists_of_dimensions_have_each_once(tmp_path: Path, dtype: str) -> None:
    """Nothing of the spec says how many there are, and its shapes do not refuse repeated ones."""
    axes = "K" if dtype == "int32" else "2"
    op = op_of(
        tmp_path,
        f"""\
  Less:
    types: {{T: [float32, ufixed8]}}
    inputs: {{x: {{dtype: T, shape: [A, B, C]}}}}
    params: {{axes: {{dtype: {dtype}, shape: [{axes}], axis_of: x}}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    reference: references:less
""",
        "def less(x, axes):\n    return x - x.max(tuple(int(a) for a in axes), keepdims=True)\n",
    )
    lists = [tuple(np.atleast_1d(param.value)) for case in cases_of(tmp_path, op) for param in case.params]
    assert {len(found) for found in lists} == ({1, 2, 3} if axes == "K" else {2})
    assert all(len({axis % 3 for axis in found}) == len(found) for found in lists)


def test_integers_of_32_bits_reach_their_limits(tmp_path: Path) -> None:
    """Sums that wrap, and uint32 elements that are taken for int32 ones, show nowhere else."""
    op = """\
  Pick:
    types: {T: [int32, uint32]}
    inputs:
      x: {dtype: T}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = x
"""
    every = cases_of(tmp_path, op_of(tmp_path, op, ""))
    for dtype, suffix in ((np.int32, "i32-"), (np.uint32, "ui32-")):
        stored = [case.inputs[0].stored for case in every if case.id.startswith(suffix)]
        numbers = np.concatenate([np.ravel(x) for x in stored if x is not None])
        assert {np.iinfo(dtype).min, np.iinfo(dtype).max} <= set(numbers.tolist())
        assert np.unique(numbers[np.abs(numbers.astype(np.float64)) > 2.0**30]).size > 100
