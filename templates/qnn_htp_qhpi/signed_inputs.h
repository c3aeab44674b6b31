// Signed inputs of 16 bits that have five dimensions: made unsigned in four, where the backend has slices of all shapes.
#ifndef OPKG_SIGNED_INPUTS_H_
#define OPKG_SIGNED_INPUTS_H_

#include "opkg/small.h"
#include "opkg/tiling.h"

namespace opkg {

OPKG_SMALL_BEGIN

inline QHPI_OpRef reshaped(const QHPI_Op* root, QHPI_OpRef x, const QHPI_OutputDef& to) {
  return {qhpi_op_create(root, "q::QNN_Reshape", 1, &x, 1, &to), 0};
}

/// For `early_rewrite`: the op on unsigned inputs where it has signed ones of 16 bits with five dimensions, which the backend
/// would make unsigned itself and, for many shapes, fail with code 1002 (docs/measured-qhpi.md, "Tiling").
inline const QHPI_Op* unsigned_inputs(const QHPI_Op* op) {
  const uint32_t num_inputs = qhpi_op_num_inputs(op), num_outputs = qhpi_op_num_outputs(op);
  if (num_inputs > kMostInputs || num_outputs > kMostOutputs) return op;
  QHPI_OpRef inputs[kMostInputs];
  bool changed = false;
  for (uint32_t i = 0; i < num_inputs; ++i) {
    inputs[i] = qhpi_op_input(op, i);
    QHPI_OutputDef def = definition(inputs[i]);
    if (def.type != QHPI_QINT16 || def.shape.rank != 5 || def.shape.dims[0] == 0) continue;
    const QHPI_Shape five = def.shape;
    def.shape = {4, {five.dims[0] * five.dims[1], five.dims[2], five.dims[3], five.dims[4]}};
    inputs[i] = reshaped(op, inputs[i], def);
    def = arriving(def);  // one change at a time
    inputs[i] = reshaped(op, inputs[i], def);
    def.shape = five;
    inputs[i] = reshaped(op, inputs[i], def);
    changed = true;
  }
  if (!changed) return op;
  QHPI_OutputDef outputs[kMostOutputs];
  for (uint32_t i = 0; i < num_outputs; ++i) outputs[i] = qhpi_op_output(op, i);
  return qhpi_op_create(op, qhpi_op_name(op), num_inputs, inputs, num_outputs, outputs);
}

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_SIGNED_INPUTS_H_
