"""What hvx_float.h calls exact does not hang on how qfloat rounds: with noise in every qfloat result, and in qemu."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from kernels_floating_host import TEMPLATES, Host, folder_with_header
from kernels_floating_samples import EDGES, REFERENCE, SMALLEST, spread, ulps

# One unit of the last place more or less in the results of adders and multipliers, by their bits and a counter; results
# that end in two zero bits count as exact and stay.
_NOISE = """\
#include "hexagon_protos.h"
static HVX_Vector noisy(HVX_Vector v) {
  static uint32_t turn = 0;
  const uint32_t* const bits = reinterpret_cast<const uint32_t*>(&v);
  HVX_Vector out = v;
  for (int i = 0; i < 32; i++) {
    const uint32_t exponent = bits[i] >> 23 & 255;
    if (exponent < 2 || exponent > 253 || (bits[i] & 3) == 0) continue;
    turn = (turn + bits[i]) * 2654435769u + 12345;
    out[i] = int32_t(bits[i]) + int32_t((turn >> 16) % 3) - 1;
  }
  return out;
}
"""


def _noise() -> str:
    names = sorted(set(re.findall(r"Q6_Vqf32_v\w+", (TEMPLATES / "hvx_float.h").read_text("utf-8"))))
    assert len(names) == 8
    return _NOISE + "".join([f"#define {name}(a, b) noisy({name}(a, b))\n" for name in names])


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Host:
    return Host(tmp_path_factory.mktemp("noisy"), before=_noise())


def test_the_noise_is_there(noisy: Host) -> None:
    a, b = spread(np.random.default_rng(1), 3000, -9, 9), spread(np.random.default_rng(2), 3000, -9, 9)
    off = ulps(noisy.call("mul", a, b), a.astype(float) * b)
    assert 0.3 < (off > 0.5).mean() < 1
    assert off.max() <= 1.5


def test_quotients_and_roots_stay_exact(noisy: Host) -> None:
    rng = np.random.default_rng(3)
    a, b = spread(rng, 300000, -60, 60), spread(rng, 300000, -60, 60)
    b[:50000] = a[:50000] * rng.choice([1, 1.0000001, 3, 7, 0.1], 50000).astype(np.float32)
    assert (noisy.call("div", a, b) == a / b).all()
    x = np.concatenate([np.abs(spread(rng, 300000)), np.arange(1, 4097, dtype=np.float32) ** 2, EDGES])
    assert (noisy.call("sqrt", x) == np.sqrt(x)).all()


@pytest.mark.parametrize(
    ("name", "low", "high", "limit"),
    [
        ("exp", -87.0, 88.0, 4), ("sigmoid", -80.0, 80.0, 9), ("sigmoid", -3.0, 3.0, 9), ("tanh", -10.0, 10.0, 9),
        ("tanh", 0.7, 2.0, 9), ("erf", -4.0, 4.0, 4), ("log", 0.5, 2.0, 6), ("rsqrt", 1e-3, 1e6, 4),
    ],
)  # fmt: skip
def test_errors_grow_by_units(noisy: Host, name: str, low: float, high: float, limit: float) -> None:
    x = np.random.default_rng(4).uniform(low, high, 60000).astype(np.float32)
    wanted = REFERENCE[name](x.astype(np.float64))
    assert ulps(noisy.call(name, x), wanted)[np.abs(wanted) > SMALLEST].max() <= limit


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
_INTEGER: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    **{f"{name}_sf": REFERENCE[name] for name in ("trunc", "floor", "ceil", "round", "sign", "abs", "neg")},
    "sf_from_w": lambda x: x.view(np.int32).astype(np.float32),
    "w_from_sf": lambda x: np.clip(np.trunc(x.astype(np.float64)), -(2.0**31), 2.0**31 - 1).astype(np.int32),
    "magnitude_for_hf": lambda x: np.minimum(np.abs(x).view(np.int32).astype(np.int64) + 0x37801FFF, 2**31 - 1).astype(
        np.int32
    ),
}


@pytest.mark.hexagon
@pytest.mark.parametrize("arch", ["v68", "v73"])
def test_whole_numbers_on_the_instruction_set(arch: str, tmp_path: Path) -> None:
    """The functions without qfloat instructions, compiled by clang, in qemu."""
    from kernels_kit import need_arch

    from opkg.verify.hexagon import runtime, toolchain

    need_arch(arch)
    source = folder_with_header(tmp_path) / "whole.cpp"
    calls = [f"  each([](HVX_Vector x) {{ return {name}(x); }});" for name in _INTEGER]
    source.write_text(_PROGRAM.replace("@CALLS@", "\n".join(calls)))
    flags = ["-O2", "-UOPKG_HVX_FLOAT", "-DOPKG_HVX_FLOAT=1", f"-I{tmp_path}", "-Wall", "-Wextra", "-Werror"]
    program = tmp_path / "whole"
    toolchain.link([*toolchain.compile([source], arch, flags, tmp_path), *runtime.objects(arch, tmp_path)], program)
    rng = np.random.default_rng(5)
    x = np.concatenate([EDGES, -EDGES, spread(rng, 1000, -4, 33), rng.integers(-40, 40, 2048) / np.float32(4)])
    x = np.resize(x.astype(np.float32), 2048)
    ran = toolchain.run(program, stdin=x.tobytes())
    assert ran.status == 0, ran.stderr
    for index, (name, reference) in enumerate(_INTEGER.items()):
        wanted = reference(x)
        got = np.frombuffer(ran.stdout, wanted.dtype, 2048, index * 8192)
        assert (got == wanted).all(), name
