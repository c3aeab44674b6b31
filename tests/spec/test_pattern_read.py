"""`pattern:` of good specs: the statements that the model holds; whatever the text is, the reader gives findings only."""

from __future__ import annotations

import ast
import json
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.pattern import MAX_NODES, MAX_TEXT, TorchPattern
from opkg.spec.pattern_names import FUNCTIONAL, FUNCTIONS, METHODS
from opkg.spec.reader import read

HEAD = """\
opkg: 1
package: {name: acme.fused}
ops:
  Fused:
    types: {T: [float32]}
    inputs: {a: {dtype: T}, b: {dtype: T}}
"""
PARAMS = "    params: {k: {dtype: float32, default: 0.1}, n: {dtype: int32, default: -2}, free: {dtype: bool8, default: true}}\n"
ONE = "    outputs: {y: {dtype: T, shape: a.shape}}\n"
TWO = "    outputs: {y: {dtype: T, shape: a.shape}, z: {dtype: T, shape: a.shape}}\n"


def spec(text: str, outputs: str = ONE, params: str = PARAMS) -> bytes:
    return f"{HEAD}{params}{outputs}    pattern: {json.dumps(text)}\n".encode()


def pattern(text: str, outputs: str = ONE, params: str = PARAMS) -> TorchPattern:
    package, findings = read(spec(text, outputs, params), "f.yaml")
    assert package is not None, findings
    found = package.ops[0].pattern
    assert found is not None
    return found


def findings(text: str, outputs: str = ONE, params: str = PARAMS) -> list[Diagnostic]:
    return read(spec(text, outputs, params), "f.yaml")[1]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("torch.relu(a + b)", ["y = torch.relu(a + b)"]),
        ("F.silu(a) @ b", ["y = torch.nn.functional.silu(a) @ b"]),
        ("t = a - b\nF.leaky_relu(t, k)", ["t = a - b", "y = torch.nn.functional.leaky_relu(t, k)"]),
        ("t = -a // b; y = t ** n", ["t = -a // b", "y = t ** n"]),
        ("(a+b).mean(-1, keepdim=True)", ["y = (a + b).mean(-1, keepdim=True)"]),
        ("torch.max(a % b, 0)[0][..., :4, None]", ["y = torch.max(a % b, 0)[0][..., :4, None]"]),
        ("v, _ = torch.max(a, -1)\ny = v * b", ["v, _ = torch.max(a, -1)", "y = v * b"]),
        ("torch.cat([a, (b * 2)], dim=-1)", ["y = torch.cat([a, b * 2], dim=-1)"]),
        ("torch.ops.aten.add.Tensor(a, b)", ["y = torch.ops.aten.add.Tensor(a, b)"]),
        ("torch.ops.my.thing.default(a, b, None)", ["y = torch.ops.my.thing.default(a, b, None)"]),
        ("torch.div(a, b, rounding_mode='floor')", ["y = torch.div(a, b, rounding_mode='floor')"]),
        ("torch.where(a < b, a, b.to(torch.float32))", ["y = torch.where(a < b, a, b.to(torch.float32))"]),
        ("t = a * 2  # twice\n\nt + b", ["t = a * 2", "y = t + b"]),
        ("a * torch.pi + b", ["y = a * torch.pi + b"]),
    ],
)
def test_statements(text: str, lines: list[str]) -> None:
    found = pattern(text)
    assert list(found.lines) == lines
    assert found.inputs == ("a", "b")
    assert found.text == text
    for line in lines:
        ast.parse(line)


def test_several_outputs() -> None:
    alone = pattern("t = a + b\nt * 2, t.relu()", TWO)
    named = pattern("t = a + b\ny, z = t * 2, t.relu()", TWO)
    assert alone.lines == named.lines == ("t = a + b", "y, z = (t * 2, t.relu())")
    assert pattern("torch.max(a * b, -1)", TWO).lines == ("y, z = torch.max(a * b, -1)",)
    assert pattern("z = a + b\ny = z * 2", TWO).lines == ("z = a + b", "y = z * 2")


def test_a_param_stands_for_its_default() -> None:
    found = pattern("F.elu(a ** n, k) + b")
    assert found.params == ("k", "n")
    assert found.literals == (("k", 0.1), ("n", -2))
    assert pattern("a + b").params == ()


def test_an_input_may_be_called_as_the_module_is() -> None:
    text = HEAD.replace("inputs: {a: {dtype: T}, b", "inputs: {F: {dtype: T}, b").replace("a.shape", "F.shape")
    data = f"{text}    outputs: {{y: {{dtype: T, shape: F.shape}}}}\n    pattern: F.relu() + b\n"
    package, found = read(data.encode(), "f")
    assert package is not None, found
    assert package.ops[0].pattern is not None
    assert package.ops[0].pattern.lines == ("y = F.relu() + b",)


