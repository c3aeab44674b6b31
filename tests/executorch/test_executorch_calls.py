"""`torch:` of a spec: forms, places of findings, and that no text of an expression gets through unchecked."""

from __future__ import annotations

import ast
import re

import pytest
from executorch_lib import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.spec.diagnostics import Span
from opkg.spec.reader import read
from opkg.spec.torch_calls import FUNCTIONS, CallExpression, call_text, parse_call
from opkg.targets.executorch_builder import TARGET

SPEC = """opkg: 1
package: {name: acme.x, targets: [executorch-builder]}
ops:
  Scale:
    inputs:
      x: {dtype: float32}
      z: {dtype: float32, optional: true}
    params:
      factor: {dtype: float32}
      n: {dtype: int32, default: 1}
    outputs:
      y: {dtype: float32, shape: x.shape}
    compute: y = x * factor
    torch: TORCH
"""
NOWHERE = Span("")


def findings(torch: str) -> list[tuple[str, str, int]]:
    _, found = read(SPEC.replace("TORCH", torch).encode(), "x.yaml")
    return [(d.id, d.message, d.span.column) for d in found]


def test_forms() -> None:
    package, found = read(SPEC.replace("TORCH", "aten.mul.Tensor").encode(), "x.yaml")
    assert package is not None, found
    (call,) = package.ops[0].torch
    assert (call.op, call.args, call.params, call.when) == ("aten.mul.Tensor", None, (), ())
    text = (
        "[aten.mul.Tensor, {op: a.b.c, args: {x: self}, params: {factor: 2 * k, n: 3}, when: [rank(self) == 4, flag]}]"
    )
    package, found = read(SPEC.replace("TORCH", text).encode(), "x.yaml")
    assert package is not None, found
    call = package.ops[0].torch[1]
    assert (call.args, [(name, e.text) for name, e in call.params]) == (
        (("x", "self"),),
        [("factor", "2 * k"), ("n", "3")],
    )
    assert [e.names for e in call.when] == [("self",), ("flag",)]


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("[[p, p] for p in repeated(padding, 2)]", '[[p, p] for p in repeated(call["padding"], 2)]'),
        (
            "[at * n for at, n in enumerate(shape(x)) if n > k]",
            '[at * n for at, n in enumerate(shape(call["x"])) if n > call["k"]]',
        ),
        ("all([d == 1 for d in dilation])", 'all(d == 1 for d in call["dilation"])'),
        ("[a % b for a, b in zip(x, y)]", '[a % b for a, b in zip(call["x"], call["y"], strict=True)]'),
        ("pad[2 * k:]", 'call["pad"][2 * call["k"] :]'),
        ("x[1:k]", 'call["x"][1 : call["k"]]'),
        ("x[1:2]", 'call["x"][1:2]'),
        ("2 ** (dim % rank(x))", '2 ** (call["dim"] % rank(call["x"]))'),
        (
            "constant(value(w) / sqrt(value(v) + eps))",
            'constant(call.value(call["w"]) / sqrt(call.value(call["v"]) + call["eps"]))',
        ),
        ("place(x, dim) == 1", 'call.place(call["x"], call["dim"]) == 1'),
        ("true", "True"),
        (
            "kind(self) == 'int64' and not per_channel(self)",
            'kind(call["self"]) == "int64" and (not call.per_channel(call["self"]))',
        ),
        ("Turn(w, perm=[k])", 'made("Turn", [call["w"]], {"perm": [call["k"]]}, None, None, None)'),
        (
            "Turn(Turn(w), dims=shape(w), dtype='int32')",
            'made("Turn", [made("Turn", [call["w"]], {}, None, None, None)], {}, None, shape(call["w"]), "int32")',
        ),
    ],
)
def test_as_python(text: str, python: str) -> None:
    parsed = parse_call(text, NOWHERE)
    assert isinstance(parsed, CallExpression), parsed
    assert call_text(parsed).replace("'", '"') == python


def test_lowered() -> None:
    text = "{op: a.b.c, args: {x: self, factor: k}, ignore: n, lowered: true, encoding: y}"
    package, found = read(SPEC.replace("TORCH", text).encode(), "x.yaml")
    assert package is not None, found
    (call,) = package.ops[0].torch
    assert (call.lowered, call.decompose, call.encoding) == (True, False, "y")


CONSTANTS = """opkg: 1
package: {name: acme.x, targets: [executorch-builder]}
ops:
  Same:
    inputs: {call: {dtype: float32}}
    outputs: {y: {dtype: float32, shape: call.shape}}
    torch:
      - {op: aten.scalar_tensor.default, inputs: {call: "full([1], s)"}, ignore: [dtype, layout], lowered: true, constant: call}
      - {op: aten.alias_copy.default, lowered: true}
"""


def test_a_result_that_is_a_constant() -> None:
    package, found = read(CONSTANTS.encode(), "x.yaml")
    assert package is not None, found
    assert [call.constant for call in package.ops[0].torch] == ["call", ""]
    texts = {artifact.path.rpartition("/")[2]: artifact.text for artifact in TARGET.render(package)}
    builder = texts["op_same.py"]
    assert '"acme_x.same.default", "scalar_tensor.default", "aten.alias_copy.default"' in builder  # as graphs have them
    assert 'return self.fold(node, nodes_to_wrappers, {"call": call_})' in builder
    assert texts["torch_calls.py"].count('constant="call",') == 1


