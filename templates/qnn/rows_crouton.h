// Elementwise kernels on crouton tensors: block by block where the blocks of all operands lie alike, else by coordinates.
#ifndef OPKG_ROWS_CROUTON_H_
#define OPKG_ROWS_CROUTON_H_

#include "opkg/rows_lines.h"
#include "opkg/rows_spread.h"

namespace opkg::rowwise {

using hvx::kBlockBytes;
OPKG_SMALL inline bool same_dims(const Operand& a, const Operand& b) {
  for (uint32_t k = 0; k < kMaxRank; ++k) {
    if (a.extent(k) != b.extent(k)) return false;
  }
  return true;
}

/// How an input takes part in the blocks of the output.
enum class Blockwise : uint8_t { block,
                                 scalar,
                                 channel,
                                 other };

OPKG_SMALL inline Blockwise blockwise(const Operand& input, const Operand& output) {
  if (input.crouton() && same_dims(input, output) && input.bytes == output.bytes) return Blockwise::block;
  for (uint32_t k = 1; k < kMaxRank; ++k) {
    if (input.extent(k) != 1) return Blockwise::other;
  }
  if (input.extent(0) == 1) return Blockwise::scalar;
  return input.extent(0) == output.extent(0) ? Blockwise::channel : Blockwise::other;
}

/// A kernel's row functions, for code that is the same for any number of operands.
struct AnyRows {
  uint32_t inputs;
  uint32_t outputs;
  KernelRows kernel;

  /// Blocks. `held`: inputs of which the vector code has a step in registers.
  void (*blocks)(const KernelRows& kernel, uint32_t held, const Operand* operands, const uint8_t* const* in,
                 uint8_t* const* out, size_t n, const hvx::Path* paths);
  /// A row.
  void (*row)(const KernelRows& kernel, const Operand* operands, const uint8_t** in, uint8_t** out, size_t n);
};

template <uint32_t kInputs, uint32_t kOutputs>
AnyRows any_rows(const KernelRows& kernel) {
  using Call = RowCall<kInputs, kOutputs>;
  return {kInputs, kOutputs, kernel,
          [](const KernelRows& rows, uint32_t held, const Operand* operands, const uint8_t* const* in, uint8_t* const* out,
             size_t n, const hvx::Path* paths) {
            Call(rows, held)(operands, operands + kInputs, in, out, n, hvx::Walk::blocks, paths);
          },
          [](const KernelRows& rows, const Operand* operands, const uint8_t** in, uint8_t** out, size_t n) {
            Call(rows, 0).whole(operands, operands + kInputs, in, out, n);
          }};
}

/// Whether every operand either has the output's blocks or is broadcast. `patterns`: the set of those.
OPKG_SMALL inline bool by_blocks(uint32_t inputs, uint32_t outputs, uint32_t may_broadcast, const Operand* operands, uint32_t* patterns) {
  const Operand& output = operands[inputs];
  *patterns = 0;
  for (uint32_t i = 0; i < inputs + outputs; ++i) {
    if (operands[i].bytes != output.bytes || output.bytes > 4) return false;
    if (i >= inputs && !operands[i].crouton()) return false;
    if (blockwise(operands[i], output) != Blockwise::block) *patterns |= 1u << i;
  }
  return (*patterns & ~may_broadcast) == 0;
}

/// The first `count` elements of blocks of an image of the output that begin at depth `first`, of an input that depends on the
/// image and on the depth only, or on nothing.
OPKG_SMALL inline void fill_block(uint8_t* to, const Operand& input, const Operand& output, uint32_t image, uint32_t first, size_t count) {
  const uint32_t bytes = output.bytes, columns = bytes == 2 ? 2 : 1;  // that are interleaved
  const uint32_t at[4] = {image, 0, 0, first};
  const uint8_t* from = element(input, at);
  const size_t apart = input.crouton() ? columns * bytes : bytes;
  const size_t step = input.extent(0) == 1 ? 0 : apart;
  uint32_t left = output.extent(0) - first;  // what follows the last element is padding
  uint8_t run[kBlockDepth * 4];
  for (uint32_t d = 0; d < kBlockDepth * columns; ++d) {
    for (uint32_t byte = 0; byte < bytes; ++byte) run[d * bytes + byte] = from[byte];
    if (d % columns == columns - 1 && left > 1) from += step, --left;
  }
  fill_repeated(to, run, bytes, kBlockDepth * columns, 0, count);
}

/// Blocks of all operands. Those of the same depth are computed together: patterns are the same in all of them. Where they
/// differ by image, they are made anew for each; where they differ by row or column, for each place.
class BlockRows {
 public:
  static constexpr uint32_t kMostOperands = 16;
  static constexpr uint32_t kMostPatterns = 4;

