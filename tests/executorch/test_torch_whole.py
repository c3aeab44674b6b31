"""Which ops of integers are computed in int32, and that they are what int64 gives, at the ends of the types, too."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest
from executorch_lib import HERE, ROOT, load, write
from test_torch_single import package_of

from opkg.spec.model import Op
from opkg.targets.executorch_builder.profiles import DEFAULT
from opkg.targets.executorch_builder.torch_functions import functions
from opkg.targets.executorch_builder.torch_whole import is_whole

_OP = """  %s:
    types: {T: [int32, int8, uint8, int16]}
    inputs: {i: {dtype: T}, j: {dtype: T, shape: i.shape}, k: {dtype: %s, shape: i.shape}, b: {dtype: bool8, shape: i.shape}}
    params: {p: {dtype: %s, default: 7}}
    outputs: {y: {dtype: %s, shape: i.shape}}
    compute: y = %s
"""
_KNOWN = (
    "i", "-i", "abs(i)", "i + j", "i - j * k", "(i + j) * k - p", "~i ^ (j & k) | 255", "max(i, 0)", "min(i, j, k)",
    "clip(i, -9, 9)",
    "clip(i, 1, p)", "where(b, i, 0)", "where(i > j, i + k, -k)", "where(b and not (i == j), 1, k)", "(i >> 3) + (j << 2)",
    "(i & j) + ((i ^ j) >> 1)", "i << 31", "max(i, axis=-1, keepdims=True) - j", "sum(i * j, axis=-1, keepdims=True) + 0 * k",
    "concat([i[..., :3], j[..., 3:]], axis=-1)", "where(i >= p, k, i)", "i * i * i", "cumsum(k + i, axis=-1)",
    "where(b, 3, 5) + i", "min(5, i) * 65536 * j", "0 - max(i >> 1, 3)", "i << j", "i >> k", "(i >> (j & 15)) + k", "sign(i) * k",
    "i // 7 - k", "i // -3", "k // 16 + i % 16", "i % 7", "k % -5", "i // 2147483647", "k % -2147483648", "abs(i - k)",
    "abs(k - j) ^ i", "i ** 2 + k", "k ** 3 - i ** 3", "max(i % 1000, j // 3)",
    "i // j", "i % k - j", "k // (i & 1)", "i // where(j > 0, -1, 0)", "k % (j & 3)",
)  # fmt: skip
_NOT = (
    "clip(i, -p, p)",  # -p may be too large
    "abs(i + k)",  # it may have wrapped
    "where(i + k > 0, i, k)",
    "max(i * k, j)",
    "(i + k) >> 1",
    "i << (k + j)",
    "(i + k) >> j",
    "(i + k) // 2",
    "i % -1",
    "i // (k + j)",
    "i ** 4",
    "sign(i - k)",
    "i + 4294967296",
    "i % (k + j)",
    "cast(i * 0.5, int32)",
    "prod(k, axis=-1, keepdims=True) + i",
)


def _spec(texts: list[str], output: str = "int32", same: bool = False) -> str:
    """`same`: all integers are of one type, of which a param is a part."""
    others = ("T", "int8") if same else ("int32", "int32")
    head = "opkg: 1\npackage: {name: test.whole, targets: [executorch-builder]}\nops:\n"
    return head + "".join(
        _OP % (f"Op{at}", *others, "bool8" if text.startswith("?") else output, text.strip("?"))
        for at, text in enumerate(texts)
    )


def _op(text: str, same: bool = False) -> Op:
    return package_of(_spec([text], "T" if same else "int32", same)).ops[0]


def test_what_is_int32() -> None:
    for text in _KNOWN:
        op = _op(text)
        assert [is_whole(op, row) for row in op.combinations] == [True] * 4, text
    for text in _NOT:
        assert not is_whole(_op(text), _op(text).combinations[0]), text
    small = _op("abs(i + j) >> 1")  # bytes are far from the ends
    assert [is_whole(small, row) for row in small.combinations] == [False, True, True, True]
    wide = package_of(_spec(["i + j"], "int64")).ops[0]
    assert not is_whole(wide, wide.combinations[0])


def test_text() -> None:
    """Operators of torch without the helpers for int64."""
    found = functions(_op("where(i > j, max(i, 0), clip(k, -3, 3)) ^ (i >> 2 | ~j)"), DEFAULT)
    assert found.whole == (0, 1, 2, 3)
    text = found.texts["whole_op0"]
    assert "tm." not in text
    assert "torch.bitwise_right_shift(i, 2) | ~j" in text


def test_what_is_in_the_type_of_its_tensors() -> None:
    """Low bits, and what is looked at as long as it lies inside the type."""
    for text, rows in (
        ("i + j * k", (1, 2, 3)), ("clip(i, 3, 100)", (1, 2, 3)), ("where(i > j, i, k)", (1, 2, 3)), ("abs(i - j)", (1, 2, 3)),
        ("(i & 7) + (j >> 2)", (1, 2, 3)), ("i % 12 + j // 3", (1, 2, 3)), ("sum(i, axis=-1, keepdims=True) + j", (1, 2, 3)),
        ("clip(i, -100, 100)", (1, 3)), ("i * 300", (3,)), ("i >> 9", (3,)), ("max(i, p)", (1, 3)), ("clip(i + j, 0, 9)", ()),
        ("(i + j) >> 1", ()), ("cast(i, int8)", ()), ("cumsum(i, axis=-1)", (1, 2, 3)),
    ):  # fmt: skip
        assert functions(_op(text, same=True), DEFAULT).narrow == rows, text
    assert not functions(_op("i + j"), DEFAULT).narrow  # the output is int32


def test_what_is_int32_of_small_numbers() -> None:
    """What is looked at has not wrapped where inputs are small: up to which size says the text."""
    for text, most in (
        ("clip(i + k, -9, 9)", (1 << 30) - 1),
        ("(i * k) // 2", 1 << 15),
        ("i ** 4 + k", None),
        ("i + k", None),
    ):
        found = functions(_op(text), DEFAULT)
        looks = f"    i, j, k = tm.roomy({most}, i, j, k)" in found.texts.get("room_op0", "").splitlines()
        assert looks == (most is not None), text
        assert (0 in found.looks) == looks, text


def _texts(count: int, seed: int, narrow: bool = False) -> list[str]:
    """Random computations after those above; `narrow`: in the type of their tensors."""
    rng = random.Random(seed)

    def made(depth: int) -> str:
        if depth == 0:
            return rng.choice(("i", "j", "k", "i", "j", "p", "3", "-1", "2147483647", "-2147483648", "where(b, i, j)"))
        a, b = made(depth - 1), made(rng.randrange(depth))
        forms = (
            "({a} + {b})",
            "({a} - {b})",
            "({a} * {b})",
            "({a} & {b})",
            "({a} | {b})",
            "({a} ^ {b})",
            "~({a})",
            "(-({a}))",
        )
        forms += (
            "abs({a})",
            "min({a}, {b})",
            "max({a}, {b}, 4)",
            "clip({a}, -100, 2147483646)",
            "(({a}) << 7)",
            "(({a}) >> 5)",
            "(({a}) << j)",
            "(({a}) >> j)",
            "({a}) % 12",
            "({a}) // 8",
            "({a}) // 3",
        )
        forms += ("where({a} > {b}, {a}, j)", "where({a} != j, {b}, i)", "min(i - ({a}), axis=-1, keepdims=True)")
        return rng.choice(forms).format(a=a, b=b)

    def taken(text: str) -> bool:
        chosen = functions(_op(text, same=narrow), DEFAULT)
        return bool(chosen.narrow if narrow else chosen.whole)

    found = [text for text in (*_KNOWN, "?i > j", "?abs(i) >= k and b") if taken(text)]
    while len(found) < count:
        text = f"{made(rng.choice((1, 2, 3)))} + i"
        if text not in found and taken(text):
            found.append(text)
    return found


@pytest.mark.executorch
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize(("count", "seed"), [(70, 1), *(pytest.param(250, s, marks=pytest.mark.sweep) for s in (2, 3))])
def test_torch_has_the_same_bits(interpreter: str, tmp_path: Path, count: int, seed: int, narrow: bool) -> None:
    path = tmp_path / "whole.yaml"
    path.write_text(_spec(_texts(count, seed, narrow), *(("T", True) if narrow else ())))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(write(load(path), tmp_path)), str(ROOT)])}
    script = [interpreter, str(HERE / "whole_script.py"), str(path)]
    done = subprocess.run(script, capture_output=True, text=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["wrong"] == []
    assert found["compared"] > 5_000_000