def test_specs_of_the_page() -> None:
    page = (ROOT / "docs" / "executorch.md").read_text("utf-8")
    texts = [text for text in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "opkg: 1" in text]
    assert texts
    assert [read(text.encode(), "page.yaml")[1] for text in texts] == [[]] * len(texts)


@pytest.mark.parametrize(
    ("torch", "wanted"),
    [
        ("aten.mul", ("OPK156", "'aten.mul' is no torch op: namespace.name.overload", 12)),
        ("[aten.mul.Tensor, aten.mul.Tensor]", ("OPK156", "'aten.mul.Tensor' stands twice", 30)),
        ("{args: {x: self}}", ("OPK121", "'op' is missing in torch", 12)),
        ("{op: a.b.c, arg: {x: self}}", ("OPK120", "torch has no key 'arg'", 24)),
        ("{op: a.b.c, args: {w: self}}", ("OPK157", "the op has no 'w'", 31)),
        ("{op: a.b.c, args: {x: self}}", ("OPK157", "args does not say what 'factor' is", 12)),
        ("{op: a.b.c, args: {x: 1 + 2, factor: k}}", ("OPK157", "'1 + 2' is no argument of a torch op", 34)),
        (
            "{op: a.b.c, args: {x: s, factor: k}, params: {factor: 1}}",
            ("OPK157", "'factor' stands in args and has an expression", 37),
        ),
        ("{op: a.b.c, params: {factor: exec(1)}}", ("OPK158", "'exec(1)': the functions are abs, all", 41)),
        ("{op: a.b.c, inputs: {x: 'turn(s)'}, args: {factor: k}}", ("OPK158", "'turn(s)': the functions are", 36)),
        ("{op: a.b.c, inputs: {x: 'Turn(**s)'}, args: {factor: k}}", ("OPK158", "'Turn(**s)': the functions are", 36)),
        ("{op: a.b.c, params: {factor: a.b}}", ("OPK158", "Attribute has no place in an expression", 41)),
        ("{op: a.b.c, when: 'a +'}", ("OPK158", "no expression: invalid syntax", 30)),
        ("{op: a.b.c, ignore: [k, 1 + 2]}", ("OPK157", "'1 + 2' is no argument of a torch op", 36)),
        (
            "{op: a.b.c, params: {factor: 'sum([len for len in s])'}}",
            ("OPK158", "'len' is no name for what a list", 41),
        ),
        ("{op: a.b.c, params: {factor: '[lambda: k for k in s]'}}", ("OPK158", "Lambda has no place", 41)),
        ("{op: a.b.c, args: {x: s, factor: k}, encoding: x}", ("OPK157", "the op has no 'x'", 59)),
        ("{op: a.b.c, args: {x: s, factor: k}, constant: w}", ("OPK157", "the op has no 'w'", 59)),
        (
            "{op: a.b.c, args: {x: s, factor: k}, lowered: true, constant: x}",
            ("OPK491", "nothing says which constant 'x' is", 74),
        ),
        (
            "{op: a.b.c, inputs: {x: 'Turn(s)'}, args: {factor: k}, lowered: true, constant: x}",
            ("OPK491", "nothing says which constant 'x' is", 92),
        ),
        (
            "{op: a.b.c, inputs: {x: 'full(s, 1)'}, args: {factor: k}, constant: x}",
            ("OPK491", "constants take the place of nodes", 80),
        ),
        ("{op: a.b.c, args: {x: s, factor: k}, lowered: 3}", ("OPK122", "", 58)),
        ("3", ("OPK156", "'3' is no torch op: namespace.name.overload", 12)),
    ],
)
def test_findings(torch: str, wanted: tuple[str, str, int]) -> None:
    found = findings(torch)
    assert any((i, c) == (wanted[0], wanted[2]) and m.startswith(wanted[1]) for i, m, c in found), found


WORDS = """
a b call ( ) [ ] , . : + - * / // % ** == < is in not and or if else lambda 1 2.5 'x' None rank len range __import__ := ; await
f'{a}' { } ~ @ = eval open 1j b'x' ...
"""
PIECES = st.sampled_from(WORDS.split())


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=9).map(" ".join))
def test_any_text(text: str) -> None:
    """Never an exception; what is taken reads arguments through `call` and calls our functions only."""
    parsed = parse_call(text, NOWHERE)
    if isinstance(parsed, str):
        assert parsed
        return
    assert isinstance(parsed, CallExpression)
    tree = ast.parse(call_text(parsed), mode="eval")
    free = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert free <= {"call", *FUNCTIONS}, call_text(parsed)


def test_limits() -> None:
    for text in ("(" * 300 + ")" * 300, "1" * 401, "\0", "-" * 399 + "1", "a" * 5000, "[" * 150 + "]" * 150):
        assert isinstance(parse_call(text, NOWHERE), str | CallExpression)
