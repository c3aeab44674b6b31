"""Which dimensions an op couples, and cases whose tensors are larger along the others."""

from __future__ import annotations

import pytest

from opkg.kernels.coupling import Coupling, Uncut
from opkg.kernels.tileable import LARGEST, cut_places, find_coupling
from opkg.spec.model import Op
from opkg.spec.reader import read
from opkg.verify.cases.computed import Computed
from opkg.verify.cases.generate import Plan, large_cases

SPEC = """\
opkg: 1
package: {{name: a.b}}
ops:
  Op:
    types: {{T: [float32, ufixed8]}}
    inputs:
      x: {{dtype: T, {x}}}
    params:
      axis: {{dtype: uint32, default: 0, range: 0 .. 1, axis_of: x}}
      keep: {{dtype: bool8, default: true}}
    outputs:
      y: {{dtype: T, shape: {y}}}
    compute: {compute}
"""


def op_of(compute: str, y: str = "x.shape", x: str = "rank: 4") -> Op:
    package, found = read(SPEC.format(compute=compute, x=x, y=y).encode(), "s.yaml")
    assert package is not None, found
    return package.ops[0]


@pytest.mark.parametrize(
    ("op", "coupling"),
    [
        (op_of("y = x * x"), Coupling()),
        (op_of("y = x - max(x, axis=-1, keepdims=True)"), Coupling(frozenset({0}))),
        (op_of("y = x - max(x, axis=(1, 2), keepdims=True)"), Coupling(frozenset({1, 2}))),
        (op_of("y = max(x, axis=-1)", '"reduce(x, -1, false)"'), Coupling(frozenset({0}), dropped=True)),
        (op_of("y = x - max(x, axis=axis, keepdims=True)"), Coupling(axes="axis", rank=4)),
        (
            op_of("y = max(x, axis=axis, keepdims=keep)", '"reduce(x, [axis], keep)"'),
            Coupling(axes="axis", rank=4, dropped=True, keep="keep"),
        ),
    ],
)
def test_coupling(op: Op, coupling: Coupling) -> None:
    assert find_coupling(op) == coupling


def test_all_elements() -> None:
    with pytest.raises(Uncut, match="it reduces all elements"):
        find_coupling(op_of("y = x - max(x, keepdims=True)", x="rank: 2..4"))


@pytest.mark.parametrize(
    ("compute", "tiled"), [("y = x * x", True), ("y = x - max(x, axis=-1, keepdims=True)", True),
                           ("y = x - max(x, keepdims=True)", False)],
)  # fmt: skip
def test_large_cases(compute: str, tiled: bool) -> None:
    """Of the size that was asked for, or what an op that is not tiled takes; rows keep a usual length."""
    op = op_of(compute, x="rank: 2..4")
    assert op.compute is not None
    cases = list(large_cases(op, Computed(op, op.compute), Plan(large=1 << 23)))
    assert [case.id for case in cases] == ["f32-large", "u8-large"]
    for case in cases:
        (x,) = case.inputs
        assert x.stored is not None
        assert (1 << 23 <= x.stored.nbytes <= 1 << 24) if tiled else (LARGEST // 2 <= x.stored.nbytes <= LARGEST)
        assert not tiled or x.shape[-1] <= 1 << 10
        assert (cut_places(op, case.combination, None) is not None) == tiled
