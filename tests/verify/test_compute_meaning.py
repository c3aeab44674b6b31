"""What computations mean: numpy's evaluation against Python's own of the same text, casts, and whole verifications."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.spec.compute.check import read_checked
from opkg.spec.compute.tree import Assign, Compute, Input, Reduce, Reduction
from opkg.spec.diagnostics import Diagnostic, OpkgError
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Op
from opkg.spec.reader import read as read_spec
from opkg.spec.source_text import SourceText
from opkg.verify.api import VerifyOptions, verify
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.cases.reference import References
from opkg.verify.meaning.compute import Stuck, cast, evaluate
from opkg.verify.meaning.numbers import Array

from .projects import RELU, cases_of, generated, op_of, read, relu_kernel

SPEC = b"""\
opkg: 1
package: {name: acme.test}
ops:
  Op:
    types: {T: [float32, int32]}
    inputs:
      x: {dtype: float32, rank: 1..4}
      z: {dtype: float32, shape: x.shape}
      i: {dtype: int32, shape: x.shape}
      w: {dtype: float32, shape: x.shape, optional: true}
    params:
      p: {dtype: float32, default: 1.5}
      axis: {dtype: int32, default: -1}
      axes: {dtype: uint32, shape: [K], default: [0, 1]}
      keep: {dtype: bool8, default: true}
    outputs:
      y: {dtype: T, shape: x.shape}
"""


def _op() -> Op:
    package, findings = read_spec(SPEC, "f.yaml")
    assert package is not None, findings
    return replace(package.ops[0], combinations=package.ops[0].combinations[:1])


OP = _op()


def value(text: str, **values: object) -> Array:
    """The value of `y = text`, of a computation without findings."""
    compute, findings = read_checked(SourceText("f.yaml", f"y = {text}"), OP)
    assert compute is not None, (text, findings)
    given = {name: None if v is None else np.asarray(v) for name, v in values.items()}
    return evaluate(compute, given)["y"]


def _python(text: str, **values: object) -> float:
    """The same text by Python itself, with math's functions."""
    names: dict[str, object] = {
        **{name: getattr(math, name) for name in ("exp", "log", "sqrt", "erf", "tanh", "floor", "ceil", "trunc", *CURVES)},
        "rsqrt": lambda v: 1.0 / math.sqrt(v),
        "sigmoid": lambda v: 1.0 / (1.0 + math.exp(-v)),
        "softplus": lambda v: math.log1p(math.exp(v)),
        "silu": lambda v: v / (1.0 + math.exp(-v)),
        "gelu": lambda v: v * (1.0 + math.erf(v / 2**0.5)) / 2,
        "mish": lambda v: v * math.tanh(math.log1p(math.exp(v))),
        "hardswish": lambda v: v * min(max(v + 3, 0), 6) / 6,
        "sign": lambda v: (v > 0) - (v < 0),
        "clip": lambda v, low, high: min(max(v, low), high),
        "where": lambda test, then, other: then if test else other,
        **{name: {"min": min, "max": max, "abs": abs, "round": round, "pow": pow}[name]
           for name in ("min", "max", "abs", "round", "pow")},
    }  # fmt: skip
    return eval(text, {"__builtins__": {}}, {**names, **values})  # type: ignore[no-any-return]


CURVES = ("sin", "cos", "asin", "atan", "log1p")
REAL_LEAVES = ["x", "z", "i", "p", "2", "0.5", "3", "1.25"]
ONE = ["exp", "tanh", "erf", "sigmoid", "abs", "floor", "ceil", "round", "trunc", "sign", "-", "sqrt", "rsqrt", "log",
       *CURVES, "softplus", "silu", "gelu", "mish", "hardswish"]  # fmt: skip


