// Calls of kernels that reduce the height, the width or both of tensors in blocks, as a prepared graph keeps them: elements are
// read where they lie, 32 columns of a block at a time.
#ifndef OPKG_COLUMNS_BLOCKS_H_
#define OPKG_COLUMNS_BLOCKS_H_

#include "opkg/columns_places.h"

namespace opkg {
namespace columns {

#if OPKG_HVX

/// One call in vectors: units of 32 columns are gathered to vectors of results, or vectors are results.
template <typename Rows, uint32_t kAxes>
class BlockCall {
  using Found = typename Rows::Found;
  using Finish = hvx::Finish<Rows>;
  using Place = Blocks<kAxes>;
  static constexpr uint32_t kLanes = Found::kLanes, kUnits = kLanes / rowwise::kBlockDepth;  ///< of a vector of results
  static constexpr uint32_t kElement = 4 / kUnits;                                           ///< bytes
  static constexpr uint32_t kSide = Found::kBeside;                                          ///< units that registers hold
  static constexpr bool kInBlocks = sizeof(typename Rows::Result) == kElement;               ///< whether results may be
  static constexpr size_t kRow = 2 * hvx::kBytes;                                            ///< of a block
  static constexpr bool kLines = Rows::kResults == hvx::Results::line && Rows::kOutputs == 1;

  /// Units of a turn: up to two vectors of results; those of 16-bit sums of images that are one block.
  template <bool kShort>
  static constexpr uint32_t kMany = kShort || kSide > kUnits ? 2 * kUnits : kUnits;
  template <bool kShort>
  static constexpr bool kEmpties = !kShort && Found::kBlock != hvx::kNoBlock;

 public:
  BlockCall(const Rows& rows, const Place& blocks, const BlockMemory<Rows::kOutputs>& memory)
      : rows_(rows), blocks_(blocks), memory_(memory), finish_(rows, blocks.count()), left_(blocks.last <= blocks.pixels), live_(left_ ? blocks.last : blocks.last - blocks.pixels) {}

  void run(Slice slice) const {
    if constexpr (Place::kWide) {
      units(slice);
    } else {
      vectors(slice);
    }
  }

 private:
  /// Results of the width, or of the height too: one pixel of up to kLanes channels at a time.
  void units(Slice slice) const {
    const size_t line = (blocks_.depths + kUnits - 1) / kUnits, all = blocks_.images * blocks_.high() * line, end = slice.end(all);
    size_t i = slice.begin(all), first = i == 0 ? 0 : i / line, image = 0, row = first, group = i - first * line;
    for (; row >= blocks_.high(); row -= blocks_.high()) ++image;
    while (i < end) {
      const size_t now = line - group < end - i ? line - group : end - i;
      if constexpr (Finish::kShort) {
        finish_.is_short() ? some<true>(image, row, group, now) : some<false>(image, row, group, now);
      } else {
        some<false>(image, row, group, now);
      }
      i += now, group = 0;
      if (++row == blocks_.high()) row = 0, ++image;
    }
  }

  /// Results of a line: groups of units, of which the last one may have fewer.
  template <bool kShort>
  void some(size_t image, size_t row, size_t group, size_t count) const {
    const size_t whole = blocks_.depths / kUnits, depth = group * kUnits;
    if (group < whole) {
      const size_t now = whole - group < count ? whole - group : count;
      const bool one = kShort && Place::kHigh && blocks_.down * blocks_.across == 1 && !left_ && live_ != blocks_.pixels;
      size_t rest = now;
      if constexpr (kMany<kShort> != kUnits) {
        if (kShort == one && now > 1) groups<kMany<kShort>, kShort, kShort>(image, row, depth, now / 2), rest = now % 2;
      }
      const size_t at = depth + (now - rest) * kUnits;
      one ? groups<kUnits, kShort, kShort>(image, row, at, rest) : groups<kUnits, kShort>(image, row, at, rest);
    }
    if (group + count <= whole) return;
    const size_t left = blocks_.depths - whole * kUnits, last = whole * kUnits;
    if (left > 2 && group < whole) return groups<kUnits, kShort>(image, row, blocks_.depths - kUnits, 1);  // once more what this slice made
    if (kUnits > 2 && left > 1) groups<kUnits / 2, kShort>(image, row, last, 1);
    if (left != 2) groups<1, kShort>(image, row, blocks_.depths - 1, 1);
  }

