// Kernels over whole tensors with vectors: unaligned loads, prefetch, a masked tail.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"
#include "hvx_internal.h"

BEGIN_PKG_OP_DEFINITION(PKG_Rows);

#define VECTOR_BYTES 128

// Two operands of one size, a vector at a time. The last loads of a row stay inside of the buffers.
template <typename F>
static HVX_INLINE_ALWAYS void combine(void* out, const void* a, const void* b, size_t bytes, F f) {
  uint8_t* restrict y = (uint8_t*)out;
  const uint8_t* p = (const uint8_t*)a;
  const uint8_t* q = (const uint8_t*)b;
  l2fetch(p, VECTOR_BYTES, VECTOR_BYTES, (uint32_t)(bytes / VECTOR_BYTES));
  l2fetch(q, VECTOR_BYTES, VECTOR_BYTES, (uint32_t)(bytes / VECTOR_BYTES), 0);
  size_t at = 0;
  for (; at + VECTOR_BYTES <= bytes; at += VECTOR_BYTES) vmemu(y + at) = f(vmemu(p + at), vmemu(q + at));
  if (at == bytes) return;
  HVX_Vector u = Q6_V_vzero(), v = Q6_V_vzero();
  memcpy(&u, p + at, bytes - at);
  memcpy(&v, q + at, bytes - at);
  q6op_vstu_variable_ARV(y + at, (int)(bytes - at), f(u, v));
}

GraphStatus addI32(Int32Tensor& out, const Int32Tensor& a, const Int32Tensor& b) {
  out.set_dims(a);
  combine(out.raw_data(), a.raw_data_const(), b.raw_data_const(), a.total_storage_bytes(),
          [](HVX_Vector u, HVX_Vector v) { return Q6_Vw_vadd_VwVw(u, v); });
  return GraphStatus::Success;
}

template <typename TensorType>
GraphStatus maxU8(TensorType& out, const TensorType& a, const TensorType& b) {
  if (a.interface_scale() != b.interface_scale() || a.interface_offset() != b.interface_offset()) {
    return GraphStatus::ErrorPrecision;
  }
  out.set_dims(a);
  combine(out.raw_data(), a.raw_data_const(), b.raw_data_const(), a.total_storage_bytes(),
          [](HVX_Vector u, HVX_Vector v) { return Q6_Vub_vmax_VubVub(u, v); });
  return GraphStatus::Success;
}

template <typename TensorType>
GraphStatus mulF32(TensorType& out, const TensorType& a, const TensorType& b) {
  out.set_dims(a);
  combine(out.raw_data(), a.raw_data_const(), b.raw_data_const(), a.total_storage_bytes(),
          [](HVX_Vector u, HVX_Vector v) { return Q6_Vsf_equals_Vqf32(Q6_Vqf32_vmpy_VsfVsf(u, v)); });
  return GraphStatus::Success;
}

DEF_PACKAGE_OP_AND_COST_AND_FLAGS(addI32, "AddI32", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((maxU8<QuantUint8Tensor>), "MaxU8", SNAIL, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((maxU8<QuantUint8Tensor_TCM>), "MaxU8", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP((mulF32<PlainFloatTensor>), "MulF32")

DEF_TENSOR_PROPERTIES(Op("MaxU8", "a", "b"), Flat("*", "a", "b"), Tcm("..."))

END_PKG_OP_DEFINITION(PKG_Rows);