@st.composite
def texts(draw: st.DrawFn, depth: int = 4) -> str:
    """A random expression over scalars, as text."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from(REAL_LEAVES))
    inner = texts(depth - 1)
    kind = draw(st.sampled_from(["one", "two", "two", "fold", "clip", "if", "where", "pow"]))
    a, b, c = draw(inner), draw(inner), draw(inner)
    if kind == "one":
        return f"{draw(st.sampled_from(ONE))}({a})"
    if kind == "two":
        return f"({a}) {draw(st.sampled_from(['+', '-', '*', '/', '//', '%']))} ({b})"
    if kind == "fold":
        return f"{draw(st.sampled_from(['min', 'max']))}({a}, {b}, {c})"
    if kind == "clip":
        return f"clip({a}, -2, {draw(st.sampled_from(['3', '2.5']))})"
    if kind == "pow":
        return f"({a}) ** {draw(st.sampled_from(['0', '1', '2', '3', '-1']))}"
    test = f"({a}) {draw(st.sampled_from(['<', '<=', '>', '>=', '==', '!=']))} ({b})"
    test = draw(st.sampled_from([test, f"not {test}", f"{test} and x < z", f"{test} or x < z < 2"]))
    return f"({b} if {test} else {c})" if kind == "if" else f"where({test}, {b}, {c})"


SCALARS = st.floats(-8, 8).map(lambda f: round(f, 3))


@settings(max_examples=600, deadline=None)
@given(texts(), SCALARS, SCALARS, st.integers(-9, 9))
def test_numpy_says_what_python_says(text: str, x: float, z: float, i: int) -> None:
    values = {"x": x, "z": z, "i": i, "p": 1.5}
    try:
        wanted = _python(text, **values)
        wanted = float(wanted) if not isinstance(wanted, complex) else math.nan
    except (ZeroDivisionError, OverflowError, ValueError):
        return  # Python raises where IEEE 754 has an infinity or NaN
    if not math.isfinite(wanted) or abs(wanted) > 1e15:
        return
    compute, findings = read_checked(SourceText("f.yaml", f"y = {text}"), OP)
    if compute is None:
        assert any("division by zero" in finding.message for finding in findings), findings
        return
    given = {name: np.asarray(v) for name, v in values.items()}
    assert float(evaluate(compute, given)["y"]) == pytest.approx(wanted, rel=1e-9, abs=1e-9), text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("round(x)", [-2.0, 0.0, 2.0]),
        ("trunc(x)", [-2.0, 0.0, 2.0]),
        ("i // 2", [-2, 0, 2]),
        ("i % 3", [0, 1, 2]),
        ("i / 2", [-1.5, 0.5, 2.5]),
        ("i ** 2", [9, 1, 25]),
        ("sign(i)", [-1, 1, 1]),
        ("abs(x) + i", [-0.5, 1.5, 7.5]),
        ("sum(x)", 0.5),
        ("mean(i, axis=0)", 1.0),
        ("prod(i, axis=-1, keepdims=True)", [-15]),
        ("min(x, axis=axis, keepdims=keep)", [-2.5]),
        ("max(x, axis=(0,))", 2.5),
        ("1 if keep else x", [1.0, 1.0, 1.0]),
        ("cast(x > 0, int32) + i", [-3, 2, 6]),
        ("x + w if present(w) else 7", 7),
        ("0 if present(w) and w > 0 else x", [-2.5, 0.5, 2.5]),
        ("x if not present(w) or w > 0 else w", [-2.5, 0.5, 2.5]),
    ],
)
def test_values(text: str, wanted: object) -> None:
    found = value(text, x=[-2.5, 0.5, 2.5], i=[-3, 1, 5], w=None, axis=-1, keep=True)
    np.testing.assert_array_equal(found, wanted)


def test_present_inputs_are_used() -> None:
    arrays = {"x": [1.0, -1.0], "w": [2.0, -2.0]}
    np.testing.assert_array_equal(value("x + w if present(w) else 7", **arrays), [3.0, -3.0])
    np.testing.assert_array_equal(value("0 if present(w) and w > 0 else x", **arrays), [0.0, -1.0])


def test_axes_of_a_tensor_param() -> None:
    x = np.arange(12.0).reshape(2, 3, 2)
    np.testing.assert_array_equal(value("sum(x, axis=axes, keepdims=True)", x=x, axes=[0, 1]), [[[30.0, 36.0]]])


def test_integers_stay_integers() -> None:
    for text in ("i + 1", "max(i, 2)", "sum(i, axis=0)", "i ** 3", "floor(i)", "cast(x, int32)", "cast(i, uint8)"):
        assert value(text, i=[1, 2], x=[1.5, 2.5]).dtype == np.int64, text
    assert value("i + 0.0", i=[1, 2]).dtype == np.float64


@pytest.mark.parametrize(
    ("dtype", "given_", "wanted"),
    [
        ("int8", [1.9, -1.9, 300.0, -300.0, math.inf, -math.inf, math.nan], [1, -1, 127, -128, 127, -128, 0]),
        ("uint8", [1.9, -1.9, 300.0], [1, 0, 255]),
        ("int64", [2.0**63, -(2.0**63), 2.0**53], [2**63 - 1, -(2**63), 2**53]),
        ("uint64", [2.0**64, -5.0, 2.0**63], [2**64 - 1, 0, 2**63]),
        ("int16", [40000, -40000, 12], [32767, -32768, 12]),
        ("bool8", [0.0, -0.5, math.nan], [False, True, True]),
        ("float32", [0.1, 1e300, 16777217.0], [float(np.float32(0.1)), math.inf, 16777216.0]),
        ("float16", [65520.0, 0.1], [math.inf, float(np.float16(0.1))]),
        ("int32", [True, False], [1, 0]),
    ],
)
def test_casts(dtype: str, given_: list[float], wanted: list[float]) -> None:
    with np.errstate(all="ignore"):
        found = cast(np.asarray(given_), DTYPES[dtype])
    assert found.tolist() == wanted


VARIABLE = b"""\
opkg: 1
package: {name: acme.test}
ops:
  Op:
    types: {T: [float32, int32, uint8], Q: [float32, ufixed8]}
    inputs:
      x: {dtype: Q, rank: 1..4}
    outputs:
      y: {dtype: T, shape: x.shape}
    compute: y = cast(x * 2, T)
