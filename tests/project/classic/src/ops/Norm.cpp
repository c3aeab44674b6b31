// Norm: x scaled to unit length along the last dimension. A package written by hand, for the tests of migration.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"

BEGIN_PKG_OP_DEFINITION(PKG_Norm);

#define NORM_CHUNK 64
static constexpr int MAX_DEPTH = 4 * 1024;

// What a call without epsilon gets.
static Qnn_Scalar_t sg_opDefaultEpsilon_Scalar = {.dataType = Qnn_DataType_t::QNN_DATATYPE_FLOAT_32,
                                                  .floatValue = 1e-6f};
static Qnn_Param_t sg_opDefaultEpsilon = {.paramType = QNN_PARAMTYPE_SCALAR,
                                          .scalarParam = sg_opDefaultEpsilon_Scalar};
static Qnn_Scalar_t sg_opDefaultCentre_Scalar = {.dataType = Qnn_DataType_t::QNN_DATATYPE_BOOL_8,
                                                 .bool8Value = false};
static Qnn_Param_t sg_opDefaultCentre = {.paramType = QNN_PARAMTYPE_SCALAR,
                                         .scalarParam = sg_opDefaultCentre_Scalar};

template <typename TOut, typename TIn>
GraphStatus normImpl(TOut &out_0, const TIn &in_0, const TIn &gain, const Tensor &epsilon, const Tensor &centre);
static GraphStatus normTcm(QuantUint8Tensor_TCM &out_0, const QuantUint8Tensor_TCM &in_0,
                           const QuantUint8Tensor_TCM &gain, const Tensor &epsilon, const Tensor &centre);

DEF_PACKAGE_OP((normImpl<PlainFloatTensor, PlainFloatTensor>), "Norm")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((normImpl<QuantUint8Tensor, QuantUint8Tensor>), "Norm", SNAIL, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(normTcm, "Norm", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_PARAM_ORDER("Norm", "epsilon", false, &sg_opDefaultEpsilon, "centre", false, &sg_opDefaultCentre)

DEF_TENSOR_PROPERTIES(Op("Norm", "x", "gain", "epsilon", "centre"), Outputs("y"), Flat("x", "gain", "y"),
                      MainMemory("epsilon", "centre"))

#ifndef PREPARE_DISABLED
/* DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Old", "X"), OK, "X") is gone */
DEF_PACKAGE_OPTIMIZATION(
    EARLY + 2,
    Op("Norm", "X", "G", "E", "C"),
    // only wide ones
    AND(GT(DIM_DEPTH("*"), 1), GT(DIM_WIDTH("*"), NORM_CHUNK), LE(DIM_DEPTH("X"), MAX_DEPTH), EQ(RANK_OF("X"), 4)),
    AUTOSPLIT(2, "I", NORM_CHUNK,  // the width
              Op("Norm", TYPICAL_SLICE("X", "I"), "G", "E", "C")))

DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(LATE, relaxed_precision_flag,
                                    Op("Norm", Op("examples.NormOps::Norm", "X", "G", "E", "C"), "G", "E", "C"),
                                    OK, Op("Norm", "X", "G", "E", "C"))

#ifdef WITH_RELU
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Relu"), Op("Norm", "X", "G", "E", "C")), IS_FLOAT32("X"),
                         WITH_SAME_OUTPUT("*", Op("Gate", Op("Norm", "X", "G", "E", "C"))))
#endif
#if 0
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Norm", "X"), OK, "X")
#endif
#endif

template <typename TOut, typename TIn>
GraphStatus normImpl(TOut &out_0, const TIn &in_0, const TIn &gain, const Tensor &epsilon, const Tensor &centre) {
  out_0.set_dims(in_0);
  return GraphStatus::Success;
}

END_PKG_OP_DEFINITION(PKG_Norm);
