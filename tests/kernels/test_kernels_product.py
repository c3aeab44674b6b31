"""Generated kernels compute what their specs say: whole packages, built and verified on the host in both interfaces."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from kernels_product import bools, failures, integers, only_portable, op_text, reals, verified

FORMS = """\
  Optional:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [N, C]}
      g: {dtype: T, shape: [C], optional: true}
      h: {dtype: T, shape: [C], optional: true}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      scaled = x * g if present(g) else x + 1
      y = scaled - h if present(h) else scaled
  Several:
    inputs: {a: {dtype: float32, shape: [N, C]}, b: {dtype: float32, shape: [C]}}
    outputs:
      sum: {dtype: float32, shape: [N, C]}
      big: {dtype: bool8, shape: [N, C]}
      square: {dtype: float32, shape: [C]}
    compute: sum = a + b; big = a > b; square = b * b
  Weights:
    inputs: {x: {dtype: float32, shape: [N, 3]}}
    params:
      w: {dtype: float32, shape: [3], default: [1, 2, 3]}
      mode: {dtype: uint32, enum: {up: 0, down: 1}, default: up}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = x * w if mode == up else x / w
  Truth:
    inputs: {a: {dtype: bool8, rank: 1..4}, b: {dtype: bool8, shape: a.shape}}
    outputs: {y: {dtype: bool8, shape: a.shape}}
    compute: y = (a and not b) or (a == b)
  Filled:
    inputs: {x: {dtype: float32, shape: [N, C]}}
    params: {value: {dtype: float32, default: 2.5}}
    outputs: {y: {dtype: float32, shape: [N, C]}, mean: {dtype: float32, shape: [N, C]}}
    compute: y = value * 2; mean = mean(x)
  SumRows:
    types: {T: [float32, ufixed8, int32]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, C]}, z: {dtype: T, shape: x.shape}}
    compute: |
      y = sum(x, axis=(1, 2))
      z = x - max(x, axis=(1, 2), keepdims=True)
  FirstAxis:
    inputs: {x: {dtype: float32, shape: [N, C]}, w: {dtype: float32, shape: [C]}}
    outputs: {y: {dtype: float32, shape: [N, C]}, low: {dtype: float32, shape: [C]}}
    compute: |
      low = min(x, axis=0)
      y = x * w - low
  ByRow:
    inputs: {x: {dtype: float32, shape: [N, C]}, w: {dtype: float32, shape: [N]}}
    outputs: {y: {dtype: float32, shape: [N]}}
    compute: y = prod(x, axis=-1) * w + mean(x * x, axis=-1)
  Choice:
    inputs: {x: {dtype: float32, shape: [N, H, C]}}
    params:
      axis: {dtype: int32, default: 1, range: -3 .. 2, axis_of: x}
      keep: {dtype: bool8, default: true}
    outputs: {y: {dtype: float32, shape: "reduce(x, [axis], keep)"}}
    compute: y = max(x, axis=axis, keepdims=keep) + min(x, axis=axis, keepdims=keep)
  Last:
    types: {T: [float32, ufixed16]}
    inputs: {x: {dtype: T, rank: 1..4}}
    params: {axis: {dtype: uint32, default: rank(x) - 1, axis_of: x}}
    outputs: {y: {dtype: T, shape: x.shape}}
    constraints: [axis == rank(x) - 1]
    compute: |
      centred = x - mean(x, axis=axis, keepdims=True)
      y = centred / (max(abs(centred), axis=axis, keepdims=True) + 0.01)
  Blocks:
    types: {T: [ufixed8, ufixed16]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
      b: {dtype: T, shape: x.shape}
      c: {dtype: T, shape: [C], static: true}
    outputs: {y: {dtype: T, shape: x.shape}}
    kernels: [{layout: crouton}]
    compute: y = max(x + b * 2, c)
  Threads:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: x.shape}}
    kernels: [{multithreaded: true, source_destructive: true, tiling: [1, 8, 0, 32]}]
    compute: y = tanh(x) * x
"""
SLOW = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck), "phases": [Phase.generate]}


@pytest.mark.parametrize(("how", "target"), [("portable", "qnn-htp-classic"), ("chosen", "qnn-htp-qhpi")])
def test_everything_that_a_computation_can_say(
    how: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "portable":
        only_portable(monkeypatch)
    result = verified(tmp_path, FORMS, target)
    assert not failures(result), failures(result)
    assert {cell.op for cell in result.cells} == {line.strip(" :") for line in FORMS.splitlines() if line[2] != " "}


@given(st.data())
@settings(max_examples=1, **SLOW)
def test_random_computations_in_portable_code(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    ops = []
    for number in range(14):
        text = data.draw(reals(("x", "b", "p", "k")), label=f"Real{number}")
        types = data.draw(st.sampled_from(("float32, ufixed8", "float16, sfixed16", "float32, sfixed8", "ufixed16")))
        ops.append(op_text(f"Real{number}", types, f"y = {text}"))
    for number in range(10):
        text = data.draw(integers(("x", "b", "k")), label=f"Whole{number}")
        types = data.draw(st.sampled_from(("int32, uint8", "int8, int16", "uint16")))
        ops.append(op_text(f"Whole{number}", types, f"y = {text}", "int32"))
    for number in range(4):
        text = data.draw(bools(("x", "b")), label=f"Test{number}")
        ops.append(op_text(f"Test{number}", "float32, int8, ufixed8", f"y = {text}", "bool8"))
    with pytest.MonkeyPatch.context() as patch:
        only_portable(patch)
        result = verified(tmp_path_factory.mktemp("random"), "".join(ops), cases=6)
    assert not failures(result), failures(result)


@given(st.data())
@settings(max_examples=1, **SLOW)
def test_random_computations_in_vectors(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    ops = []
    for number in range(4):
        text = data.draw(reals(("x", "b", "p"), 2), label=f"Real{number}")
        ops.append(
            op_text(f"Real{number}", data.draw(st.sampled_from(("ufixed8", "sfixed8", "ufixed16"))), f"y = {text}")
        )
    for number in range(4):
        text = data.draw(integers(("x", "b"), 2), label=f"Whole{number}")
        types = data.draw(st.sampled_from(("int32", "uint8", "int8", "int16")))
        ops.append(op_text(f"Whole{number}", types, f"y = {text}", "int32"))
    result = verified(tmp_path_factory.mktemp("random"), "".join(ops), "qnn-htp-classic", cases=12)
    assert not failures(result), failures(result)
