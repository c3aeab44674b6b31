// Calls of vector code in blocks: all operands have the same ones, or some inputs repeat in those of each 32 channels.
#ifndef OPKG_ROWS_BLOCKS_H_
#define OPKG_ROWS_BLOCKS_H_

#include "opkg/rows_crouton.h"

namespace opkg::rowwise {

/// All operands have the same blocks.
template <uint32_t kInputs, uint32_t kOutputs>
class BlockCall {
 public:
  BlockCall() = default;

  OPKG_SMALL BlockCall(const RowFunctions& functions, const Operand* operands) {
    constexpr uint32_t kOperands = kInputs + kOutputs;
    uint32_t patterns = 0;
    if (!kTellsAlignment || !functions.vector || kOperands > BlockRows::kMostOperands) return;
    if (!by_blocks(kInputs, kOutputs, functions.may_broadcast, operands, &patterns) || patterns != 0) return;
    const Operand& output = operands[kInputs];
    whole_ = functions.walking(hvx::Walk::blocks, 0);
    across_ = functions.walking(hvx::Walk::across, 0);
    lines_ = BlockLines(output, functions.step * output.bytes);
    step_ = functions.step;
    shift_ = static_cast<uint32_t>(__builtin_ctz(output.bytes));
  }

  bool is_there() const { return whole_ != nullptr; }

  /// Which lines of the blocks hold elements.
  const BlockLines& lines() const { return lines_; }

  /// `count` blocks from one on. kLines: of them those lines. table(i): that of an operand.
  template <bool kLines, typename Table>
  __attribute__((always_inline)) void run(const void* rows, size_t first, size_t count, const Table& table) const {
    constexpr uint32_t kOperands = kInputs + kOutputs;
    hvx::Path paths[kOperands];
    const void* in[Domain<kInputs>::kSlots] = {};
    void* out[kOutputs];
    for (uint32_t i = 0; i < kOperands; ++i) {
      void* const* const blocks = table(i) + first;
      paths[i].blocks = blocks;
      paths[i].origin = -reinterpret_cast<intptr_t>(blocks[0]);
      if (kLines) paths[i].stride = lines_.stride(), paths[i].phase = lines_.steps();
      if (i < kInputs) in[i] = blocks[0];
      if (i >= kInputs) out[i - kInputs] = blocks[0];
    }
    const size_t n = (count * kBlockBytes) >> shift_;
    counted(true, n);
    (kLines ? across_ : whole_)(rows, in, out, kLines ? count * step_ : n, paths);
  }

 private:
  VectorFunction whole_ = nullptr;
  VectorFunction across_ = nullptr;
  BlockLines lines_;
  size_t step_ = 0;     ///< elements
  uint32_t shift_ = 0;  ///< of elements to bytes
};

/// Some inputs repeat: the blocks of 32 channels are computed together, and what repeats in them is read where it lies.
template <uint32_t kInputs, uint32_t kOutputs>
class DepthCall {
 public:
  DepthCall() = default;

  /// `operands`: inputs, then outputs. Where the vector code takes not all that repeats from registers there is no such call.
  OPKG_SMALL DepthCall(const RowFunctions& functions, const Operand* operands) {
    const Operand& output = operands[kInputs];
    uint32_t patterns = 0;
    bool fits = kTellsAlignment && functions.vector && functions.blocks && functions.step * output.bytes == kAlignment;
    for (uint32_t i = 0; i < kOperands; ++i) {
      const Operand& o = operands[i];
      const Blockwise how = blockwise(o, output);
      fits &= how != Blockwise::other && !o.is_number;
      fits &= o.bytes == output.bytes || (how != Blockwise::block && output.bytes == 1 && !o.crouton() && o.bytes <= 4);
      if (how == Blockwise::block || i >= kInputs) continue;
      patterns |= 1u << i;
      const uint32_t run = (how == Blockwise::channel ? kBlockDepth : 1) * o.bytes;
      bytes_[i] = how == Blockwise::channel ? run : 0;
      last_[i] = o.crouton() || bytes_[i] == 0 ? run : (o.extent(0) - 1) % kBlockDepth * o.bytes + o.bytes;
      kinds_[i] = o.crouton() ? Kind::pattern_in_block : Kind::pattern;
      strides_[i] = run;
    }
    if (!fits || patterns == 0 || functions.best(patterns) != patterns) return;
    deep_ = output.padded[3] / kBlockDepth;
    shift_ = static_cast<uint32_t>(__builtin_ctz(kBlockBytes / output.bytes));
    for (uint32_t i = 0; i < kOperands; ++i) {
      if (kinds_[i] == Kind::blocks) strides_[i] = deep_;
    }
    vectors_ = functions.walking(hvx::Walk::blocks, patterns);
  }

