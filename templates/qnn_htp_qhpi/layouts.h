// Layouts: whether the tensors of an op lie in blocks ("croutons") or flat.
//
// The backend's first record that fits by element types decides, before ranks and shapes are looked at. So an op has the records in
// blocks, and another one, which stands in its place after tiling where blocks do not pay, the flat ones.
#ifndef OPKG_LAYOUTS_H_
#define OPKG_LAYOUTS_H_

#include <cstdint>

#include "opkg/small.h"
#include "opkg/tiling.h"

namespace opkg {

OPKG_SMALL_BEGIN

constexpr uint64_t kSmallBytes = 1024;            // that padding may take besides kMostPadded
constexpr uint64_t kMostInBlocks = 1024u * 1024;  // bytes of a tensor in blocks

/// Bytes of a tensor of rank 4 in blocks of 8 rows, 8 bytes of columns, 32 deep.
inline uint64_t bytes_in_blocks(const QHPI_Shape& shape, uint32_t element) {
  const uint32_t block[4] = {1, 8, 8 / element, 32};
  uint64_t bytes = element;
  for (uint32_t i = 0; i < 4; ++i) bytes *= (uint64_t{shape.dims[i]} + block[i] - 1) / block[i] * block[i];
  return bytes;
}

inline bool same_shape(const QHPI_Shape& a, const QHPI_Shape& b) {
  bool same = a.rank == b.rank;
  for (uint32_t i = 0; same && i < a.rank; ++i) same = a.dims[i] == b.dims[i];
  return same;
}

/// Whether a tensor has one element for each place of the last dimension of `shape`, or one for all.
inline bool along_depth(const QHPI_Shape& tensor, const QHPI_Shape& shape) {
  for (uint32_t i = 0; i + 1 < tensor.rank; ++i)
    if (tensor.dims[i] != 1) return false;
  const uint32_t last = tensor.rank != 0 ? tensor.dims[tensor.rank - 1] : 1;
  return last == 1 || last == shape.dims[shape.rank - 1];
}

/// Whether an op's kernels in blocks find what belongs together in blocks at one place, and few of them are padding.
inline bool blocks_pay(const QHPI_Op* op) {
  const QHPI_OutputDef output = qhpi_op_output(op, 0);
  if (output.shape.rank != 4) return false;
  for (uint32_t i = 0; i < qhpi_op_num_inputs(op); ++i) {
    const QHPI_Shape shape = definition(qhpi_op_input(op, i)).shape;
    if (!same_shape(shape, output.shape) && !along_depth(shape, output.shape)) return false;
  }
  const uint64_t padded = bytes_in_blocks(output.shape, qhpi_element_type_size(output.type));
  return padded <= kMostPadded * (bytes_of(output.shape, output.type) + kSmallBytes) && padded <= kMostInBlocks;
}

/// Late rewrite of an op: itself, or `flat` in its place. `types`: combinations of element types, of the inputs (the
/// first `inputs` operands) and then of the outputs, for which both have kernels.
template <uint32_t kRows, uint32_t kTensors>
const QHPI_Op* in_layout(const QHPI_Op* op, const uint32_t (&types)[kRows][kTensors], uint32_t inputs, const char* flat) {
  bool both = false;
  for (const auto& row : types) {
    bool fits = true;
    for (uint32_t i = 0; i < kTensors; ++i) {
      const QHPI_OutputDef tensor = i < inputs ? definition(qhpi_op_input(op, i)) : qhpi_op_output(op, i - inputs);
      fits = fits && arriving(tensor).type == row[i];
    }
    both = both || fits;
  }
  if (!both || blocks_pay(op)) return op;
  QHPI_OpRef sources[kMostInputs];
  QHPI_OutputDef results[kMostOutputs];
  const uint32_t count = qhpi_op_num_inputs(op);
  for (uint32_t i = 0; i < count; ++i) sources[i] = qhpi_op_input(op, i);
  for (uint32_t i = 0; i < kTensors - inputs; ++i) results[i] = qhpi_op_output(op, i);
  return qhpi_op_create(op, flat, count, sources, kTensors - inputs, results);
}

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_LAYOUTS_H_
