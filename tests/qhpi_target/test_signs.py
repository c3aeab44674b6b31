"""Computations of int32 and uint32 that one kernel serves: their references give the same bits, whatever they are made of."""

from __future__ import annotations

import numpy as np
import pytest
import qlib
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from opkg.spec.model import Op
from opkg.spec.reader import read
from opkg.targets.qnn_common.signs import lost_signs, same_bits
from opkg.verify.meaning.compute import cast, evaluate

OP = """\
  Op:
    types: {{T: [int32, uint32]}}
    inputs:
      x: {{dtype: T, shape: [A]}}
      z: {{dtype: T, shape: [A]}}
      i: {{dtype: int32, shape: [A]}}
    outputs:
      y: {{dtype: {out}, shape: [A]}}
    compute: |
      t = {first}
      y = {text}
"""
INTEGERS = ["x", "x", "x", "z", "i", "3", "2147483647", "2147483648", "-1"]
WORDS = np.array([0, 1, 3, 5, 2147483647, -2147483648, -1, -2, 7, 123456789, -987654321], np.int32)


def integers(depth: int, more: tuple[str, ...] = ()) -> st.SearchStrategy[str]:
    leaves = st.sampled_from([*INTEGERS, *more])
    if depth == 0:
        return leaves
    inner = integers(depth - 1, more)
    made = st.sampled_from(["&", "|", "^", "&", "|", "^", "+", "-", "*", "<<", ">>", "//", "%"])
    return st.one_of(
        leaves,
        st.builds("({} {} {})".format, inner, made, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from("&|^"), leaves),
        st.builds("where({}, {}, {})".format, bools(depth - 1, more), inner, inner),
        st.builds("{}{}".format, st.sampled_from(["-", "~"]), inner),
        st.sampled_from(["x[::-1]", "take(x, i, axis=0)", "max(x, z)", "(x + sum(z))", "cast(i, T)", "cast(x, int32)"]),
    )


def bools(depth: int, more: tuple[str, ...] = ()) -> st.SearchStrategy[str]:
    inner = integers(depth, more)
    compared = st.builds("({} {} {})".format, inner, st.sampled_from(["==", "!=", "<"]), inner)
    return st.one_of(compared, st.builds("({} or {})".format, compared, compared))


def bits(op: Op, kind: type[np.int32] | type[np.uint32]) -> list[int]:
    """The stored result of elements with these bits."""
    (combination,) = [one for one in op.combinations if one.dtype("T").numpy == kind.__name__]
    elements: dict[str, np.ndarray] = {
        "x": WORDS.view(kind),
        "z": (np.roll(WORDS, 3) & -16).view(kind),
        "i": np.arange(WORDS.size) - 4,
    }
    assert op.compute is not None
    found = evaluate(op.compute, {name: held.astype(np.int64) for name, held in elements.items()}, combination)["y"]
    stored = cast(found, op.outputs[0].dtype.of(combination))
    return [int(number) & 0xFFFFFFFF for number in np.broadcast_to(stored, WORDS.shape)]


def read_op(first: str, text: str, out: str) -> Op | None:
    """The op, where the spec has it: what is drawn may be a single number, a shift to nowhere and so on."""
    package, _ = read((qlib.HEAD.format(name="signs") + OP.format(first=first, text=text, out=out)).encode(), "t.yaml")
    return package.ops[0] if package else None


def served(op: Op) -> bool:
    assert op.compute is not None
    return same_bits(op, op.compute, lost_signs(*op.combinations))


@settings(max_examples=300)
@given(integers(1), integers(2, ("t", "t")), st.sampled_from(["T", "T", "T", "int32", "int16", "uint32"]))
def test_what_one_kernel_serves_has_the_same_bits(first: str, text: str, out: str) -> None:
    op = read_op(first, text, out)
    assume(op is not None)
    assert op is not None
    event(f"served: {served(op)}")
    assert not served(op) or bits(op, np.int32) == bits(op, np.uint32)


@settings(max_examples=150)
@given(integers(1), bools(1, ("t", "t")))
def test_what_is_asked_is_answered_alike(first: str, text: str) -> None:
    op = read_op(first, text, "bool8")
    assume(op is not None)
    assert op is not None
    event(f"served: {served(op)}")
    assert not served(op) or bits(op, np.int32) == bits(op, np.uint32)


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("-x", "T"), ("~x + 0", "T"), ("x - 5", "T"), ("x * 3 + 1", "T"), ("x * 2", "T"), ("x + sum(z)", "T"),
        ("x << 1", "T"), ("x >> 1", "T"), ("x | -2", "T"), ("x & 4294967295", "T"), ("where(x == 3, x, -1)", "T"),
        ("where(x == 3, i, x)", "T"), ("x", "int16"), ("x", "int32"), ("x ^ 3", "int32"), ("x", "uint32"), ("i + 0", "T"),
        ("x == -1", "bool8"), ("x == 4294967295", "bool8"), ("x == i - 5", "bool8"),
        ("cast(i, T) == i", "bool8"),
    ],
)  # fmt: skip
def test_what_is_refused_differs(text: str, out: str) -> None:
    op = read_op("x", text, out)
    assert op is not None
    assert not served(op)
    assert bits(op, np.int32) != bits(op, np.uint32)
