"""opkg/spans.h bounds what rounded numbers may be off by, and calls that may be off by more than a step are portable."""

from __future__ import annotations

import json
import subprocess

import pytest
from kernels_kit import snippets_of

from opkg.kernels.strategies.floating.spans import guard
from opkg.kernels.strategies.floating.strategy import lower
from opkg.resources import plain
from opkg.targets.qnn_common.shared import signed_header

ONE = ("exp", "log", "sqrt", "rsqrt", "erf", "tanh", "sigmoid", "abs", "log1p", "sin", "cos", "atan", "silu")
TWO = ("a + b", "a - b", "a * b", "a / b", "pow(a, b)", "minimum(a, b)", "maximum(a, b)")

# Values of a span, and what a function gives of them moved by as much as the span says they may be off. Prints the largest
# error as a part of the bound, how many bounds are finite, and how many values lie outside of the result's span.
PROGRAM = r"""
#include <cstdio>
#include <random>
#include "opkg/scalar.h"
#include "opkg/spans.h"

namespace opkg {
double rsqrt(double x) { return 1.0 / std::sqrt(x); }
double silu(double x) { return x / (1.0 + std::exp(-x)); }
using std::abs; using std::exp; using std::log; using std::sqrt; using std::erf; using std::tanh; using std::pow;
using std::log1p; using std::sin; using std::cos; using std::atan;
}

std::mt19937 engine(7);
double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
double wide() { return std::exp2(between(-12, 6)); }

opkg::Span any(bool positive) {
  const double low = positive ? wide() : between(-1, 1) * wide();
  const bool rounded = between(0, 1) < 0.5;
  return opkg::Span(low, low + wide()).with(rounded ? 0.0 : 1e-6 * wide(), between(0, 1) < 0.5 ? 0.0 : 1e-6 * wide());
}

double off(const opkg::Span& x, double at) { return between(-1, 1) * (x.absolute + x.relative * std::fabs(at)); }

template <typename F>
void check(const char* name, bool positive, F f) {
  double worst = 0.0;
  int finite = 0, outside = 0;
  for (int i = 0; i < 4000; ++i) {
    const opkg::Span a = any(positive), b = any(positive), bound = f(a, b);
    for (int k = 0; k < 20; ++k) {
      const double x = between(a.low, a.high), y = between(b.low, b.high), value = f(x, y);
      if (!(value == value)) continue;
      outside += value < bound.low - 1e-9 * std::fabs(value) || value > bound.high + 1e-9 * std::fabs(value);
      const double may = bound.absolute + opkg::Span::times(bound.relative, std::fabs(value));
      const double moved = f(x + off(a, x), y + off(b, y));
      finite += may < 1e30;
      if (may < 1e30 && moved == moved) worst = std::fmax(worst, std::fabs(moved - value) / (may + 1e-300));
    }
  }
  std::printf("{\"name\": \"%s\", \"worst\": %g, \"finite\": %d, \"outside\": %d}\n", name, worst, finite, outside);
}

int main() {
  using namespace opkg;
@CALLS@
}
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, float]]:
    folder = tmp_path_factory.mktemp("spans")
    (folder / "opkg").mkdir()
    for name in ("spans.h", "scalar.h", "small.h", "kernel.h"):
        (folder / "opkg" / name).write_text(plain(f"qnn/{name}"), "utf-8")
    (folder / "opkg" / "signed.h").write_text(signed_header("a test", unsigned=False), "utf-8")
    calls = [(f"{name}(a)", name in ("log", "rsqrt", "sqrt")) for name in ONE] + [(text, False) for text in TWO]
    calls += [("pow(a, b)", True), ("a / b", True)]
    lines = [
        f'  check("{text}{" above 0" * positive}", {str(positive).lower()}, [](auto a, auto b) {{ (void)b; return {text}; }});'
        for text, positive in calls
    ]
    program = folder / "spans.cpp"
    program.write_text(PROGRAM.replace("@CALLS@", "\n".join(lines)), "utf-8")
    build = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-I.", "spans.cpp", "-o", "spans"]
    subprocess.run(build, cwd=folder, check=True)
    printed = subprocess.run([folder / "spans"], check=True, capture_output=True, text=True).stdout
    return {row["name"]: row for row in map(json.loads, printed.splitlines())}


def test_bounds_hold_and_are_near(found: dict[str, dict[str, float]]) -> None:
    assert len(found) == len(ONE) + len(TWO) + 2
    for name, row in found.items():
        assert row["worst"] <= 1.0, name
        assert row["outside"] == 0, name
    near = [name for name, row in found.items() if row["worst"] > 0.3 and row["finite"] > 20000]
    assert len(near) >= len(ONE) + len(TWO) - 2, found


SPEC = """\
  Op:
    types: {T: [@TYPES@]}
    inputs: {x: {dtype: T, rank: 1..4}, b: {dtype: @OTHER@, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = @COMPUTE@
"""


def _guard(compute: str, types: str = "ufixed16", other: str = "T") -> str:
    text = SPEC.replace("@COMPUTE@", compute).replace("@TYPES@", types).replace("@OTHER@", other)
    (snippet,) = snippets_of(text)
    return "\n".join(guard(snippet))


def test_statements_read_like_the_computation() -> None:
    assert _guard("where(x > 2, x, exp(x) - 1) * b").split("\n") == [
        "{",
        "  const opkg::Span x(op.x);",
        "  const opkg::Span b(op.b);",
        "  const opkg::Span t = opkg::either(opkg::maximum(x, 2.0), opkg::exp(opkg::minimum(x, 2.0)) - 1.0);",
        "  const opkg::Span y = t * b;",
        "  if (!y.within_a_step(op.y)) return false;",
        "}",
    ]


@pytest.mark.parametrize(
    ("compute", "types", "other"),
    [
        ("x * b * sigmoid(b)", "ufixed16", "T"),  # errors are in proportion to the result
        ("exp(x) + exp(b)", "ufixed16", "T"),
        ("x * x - b", "float32", "T"),  # floats are judged by intervals of their own
        ("x * x - b", "ufixed16", "float32"),  # nothing is known of b
    ],
)
def test_nothing_is_asked_where_nothing_cancels_or_nothing_is_known(compute: str, types: str, other: str) -> None:
    assert _guard(compute, types, other) == ""


def test_the_kernel_says_that_it_is_within_a_step() -> None:
    text = SPEC.replace("@COMPUTE@", "exp(x) * (tanh(b) - x)").replace("@TYPES@", "ufixed16").replace("@OTHER@", "T")
    (snippet,) = snippets_of(text)
    found = lower(snippet)
    assert not isinstance(found, str)
    assert found.error.endswith("where rounded numbers cancel; then within 1 step of the correctly rounded result")
    assert "opkg/spans.h" in found.headers