"""


def test_cast_to_a_type_variable() -> None:
    package, findings = read_spec(VARIABLE, "f.yaml")
    assert package is not None, findings
    op = package.ops[0]
    assert op.compute is not None
    wanted = {"float32": [0.8, -0.5, 514.0], "int32": [0, 0, 514], "uint8": [0, 0, 255]}
    seen = set()
    for combination in op.combinations:
        found = evaluate(op.compute, {"x": np.asarray([0.4, -0.25, 257.0])}, combination)["y"]
        name = combination.dtype("T").name
        np.testing.assert_allclose(found, wanted[name], rtol=1e-7)
        seen.add(name)
    assert seen == set(wanted)


def test_cast_to_a_type_variable_that_may_be_quantized() -> None:
    package, findings = read_spec(VARIABLE.replace(b"2, T)", b"2, Q)"), "f.yaml")
    assert package is None
    assert [(f.id, f.span.line, f.span.column) for f in findings] == [("OPK143", 10, 30)]


def test_erf_is_accurate() -> None:
    drawn = random.Random(1)
    xs = np.asarray([drawn.uniform(-6, 6) for _ in range(100)]).reshape(4, 25)
    assert value("erf(x)", x=xs).tolist() == [[math.erf(v) for v in row] for row in xs.tolist()]
    assert value("erf(x)", x=np.zeros((0, 3))).shape == (0, 3)


def test_what_has_no_value_is_stuck_at_its_node() -> None:
    with pytest.raises(Stuck, match="broadcast") as stuck:
        value("exp(x) * (x + z)", x=[1.0, 2.0], z=[1.0, 2.0, 3.0])
    assert stuck.value.node.span.column == 15
    with pytest.raises(Stuck, match="axis 2"):
        value("sum(x, axis=2)", x=[1.0, 2.0])
    twice = Reduce(Reduction.SUM, Input("x"), (0, 1, -2) * 100)  # as a param may say
    with pytest.raises(Stuck, match="reduced twice"):
        evaluate(Compute((Assign("y", twice),)), {"x": np.ones((3, 2))})


# Through verify

COMPUTED = RELU.replace("reference: references:relu", "compute: y = max(x, 0)")
ROWS = """\
  Rows:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: [N, C]}
      bias: {dtype: T, shape: [C], optional: true}
    params:
      scale: {dtype: float32, default: 2.0}
    outputs:
      y: {dtype: T, shape: x.shape}
      most: {dtype: T, shape: [N]}
      positive: {dtype: bool8, shape: x.shape}
    compute: |
      d = x - mean(x, axis=-1, keepdims=True)
      y = d * scale + bias if present(bias) else d * scale
      most = max(y, axis=1)
      positive = y > 0