  /// Results of a line and some depths, kCount units at a time. `kOne`: images are one block with a right edge.
  template <uint32_t kCount, bool kShort, bool kOne = false>
  OPKG_APART void groups(size_t image, size_t row, size_t depth, size_t count) const {
    constexpr uint32_t kTogether = kCount < kSide ? kCount : kSide;
    constexpr uint32_t kVectors = kCount > kUnits ? kCount / kUnits : 1, kEach = kCount / kVectors;  // of results, and their units
    // Kept apart from what is written.
    const Place blocks = blocks_;
    const BlockMemory<Rows::kOutputs> memory = memory_;
    const bool left = left_;
    const size_t live = live_;
    const size_t line = (image * blocks.high() + row) * blocks.channels, inside = row % 8 * kRow;
    const size_t place = (image * ((blocks.high() + 7) / 8) + row / 8) * blocks.depths;
    const hvx::ColumnLine made = finish_.line();
    for (; count != 0; --count, depth += kCount) {
      const size_t channels = blocks.channels - depth * rowwise::kBlockDepth, most = kCount * rowwise::kBlockDepth;
      const size_t n = channels < most ? channels : most;
      Found units[kCount];
      if constexpr (kTogether == kCount) {
        hvx::bind(rows_, units);
        down_blocks<kEmpties<kShort>, kOne>(units, blocks, memory.in, image, row, depth, live, left, Found::kBlock);
      } else {
        for (uint32_t i = 0; i < kCount; i += kTogether) {
          Found some[kTogether];
          hvx::bind(rows_, some);
          down_blocks<kEmpties<kShort>, kOne>(some, blocks, memory.in, image, row, depth + i, live, left, Found::kBlock);
          for (uint32_t k = 0; k < kTogether; ++k) units[i + k] = some[k];
        }
      }
      rowwise::counted(true, n * blocks.count());
      Found found[kVectors];
      for (uint32_t i = 0; i < kVectors; ++i) {
        Found some[kEach];
        for (uint32_t k = 0; k < kEach; ++k) some[k] = units[i * kEach + k];
        found[i] = gathered<kShort>(some);
      }
      [[maybe_unused]] HVX_Vector results[kVectors];
      if constexpr (kShort) {
        for (uint32_t i = 0; i < kVectors; ++i) results[i] = made.template of_shorts<typename Rows::Result>(found[i].shorts());
      }
      if (memory.out[0] == nullptr) {
        const size_t first = line + depth * rowwise::kBlockDepth;
        if constexpr (kShort) {
          hvx::store_columns(reinterpret_cast<typename Rows::Result*>(memory.data[0]) + first, results, n, 0);
        } else {
          finish_.beside(found, made, memory.data, first, n);
        }
      } else if constexpr (kInBlocks) {
        bool in_vectors = kShort;
        if constexpr (kLines && !kShort) {
          if (made.is_line) finish_.in_lines(found, made, results), in_vectors = true;
        }
        if (in_vectors) {
          for (uint32_t i = 0; i < kVectors; ++i) Pixel<kEach, kElement>(memory.out[0] + place + depth + i * kEach, inside).put(results[i]);
        } else if constexpr (!kShort) {
          put_numbers<kEach>(found, made, memory, place + depth, inside, n);
        }
      }
    }
  }

  /// Results that are made in memory, of a pixel.
  template <uint32_t kEach, uint32_t kVectors>
  OPKG_INLINE void put_numbers(Found (&found)[kVectors], const hvx::ColumnLine& made, const BlockMemory<Rows::kOutputs>& memory, size_t place, size_t inside, size_t n) const {
    alignas(128) uint8_t kept[Rows::kOutputs][kVectors * hvx::kBytes];
    uint8_t* to[Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) to[i] = kept[i];
    finish_.beside(found, made, to, 0, n);
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) {
      for (uint32_t k = 0; k < kVectors; ++k) Pixel<kEach, kElement>(memory.out[i] + place + k * kEach, inside).put(hvx::load(kept[i] + k * hvx::kBytes));
    }
  }

