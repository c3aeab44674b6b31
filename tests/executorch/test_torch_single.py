"""Which ops compute in float32, what is proved of them, and that torch keeps to it over all bit patterns."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest
from executorch_lib import HERE, write
from single_random import KNOWN, spec, texts

from opkg.spec.model import Op, OpPackage
from opkg.spec.names import snake
from opkg.spec.reader import read
from opkg.targets.executorch_builder.profiles import DEFAULT
from opkg.targets.executorch_builder.torch_compute import single_computation
from opkg.targets.executorch_builder.torch_forms import formed
from opkg.targets.executorch_builder.torch_functions import functions
from opkg.targets.executorch_builder.torch_half import is_half
from opkg.targets.executorch_builder.torch_mixed import mixed
from opkg.targets.executorch_builder.torch_single import proved


def package_of(text: str) -> OpPackage:
    package, findings = read(text.encode(), "single.yaml")
    assert package is not None, (findings, text)
    return package


def op_of(text: str) -> Op:
    return formed(package_of(spec([text])).ops[0])


@pytest.mark.parametrize(
    ("text", "error", "moved"),
    [
        ("x * sigmoid(x)", 5, ""),
        ("x * sigmoid(z)", 5, ""),
        ("x / (1 + exp(-x))", 4, ""),
        ("silu(x) * z", 6, ""),
        ("x * z + w", 2, "w"),
        ("exp(x) - z", 3, "z"),
        ("exp(x) - 0.5 * z", 3, "z"),
        ("x + z", 1, ""),
        ("max(x, 0)", 0, ""),
        ("floor(x) * z", 1, ""),
        ("where(x > z, x * z, w)", 1, ""),
        ("x * p", 1, ""),
        ("3 / x", 2, ""),  # torch multiplies by 1 / x
        ("max(x, axis=-1, keepdims=True) - x", 1, ""),
        ("x * tanh(log(1 + exp(x)))", 7, ""),  # softplus, which does not overflow
        ("log1p(exp(z))", 4, ""),
        ("exp(x * z)", 91, ""),
        ("sigmoid(1.702 * x) * x", 112, ""),
        ("x * clip(x + 3, 0, 6) / 6", 5, ""),
        ("x * clip(z + 2, 0, 4) / 4", 4, ""),  # x * (clip(...) / 4)
        ("gelu(x)", 231, ""),
        ("0.5 * x * (1 + erf(x * 0.7071067811865476))", 231, ""),
        ("x[..., :1] + z", 1, ""),
        ("exp(x - max(x, axis=-1, keepdims=True)) / sum(exp(x - max(x, axis=-1, keepdims=True)), axis=-1)", 183, ""),
        ("x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 1.0e-6) * z", 6, ""),
        ("x / max(sqrt(sum(x * x, axis=-1, keepdims=True)), 1.0e-12)", 57, ""),  # squares below 2**-126 are lost
        ("x - mean(x, axis=-1, keepdims=True)", 3, ""),
        ("sum(abs(x), axis=-1, keepdims=True)", 2, ""),
        ("exp(x) - 1", 2, ""),  # expm1
        ("log(x / (1 - x))", 14, ""),
        ("1 - tanh(x) ** 2", 9, ""),  # 4 * sigmoid(2 * x) * sigmoid(-2 * x)
        ("(1 - tanh(x)) * z", 5, ""),
        ("sign(x) * z", 0, ""),
        ("x ** z", 2, ""),
        ("x ** -2", 8, ""),
        ("tanh(x) ** 3.5", 9, ""),
        ("x ** 0.5", 2, ""),  # the root
        ("log(1 + x)", 2, ""),  # log1p
        ("log(1 + abs(x))", 2, ""),
        ("log(sigmoid(x))", 4, ""),  # -softplus(-x)
        ("x % z", 1, ""),
        ("gelu(x) * z", 232, ""),
        ("1 - cos(x)", 5, ""),  # 2 * sin(x / 2) ** 2
    ],
)
def test_what_is_proved(text: str, error: float, moved: str) -> None:
    op = op_of(text)
    found = proved(op, op.combinations[0])
    assert found is not None
    assert (round(found["y"].error), "".join(found["y"].moved)) == (error, moved)


@pytest.mark.parametrize(
    "text",
    [
        "x * tanh(log(2 + exp(x)))",  # exp(100) would be infinite
        "exp(x) - 2",  # cancels what exp has rounded
        "log(tanh(x) / (1 - tanh(x)))",
        "x * z - x",  # x is not the addend alone
        "x * z + w - w",
        "x * z * w",  # x * z may be too small, or too large
        "sqrt(x * z)",
        "log(x * z)",
        "1 / sigmoid(x)",
        "floor(x * z)",
        "(x + z) ** w",  # w times what the sum was rounded by
        "1 - cos(x * z)",
        "where(x + z > 0, x, z)",
        "where(x > 0.1, x, z)",  # no float32
        "mean(x, axis=-1, keepdims=True)",
        "x * x - mean(x * x, axis=-1, keepdims=True)",
        "cast(x, float16)",
        "x * 1e300",
        "0.5 / x",  # 1 / x may be infinite
        "clip(x * z + w, -3, 3)",  # infinity - infinity
        "x - x ** 3",
        "exp(x * x * x + x * 3 * z)",  # 3 times 89
        "sum(x, axis=-1, keepdims=True)",  # may cancel
        "x / sqrt(sum(x * x, axis=-1, keepdims=True))",  # squares may be lost
        "sigmoid(2 * (x + 0.1 * x * x * x))",  # 5 times 88
        "x - log(sum(exp(x), axis=-1, keepdims=True))",
    ],
)
def test_what_is_not(text: str) -> None:
    op = op_of(text)
    assert proved(op, op.combinations[0]) is None


def test_halves() -> None:
    """Of float16 products are exact, and nothing counts as rounded."""
    wanted = {"x * z": 0, "x * z + w": 1, "x * z * w": 1, "x * clip(x + 3, 0, 6) / 6": 5}
    wanted |= {"x * sigmoid(1.702 * x)": 35, "x + x ** 3": 2, "exp(x) - z": 3}
    for text, error in wanted.items():
        op = op_of(text)
        found = proved(op, op.combinations[1])
        assert found is not None
        assert round(found["y"].error) == error, (text, found)
    for text in ("exp(x) - 2", "x * z * w + x", "x * tanh(log(2 + exp(x)))"):
        op = op_of(text)
        assert proved(op, op.combinations[1]) is None, text


def test_params_are_floors() -> None:
    """What is added to a sum is float32 where it is above 0: a range or a default says so, and a call is asked."""
    text = spec(["x * rsqrt(mean(x * x, axis=-1, keepdims=True) + p)"])
    for params in ("default: 0.3", 'range: "> 0"'):
        op = formed(package_of(text.replace("default: 0.3", params)).ops[0])
        assert proved(op, op.combinations[0]) is not None
        assert functions(op, DEFAULT).floors == ("p",)
    for params in ("default: -1.0", "range: -1 .. 1", "default: 0.0"):
        op = formed(package_of(text.replace("default: 0.3", params)).ops[0])
        assert proved(op, op.combinations[0]) is None


def test_integers_and_quantized() -> None:
    head = "opkg: 1\npackage: {name: test.other, targets: [executorch-builder]}\nops:\n  A:\n"
    ops = "    inputs: {x: {dtype: %s}}\n    outputs: {y: {dtype: %s, shape: x.shape}}\n    compute: y = x + x\n"
    for dtype in ("int32", "ufixed8", "sfixed16"):
        op = package_of(head + ops % (dtype, dtype)).ops[0]
        assert proved(op, op.combinations[0]) is None


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("x * tanh(log(2 + exp(x)))", 4),  # tanh and the product are float32
        ("tanh(floor(x) // z) * w", 4),
        ("tanh(x * z - x) + w", 4),
        ("sigmoid(x) * (exp(x) - 1)", None),  # may be infinite, and a factor may be 0
        ("where(x + z > 0, tanh(x), w)", 2),
        ("tanh(x + z - mean(x + z, axis=-1, keepdims=True))", 3),
        ("exp(x) - 1", None),  # nothing is left
        ("exp(x - x * z)", 91),
        ("0.5 * x * (1 + tanh(0.8 * (x + 0.04 * x * x * x)))", 203),  # in it the sum
        ("floor(x * z) * w", None),  # float32 steps, but no function of them
        ("cast(tanh(x) * 4, int8) * z", None),
    ],
)
def test_what_is_mixed(text: str, error: float | None) -> None:
    op = op_of(text)
    found = mixed(op, op.combinations[:1])
    assert (None if found is None else found.rows[0]["y"].error) == error


def test_names_are_of_one_type() -> None:
    """A name that float64 steps take is float64 wherever it stands; a name of those that float32 steps take is float32."""
    lines = "t = x + z; k = floor(t); s = tanh(t); y = s * sigmoid(k) + w"
    op = package_of(spec(["x"]).replace("y = x", lines)).ops[0]
    found = mixed(op, op.combinations)
    assert found is not None
    assert found.wide.names == {"t"}
    assert sorted(found.rows) == [0, 1]
    text = single_computation(op, op, found.wide)
    for line in (
        "x_double_ = x.double()",
        "t = x_double_ + z_double_",
        "k = torch.floor(t).float()\n",
        "s = torch.tanh(t.float())",
    ):
        assert line in text, text
    assert "y = torch.addcmul(w, s, torch.sigmoid(k))" in text


def test_formulas_through_names() -> None:
    """What nothing else takes may be a part of a formula; else it stays."""
    op = package_of(spec(["x"]).replace("y = x", "e = exp(x); s = 1 + e; y = z * tanh(log(s)) + w")).ops[0]
    found = functions(op, DEFAULT)
    assert "tm.softplus(x)" in found.texts["single_op0"]
    assert "e = " not in found.texts["single_op0"]
    op = package_of(spec(["x"]).replace("y = x", "e = exp(x); y = z * log(1 + e) + e")).ops[0]
    assert not any("softplus" in text for text in functions(op, DEFAULT).texts.values())
    op = package_of(spec(["tanh(floor(log(1 + exp(x))))"])).ops[0]  # float64: the formula is faster
    assert not any("softplus" in text for text in functions(op, DEFAULT).texts.values())


@pytest.mark.parametrize(
    ("compute", "text"),
    [
        ("y = log(x) - log(1 - x)", "y = tm.logit(x)"),
        ("y = log(x) - log1p(-x)", "y = tm.logit(x)"),
        ("q = x / (1 - x); y = log(q) * z", "y = tm.logit(x) * z"),
        ("c = clip(x, 0.25, 1 - 0.25); y = log(c / (1 - c))", "tm.logit(torch.clamp(x, 0, 1)), -1.09861"),
        ("t = tanh(x); y = 1 - t * t", "y = tm.steepness(2 * x)"),
        ("t = tanh(x); y = (1 - t) * z", "y = 2 * (z * tm.gate(-2 * x))"),
    ],
)
def test_odds_and_slopes(compute: str, text: str) -> None:
    found = functions(package_of(spec(["x"]).replace("y = x", compute)).ops[0], DEFAULT)
    assert text in found.texts["single_op0"]
    assert sorted(found.single) == [0, 1]


def test_numbers_alone_are_float64() -> None:
    """torch makes a float32 of an integer tensor and a number."""
    found = functions(package_of(spec(["clip(x, 0, 1 - 1.0e-6) * floor(x * z)"])).ops[0], DEFAULT)
    assert "tm.number(1) - tm.number(1e-06)" in found.texts["compute_op0"]


@pytest.mark.parametrize(
    ("compute", "is_product"),
    [
        ("y = x / max(sqrt(sum(x * x, axis=-1, keepdims=True)), 1.0e-12)", True),
        ("y = x / sqrt(1.0e-6 + mean(x * x, axis=-1, keepdims=True))", True),
        ("y = x / sqrt(mean(x * x, axis=-1, keepdims=True) + p)", True),
        ("s = sum(x * x, axis=-1, keepdims=True); r = sqrt(s + 1.0e-6); y = x / r", True),
        ("y = x / sqrt(z * z + 1)", False),  # as many roots as quotients
    ],
)
def test_quotients_by_norms_are_products(compute: str, is_product: bool) -> None:
    package = package_of(spec(["x"]).replace("y = x", compute))
    found = functions(package.ops[0], DEFAULT).texts
    assert any("tm.rsqrt(" in each for each in found.values()) is is_product
    assert not is_product or "torch.sqrt(" not in found["single_op0"]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("x * z + w", True),
        ("w - x * z", True),
        ("x * z - x", True),
        ("max(x, 0)", True),
        ("where(x > 0.5, x, 0.1 * z)", True),
        ("x * sigmoid(x)", True),
        ("log(1 + exp(x))", True),
        ("x / 6", True),
        ("x - 1.5", True),
        ("x + 0.1", False),  # torch rounds 0.1 to float16
        ("max(x, 0.1)", False),
        ("0.5 / x", False),  # two calls
        ("x * sigmoid(z)", True),
        ("sigmoid(z) * x + w", False),
        ("0.5 * sigmoid(z)", False),
        ("0.5 * x + z", False),
        ("where(x > 0, round(x), trunc(z))", True),
        ("x % z", True),
        ("erf(x)", False),  # 5 places off
        ("x * p", False),
    ],
)
def test_what_float16_does(text: str, is_one: bool) -> None:
    """One rounding, at the end."""
    op = op_of(text)
    assert [is_half(op, row) for row in op.combinations] == [False, is_one]
    assert functions(op, DEFAULT).half == ((1,) if is_one else ())


def _proofs(package: OpPackage) -> dict[str, list[dict[str, dict[str, object]]]]:
    """What the script takes."""
    found: dict[str, list[dict[str, dict[str, object]]]] = {}
    for op in map(formed, package.ops):
        steps = mixed(op, op.combinations)
        for at, combination in enumerate(op.combinations):
            known = proved(op, combination) or (steps.rows.get(at) if steps else None) or {}
            rows = {name: {**asdict(bounds), "moved": sorted(bounds.moved)} for name, bounds in known.items()}
            found.setdefault(snake(op.name), []).append(rows)
    return found


def _checked(packages: list[OpPackage], interpreter: str, folder: Path) -> int:
    """How many outputs torch computed in float32 within what is proved."""
    path = folder / "proofs.json"
    path.write_text(json.dumps({f"{p.cpp_namespace}_executorch": _proofs(p) for p in packages}))
    folders = [str(write(package, folder)) for package in packages]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    script = [interpreter, str(HERE / "single_script.py"), str(path)]
    done = subprocess.run(script, capture_output=True, text=True, timeout=900, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["wrong"] == [], "\n".join(found["wrong"])
    return int(found["compared"])


def _some(count: int, seed: int) -> OpPackage:
    """Computations of which something is proved."""
    made = [text for text in texts(6 * count, seed) if text in KNOWN or _is_proved(text)]
    return package_of(spec(made[:count]))


def _is_proved(text: str) -> bool:
    op = op_of(text)
    return bool(mixed(op, op.combinations)) or any(proved(op, row) for row in op.combinations)


@pytest.mark.executorch
def test_torch_keeps_to_it(interpreter: str, tmp_path: Path) -> None:
    assert _checked([_some(44, 1)], interpreter, tmp_path) >= 70


@pytest.mark.executorch
@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(2, 8))
def test_torch_keeps_to_many(interpreter: str, tmp_path: Path, seed: int) -> None:
    assert _checked([_some(120, seed)], interpreter, tmp_path) >= 150
