"""What random specs found wrong, each computation and call as small as it still was wrong; all in one package, on the host."""

from __future__ import annotations

import pytest
from kernels_product import failures, verified

from opkg.verify.judge.outcome import VerifyResult

# Rows that share results: slices of a call wrote the same bytes, panels beyond the end of an output and in steps of 0 bytes.
SHARED = """\
  Shared:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: "[batch..., C]", rank: 1..4}, g: {dtype: T, shape: [C]}}
    outputs: {y: {dtype: T, shape: [...]}, z: {dtype: T, shape: [...]}}
    compute: |
      y = max(x - g, axis=-1, keepdims=True)
      z = clip(ceil(-g), 0.5, 1)
    tests: {cases: [{x: {shape: [4, 4, 5, 63]}}]}
  Panels:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, n: {dtype: T, shape: [N, 1, 1, C]}}
    outputs: {y: {dtype: T, shape: [...]}, z: {dtype: T, shape: [...]}}
    compute: |
      y = sum(x, axis=(1, 3)) * 0.5
      z = n * n
    tests: {cases: [{x: {shape: [31, 1, 129, 1]}}, {x: {shape: [4, 2, 1, 128]}}]}
"""
# A part of a sum of bytes and of something else left 16 bits before the start was added to it: signs were wrong.
SUMS = """\
  Sums:
    types: {T: [ufixed8]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
      o: {dtype: T, shape: [1, 1, 1, 1]}
      n: {dtype: T, shape: [N, 1, 1, 1]}
      q: {dtype: T, shape: [1, H, W, 1]}
    outputs: {y: {dtype: T, shape: [...]}}
    compute: y = (erf(round(o)) + x + n) * q
    tests:
      cases:
        - x: {shape: [6, 6, 1, 65], scale: 0.058, offset: -191}
          o: {scale: 0.0078, offset: -127}
          n: {scale: 0.06, offset: -127}
          q: {scale: 0.0235, offset: 0}
          y: {scale: 0.178, offset: -111}
"""
# A kernel without loads could not be generated, nor a choice of the number of a column of floats; compilers warned of x == x.
CHOICES = """\
  Constant:
    inputs: {x: {dtype: uint8, shape: [B, C]}, g: {dtype: uint8, shape: [C]}}
    outputs: {y: {dtype: uint8, shape: x.shape}}
    compute: y = cast((((g >> 3) + x) >> 15), uint8)
  Columns:
    inputs: {x: {dtype: float32, shape: [N, H, W, C]}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = mean(x, axis=2, keepdims=True) if x == 0 else x
  Numbers:
    inputs: {x: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: x.shape}, z: {dtype: bool8, shape: x.shape}}
    compute: |
      y = where(x == x, x, 3)
      z = x != x or x * x > x * x
  Rows:
    inputs: {x: {dtype: float32, shape: [A, B]}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: y = max(x, axis=-1, keepdims=True) if x > x else where(x <= x, x, 3)
  Whole:
    inputs: {x: {dtype: int32, shape: [A, B]}}
    outputs: {y: {dtype: int32, shape: x.shape}}
    compute: y = sum(x, axis=-1, keepdims=True) if x < x else where(x >= x, x, 3)
"""
# What stays flat beside tensors in blocks has one pixel for all of theirs: with more, rows were those of other pixels.
BESIDE_BLOCKS = """\
  Weights:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, w: {dtype: T, shape: x.shape, static: true}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = max(x * w, axis=-1, keepdims=True) + x
    tests: {cases: [{x: {shape: [2, 5, 4, 63]}}]}
  Fewer:
    types: {T: [ufixed16]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, w: {dtype: T, shape: [H, 1, 1]}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = mean(x, axis=-1, keepdims=True) * w + x
    tests: {cases: [{x: {shape: [1, 8, 1, 4]}}]}
"""
# Numbers of a call in statements about errors were written as if they were spans: no code for `%`, code that did not compile.
PARAMS = """\
  Rest:
    types: {T: [ufixed8]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, a: {dtype: T, shape: [N, 1, 1, C]}}
    params: {p: {dtype: float32, default: 2, range: -8 .. 8}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = (p % 0.75) + x + a
  Root:
    inputs: {x: {dtype: sfixed16, shape: [B, C]}}
    params: {p: {dtype: float32, default: 2, range: -8 .. 8}}
    outputs: {y: {dtype: ufixed16, shape: x.shape}, z: {dtype: sfixed16, shape: x.shape}}
    compute: |
      y = rsqrt(abs(silu(p)) + 0.01) + x
      z = rsqrt(abs(x) + 0.01)
"""
# The variance of a row of equal bytes was 1e-16, what doubles of its sums left.
EQUAL = """\
  Equal:
    inputs: {x: {dtype: ufixed8, shape: [N, H, W, C]}, g: {dtype: ufixed8, shape: [1, 1, 1, C]}}
    params: {ax: {dtype: int32, default: -2, range: -4 .. 3}}
    outputs: {y: {dtype: ufixed8, shape: [...]}}
    compute: y = sign(atan(var(x, axis=ax, keepdims=True) // -1)) - g
    tests: {cases: [{x: {shape: [1, 1, 1, 129]}, ax: -2}]}
"""
# Decisions were made on constants as doubles round them: 0.3 * 10 is less than 3, and 3 * (1 / 3) is 1.
CONSTANTS = """\
  Folded:
    inputs: {x: {dtype: sfixed8, shape: [N, C]}, s: {dtype: ufixed16, shape: [1]}, a: {dtype: ufixed16, shape: x.shape}}
    params: {p: {dtype: float32, default: 0.75, range: -8 .. 8}}
    outputs: {y: {dtype: sfixed8, shape: x.shape}}
    compute: y = ((trunc(0.3 * 10) + x) * s) * a + p
  Thirds:
    inputs: {x: {dtype: ufixed8, shape: [N, C]}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}, z: {dtype: ufixed8, shape: x.shape}}
    compute: |
      y = floor(x * (1 / 3))
      z = where(x > 0.3 * 10, 1, 0)
    tests: {cases: [{x: {values: [[3, 6, 9, 12]], scale: 1, offset: 0}}]}
  Chosen:
    inputs: {x: {dtype: ufixed8, shape: [N, C]}}
    params: {k: {dtype: int32, default: 3, range: -9 .. 9}}
    outputs: {y: {dtype: ufixed8, shape: x.shape}, z: {dtype: ufixed8, shape: x.shape}}
    compute: |
      y = trunc(0.3 * 10 if k > 2 else 0.1 * 7) + x
      z = (0.3 * 10) % 1 + floor(0.3 * 10 + (0.3 * 10) % 1 + k) + abs(0.3 * -10) + x + ceil(0.1 * -3)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> VerifyResult:
    return verified(
        tmp_path_factory.mktemp("found"), SHARED + SUMS + CHOICES + BESIDE_BLOCKS + PARAMS + EQUAL + CONSTANTS, cases=4
    )


def test_found(found: VerifyResult) -> None:
    assert not failures(found)
    assert not found.diagnostics, "\n".join(map(str, found.diagnostics))
