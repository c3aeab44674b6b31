"""How fast HVX is on the host: a kernel loop with a few intrinsics over 1 MiB, compiled as `opkg verify` compiles packages.

python benchmarks/bench_hvx_host.py [--seconds 0.3]
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from opkg.verify.machines import toolchain

LOOPS = {
    "saturating add u8": "vy[i] = Q6_Vub_vadd_VubVub_sat(va[i], vb[i]);",
    "absolute difference u8": "vy[i] = Q6_Vub_vabsdiff_VubVub(va[i], vb[i]);",
    "multiply u8 * u8, high bytes": "const HVX_VectorPair p = Q6_Wuh_vmpy_VubVub(va[i], vb[i]);"
    " vy[i] = Q6_Vb_vshuffo_VbVb(Q6_V_hi_W(p), Q6_V_lo_W(p));",
    "table of 32 entries": "vy[i] = Q6_Vb_vlut32_VbVbI(va[i], vb[0], 0);",
}
PROGRAM = r"""
#include <hexagon_types.h>
#include <hexagon_protos.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>
constexpr size_t kSize = 1 << 20;
alignas(128) static uint8_t a[kSize], b[kSize], y[kSize];
@FUNCTIONS@
template <typename F>
static void measure(const char* name, F f) {
  using clock = std::chrono::steady_clock;
  f();
  size_t turns = 0;
  const auto start = clock::now();
  double seconds = 0;
  do {
    f();
    ++turns;
    seconds = std::chrono::duration<double>(clock::now() - start).count();
  } while (seconds < @SECONDS@);
  std::printf("%-32s %8.0f MB/s\n", name, turns * (kSize / 1e6) / seconds);
}
int main() {
  for (size_t i = 0; i < kSize; ++i) a[i] = static_cast<uint8_t>(i * 7), b[i] = static_cast<uint8_t>(i * 13);
@CALLS@
  return y[12345] == 1 ? 1 : 0;
}
"""


def main() -> None:
    """Prints megabytes of output a second for each loop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.3)
    seconds = parser.parse_args().seconds
    head = "auto* va = (HVX_Vector*)a; auto* vb = (HVX_Vector*)b; auto* vy = (HVX_Vector*)y; (void)vb;"
    functions = "\n".join(
        f"__attribute__((noinline)) static void f{n}() {{ {head} for (size_t i = 0; i < kSize / 128; ++i) {{ {body} }} }}"
        for n, body in enumerate(LOOPS.values())
    )
    calls = "\n".join(f'  measure("{name}", f{n});' for n, name in enumerate(LOOPS))
    text = PROGRAM.replace("@FUNCTIONS@", functions).replace("@CALLS@", calls).replace("@SECONDS@", str(seconds))
    compiler = toolchain.compiler()
    assert compiler is not None, toolchain.INSTALL
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "bench.cpp", Path(folder) / "bench"
        source.write_text(text)
        flags = ["-std=c++17", "-O2", "-Wno-psabi", "-isystem", str(toolchain.INCLUDE)]
        subprocess.run([compiler.path, *flags, str(source), "-o", str(program)], check=True)
        subprocess.run([str(program)], check=True)


if __name__ == "__main__":
    main()
