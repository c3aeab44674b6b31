// Layouts: whether the tensors of an op lie in blocks ("croutons") or flat.
//
// The backend's first record that fits by element types decides, before ranks and shapes are looked at. So an op has the records in
// blocks, and another one, which stands in its place after tiling where blocks do not pay, the flat ones.
#ifndef OPKG_LAYOUTS_H_
#define OPKG_LAYOUTS_H_

#include <cstdint>
#include <cstring>

#include "opkg/kernel.h"
#include "opkg/small.h"
#include "opkg/tiling.h"

namespace opkg {

OPKG_SMALL_BEGIN

constexpr uint64_t kSmallBytes = 1024;            // that padding may take besides kMostPadded
constexpr uint64_t kMostInBlocks = 1024u * 1024;  // bytes of a tensor in blocks
constexpr char kInBlocks[] = ".blocks";           // what the names of ops end with that are never made flat

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

/// Whether a tensor of rank 4 has one element for all places of some dimensions of `shape`.
inline bool broadcast_to(const QHPI_Shape& tensor, const QHPI_Shape& shape) {
  if (tensor.rank != 4) return false;
  for (uint32_t i = 0; i < 4; ++i)
    if (tensor.dims[i] != 1 && tensor.dims[i] != shape.dims[i]) return false;
  return true;
}

/// Whether an op's kernels in blocks find what belongs together in blocks at one place, or can spread it to blocks, and padding is
/// less than `most_padded` times what they hold.
inline bool blocks_pay(const QHPI_Op* op, uint64_t most_padded) {
  constexpr uint32_t kMostSpread = 4;  // inputs of which kernels make blocks: BlockRows::kMostPatterns
  const QHPI_OutputDef output = qhpi_op_output(op, 0);
  if (output.shape.rank != 4) return false;
  uint64_t padded = bytes_in_blocks(output.shape, qhpi_element_type_size(output.type)), bytes = bytes_of(output.shape, output.type);
  bool spread = false;
  uint32_t patterns = 0;
  for (uint32_t i = 0; i < qhpi_op_num_inputs(op); ++i) {
    const QHPI_OutputDef input = definition(qhpi_op_input(op, i));
    if (same_shape(input.shape, output.shape)) continue;
    ++patterns;
    if (along_depth(input.shape, output.shape)) continue;
    if (!broadcast_to(input.shape, output.shape)) return false;
    spread = true;
    padded += bytes_in_blocks(input.shape, qhpi_element_type_size(input.type));
    bytes += bytes_of(input.shape, input.type);
  }
  if (spread && patterns > kMostSpread) return false;
  return padded <= most_padded * (bytes + kSmallBytes) && padded <= kMostInBlocks;
}

/// Whether two tensors have the same pixels, as deep as they may be.
inline bool same_pixels(const QHPI_Shape& a, const QHPI_Shape& b) {
  bool same = a.rank == 4 && b.rank == 4;
  for (uint32_t i = 0; same && i < 3; ++i) same = a.dims[i] == b.dims[i];
  return same;
}

/// blocks_pay() of an op that reduces the last dimension: a vector's pixels of all tensors must fit the memory for rows. `kFlat`:
/// inputs (bits) that are flat, wherever the others lie.
template <uint64_t kFlat>
bool rows_pay(const QHPI_Op* op, uint64_t most_padded) {
  const QHPI_Shape shape = qhpi_op_output(op, 0).shape;
  const uint32_t inputs = qhpi_op_num_inputs(op), outputs = qhpi_op_num_outputs(op);
  uint64_t padded = 0, bytes = 0, staged = 0;
  for (uint32_t i = 0; i < inputs + outputs; ++i) {
    const QHPI_OutputDef tensor = i < inputs ? definition(qhpi_op_input(op, i)) : qhpi_op_output(op, i - inputs);
    const uint64_t own = bytes_of(tensor.shape, tensor.type), deep = tensor.shape.rank == 4 ? tensor.shape.dims[3] : 0;
    const bool pixels = same_pixels(tensor.shape, shape), flat = i < inputs && has(kFlat, i);
    // One pixel for all, as what is flat beside blocks has: else its pixels lie elsewhere.
    if ((!pixels && i >= inputs) || ((!pixels || flat) && deep * qhpi_element_type_size(tensor.type) != own)) return false;
    if (flat) continue;
    staged += deep * 4;  // as many bytes as its pixels in a vector have
    if (!pixels) continue;
    const uint64_t blocks = bytes_in_blocks(tensor.shape, qhpi_element_type_size(tensor.type));
    if (blocks > kMostInBlocks) return false;
    padded += blocks;
    bytes += own + kSmallBytes;
  }
  return staged <= kStagedBytes && padded <= most_padded * bytes;
}

/// blocks_pay() of an op that reduces the height, the width or both of its input: what is padding there is read. Results are few.
inline bool columns_pay(const QHPI_Op* op, uint64_t most_padded) {
  const QHPI_OutputDef input = definition(qhpi_op_input(op, 0));
  if (input.shape.rank != 4) return false;
  const uint64_t padded = bytes_in_blocks(input.shape, qhpi_element_type_size(input.type));
  return padded <= most_padded * (bytes_of(input.shape, input.type) + kSmallBytes) && padded <= kMostInBlocks;
}

using Pays = bool (*)(const QHPI_Op* op, uint64_t most_padded);

/// Combinations of element types, a row each: of the inputs, which are the first operands, and then of the outputs.
struct TypeRows {
  const uint32_t* rows;
  uint32_t count, tensors, inputs;

