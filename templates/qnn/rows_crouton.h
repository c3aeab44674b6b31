// Elementwise kernels on crouton tensors: block by block where the blocks of all operands lie alike, else by coordinates.
#ifndef OPKG_ROWS_CROUTON_H_
#define OPKG_ROWS_CROUTON_H_

#include "opkg/rows_plan.h"

namespace opkg::rowwise {

using hvx::kBlockBytes;
constexpr uint32_t kBlockDepth = 32;

inline bool same_dims(const Operand& a, const Operand& b) {
  for (uint32_t k = 0; k < kMaxRank; ++k) {
    if (a.extent(k) != b.extent(k)) return false;
  }
  return true;
}

/// Address of an element by its coordinates (batch, height, width, depth); those of broadcast dimensions are not looked at.
inline uint8_t* element(const Operand& o, const uint32_t* at) {
  uint32_t own[4];
  for (uint32_t k = 0; k < 4; ++k) own[k] = o.extent(3 - k) == 1 ? 0 : at[k];
  if (!o.crouton()) {
    size_t index = 0;
    for (uint32_t k = 0; k < 4; ++k) index = index * o.extent(3 - k) + own[k];
    return o.data + index * o.bytes;
  }
  const uint32_t width = 8 / o.bytes;
  size_t block = own[0] * (o.padded[1] / 8) + own[1] / 8;
  block = block * (o.padded[2] / width) + own[2] / width;
  block = block * (o.padded[3] / kBlockDepth) + own[3] / kBlockDepth;
  const uint32_t h = own[1] % 8, w = own[2] % width, d = own[3] % kBlockDepth;
  const uint32_t inside =
      o.bytes == 2 ? ((h * 2 + w / 2) * kBlockDepth + d) * 2 + w % 2 : (h * width + w) * kBlockDepth + d;
  return static_cast<uint8_t*>(o.blocks[block]) + inside * o.bytes;
}

/// How an input takes part in the blocks of the output.
enum class Blockwise : uint8_t { block,
                                 scalar,
                                 channel,
                                 other };

inline Blockwise blockwise(const Operand& input, const Operand& output) {
  if (input.crouton() && same_dims(input, output) && input.bytes == output.bytes) return Blockwise::block;
  for (uint32_t k = 1; k < kMaxRank; ++k) {
    if (input.extent(k) != 1) return Blockwise::other;
  }
  if (input.extent(0) == 1) return Blockwise::scalar;
  return input.extent(0) == output.extent(0) ? Blockwise::channel : Blockwise::other;
}

/// Whether every operand either has the output's blocks or is a pattern in each of them. `fixed`: the patterns.
template <typename Rows>
bool by_blocks(const Operand* inputs, const Operand* outputs, uint32_t* fixed) {
  for (uint32_t i = 0; i < Rows::kOutputs; ++i) {
    if (!outputs[i].crouton() || outputs[i].bytes != outputs[0].bytes || outputs[i].bytes > 4) return false;
  }
  *fixed = 0;
  for (uint32_t i = 0; i < Rows::kInputs; ++i) {
    const Blockwise how = blockwise(inputs[i], outputs[0]);
    if (how == Blockwise::other) return false;
    if (how != Blockwise::block) *fixed |= 1u << i;
  }
  // Elements of a block repeat by depth: every 32, or 64 where pairs of columns are interleaved.
  const uint32_t period = outputs[0].bytes == 2 ? 2 * kBlockDepth : kBlockDepth;
  return Rows::kStep % period == 0 && Instances<Rows::kMayBroadcast>::best(*fixed & Rows::kMayBroadcast) == *fixed;
}

/// One step of an input that depends on the depth only (or on nothing), as it lies in blocks that begin at depth `first`.
inline void fill_depth(uint8_t* to, const Operand& input, const Operand& output, uint32_t first, uint32_t step) {
  const uint32_t depth = output.extent(0);
  for (uint32_t e = 0; e < step; ++e) {
    const uint32_t d = first + (output.bytes == 2 ? e / 2 : e) % kBlockDepth;
    const uint32_t at[4] = {0, 0, 0, d < depth ? d : depth - 1};
    memcpy(to + e * input.bytes, element(input, at), input.bytes);
  }
}

/// Blocks of all operands. Those of the same depth are computed together: patterns are the same in all of them.
template <typename Rows>
class BlockRows {
 public:
  /// `tables`: addresses of the blocks of inputs and outputs; not looked at for patterns.
  BlockRows(const Rows& rows, bool vectors, const Operand* inputs, const Operand* outputs, uint32_t fixed,
            void* const* const* tables)
      : inputs_(inputs), outputs_(outputs), tables_(tables), fixed_(fixed), call_(rows, vectors, fixed) {
    for (uint32_t i = 0; i < Rows::kInputs; ++i) {
      if ((fixed >> i & 1) != 0 && inputs[i].extent(0) != 1) deep_ = outputs[0].padded[3] / kBlockDepth;
    }
  }

  /// The blocks first <= i < last.
  void run(size_t first, size_t last) {
    for (size_t place = first; place < last && place < first + deep_; ++place) {
      for (uint32_t i = 0; i < Rows::kInputs; ++i) {
        const uint32_t depth = static_cast<uint32_t>(place % deep_) * kBlockDepth;
        if ((fixed_ >> i & 1) != 0) fill_depth(patterns_[i], inputs_[i], outputs_[0], depth, Rows::kStep);
      }
      if (deep_ == 1) return some(first, last - first);
      for (size_t block = place; block < last; block += kMost * deep_) {
        const size_t count = (last - block + deep_ - 1) / deep_;
        some(block, count < kMost ? count : kMost);
      }
    }
  }

