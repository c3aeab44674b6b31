"""What moves behind reductions: norms of groups and heads, what is joined or turned of reductions (opkg/between.h)."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernels_product import failures, generated, package_of

from opkg.kernels.emit.passes import kernel_parts
from opkg.kernels.portable.check import check
from opkg.targets.qnn_common.generated import sources_of
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.machines.hexagon import toolchain

GROUPS = """\
  GroupNorm:
    types: {T: [%s]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
      g: {dtype: T, shape: [C], optional: true}
      b: {dtype: T, shape: [C], optional: true}
    params: {groups: {dtype: uint32, default: 2, range: "> 0"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    constraints: [{require: C %% groups == 0, message: groups divide}]
    compute: |
      r = reshape(x, (x.shape[0], x.shape[1], x.shape[2], groups, -1))
      d = r - mean(r, axis=(1, 2, 4), keepdims=True)
      n = d * rsqrt(mean(d * d, axis=(1, 2, 4), keepdims=True) + 0.00001)
      s = n * reshape(g, (groups, -1)) if present(g) else n
      y = reshape(s + reshape(b, (groups, -1)) if present(b) else s, (x.shape[0], x.shape[1], x.shape[2], -1))
    tests: {cases: [{x: {shape: [2, 3, 5, 100]}, groups: 4}, {x: {shape: [1, 4, 4, 64]}, g: {shape: [64]}, groups: 32}]}
"""
HEADS = """\
  Heads:
    types: {T: [%s]}
    inputs: {x: {dtype: T, shape: [N, S, C]}, g: {dtype: T, shape: [D], optional: true}}
    params: {heads: {dtype: uint32, default: 2, range: "> 0"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    constraints:
      - {require: C %% heads == 0, message: heads divide}
      - {require: not present(g) or D * heads == C, message: one number for each element of a head}
    compute: |
      r = reshape(x, (x.shape[0], x.shape[1], heads, -1))
      n = r * rsqrt(mean(r * r, axis=-1, keepdims=True) + 0.00001)
      y = reshape(n * g if present(g) else n, (x.shape[0], x.shape[1], -1))
    tests: {cases: [{x: {shape: [1, 37, 192]}, g: {shape: [64]}, heads: 3}]}
"""
JOINED = """\
  Joined:
    types: {T: [%s]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {y: {dtype: T, shape: [A, B, 3]}, m: {dtype: T, shape: [A, B]}}
    compute: |
      m = max(x, axis=-1)
      y = concat(m[..., None], mean(x, axis=-1, keepdims=True), std(x, axis=-1, keepdims=True), axis=-1)
    tests: {cases: [{x: {shape: [3, 33, 100]}}, {x: {shape: [1, 7, 1000]}}]}
"""
TURNED = """\
  Turned:
    types: {T: [%s]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, C, H, W]}}
    compute: |
      d = x - mean(x, axis=-1, keepdims=True)
      y = transpose(d * rsqrt(mean(d * d, axis=-1, keepdims=True) + 0.001), (0, 3, 1, 2))
  Flat:
    types: {T: [%s]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    outputs: {y: {dtype: T, shape: [N, 1, 1, C]}}
    compute: y = reshape(mean(reshape(x, (x.shape[0], -1, x.shape[3])), axis=1), (x.shape[0], 1, 1, -1))
"""

# Names that generated code has, too.
NAMED = """\
  Named:
    types: {T: [%s]}
    inputs: {room: {dtype: T, shape: [N, C]}, given: {dtype: T, shape: [N, C]}}
    outputs: {status: {dtype: T, shape: [N, 2]}}
    compute: |
      rows = max(room, axis=-1, keepdims=True)
      to = mean(given, axis=-1, keepdims=True)
      status = concat(rows, to, axis=-1)
"""


def _ops(types: str) -> str:
    return "".join(each.replace("%s", types).replace("%%", "%") for each in (GROUPS, HEADS, JOINED, TURNED, NAMED))


def _verified(tmp_path: Path, ops: str, machines: tuple[str, ...], cases: int) -> None:
    result = verify(tmp_path, [generated(tmp_path, ops)], VerifyOptions(on=machines, cases=cases, check_current=False))
    assert failures(result) == ""
    assert all(cell.outcomes for cell in result.cells)


def test_what_is_moved_behind_reductions_is_as_the_reference_says(tmp_path: Path) -> None:
    machines = ("host",) if toolchain.missing() else (f"hexagon-{toolchain.runnable()[-1]}",)
    _verified(tmp_path, _ops("ufixed8"), machines, 2)


@pytest.mark.sweep
def test_moved_behind_reductions_on_all_machines(tmp_path: Path) -> None:
    _verified(tmp_path, _ops("ufixed8, sfixed16, float16, float32"), ("host", "hexagon"), 12)


def test_what_is_only_reshaped_stays_where_it_lies() -> None:
    """Norms of groups and heads are one pass: their tensors in other dimensions."""
    package = package_of(_ops("ufixed8"))
    kinds = {}
    for op in package.ops:
        (source,) = sources_of(op, op.kernels)
        snippets = next(kernel_parts(op, source, True))
        passing = snippets[0].passing
        assert passing is not None
        kinds[op.name] = (len(snippets), [(number.source, number.alias) for number in passing.numbers])
    assert kinds == {
        "GroupNorm": (1, [("x", True), ("g", True), ("b", True), ("y", True)]),
        "Heads": (1, [("x", True), ("y", True)]),
        "Joined": (2, [("y", False), ("y", False), ("y", False)]),
        "Turned": (2, [("y", False)]),
        "Flat": (1, [("x", True), ("y", True)]),
        "Named": (2, [("status", False), ("status", False)]),
    }


@pytest.mark.parametrize(
    ("compute", "column", "hint"),
    [
        (
            "y = reshape(x / sum(x, axis=-1, keepdims=True), (-1, 2)) * x[..., :2]",
            30,
            "n * reshape(g, (groups, -1))",
        ),
        ("y = take(x, argmax(x, axis=0), axis=1)", 26, ""),
    ],
)
def test_what_moves_in_the_midst_has_no_kernel(compute: str, column: int, hint: str) -> None:
    tensors = "inputs: {x: {dtype: float32, shape: [B, C]}}\n    outputs: {y: {dtype: float32, shape: [...]}}"
    text = f"  A:\n    {tensors}\n    compute: {compute}\n"
    (found,) = check(package_of(text).ops[0])
    assert (found.id, found.span.column) == ("OPK600", column)
    assert "it reduces dimensions and moves elements" in found.message
    assert hint in found.hint


# As it is written where nothing is known of kernels: arithmetic behind the reshape, weights and what is added as the input lies.
PLAIN = """\
  Plain:
    types: {T: [%s]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
      g: {dtype: T, shape: [C], optional: true}
      a: {dtype: T, shape: [N, 1, 1, C], optional: true}
    params: {groups: {dtype: uint32, default: 2, range: "> 0"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    constraints: [{require: C %% groups == 0, message: groups divide}]
    compute: |
      r = reshape(x, (*x.shape[:-1], groups, -1))
      d = r - mean(r, axis=(1, 2, 4), keepdims=True)
      n = reshape(d * rsqrt(mean(d * d, axis=(1, 2, 4), keepdims=True) + 0.00001), x.shape)
      s = n * g if present(g) else n
      t = s + a * 0.5 if present(a) else s
      y = t * sigmoid(t)
    tests: {cases: [{x: {shape: [2, 3, 5, 100]}, groups: 4}, {x: {shape: [1, 4, 4, 64]}, g: {shape: [64]}, groups: 32}]}
  Residual:
    types: {T: [%s]}
    inputs: {x: {dtype: T, shape: [N, S, C]}, z: {dtype: T, shape: x.shape}, g: {dtype: T, shape: [C]}}
    params: {heads: {dtype: uint32, default: 2, range: "> 0"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    constraints: [{require: C %% heads == 0, message: heads divide}]
    compute: |
      r = reshape(x, (x.shape[0], x.shape[1], heads, -1))
      n = r * rsqrt(mean(r * r, axis=-1, keepdims=True) + 0.00001)
      y = z + g * reshape(n, (x.shape[0], x.shape[1], -1))
    tests: {cases: [{x: {shape: [1, 37, 192]}, heads: 3}]}
  Pixels:
    types: {T: [%s]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}, g: {dtype: T, shape: [C]}, b: {dtype: T, shape: [N, 1, 1, C]}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      r = reshape(x, (x.shape[0], -1, x.shape[3]))
      d = r - mean(r, axis=1, keepdims=True)
      y = reshape(d * rsqrt(mean(d * d, axis=1, keepdims=True) + 0.00001), x.shape) * g + b
"""


def test_arithmetic_behind_a_reshape_is_done_in_front_of_it(tmp_path: Path) -> None:
    machines = ("host",) if toolchain.missing() else (f"hexagon-{toolchain.runnable()[-1]}",)
    _verified(tmp_path, PLAIN.replace("%s", "ufixed8").replace("%%", "%"), machines, 2)


@pytest.mark.sweep
def test_arithmetic_behind_a_reshape_on_all_machines(tmp_path: Path) -> None:
    types = "ufixed8, sfixed16, float16, float32"
    _verified(tmp_path, PLAIN.replace("%s", types).replace("%%", "%"), ("host", "hexagon"), 12)
