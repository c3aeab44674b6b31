// Calls of vector code in blocks: all operands have the same ones, or some inputs repeat in those of each 32 channels.
#ifndef OPKG_ROWS_BLOCKS_H_
#define OPKG_ROWS_BLOCKS_H_

#include "opkg/hvx_channels.h"
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

/// Some inputs repeat: the blocks of 32 channels are computed together, and what repeats in them is read where it lies. Where
/// there are few blocks of each 32 channels, or few lines in them, blocks are gone through in the order of their table instead,
/// line by line, with a step of what repeats in memory for each 32 channels.
template <uint32_t kInputs, uint32_t kOutputs>
class DepthCall {
  enum class Kind : uint8_t { blocks,
                              pattern,  ///< of a flat tensor
                              pattern_in_block };
  static constexpr uint32_t kOperands = kInputs + kOutputs;
  static constexpr uint32_t kSlots = Domain<kInputs>::kSlots;
  static constexpr size_t kRoom = 8192;  ///< bytes of steps of what repeats
  static constexpr uint32_t kRows = 8, kRowBytes = 8;
  // Packets of 32 channels and of a block where channels are taken one after the other, more for each byte of an element; of a
  // call for some lines, from line to line, for a step, and for one of what repeats.
  static constexpr size_t kDepth = 70, kBlock = 22, kEach = 32, kCall = 60, kNext = 20, kLine = 5 * (kOperands - 2), kPut = 10;

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
      parts_[i] = functions.step * o.bytes / kAlignment;
    }
    if (!fits || patterns == 0 || functions.best(patterns) != patterns) return;
    deep_ = output.padded[3] / kBlockDepth;
    all_ = output.num_blocks, each_ = all_ / deep_;
    shift_ = static_cast<uint32_t>(__builtin_ctz(kBlockBytes / output.bytes));
    step_ = functions.step;
    for (uint32_t i = 0; i < kOperands; ++i) {
      if (kinds_[i] == Kind::blocks) strides_[i] = deep_;
    }
    vectors_ = functions.walking(hvx::Walk::blocks, patterns);
    across_ = functions.walking(hvx::Walk::across, 0);
    set_lines(output);
  }

  bool is_there() const { return vectors_ != nullptr; }

  /// Whether all blocks are of one depth, and gone through whole.
  bool is_one() const { return deep_ == 1 && run_ == 0; }

  /// All blocks, which are of one depth. table(i), data(i): the table of an operand in blocks, the data of a flat one.
  template <typename Table, typename Data>
  __attribute__((always_inline)) void one(const void* rows, size_t count, const Table& table, const Data& data) const {
    hvx::Path paths[kOperands];
    depth<true>(rows, table, data, paths, 0, count, 0);
  }

  /// The blocks first <= i < last, line by line. `operands`: tables of blocks, or data.
  OPKG_RARE void lines(const void* rows, size_t first, size_t last, const void* const* operands) const {
#if OPKG_HVX
    alignas(kAlignment) uint8_t steps[kRoom];
    const void* places[kSlots][kRoom / kAlignment];
    for (size_t depth = 0; depth < deep_; depth += chunk_) {
      const size_t count = deep_ - depth < chunk_ ? deep_ - depth : chunk_;
      uint8_t* to = steps;
      for (uint32_t i = 0; i < kInputs; ++i) {
        if (kinds_[i] == Kind::blocks) continue;
        const bool pairs = bytes_[i] == 2 * kBlockDepth && parts_[i] == 1;
        const void* const* const blocks = kinds_[i] == Kind::pattern ? nullptr : static_cast<const void* const*>(operands[i]) + depth;
        hvx::put_channels(to, places[i], static_cast<const uint8_t*>(operands[i]) + depth * bytes_[i], blocks, (deep_ - depth - 1) * bytes_[i] + last_[i], count,
                          {bytes_[i], parts_[i], pairs});
        for (size_t k = count; k < run_ && chunk_ == deep_; ++k) places[i][k] = places[i][k - count];
        to += count * parts_[i] * kAlignment;
      }
      size_t image = image_;  // where the next one begins
      for (size_t row = 0, at = 0; at < last;) {
        if (row == image) image += image_;
        const size_t end = row + row_, until = at + run_ < end ? at + run_ : end;
        size_t from = at + depth, behind = chunk_ < deep_ ? from + count : until;
        if (from < first) from = first;
        if (behind > last) behind = last;
        if (from < behind) across(rows, operands, places, from, from - at - depth, behind - from, end == image ? last_lines_ : lines_);
        at = until;
        if (at == end) row = end;
      }
    }
#endif
  }

  /// The blocks first <= i < last of several depths.
  template <typename Table, typename Data>
  __attribute__((always_inline)) void some(const void* rows, size_t first, size_t last, const Table& table, const Data& data) const {
    hvx::Path paths[kOperands];
    const void* places[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) {
      places[i] = kinds_[i] == Kind::pattern ? data(i) : static_cast<const void*>(table(i));
    }
    if (run_ != 0) return lines(rows, first, last, places);
    const auto kept_table = [&](uint32_t i) { return static_cast<const void* const*>(places[i]); };
    const auto kept_data = [&](uint32_t i) { return places[i]; };
    size_t now = first < deep_ ? first : first % deep_;
    const size_t end = first + deep_ < last ? first + deep_ : last;
    const size_t least = last - first == all_ ? each_ : (last - first) / deep_, behind = last - least * deep_;
    size_t count = least + 1;
    for (; first < end; ++first) {
      if (first == behind) count = least;
      depth<false>(rows, kept_table, kept_data, paths, first, count, now);
      now = now + 1 == deep_ ? 0 : now + 1;
    }
  }

 private:
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

  /// Where lines of the blocks of several depths are gone through: how many blocks at a time, and of which lines. One number for
  /// all channels is left to the vector code, which has it in registers.
  OPKG_SMALL void set_lines(const Operand& output) {
    uint32_t vectors = 0;
    for (uint32_t i = 0; i < kInputs; ++i) {
      if (kinds_[i] == Kind::blocks) continue;
      if (bytes_[i] == 0) return;
      vectors += parts_[i];
    }
    const size_t most = kRoom / kAlignment / vectors, blocks = output.num_blocks;
    const bool half = output.dims[2] * output.bytes <= kRowBytes / 2;  // of each row the second line is empty
    const uint32_t height = output.padded[1] / kRows, beyond = output.padded[1] - output.dims[1];
    stride_ = half ? 2 * kAlignment : kAlignment;
    lines_ = half ? kRows : 2 * kRows, last_lines_ = lines_ / kRows * (kRows - beyond);
    image_ = blocks / output.dims[0], row_ = image_ / height;
    chunk_ = deep_ < most ? deep_ : most;
    size_t run = deep_;
    while (run + deep_ <= most && run < row_) run += deep_;
    const size_t now = run < most ? run : most;
    const size_t all = blocks * lines_ - blocks / height * (lines_ - last_lines_);
    const size_t cost = all * kLine + all / now * kNext + (blocks / now + 1) * kCall + deep_ * vectors * kPut;
    if (cost < deep_ * kDepth + blocks * (kBlock + kEach * output.bytes)) run_ = run;
  }

  /// The first `found` lines of `count` blocks from one on. `at`: the place of what repeats in them.
  OPKG_SMALL void across(const void* rows, const void* const* operands, const void* const (&places)[kSlots][kRoom / kAlignment], size_t block, size_t at,
                         size_t count, uint32_t found) const {
    hvx::Path paths[kOperands];
    const void* in[kSlots] = {};
    void* out[kOutputs];
    for (uint32_t i = 0; i < kOperands; ++i) {
      const bool moves = i >= kInputs || kinds_[i] == Kind::blocks;
      const void* const* const blocks = moves ? static_cast<const void* const*>(operands[i]) + block : places[i < kInputs ? i : 0] + at;
      paths[i] = {blocks, -reinterpret_cast<intptr_t>(blocks[0]), moves ? stride_ : 0, found};
      if (i < kInputs) in[i] = blocks[0];
      if (i >= kInputs) out[i - kInputs] = const_cast<void*>(blocks[0]);
    }
    across_(rows, in, out, count * step_, paths);
  }

  VectorFunction vectors_ = nullptr;
  VectorFunction across_ = nullptr;
  size_t deep_ = 1;     ///< blocks after which the numbers come again
  size_t all_ = 0;      ///< blocks
  size_t each_ = 0;     ///< of each depth
  uint32_t shift_ = 0;  ///< of blocks to elements
  Kind kinds_[kOperands] = {};
  size_t strides_[kOperands] = {};
  uint32_t bytes_[kSlots] = {};          ///< of 32 channels; 0: one number
  size_t last_[kSlots] = {};             ///< of those of the last depth
  uint32_t parts_[kSlots] = {};          ///< vectors of a step
  size_t step_ = 0;                      ///< elements of a step
  size_t run_ = 0;                       ///< blocks that are gone through together line by line; 0: none
  size_t chunk_ = 1;                     ///< depths of which there are steps of what repeats at a time
  size_t row_ = 1, image_ = 1;           ///< blocks of a row of them, and of an image
  size_t stride_ = 0;                    ///< bytes from line to line
  uint32_t lines_ = 0, last_lines_ = 0;  ///< of blocks that hold elements, and of those of the last row
};

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_BLOCKS_H_