 private:
  static constexpr uint32_t kOperands = RowCall<Rows>::kOperands;
  static constexpr uint32_t kSlots = RowCall<Rows>::kSlots;
  static constexpr size_t kMost = 32;  ///< blocks of a list

  /// `count` blocks from one on, every deep_-th.
  void some(size_t block, size_t count) {
    const uint8_t* in[kSlots] = {};
    uint8_t* out[Rows::kOutputs];
    hvx::Path paths[kOperands] = {};
    for (uint32_t i = 0; i < kOperands; ++i) {
      const bool pattern = i < Rows::kInputs && (fixed_ >> i & 1) != 0;
      if (!pattern) paths[i] = path(i, block, count);
    }
    for (uint32_t i = 0; i < Rows::kInputs; ++i) {
      in[i] = (fixed_ >> i & 1) != 0 ? patterns_[i] : static_cast<const uint8_t*>(paths[i].blocks[0]);
    }
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) {
      out[i] = static_cast<uint8_t*>(const_cast<void*>(paths[Rows::kInputs + i].blocks[0]));
    }
    call_(inputs_, outputs_, in, out, count * kBlockBytes / outputs_[0].bytes, hvx::Walk::blocks, paths);
  }

  hvx::Path path(uint32_t operand, size_t block, size_t count) {
    const void* const* blocks = tables_[operand] + block;
    if (deep_ != 1) {
      for (size_t k = 0; k < count; ++k) lists_[operand][k] = tables_[operand][block + k * deep_];
      blocks = lists_[operand];
    }
    return {blocks, -reinterpret_cast<intptr_t>(blocks[0]), 0};
  }

  const Operand* inputs_;
  const Operand* outputs_;
  void* const* const* tables_;
  uint32_t fixed_;
  uint32_t deep_ = 1;  ///< blocks after which patterns come again
  RowCall<Rows> call_;
  const void* lists_[kOperands][kMost];
  alignas(kAlignment) uint8_t patterns_[kSlots][Rows::kStep * 8];
};

/// Any mixture of layouts: elements are gathered in the order of the logical output, computed, and scattered.
template <typename Rows>
void by_coordinates(const Rows& rows, bool vectors, const Operand* inputs, const Operand* outputs, Slice slice) {
  constexpr uint32_t kSlots = Domain<Rows::kInputs>::kSlots;
  constexpr size_t kChunk = Rows::kStep;
  alignas(kAlignment) uint8_t from[kSlots][kChunk * 8];
  alignas(kAlignment) uint8_t to[Rows::kOutputs][kChunk * 8];
  const RowCall<Rows> call(rows, vectors, 0);
  const uint8_t* in[kSlots] = {};
  uint8_t* out[Rows::kOutputs];
  for (uint32_t i = 0; i < Rows::kInputs; ++i) in[i] = from[i];
  for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = to[i];
  const size_t last = slice.end(outputs[0].size(), kChunk);
  for (size_t begin = slice.begin(outputs[0].size(), kChunk); begin < last; begin += kChunk) {
    const size_t count = last - begin < kChunk ? last - begin : kChunk;
    for (size_t e = 0; e < 2 * count; ++e) {  // first all that is read, then all that is written
      if (e == count) call.whole(inputs, outputs, in, out, count);
      const size_t k = e % count;
      uint32_t at[4];
      size_t index = begin + k;
      for (uint32_t dim = 0; dim < 4; ++dim) {
        at[3 - dim] = static_cast<uint32_t>(index % outputs[0].extent(dim));
        index /= outputs[0].extent(dim);
      }
      if (e < count) {
        for (uint32_t i = 0; i < Rows::kInputs; ++i) {
          memcpy(from[i] + k * inputs[i].bytes, element(inputs[i], at), inputs[i].bytes);
        }
      } else {
        for (uint32_t i = 0; i < Rows::kOutputs; ++i) {
          memcpy(element(outputs[i], at), to[i] + k * outputs[i].bytes, outputs[i].bytes);
        }
      }
    }
  }
}

template <typename Rows>
Status croutons(const Rows& rows, bool vectors, const Operand* inputs, const Operand* outputs, Slice slice) {
  for (uint32_t i = 0; i < Rows::kInputs; ++i) {
    for (uint32_t k = 0; k < kMaxRank; ++k) {
      const uint32_t own = inputs[i].extent(k);
      if (own != 1 && (k > 3 || own != outputs[0].extent(k))) return Status::unsupported;
    }
  }
  if (outputs[0].size() == 0) return Status::ok;
  uint32_t fixed = 0;
  if (by_blocks<Rows>(inputs, outputs, &fixed)) {
    void* const* tables[RowCall<Rows>::kOperands];
    for (uint32_t i = 0; i < Rows::kInputs; ++i) tables[i] = inputs[i].blocks;
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) tables[Rows::kInputs + i] = outputs[i].blocks;
    const size_t blocks = outputs[0].num_blocks;
    BlockRows<Rows>(rows, vectors, inputs, outputs, fixed, tables).run(slice.begin(blocks), slice.end(blocks));
  } else {
    by_coordinates(rows, vectors, inputs, outputs, slice);
  }
  return Status::ok;
}

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_CROUTON_H_
