// Kernels that slide over unaligned memory with the helpers of hvx_internal.h, and quantize with those on scalars. What they
// need of HVX they have from the headers of HTP alone. SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_hook_base.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpDef.h"

BEGIN_PKG_OP_DEFINITION(PKG_Sliding);

// HVX without its own header: a splat of a float.
static HVX_Vector splat(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return Q6_V_vsplat_R(bits);
}

#include "hvx_internal.h"

static HVX_INLINE_ALWAYS HVX_Vector times(HVX_Vector a, HVX_Vector b) {
  return Q6_Vsf_equals_Vqf32(Q6_Vqf32_vmpy_VsfVsf(a, b));
}

// x * 0.5, reading aligned vectors only: the last one is read only where it holds some of x.
static void halve(float* restrict to, const float* restrict from, size_t count) {
  const HVX_Vector half = splat(0.5f);
  const HVX_Vector* at = (const HVX_Vector*)((uintptr_t)from & ~(uintptr_t)(VLEN - 1));
  HVX_UVector* out = (HVX_UVector*)to;
  HVX_Vector before = *at++;
  l2fetch(at, VLEN, VLEN, uint32_t(count * 4 / VLEN), 0);
  size_t i = 0;
  for (; i + VLEN / 4 <= count; i += VLEN / 4) {
    const bool last = i + VLEN / 4 == count && is_aligned(from, VLEN);
    const HVX_Vector next = last ? before : *at++;
    *out++ = times(Q6_V_valign_VVR(next, before, int((uintptr_t)from)), half);
    before = next;
  }
  const uint32_t rest = uint32_t(count - i) * 4;
  if (rest == 0) return;
  const HVX_Vector next = is_in_one_chunk(from + i, rest, VLEN) ? before : *at;
  vstu_variable(out, int(rest), times(Q6_V_valign_VVR(next, before, int((uintptr_t)from)), half));
}

template <typename T>
static GraphStatus half(T& out, const T& in) {
  out.set_dims(in);
  l2pref(in.raw_data_const(), 1, VLEN, VLEN);
  halve((float*)out.raw_data(), (const float*)in.raw_data_const(), in.total_storage_elements());
  return GraphStatus::Success;
}

// Numbers as bytes of the smallest power of two that holds the largest of them.
template <typename O, typename T>
static GraphStatus pack(O& out, const T& in) {
  out.set_dims(in);
  float most = 1e-30f;
  auto [b, h, w, d] = in.dims();
  for (size_t i = 0; i < d; i++) most = fmaxf(most, fabsf(in(0, 0, 0, i)));
  const int exponent = flt_getexp(most);
  for (size_t i = 0; i < d; i++) {
    out(0, 0, 0, i) = float(saturate_i8(roundf_i32(flt_ldexp(in(0, 0, 0, i), min_i32(7 - exponent, 100)))));
  }
  return b * h * w == 1 && flt_power2(3) == 8.0f && flt_getfrac(-6.0f) == -0.75f ? GraphStatus::Success
                                                                                 : GraphStatus::ErrorFatal;
}

#ifndef PREPARE_DISABLED
static QuickShape first(Replacement&, const Split_Context&, const OpRef&) { return QuickShape(1, 1, 1, 8); }
[[maybe_unused]] static const auto kUsed = &first;
#endif

DEF_PACKAGE_OP((half<PlainFloatTensor>), "Half")
DEF_PACKAGE_OP((pack<PlainFloatTensor, PlainFloatTensor>), "Pack")
DEF_OPTIM(CLEANUP_GRAPH, Op("Half", Op("Half", "X")), OK, Op("Half", Op("Half", "X")))
DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(EARLY, relaxed_precision_flag, Op(QNN_OP_RELU, "X"), OK, Op("Half", "X"))

END_PKG_OP_DEFINITION(PKG_Sliding);
