"""Rules made from `pattern:`: pasted into the spec they validate, keep the result, and fire on the graphs they are for."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from rules_sim_kit import body, graph

from opkg.rules.check import check_package
from opkg.rules.core import TypedRule
from opkg.rules.from_pattern import Offer, offer
from opkg.rules.sim import apply
from opkg.rules.text.cpp import parse_cpp
from opkg.rules.text.formatter_spec import format_spec
from opkg.rules.text.printer import to_text
from opkg.spec.model import OpPackage
from opkg.spec.reader import read
from opkg.verify.rules.api import try_rules
from opkg.verify.rules.outcome import RuleOptions, Status

BOTH = "[qnn-htp-qhpi, qnn-htp-classic]"


@dataclass(frozen=True)
class Fusion:
    """One op with a pattern. `graph`: lines of a graph on which it fires (inputs of the op's names, output y); `{T}` is the
    element type with quantization. `off`: replacements in the graph after which it must not fire."""

    types: str
    fields: str
    pattern: str
    compute: str
    graph: str
    off: tuple[tuple[str, str], ...] = ()
    rules: int = 1
    targets: str = "[qnn-htp-qhpi]"

    @property
    def spec(self) -> str:
        return textwrap.dedent(f"""\
            opkg: 1
            package: {{name: acme.fused, targets: {self.targets}}}
            ops:
              Fused:
                types: {{T: [{self.types}]}}
            """) + "".join(
            f"{textwrap.indent(text, '    ')}\n"
            for text in (
                textwrap.dedent(self.fields).strip(),
                f"pattern: |\n{textwrap.indent(self.pattern, '  ')}",
                f"compute: |\n{textwrap.indent(self.compute, '  ')}",
            )
        )


TWO = """
inputs: {a: {dtype: T, shape: [N, H, W, C]}, b: {dtype: T, shape: [N, H, W, C]}}
outputs: {y: {dtype: T, shape: a.shape}}
"""
ONE = """
inputs: {x: {dtype: T}}
outputs: {y: {dtype: T, shape: x.shape}}
"""
A, B, X = "input a: {T}[1,2,2,4]", "input b: {T}[1,2,2,4]", "input x: {T}[1,2,2,4]"
NARROW = ("b: {T}[1,2,2,4]", "b: {T}[1,1,1,4]")
FUSIONS: dict[str, Fusion] = {
    "add_relu": Fusion(
        "float32, ufixed8", TWO, "torch.relu(a + b)", "y = max(a + b, 0)",
        f"{A}\n{B}\nt: {{T}}[1,2,2,4] = q::Add(a, b)\ny: {{T}}[1,2,2,4] = q::Relu(t)\noutput y",
        (NARROW, ("q::Relu", "q::Tanh"), ("q::Add", "q::Sub")), targets=BOTH,
    ),
    "mul_add": Fusion(
        "float32, ufixed16",
        """
        inputs: {a: {dtype: T}, b: {dtype: T}, c: {dtype: T}}
        outputs: {y: {dtype: T, shape: "broadcast(a, b, c)"}}
        """,
        "a * b + c", "y = a * b + c",
        f"{A}\n{B}\ninput c: {{T}}[1,1,1,1]\nt: {{T}}[1,2,2,4] = q::Mul(a, b)\ny: {{T}}[1,2,2,4] = q::Add(c, t)\noutput y",
        (("q::Mul", "q::Div"),), rules=2,
    ),
    "gate": Fusion(
        "float32, float16, ufixed8", ONE, "x * torch.sigmoid(x)", "y = x * sigmoid(x)",
        f"{X}\ns: {{T}}[1,2,2,4] = q::Sigmoid(x)\ny: {{T}}[1,2,2,4] = q::Mul(x, s)\noutput y",
        (("input x", "input z: {T}[1,2,2,4]\ninput x"), ("q::Mul(x, s)", "q::Mul(s, s)")), rules=2,
    ),
    "relu_of_difference": Fusion(
        "float32, sfixed8",
        """
        inputs: {a: {dtype: T, shape: "[batch..., C]"}, b: {dtype: T, shape: [C]}}
        outputs: {y: {dtype: T, shape: a.shape}}
        """,
        "F.relu(a - b)", "y = max(a - b, 0)",
        f"{A}\ninput b: {{T}}[1,1,1,4]\nt: {{T}}[1,2,2,4] = q::Sub(a, b)\ny: {{T}}[1,2,2,4] = q::Relu(t)\noutput y",
        (("b: {T}[1,1,1,4]", "b: {T}[1,1,1,1]"), ("b: {T}[1,1,1,4]", "b: {T}[1,2,2,4]"), ("q::Sub(a, b)", "q::Sub(b, a)")),
    ),
    "shared": Fusion(
        "float32, ufixed8", TWO, "t = torch.add(a, b)\nF.silu(t)", "t = a + b\ny = t * sigmoid(t)",
        f"{A}\n{B}\nt: {{T}}[1,2,2,4] = q::Add(a, b)\ns: {{T}}[1,2,2,4] = q::Sigmoid(t)\n"
        "y: {T}[1,2,2,4] = q::Mul(t, s)\noutput y",
        (("q::Mul(t, s)", "q::Mul(a, s)"),), rules=2,
    ),
    "negated_maximum": Fusion(
        "float32, float16", TWO, "-torch.maximum(a, b.abs())", "y = -max(a, abs(b))",
        f"{A}\n{B}\nt: {{T}}[1,2,2,4] = q::Abs(b)\nm: {{T}}[1,2,2,4] = q::Maximum(a, t)\n"
        "y: {T}[1,2,2,4] = q::Neg(m)\noutput y",
        (("q::Maximum", "q::Minimum"),), rules=2,
    ),
    "scaled_exp": Fusion(
        "float32, ufixed8",
        """
        inputs: {x: {dtype: T}}
        params: {factor: {dtype: float32, default: 0.25}}
        outputs: {y: {dtype: T, shape: x.shape}}
        """,
        "factor * torch.exp(x)", "y = exp(x) * factor",
        f"{X}\nconst k: {{T}}[1,1,1,1] = [0.25]\nt: {{T}}[1,2,2,4] = q::Exp(x)\ny: {{T}}[1,2,2,4] = q::Mul(t, k)\noutput y",
        (("0.25", "0.5"), ("[1,1,1,1] = [0.25]", "[1,1,1,4] = fill 0.25")),
    ),
    "clipped": Fusion(
        "float32, ufixed8", TWO.replace("b: {", "b: {static: true, "), "F.relu6(a * b)", "y = min(max(a * b, 0), 6)",
        f"{A}\nconst b: {{T}}[1,2,2,4] = fill 1.0\nconst low: Float32[1,1,1,1] = [0.0]\nconst high: Float32[1,1,1,1] = [6.0]\n"
        "t: {T}[1,2,2,4] = q::Mul(a, b)\ny: {T}[1,2,2,4] = q::QNN_ReluMinMax(t, low, high)\noutput y",
        (("[6.0]", "[5.0]"), ("const b: {T}[1,2,2,4] = fill 1.0", B)), rules=2,
    ),
    "same_scale": Fusion(
        "ufixed8",
        """
        inputs: {x: {dtype: T}}
        outputs: {y: {dtype: T, shape: x.shape, quantization: same as x}}
        """,
        "torch.abs(-x)", "y = abs(-x)",
        f"{X}\nt: {{T}}[1,2,2,4] = q::Neg(x)\ny: {{T}}[1,2,2,4] = q::Abs(t)\noutput y",
        (("y: {T}", "y: {U}"),),
    ),
    "normalized": Fusion(
        "float32",
        """
        inputs: {x: {dtype: T, shape: "[batch..., C]"}, w: {dtype: T, shape: [C], static: true}}
        outputs: {y: {dtype: T, shape: x.shape}}
        tests: {tolerance: {float32: 1e-5 abs + 1e-5 rel}}
        """,
        "m = (x * x).mean(-1, keepdim=True)\nx * torch.rsqrt(m + 1e-6) * w",
        "y = x / sqrt(mean(x * x, axis=-1, keepdims=True) + 1e-6) * w",
        f"{X}\nconst w: {{T}}[1,1,1,4] = fill 2.0\nconst axes: Int32[1] = [3]\nconst keep: QUInt8[1] step 1.0 = [1]\n"
        "const eps: {T}[1,1,1,1] = [1e-6]\nq: {T}[1,2,2,4] = q::Mul(x, x)\n"
        "m: {T}[1,2,2,1] = q::QNN_ReduceMean(q, axes, keep)\ne: {T}[1,2,2,1] = q::Add(m, eps)\n"
        "r: {T}[1,2,2,1] = q::ElementWiseRsqrt(e)\nn: {T}[1,2,2,4] = q::Mul(x, r)\ny: {T}[1,2,2,4] = q::Mul(n, w)\noutput y",
        (("= [3]", "= [2]"), ("[1e-6]", "[1e-5]"), ("Int32[1] = [3]", "Int32[2] = [3, 2]"), ("q::Mul(x, x)", "q::Mul(x, w)")),
        rules=4,
    ),
    "fixed_scale": Fusion(
        "float32, ufixed8",
        """
        inputs: {x: {dtype: T, quantization: symmetric}}
        outputs: {y: {dtype: T, shape: x.shape, quantization: {scale: 0.0078125, offset: -128}}}
        """,
        "torch.tanh(x / 2.0)", "y = tanh(x / 2.0)",
        f"{X}\nconst k: {{T}}[1,1,1,1] = [2.0]\nt: {{T}}[1,2,2,4] = q::Div(x, k)\ny: {{S}}[1,2,2,4] = q::Tanh(t)\noutput y",
        (("{S}", "{T}"), ("[2.0]", "[3.0]")),
    ),
}  # fmt: skip
# Element type of a spec: what graphs call it, with a scale, with another one, and with scale 1/128 and offset 128.
HTP = {
    "float32": ("Float32", "", "", ""),
    "float16": ("Float16", "", "", ""),
    "ufixed8": ("QUInt8", " zero 128 step 0.015625", " zero 128 step 0.5", " zero 128 step 0.0078125"),
    "sfixed8": ("QUInt8", " zero 128 step 0.015625", " zero 128 step 0.5", ""),
    "ufixed16": ("QUInt16", " zero 32768 step 0.001", "", ""),
}
CASES = [(name, type_) for name, fusion in FUSIONS.items() for type_ in fusion.types.split(", ")]


def package_of(text: str) -> OpPackage:
    package, findings = read(text.encode(), "specs/fused.yaml")
    assert package is not None, findings
    return package


@cache
def offered(name: str) -> Offer:
    package = package_of(FUSIONS[name].spec)
    return offer(package, package.ops[0])


@cache
def pasted(name: str) -> str:
    """The spec with the offered rules under its op."""
    return FUSIONS[name].spec + "    rules:\n" + "".join(rule.yaml() for rule in offered(name).rules)


@cache
def checked(name: str) -> tuple[TypedRule, ...]:
    found = check_package(package_of(pasted(name)))
    assert [finding for finding in found.findings if finding.is_error] == []
    return found.rules


def graph_text(text: str, type_: str) -> str:
    """A graph with the element types put in: {T}, {U} of another scale, {S} of scale 1/128."""
    lines = []
    for line in text.splitlines():
        kind = next((letter for letter in "TUS" if f"{{{letter}}}" in line), "")
        if kind:
            htp, *scales = HTP[type_]
            head, _, rest = line.replace(f"{{{kind}}}", htp).partition("]")
            line = f"{head}]{scales['TUS'.index(kind)]}{rest}"
        lines.append(line)
    return "\n".join(lines)


@pytest.mark.parametrize("name", FUSIONS)
def test_the_offer(name: str) -> None:
    found = offered(name)
    assert found.findings == ()
    assert len(found.rules) == FUSIONS[name].rules
    assert [rule.name for rule in found.rules] == ["fuse", "fuse_2", "fuse_3", "fuse_4"][: len(found.rules)]


@pytest.mark.parametrize("name", FUSIONS)
def test_pasted_it_is_valid_and_laid_out(name: str) -> None:
    assert len(checked(name)) == FUSIONS[name].rules
    data = pasted(name).encode()
    assert format_spec(data, "f.yaml")[0] == data


@pytest.mark.parametrize("name", FUSIONS)
def test_the_macro_call_says_the_same(name: str) -> None:
    for rule in offered(name).rules:
        document, findings = parse_cpp(rule.cpp(), "f.cpp", "acme.fused")
        assert not findings
        (item,) = document.rules
        trees = (item.match, item.when, item.replace)
        assert [to_text(tree) for tree in trees if tree is not None] == [
            to_text(t) for t in (rule.match, rule.when, rule.replace)
        ]


@pytest.mark.parametrize("name", FUSIONS)
def test_both_sides_are_equal(name: str, tmp_path: Path) -> None:
    options = RuleOptions(cases=12)
    for verdict in try_rules(checked(name), [package_of(pasted(name))], tmp_path, options):
        assert verdict.status is Status.EQUIVALENT, verdict


@pytest.mark.parametrize(("name", "type_"), CASES)
def test_it_fires(name: str, type_: str) -> None:
    fusion = FUSIONS[name]
    done = apply(graph(graph_text(fusion.graph, type_)), checked(name))
    package = package_of(fusion.spec)
    inputs = ", ".join(tensor.name for tensor in package.ops[0].inputs)
    assert [line.split(" = ")[1] for line in body(done.graph) if "acme" in line] == [f"acme.fused::Fused({inputs})"]
    assert not [line for line in body(done.graph) if "q::" in line]
    assert sum(done.counts.values()) == 1


@pytest.mark.parametrize("name", FUSIONS)
def test_it_leaves_other_graphs_alone(name: str) -> None:
    fusion = FUSIONS[name]
    type_ = fusion.types.split(", ")[-1]
    for old, new in fusion.off:
        if (old, new) == ("input x", "input z: {T}[1,2,2,4]\ninput x"):  # another tensor is multiplied
            text = fusion.graph.replace(old, new).replace("q::Mul(x,", "q::Mul(z,")
        else:
            assert old in fusion.graph
            text = fusion.graph.replace(old, new)
        done = apply(graph(graph_text(text, type_)), checked(name))
        assert sum(done.counts.values()) == 0, text


def test_other_element_types_are_left_alone() -> None:
    done = apply(graph(graph_text(FUSIONS["add_relu"].graph, "float16")), checked("add_relu"))
    assert sum(done.counts.values()) == 0


def test_a_name_that_is_taken() -> None:
    package = package_of(pasted("add_relu"))
    assert [rule.name for rule in offer(package, package.ops[0]).rules] == ["fuse_2"]
