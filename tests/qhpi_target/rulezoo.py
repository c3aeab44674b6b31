"""The package of specs/rules.yaml: its kernels by hand, and graphs of its ops run on a machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import qlib

from opkg.verify.machines.runners import runner
from opkg.verify.machines.table import MACHINES

sys.path.append(str(qlib.ROOT / "tests" / "sim_qhpi"))
import simlib
from simlib import Case

PKG = "rule.zoo"
HEAD = """#include "rule_zoo/{name}.h"

#include <initializer_list>

namespace rule_zoo {{
namespace {{
{body}
}}  // namespace
{functions}
}}  // namespace rule_zoo
"""


def elementwise(expression: str) -> str:
    return (
        "template <typename Args>\nopkg::Status compute(const Args& op) {\n"
        f"  for (size_t i = 0; i < op.y.size(); ++i) {expression}\n  return opkg::Status::ok;\n}}"
    )


def kernel(name: str, body: str, *types: str) -> tuple[str, str]:
    camel = name.title().replace("_", "")
    functions = "\n".join(
        f"opkg::Status {name}_{t}(const {camel}Args{t.upper()}& op) {{ return compute(op); }}" for t in types
    )
    return f"kernels/{name}.cpp", HEAD.format(name=name, body=body, functions=functions)


THIRD = "(op.c.data != nullptr ? op.c.data[i] : 0.0f)"
STACK = """template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t deep = op.y.dims[3];
  size_t start = 0;
  for (uint32_t part = 0; part < op.x.count; ++part) {
    const size_t depth = op.x[part].dims[3];
    for (size_t i = 0; i < op.x[part].size(); ++i) op.y.data[i / depth * deep + start + i % depth] = op.x[part].data[i];
    start += depth;
  }
  return opkg::Status::ok;
}"""
PROBE = """template <typename T>
bool holds(const T& tensor, std::initializer_list<uint32_t> dims, std::initializer_list<double> values) {
  if (tensor.rank != dims.size() || tensor.size() != values.size()) return false;
  for (uint32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.dims[i] != dims.begin()[i]) return false;
  }
  for (size_t i = 0; i < tensor.size(); ++i) {
    if (static_cast<double>(tensor.data[i]) != values.begin()[i]) return false;
  }
  return true;
}
template <typename Args>
opkg::Status compute(const Args& op) {
  const bool right = holds(op.f, {1, 1, 1, 3}, {2.5, 2.5, 2.5}) && holds(op.n, {1, 1, 1, 4}, {7, 7, 7, 7}) &&
                     holds(op.v, {1, 1, 1, 3}, {1, -2, 3}) && holds(op.m, {1, 1, 2, 2}, {1, 2, 3, 4}) &&
                     holds(op.s, {1, 1, 1, 1}, {9});
  for (size_t i = 0; i < op.y.size(); ++i) op.y.data[i] = right ? op.x.data[i] : 1000.0f;
  return opkg::Status::ok;
}"""
PEAK = """template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t row = static_cast<size_t>(op.y.dims[2]) * op.y.dims[3];
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float* from = op.x.data + i / row * op.s.dims[1] * row + i % row;
    float most = from[0];
    for (uint32_t k = 1; k < op.k.dims[1]; ++k) most = from[k * row] > most ? from[k * row] : most;
    op.y.data[i] = most;
  }
  return opkg::Status::ok;
}"""
KERNELS = dict(
    (
        kernel("copy", elementwise("op.y.store(i, op.x.load(i));"), "f32", "s8", "u8"),
        kernel("rows", elementwise("op.y.store(i, op.x.load(i));"), "s8", "s16"),
        kernel("pair", elementwise("op.y.data[i] = op.z.data[i] = op.x.data[i];"), "f32"),
        kernel("negate", elementwise("op.y.data[i] = -op.x.data[i];"), "f32", "i32"),
        kernel("flip", elementwise("op.y.data[i] = -op.x.data[i];"), "f32"),
        kernel("sum", elementwise(f"op.y.data[i] = op.a.data[i] + op.b.data[i] + {THIRD} + op.bias;"), "f32"),
        kernel("stack", STACK, "f32"),
        kernel("probe", PROBE, "f32"),
        kernel("peak", PEAK, "f32"),
    )
)  # fmt: skip

MACHINE = pytest.mark.parametrize("machine", ["host", pytest.param("htp", marks=pytest.mark.htp)])


def run(machine: str, cases: list[Case], directory: Path) -> list[simlib.Result]:
    state = MACHINES[machine].available()
    if not state.ok:
        qlib.missing(f"machine {machine}: {state.reason}")
    project = qlib.built(qlib.spec_of(qlib.HERE / "specs" / "rules.yaml"), KERNELS)
    binary = runner(MACHINES[machine].runner("qhpi"), qlib.ROOT)
    interface = [] if machine == "htp" else ["--interface", "qhpi"]
    results = simlib.run(binary, qlib.library(project), cases, directory, *interface,
                         provider=project.package.interface_provider)  # fmt: skip
    return [result for number, result in sorted(results.items()) if number >= 0]


def fired(result: simlib.Result) -> list[str]:
    assert result.status == "ok", result.text
    return [line.split()[1] for line in result.trace if line.startswith("rule ")]
