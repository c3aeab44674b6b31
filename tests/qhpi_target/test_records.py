"""Kernel records as the runtime gets them: those of the plan, with their signatures, functions and flags."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import qlib
from test_files import packages

from opkg.spec.model import OpPackage
from opkg.targets.qnn_htp_qhpi.blocks import beside, with_blocks, with_twins
from opkg.targets.qnn_htp_qhpi.plan import Plan, Record, make_plan

PROGRAM = r"""
#include <dlfcn.h>
#include <cstdio>
#include <cstring>
#include <vector>
#include "opkg/qhpi_abi.h"

using List = std::vector<QHPI_Tensor_Signature_v1>;

struct Expected {
  const char* op;
  const char* name;
  List inputs, outputs;
  bool kept, checks, destructive;
  float cost;  // of a call with a tensor of 2x3x5x7, or of one to which it is all the same; 0: not asked for
};
const std::vector<Expected> kExpected = {
%s
};
int g_wrong = 0;
uint32_t g_seen = 0;

bool same(const List& list, const QHPI_Tensor_Signature_v1* at, uint32_t count) {
  bool alike = count == list.size();
  for (uint32_t i = 0; alike && i < count; ++i)
    alike = at[i].element_type == list[i].element_type && at[i].layout == list[i].layout &&
            at[i].storage == list[i].storage && at[i].mem_placement == list[i].mem_placement;
  return alike;
}

extern "C" uint32_t qhpi_register_ops_v1(uint32_t ops, QHPI_OpInfo_v1* op, const char*) {
  for (; ops != 0; --ops, ++op) {
    const QHPI_Kernel_v1* k = op->kernels;
    for (uint32_t i = 0; i < op->num_kernels; ++i, ++k) {
      const Expected& e = kExpected.at(g_seen++);
      const bool kept = k->do_precomputation_function != nullptr;
      const bool right = strcmp(op->name, e.op) == 0 && strcmp(k->function_name, e.name) == 0 &&
                         same(e.inputs, k->input_signature, k->min_inputs) &&
                         same(e.outputs, k->output_signature, k->min_outputs) && kept == e.kept &&
                         kept == (k->function == nullptr) && kept == (k->precomputed_data_size > 100) &&
                         kept == (k->function_with_precomputed_data != nullptr) && (k->predicate != nullptr) == e.checks &&
                         (k->source_destructive != 0) == e.destructive && k->cost_function != nullptr && k->resources == 2 &&
                         k->Reserved_1 == nullptr && k->Reserved_4 == nullptr;
      const QHPI_Tensor* const in[4] = {};
      if (e.cost != 0 && k->cost_function(nullptr, k->min_inputs, in) != e.cost) printf("wrong cost: %%s\n", e.name), ++g_wrong;
      if (!right) printf("wrong: %%s %%s, not %%s %%s\n", op->name, k->function_name, e.op, e.name), ++g_wrong;
    }
  }
  return 0;
}
extern "C" QHPI_Shape qhpi_tensor_shape(const QHPI_Tensor*) { return {4, {2, 3, 5, 7}}; }
extern "C" QHPI_Quant_Parameters qhpi_tensor_quant_parameters(const QHPI_Tensor*) { return {0, 1}; }
extern "C" QHPI_Standard_Layout qhpi_tensor_layout(const QHPI_Tensor*) { return QHPI_LAYOUT_FLAT_4; }
extern "C" uint32_t qhpi_tensor_placement(const QHPI_Tensor*) { return QHPI_MEM_LOC_DDR_ONLY; }
extern "C" void* qhpi_tensor_raw_data(const QHPI_Tensor*) { return nullptr; }
extern "C" void** qhpi_tensor_block_table(const QHPI_Tensor*) { return nullptr; }

int main(int, char** argv) {
  void* library = dlopen(argv[1], RTLD_LAZY);
  if (library == nullptr) return puts(dlerror()), 2;
  for (int turn = 0; turn < 2; ++turn) {  // a backend may register a package again
    g_seen = 0;
    reinterpret_cast<const char* (*)()>(dlsym(library, "qhpi_init"))();
    if (g_seen != kExpected.size()) return printf("%%u records\n", g_seen), 1;
  }
  return g_wrong;
}
"""


def expected(package: OpPackage) -> Iterator[tuple[str, Record]]:
    """The records in the order in which they are registered, with the names of their ops."""
    for op in with_blocks(package).ops:
        plan: Plan = make_plan(with_twins(op))
        name = f"{package.name}::{op.name}"
        yield from ((name, record) for record in plan.records)
        yield from ((f"{name}.flat", record) for record in plan.flat)
        yield from ((f"{name}.blocks", record) for record in beside(package, plan))


def check(tmp_path: Path, package: OpPackage, kernels: dict[str, str], kept: bool, costs: dict[str, int]) -> int:
    project = qlib.built(package, kernels)
    lines = []
    for op, record in expected(package):
        lists = [
            ", ".join(f"{{{s.initializer}}}" for s in group.signatures) for group in (record.inputs, record.outputs)
        ]
        flags = [str(flag).lower() for flag in (kept, record.checks_outputs, record.kernel.source_destructive)]
        cost = costs.get(record.kernel.function, 0)
        lines.append(f'{{"{op}", "{record.name}", {{{lists[0]}}}, {{{lists[1]}}}, {", ".join(flags)}, {cost}}},')
    source, program = tmp_path / "records.cpp", tmp_path / "records"
    source.write_text(PROGRAM % "\n".join(lines))
    command = [qlib.tool("g++"), "-std=c++17", f"-I{qlib.INCLUDE}", "-rdynamic", source, "-o", program, "-ldl"]
    subprocess.run(command, check=True)
    done = subprocess.run([program, qlib.library(project)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    return len(lines)


def test_records_of_kernels_by_hand(tmp_path: Path) -> None:
    package, kernels = packages()["struct"]
    assert check(tmp_path, package, kernels, kept=False, costs={}) > 50


def test_records_of_kept_kernels(tmp_path: Path) -> None:
    """In blocks and flat, of three ops; with costs that need nothing but a number of elements, and more."""
    package = qlib.ops_package(
        """\
  Twice:
    types: {T: [ufixed8, float32]}
    inputs: {x: {dtype: T, shape: [n...], rank: 1..5}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x + x
    kernels:
      - {when: {T: float32}, cost: 4 * size(x)}
      - {when: {T: ufixed8}, cost: 2 * size(x) + rank(x)}
"""
    )
    assert {op.removeprefix("test.pkg::Twice") for op, _ in expected(package)} == {"", ".flat", ".blocks"}
    assert check(tmp_path, package, {}, kept=True, costs={"twice_f32": 840, "twice_u8": 424}) > 5
