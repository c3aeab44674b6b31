// Sums along the last dimension, in float or as integers.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"

BEGIN_PKG_OP_DEFINITION(PKG_RowSum);

template <typename TOut, typename TIn>
int rowSum(TOut& out, const TIn& in) {
  const size_t dims[] = {in.dim(0), in.dim(1), in.dim(2), 1};
  if (!out.set_dims(dims)) return GraphStatus::ErrorNoSpace;
  for (Idx b = 0; b < dims[0]; b++) {
    for (Idx h = 0; h < dims[1]; h++) {
      for (Idx w = 0; w < dims[2]; w++) {
        float sum = 0.0f;
        for (Idx d = 0; d < in.dim(3); d++) sum += in(b, h, w, d);
        out(b, h, w, 0) = sum;
      }
    }
  }
  return GraphStatus::Success;
}

DEF_PACKAGE_OP((rowSum<PlainFloatTensor, PlainFloatTensor>), "RowSum")
DEF_PACKAGE_OP((rowSum<PlainFloatTensor, QuantUint8Tensor>), "RowSum")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((rowSum<Int32Tensor, Int32Tensor>), "RowSum", SNAIL)

END_PKG_OP_DEFINITION(PKG_RowSum);