  /// Results of the height: both vectors of a block at a time, whose lanes are results.
  void vectors(Slice slice) const {
    const size_t line = blocks_.across * blocks_.depths, all = blocks_.images * line, begin = slice.begin(all), end = slice.end(all);
    const size_t last = line - (left_ ? blocks_.depths : 0);  // blocks of a line with both vectors
    size_t image = begin == 0 ? 0 : begin / line, place = begin - image * line;
    for (size_t i = begin; i < end; ++i) {
      place < last ? block<2>(image, place, i) : block<1>(image, place, i);
      if (++place == line) place = 0, ++image;
    }
  }

  template <uint32_t kVectors>
  OPKG_APART void block(size_t image, size_t place, size_t result) const {
    if constexpr (kInBlocks) {
      Found found[kVectors];
      hvx::bind(rows_, found);
      const size_t line = blocks_.across * blocks_.depths;
      void* const* table = memory_.in + image * blocks_.down * line + place;
      size_t held = 0;
      for (size_t left = blocks_.height; left != 0; table += line) {
        const size_t rows = left < 8 ? left : 8;
        if ((held += rows) > Found::kBlock) {
          hvx::each_side<kVectors>([&](auto side) OPKG_INLINE_LAMBDA { found[side].empty(); });
          held = rows;
        }
        take_rows<rowwise::kTellsAlignment>(found, static_cast<const uint8_t*>(*table), rows, kRow);
        left -= rows;
      }
      rowwise::counted(true, kLanes * kVectors * blocks_.height);
      uint8_t* out[Rows::kOutputs];
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = static_cast<uint8_t*>(memory_.out[i][result]);
      hvx::each_side<kVectors>([&](auto side) OPKG_INLINE_LAMBDA { finish_.lanes(found[side], out, side * kLanes, 0); });
    }
  }

  const Rows& rows_;
  const Place& blocks_;
  const BlockMemory<Rows::kOutputs>& memory_;
  Finish finish_;
  bool left_;    ///< whether the last block of a line has pixels in the first vectors of its rows only
  size_t live_;  ///< pixels of the vector at the edge
};

template <typename Rows, uint32_t kAxes, bool kExact>
class FloatBlockCall;  // opkg/columns_float_blocks.h

#endif  // OPKG_HVX

}  // namespace columns

/// A KeptReduction of columns of tensors that lie in blocks, or flat.
template <typename Rows, uint32_t kAxes>
class KeptColumns : public KeptReduction<Rows, ByColumns> {
  using Base = KeptReduction<Rows, ByColumns>;

 public:
  template <typename Args>
  OPKG_SMALL KeptColumns(const Args& op, uint32_t, uint32_t dropped, const std::initializer_list<Operand>& inputs,
                         const std::initializer_list<Operand>& outputs)
      : Base(op, kAxes, dropped, inputs, outputs), blocks_(this->operands_.each[0]) {
    if (this->operands_.each[0].crouton()) KeptCall::run = &KeptColumns::run_blocks;
  }

 private:
  static Status run_blocks(const KeptCall& call, const Memory& memory, Slice slice) {
    const auto& self = static_cast<const KeptColumns&>(call);
#if OPKG_HVX
    if constexpr (columns::HasColumns<Rows>::value) {
      if (self.vectors_ && self.blocks_.count() <= Rows::Found::kHeld) {
        const columns::BlockMemory<Rows::kOutputs> places(self.operands_.each, memory);
        if constexpr (columns::IsFloat<Rows>::value) {
          const auto operands = self.operands_.now(memory);
          if (self.blocks_.count() < columns::kExactInBlocks) {
            return columns::FloatBlockCall<Rows, kAxes, true>(self.rows_, self.blocks_, places, operands.each).run(slice);
          }
          return columns::FloatBlockCall<Rows, kAxes, false>(self.rows_, self.blocks_, places, operands.each).run(slice);
        } else {
          columns::BlockCall<Rows, kAxes>(self.rows_, self.blocks_, places).run(slice);
          return Status::ok;
        }
      }
    }
#endif
    return columns::by_elements(self.rows_, self.blocks_, self.operands_.now(memory).each, slice);
  }

  columns::Blocks<kAxes> blocks_;
};

}  // namespace opkg

#endif  // OPKG_COLUMNS_BLOCKS_H_
