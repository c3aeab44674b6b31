"""The calls that cases make are those for which the QHPI target makes kernel records."""

from __future__ import annotations

from pathlib import Path

from opkg.spec.model import Op
from opkg.targets.qnn_common.arrangements import arrangements
from opkg.targets.qnn_htp_qhpi import plan
from opkg.verify.cases.calls import possible_calls
from opkg.verify.cases.casefile import render

from .projects import cases_of, op_of

NORM = """\
  Norm:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [N, C]}
      gamma: {dtype: T, shape: [C], optional: true}
      beta: {dtype: T, shape: [C], optional: true}
      index: {dtype: int32, shape: [C], optional: true}
    params:
      axis: {dtype: uint32, default: 1}
      eps: {dtype: float32, default: 0.5}
      keep: {dtype: bool8, default: false}
    outputs:
      y: {dtype: T, shape: x.shape}
    reference: references:norm
"""
REFERENCE = "def norm(x, gamma, beta, index, axis, eps, keep):\n    return x\n"


def _agree(op: Op) -> None:
    for kernel in op.kernels:
        records = arrangements(op, kernel.combination, plan.arrangement_key(kernel))
        order = {p.name: i for i, p in enumerate(op.params)}
        wanted = {
            (tuple(i for i in a.inputs if i[0] not in a.nulls), a.params, a.outputs, a.nulls)
            for a in records
            if [order[n] for n in a.params] == sorted(order[n] for n in a.params)
        }
        made = {(c.inputs, c.params, c.outputs, c.nulls) for c in possible_calls(op, kernel.combination)}
        assert made <= wanted
        assert made


def test_every_call_has_a_record(tmp_path: Path) -> None:
    _agree(op_of(tmp_path, NORM, REFERENCE))


def test_inputs_in_the_middle_are_null_and_at_the_end_missing(tmp_path: Path) -> None:
    cases = cases_of(tmp_path, op_of(tmp_path, NORM, REFERENCE), cases=60)
    text, _ = render(cases, "acme.test")
    lines = [line.split() for line in text.splitlines()]
    nulls = [line for line in lines if line[0] == "tensor" and line[2] == "null"]
    assert nulls
    assert all(line[4:] == ["0", "none", "-", "-"] for line in nulls)
    counts = {line[4] for line in lines if line[0] == "node"}
    assert counts >= {"1", "2", "4"}


def test_ambiguous_calls_are_not_made(tmp_path: Path) -> None:
    op = op_of(tmp_path, NORM, REFERENCE)
    floats = op.combinations[0]
    # x gamma eps and x gamma beta are all float32: the second looks like the first
    keys = [(len(c.inputs) + len(c.nulls), c.params) for c in possible_calls(op, floats)]
    assert (2, ("axis", "eps", "keep")) in keys
