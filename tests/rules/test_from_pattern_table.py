"""Every torch function of the table: the rule that is made from it computes what the op's `compute:` says."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.rules.check import check_package
from opkg.rules.from_pattern import offer
from opkg.rules.from_pattern_ops import FORMS
from opkg.spec.reader import read
from opkg.verify.rules.api import try_rules
from opkg.verify.rules.outcome import RuleOptions, Status

# Function of the table -> (pattern, the same in the compute language); `a` and `b` have one shape.
SAME: dict[str, tuple[str, str]] = {
    "relu": ("torch.relu(a + b)", "max(a + b, 0)"),
    "neg": ("torch.neg(a + b)", "-(a + b)"),
    "abs": ("(a - b).abs()", "abs(a - b)"),
    "exp": ("torch.exp(a - b)", "exp(a - b)"),
    "sqrt": ("torch.sqrt(torch.abs(a * b))", "sqrt(abs(a * b))"),
    "rsqrt": ("a * torch.rsqrt(torch.exp(b))", "a / sqrt(exp(b))"),
    "log": ("torch.log(a.exp()) + b", "log(exp(a)) + b"),
    "floor": ("torch.floor(a) * b", "floor(a) * b"),
    "ceil": ("torch.ceil(a) * b", "ceil(a) * b"),
    "sign": ("torch.sign(a) * b", "sign(a) * b"),
    "sigmoid": ("torch.sigmoid(a) * b", "sigmoid(a) * b"),
    "tanh": ("torch.tanh(a) * b", "tanh(a) * b"),
    "eq": ("torch.where(torch.floor(a) == torch.floor(b), a, b)", "where(floor(a) == floor(b), a, b)"),
    "ne": ("torch.where(a != b, a, b * 2)", "where(a != b, a, b * 2)"),
    "gt": ("torch.where(a > b, a, -b)", "where(a > b, a, -b)"),
    "ge": ("torch.where(a >= 0.5, a, b)", "where(a >= 0.5, a, b)"),
    "lt": ("torch.where(torch.lt(a, b), a, a * b)", "where(a < b, a, a * b)"),
    "le": ("torch.where(a <= b, -a, b)", "where(a <= b, -a, b)"),
    "add": ("torch.ops.aten.add.Tensor(a, b) * 3.0", "(a + b) * 3.0"),
    "sub": ("torch.subtract(2.5 - a, b)", "2.5 - a - b"),
    "mul": ("torch.multiply(a, b) - 1", "a * b - 1"),
    "div": ("a / torch.exp(b)", "a / exp(b)"),
    "maximum": ("torch.maximum(a, b) * a", "max(a, b) * a"),
    "minimum": ("torch.minimum(-a, b)", "min(-a, b)"),
    "pow": ("a ** 2 + b", "a * a + b"),
    "square": ("torch.square(a - b)", "(a - b) * (a - b)"),
    "reciprocal": ("torch.reciprocal(torch.sigmoid(a) + 1) * b", "b / (sigmoid(a) + 1)"),
    "silu": ("F.silu(a) * b", "a * sigmoid(a) * b"),
    "hardswish": ("F.hardswish(a) * b", "a * clip(a + 3, 0, 6) / 6 * b"),
    "gelu": ("F.gelu(a) * b", "a * 0.5 * (1 + erf(a / 1.4142135623730951)) * b"),
    "elu": ("F.elu(a + b, 0.5)", "where(a + b > 0, a + b, 0.5 * (exp(min(a + b, 0)) - 1))"),
    "leaky_relu": ("F.leaky_relu(a + b, 0.25)", "where(a + b > 0, a + b, 0.25 * (a + b))"),
    "clamp": ("torch.clip(a * b, -1.0, 2.0)", "clip(a * b, -1, 2)"),
    "hardtanh": ("F.hardtanh(a * b)", "clip(a * b, -1, 1)"),
    "relu6": ("F.relu6(a + b)", "clip(a + b, 0, 6)"),
    "where": ("torch.where(a > 0, b, a * 0.5)", "where(a > 0, b, a * 0.5)"),
    "mean": ("a - torch.mean(a, -1, keepdim=True) * b", "a - mean(a, axis=-1, keepdims=True) * b"),
    "sum": ("a * b.sum(dim=[-1], keepdim=True)", "a * sum(b, axis=-1, keepdims=True)"),
    "amax": ("a - torch.amax(a * b, -1, True)", "a - max(a * b, axis=-1, keepdims=True)"),
    "amin": ("a - torch.amin(a * b, dim=(-1,), keepdim=True)", "a - min(a * b, axis=-1, keepdims=True)"),
    "softmax": (
        "torch.softmax(a * b, -1)",
        "t = exp(a * b - max(a * b, axis=-1, keepdims=True)); y = t / sum(t, axis=-1, keepdims=True)",
    ),
}
SPEC = """\
opkg: 1
package: {{name: acme.table}}
ops:
  Fused:
    types: {{T: [float32]}}
    inputs: {{{inputs}}}
    outputs: {{y: {{dtype: T, shape: a.shape}}}}
    pattern: {pattern}
    compute: y = {compute}
    tests: {{tolerance: {{float32: 1e-4 abs + 1e-4 rel}}}}
