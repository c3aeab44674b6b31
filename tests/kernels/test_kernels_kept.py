"""What a prepared graph keeps of calls (opkg/kept.h): buffers of any content and alignment, several calls, slices, moved buffers;
which kernels keep something, and which run in slices."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from kernels_kit import absent

from opkg.resources import plain
from opkg.spec.kept import in_slices, keeps
from opkg.spec.model import Op, OpPackage, Placement
from opkg.spec.reader import read
from opkg.targets.qnn_common.shared import signed_header
from opkg.targets.qnn_htp_qhpi.plan import make_plan
from opkg.targets.qnn_htp_qhpi.target import op_source, with_blocks

PROGRAM = """\
#include "opkg/kept.h"
#include <cstdio>
#include <cstring>

struct Add : opkg::KeptCall {
  Add(int32_t number, const void* handle, uint32_t most) : number(number), handle(handle) {
    KeptCall::run = &Add::run;
    slices = most;
  }
  static opkg::Status run(const opkg::KeptCall& call, const opkg::Memory& memory, opkg::Slice slice) {
    const auto& self = static_cast<const Add&>(call);
    *static_cast<int32_t*>(memory.data(self.handle)) += self.number * static_cast<int32_t>(slice.count);
    return self.number < 0 ? opkg::Status::unsupported : opkg::Status::ok;
  }
  alignas(128) int32_t table[32] = {};
  int32_t number;
  const void* handle;
};

int32_t sum;
void* data(const QHPI_Tensor* handle) { return const_cast<QHPI_Tensor*>(handle); }
void** blocks(const QHPI_Tensor*) { return nullptr; }

int call(const void* buffer, opkg::Slice slice) {
  sum = 0;
  const opkg::Status status = opkg::run(buffer, {data, blocks}, slice);
  std::printf("%d %d\\n", static_cast<int>(status), sum);
  return 0;
}

int main() {
  constexpr uint32_t kBytes = opkg::kept_most<opkg::kept_bytes<Add>(), opkg::kept_bytes<Add, Add>()>();
  static uint8_t room[kBytes + 64], other[kBytes + 64];
  for (int shift = 0; shift < 64; shift += 16) {
    std::memset(room, 0xa5, sizeof room);
    opkg::Keeper keeper(room + shift);
    keeper.add(new (keeper) Add(shift == 48 ? -1 : 1, &sum, 2));
    keeper.add(new (keeper) Add(20, &sum, 3));
    for (int i = 0; i < shift; ++i) {
      if (room[i] != 0xa5) return 1;
    }
    for (size_t i = kBytes + shift; i < sizeof room; ++i) {
      if (room[i] != 0xa5) return 2;
    }
    call(room + shift, {0, 1u + shift / 16});
    call(room + shift, {2, 6});
    std::memcpy(other, room, sizeof room);
    call(other + shift, {0, 1});
  }
}
"""
SPEC = """\
opkg: 1
package: {name: t.kept, targets: [qnn-htp-qhpi]}
ops:
  Plain:
    inputs: {x: {dtype: uint8}}
    outputs: {y: {dtype: uint8, shape: x.shape}}
    compute: y = x + x
  Scalar:
    inputs: {x: {dtype: uint8}}
    params: {k: {dtype: int32, default: 1}}
    outputs: {y: {dtype: uint8, shape: x.shape}}
    compute: y = x + k
  Optional:
    inputs: {x: {dtype: float32}, b: {dtype: float32, optional: true, shape: x.shape}}
    params: {k: {dtype: float32, default: 1.0}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: "y = x * k + b if present(b) else x * k"
  Beside:
    inputs: {x: {dtype: float32}, b: {dtype: float32, optional: true, shape: x.shape}}
    params: {k: {dtype: float32, default: 1.0}}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: "y = x * k + b if present(b) else x * k"
    kernels: [{placement: tcm}]
  Hand:
    inputs: {x: {dtype: uint8}}
    outputs: {y: {dtype: uint8, shape: x.shape}}
    kernels: [{body: kernels/hand.cpp}]
  Whole:
    inputs: {x: {dtype: uint8}}
    outputs: {y: {dtype: uint8, shape: x.shape}}
    compute: y = x - x
    kernels: [{multithreaded: false}]
  Asked:
    inputs: {x: {dtype: uint8}}
    outputs: {y: {dtype: uint8, shape: x.shape}}
    kernels: [{body: kernels/asked.cpp, multithreaded: true}]
"""


def test_buffers(tmp_path: Path) -> None:
    cxx = os.environ.get("CXX", "g++")
    if shutil.which(cxx) is None:
        absent(f"no {cxx}")
    folder = tmp_path / "opkg"
    folder.mkdir()
    for name in ("kept.h", "fetch.h", "kernel.h", "small.h"):
        (folder / name).write_text(plain(f"qnn/{name}"))
    (folder / "signed.h").write_text(signed_header("a test", unsigned=False))
    (tmp_path / "main.cpp").write_text(PROGRAM)
    command = [cxx, "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}", "main.cpp", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, "wrote outside of its bytes"
    # Two calls one after the other, in 2 and 3 slices at most: those behind do nothing. The second is left out where the first
    # fails; a moved buffer is an error.
    wanted = ["0 21", "0 60", "2 0", "0 42", "0 60", "2 0", "0 62", "0 60", "2 0", "1 -2", "0 60", "2 0"]
    assert done.stdout.split("\n")[:-1] == wanted


@pytest.fixture(name="package", scope="module")
def fixture_package() -> OpPackage:
    package, findings = read(SPEC.encode(), "specs/s.yaml")
    assert package is not None, findings
    return package


def package_op(package: OpPackage, name: str) -> Op:
    return next(op for op in package.ops if op.name == name)


@pytest.mark.parametrize(
    ("op", "kept"), [("Plain", True), ("Scalar", True), ("Optional", True), ("Beside", False), ("Hand", False)]
)
def test_which_kernels(package: OpPackage, op: str, kept: bool) -> None:
    found = package_op(package, op)
    assert [keeps(found, kernel) for kernel in found.kernels] == [kept] * len(found.kernels)


@pytest.mark.parametrize(
    ("op", "sliced"),
    [
        ("Plain", True),
        ("Scalar", True),
        ("Optional", True),
        ("Beside", False),
        ("Hand", False),
        ("Whole", False),
        ("Asked", True),
    ],
)
def test_which_kernels_run_in_slices(package: OpPackage, op: str, sliced: bool) -> None:
    found = package_op(package, op)
    assert [in_slices(found, kernel) for kernel in found.kernels] == [sliced] * len(found.kernels)
    settled = package_op(with_blocks(package), op)
    source = op_source(package, settled, make_plan(settled))
    assert (".multithreaded()" in source, "run_kept<true>" in source) == (sliced, sliced and op != "Asked")
    assert ("run_kept<false>" in source) == (op == "Whole")


def test_what_may_stand_in_a_params_place_is_in_ddr(package: OpPackage) -> None:
    """Precomputation reads params, which the backend puts into TCM if any record has a tensor in their place that may be."""
    records = make_plan(package_op(package, "Optional")).records
    assert {len(record.inputs.signatures) for record in records} == {1, 2, 3}
    for record in records:
        first, *others = [signature.placement for signature in record.inputs.signatures]
        assert (first, set(others) - {Placement.DDR}) == (Placement.EITHER, set())
    beside = make_plan(package_op(package, "Beside")).records
    assert {s.placement for r in beside for s in r.inputs.signatures[1:]} == {Placement.TCM, Placement.EITHER}
