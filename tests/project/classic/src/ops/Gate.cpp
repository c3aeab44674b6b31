// Gate: a smooth step. Kernels without templates, a wrapper macro, a rule with a C++ function.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"

BEGIN_PKG_OP_DEFINITION(PKG_Gate);

static int gateFloat(PlainFloatTensor& out, const PlainFloatTensor& in) { return 0; }
static int gateHalf(PlainFloat16Tensor& out, const PlainFloat16Tensor& in) { return 0; }
static int gateBlocks(QUint8CroutonTensor& out, const QUint8CroutonTensor& in, const PlainFloatTensor& slope) { return 0; }

DEF_PACKAGE_OP(gateFloat, "Gate")
DEF_PACKAGE_OP(gateHalf, "Gate")
DEF_PACKAGE_OP(gateBlocks, "Gate.blocks")

#define BYPASS(OUTER, INNER) DEF_PACKAGE_OPTIMIZATION(EARLY, Op(OUTER, Op(INNER, "X")), OK, "X")
BYPASS("Gate", "Ungate")

#ifndef PREPARE_DISABLED
static bool isSmall(Constraint& cst, OpRef x) { return true; }
#endif

  DEF_PACKAGE_OPTIMIZATION(MIDDLE, Op("Gate", "X"), EXTERNAL_CONSTRAINT(isSmall, "X"), Op("q::Sigmoid", "X"))

DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Relu"), Op("Gate", "X")), OK, Op("Gate", "X"))
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Gate", "X"), GT(DIM_DEPTH("Y"), 1), Op("Gate", "X"))

END_PKG_OP_DEFINITION(PKG_Gate);