  bool is_there() const { return vectors_ != nullptr; }

  /// Whether all blocks are of one depth.
  bool is_one() const { return deep_ == 1; }

  /// All blocks, which are of one depth. table(i), data(i): the table of an operand in blocks, the data of a flat one.
  template <typename Table, typename Data>
  __attribute__((always_inline)) void one(const void* rows, size_t count, const Table& table, const Data& data) const {
    hvx::Path paths[kOperands];
    depth<true>(rows, table, data, paths, 0, count, 0);
  }

  /// The blocks first <= i < last of several depths.
  template <typename Table, typename Data>
  __attribute__((always_inline)) void some(const void* rows, size_t first, size_t last, const Table& table, const Data& data) const {
    hvx::Path paths[kOperands];
    const void* places[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) {
      places[i] = kinds_[i] == Kind::pattern ? data(i) : static_cast<const void*>(table(i));
    }
    const auto kept_table = [&](uint32_t i) { return static_cast<const void* const*>(places[i]); };
    const auto kept_data = [&](uint32_t i) { return places[i]; };
    size_t now = first < deep_ ? first : first % deep_;
    const size_t end = first + deep_ < last ? first + deep_ : last;
    for (; first < end; ++first) {
      depth<false>(rows, kept_table, kept_data, paths, first, (last - first + deep_ - 1) / deep_, now);
      now = now + 1 == deep_ ? 0 : now + 1;
    }
  }

 private:
  enum class Kind : uint8_t { blocks,
                              pattern,  ///< of a flat tensor
                              pattern_in_block };
  static constexpr uint32_t kOperands = kInputs + kOutputs;
  static constexpr uint32_t kSlots = Domain<kInputs>::kSlots;

  /// `count` blocks of a depth from one on.
  template <bool kOne, typename Table, typename Data>
  __attribute__((always_inline)) void depth(const void* rows, const Table& table, const Data& data, hvx::Path* paths, size_t block,
                                            size_t count, size_t now) const {
    const void* in[kSlots] = {};
    void* out[kOutputs];
    OPKG_UNROLL_WHOLE
    for (uint32_t i = 0; i < kOperands; ++i) {
      paths[i].stride = strides_[i];
      if (i >= kInputs || kinds_[i] == Kind::blocks) {
        const auto* const blocks = table(i) + block;
        paths[i].blocks = blocks;
        paths[i].origin = -reinterpret_cast<intptr_t>(blocks[0]);
        if (i < kInputs) in[i] = blocks[0];
        if (i >= kInputs) out[i - kInputs] = const_cast<void*>(blocks[0]);
        continue;
      }
      paths[i].phase = kOne || now + 1 == deep_ ? last_[i] : bytes_[i];
      paths[i].blocks = nullptr;
      if (kinds_[i] == Kind::pattern) {
        in[i] = static_cast<const uint8_t*>(data(i)) + (kOne ? 0 : now * bytes_[i]);
      } else {
        paths[i].blocks = table(i);  // tells that it lies in a block
        in[i] = paths[i].blocks[kOne || bytes_[i] == 0 ? 0 : now];
      }
    }
    vectors_(rows, in, out, count << shift_, paths);
  }

  VectorFunction vectors_ = nullptr;
  size_t deep_ = 1;     ///< blocks after which the numbers come again
  uint32_t shift_ = 0;  ///< of blocks to elements
  Kind kinds_[kOperands] = {};
  size_t strides_[kOperands] = {};
  size_t bytes_[kSlots] = {};  ///< of 32 channels; 0: one number
  size_t last_[kSlots] = {};   ///< of those of the last depth
};

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_BLOCKS_H_
