// Crouton tensors: by blocks, by element addresses and by element access, in main memory and in TCM.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/intrinsics.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"

BEGIN_PKG_OP_DEFINITION(PKG_Blocks);

DEF_TENSOR_PROPERTIES(Op("Scale", "in", "factor"), Crouton("*", "in"), Tcm("*", "in"), Flat("factor"),
                      MainMemory("..."))
DEF_TENSOR_PROPERTIES(Op("Mirror", "in"), Outputs("out"), Crouton("out"), Flat("in"), MainMemory("..."))

// Block by block, lanes of a block in any order: each stored value times a small integer factor, saturated.
static GraphStatus scaleU8(QUint8CroutonTensor_TCM& out, const QUint8CroutonTensor_TCM& in,
                           const Int32Tensor& factor) {
  out.set_dims(in);
  const int32_t by = factor(0, 0, 0, 0);
  void** to = out.blocktab_ptr();
  void* const* from = in.blocktab_ptr();
  for (size_t i = 0; i < in.blocktab_len(); i++) {
    const HVX_Vector* x = (const HVX_Vector*)from[i];
    HVX_Vector* y = (HVX_Vector*)to[i];
    for (int v = 0; v < 16; v++) {
      HVX_VectorPair wide = Q6_Wuh_vmpy_VubRub(x[v], Q6_R_vsplatb_R(by));
      *y++ = Q6_Vub_vasr_VuhVuhR_sat(Q6_V_hi_W(wide), Q6_V_lo_W(wide), 0);
    }
  }
  return GraphStatus::Success;
}

// Element addresses, for 16-bit and 32-bit croutons.
template <typename T>
static GraphStatus scaleWide(T& out, const T& in, const Int32Tensor& factor) {
  out.set_dims(in);
  using Element = typename T::element_type;
  const int by = factor(0);
  auto [b_in, h_in, w_in, d_in] = in.dims();
  for (Idx b = 0; b < b_in; b++)
    for (Idx h = 0; h < h_in; h++)
      for (Idx w = 0; w < w_in; w++)
        for (Idx d = 0; d < d_in; d++) *out.element_ptr(b, h, w, d) = Element(in.get_raw(b, h, w, d) * by);
  return GraphStatus::Success;
}

// The output is a crouton, the input flat: width mirrored.
template <typename TOut, typename TIn>
static GraphStatus mirror(TOut& out, const TIn& in) {
  out.set_dims(in);
  auto [b_in, h_in, w_in, d_in] = in.dims();
  for (Idx b = 0; b < b_in; b++)
    for (Idx h = 0; h < h_in; h++)
      for (Idx w = 0; w < w_in; w++)
        for (Idx d = 0; d < d_in; d++) out(b, h, w, d) = in(b, h, w_in - 1 - w, d);
  if (out.block_ptr(0, 0, 0, 0) != out.blocktab_ptr()[0]) return GraphStatus::ErrorFatal;
  return GraphStatus::Success;
}

DEF_PACKAGE_OP_AND_COST_AND_FLAGS(scaleU8, "Scale", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((scaleWide<QUint16CroutonTensor_TCM>), "Scale", SNAIL, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((scaleWide<QInt8CroutonTensor_TCM>), "Scale", SNAIL, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((scaleWide<Int32CroutonTensor_TCM>), "Scale", SNAIL, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((mirror<F16CroutonTensor, PlainFloat16Tensor>), "Mirror", SNAIL)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((mirror<QUint16CroutonTensor, TensorContiguous<Tdefs::QuantUint16>>),
                                  "Mirror", SNAIL)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((mirror<QUint8CroutonTensor, Tensor>), "Mirror", SNAIL)

END_PKG_OP_DEFINITION(PKG_Blocks);
