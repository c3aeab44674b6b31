// Tiling of elementwise ops: which pieces of the inputs a piece of the output needs.
#ifndef OPKG_TILING_H_
#define OPKG_TILING_H_

#include <cstdint>

#include "opkg/qhpi_abi.h"

namespace opkg {

constexpr uint32_t kMostInputs = 16;

/// The slice of one input that belongs to the tile [start, start + extent) of the output. Dimensions of extent 1 are
/// broadcast and stay whole; an input of lower rank is aligned at its last dimension; constants of one element too.
inline QHPI_OpRef tile_of_input(QHPI_OpRef input, const QHPI_Shape& start, const QHPI_Shape& extent) {
  const QHPI_Shape shape = qhpi_op_output(input.op, input.output_number).shape;
  QHPI_Shape from = shape;
  QHPI_Shape size = shape;
  bool whole = true;
  for (uint32_t i = 0; i < shape.rank; ++i) {
    const uint32_t j = start.rank - shape.rank + i;
    from.dims[i] = 0;
    if (shape.rank > start.rank || shape.dims[i] == 1) continue;
    from.dims[i] = start.dims[j];
    size.dims[i] = extent.dims[j];
    whole = whole && size.dims[i] == shape.dims[i];
  }
  return whole ? input : qhpi_op_slice(input, &from, &size);
}

/// The op again, for one tile of its output.
inline const QHPI_Op* build_elementwise_tile(const QHPI_Op* op, const QHPI_Shape* start, const QHPI_Shape* extent) {
  QHPI_OpRef inputs[kMostInputs];
  const uint32_t count = qhpi_op_num_inputs(op);
  if (count > kMostInputs) return qhpi_op_create_error(op, "more inputs than a tile can have");
  for (uint32_t i = 0; i < count; ++i) inputs[i] = tile_of_input(qhpi_op_input(op, i), *start, *extent);
  QHPI_OutputDef output = qhpi_op_output(op, 0);
  output.shape = *extent;
  return qhpi_op_create(op, qhpi_op_name(op), count, inputs, 1, &output);
}

}  // namespace opkg

#endif  // OPKG_TILING_H_
