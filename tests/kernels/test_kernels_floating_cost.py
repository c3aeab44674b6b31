"""What loops of floats cost by their schedule: the packets of careful code by hand, or near them."""

from __future__ import annotations

import pytest
from kernels_kit import absent

from opkg.kernels.cost import packets
from opkg.spec.reader import read
from opkg.verify.bench.measure import objdump
from opkg.verify.bench.static import schedule
from opkg.verify.bench.subject import subjects
from opkg.verify.machines.hexagon import toolchain

SPEC = """\
opkg: 1
package: {{name: t.floats, targets: [qnn-htp-qhpi]}}
ops:
  Op:
    inputs: {{a: {{dtype: float32}}{more}}}
    outputs: {{y: {{dtype: float32, shape: a.shape}}}}
    compute: y = {text}
"""
MORE = ", b: {dtype: float32, shape: a.shape}"


@pytest.mark.parametrize(
    ("text", "most"), [("sigmoid(a)", 30.5), ("rsqrt(a)", 15.5), ("sqrt(a)", 21.5), ("a / b", 21.0)]
)
def test_loops_of_four_turns(text: str, most: float) -> None:
    """By hand sigmoid takes 30, rsqrt 15 and a quotient within 2 ulp 23."""
    if toolchain.missing() or objdump() is None:
        absent("no compiler or disassembler for Hexagon")
    package, _ = read(SPEC.format(text=text, more=MORE if "b" in text else "").encode(), "s.yaml")
    assert package is not None
    (subject,) = subjects(package.ops[0])
    found = schedule(subject, "v73", 4)
    assert found is not None
    assert found.floor <= found.packets
    assert found.cost <= most
    assert subject.lowered is not None
    assert packets(subject.lowered, "v73").packets <= found.packets


ROTATION = """\
opkg: 1
package: {name: t.floats, targets: [qnn-htp-qhpi]}
ops:
  Op:
    inputs:
      a: {dtype: TYPE}
      b: {dtype: TYPE, shape: a.shape}
      c: {dtype: TYPE, shape: a.shape}
      s: {dtype: TYPE, shape: a.shape}
    outputs: {y: {dtype: TYPE, shape: a.shape}, z: {dtype: TYPE, shape: a.shape}}
    compute: |
      y = a * c - b * s
      z = a * s + b * c
"""


@pytest.mark.parametrize(("dtype", "least", "most"), [("float32", 2.6, 3.0), ("float16", 8.1, 9.0)])
def test_a_rotation_makes_two_steps_a_turn(dtype: str, least: float, most: float) -> None:
    """By hand single precision takes 2.6 packets for each of the two vectors; four steps a turn take 2.75. How the compiler
    orders a loop hangs on names, too."""
    if toolchain.missing() or objdump() is None:
        absent("no compiler or disassembler for Hexagon")
    costs = []
    for name in ("Op", "Q", "Rotate", "Apply"):
        package, _ = read(ROTATION.replace("TYPE", dtype).replace("  Op:", f"  {name}:").encode(), "s.yaml")
        assert package is not None
        (subject,) = subjects(package.ops[0])
        assert subject.lowered is not None
        found = schedule(subject, "v73", subject.lowered.unroll)
        assert found is not None
        costs.append(found.cost / 2)
    assert min(costs) <= least
    assert max(costs) <= most


SOFTMAX = """\
opkg: 1
package: {name: t.floats, targets: [qnn-htp-qhpi]}
ops:
  Soft:
    inputs: {x: {dtype: TYPE, shape: [batch..., C]}}
    outputs: {y: {dtype: TYPE, shape: x.shape}}
    compute: |
      e = exp(x - max(x, axis=-1, keepdims=True))
      y = e / sum(e, axis=-1, keepdims=True)
"""


def test_softmax_makes_exponentials_once() -> None:
    """Of 16 bits that is in fixed point, of several rows at a time (test_kernels_soft.py)."""
    if toolchain.missing() or objdump() is None:
        absent("no compiler or disassembler for Hexagon")
    package, _ = read(SOFTMAX.replace("TYPE", "float32").encode(), "s.yaml")
    assert package is not None
    (subject,) = subjects(package.ops[0])
    found = schedule(subject, "v73", 1)
    assert found is not None
    assert 20.0 < found.cost <= 36.0
