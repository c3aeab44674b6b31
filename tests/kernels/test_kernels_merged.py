"""Structs that differ by the presence of inputs, as one template: which statements stay common, and what the code computes."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernels_product import failures, generated, package_of

from opkg.kernels.emit.blocks import statements
from opkg.kernels.emit.merged import Merge
from opkg.targets.qnn_htp_qhpi import TARGET
from opkg.verify.api import VerifyOptions, verify

SCALED = """\
  Scaled:
    types: {T: [float32, ufixed8]}
    inputs:
{inputs}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      n = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 0.001)
      y = n * the_gamma if present(the_gamma) else n
    tests: {tolerance: {ufixed8: 1 lsb}}
"""
X = "      x: {dtype: T, shape: [batch..., C], rank: 2..3}"
GAMMA = "      the_gamma: {dtype: T, shape: [C], optional: true}"
PLAIN = """\
  Sum:
    inputs: {a: {dtype: float32}, b: {dtype: float32, shape: a.shape, optional: true}}
    outputs: {y: {dtype: float32, shape: a.shape}}
    compute: y = a + b if present(b) else a * a
"""


def body(fewer: str, more: str) -> list[str]:
    return Merge("kB").body(statements(fewer.splitlines()), statements(more.splitlines()))


def test_what_is_common_stands_once() -> None:
    assert body("f();\ng(1);\nreturn true;", "f();\ng(2);\nh();\nreturn true;") == [
        "f();",
        "if constexpr (kB) {",
        "  g(2);",
        "  h();",
        "} else {",
        "  g(1);",
        "}",
        "return true;",
    ]


@pytest.mark.parametrize(("fewer", "more", "test"), [("", "f();", "kB"), ("f();", "", "!kB")])
def test_a_single_statement_has_no_braces(fewer: str, more: str, test: str) -> None:
    assert body(fewer, more) == [f"if constexpr ({test}) f();"]


def test_numbers_of_blocks_are_chosen() -> None:
    assert body("for (W at(run, 0x3); at; ++at) {\n  f();\n}", "for (W at(run, 0xf); at; ++at) {\n  f();\n}") == [
        "for (W at(run, kB ? 0xf : 0x3); at; ++at) {",
        "  f();",
        "}",
    ]


def test_what_is_declared_stays_in_sight() -> None:
    """Statements between a declaration and what asks for it are in one block with both."""
    fewer = "int64_t s = 1;\nf();\ng(s);\nh();"
    more = "double s = 2.0;\nf();\ng(s);\nh();"
    assert body(fewer, more) == [
        "if constexpr (kB) {",
        "  double s = 2.0;",
        "  f();",
        "  g(s);",
        "} else {",
        "  int64_t s = 1;",
        "  f();",
        "  g(s);",
        "}",
        "h();",
    ]


def test_constants_go_to_what_asks_for_them() -> None:
    assert body("f();\n{\n  g();\n}", "const In b_in(b);\nf();\n{\n  g();\n  put(b_in);\n}") == [
        "f();",
        "{",
        "  g();",
        "  if constexpr (kB) {",
        "    const In b_in(b);",
        "    put(b_in);",
        "  }",
        "}",
    ]


def test_constants_stay_in_front_of_what_changes_them() -> None:
    assert body("total -= zero;\nf();", "const double b = mean(total);\ntotal -= zero;\nf();\nput(b);") == [
        "if constexpr (kB) {",
        "  const double b = mean(total);",
        "  total -= zero;",
        "  f();",
        "  put(b);",
        "} else {",
        "  total -= zero;",
        "  f();",
        "}",
    ]


def test_members_take_what_one_of_them_does() -> None:
    merge = Merge("kB")
    fewer = ["static constexpr size_t kUnits = 32;", "bool f(int a, int n) const {", "  return loops(a, n);", "}"]
    more = [
        "static constexpr size_t kUnits = 16;",
        "bool f(int a, int b, int n) const {",
        "  return loops(a, b, n);",
        "}",
    ]
    assert merge.members(fewer, more) == [
        "static constexpr size_t kUnits = kB ? 16 : 32;",
        "bool f(int a, int b, int n) const {",
        "  return loops(a, kB ? b : nullptr, n);",
        "}",
    ]
    other = ["bool f(double a, int n) const {", "  return true;", "}"]
    assert merge.members(other, more[1:]) == [*more[1:], "", *other]


def kernels(ops: str) -> str:
    return next(a.text for a in TARGET.render(package_of(ops)) if a.path.endswith("_kernels.cpp"))


def scaled(*inputs: str) -> str:
    return SCALED.replace("{inputs}", "\n".join(inputs))


def test_inputs_that_are_absent_must_be_the_last() -> None:
    assert kernels(scaled(X, GAMMA)).count("template <bool kTheGamma>\nstruct Scaled") == 2
    assert "template <bool" not in kernels(scaled(GAMMA, X)).replace("template <bool kOne>", "")
    assert kernels(scaled(GAMMA, X)).count("\nstruct Scaled") == 4


def test_elementwise_kernels_are_two() -> None:
    assert kernels(PLAIN).count("\nstruct Sum") == 2


def test_calls_with_and_without_are_those_of_the_reference(tmp_path: Path) -> None:
    package = generated(tmp_path, scaled(X, GAMMA))
    result = verify(tmp_path, [package], VerifyOptions(on=("host",), cases=12, check_current=False))
    assert failures(result) == ""
    assert sum(len(cell.outcomes) for cell in result.cells) >= 24
