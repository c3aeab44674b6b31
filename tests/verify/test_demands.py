"""The cases that an op with a computation always gets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from opkg.spec.model import Op
from opkg.spec.reader import read
from opkg.verify.cases.case import Case
from opkg.verify.cases.computed import Computed
from opkg.verify.cases.demands import LENGTHS, demands
from opkg.verify.cases.generate import Plan, generate

SPEC = b"""\
opkg: 1
package: {name: acme.test}
ops:
  Mix:
    types: {T: [float32, ufixed8, int32]}
    inputs:
      a: {dtype: T, shape: [...]}
      b: {dtype: T, shape: [...]}
    outputs:
      y: {dtype: T, shape: "broadcast(a, b)"}
    compute: y = a + b
  Even:
    inputs:
      x: {dtype: float32, shape: [N, C]}
    outputs:
      y: {dtype: float32, shape: x.shape}
    constraints:
      - {require: C % 2 == 0, message: C must be even}
    compute: y = x
  Noise:
    inputs:
      x: {dtype: ufixed8, shape: [N]}
    outputs:
      y: {dtype: ufixed8, shape: [N]}
    compute: y = x + 0.1 - 0.1 - x
  Small:
    inputs:
      x: {dtype: ufixed8, shape: [N]}
    outputs:
      y: {dtype: ufixed8, shape: [N]}
      z: {dtype: ufixed8, shape: [N]}
    compute: |
      y = x * 1e-13
      z = sigmoid(x - 60) / 3
  Plain:
    inputs:
      x: {dtype: float32, shape: [...]}
    outputs:
      y: {dtype: float32, shape: x.shape}
    reference: references:plain
"""


def op_of(name: str) -> Op:
    package, findings = read(SPEC, "f.yaml")
    assert package is not None, findings
    op = next(op for op in package.ops if op.name == name)
    return replace(op, kernels=tuple(replace(kernel, body="") for kernel in op.kernels))  # as generated kernels are


def cases(name: str, plan: Plan | None = None) -> dict[str, Case]:
    op = op_of(name)
    assert op.compute is not None
    found, findings = generate(op, Computed(op, op.compute), plan or Plan(cases=0))
    assert findings == []
    return {case.id: case for case in found}


def test_lengths_of_every_combination() -> None:
    found = cases("Mix")
    for suffix in ("f32", "u8", "i32"):
        for length in LENGTHS:
            shape = found[f"{suffix}-n{length}"].outputs[0].shape
            assert shape[-1] == length
            assert int(np.prod(shape)) == length


def test_floats_hold_nan_and_infinity() -> None:
    found = cases("Mix")
    stored = found["f32-special"].inputs[0].stored
    assert stored is not None
    assert np.isnan(stored).any()
    assert np.isinf(stored).any()
    assert "u8-special" not in found
    assert "i32-special" not in found


def test_kernels_of_the_users_see_no_nan() -> None:
    op = op_of("Mix")
    op = replace(op, kernels=tuple(replace(kernel, body="kernels/mix.cpp") for kernel in op.kernels))
    assert not any(demand.special for combination in op.combinations for demand in demands(op, combination))


def test_extreme_quantization() -> None:
    found = cases("Mix")
    zeros = {id: [t.quant.offset for t in found[f"u8-{id}"].inputs if t.quant] for id in ("zero-low", "zero-high")}
    assert zeros == {"zero-low": [0, 0], "zero-high": [-255, -255]}
    small, large = (t.quant.scale for t in found["u8-scales-apart"].inputs if t.quant)
    assert large / small > 1e6
    wide, narrow = found["u8-few-steps"].outputs[0], found["u8-saturated"].outputs[0]
    assert wide.quant is not None
    assert narrow.quant is not None
    wide_reach = 255 * wide.quant.scale / np.ptp(np.append(found["u8-few-steps"].expected[0], 0))
    assert wide_reach > 50
    assert 255 * narrow.quant.scale / np.ptp(np.append(found["u8-saturated"].expected[0], 0)) < 0.02


def test_no_scale_is_as_small_as_what_doubles_round() -> None:
    for case in cases("Noise").values():
        assert case.outputs[0].quant is not None
        assert case.outputs[0].quant.scale > 1e-3


def test_small_results_have_small_scales() -> None:
    for case in cases("Small").values():
        for tensor, expected in zip(case.outputs, case.expected, strict=True):
            assert tensor.quant is not None
            assert tensor.quant.scale <= np.abs(expected).max() or not np.any(expected)


def test_one_of_them_by_name() -> None:
    assert list(cases("Mix", Plan(cases=24, only="u8-n127"))) == ["u8-n127"]
    assert list(cases("Mix", Plan(cases=24, only="n127"))) == ["f32-n127", "u8-n127", "i32-n127"]
    assert list(cases("Mix", Plan(cases=24, only="u8-003"))) == ["u8-003"]


def test_what_a_constraint_forbids_becomes_what_it_allows() -> None:
    found = cases("Even")
    assert found["any-n128"].outputs[0].shape == (1, 128)
    assert all(case.outputs[0].shape[1] % 2 == 0 for case in found.values())


def test_ops_without_a_computation_get_none() -> None:
    op = op_of("Plain")
    assert demands(op, op.combinations[0]) == ()
