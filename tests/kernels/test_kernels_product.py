"""Generated kernels compute what their specs say: whole packages, built and verified on the host in both interfaces."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from kernels_product import expression, failures, only_portable, op_text, verified

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
      size = mean(abs(x), axis=axis, keepdims=True) + max(abs(x), axis=axis, keepdims=True)
      y = x / (size + 0.01)
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


def _random_ops(seed: int, reals: int, wholes: int, tests: int, depth: int) -> str:
    rng = random.Random(seed)
    types = ("float32, ufixed8", "float16, sfixed16", "float32, sfixed8", "ufixed16")
    exact = ("ufixed8", "sfixed8", "ufixed16")  # what is exact or within a step, whatever is computed
    ops = []
    for number in range(reals):
        value = expression(rng, "R", ("x", "b", "p", "k"), depth)
        ops.append(op_text(f"Real{number}", rng.choice(types if depth > 2 else exact), value))
    for number in range(wholes):
        value = expression(rng, "I", ("x", "b", "k"), depth)
        ops.append(op_text(f"Whole{number}", rng.choice(("int32, uint8", "int8, int16", "uint16")), value, "int32"))
    for number in range(tests):
        value = expression(rng, "B", ("x", "b"), depth)
        ops.append(op_text(f"Test{number}", rng.choice(("float32, int8", "ufixed8, int32")), value, "bool8"))
    return "".join(ops)


@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=2, **SLOW)
def test_random_computations_in_portable_code(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        only_portable(patch)
        result = verified(tmp_path_factory.mktemp("random"), _random_ops(seed, 4, 3, 1, 3), "qnn-htp-qhpi", cases=6)
    assert not failures(result), failures(result)


@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=2, **SLOW)
def test_random_computations_in_vectors(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    ops = _random_ops(seed, 2, 1, 1, 2)
    result = verified(tmp_path_factory.mktemp("random"), ops, "qnn-htp-classic", cases=10)
    assert not failures(result), failures(result)


def test_ops_that_are_words_of_cpp(tmp_path: Path) -> None:
    """Kernels of an op with one signature have its name, which `not`, `union` and `assert` cannot be."""
    names, tensors = ("Not", "Union", "Assert"), "{x: {dtype: float32, shape: [A, C]}}"
    outputs = "{y: {dtype: float32, shape: x.shape}}"
    ops = "".join(f"  {n}: {{inputs: {tensors}, outputs: {outputs}, compute: y = x + 1}}\n" for n in names)
    result = verified(tmp_path, ops, "qnn-htp-qhpi", "qnn-htp-classic", cases=1)
    assert failures(result) == ""
    assert {cell.op for cell in result.cells} == set(names)
