// What a graph's op tells of a call that moves whole blocks: shapes, and params that say where parts begin.
#ifndef OPKG_PARTED_H_
#define OPKG_PARTED_H_

#include <cstdint>
#include <cstring>

#include "opkg/layouts.h"
#include "opkg/tiling_params.h"

namespace opkg {

OPKG_SMALL_BEGIN

/// Of an op that moves whole blocks: padding is less than `most_padded` times what its tensors hold.
inline bool parts_pay(const QHPI_Op* op, uint64_t most_padded) {
  const uint32_t inputs = qhpi_op_num_inputs(op), outputs = qhpi_op_num_outputs(op);
  uint64_t padded = 0, bytes = 0;
  for (uint32_t i = 0; i < inputs + outputs; ++i) {
    const QHPI_OutputDef tensor = i < inputs ? definition(qhpi_op_input(op, i)) : qhpi_op_output(op, i - inputs);
    if (tensor.shape.rank != 4) continue;  // a param
    const uint64_t blocks = bytes_in_blocks(tensor.shape, qhpi_element_type_size(tensor.type));
    if (blocks > kMostInBlocks) return false;
    padded += blocks;
    bytes += bytes_of(tensor.shape, tensor.type) + kSmallBytes;
  }
  return padded <= most_padded * bytes;
}

/// The shape of a tensor in blocks, for views of it.
template <typename T>
void set_shape(Tensor<T>& to, const QHPI_OutputDef& tensor) {
  to.data = reinterpret_cast<T*>(uintptr_t{128});  // not null; nobody follows it
  to.in_blocks = true;
  to.rank = tensor.shape.rank;
  for (uint32_t i = 0; i < to.rank && i < kMaxRank; ++i) to.dims[i] = tensor.shape.dims[i];
}

/// Reads a scalar; false if it is no constant.
template <typename T>
bool read_number(const QHPI_Op* op, int input, T& to) {
  const void* data = constant_of(op, input);
  if (data != nullptr) memcpy(&to, data, sizeof to);
  return data != nullptr;
}

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_PARTED_H_
