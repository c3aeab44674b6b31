"""Which ops are float32 step by step, and that torch keeps to what is said of them: errors beside the sizes of their terms."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest
from executorch_lib import HERE, ROOT, load, write
from single_random import spec
from test_torch_single import op_of, package_of

from opkg.targets.executorch_builder.profiles import DEFAULT
from opkg.targets.executorch_builder.torch_functions import functions
from opkg.targets.executorch_builder.torch_plain import plain

_ROW = "axis=-1, keepdims=True"
_KNOWN = {  # what an output is off at most, in 2**-24 of the sizes of its terms
    "x * z - x": 2,
    "x - z * w": 2,
    "x + w * (z - x)": 3,
    "x * x - z * z": 2,
    "x * z * w": 2,
    "exp(x) * z": 3,
    "z + sigmoid(w) * (x - z)": 7,
    "x - tanh(x)": 3,
    "sqrt(x * x + z * z)": 3,
    f"sum(x * z, {_ROW})": 33,
    f"mean(x, {_ROW})": 32,
    f"mean(x * x, {_ROW})": 3,
    "1 - x * (0.5 - x * (0.25 - 0.1 * x))": 6,
    "x * z / (1 + abs(w))": 4,
    "clip(x * z + w, -3, 3)": 2,
    "where(x > z, x * z - x, max(w, -w * x * z))": 2,
    "concat([x[..., :9] * z[..., :9] - w[..., :9], x[..., 9:]], axis=-1) * p": 3,
    "cumsum(x, axis=-1)": 2,
    "(clip(round(x / 0.0123) + 3, -128, 127) - 3) * 0.0123": 5,  # what decides is float64
    "(clip(round(x / z) + w, -128, 127) - w) * z": 4,
    "clip(floor(x / 0.05 + p), 0, 255) * z": 2,
    "w - trunc(x * z)": 2,
    "round(x) * z - w": 2,
    "x + softplus(-2 * x)": 5,
    "x + softplus(-3 * x)": 109,  # as much as exp enlarges what its operand has been rounded by
    "(1 - w) * tanh(x + z) + w * z": 6,
    "x + sin(0.5 * x) * sin(0.5 * x) / 0.5": 8,
    "x ** z - w": 3,
    "x ** 2.2 - z * (x + w) ** 3.5": 41,  # 2.2 is rounded, and its error times 104
    "-(z * log(x) + (1 - z) * log(1 - x))": 5,
    f"max(x, {_ROW}) + log(sum(exp(x - max(x, {_ROW})), {_ROW}))": 110,
    "z - sin(4 * x)": 3,
    "round(x * 16) * z - w": 2,
}


@pytest.mark.parametrize(("text", "error"), _KNOWN.items())
def test_what_is_plain(text: str, error: float) -> None:
    op = op_of(text)
    found = plain(op, op.combinations[0])
    assert found is not None
    assert round(found.outputs["y"].error) == error


@pytest.mark.parametrize(
    "text",
    [
        "exp(x) - 2",  # next to a number, nothing is left of a function
        "2 - tanh(x) * tanh(x)",
        "tanh(x * z - x)",  # functions take nothing that has been rounded
        "sqrt(x * x - z * z)",
        "x / (z - x * w)",
        "x + log(x * z)",  # steep near 1
        "x + log(0.5 * x)",  # of what is small a bit may be lost
        "where(x * z > w, x, z)",
        f"x * x - mean(log(x * z), {_ROW})",
        f"(x - mean(x, {_ROW})) * rsqrt(mean((z - mean(z, {_ROW}) + x) ** 2, {_ROW}) + 1.0e-5)",
        "x % z",
        "cast(x, float16) - z",
        "x - floor(x / z) * z",  # a rest
        "z - round(z * x)",
        "where(round(x / 0.1) > 3, x, z)",
    ],
)
def test_what_is_not(text: str) -> None:
    op = op_of(text)
    assert plain(op, op.combinations[0]) is None


def test_what_is_proved_comes_first() -> None:
    """Sums of both signs are torch's own; what is not negative is added in float64, and what is proved stays as it is."""
    found = functions(op_of(f"sum(x * z, {_ROW}) * sum(x * x, {_ROW})"), DEFAULT)
    assert (found.plain, sorted(found.single)) == ((0, 1), [0, 1])
    assert all(name in found.texts["single_op0"] for name in ("tm.own_sum(", "tm.reduce_sum("))
    for text in (
        "x * sigmoid(x)",
        f"x - mean(x, {_ROW})",
        "tanh(x * z - x) + w",
        "where(x > 0, x, exp(x) - 1) + 0 * z",
    ):
        assert 0 not in functions(op_of(text), DEFAULT).plain, text


