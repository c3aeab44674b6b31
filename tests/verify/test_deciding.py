"""What is decided on real values: exactly, by fractions; with floats, both outcomes that rounding in their type can give."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from opkg.spec.diagnostics import OpkgError
from opkg.verify.cases.case import Case
from opkg.verify.cases.computed import Computed
from opkg.verify.cases.reference import References
from opkg.verify.judge.results import RawOutput, RawResult
from opkg.verify.judge.verdict import judge, nearest
from opkg.verify.meaning.compute import evaluate
from opkg.verify.meaning.numbers import Array, Quant

from .projects import cases_of, op_of

F = Fraction
# Expressions of four inputs, and the same in fractions.
QUESTIONS: list[tuple[str, Callable[[F, F, F, F], object]]] = [
    ("a + b > c", lambda a, b, c, d: a + b > c),
    ("a * b >= c * d", lambda a, b, c, d: a * b >= c * d),
    ("(a - b) * c == d", lambda a, b, c, d: (a - b) * c == d),
    ("a / b + c < d", lambda a, b, c, d: a / b + c < d),
    ("sign(a * b * c - d)", lambda a, b, c, d: (a * b * c > d) - (a * b * c < d)),
    ("floor(a * b)", lambda a, b, c, d: math.floor(a * b)),
    ("ceil(a / b)", lambda a, b, c, d: math.ceil(a / b)),
    ("a // b", lambda a, b, c, d: a // b),
    ("round(a / b)", lambda a, b, c, d: round(a / b)),
    ("trunc(a ** 2 - b)", lambda a, b, c, d: math.trunc(a * a - b)),
    ("cast(clip(a * b, -9, 9), int8)", lambda a, b, c, d: math.trunc(min(max(a * b, F(-9)), F(9)))),
    ("(a if a * b > c else d) > abs(b)", lambda a, b, c, d: (a if a * b > c else d) > abs(b)),
    ("floor(a / b) * c != d", lambda a, b, c, d: math.floor(a / b) * c != d),
    ("max(a * b, c) > min(d, 0.3)", lambda a, b, c, d: max(a * b, c) > min(d, F(0.3))),
]
SPEC = """\
  Op:
    types: {T: [@TYPES@]}
    inputs:
@INPUTS@
    outputs: {y: {dtype: T, shape: [N]}}
    compute: y = @TEXT@
