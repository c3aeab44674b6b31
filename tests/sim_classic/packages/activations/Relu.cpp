// Relu: one template over tensor classes, element by element; registered for any tensor and for two fast
// types. SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"

#define RELU_CHUNK 32

BEGIN_PKG_OP_DEFINITION(PKG_Relu);

template <typename TensorType>
GraphStatus reluImpl(TensorType& out_0, const TensorType& in_0);

static float reluCostFunc(const Op* op);

DEF_PACKAGE_OP((reluImpl<Tensor>), "Relu")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((reluImpl<PlainFloatTensor>), "Relu", SNAIL, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS((reluImpl<QuantUint8Tensor>), "Relu", reluCostFunc, Flags::RESOURCE_HVX)

DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Relu", "X"), GT(DIM_DEPTH("X"), RELU_CHUNK),
                         AUTOSPLIT(3, "I", RELU_CHUNK, Op("Relu", TYPICAL_SLICE("X", "I"))))

DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(LATE + 10, relaxed_precision, Op("Relu", Op("Relu", "X")), OK,
                                    Op("Relu", "X"))

template <typename TensorType>
GraphStatus reluImpl(TensorType& out_0, const TensorType& in_0) {
  debuglog("Relu over %zu channels", in_0.dim(3));
  out_0.set_dims(in_0);
  auto [b_in, h_in, w_in, d_in] = in_0.dims();
  for (Idx b = 0; b < b_in; b++) {
    for (Idx h = 0; h < h_in; h++) {
      for (Idx w = 0; w < w_in; w++) {
        for (Idx d = 0; d < d_in; d++) {
          float x = in_0(b, h, w, d);
          out_0(b, h, w, d) = fmaxf(x, 0.0f);
        }
      }
    }
  }
  return GraphStatus::Success;
}

static float reluCostFunc(const Op* op) { return 0.5f * op->get_output(0)->dim(3); }

END_PKG_OP_DEFINITION(PKG_Relu);
