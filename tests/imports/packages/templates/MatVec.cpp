// Rows times a matrix: [b, h, w, k] and [1, 1, k, n] give [b, h, w, n]. For any tensor, and for floats through pointers.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"

BEGIN_PKG_OP_DEFINITION(PKG_MatVec);

static GraphStatus matVecFloat(PlainFloatTensor& out, const PlainFloatTensor& rows, const PlainFloatTensor& matrix) {
  const size_t depth = rows.dim(3);
  const size_t width = matrix.dim(3);
  if (matrix.dim(2) != depth) {
    errlog("MatVec: %zu and %zu", matrix.dim(2), depth);
    return GraphStatus::ErrorDimensions;
  }
  const size_t dims[4] = {rows.dim(0), rows.dim(1), rows.dim(2), width};
  out.set_dims(dims);
  const float* x = (const float*)rows.raw_data_const();
  const float* m = (const float*)matrix.raw_data_const();
  float* y = (float*)out.raw_data();
  for (size_t row = 0; row < dims[0] * dims[1] * dims[2]; row++) {
    for (size_t i = 0; i < width; i++) {
      float sum = 0.0f;
      for (size_t k = 0; k < depth; k++) sum += x[row * depth + k] * m[k * width + i];
      y[row * width + i] = sum;
    }
  }
  return GraphStatus::Success;
}

DEF_PACKAGE_OP_AND_COST_AND_FLAGS(matVecFloat, "MatVec", FAST, Flags::RESOURCE_HVX)

END_PKG_OP_DEFINITION(PKG_MatVec);