def test_places_in_a_block() -> None:
    text = textwrap.indent("t = torch.relu(a)\ny = t + c  # no c\n", " " * 6)
    _, (finding,) = read(f"{HEAD}{ONE}    pattern: |\n{text}".encode(), "f")
    assert (finding.id, finding.span.line, finding.span.column, finding.span.end_column) == ("OPK171", 10, 15, 16)


def test_hints() -> None:
    hints = {
        "torch.rleu(a + b)": "did you mean 'torch.relu'? Else any op: torch.ops.NAMESPACE.NAME.OVERLOAD(...)",
        "relu(a + b)": "torch.relu(...)",
        "torch.silu(a + b)": "torch.nn.functional.silu(...)",
        "torch.relu_(a + b)": "torch.relu, which does not change its operand",
        "torch.ops.aten.relu(a + b)": "for example torch.ops.aten.relu.default",
        "torch.relu(a + bb)": "did you mean 'b'?",
        "max(a, b)": "torch.maximum(a, b), or torch.amax(x, -1)",
        "torch.zzzz(a, b)": "any op: torch.ops.NAMESPACE.NAME.OVERLOAD(...)",
    }
    for text, hint in hints.items():
        (finding,) = findings(text)
        assert finding.hint == hint, text


def test_size_limits() -> None:
    assert [d.id for d in findings("torch.relu(a + b)" + " " * MAX_TEXT + "#")] == ["OPK159"]
    many = f"torch.cat([{', '.join(['a', 'b'] * (MAX_NODES // 2))}])"
    (finding,) = findings(many)
    assert f"at most {MAX_NODES} operations" in finding.message
    assert "statements" in findings("\n".join(f"t{i} = a + b" for i in range(41)))[0].message
    for deep in (
        "-" * 3000 + "a",
        "(" * 150 + "a" + ")" * 150 + "+b",
        "a" + ".b" * 1900,
        "a+" * 1900 + "b",
        "not " * 900 + "a",
    ):
        assert {d.id for d in findings(deep)} <= {"OPK159", "OPK173"}


def test_tables_of_names() -> None:
    for names in (FUNCTIONS, FUNCTIONAL, METHODS):
        assert not [name for name in names if not name.isidentifier() or name.endswith("_")]
    assert {"relu", "add", "softmax", "matmul"} <= FUNCTIONS
    assert not {"dropout", "rand", "empty"} & (FUNCTIONS | FUNCTIONAL | METHODS)


WORDS = [
    *("a", "b", "y", "z", "t", "k", "n", "_", "torch", "F", "torch.relu", "F.gelu", "torch.ops.aten.add.Tensor", ".mean"),
    *("(", ")", "[", "]", ",", "=", "==", "<", "+", "-", "*", "/", "//", "%", "**", "@", ":", "...", ".", "\n", ";", " "),
    *("0", "1.5", "1e999", "None", "True", "'x'", "not", "and", "if", "else", "lambda", "for", "in", "*a", "**a", "f''"),
    *("x" * 70, "é", "\x00", "\\", "#", "{", "}", "|", "~", ":=", "->", "await", "yield", "del a", "a.b = 1", "0x1F", "1_0"),
]  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map("".join) | st.text(max_size=60))
def test_any_text(text: str) -> None:
    package, found = read(spec(text, TWO), "f.yaml")
    assert (package is None) == bool(found)
    for finding in found:
        assert finding.id.startswith("OPK1")
        assert finding.span.line >= 1
    if package is not None and package.ops[0].pattern is not None:
        for line in package.ops[0].pattern.lines:
            ast.parse(line)


LEAVES = st.sampled_from(["a", "b", "k", "2", "0.5"])
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "@"]), inner).map(
            lambda t: f"({' '.join(t)})"
        ),
        st.tuples(st.sampled_from(sorted(FUNCTIONS)), inner).map(lambda t: f"torch.{t[0]}({t[1]})"),
        st.tuples(st.sampled_from(sorted(FUNCTIONAL)), inner).map(lambda t: f"F.{t[0]}({t[1]}, dim=-1)"),
        st.tuples(inner, st.sampled_from(sorted(METHODS)), inner).map(lambda t: f"({t[0]}).{t[1]}([{t[2]}, a])[0]"),
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(TREES)
def test_every_tree_of_known_functions_is_a_pattern(text: str) -> None:
    """What is written from the vocabulary is taken, and means the same as it is kept."""
    text = f"torch.add({text}, a * b * k)"  # where a graph tells k
    kept = pattern(text).statements[0].text
    assert ast.dump(ast.parse(kept)) == ast.dump(ast.parse(text.replace("F.", "torch.nn.functional.")))
