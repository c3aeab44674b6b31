// Non-template kernels, integer outputs, an axis param, an optional param, an external constraint function.
// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <math.h>

#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnTypes.h"

BEGIN_PKG_OP_DEFINITION(PKG_Legacy);

#ifndef PREPARE_DISABLED
[[maybe_unused]] static bool isBig(Constraint&, OpRef) { return true; }
#endif

DEF_PACKAGE_OPTIMIZATION(MIDDLE + 1, Op("ArgMax", "X", "A"), EXTERNAL_CONSTRAINT("X", isBig),
                         Op("ArgMax", "X", "A"))

// The axis arrives counted in rank 4. Only the last one is implemented.
template <typename TIn>
static int argMax(Int32Tensor& out, const TIn& in, const Tensor& axis) {
  if ((int)axis(0) != 3) {
    errlog("ArgMax: axis %d", (int)axis(0));
    return GraphStatus::ErrorUnsupported;
  }
  const size_t dims[4] = {in.dim(0), in.dim(1), in.dim(2), 1};
  out.set_dims(dims);
  for (Idx b = 0; b < dims[0]; b++) {
    for (Idx h = 0; h < dims[1]; h++) {
      for (Idx w = 0; w < dims[2]; w++) {
        Idx best = 0;
        for (Idx d = 1; d < in.dim(3); d++) {
          if (in(b, h, w, d) > in(b, h, w, best)) best = d;
        }
        out(b, h, w, 0) = (int32_t)best;
      }
    }
  }
  return 0;
}

// y = x + bias; without bias another kernel, with one operand less.
static GraphStatus addInt(Int32Tensor& out, const Int32Tensor& in) {
  out.set_dims(in);
  memcpy(out.raw_data(), in.raw_data_const(), in.total_storage_bytes());
  return GraphStatus::Success;
}
static GraphStatus addIntBias(Int32Tensor& out, const Int32Tensor& in, const Int32Tensor& bias) {
  out.set_dims(in);
  const int32_t* x = (const int32_t*)in.raw_data_const();
  int32_t* y = (int32_t*)out.raw_data();
  for (size_t i = 0; i < in.total_storage_elements(); i++) y[i] = x[i] + bias(0);
  return GraphStatus::Success;
}

// What a generic tensor knows about itself: dtype, scale, offset, rank.
static GraphStatus describe(PlainFloatTensor& out, const Tensor& in) {
  DTypeScaleOff type = in.get_dtype_intfc();
  out(0, 0, 0, 0) = (float)(int)in.get_dtype();
  out(0, 0, 0, 1) = type.scale;
  out(0, 0, 0, 2) = (float)type.offset;
  out(0, 0, 0, 3) = (float)in.rank();
  out(0, 0, 0, 4) = in(0, 0, 0, 0);
#if defined(OPKG_SIM_SDK) && OPKG_SIM_SDK < 243
  out(0, 0, 0, 5) = in.get_interface_scale() * (float)in.get_interface_offset();
#else
  out(0, 0, 0, 5) = in.interface_scale() * (float)in.interface_offset();
#endif
  return GraphStatus::Success;
}

// A tensor param with a default, and a bool, which arrives as a float with the integer's bits.
static float sg_defaultWeights[] = {0.5f, 0.25f};
static uint32_t sg_defaultWeightsDims[] = {2};
static Qnn_Param_t sg_opDefaultWeights = [] {
  Qnn_Param_t param = QNN_PARAM_INIT;
  param.paramType = QNN_PARAMTYPE_TENSOR;
  param.name = "weights";
  param.tensorParam = QNN_TENSOR_INIT;
  param.tensorParam.v1.dataType = QNN_DATATYPE_FLOAT_32;
  param.tensorParam.v1.rank = 1;
  param.tensorParam.v1.dimensions = sg_defaultWeightsDims;
  param.tensorParam.v1.clientBuf = {sg_defaultWeights, sizeof sg_defaultWeights};
  return param;
}();
static GraphStatus weighted(PlainFloatTensor& out, const PlainFloatTensor& in,
                            const PlainFloatTensor& weights, const Tensor& negate) {
  out.set_dims(in);
  const float sign = *(const uint32_t*)negate.raw_data_const() != 0 ? -1.0f : 1.0f;
  for (Idx d = 0; d < in.dim(3); d++) out(0, 0, 0, d) = sign * in(0, 0, 0, d) * weights(d % weights.dim(3));
  return GraphStatus::Success;
}

DEF_PACKAGE_PARAM_ORDER("Weighted", "weights", false, &sg_opDefaultWeights, "negate", true, nullptr)
DEF_PACKAGE_PARAM_ORDER("ArgMax", "axis", true, nullptr)
DEF_PACKAGE_PARAM_ORDER("AddInt", "bias", false, nullptr)

DEF_PACKAGE_OP((argMax<PlainFloatTensor>), "ArgMax")
DEF_PACKAGE_OP((argMax<QuantInt16Tensor>), "ArgMax")
DEF_PACKAGE_OP((argMax<QuantUint8Tensor>), "ArgMax")
DEF_PACKAGE_OP(addInt, "AddInt")
DEF_PACKAGE_OP(addIntBias, "AddInt")
DEF_PACKAGE_OP(describe, "Describe")
DEF_PACKAGE_OP(weighted, "Weighted")

END_PKG_OP_DEFINITION(PKG_Legacy);
