"""Slips that people bring from other languages and frameworks: what each hint says, and that what it says can be read."""

from __future__ import annotations

import pytest

from opkg.spec.compute.elsewhere import FORMS, written
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.reader import read

OP = """opkg: 1
package: {name: acme.slips}
ops:
  Slip:
    types: {T: [TYPES]}
    inputs:
      x: {dtype: T, shape: [N, C]EXTRA}
      w: {dtype: T, shape: [N, C]}
    params:
      p: {dtype: float32, default: 0.5}
    outputs:
      y: {dtype: T, shape: x.shape}
"""


def findings(rest: str, types: str = "float32", extra: str = "") -> list[Diagnostic]:
    text = OP.replace("TYPES", types).replace("EXTRA", extra) + rest
    return [found for found in read(text.encode(), "slip.yaml")[1] if found.id != "OPK199"]  # few texts read all inputs


COMPUTED = [
    ("y = relu(x)", "OPK143", "write max(x, 0)"),
    ("y = softmax(x)", "OPK143", "e = exp(x - max("),
    ("y = matmul(x, w)", "OPK143", "no matrix product"),
    ("y = np.exp(x)", "OPK141", "write exp(...)"),
    ("y = torch.nn.functional.relu(x)", "OPK141", "write max(x, 0)"),
    ("y = x.sum(axis=-1)", "OPK141", "write sum(x, ...)"),
    ("y = x * x.shape[0]", "OPK141", "dimensions are no values"),
    ("y = x.other()", "OPK141", "values have no members"),
    ("y = x - sum(x, dim=-1, keepdims=True)", "OPK143", "did you mean 'axis'?"),
    ("y = x - sum(x, axis=-1, keepdim=True)", "OPK143", "did you mean 'keepdims'?"),
    ("y = x ^ 2", "OPK144", "a power is a ** b"),
    ("y = x if x > 0 && x < 2 else 0", "OPK140", "write 'and'"),
    ("y = x if x > 0 || x < -2 else 0", "OPK140", "write 'or'"),
    ("y = x > 0 ? x : 0", "OPK140", "write a if test else b"),
    ("a = b + x; b = a * x; y = b", "OPK142", "assign it in an earlier line"),
    ("y = clip(x, 6, 0)", "OPK143", "clip(x, low, high)"),
]


@pytest.mark.parametrize(("text", "id", "hint"), COMPUTED, ids=[text for text, _, _ in COMPUTED])
def test_computations(text: str, id: str, hint: str) -> None:
    (found,) = findings(f"    compute: '{text}'\n")
    assert (found.id, hint in found.hint) == (id, True), found


@pytest.mark.parametrize("name", FORMS)
def test_what_a_hint_says_can_be_computed(name: str) -> None:
    form = written(name).removeprefix("write ").rpartition("there is ")[2]
    lines = form.split("; ") if "; " in form else [f"y = {form.removeprefix('y = ')}"]
    text = "".join(f"      {line.replace('y = ', 't = ')}\n" for line in lines)
    ids = {d.id for d in findings(f"    compute: |\n{text}      y = x if t == t else w\n")}
    assert ids <= ({"OPK144"} if name == "isnan" else {"OPK147", "OPK148"} if name == "cat" else set()), form


def test_comparisons_in_constraints() -> None:
    (found,) = findings("    constraints:\n      - N = 1\n")
    assert (found.id, found.hint) == ("OPK160", "two values are compared with '=='")


def test_a_list_without_brackets() -> None:
    text = OP.replace("TYPES", "float32").replace("[N, C]EXTRA", "N, C")
    (found,) = read(text.encode(), "slip.yaml")[1]
    assert (found.id, found.span.line, found.span.column) == ("OPK116", 7, 31)
    assert found.hint == "a list stands in brackets: shape: [N, C]"


def test_an_unknown_type_variable() -> None:
    text = OP.replace("TYPES", "float32").replace("EXTRA", "").replace("w: {dtype: T", "w: {dtype: U")
    (found,) = read(text.encode(), "slip.yaml")[1]
    assert found.id == "OPK127"
    assert found.hint.startswith("type variables: T; element types: float32")


@pytest.mark.parametrize(
    ("offset", "hint"), [("128", "QNN's offset is minus the zero point: -128"), ("300", "-255 to 0"), ("-128", None)]
)
def test_zero_points(offset: str, hint: str | None) -> None:
    extra = f", quantization: {{scale: 0.1, offset: {offset}}}"
    package, found = read(OP.replace("TYPES", "ufixed8").replace("EXTRA", extra).encode(), "slip.yaml")
    assert [d.hint for d in found] == ([hint] if hint else [])
    assert not any(d.is_error for d in found)
    assert package is not None
    assert [op.name for op in package.ops] == ["Slip"], "a warning takes no op away"


def test_values_of_a_case_have_the_rank_of_their_tensor() -> None:
    (found,) = findings("    tests: {cases: [{name: one, x: {values: [1, 2, 3]}}]}\n")
    assert (found.id, found.message) == ("OPK193", "'x' has rank 2, not 1")
