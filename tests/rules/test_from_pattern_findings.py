"""Patterns that have no rule: the finding names the function, or what the spec demands and a rule cannot ask for."""

from __future__ import annotations

import json

import pytest

from opkg.rules.from_pattern import offer
from opkg.spec.reader import read

INPUTS = "inputs: {a: {dtype: T, shape: [N, H, W, C]}, b: {dtype: T, shape: [N, H, W, C]}}"
OUTPUTS = "outputs: {y: {dtype: T, shape: a.shape}}"
RELU = "torch.relu(a + b)"


def findings_of(
    pattern: str, types: str = "float32", inputs: str = INPUTS, outputs: str = OUTPUTS, constraints: str = "[]"
) -> list[tuple[str, str]]:
    lines = ["opkg: 1", "package: {name: acme.fused}", "ops:", "  Fused:"]
    fields = [
        f"types: {{T: [{types}]}}",
        inputs,
        outputs,
        f"constraints: {constraints}",
        f"pattern: {json.dumps(pattern)}",
    ]
    package, findings = read("\n".join([*lines, *(f"    {field}" for field in fields)]).encode(), "f.yaml")
    assert package is not None, findings
    offered = offer(package, package.ops[0])
    assert bool(offered.rules) != any(finding.is_error for finding in offered.findings)
    return [(finding.id, finding.message) for finding in offered.findings]


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        ("torch.cumsum(a + b, 0)", "torch.cumsum"),
        ("(a + b).cumsum(0)", "torch.cumsum"),
        ("F.prelu(a, b)", "torch.nn.functional.prelu"),  # its weights belong to dimension 1, those of QNN to the last
        ("F.mish(a + b)", "torch.nn.functional.mish"),
        ("torch.ops.my.thing.default(a, b)", "torch.ops.my.thing.default"),
        ("F.gelu(a + b, approximate='tanh')", "torch.nn.functional.gelu with approximate='tanh'"),
        ("torch.add(a, b, alpha=2)", "torch.add with alpha=2"),
        ("a // b", "the operator '//'"),
        ("a % b", "the operator '%'"),
        ("(a + b).mean(0, True)", "mean over another dimension than -1"),
        ("torch.mean(a + b, -1)", "torch.mean without keepdim=True"),
        ("torch.relu(3.0) * a + b", "torch.relu of a number"),
        ("torch.clamp(a + b, min=0.0)", "torch.clamp without 'max'"),
        ("torch.clamp(a, b, b)", "torch.clamp with a limit or factor that is a tensor"),
        ("(a + b)[0]", "'(a + b)[0]'"),
        ("torch.relu(a) + 1e300 * b", "'1e+300' as an operand"),
        ("a * (1e30 * 1e30) + b", "the number 1e+60"),
        ("v, i = torch.max(a, -1)\nv + b * i", "a function with several results"),
        ("a + b / (1.0 / 0.0)", "'a + b / (1.0 / 0.0)' (its number has no value)"),
    ],
)
def test_functions_without_a_core_op(pattern: str, what: str) -> None:
    assert findings_of(pattern) == [("OPK570", f"no core op of QNN computes {what}")]


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"constraints": "[C % 32 == 0]"}, "the constraint 'C % 32 == 0' has no counterpart"),
        ({"outputs": OUTPUTS.replace("a.shape", "[N, H, W, C * 2]")}, "the shape of 'y', [N, H, W, C * 2]"),
        ({"outputs": OUTPUTS.replace("a.shape", "a.shape, quantization: {axis: 3}")}, "quantization per channel of 'y'"),
        ({"inputs": INPUTS.replace("b: {dtype: T, shape: [N, H, W, C]}", "b: {dtype: T, shape: '[C, q...]'}")}, "of 'b'"),
    ],
)  # fmt: skip
def test_what_a_rule_cannot_ask_for(changed: dict[str, str], what: str) -> None:
    ((id_, message),) = findings_of(RELU, "ufixed8", **changed)
    assert id_ == "OPK571"
    assert what in message


def test_plain_integers_are_left_out() -> None:
    ((id_, message),) = findings_of(RELU, "float32, uint8, int16")
    assert (id_, message.startswith("the rules leave out uint8, int16:")) == ("OPK572", True)
    assert [id_ for id_, _ in findings_of(RELU, "uint8")] == ["OPK571"]


def test_several_outputs() -> None:
    outputs = "outputs: {y: {dtype: T, shape: a.shape}, z: {dtype: T, shape: a.shape}}"
    assert findings_of("a + b, a - b", outputs=outputs) == [("OPK571", "Fused has 2 outputs; a rule replaces one")]