  /// `tables`: addresses of the blocks of operands; not looked at for patterns.
  OPKG_SMALL BlockRows(const AnyRows& any, const Operand* operands, uint32_t patterns, void* const* const* tables)
      : any_(any), operands_(operands), output_(operands[any.inputs]), tables_(tables), patterns_(patterns), image_(output_.num_blocks) {
    for (uint32_t i = 0; i < any.inputs; ++i) {
      if ((patterns >> i & 1) == 0) continue;
      const Operand& o = operands[i];
      if (o.extent(0) != 1) deep_ = output_.padded[3] / kBlockDepth;
      if (o.extent(3) != 1) image_ = output_.num_blocks / output_.extent(3);
      spread_ |= o.extent(1) != 1 || o.extent(2) != 1;
    }
    if (spread_) return;
    if (kTellsAlignment && any.kernel.functions->step % (2 * kBlockDepth) == 0 && any.kernel.functions->best(patterns) == patterns) held_ = patterns;  // whole columns
  }

  /// The blocks first <= i < last.
  OPKG_SMALL void run(size_t first, size_t last) {
    if (first >= last) return;
    if (patterns_ == 0) {
      const BlockLines found(output_);
      return found.each(
          first, last, [&](size_t block, size_t count) { some(block, count); },
          [&](size_t block, size_t count) { lines(block, count, found); });
    }
    if (spread_) return anew(first, last);
    while (first < last) {
      const size_t image = first / image_, end = (image + 1) * image_, until = last < end ? last : end;
      each_depth(first, until, static_cast<uint32_t>(image));
      first = until;
    }
  }

 private:
  static constexpr size_t kMost = 32;  ///< blocks of a list

  /// Blocks of an image.
  OPKG_SMALL void each_depth(size_t first, size_t last, uint32_t image) {
    const size_t filled = held_ != 0 ? any_.kernel.functions->step : kBlockBytes / output_.bytes;
    for (size_t place = first; place < last && place < first + deep_; ++place) {
      const uint32_t depth = static_cast<uint32_t>(place % deep_) * kBlockDepth;
      for (uint32_t i = 0; i < any_.inputs; ++i) {
        if ((patterns_ >> i & 1) != 0) fill_block(block_of(i), operands_[i], output_, image, depth, filled);
      }
      for (size_t block = place; block < last; block += kMost * deep_) {
        const size_t count = (last - block + deep_ - 1) / deep_;
        some(block, count < kMost ? count : kMost);
      }
    }
  }

  /// The blocks of a place, one depth at a time, or all of them where no input has channels.
  OPKG_RARE void anew(size_t first, size_t last) {
    const size_t deep = output_.padded[3] / kBlockDepth, most = deep_ == 1 ? kMost : 1;
    const uint32_t width = 8 / output_.bytes;
    const size_t across = output_.padded[2] / width, high = output_.padded[1] / kBlockHeight;
    deep_ = 1;  // lists have block after block
    for (size_t block = first, count = 0; block < last; block += count) {
      const size_t depth = block % deep, column = block / deep % across, row = block / deep / across;
      const uint32_t at[4] = {static_cast<uint32_t>(row / high), static_cast<uint32_t>(row % high) * kBlockHeight,
                              static_cast<uint32_t>(column) * width, static_cast<uint32_t>(depth) * kBlockDepth};
      count = deep - depth < last - block ? deep - depth : last - block;
      if (count > most) count = most;
      for (uint32_t i = 0; i < any_.inputs; ++i) {
        if ((patterns_ >> i & 1) != 0) Spread(operands_[i], at).fill(block_of(i));
      }
      some(block, count);
    }
  }

  /// `count` blocks from one on, every deep_-th.
  OPKG_RARE void some(size_t block, size_t count) {
    const uint8_t* in[kMostOperands];
    uint8_t* out[kMostOperands];
    hvx::Path paths[kMostOperands] = {};
    for (uint32_t i = 0; i < any_.inputs + any_.outputs; ++i) {
      paths[i].blocks = patterns_ == 0 ? tables_[i] + block : list(i, block, count);
      paths[i].origin = -reinterpret_cast<intptr_t>(paths[i].blocks[0]);
      paths[i].stride = (patterns_ >> i & 1) != 0 ? 0 : 1;  // block after block
      auto* const at = static_cast<uint8_t*>(const_cast<void*>(paths[i].blocks[0]));
      if (i < any_.inputs) in[i] = at;
      if (i >= any_.inputs) out[i - any_.inputs] = at;
    }
    any_.blocks(any_.kernel, held_, operands_, in, out, count * kBlockBytes / output_.bytes, paths);
  }

  /// The lines of `count` blocks from one on, each as a row. A simulation may have blocks at any address.
  OPKG_SMALL void lines(size_t block, size_t count, const BlockLines& found) {
    alignas(kAlignment) uint8_t results[kMostOperands][kAlignment];
    for (size_t k = 0; k < count; ++k) {
      for (size_t at = 0; at < found.steps() * found.stride(); at += found.stride()) {
        const uint8_t* in[kMostOperands];
        uint8_t* out[kMostOperands];
        for (uint32_t i = 0; i < any_.inputs; ++i) in[i] = place(i, block + k) + at;
        for (uint32_t i = 0; i < any_.outputs; ++i) out[i] = results[i];
        any_.row(any_.kernel, operands_, in, out, kAlignment / output_.bytes);
        for (uint32_t i = 0; i < any_.outputs; ++i) memcpy(place(any_.inputs + i, block + k) + at, results[i], kAlignment);
      }
    }
  }
  uint8_t* place(uint32_t operand, size_t block) const { return static_cast<uint8_t*>(tables_[operand][block]); }

