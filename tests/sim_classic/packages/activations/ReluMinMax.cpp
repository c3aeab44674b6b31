// ReluMinMax: two scalar params, both with defaults; the kernels return int.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"

BEGIN_PKG_OP_DEFINITION(PKG_ReluMinMax);

static Qnn_Scalar_t sg_opDefaultMinScalar = {QNN_DATATYPE_FLOAT_32, {0.0f}};
static Qnn_Param_t sg_opDefaultMin = {QNN_PARAMTYPE_SCALAR, "min_value", {sg_opDefaultMinScalar}};
static Qnn_Scalar_t sg_opDefaultMaxScalar = {QNN_DATATYPE_FLOAT_32, {6.0f}};
static Qnn_Param_t sg_opDefaultMax = {QNN_PARAMTYPE_SCALAR, "max_value", {sg_opDefaultMaxScalar}};

DEF_PACKAGE_PARAM_ORDER("ReluMinMax", "min_value", false, &sg_opDefaultMin, "max_value", false,
                        &sg_opDefaultMax)

template <typename TOut, typename TIn>
int reluMinMaxImpl(TOut& out, const TIn& in, const Tensor& minValue, const Tensor& maxValue) {
  float lo = minValue(0, 0, 0, 0);
  float hi = maxValue(0);
  if (!(lo <= hi)) {
    errlog("ReluMinMax: min_value %f is above max_value %f", lo, hi);
    return GraphStatus::ErrorBadInput;
  }
  const size_t dims[4] = {in.dim(0), in.dim(1), in.dim(2), in.dim(3)};
  out.set_dims(dims);
  for (Idx b = 0; b < dims[0]; b++)
    for (Idx h = 0; h < dims[1]; h++)
      for (Idx w = 0; w < dims[2]; w++)
        for (Idx d = 0; d < dims[3]; d++) out(b, h, w, d) = fminf(fmaxf(in(b, h, w, d), lo), hi);
  return GraphStatus::Success;
}

DEF_PACKAGE_OP((reluMinMaxImpl<Tensor, Tensor>), "ReluMinMax")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((reluMinMaxImpl<PlainFloatTensor, PlainFloatTensor>), "ReluMinMax",
                                  SNAIL / 128, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((reluMinMaxImpl<PlainFloat16Tensor, PlainFloat16Tensor>), "ReluMinMax",
                                  SNAIL)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((reluMinMaxImpl<QuantInt8Tensor, QuantInt8Tensor>), "ReluMinMax", FAST,
                                  Flags::RESOURCE_HVX, Flags::INHIBIT_CONST_PROP)

END_PKG_OP_DEFINITION(PKG_ReluMinMax);
