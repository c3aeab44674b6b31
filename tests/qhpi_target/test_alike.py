"""Element types that reach a kernel alike: generated kernels are right for all of them, or the spec is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import qlib

from opkg.cli.main import run
from opkg.spec.arriving import distinct_kernels
from opkg.spec.diagnostics import Diagnostic
from opkg.targets.qnn_htp_qhpi import TARGET

OP = """\
  Op:
    types: {{T: [{types}]}}
    inputs:
      x: {{dtype: T, rank: 1..4}}
      m: {{dtype: bool8, shape: x.shape}}
    outputs:
      y: {{dtype: {out}, shape: x.shape}}
    compute: y = {text}
"""
PROJECT = """\
  Choose:
    types: {T: [sfixed8, bool8, int8]}
    inputs:
      m: {dtype: bool8, rank: 1..4}
      x: {dtype: T, shape: m.shape}
      z: {dtype: T, shape: m.shape}
    outputs:
      y: {dtype: T, shape: m.shape}
    compute: y = where(m, x, z)
  Floats:
    types: {T: [bool8, int8]}
    inputs:
      x: {dtype: T, rank: 1..4}
    outputs:
      y: {dtype: float32, shape: x.shape}
    compute: y = 0.5 * cast(x, float32)
  Largest:
    types: {T: [uint8, sfixed8, int8]}
    inputs:
      x: {dtype: T, shape: [A..., C], rank: 1..4}
    outputs:
      y: {dtype: T, shape: "[A..., 1]"}
      i: {dtype: int32, shape: "[A..., 1]"}
    compute: |
      y = max(x, axis=-1, keepdims=True)
      i = argmax(x, axis=-1, keepdims=True)
"""
SIGNED = """\
  Mean:
    types: {T: [int16, uint16, int8, uint8]}
    inputs:
      a: {dtype: T, rank: 1..4}
      b: {dtype: T, shape: a.shape}
    outputs:
      y: {dtype: T, shape: a.shape}
    compute: y = (a + b + 1) >> 1
  Least:
    types: {T: [int8, uint8], U: [uint16, int16]}
    inputs:
      x: {dtype: T, rank: 1..4}
      z: {dtype: U, shape: x.shape}
    outputs:
      y: {dtype: U, shape: x.shape}
    compute: y = min(x, z)
  Scaled:
    types: {T: [uint8, int8, int16, uint16]}
    inputs:
      x: {dtype: T, rank: 1..4}
    params:
      s: {dtype: float32, default: 0.5, range: 0.01 .. 2}
    outputs:
      y: {dtype: float32, shape: x.shape}
    compute: y = (x - 3) * s
"""
WORDS = """\
  Op{number}:
    types: {{T: [{types}]}}
    inputs:
      x: {{dtype: T, shape: [A, C]}}
      z: {{dtype: T, shape: x.shape}}
      i: {{dtype: int32, shape: x.shape}}
    outputs:
      y: {{dtype: {out}, shape: {shape}}}
    compute: |
      {text}
