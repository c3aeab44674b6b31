"""What moves elements (concat, transpose, take, reshape, tile, pad, slices): numpy's meaning, what is refused, kernels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from opkg.kernels.portable.check import check, check_plain
from opkg.spec.compute.check import read_checked
from opkg.spec.compute.printing import expression, text_of
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.kept import keeps
from opkg.spec.model import OpPackage
from opkg.spec.reader import read as read_spec
from opkg.spec.source_text import SourceText
from opkg.targets.executorch_builder.torch_ops import is_elementwise, reduced_axes
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.meaning.compute import Stuck

from .projects import generated, op_of, read
from .test_compute_meaning import OP, value

MOVES = """\
  Join:
    types: {T: [float32, sfixed8, int32]}
    inputs:
      a: {dtype: T, shape: [N..., A]}
      b: {dtype: T, shape: [N..., B]}
    outputs:
      y: {dtype: T, shape: "[N..., A + B + A]"}
    compute: y = concat(a, b, a, axis=-1)
  Turn:
    types: {T: [float16, ufixed8, ufixed16]}
    inputs:
      x: {dtype: T, shape: [A, B, C, D]}
    outputs:
      y: {dtype: T, shape: [A, C, D, B]}
    compute: y = transpose(x, (0, 2, 3, 1))
  Flip:
    types: {T: [int32, ufixed8]}
    inputs:
      x: {dtype: T, rank: 1..5}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = x[..., ::-1]
  Cut:
    types: {T: [float32, sfixed8]}
    inputs:
      x: {dtype: T, shape: [A, 6, C]}
    params:
      first: {dtype: int32, default: 1, range: -6 .. 5}
    outputs:
      y: {dtype: T, shape: [A, 2, C]}
      z: {dtype: T, shape: [A, C, 1]}
    compute: |
      y = x[:, x.shape[1] // 6 : C - (C - 5) : 2]
      z = x[:, first, :, None]
  Pick:
    inputs:
      i: {dtype: uint8, shape: [K, L]}
    params:
      table: {dtype: float32, shape: [4], default: [0.5, -1.0, 2.0, 7.25]}
    outputs:
      y: {dtype: float32, shape: i.shape}
    compute: y = take(table, i, axis=0)
  Look:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [N, C]}
      i: {dtype: int16, shape: [K, L]}
    outputs:
      y: {dtype: T, shape: [K, L, C]}
      z: {dtype: T, shape: [N, L, K]}
    compute: |
      y = take(x, i, axis=0)
      z = transpose(take(x, i, axis=-1), (0, 2, 1))
  Shuffle:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [N, H, W, C]}
    params:
      groups: {dtype: uint32, default: 2, range: 1..4}
    outputs:
      y: {dtype: T, shape: x.shape}
    constraints: [C % groups == 0]
    compute: |
      parts = reshape(x, (x.shape[0], x.shape[1], x.shape[-2], groups, -1))
      y = reshape(transpose(parts, (0, 1, 2, 4, 3)), (x.shape[0], x.shape[1], x.shape[2], -1))
  Open:
    types: {T: [sfixed8, float16]}
    inputs:
      x: {dtype: T, shape: "[A, rest..., C]"}
      at: {dtype: int32, shape: [K]}
    outputs:
      y: {dtype: T, shape: "[A, rest...]"}
      more: {dtype: T, shape: "[A, rest..., C, 1]"}
      z: {dtype: T, shape: "[A, rest..., K]"}
    compute: |
      y = x[..., -1]
      more = x[..., None]
      z = take(x, at, axis=-1)
  Flat:
    types: {T: [sfixed8, int32]}
    inputs:
      x: {dtype: T, rank: 2..4}
    outputs:
      y: {dtype: T, shape: "[size(x)]"}
    compute: y = reshape(x, -1)
  Again:
    types: {T: [float32, int16]}
    inputs:
      x: {dtype: T, shape: [A, B, C]}
    params:
      times: {dtype: uint32, default: 2, range: 1..3}
    outputs:
      y: {dtype: T, shape: "[A, 3 * B, times * C]"}
    compute: y = tile(x, (1, 3, times))
  Frame:
    types: {T: [float16, ufixed8, sfixed8, int32]}
    inputs:
      x: {dtype: T, shape: [A, B, C]}
    params:
      before: {dtype: int32, default: 1, range: 0..5}
    outputs:
      y: {dtype: T, shape: "[A + 1, B, 2 * C + 67 + before]"}
    compute: y = pad(x, ((0, A // A), (0, 0), (before, C + 67)), 1)
  Edge:
    types: {T: [float32, ufixed8, int32]}
    inputs:
      x: {dtype: T, shape: [A, B]}
      mask: {dtype: bool8, shape: [A, B]}
    params:
      v: {dtype: int32, default: 2, range: -9..9}
    outputs:
      y: {dtype: T, shape: "[A, B + 2]"}
      outside: {dtype: bool8, shape: "[A, B + 2]"}
    compute: |
      y = pad(x, ((0, 0), (1, 1)), 3 - abs(v) * 2)
      outside = pad(mask, ((0, 0), (2, 0)))
  ByParams:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [A, 2, 6]}
    params:
      order: {dtype: uint32, shape: [3], axis_of: x}
      times: {dtype: uint32, shape: [3], default: [2, 1, 3]}
      around: {dtype: int32, shape: [3, 2], default: [0, 1, 2, 0, 3, 1]}
      sizes: {dtype: int32, shape: [2], default: [-1, 4]}
    outputs:
      turned: {dtype: T, shape: [...]}
      again: {dtype: T, shape: [...]}
      amid: {dtype: T, shape: [...]}
      other: {dtype: T, shape: [...]}
    compute: |
      turned = transpose(x, order)
      again = tile(x, times)
      amid = pad(x, around, -1)
      other = reshape(x, sizes)
  Told:                                             # the computation alone says the shapes
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [A, B, C]}
      i: {dtype: int32, shape: [K]}
    outputs:
      again: {dtype: T, shape: [...]}
      amid: {dtype: T, shape: [...]}
      parts: {dtype: T, shape: [...]}
      joint: {dtype: T, shape: [...]}
    compute: |
      again = tile(x, (1, 2, 1))
      amid = pad(x, ((0, 0), (1, 2), (0, 0)), 1)
      parts = take(x, i, axis=1)
      joint = transpose(concat(x, x, axis=1), (0, 2, 1))
  Whole:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    outputs: {y: {dtype: T, shape: [...]}}
    compute: y = sum(x * x)
"""


def test_numpy_says_the_same() -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    assert value("transpose(x)", x=x).tolist() == x.T.tolist()
    assert value("transpose(x, (-1, 0, 1))", x=x).tolist() == x.transpose(-1, 0, 1).tolist()
    assert value("concat(x, x[:, :1], axis=-2)", x=x).shape == (2, 4, 4)
    for text in (
        "x[0]",
        "x[..., -1]",
        "x[:, None, 1:]",
        "x[::-1, ..., 3:0:-2]",
        "x[1, :, 2]",
        "x[None, ..., None]",
        "x[:, 9:]",
    ):
        wanted = eval(text, {"x": x})
        assert value(text, x=x).tolist() == wanted.tolist(), text
    assert value("take(x, i, axis=1)", x=x, i=[[2, -1], [-9, 9]]).tolist() == x[:, [[2, 2], [0, 2]]].tolist()
    assert value("reshape(x, (4, -1))", x=x).tolist() == x.reshape(4, -1).tolist()
    assert value("reshape(transpose(x), (x.shape[-1], 6))", x=x).tolist() == x.T.reshape(4, 6).tolist()
    assert value("tile(x, (1, 2, 3))", x=x).tolist() == np.tile(x, (1, 2, 3)).tolist()
    assert (
        value("pad(x, ((0, 1), (2, 0), (0, 0)), -0.5)", x=x).tolist()
        == np.pad(x, ((0, 1), (2, 0), (0, 0)), constant_values=-0.5).tolist()
    )
    assert value("tile(x, reps=(1, 1, 2))", x=x).tolist() == np.tile(x, reps=(1, 1, 2)).tolist()
    assert value("reshape(x, shape=(6, -1))", x=x).tolist() == np.reshape(x, (6, -1)).tolist()
    around = ((1, 0), (0, 0), (0, 2))
    wanted = np.pad(x, pad_width=around, constant_values=-4)
    assert value(f"pad(x, pad_width={around}, constant_values=-4)", x=x).tolist() == wanted.tolist()
    assert np.isnan(value("concat(x, z, axis=0)", x=[np.nan, -np.inf], z=[0.0])[0])


@pytest.mark.parametrize(
    "text",
    [
        "reshape(x, (x.shape[-1], -1))",
        "tile(x, (1, 2))",
        "pad(x, ((0, 1), (2, 0)), 1.5)",
        "x[1:, ..., ::2]",
        "concat(x, z, axis=-1)",
        "transpose(x, axes=(1, 0))",
        "(x + z)[:, None, p]",
    ],
)
def test_what_is_printed_reads_back(text: str) -> None:
    source = text.replace("p]", "3]")
    compute, findings = read_checked(SourceText("f.yaml", f"y = {source}"), OP)
    assert compute is not None, findings
    printed = expression(compute.statements[0].expr)
    again, _ = read_checked(SourceText("f.yaml", f"y = {printed}"), OP)
    assert again == compute


def test_places_that_are_not_there_are_stuck() -> None:
    for text in ("x[5]", "reshape(z, (4, 4))", "take(x, i, axis=0)", "concat(x, z, axis=0)"):
        with pytest.raises(Stuck):
            value(text, x=np.zeros((0, 2)), z=np.zeros((2, 3)), i=[0])
    for size in (0, -3):  # numpy takes -3 for -1
        with pytest.raises(Stuck):
            value("reshape(x, (axis, 4))", x=np.zeros((3, 4)), axis=size)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("reshape(x, x.shape)", "reshape(x, (x.shape[-3], x.shape[-2], x.shape[-1]))"),
        ("reshape(x, (*x.shape[:-1], -1))", "reshape(x, (x.shape[-3], x.shape[-2], -1))"),
        ("reshape(x, (1, *x.shape[1:], -1))", "reshape(x, (1, x.shape[-2], x.shape[-1], -1))"),
        ("reshape(x, (*x.shape, 1))", "reshape(x, (x.shape[-3], x.shape[-2], x.shape[-1], 1))"),
    ],
)
def test_all_sizes_of_an_input(short: str, long: str) -> None:
    first, second = (_read(text)[0] for text in (short, long))
    assert first is not None
    assert second is not None
    assert [text_of(op.compute) for op in first.ops if op.compute] == [
        text_of(op.compute) for op in second.ops if op.compute
    ]


def _read(text: str, shape: str = "[A, B, C]") -> tuple[OpPackage | None, list[Diagnostic]]:
    spec = f"""\
opkg: 1
package: {{name: acme.test}}
ops:
  Op:
    inputs:
      x: {{dtype: float32, shape: {shape}}}
    outputs:
      y: {{dtype: float32, shape: [...]}}
    compute: y = {text}
"""
    return read_spec(spec.encode(), "f.yaml")


@pytest.mark.parametrize(
    ("text", "shape", "column", "words"),
    [
        ("reshape(x, x.shape)", "[..., C]", 29, "'x' has 1 to 5 dimensions"),
        ("reshape(x, (2, x.shape))", "[A, C]", 33, "a whole number stands here"),
        ("reshape(x, (*z.shape, 1))", "[A, C]", 30, "a size is one of an input"),
        ("reshape(x, (*x.shape[2:],))", "[A, C]", 29, "there are 1 to 8 dimensions"),
        ("reshape(x, (*x.shape[::2],))", "[A, C]", 30, "a whole number stands here"),
    ],
)
def test_sizes_that_are_not_told(text: str, shape: str, column: int, words: str) -> None:
    found = [(f.span.column, f.message) for f in _read(text, shape)[1] if f.is_error]
    assert any(at == column and words in message for at, message in found), found


@pytest.mark.parametrize(
    ("text", "id", "words"),
    [
        ("concat(x, x)", "OPK147", "concat goes along one dimension"),
        ("concat(x, axis=0)", "OPK143", "concat takes 2 to 64 operands, not 1"),
        ("concat(x, x > 0, axis=0)", "OPK144", "bools joined with numbers"),
        ("concat(x, x, axis=3)", "OPK147", "there is no axis 3 in a value of rank 3"),
        ("concat(x, sum(x), axis=0)", "OPK148", "different numbers of dimensions"),
        ("transpose(x, (0, 1))", "OPK147", "an order of 2 dimensions for a value of rank 3"),
        ("transpose(x, (0, 0, 1))", "OPK147", "is no order of 3 dimensions"),
        ("take(x, x, axis=0)", "OPK144", "places are integers"),
        ("x[0, 0, 0, 0]", "OPK147", "4 dimensions in brackets of a value of rank 3"),
        ("x[::0]", "OPK147", "a step is not 0"),
        ("x[2:2]", "OPK147", "there is nothing in this range"),
        ("x[-1:-3]", "OPK147", "there is nothing in this range"),
        ("x[..., ...]", "OPK147", "'...' stands once"),
        ("x[y]", "OPK142", "'y' is no param"),
        ("x[1.5]", "OPK147", "a whole number stands here"),
        ("reshape(x, (-1, -1, 2))", "OPK147", "one dimension is -1"),
        ("reshape(x, (0, 2))", "OPK147", "0 is no number of reshape"),
        ("reshape(x, (z.shape[0], -1))", "OPK142", "a size is one of an input"),
        ("reshape(x, (x.shape[3], -1))", "OPK147", "there may be no dimension 3 in 'x'"),
        ("reshape(x, (6, -1))", "OPK148", "'y' has the shape [A, B, C], its value [6, ?]"),
        ("tile(x, (2, 2))", "OPK148", "numbers for 2 dimensions of a value of rank 3"),
        ("tile(x)", "OPK143", "tile takes 2 operands, not 1"),
        ("tile(x, times=(1, 1, 2))", "OPK143", "tile has no argument 'times'"),
        ("tile(x, (1, 1, 2), reps=(1, 1, 2))", "OPK143", "'reps' is given twice"),
        ("pad(x, constant_values=2)", "OPK143", "pad takes 2 or 3 operands, not 2"),
        ("pad(x, (1, 2, 3))", "OPK147", "there is a pair for each dimension"),
        ("pad(x, ((0, 0), (0, 0), (0, -1)))", "OPK147", "-1 is no number of pad"),
        ("pad(x, ((0, 0), (0, 0), (0, 1)), x > 0)", "OPK144", "bools joined with numbers"),
        ("transpose(x, (2, 1, 0))", "OPK148", "'y' has the shape [A, B, C], its value [C, B, A]"),
    ],
)
def test_what_is_refused(text: str, id: str, words: str) -> None:
    spec = f"""\
opkg: 1
package: {{name: acme.test}}
ops:
  Op:
    inputs:
      x: {{dtype: float32, shape: [A, B, C]}}
    outputs:
      y: {{dtype: float32, shape: [A, B, C]}}
    compute: y = {text}
"""
    findings = [f for f in read_spec(spec.encode(), "f.yaml")[1] if f.is_error]
    assert (id, True) in [(f.id, words in f.message) for f in findings], findings


def test_movement_beside_arithmetic_has_no_kernel(tmp_path: Path) -> None:
    """The reference computes it; a kernel would have to be written by hand."""
    op = op_of(
        tmp_path,
        """\
  Op:
    inputs:
      x: {dtype: float32, shape: [A, B]}
    outputs:
      y: {dtype: float32, shape: [A, B + 1]}
    compute: y = pad(exp(x), ((0, 0), (0, 1)))
""",
    )
    (finding,) = check(op)
    assert (finding.id, finding.span.line, finding.span.column) == ("OPK600", 12, 18)
    assert "pad and arithmetic in one op" in finding.message


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ("[K, rest...]", "take(x, at, axis=0)"),
        ("[A - 1, rest...]", "x[1:]"),
        ("[A + A, rest...]", "concat(x, x, axis=0)"),
        ("[A, rest...]", "transpose(transpose(x))"),
    ],
)
def test_open_ranks_are_not_counted_from_the_front(tmp_path: Path, shape: str, text: str) -> None:
    """Kernels see ranks below 4 padded in front, and would take the first dimension of 1 for the tensor's."""
    op = op_of(
        tmp_path,
        f"""\
  Op:
    inputs:
      x: {{dtype: float32, shape: "[A, rest...]"}}
      at: {{dtype: int32, shape: [K]}}
    outputs:
      y: {{dtype: float32, shape: "{shape}"}}
    compute: y = {text}
""",
    )
    (finding,) = check(op)
    assert (finding.id, finding.span.line, finding.span.column) == ("OPK600", 13, 18)
    assert "an axis counted from the front of a value whose rank varies" in finding.message


def test_other_houses_refuse_it_by_name(tmp_path: Path) -> None:
    op = op_of(tmp_path, MOVES, name="Turn")
    assert check(op) == []
    (finding,) = check_plain(op)
    assert (finding.id, "it moves elements" in finding.message) == ("OPK600", True)


def test_what_moves_elements_is_not_elementwise(tmp_path: Path) -> None:
    """Flip has an output of its input's shape, and yet its last dimension has an order; all others may be cut into parts."""
    op = op_of(tmp_path, MOVES, name="Flip")
    assert not is_elementwise(op)
    assert reduced_axes(op) == (-1,)
    assert all(keeps(op, kernel) for kernel in op.kernels)


def test_kernels(tmp_path: Path) -> None:
    package = read(tmp_path, MOVES)
    generated(tmp_path, package)
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=4, check_current=False))
    assert result.ok, (result.diagnostics, result.failures)
    assert len(result.cells) == 34
