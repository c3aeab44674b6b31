// Flat tensors as raw memory: HVX saturating add, a table lookup, halves, a widening conversion.
// SPDX-License-Identifier: Apache-2.0
#include <hexagon_types.h>

#include "HTP/core/constraints.h"
#include "HTP/core/intrinsics.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "hvx_internal.h"

BEGIN_PKG_OP_DEFINITION(PKG_AddClip);

#define BYTES_OF_VECTOR 128

// Stored values are added as they are and clipped to the range of the type.
static GraphStatus addClipU8(QuantUint8Tensor& out, const QuantUint8Tensor& a, const QuantUint8Tensor& b) {
  out.set_dims(a);
  const size_t n = a.total_storage_elements();
  if (b.total_storage_elements() != n) return GraphStatus::ErrorDimensions;
  const uint8_t* pa = (const uint8_t*)a.raw_data_const();
  const uint8_t* pb = (const uint8_t*)b.raw_data_const();
  uint8_t* po = (uint8_t*)out.raw_data();
  size_t i = 0;
  for (; i + BYTES_OF_VECTOR <= n; i += BYTES_OF_VECTOR) {
    l2fetch(pa + i + BYTES_OF_VECTOR, 128, 128, 1);
    vmemu(po + i) = Q6_Vub_vadd_VubVub_sat(vmemu(pa + i), vmemu(pb + i));
  }
  if (i < n) q6op_vstu_variable_ARV(po + i, int(n - i), Q6_Vub_vadd_VubVub_sat(vmemu(pa + i), vmemu(pb + i)));
  return GraphStatus::Success;
}

// Any function of a byte: 256 entries, looked up with vlut32. The table is a static input.
static GraphStatus table(QuantUint8Tensor& out, const QuantUint8Tensor& in, const QuantUint8Tensor& entries) {
  out.set_dims(in);
  if (entries.dim(3) != 256) return GraphStatus::ErrorBadInput;
  const size_t n = in.total_storage_elements();
  const HVX_Vector* source = (const HVX_Vector*)entries.raw_data_const();
  const uint8_t* pi = (const uint8_t*)in.raw_data_const();
  uint8_t* po = (uint8_t*)out.raw_data();
  for (size_t i = 0; i < n; i += BYTES_OF_VECTOR) {
    HVX_Vector index = vmemu(pi + i), result = Q6_V_vzero();
    for (int k = 0; k < 8; k++) {
      HVX_Vector part = Q6_V_vror_VR(source[k / 4], (k % 4) * 32);    // entries 32 k .. 32 k + 31 in front
      HVX_Vector pairs = Q6_V_lo_W(Q6_W_vshuff_VVR(part, part, -1));  // vlut32 reads every other byte
      HVX_Vector hit = Q6_Vb_vlut32_VbVbR_nomatch(index, pairs, 0);
      HVX_Vector high = Q6_V_vand_VV(index, Q6_Vb_vsplat_R(0xe0));
      HVX_VectorPred mine = Q6_Q_vcmp_eq_VbVb(high, Q6_Vb_vsplat_R(k << 5));
      result = Q6_V_vmux_QVV(mine, hit, result);
    }
    vstu_variable(po + i, int(n - i < BYTES_OF_VECTOR ? n - i : BYTES_OF_VECTOR), result);
  }
  return GraphStatus::Success;
}

// Halves as __fp16 and as Float16.
template <typename T>
static int half(T& out, const T& in) {
  out.set_dims(in);
  const Float16* x = (const Float16*)in.raw_data_const();
  __fp16* y = (__fp16*)out.raw_data();
  const size_t n = in.total_storage_elements();
  for (size_t i = 0; i < n; i++) y[i] = (float)Float16::from_raw(x[i].raw()) * 0.5f;
  return GraphStatus::Success;
}

// u16 <- u8: stored values times 257, through Q6_Wuh_vmpy.
template <typename TOut, typename TIn>
static GraphStatus widen(TOut& y, const TIn& x) {
  y.set_dims(x);
  const uint8_t* px = static_cast<const uint8_t*>(x.raw_data_const());
  uint16_t* py = static_cast<uint16_t*>(y.raw_data());
  const size_t n = x.total_storage_elements();
  for (size_t i = 0; i < n; i += 64) {
    HVX_Vector v = vmemu(px + i);
    HVX_VectorPair w = Q6_W_vshuff_VVR(v, v, -1);  // every byte twice is the byte times 257
    const size_t left = n - i < 64 ? n - i : 64;
    q6op_vstu_variable_ARV(py + i, int(2 * left), Q6_V_lo_W(w));
  }
  return GraphStatus::Success;
}

static float addClipCost(const Op* op) {
  const Tensor* y = op->get_output(0);
  return float(y->dim(0) * y->dim(1) * y->dim(2) * y->dim(3)) / 64.0f;
}

DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(addClipU8, "AddClip", addClipCost, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(table, "Table", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((half<PlainFloat16Tensor>), "Half", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((half<PlainFloat16Tensor_TCM>), "Half", FREE, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((widen<QuantUint16Tensor, QuantUint8Tensor>), "Widen", FAST,
                                  Flags::RESOURCE_HVX)

END_PKG_OP_DEFINITION(PKG_AddClip);