  template <uint32_t kRows, uint32_t kTensors>
  TypeRows(const uint32_t (&types)[kRows][kTensors], uint32_t num_inputs) : rows(types[0]), count(kRows), tensors(kTensors), inputs(num_inputs) {}
};

/// Whether an op's tensors have one of some combinations of element types.
inline bool has_types(const QHPI_Op* op, const TypeRows& types) {
  for (const uint32_t* row = types.rows; row != types.rows + types.count * types.tensors; row += types.tensors) {
    bool fits = true;
    for (uint32_t i = 0; i < types.tensors; ++i) {
      const bool is_input = i < types.inputs;
      const QHPI_OutputDef tensor = is_input ? definition(qhpi_op_input(op, i)) : qhpi_op_output(op, i - types.inputs);
      fits = fits && arriving(tensor).type == row[i];
    }
    if (fits) return true;
  }
  return false;
}

/// An op of another name with the same operands.
inline const QHPI_Op* renamed(const QHPI_Op* op, const char* name) {
  QHPI_OpRef sources[kMostInputs];
  QHPI_OutputDef results[kMostOutputs];
  const uint32_t inputs = qhpi_op_num_inputs(op), outputs = qhpi_op_num_outputs(op);
  for (uint32_t i = 0; i < inputs; ++i) sources[i] = qhpi_op_input(op, i);
  for (uint32_t i = 0; i < outputs; ++i) results[i] = qhpi_op_output(op, i);
  return qhpi_op_create(op, name, inputs, sources, outputs, results);
}

/// Late rewrite of an op: itself, or `flat` in its place. `types`: those for which both have kernels.
inline const QHPI_Op* in_layout(const QHPI_Op* op, const TypeRows& types, Pays pays, const char* flat) {
  return !has_types(op, types) || pays(op, kMostPadded) ? op : renamed(op, flat);
}

/// Whether an op leaves its output in blocks, whatever its shape: a convolution, or an op that beside_convolutions() made.
inline bool leaves_blocks(const QHPI_Op* op) {
  const char* const name = qhpi_op_name(op);
  for (const char* known : {"q::QNN_Conv2d", "q::QNN_DepthWiseConv2d", "q::QNN_TransposeConv2d"}) {
    if (strcmp(name, known) == 0) return true;
  }
  const size_t length = strlen(name), end = strlen(kInBlocks);
  return length > end && strcmp(name + length - end, kInBlocks) == 0;
}

/// Early rewrite of an op: itself, or `blocks` in its place, which has the same kernels and is never made flat. So it is where all
/// of its tensors with the output's pixels (of columns: its input's) come in blocks, but for constants: padding is there already, and converting it takes longer.
inline const QHPI_Op* beside_convolutions(const QHPI_Op* op, const TypeRows& types, Pays pays, const char* blocks) {
  if (!has_types(op, types) || pays(op, kMostPadded) || !pays(op, kMostInBlocks)) return op;
  const QHPI_Shape shape = pays == columns_pay ? definition(qhpi_op_input(op, 0)).shape : qhpi_op_output(op, 0).shape;
  bool any = false;
  for (uint32_t i = 0; i < qhpi_op_num_inputs(op); ++i) {
    const QHPI_OpRef input = qhpi_op_input(op, i);
    if (qhpi_op_is_constant(input.op) != 0 || !same_pixels(definition(input).shape, shape)) continue;
    if (!leaves_blocks(input.op)) return op;
    any = true;
  }
  return any ? renamed(op, blocks) : op;
}

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_LAYOUTS_H_