  OPKG_SMALL const void* const* list(uint32_t operand, size_t block, size_t count) {
    const bool pattern = (patterns_ >> operand & 1) != 0;
    for (size_t k = 0; k < count; ++k) {
      lists_[operand][k] = pattern ? block_of(operand) : tables_[operand][block + k * deep_];
    }
    return lists_[operand];
  }

  /// Where the block of a pattern is.
  uint8_t* block_of(uint32_t input) { return blocks_[__builtin_popcount(patterns_ & ((1u << input) - 1))]; }

  const AnyRows& any_;
  const Operand* operands_;
  const Operand& output_;
  void* const* const* tables_;
  uint32_t patterns_;
  uint32_t held_ = 0;    ///< patterns in registers: all of them or none
  uint32_t deep_ = 1;    ///< blocks after which patterns come again
  bool spread_ = false;  ///< patterns differ by row or column
  size_t image_;         ///< blocks after which all patterns begin anew
  const void* lists_[kMostOperands][kMost];
  alignas(kAlignment) uint8_t blocks_[kMostPatterns][kBlockBytes];
};

/// Any mixture of layouts: elements are gathered in the order of the logical output, computed, and scattered.
class ByCoordinates {
 public:
  OPKG_SMALL ByCoordinates(const AnyRows& any, const Operand* operands)
      : any_(any), operands_(operands), chunk_(sizeof arena_ / (kMostBytes * (any.inputs + any.outputs)) / kLine * kLine) {
    if (chunk_ > any.kernel.functions->step) chunk_ = any.kernel.functions->step;
  }

  /// The elements first <= i < last of the output.
  OPKG_SMALL void run(size_t first, size_t last) {
    for (; first < last; first += chunk_) {
      const size_t count = last - first < chunk_ ? last - first : chunk_;
      for (size_t e = 0; e < count; ++e) move(first, e, 0, any_.inputs);
      const uint8_t* in[kMostOperands];
      uint8_t* out[kMostOperands];
      for (uint32_t i = 0; i < any_.inputs; ++i) in[i] = place(i, 0);
      for (uint32_t i = 0; i < any_.outputs; ++i) out[i] = place(any_.inputs + i, 0);
      any_.row(any_.kernel, operands_, in, out, count);
      for (size_t e = 0; e < count; ++e) move(first, e, any_.inputs, any_.inputs + any_.outputs);
    }
  }

 private:
  static constexpr size_t kMostBytes = 8;                   ///< of an element
  static constexpr size_t kLine = kAlignment / kMostBytes;  ///< elements of such size

  uint8_t* place(uint32_t operand, size_t e) {
    return arena_ + operand * chunk_ * kMostBytes + e * operands_[operand].bytes;
  }

  /// Copies element `e` of a chunk of some operands: inputs to the arena, outputs from there.
  OPKG_RARE void move(size_t first, size_t e, uint32_t begin, uint32_t end) {
    uint32_t at[4];
    size_t index = first + e;
    for (uint32_t dim = 0; dim < 4; ++dim) {
      at[3 - dim] = static_cast<uint32_t>(index % operands_[any_.inputs].extent(dim));
      index /= operands_[any_.inputs].extent(dim);
    }
    for (uint32_t i = begin; i < end; ++i) {
      uint8_t* const whole = element(operands_[i], at);
      memcpy(begin == 0 ? place(i, e) : whole, begin == 0 ? whole : place(i, e), operands_[i].bytes);
    }
  }

  const AnyRows& any_;
  const Operand* operands_;
  size_t chunk_;
  alignas(kAlignment) uint8_t arena_[8192];
};

/// `operands`: inputs, then outputs, any of them in blocks.
OPKG_SMALL inline Status croutons(const AnyRows& any, const Operand* operands, Slice slice) {
  const Operand& output = operands[any.inputs];
  for (uint32_t i = 0; i < any.inputs; ++i) {
    for (uint32_t k = 0; k < kMaxRank; ++k) {
      const uint32_t own = operands[i].extent(k);
      if (own != 1 && (k > 3 || own != output.extent(k))) return Status::unsupported;
    }
  }
  const size_t size = output.size();
  if (size == 0) return Status::ok;
  uint32_t patterns = 0;
  if (any.inputs + any.outputs <= BlockRows::kMostOperands &&
      by_blocks(any.inputs, any.outputs, any.kernel.functions->may_broadcast, operands, &patterns) &&
      __builtin_popcount(patterns) <= static_cast<int>(BlockRows::kMostPatterns)) {
    void* const* tables[BlockRows::kMostOperands];
    for (uint32_t i = 0; i < any.inputs + any.outputs; ++i) tables[i] = operands[i].blocks;
    BlockRows(any, operands, patterns, tables).run(slice.begin(output.num_blocks), slice.end(output.num_blocks));
  } else {
    ByCoordinates(any, operands).run(slice.begin(size, any.kernel.functions->step), slice.end(size, any.kernel.functions->step));
  }
  return Status::ok;
}

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_CROUTON_H_
