// Writes what Float16 and the floating-point intrinsics compute, for numpy to check.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>

#include "HTP/opkg/float16.h"
#include "hexagon_protos.h"

static uint32_t state = 1;
static uint32_t next() {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

template <typename T>
static void emit(const T& value) {
  fwrite(&value, sizeof value, 1, stdout);
}

static HVX_Vector floats(bool half) {
  opkg_hvx::Lanes<float> sf;
  opkg_hvx::Lanes<uint16_t> hf;
  for (float& x : sf.at) x = float(int32_t(next())) * 1e-7f;
  for (uint16_t& x : hf.at) x = opkg_sim::float_to_half(float(int32_t(next())) * 1e-8f);
  return half ? hf.vector() : sf.vector();
}

int main() {
  for (uint32_t bits = 0; bits < 65536; bits++) emit(float(Float16::from_raw(uint16_t(bits))));
  for (int i = 0; i < 65536; i++) {
    uint32_t bits = next();
    if (i % 2)
      bits =
          (bits & 0x80ffffffu) | (0x30000000u + (next() % 0x18000000u & 0x7f000000u));  // near half's range
    emit(bits);
    emit(uint32_t(Float16(opkg_sim::bits_float(bits)).raw()));
  }
  for (int half = 0; half < 2; half++) {
    const HVX_Vector a = floats(half), b = floats(half);
    emit(a);
    emit(b);
    emit(half ? Q6_Vhf_equals_Vqf16(Q6_Vqf16_vadd_VhfVhf(a, b))
              : Q6_Vsf_equals_Vqf32(Q6_Vqf32_vadd_VsfVsf(a, b)));
    emit(half ? Q6_Vhf_equals_Vqf16(Q6_Vqf16_vsub_VhfVhf(a, b))
              : Q6_Vsf_equals_Vqf32(Q6_Vqf32_vsub_VsfVsf(a, b)));
    emit(half ? Q6_Vhf_equals_Vqf16(Q6_Vqf16_vmpy_VhfVhf(a, b))
              : Q6_Vsf_equals_Vqf32(Q6_Vqf32_vmpy_VsfVsf(a, b)));
    emit(half ? Q6_Vhf_vmax_VhfVhf(a, b) : Q6_Vsf_vmax_VsfVsf(a, b));
    emit(half ? Q6_Vhf_vmin_VhfVhf(a, b) : Q6_Vsf_vmin_VsfVsf(a, b));
    const HVX_VectorPred greater = half ? Q6_Q_vcmp_gt_VhfVhf(a, b) : Q6_Q_vcmp_gt_VsfVsf(a, b);
    emit(Q6_V_vmux_QVV(greater, a, b));
    emit(half ? Q6_Vhf_equals_Wqf32(Q6_Wqf32_vmpy_VhfVhf(a, b)) : Q6_Vsf_equals_Vw(Q6_Vw_equals_Vsf(a)));
  }
}