"""
BITS = [
    ("int32, uint32", "y = x", "T", "x.shape"),
    ("int32, uint32", "y = where(i > 0, x, z)", "T", "x.shape"),
    ("uint32, int32", "y = where(x == z, 0, x & 7)", "T", "x.shape"),
    ("uint32, int32", "y = x ^ z | 2147483647 & x", "T", "x.shape"),
    ("int32, uint32", "t = x ^ 5\n      y = t & z", "T", "x.shape"),
    ("int32, uint32", "y = (x == 5) or (x != z)", "bool8", "x.shape"),
    ("uint32, int32", "y = x == 2147483647", "bool8", "x.shape"),
    ("int32, uint32", "y = where(x == z, 1, -i)", "int32", "x.shape"),
    ("uint32, int32", "y = take(x, i, axis=1)", "T", "[A, A, C]"),
    ("int32, uint32", "y = concat(x, z, axis=1)", "T", "[A, 2 * C]"),
    ("uint32, int32", "y = x[..., ::-1]", "T", "x.shape"),
]


def findings(types: str, text: str, out: str) -> list[Diagnostic]:
    package = qlib.ops_package(OP.format(types=types, text=text, out=out), "alike")
    return [found for found in TARGET.check(package) if found.id in ("OPK219", "OPK461")]


@pytest.mark.parametrize(
    ("types", "text", "out", "lost", "kept"),
    [
        ("sfixed8, int8", "2 * x", "T", "int8", "sfixed8"),
        ("uint8, sfixed8", "x // 3", "T", "uint8", "sfixed8"),
        ("int16, ufixed16", "abs(x)", "T", "int16", "ufixed16"),
        ("ufixed16, uint16", "where(m, x + 1, x)", "T", "uint16", "ufixed16"),
        ("int32, uint32", "max(x, 3)", "T", "uint32", "int32"),
        ("uint32, int32", "x >> 1", "T", "int32", "uint32"),
        ("int32, uint32", "x < 5", "bool8", "uint32", "int32"),
        ("int32, uint32", "x == -1", "bool8", "uint32", "int32"),
        ("int32, uint32", "x + 1 == 5", "bool8", "uint32", "int32"),
        ("int32, uint32", "where(m, x, -1) == x", "bool8", "uint32", "int32"),
        ("int32, uint32", "x * 0.5", "float32", "uint32", "int32"),
        ("int32, uint32", "take(x, x, axis=-1)", "T", "uint32", "int32"),
        ("int32, uint32", "where(x > 0, 1, 2)", "int32", "uint32", "int32"),
        ("int32, uint32", "x", "int16", "uint32", "int32"),
        ("int32, uint32", "-x", "T", "uint32", "int32"),
        ("int32, uint32", "x - 5", "T", "uint32", "int32"),
        ("int32, uint32", "x * 3 + 1", "T", "uint32", "int32"),
        ("uint32, int32", "x * 2", "T", "int32", "uint32"),
        ("int32, uint32", "sum(x, axis=-1, keepdims=True) | x", "T", "uint32", "int32"),
        ("int32, uint32", "prod(x, axis=-1, keepdims=True) | x", "T", "uint32", "int32"),
        ("int32, uint32", "cumsum(x, axis=-1)", "T", "uint32", "int32"),
        ("int32, uint32", "~x & 4294967295", "T", "uint32", "int32"),
        ("int32, uint32", "x << 1", "T", "uint32", "int32"),
        ("uint32, int32", "x ^ 3", "int32", "int32", "uint32"),
        ("uint32, int32", "x ^ -1", "T", "int32", "uint32"),
        ("int32, uint32", "x & 4294967295", "T", "uint32", "int32"),
        ("int32, uint32", "x | cast(m, int32)", "T", "uint32", "int32"),
        ("int32, uint32", "where(m, x, -1)", "T", "uint32", "int32"),
        ("int32, uint32", "where(m, 1, -1)", "T", "uint32", "int32"),
        ("uint32, int32", "x == 4294967295", "bool8", "int32", "uint32"),
    ],
)
def test_what_is_computed_differs(types: str, text: str, out: str, lost: str, kept: str) -> None:
    (found,) = findings(types, text, out)
    assert (found.id, found.is_error, found.span.line, found.span.column) == ("OPK461", True, 7, 13)
    assert found.message.startswith(f"HTP hands T={lost} over as T={kept}: 'op_")
    assert found.message.endswith(f"right for T={kept} alone")
    assert found.hint == "drop one of the element types, or give it an op of its own"


@pytest.mark.parametrize(
    ("types", "text", "out"),
    [
        ("sfixed8, bool8", "x", "T"),
        ("sfixed8, bool8", "where(m, x, x)", "T"),
        ("int8, bool8, uint8, ufixed8", "cast(x, float32) * 2", "float32"),
        ("sfixed16, uint16", "x > 3", "bool8"),
        ("uint8, ufixed8", "max(x, min(x, x))", "T"),
        ("ufixed8, sfixed8", "x * x", "T"),
        ("uint8, int8", "x * x", "T"),
    ],
)
def test_what_is_moved_or_compared_is_the_same(types: str, text: str, out: str) -> None:
    assert findings(types, text, out) == []


def of_words() -> str:
    return "".join(
        WORDS.format(number=number, types=types, text=text, out=out, shape=shape)
        for number, (types, text, out, shape) in enumerate(BITS)
    )


def test_bits_of_words_are_the_same_with_and_without_a_sign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One kernel takes elements below 0 and beyond 2^31, of which generated cases have many."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "words.yaml").write_text(qlib.HEAD.format(name="test.words") + of_words())
    code = run(["-C", str(tmp_path), "verify", "--on", "host", "--generate", "--cases", "6"])
    said = capsys.readouterr().out
    assert code == 0, said
    assert f"{len(BITS)} ops, {2 * len(BITS)} kernels" in said


def test_the_kernel_that_takes_most_stands() -> None:
    def kept(types: str) -> list[str]:
        (op,) = qlib.ops_package(OP.format(types=types, text="x", out="T"), "alike").ops
        return [kernel.function for kernel in distinct_kernels(op)]

    assert kept("bool8, sfixed8, uint8") == ["op_s8"]
    assert kept("int8, bool8") == ["op_i8"]
    assert kept("sfixed8, ufixed8") == ["op_u8"]
    assert kept("int8, uint8, float32") == ["op_ui8", "op_f32"]


def test_a_type_that_is_narrower_in_one_place_and_wider_in_another() -> None:
    text = """\
  Op:
    types: {T: [ufixed8, bool8], U: [bool8, ufixed8]}
    combinations: [{T: ufixed8, U: bool8}, {T: bool8, U: ufixed8}]
    inputs:
      x: {dtype: T, rank: 1..4}
      z: {dtype: U, shape: x.shape}
    outputs:
      y: {dtype: T, shape: x.shape}
      w: {dtype: U, shape: x.shape}
    compute: |
      y = x
      w = z
"""
    found = [f for f in TARGET.check(qlib.ops_package(text, "alike")) if f.id == "OPK461"]
    assert [f.message for f in found] == [
        "HTP hands T=bool8, U=ufixed8 over as T=ufixed8, U=bool8: 'op_u8_b8' would be called for both, and what it "
        "computes is right for T=ufixed8, U=bool8 alone"
    ]


def test_the_same_kernel_gives_right_numbers_for_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "alike.yaml").write_text(qlib.HEAD.format(name="test.alike") + PROJECT)
    code = run(["-C", str(tmp_path), "verify", "--on", "host", "--generate", "--cases", "4"])
    said = capsys.readouterr().out
    assert code == 0, said
    assert "3 ops, 8 kernels" in said


def test_signed_integers_beside_unsigned_ones_have_vector_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "alike.yaml").write_text(qlib.HEAD.format(name="test.signs") + SIGNED)
    code = run(["-C", str(tmp_path), "verify", "--on", "host", "--generate", "--cases", "4"])
    said = capsys.readouterr().out
    assert code == 0, said
    assert "3 ops, 12 kernels" in said
    assert said.count(" vector") == 12
    assert "portable" not in said
    (text,) = [path.read_text() for path in tmp_path.rglob("qhpi/src/scaled_kernels.cpp")]
    assert "zero != 0 && op.x.zero != 128" in text  # one table for both
    assert text.count("struct Scaled") == 3
