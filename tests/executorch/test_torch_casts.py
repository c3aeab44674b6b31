"""Casts and what is made of integers: the same numbers as their meaning in numpy, in fewer steps of torch."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from executorch_lib import HERE, ROOT, load, write
from test_torch_single import package_of

from opkg.spec.model import Op
from opkg.targets.executorch_builder.profiles import DEFAULT
from opkg.targets.executorch_builder.torch_casts import Reaches, are_reals
from opkg.targets.executorch_builder.torch_functions import functions

_OP = """  %s:
    inputs: {i: {dtype: int32}, j: {dtype: int8, shape: i.shape}, x: {dtype: float32, shape: i.shape}, h: {dtype: float16, shape: i.shape}}
    params: {s: {dtype: float32, default: 0.037}, p: {dtype: int32, default: 7}}
    outputs: {y: {dtype: %s, shape: i.shape}}
    compute: |
      y = %s
"""  # noqa: E501
_ONE = """  %s:
    inputs: {%s: {dtype: %s}}
    params: {s: {dtype: float32, default: 0.037}, p: {dtype: int32, default: 7}}
    outputs: {y: {dtype: %s, shape: %s.shape}}
    compute: y = %s
"""
_TYPES = {"i": "int32", "j": "int8", "x": "float32", "h": "float16", "u": "uint8", "v": "uint32"}
# Of one input, then its output.
_FORMULAS = (
    *(("x", dtype, f"cast(x, {dtype})") for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32")),
    ("x", "int32", "cast(round(x * 16), int32)"),
    ("x", "int32", "cast(x * 0.0625, int32)"),
    ("x", "int32", "cast(x * 0.3, int32)"),
    ("x", "uint8", "cast(clip(round(x / s) + p, 0, 255), uint8)"),
    ("x", "int16", "cast(clip(x, -5, 5), int16)"),
    ("x", "int32", "cast(x, int8) + cast(x, int16) * 3"),
    ("x", "int32", "cast(cast(x, int32), uint8)"),
    ("x", "int32", "where(x > 0, cast(x, int32), 3)"),
    ("x", "int8", "max(cast(x, int8), -7)"),
    ("x", "int32", "cast(floor(x) * 0.5, int32)"),
    ("h", "int32", "cast(h, int32)"),
    ("h", "int8", "cast(round(h * 4), int8)"),
    ("i", "int32", "cast(cast(i, float32) * 0.5, int32)"),
    ("i", "int32", "cast(cast(i, float32), int32)"),
    ("i", "int32", "cast(round(i * 0.25), int32)"),
    ("i", "int32", "cast(i * s, int32)"),
    ("i", "int32", "cast(i / 3, int32)"),
    ("i", "int8", "cast(i * 1.0, int8)"),
    ("i", "int32", "cast(cast(i, int8), int32) * 3"),
    ("i", "int16", "cast(i >> 3, int16)"),
    ("i", "int32", "cast(cast(i, uint8), int16) - i"),
    ("i", "int32", "cast(mean(i, axis=-1, keepdims=True) + 0 * i, int32)"),
    ("v", "uint32", "cast(v * 0.75, uint32)"),
    ("u", "uint8", "cast(round(u * 0.7), uint8)"),
    ("j", "int8", "cast(j * 2.0, int8)"),
    ("i", "float32", "i * 0.5"),
    ("i", "float32", "(cast(i, float32) - 3) * 0.0123"),
    ("i", "float32", "i / 7"),
    ("i", "float32", "sqrt(abs(cast(i, float32)))"),
    ("i", "float32", "i * 0.5 - 1e9"),
    ("i", "float32", "(i - p) * s"),
    ("i", "float32", "mean(i, axis=-1, keepdims=True) + i * 0.0"),
    ("u", "float32", "(u - p) * s"),
    ("u", "float32", "(cast(u, float32) - 128) * s"),
    ("u", "float32", "exp(u * -0.1)"),
    ("u", "float16", "u / 255"),
    ("j", "float32", "where(j > 0, j * 0.25, 0.0)"),
    ("v", "float32", "v * 0.5"),
    # What floor and its like take is float64, from the integer on.
    ("i", "float32", "trunc((i * 0.1 + i) % 3)"),
    ("i", "float32", "floor(sign(5.5 % (i * 0.5 + 0.25)))"),
    ("v", "float32", "tanh(v * 1e-9) * floor(v / 3 % 7)"),
    # Casts of integers are integers, also where all else is real.
    ("i", "float32", "i * 0.5 + (cast(i, int8) >> 2) * 0.25"),
    ("i", "float32", "0.5 * (cast(i, int16) // cast(i, int8))"),
    ("i", "int32", "cast(i, int16) * cast(i, int16) * cast(i, int16)"),
    ("v", "uint8", "cast(min(v * v * v, 5), uint8)"),  # beyond int64
)


_CHOSEN = """  Chosen:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, i: {dtype: int32, shape: x.shape}, b: {dtype: bool8, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = where(b, i * 0.1 * x, x + 1)
"""


def _spec() -> str:
    head = "opkg: 1\npackage: {name: test.casts, targets: [executorch-builder]}\nops:\n"
    ops = (
        _ONE % (f"Op{at}", name, _TYPES[name], output, name, text) for at, (name, output, text) in enumerate(_FORMULAS)
    )
    return head + "".join(ops) + _CHOSEN


def _op(text: str, output: str = "int32") -> Op:
    head = "opkg: 1\npackage: {name: test.casts, targets: [executorch-builder]}\nops:\n"
    return package_of(head + _OP % ("One", output, text)).ops[0]


def test_text() -> None:
    """No NaN is looked for where none can be, and nothing is limited that is inside."""

    def shown(text: str) -> str:
        return functions(_op(text), DEFAULT).texts["compute_one"].splitlines()[-2].strip()

    assert (
        shown("cast(round(i * 0.25 + x * 0), int32)")
        == 'y = tm.held(torch.round(i * tm.number(0.25) + x * 0), "int32")'
    )
    assert shown("cast(round(j * 0.25), int32)") == "y = torch.round(j * tm.number(0.25)).int()"
    assert shown("cast(i * 2.0, int32)") == "y = torch.clamp(i * tm.number(2.0), -2147483648, 2147483647).int()"
    assert shown("cast(clip(x, 0, 9), int32)") == "y = torch.nan_to_num(tm.clip(x, 0, 9)).int()"
    assert shown("cast(x > 0, int32) + cast(tanh(j) * 9, int32)").endswith('tm.cast(tm.tanh(j) * 9, "int32")')
    assert shown("cast(clip(x, 0, 9), int8) + i") == "y = part1_ + i"
    assert shown("cast(i, int8)") == "y = torch.clamp(i, -128, 127)"


def test_where_values_lie() -> None:
    def reach(text: str) -> tuple[float, float, bool]:
        op = _op(f"cast({text}, int32)")
        assert op.compute is not None
        cast = op.compute.statements[-1].expr
        found = Reaches(op, op.combinations).of(cast.operand)  # type: ignore[union-attr]
        return found.low, found.high, found.nan

    assert reach("x") == (-float("inf"), float("inf"), True)
    assert reach("clip(x, -3, 4)") == (-3, 4, True)
    assert reach("clip(cast(x, int8), -300, 4)") == (-128, 4, False)
    assert reach("where(x > 0, 1, -1) + 0 * j")[2] is False
    assert reach("cast(i, float32)")[1] > 2**31 - 1
    assert reach("x * 0") == reach("1 / x") == (-float("inf"), float("inf"), True)
    assert reach("max(min(i * i, 5), -4)") == (-4, 5, False)
    assert reach("i * i * i") == reach("abs(i << 3)") == reach("-sum(i, axis=0)") == (-(2.0**63), 2.0**63, False)


def test_names_that_are_used_twice() -> None:
    """Each is looked at once: 60 of them are no 2**60."""
    lines = [
        "a0 = cast(x, int8)",
        *(f"a{n} = max(a{n - 1}, a{n - 1} + 1)" for n in range(1, 60)),
        "y = cast(a59, int32)",
    ]
    text = _ONE.replace("y = %s", "%s") % ("One", "x", "float32", "int32", "x", "|\n      " + "\n      ".join(lines))
    head = "opkg: 1\npackage: {name: test.casts, targets: [executorch-builder]}\nops:\n"
    assert "y = a59" in functions(package_of(head + text).ops[0], DEFAULT).texts["compute_one"]


def test_what_is_real_from_the_start() -> None:
    for text, wanted in (
        ("i * 0.5 + j", True),
        ("cast(i, float32) - x", True),
        ("where(i > 3, x, h)", True),
        ("i + j * 0.5 + (i & 3)", False),
        ("x + (i + j)", False),
        ("x + abs(i)", False),
        ("x * cast(i, int8)", False),
    ):
        op = _op(text, "float32")
        assert are_reals(op, op.combinations[0]) is wanted, text


@pytest.mark.executorch
def test_torch_has_the_same_numbers(interpreter: str, tmp_path: Path) -> None:
    path = tmp_path / "casts.yaml"
    path.write_text(_spec())
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(write(load(path), tmp_path)), str(ROOT)])}
    script = [interpreter, str(HERE / "casts_script.py"), str(path)]
    done = subprocess.run(script, capture_output=True, text=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["wrong"] == []
    assert found["compared"] > 1_000_000
    assert found["kinds"] == []
    assert found["reals"] >= 14