"""
# What the compute language does not have: (pattern, inputs, shape of y, numpy).
REFERENCED = {
    "sin": ("torch.sin(a) * b", "a: {dtype: T}, b: {dtype: T, shape: a.shape}", "a.shape", "numpy.sin(a) * b"),
    "cos": ("torch.cos(a) * b", "a: {dtype: T}, b: {dtype: T, shape: a.shape}", "a.shape", "numpy.cos(a) * b"),
    "matmul": (
        "torch.relu(a @ b)", "a: {dtype: T, shape: [M, K]}, b: {dtype: T, shape: [K, N]}", "[M, N]",
        "numpy.maximum(a @ b, 0)",
    ),
}  # fmt: skip


def spec(name: str) -> str:
    pattern, compute = SAME[name]
    inputs = "a: {dtype: T, shape: '[batch..., C]'}, b: {dtype: T, shape: a.shape}"
    return SPEC.format(inputs=inputs, pattern=pattern, compute=compute).replace("y = t = ", "t = ")


def verdicts(text: str, root: Path) -> None:
    """The rules of the only op of a spec keep the result."""
    package, findings = read(text.encode(), "specs/table.yaml")
    assert package is not None, findings
    offered = offer(package, package.ops[0])
    assert offered.findings == ()
    package, findings = read(
        (text + "    rules:\n" + "".join(rule.yaml() for rule in offered.rules)).encode(), "specs/table.yaml"
    )
    assert package is not None, findings
    checked = check_package(package)
    assert not [finding for finding in checked.findings if finding.is_error]
    assert checked.rules
    for verdict in try_rules(checked.rules, [package], root, RuleOptions(cases=6)):
        assert verdict.status is Status.EQUIVALENT, (offered.rules[0].yaml(), verdict)


def test_every_function_is_here() -> None:
    assert {*SAME, *REFERENCED} == set(FORMS)


@pytest.mark.parametrize("name", SAME)
def test_the_rule_computes_the_same(name: str, tmp_path: Path) -> None:
    verdicts(spec(name), tmp_path)


@pytest.mark.parametrize("name", REFERENCED)
def test_the_rule_computes_the_reference(name: str, tmp_path: Path) -> None:
    pattern, inputs, shape, code = REFERENCED[name]
    text = SPEC.format(inputs=inputs, pattern=pattern, compute="").replace(
        "compute: y = ", "reference: references:fused"
    )
    text = text.replace("shape: a.shape}}\n    pattern", f"shape: '{shape}'}}}}\n    pattern")
    (tmp_path / "specs").mkdir()
    (tmp_path / "references.py").write_text(f"import numpy\n\n\ndef fused(a, b):\n    return {code}\n")
    (tmp_path / "specs" / "table.yaml").write_text(text)
    verdicts(text, tmp_path)
