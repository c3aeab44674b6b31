// Ops whose types, params and defaults stand in the OpDef XML beside: here are only kernels.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"

BEGIN_PKG_OP_DEFINITION(PKG_Pools);

static Qnn_Scalar_t sg_opDefaultFactorScalar = {.dataType = Qnn_DataType_t::QNN_DATATYPE_FLOAT_32, .floatValue = 0.5f};
static Qnn_Param_t sg_opDefaultFactor = {.paramType = QNN_PARAMTYPE_SCALAR, .scalarParam = sg_opDefaultFactorScalar};

DEF_PACKAGE_PARAM_ORDER("SumPool", "factor", false, &sg_opDefaultFactor)

template <typename TensorType>
GraphStatus sumpoolImpl(TensorType& out_0, const TensorType& in_0, const Tensor& factor) {
  const float scale = factor(0, 0, 0, 0);
  auto [b_in, h_in, w_in, d_in] = in_0.dims();
  const size_t dims[] = {b_in, h_in, w_in, 1};
  out_0.set_dims(dims);
  for (Idx b = 0; b < b_in; b++) {
    for (Idx h = 0; h < h_in; h++) {
      for (Idx w = 0; w < w_in; w++) {
        float sum = 0.0f;
        for (Idx d = 0; d < d_in; d++) sum += in_0(b, h, w, d);
        out_0(b, h, w, 0) = scale * sum;
      }
    }
  }
  return GraphStatus::Success;
}

template <typename TensorType>
GraphStatus biasImpl(TensorType& out_0, const TensorType& in_0, const TensorType& in_1) {
  out_0.set_dims(in_0);
  auto [b_in, h_in, w_in, d_in] = in_0.dims();
  for (Idx b = 0; b < b_in; b++) {
    for (Idx h = 0; h < h_in; h++) {
      for (Idx w = 0; w < w_in; w++) {
        for (Idx d = 0; d < d_in; d++) out_0(b, h, w, d) = in_0(b, h, w, d) + in_1(0, 0, 0, d);
      }
    }
  }
  return GraphStatus::Success;
}

DEF_PACKAGE_OP((sumpoolImpl<Tensor>), "SumPool")
DEF_PACKAGE_OP((biasImpl<Tensor>), "Bias")

END_PKG_OP_DEFINITION(PKG_Pools);