"""


def _spec(text: str, names: str = "abcd", types: str = "float32") -> str:
    inputs = "\n".join(f"      {name}: {{dtype: T, shape: [N]}}" for name in names)
    if not text.startswith("max(a * b if") and (text.startswith("cast") or any(sign in text for sign in "<>=!")):
        text = f"1 if ({text}) != 0 else 0" if text.startswith("cast") else f"1 if {text} else 0"
    return SPEC.replace("@INPUTS@", inputs).replace("@TEXT@", text).replace("@TYPES@", types)


def _numbers(rng: np.random.Generator, count: int) -> dict[str, Array]:
    """Elements times scales; in half of the rows c or d nearly is what is computed of the others."""
    scales = np.float32(np.exp(rng.uniform(-9, 9, (4, count)))).astype(np.float64)
    a, b, c, d = rng.integers(1, 65536, (4, count)) * rng.choice([-1, 1], (4, count)) * scales
    nearly = rng.choice([1.0, 1 + 2.0**-52, 1 - 2.0**-53, 1 + 2.0**-40], count)
    kind = rng.integers(0, 8, count)
    c = np.where(kind == 0, (a + b) * nearly, c)
    d = np.where(kind == 1, a * b / c * nearly, d)
    d = np.where(kind == 2, (a - b) * c, d)
    d = np.where(kind == 3, a / b + c, d)
    a = np.where(kind == 4, b * rng.integers(1, 10**6, count) * nearly, a)
    a = np.where(kind == 5, rng.integers(1, 10**4, count) / b * nearly, a)
    return {"a": a, "b": b, "c": c, "d": d}


@pytest.mark.parametrize(("text", "exact"), QUESTIONS, ids=[text for text, _ in QUESTIONS])
def test_decisions_are_those_of_fractions(tmp_path: Path, text: str, exact: Callable[[F, F, F, F], object]) -> None:
    op = op_of(tmp_path, _spec(text))
    values = _numbers(np.random.default_rng(5), 1500)
    assert op.compute is not None
    found = np.broadcast_to(evaluate(op.compute, values)["y"], 1500)
    wanted = [exact(*map(Fraction, row)) for row in zip(*(values[name].tolist() for name in "abcd"), strict=True)]
    if text.startswith("cast"):
        wanted = [value != 0 for value in wanted]
    assert found.tolist() == [float(value) for value in wanted]  # type: ignore[arg-type]


def test_doubles_would_decide_otherwise(tmp_path: Path) -> None:
    """The numbers are hard enough for the test above to mean something."""
    differ = 0
    values = _numbers(np.random.default_rng(5), 1500)
    for text, _ in QUESTIONS[:6]:
        op = op_of(tmp_path, _spec(text))
        assert op.compute is not None
        exact, plain = (evaluate(op.compute, values, exact=how)["y"] for how in (True, False))
        differ += int(np.count_nonzero(exact != plain))
    assert differ > 100


def _case(root: Path, text: str, names: str, dtype: str, **stored: Array) -> Case:
    """A case with these elements."""
    op = op_of(root, _spec(text, names, dtype))
    case = cases_of(root, op, cases=1)[0]
    size = (len(next(iter(stored.values()))),)
    inputs = tuple(replace(t, shape=size, stored=stored[t.name]) for t in case.inputs)
    case = replace(case, inputs=inputs, outputs=tuple(replace(t, shape=size) for t in case.outputs))
    assert op.compute is not None
    meaning = Computed(op, op.compute)
    return replace(case, expected=meaning(case), others=meaning.others(case), bounds=())  # as of a kernel by hand


def _passes(case: Case, y: Array) -> bool:
    output = RawOutput("y", y.shape, y.astype(case.inputs[0].stored.dtype).tobytes())  # type: ignore[union-attr]
    return judge(case, RawResult(0, "ok", outputs=(output,))).status == "passed"


@pytest.mark.parametrize(("dtype", "kind"), [("float32", np.float32), ("float16", np.float16)])
def test_a_kernel_may_round_in_the_type_of_its_floats(tmp_path: Path, dtype: str, kind: type) -> None:
    rng = np.random.default_rng(3)
    a = kind(rng.uniform(0.5, 2, 4096))
    b = kind(rng.integers(1, 30, 4096) / a.astype(np.float64))  # products that nearly are whole
    b[2048:] = rng.uniform(1, 30, 2048)
    case = _case(tmp_path, "floor(a * b)", "ab", dtype, a=a, b=b)
    rounded = np.floor(a * b)
    exact = np.floor(a.astype(np.float64) * b.astype(np.float64))
    assert np.count_nonzero(rounded != exact) > 500
    assert _passes(case, rounded)
    assert _passes(case, exact)
    assert not _passes(case, np.floor(a * b * kind(1.01)))
    assert not _passes(case, np.ceil(rounded + kind(0.5)))
    between = np.where(rounded != exact, (rounded + exact) / 2, exact)
    assert not _passes(case, between)


def test_a_product_that_is_exact_has_one_floor(tmp_path: Path) -> None:
    a, b = (np.float32(x.ravel()) for x in np.meshgrid(np.arange(1, 20), np.arange(1, 20)))
    assert _passes(_case(tmp_path, "floor(a * b)", "ab", "float32", a=a, b=b), a * b)
    assert not _case(tmp_path, "floor(a * b)", "ab", "float32", a=a, b=b).others
    below = np.where(a == 6, a * b - 1, a * b)
    assert not _passes(_case(tmp_path, "floor(a * b)", "ab", "float32", a=a, b=b), below)
    halves = _case(tmp_path, "floor(a / b)", "ab", "float32", a=a * b, b=b)
    assert _passes(halves, a)
    assert not _passes(halves, np.where(a == 3, a - 1, a))  # what a * (1 / b) can give


def test_large_floats_are_rounded_too(tmp_path: Path) -> None:
    a, b = np.float32([1e30, 1e38, 3e38, -3e38]), np.float32([1, 1, 1, 1])
    case = _case(tmp_path, "a + b > a", "ab", "float32", a=a, b=b)
    assert _passes(case, np.float32([1, 1, 1, 1]))  # the exact numbers
    assert _passes(case, np.float32([0, 0, 0, 0]))


def test_a_rest_of_rounded_numbers_is_inside_its_divisor(tmp_path: Path) -> None:
    op = op_of(tmp_path, _spec("(a / b) % c", "abc"))
    values = _numbers(np.random.default_rng(5), 400)
    values["a"] *= 1e25
    assert op.compute is not None
    rest = evaluate(op.compute, {name: values[name] for name in "abc"})["y"]
    assert np.all((np.abs(rest) <= np.abs(values["c"])) & (rest * values["c"] >= 0))


def test_of_two_right_values_that_counts_which_the_tensor_can_hold(tmp_path: Path) -> None:
    case = cases_of(tmp_path, op_of(tmp_path, _spec("floor(a)", "a", "sfixed16")), cases=1)[0]
    tensor = replace(case.outputs[0], shape=(1,), quant=Quant((0.001,), (0,)))
    most = np.asarray(
        [32767], dtype=np.int16
    )  # where 100 is stored: what is nearer to -30 is nearer to the real number
    assert nearest(np.asarray([100.0]), [np.asarray([-30.0])], most, tensor) == 100
    assert nearest(np.asarray([-30.0]), [np.asarray([100.0])], most, tensor) == 100


def test_inputs_are_compared_as_they_are(tmp_path: Path) -> None:
    a = np.float32([1, 1, 2, -3, 0])
    b = np.float32([1, np.nextafter(np.float32(1), np.float32(2)), 1, -3, -0.0])
    case = _case(tmp_path, "a > b", "ab", "float32", a=a, b=b)
    assert not case.others
    assert _passes(case, np.float32([0, 0, 1, 0, 0]))
    assert not _passes(case, np.float32([1, 0, 1, 1, 1]))  # >=
    choice = _case(
        tmp_path, "max(a * b if a * b > c else -c, -99)", "abc", "float32", a=a, b=b, c=np.float32([1, 1, 2, 9, 1])
    )
    assert _passes(choice, np.where(a * b > np.float32([1, 1, 2, 9, 1]), a * b, -np.float32([1, 1, 2, 9, 1])))
    assert not _passes(choice, np.float32([0, 0, 0, 0, 0]))


def test_quantized_tensors_have_no_leeway(tmp_path: Path) -> None:
    op = op_of(tmp_path, _spec("floor(a * b)", "ab", "ufixed8, sfixed16"))
    cases = cases_of(tmp_path, op, cases=12)
    assert cases
    assert not any(case.others for case in cases)


def test_a_reference_in_doubles_may_stand_beside_a_computation(tmp_path: Path) -> None:
    spec = _spec("a * 0.1 > b", "ab", "ufixed8") + "    reference: references:op\n"
    code = "import numpy as np\n\n\ndef op(a, b):\n    return np.where(a * 0.1 > b, 1.0, @OTHER@)\n"
    op = op_of(tmp_path, spec, code.replace("@OTHER@", "0.0"))
    case = _at(cases_of(tmp_path, op, cases=1)[0], [10], [1])
    meaning = References(tmp_path).load(op, tmp_path / "specs" / "test.yaml")
    assert meaning(case)[0] == 1.0  # 10 * 0.1 is 1 in doubles, and a little more for the exact numbers
    (tmp_path / "references.py").write_text(code.replace("@OTHER@", "0.5"))
    with pytest.raises(OpkgError, match="differ"):
        References(tmp_path).load(op, tmp_path / "specs" / "test.yaml")(case)


def _at(case: Case, a: list[int], b: list[int]) -> Case:
    """A case with scales of 1 and these elements."""
    one = Quant((1.0,), (0,))
    stored = {"a": np.uint8(a), "b": np.uint8(b)}
    inputs = tuple(replace(t, shape=(len(a),), stored=stored[t.name], quant=one) for t in case.inputs)
    return replace(case, inputs=inputs, outputs=tuple(replace(t, shape=(len(a),), quant=one) for t in case.outputs))