"""


def test_an_op_with_a_computation_only_passes(tmp_path: Path) -> None:
    package = read(tmp_path, COMPUTED + "    kernels:\n      - {body: kernels/relu.cpp}\n")
    assert package.ops[0].reference is None
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "relu.cpp").write_text(relu_kernel(), encoding="utf-8")
    generated(tmp_path, package)
    options = VerifyOptions(on=("host",), cases=8, timeout=2.0, check_current=False)
    result = verify(tmp_path, [package], options)
    assert result.ok, (result.diagnostics, result.failures)
    assert [(c.op, c.combination) for c in result.cells] == [("Relu", "f32"), ("Relu", "u8")]
    (tmp_path / "kernels" / "relu.cpp").write_text(relu_kernel("x > 0 ? 2 * x : 0"), encoding="utf-8")
    assert not verify(tmp_path, [package], options).ok


def test_cases_of_several_outputs_and_an_optional_input(tmp_path: Path) -> None:
    op = op_of(tmp_path, ROWS)
    cases = cases_of(tmp_path, op)
    assert {case.inputs[1].absent for case in cases} == {True, False}
    for case in cases:
        y, most, positive = case.expected
        assert y.dtype == np.float64
        np.testing.assert_array_equal(most, y.max(axis=1))
        np.testing.assert_array_equal(positive, y > 0)


def _finding(root: Path, ops: str, reference: str = "") -> Diagnostic:
    op = op_of(root, ops, reference)
    try:
        _, findings = generate(op, References(root).load(op, root / "specs" / "test.yaml"), Plan(12))
    except OpkgError as failed:
        return failed.diagnostics[0]
    assert {f.id for f in findings} == {findings[0].id}
    return findings[0]


BOTH = RELU + "    compute: y = max(x, 0)\n"


def test_both_must_agree(tmp_path: Path) -> None:
    right = "import numpy as np\ndef relu(x): return np.maximum(x, 0) * 3 / 3"
    # 24 of each type, 5 lengths, 6 with extreme scales, 1 with NaN
    assert len(cases_of(tmp_path, op_of(tmp_path, BOTH, right))) == 65
    wrong = "import numpy as np\ndef relu(x): return np.maximum(x, 0) * (1 + 1e-7)"
    finding = _finding(tmp_path, BOTH, wrong)
    assert finding.id == "OPK426"
    assert (finding.span.line, finding.span.column) == (15, 14)
    assert "compute and reference of Relu differ: y[" in finding.message


@pytest.mark.parametrize(
    ("compute", "id", "column", "words"),
    [
        ("y = x + 0 * sum(x, axis=2, keepdims=True)", "OPK424", 26, "cannot be evaluated: axis 2"),
        ("y = max(x, axis=0, keepdims=True)", "OPK425", 14, "y has the shape [1"),
        ("t = x; y = log(t - t - 1)", "OPK417", 21, "y holds NaN and is quantized"),
    ],
)
def test_what_goes_wrong_is_a_finding_at_its_place(
    tmp_path: Path, compute: str, id: str, column: int, words: str
) -> None:
    ops = RELU.replace("reference: references:relu", f"compute: {compute}").replace("[float32, ufixed8]", "[ufixed8]")
    finding = _finding(tmp_path, ops)
    assert (finding.id, finding.span.line, finding.span.column) == (id, 14, column)
    assert words in finding.message


def test_an_op_without_either_is_a_finding(tmp_path: Path) -> None:
    finding = _finding(tmp_path, RELU.replace("    reference: references:relu\n", ""))
    assert finding.id == "OPK418"
    assert "compute:" in finding.hint
