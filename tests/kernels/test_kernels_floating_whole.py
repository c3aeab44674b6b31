"""What of hvx_float.h needs no floating point of HVX, on the instruction set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from kernels_floating_host import folder_with_header
from kernels_floating_samples import EDGES, REFERENCE, spread

_PROGRAM = """\
#include "opkg/hvx_float.h"
extern "C" long opkg_read(int, void*, size_t);
extern "C" int opkg_write_all(int, const void*, size_t);
using namespace opkg::hvx;
static HVX_Vector in[64], out[64];
template <typename F>
static void each(F f) {
  for (int i = 0; i < 64; ++i) out[i] = f(in[i]);
  opkg_write_all(1, out, sizeof out);
}
int main() {
  size_t have = 0;
  while (have < sizeof in) have += opkg_read(0, reinterpret_cast<char*>(in) + have, sizeof in - have);
@CALLS@
  return 0;
}
"""


def _saturated(x: np.ndarray) -> np.ndarray:
    real = np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=1e300, neginf=-1e300)
    return np.clip(np.trunc(real), -(2.0**31), 2.0**31 - 1).astype(np.int32)


_INTEGER: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    **{f"{name}_sf": REFERENCE[name] for name in ("trunc", "floor", "ceil", "round", "sign", "abs", "neg")},
    "sf_from_w": lambda x: x.view(np.int32).astype(np.float32),
    "w_from_sf": lambda x: _saturated(x),
}


@pytest.mark.hexagon
@pytest.mark.parametrize("arch", ["v68", "v73"])
def test_whole_numbers_on_the_instruction_set(arch: str, tmp_path: Path) -> None:
    """The functions without qfloat instructions, compiled by clang, in qemu."""
    from kernels_kit import need_arch

    from opkg.verify.machines.hexagon import runtime, toolchain

    need_arch(arch)
    source = folder_with_header(tmp_path) / "whole.cpp"
    calls = [f"  each([](HVX_Vector x) {{ return {name}(x); }});" for name in _INTEGER]
    source.write_text(_PROGRAM.replace("@CALLS@", "\n".join(calls)))
    flags = ["-O2", "-UOPKG_HVX_FLOAT", "-DOPKG_HVX_FLOAT=1", f"-I{tmp_path}", "-Wall", "-Wextra", "-Werror"]
    program = tmp_path / "whole"
    toolchain.link([*toolchain.compile([source], arch, flags, tmp_path), *runtime.objects(arch, tmp_path)], program)
    rng = np.random.default_rng(5)
    x = np.concatenate([EDGES, spread(rng, 1000, -4, 33), rng.integers(-40, 40, 2048) / np.float32(4)])
    x = np.resize(x.astype(np.float32), 2048)
    ran = toolchain.run(program, stdin=x.tobytes())
    assert ran.status == 0, ran.stderr
    for index, (name, reference) in enumerate(_INTEGER.items()):
        wanted = reference(x)
        got = np.frombuffer(ran.stdout, wanted.dtype, 2048, index * 8192)
        assert ((got == wanted) | (np.isnan(got) & np.isnan(wanted))).all(), name
