// y = gain * x + bias; bias has a default.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"
#include "common.h"

BEGIN_PKG_OP_DEFINITION(PKG_Affine);

static Qnn_Scalar_t sg_biasScalar = {.dataType = Qnn_DataType_t::QNN_DATATYPE_FLOAT_32, .floatValue = -0.25f};
static Qnn_Param_t sg_biasDefault = {.paramType = QNN_PARAMTYPE_SCALAR, .scalarParam = sg_biasScalar};

DEF_PACKAGE_PARAM_ORDER("Affine", "gain", true, nullptr, "bias", false, &sg_biasDefault)

template <typename TensorType>
GraphStatus affineImpl(TensorType& out, const TensorType& in, const PlainFloatTensor& gain, const PlainFloatTensor& bias) {
  const float g = gain(0, 0, 0, 0);
  const float b = bias(0, 0, 0, 0);
  out.set_dims(in);
  mapElements(out, in, [=](float x) { return g * x + b; });
  return GraphStatus::Success;
}

static float affineCost(const Op* op);

DEF_PACKAGE_OP_AND_COST_AND_FLAGS((affineImpl<PlainFloatTensor>), "Affine", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((affineImpl<PlainFloat16Tensor>), "Affine", SNAIL / 2, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS((affineImpl<QuantUint8Tensor>), "Affine", affineCost, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP((affineImpl<QuantUint16Tensor>), "Affine")
DEF_PACKAGE_OP((affineImpl<QuantInt16Tensor>), "Affine")

static float affineCost(const Op*) {
  float cost = 1200.0f;  // measured
  return cost;
}

DEF_TENSOR_PROPERTIES(Op("Affine", "in", "gain", "bias"), Flat("*", "in"), MainMemory("..."))

END_PKG_OP_DEFINITION(PKG_Affine);
