// y = x * g, with and without a Relu; rules that make one of the other, split what is large, and move tensors.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"

BEGIN_PKG_OP_DEFINITION(PKG_Gates);

#define MAX_DEPTH (4 * 1024)
#define SPLIT_DEPTH 1024
#define IN_MAIN(...) MainMemory(__VA_ARGS__)
#define ALL_FLAT Flat("*", "x", "g")
#define IS_FLOATS(T) OR(IS_FLOAT32(T), IS_FLOAT16(T))
#define SPLIT_ALONG(DIM, CHUNK, NAME) \
  AUTOSPLIT(DIM, "I", CHUNK, Op(NAME, TYPICAL_SLICE("X", "I"), TYPICAL_SLICE("G", "I")))
constexpr int kTileHeight = 8;
static const char* const kRelu = "q::Relu";

template <bool kRelu6, typename TensorType>
GraphStatus gateImpl(TensorType& out, const TensorType& x, const TensorType& g) {
  out.set_dims(x);
  auto [bs, hs, ws, ds] = x.dims();
  for (Idx b = 0; b < bs; b++) {
    for (Idx h = 0; h < hs; h++) {
      for (Idx w = 0; w < ws; w++) {
        for (Idx d = 0; d < ds; d++) {
          const float y = float(x(b, h, w, d)) * float(g(b, h, w, d));
          out(b, h, w, d) = kRelu6 && y < 0.0f ? 0.0f : y;
        }
      }
    }
  }
  return GraphStatus::Success;
}

#define REGISTER(OP, RELU, CLASS, COST) \
  DEF_PACKAGE_OP_AND_COST_AND_FLAGS((gateImpl<RELU, CLASS>), #OP, COST, Flags::RESOURCE_HVX)
REGISTER(Gate, false, PlainFloatTensor, SNAIL)
REGISTER(Gate, false, PlainFloat16Tensor, SNAIL)
REGISTER(Gate, false, QuantUint8Tensor, FAST)
REGISTER(GateRelu, true, PlainFloatTensor, SNAIL)
REGISTER(GateRelu, true, QuantUint8Tensor, FAST)

DEF_TENSOR_PROPERTIES(Op("Gate", "x", "g"), ALL_FLAT, IN_MAIN("..."))
DEF_TENSOR_PROPERTIES(Op("GateRelu", "x", "g"), ALL_FLAT, IN_MAIN("..."))

#ifndef PREPARE_DISABLED
bool isKnown(Constraint&, const OpRef& gate) { return static_cast<bool>(gate); }
#endif

// a Relu behind a gate
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Relu"), LET("Y", Op("Gate", "X", "G"))),
                         AND(SAME_QUANT("*", "Y"), NOT(IS_FLOAT16("*"))), Op("GateRelu", "X", "G"))
DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op(kRelu, Op("GateRelu", "X", "G")), OK, Op("GateRelu", "X", "G"))
#define SPLIT_DEEP(NAME)                                                                                             \
  DEF_PACKAGE_OPTIMIZATION(EARLY + 2, Op(NAME, "X", "G"), AND(GT(DIM_DEPTH("*"), MAX_DEPTH), SAME_SHAPE("X", "G")), \
                           SPLIT_ALONG(3, SPLIT_DEPTH, NAME))
SPLIT_DEEP("Gate")
SPLIT_DEEP("GateRelu")
DEF_PACKAGE_OPTIMIZATION(EARLY + 3, Op("Gate", "X", "G"), AND(GT(DIM_HEIGHT("*"), kTileHeight), SAME_SHAPE("X", "G")),
                         SPLIT_ALONG(1, kTileHeight, "Gate"))
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Gate", "X", "G"), AND(IS_FLOATS("X"), EQ(DTYPE_OF("G"), DType::QUInt8)),
                         Op("Gate", "X", Op(FROM_DEFAULT_PACKAGE("Dequantize"), "G")))

DEF_PACKAGE_OPTIMIZATION(LATE + 1, Op("Gate", Op("Gate", "X", "G"), "G"), EXTERNAL_CONSTRAINT(isKnown, "G"),
                         Op("Gate", Op("Gate", "X", "G"), "G"))

END_PKG_OP_DEFINITION(PKG_Gates);
