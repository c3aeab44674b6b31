// Ops whose names say type, layout and memory; state in TCM beside a tensor in main memory.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "QnnOpPackage.h"

BEGIN_PKG_OP_DEFINITION(PKG_Dotted);

// state' = decay * state + x, and the output is the new state times the key.
template <typename TState, typename TPlain>
static GraphStatus mixState(TPlain& out_0, TState& out_1, const TPlain& in_0, const TPlain& in_1, const TState& in_2,
                            const Tensor& decay) {
  const float keep = decay(0);
  out_0.set_dims(in_0);
  out_1.set_dims(in_2);
  const float* x = (const float*)in_0.raw_data_const();
  const float* key = (const float*)in_1.raw_data_const();
  const float* state = (const float*)in_2.raw_data_const();
  float* y = (float*)out_0.raw_data();
  float* next = (float*)out_1.raw_data();
  for (size_t i = 0; i < in_0.total_storage_elements(); i++) {
    next[i] = keep * state[i] + x[i];
    y[i] = next[i] * key[i];
  }
  return GraphStatus::Success;
}

static GraphStatus poolValid(QuantUint8Tensor_TCM& out_0, const QuantUint8Tensor_TCM& in_0) {
  const size_t dims[4] = {in_0.dim(0), in_0.dim(1), in_0.dim(2), 1};
  out_0.set_dims(dims);
  for (Idx b = 0; b < dims[0]; b++) {
    for (Idx h = 0; h < dims[1]; h++) {
      for (Idx w = 0; w < dims[2]; w++) {
        uint8_t most = 0;
        for (Idx d = 0; d < in_0.dim(3); d++) {
          if (in_0.get_raw(b, h, w, d) > most) most = in_0.get_raw(b, h, w, d);
        }
        out_0.get_raw(b, h, w, 0) = most;
      }
    }
  }
  return GraphStatus::Success;
}

DEF_PACKAGE_PARAM_ORDER("mix.f32.flat.tcm", "decay", true, nullptr)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((mixState<PlainFloatTensor_TCM, PlainFloatTensor>), "mix.f32.flat.tcm", FAST,
                                  Flags::RESOURCE_HVX)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(poolValid, "Pool_valid.tcm", FAST, Flags::RESOURCE_HVX)

DEF_PACKAGE_OPTIMIZATION(EARLY, Op("mix", "X", "K", "S", "D"), OK,
                         WITH_SAME_OUTPUT("*", Op("mix.f32.flat.tcm", "X", "K",
                                                  WITH_SAME_OUTPUT("S", Op(FROM_DEFAULT_PACKAGE("flat_to_vtcm"), "S")), "D")))
DEF_TENSOR_PROPERTIES(Op("mix.f32.flat.tcm", "in_0", "in_1", "in_2", "decay"), Outputs("out_0", "out_1"), Flat("..."),
                      Tcm("out_1", "in_2"), MainMemory("..."))
DEF_TENSOR_PROPERTIES(Op("Pool_valid.tcm", "in_0"), Flat("*", "in_0"), Tcm("*", "in_0"))

END_PKG_OP_DEFINITION(PKG_Dotted);