def test_what_decides_is_float64() -> None:
    """Names that it takes are float64, and float32 where other steps take them."""
    named = spec(["clip(round(u) + 3, 0, 255) * w + w"]).replace("y =", "u = x / z; y =")
    text = functions(package_of(named).ops[0], DEFAULT).texts["mixed_op0"]
    assert "u = x_double_ / z_double_\n" in text
    assert "torch.round(u).float() + 3" in text
    found = functions(op_of("clip(round(x / 0.1) + 3, 0, 255) * 0.1"), DEFAULT)
    assert (found.plain, found.mixed) == ((0, 1), (0, 1))
    assert "torch.clamp(torch.round(x_double_ / 0.1).float() + 3, 0, 255)" in found.texts["mixed_op0"]
    for text in ("round(x) * z - w", "round(x * 16) / 16 * z", "floor(x / 0.25) * z - w"):  # nothing is rounded before
        found = functions(op_of(text), DEFAULT)
        assert (sorted(found.single), found.mixed) == ([0, 1], ()), text
    assert functions(op_of("floor(x / 4) * z - w"), DEFAULT).mixed == (0, 1)  # nothing may be left of it


def _texts(count: int, seed: int) -> list[str]:
    """Random sums, products and choices after those above."""
    rng = random.Random(seed)

    def made(depth: int) -> str:
        if depth == 0:
            return rng.choice(("x", "z", "w", "x", "z", "p", "0.5", "-3", "0.1", "tanh(z)", "sigmoid(x)"))
        a, b = made(depth - 1), made(rng.randrange(depth))
        forms = (
            "({a} + {b})",
            "({a} - {b})",
            "({a} - {b})",
            "{a} * {b}",
            "{a} * {b}",
            "-({a})",
            "abs({a})",
            "max({a}, {b})",
        )
        forms += (
            "({a}) ** 2",
            "{a} / (1 + abs({b}))",
            "where(x > z, {a}, {b})",
            "sum(x * ({a}), axis=-1, keepdims=True)",
            "{a} / 3",
        )
        forms += (
            "mean(z + ({a}), axis=-1, keepdims=True)",
            "clip({a}, -1, 2)",
            "round({a} * 3)",
            "max(x - ({a}), axis=-1, keepdims=True)",
        )
        return rng.choice(forms).format(a=a, b=b)

    found = [text for text in _KNOWN if "axis=-1, keep" not in text]
    while len(found) < count:
        text = f"{made(rng.choice((2, 3, 4)))} + x * z * w"
        op = op_of(text)
        if functions(op, DEFAULT).plain and text not in found:
            found.append(text)
    return [*found, *(f"{text} * z" for text in _KNOWN if "axis=-1, keep" in text)]


@pytest.mark.executorch
@pytest.mark.parametrize(
    ("count", "seed"), [(40, 1), *(pytest.param(150, s, marks=pytest.mark.sweep) for s in (2, 3, 4))]
)
def test_torch_keeps_to_it(interpreter: str, tmp_path: Path, count: int, seed: int) -> None:
    path = tmp_path / "plain.yaml"
    path.write_text(spec(_texts(count, seed)).replace("test.single", "test.plain"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(write(load(path), tmp_path)), str(ROOT)])}
    script = [interpreter, str(HERE / "plain_script.py"), str(path)]
    done = subprocess.run(script, capture_output=True, text=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["wrong"] == [], found
    assert found["compared"] > 1_000_000
    assert 0.05 < found["worst"] <= 1
