"""Kernels by hand in a tree: the user's file is compiled with the layer, and gets what the spec says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from onert_graph import Graphs
from onert_kit import package_of

from opkg.spec.model import Op
from opkg.targets.onert.by_hand import carried, foreign, owned
from opkg.targets.onert.lint import in_tree
from opkg.targets.onert.types import usable
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.meaning.numbers import Array, Quant, storage

SPEC = """\
opkg: 1
package: {name: acme.hand, version: 1.0.0, targets: [onert]}
ops:
  Deal:
    summary: channels dealt into groups
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [N, C]}
    params:
      groups: {dtype: uint32, default: 2, range: 1 .. C}
    outputs:
      y: {dtype: T, shape: x.shape, quantization: same as x}
    constraints:
      - C % groups == 0
    kernels: [{body: kernels/both.cpp}]
    reference: references:deal
  Gains:
    summary: gains along a dimension, and a bias that may be absent
    types: {T: [float32, sfixed8]}
    inputs:
      x: {dtype: T, rank: 1..4}
      bias: {dtype: T, shape: x.shape, optional: true}
    params:
      gains: {dtype: float32, shape: [2]}
      axis: {dtype: int32, default: -1, axis_of: x}
    outputs:
      y: {dtype: T, shape: x.shape}
    kernels: [{body: kernels/both.cpp}]
    reference: references:gains
  Blocks:
    summary: only in blocks
    inputs:
      x: {dtype: float32, shape: [N, H, W, C]}
    outputs:
      y: {dtype: float32, shape: x.shape}
    kernels: [{layout: crouton, body: kernels/blocks.cpp}]
    reference: references:blocks
"""
BODY = """\
// Two ops in one file.
#include <cstddef>

#include "acme_hand/deal.h"
#  include "acme_hand/gains.h"
#include "opkg/kernel.h"

namespace acme_hand {

template <typename Args>
static opkg::Status deal(const Args& op) {
  const size_t channels = op.x.dim(-1), members = channels / op.groups;
  for (size_t i = 0; i < op.x.size(); ++i) {
    const size_t channel = i % channels;
    op.y[i - channel + channel % members * op.groups + channel / members] = op.x[i];
  }
  return opkg::Status::ok;
}
opkg::Status deal_f32(const DealArgsF32& op) { return deal(op); }
opkg::Status deal_u8(const DealArgsU8& op) { return deal(op); }

template <typename Args>
static opkg::Status gain(const Args& op) {
  const uint32_t axis = static_cast<uint32_t>(op.axis < 0 ? op.axis + static_cast<int>(op.x.rank) : op.axis);
  const size_t inner = op.x.span(axis + 1, op.x.rank);
  for (size_t i = 0; i < op.x.size(); ++i) {
    const float gain = op.gains[i / inner % op.x.dims[axis] % op.gains.size()];
    op.y.store(i, op.x.load(i) * gain + (op.bias ? op.bias.load(i) : 0.0f));
  }
  return opkg::Status::ok;
}
opkg::Status gains_f32(const GainsArgsF32& op) { return gain(op); }
opkg::Status gains_s8(const GainsArgsS8& op) { return gain(op); }

}  // namespace acme_hand
"""
PACKAGE = package_of(SPEC)
pytestmark = pytest.mark.xdist_group("onert_by_hand")  # compiled once


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Graphs:
    inside = replace(PACKAGE, ops=tuple(op for op in PACKAGE.ops if in_tree(op)))
    return Graphs(tmp_path_factory.mktemp("hand"), inside, by_hand={"kernels/both.cpp": BODY})


def _case(op: Op, which: int, inputs: dict[str, Array | None], params: dict[str, object]) -> Case:
    combination = usable(op)[which]
    tensors = []
    x = inputs["x"]
    assert x is not None
    for tensor in op.tensors:
        dtype = tensor.dtype.of(combination)
        quant = Quant((0.5,), (0,)) if dtype.quantized else None
        stored = inputs.get(tensor.name)
        absent = tensor in op.inputs and stored is None
        tensors.append(CaseTensor(tensor.name, tensor, dtype, x.shape, quant, stored, absent))
    given = tuple(CaseParam(p, params[p.name], (2,) if p.shape is not None else None, True) for p in op.params)  # type: ignore[arg-type]
    count = len(op.inputs)
    return Case(op, combination, "case", op.span, tuple(tensors[:count]), given, tuple(tensors[count:]))


def _result(built: Graphs, case: Case) -> Array:
    got = built.run(case)
    assert got.stage == 0, got.message
    return np.frombuffer(got.result.outputs[0].data, storage(case.outputs[0].dtype))


def test_results(built: Graphs) -> None:
    deal, gains, _ = PACKAGE.ops
    x = np.arange(17 * 6, dtype=np.float32).reshape(17, 6)
    wanted = x.reshape(17, 3, 2).swapaxes(1, 2).reshape(17, 6)
    assert (_result(built, _case(deal, 0, {"x": x}, {"groups": 3})) == wanted.ravel()).all()
    stored = x.astype(np.uint8)
    assert (_result(built, _case(deal, 1, {"x": stored}, {"groups": 3})) == wanted.astype(np.uint8).ravel()).all()
    assert built.run(_case(deal, 0, {"x": x}, {"groups": 4})).stage == 2
    for axis, factor in ((-1, np.array([2.0, -1.0] * 3)), (0, np.array([2.0, -1.0] * 9)[:17, None])):
        params = {"gains": (2.0, -1.0), "axis": axis}
        assert (_result(built, _case(gains, 0, {"x": x, "bias": None}, params)) == (x * factor).ravel()).all()
        with_bias = _result(built, _case(gains, 0, {"x": x, "bias": x}, params))
        assert (with_bias == (x * factor + x).ravel()).all()
    small = (x % 7 - 3).astype(np.int8)
    quantized = _result(built, _case(gains, 1, {"x": small, "bias": None}, {"gains": (2.0, -1.0), "axis": 1}))
    assert (quantized == (small * np.array([2, -1] * 3)).ravel()).all()


def test_generated_tests(built: Graphs) -> None:
    shown = built.tests()
    for name in ("Deal.static_shape", "Gains.dynamic_shape", "GenModelTest.OneOp_Deal", "GenModelTest.OneOp_Gains"):
        assert f"ok {name}\n" in shown


def test_what_is_carried() -> None:
    """One file of several ops goes in once; includes of generated headers become the tree's."""
    _, gains, blocks = PACKAGE.ops
    assert [owned(PACKAGE, op) for op in PACKAGE.ops] == [[("kernels/both.cpp", "DealKernel.cpp")], [], []]
    assert in_tree(gains)
    assert not in_tree(blocks)
    assert carried(PACKAGE, BODY) == (
        BODY.replace("acme_hand/deal.h", "DealKernel.h")
        .replace("acme_hand/gains.h", "GainsKernel.h")
        .replace("opkg/kernel.h", "acme_hand_kernel.h")
    )
    assert not list(foreign(PACKAGE, BODY))
    more = BODY.replace("#include <cstddef>", '#include "helpers.h"\n#include "acme_hand/blocks.h"')
    assert list(foreign(PACKAGE, more)) == [("helpers.h", 2), ("acme_hand/blocks.h", 3)]
