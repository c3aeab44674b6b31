// Calls of kernels that reduce the height, the width or both of tensors in blocks, as a prepared graph keeps them: elements are
// read where they lie, 32 columns of a block at a time.
#ifndef OPKG_COLUMNS_BLOCKS_H_
#define OPKG_COLUMNS_BLOCKS_H_

#include "opkg/columns_kept.h"
#include "opkg/hvx_columns_pixels.h"
#include "opkg/rows_crouton.h"

namespace opkg {
namespace columns {

constexpr size_t kMostColumn = 32768;  ///< bytes of a column that portable code takes

/// Where the columns of a tensor in blocks are.
struct Blocks {
  bool high = false;  ///< whether the height is reduced
  bool wide = false;
  size_t images = 1, height = 1, width = 1, channels = 1;
  size_t down = 1, across = 1, depths = 1;  ///< blocks of an image
  size_t pixels = 4;                        ///< of a vector
  size_t last = 1;                          ///< pixels of an image in a row of its last block

  Blocks(const Operand& in, uint32_t axes) : high((axes & 4) != 0), wide((axes & 2) != 0) {
    if (!in.crouton()) return;
    images = in.dims[0], height = in.dims[1], width = in.dims[2], channels = in.dims[3];
    pixels = 4 / in.bytes;
    down = in.padded[1] / 8, across = in.padded[2] / (2 * pixels), depths = in.padded[3] / rowwise::kBlockDepth;
    last = width - (across - 1) * 2 * pixels;
  }

  size_t count() const { return (high ? height : 1) * (wide ? width : 1); }  ///< elements of a column
  size_t lines() const { return images * (high ? 1 : height); }              ///< of results, where the width is reduced
  size_t results() const { return lines() * (wide ? 1 : width) * channels; }

  /// A block of the tensor, the first one of its depth.
  void* const* at(void* const* blocks, size_t image, size_t row, size_t column) const {
    return blocks + ((image * down + row) * across + column) * depths;
  }
};

/// One result after another: the elements of each are brought together.
template <typename Rows>
Status by_elements(const Rows& rows, const Blocks& blocks, const Operand* operands, const Part& part) {
  constexpr uint32_t kOperands = Rows::kInputs + Rows::kOutputs;
  alignas(8) uint8_t piece[kMostColumn];
  const size_t bytes = operands[0].bytes, high = blocks.high ? 1 : blocks.height, wide = blocks.wide ? 1 : blocks.width;
  if (blocks.count() * bytes > kMostColumn) return Status::unsupported;
  Run<kOperands> run;
  run.rank = 1, run.extents[0] = blocks.count(), run.steps[0][0] = bytes, run.start[0] = piece;
  const size_t end = part.end(blocks.results());
  for (size_t i = part.begin(blocks.results()); i < end; ++i) {
    size_t place = i / blocks.channels;
    uint32_t at[4] = {0, 0, 0, static_cast<uint32_t>(i % blocks.channels)};
    at[2] = static_cast<uint32_t>(place % wide), place /= wide;
    at[1] = static_cast<uint32_t>(place % high), at[0] = static_cast<uint32_t>(place / high);
    for (uint32_t k = 1; k < kOperands; ++k) {
      const Operand& o = operands[k];
      run.start[k] = o.crouton() ? rowwise::element(o, at) : o.data + i * o.bytes;
    }
    uint8_t* to = piece;
    const size_t first = at[1], left = at[2];
    for (size_t h = 0; h < blocks.height / high; ++h) {
      for (size_t w = 0; w < blocks.width / wide; ++w, to += bytes) {
        at[1] = static_cast<uint32_t>(first + h), at[2] = static_cast<uint32_t>(left + w);
        std::memcpy(to, rowwise::element(operands[0], at), bytes);
      }
    }
    rowwise::counted_row(false, run);
    rows.row(run);
  }
  return Status::ok;
}

#if OPKG_HVX

/// One call in vectors: units of 32 columns are gathered to vectors of results, or vectors are results.
template <typename Rows>
class BlockCall {
  using Found = typename Rows::Found;
  using Edge = hvx::Edge;
  using Finish = hvx::Finish<Rows>;
  static constexpr uint32_t kLanes = Found::kLanes, kUnits = kLanes / rowwise::kBlockDepth;  ///< of a vector of results
  static constexpr uint32_t kElement = 4 / kUnits;                                           ///< bytes
  static constexpr uint32_t kSide = Found::kParts == 1 ? 2 : 1;                              ///< units with 32-bit sums that registers hold

 public:
  BlockCall(const Rows& rows, const Blocks& blocks, const Operand* operands)
      : blocks_(blocks), operands_(operands), finish_(rows, blocks.count()) {
    if constexpr (Finish::kShort) short_ = finish_.is_short();
    const bool left = blocks.last <= blocks.pixels;
    edge_ = left ? Edge::left : blocks.last < 2 * blocks.pixels ? Edge::right
                                                                : Edge::none;
    live_ = left ? blocks.last : blocks.last - blocks.pixels;
  }

  void run(Slice slice) const { blocks_.wide ? units(slice) : vectors(slice); }

 private:
  static constexpr size_t kRow = 2 * hvx::kBytes;  ///< of a block

  /// Results of the width, or of the height too: one pixel of up to kLanes channels at a time.
  void units(Slice slice) const {
    const size_t groups = (blocks_.depths + kUnits - 1) / kUnits, all = blocks_.lines() * groups, end = slice.end(all);
    for (size_t i = slice.begin(all); i < end; ++i) {
      const size_t line = i / groups, depth = i % groups * kUnits, deep = blocks_.depths - depth;
      if constexpr (Finish::kShort) {
        if (short_) {
          deep > 2 ? group<4, true>(line, depth) : deep > 1 ? group<2, true>(line, depth)
                                                            : group<1, true>(line, depth);
          continue;
        }
      }
      deep > 1 ? group<kUnits, false>(line, depth) : group<1, false>(line, depth);
    }
  }

  /// Results of a line and some depths.
  template <uint32_t kCount, bool kShort>
  OPKG_APART void group(size_t line, size_t depth) const {
    constexpr uint32_t kTogether = kShort || kCount < kSide ? kCount : kSide;
    const size_t deep = blocks_.depths - depth;
    Found units[kCount];
    if constexpr (kTogether == kCount) {
      down<kShort>(units, line, depth);
    } else {
      for (uint32_t i = 0; i < kCount && i < deep; i += kTogether) {
        Found some[kTogether];
        down<kShort>(some, line, depth + i);
        for (uint32_t k = 0; k < kTogether; ++k) units[i + k] = some[k];
      }
    }
    Found found = hvx::gathered<kShort>(units);
    const size_t channels = blocks_.channels - depth * rowwise::kBlockDepth, n = channels < kLanes ? channels : kLanes;
    rowwise::counted(true, n * blocks_.count());
    if (!operands_[1].crouton()) {
      uint8_t* out[Rows::kOutputs];
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = operands_[1 + i].data;
      return finish_.lanes(found, out, line * blocks_.channels + depth * rowwise::kBlockDepth, 0, n);
    }
    if constexpr (sizeof(typename Rows::Result) == kElement) to_blocks(found, line, depth, n);
  }

  /// Results of units become a pixel of their blocks; what stands beside it is padding.
  OPKG_INLINE void to_blocks(Found& found, size_t line, size_t depth, size_t n) const {
    alignas(128) uint8_t results[Rows::kOutputs][2 * hvx::kBytes];
    uint8_t* out[Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = results[i];
    finish_.lanes(found, out, 0, 0, n);
    const size_t high = blocks_.high ? 1 : blocks_.height, image = line / high, row = line - image * high;
    const size_t place = (image * ((high + 7) / 8) + row / 8) * blocks_.depths + depth;
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) {
      void* const* const to = operands_[1 + i].blocks + place;
      for (size_t k = 0; k * rowwise::kBlockDepth < n; ++k) {
        const HVX_Vector unit = hvx::load_unaligned(results[i] + k * rowwise::kBlockDepth * kElement);
        hvx::store_block(static_cast<uint8_t*>(to[k]) + row % 8 * kRow, kElement == 2 ? Q6_V_lo_W(Q6_Wuw_vunpack_Vuh(unit)) : unit);
      }
    }
  }

  /// All elements of some units side by side; those that are not there are the last one.
  template <bool kShort, uint32_t kCount>
  OPKG_INLINE void down(Found (&units)[kCount], size_t line, size_t depth) const {
    const size_t high = blocks_.high ? 1 : blocks_.height, image = line / high, first = line - image * high;
    const size_t end = first + blocks_.height / high, whole = blocks_.across - (edge_ == Edge::none ? 0 : 1), most = blocks_.depths - 1;
    const HVX_VectorPred live = hvx::first_pixels<kElement>(live_);
    size_t held = 0;
    for (size_t row = first; row < end;) {
      const size_t inside = row % 8, rows = 8 - inside < end - row ? 8 - inside : end - row;
      void* const* table = blocks_.at(operands_[0].blocks, image, row / 8, 0);
      const auto take = [&](auto edge) OPKG_INLINE_LAMBDA {
        const uint8_t* at[kCount];
        hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA {
          const size_t own = depth + side < most ? depth + side : most;
          at[side] = static_cast<const uint8_t*>(table[own]) + inside * kRow;
        });
        if constexpr (!kShort && Found::kBlock != hvx::kNoBlock) {
          if ((held += 16) > Found::kBlock) {
            hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA { units[side].empty(); });
            held = 16;
          }
        }
        hvx::take_block<edge>(units, at, rows, live);
        table += blocks_.depths;
      };
      for (size_t column = 0; column < whole; ++column) take(std::integral_constant<Edge, Edge::none>());
      if (edge_ == Edge::right) take(std::integral_constant<Edge, Edge::right>());
      if (edge_ == Edge::left) take(std::integral_constant<Edge, Edge::left>());
      row += rows;
    }
  }

  /// Results of the height: both vectors of a block at a time, whose lanes are results.
  void vectors(Slice slice) const {
    const size_t line = blocks_.across * blocks_.depths, all = blocks_.images * line, end = slice.end(all);
    for (size_t i = slice.begin(all); i < end; ++i) {
      const size_t column = i % line / blocks_.depths, depth = i % blocks_.depths;
      if (column + 1 == blocks_.across && edge_ == Edge::left) {
        block<1>(i / line, column, depth, i);
      } else {
        block<2>(i / line, column, depth, i);
      }
    }
  }

  template <uint32_t kVectors>
  OPKG_APART void block(size_t image, size_t column, size_t depth, size_t place) const {
    if constexpr (sizeof(typename Rows::Result) == kElement) {
      Found found[kVectors];
      size_t held = 0;
      for (size_t row = 0; row < blocks_.height; row += 8) {
        const size_t left = blocks_.height - row, rows = left < 8 ? left : 8;
        if ((held += rows) > Found::kBlock) {
          hvx::each_side<kVectors>([&](auto side) OPKG_INLINE_LAMBDA { found[side].empty(); });
          held = rows;
        }
        const void* const from = blocks_.at(operands_[0].blocks, image, row / 8, column)[depth];
        hvx::take_rows<rowwise::kTellsAlignment>(found, static_cast<const uint8_t*>(from), rows, kRow);
      }
      rowwise::counted(true, kLanes * kVectors * blocks_.height);
      alignas(128) uint8_t results[Rows::kOutputs][kVectors * hvx::kBytes];
      uint8_t* out[Rows::kOutputs];
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = results[i];
      hvx::each_side<kVectors>([&](auto side) OPKG_INLINE_LAMBDA { finish_.lanes(found[side], out, side * kLanes, 0); });
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) {
        auto* const to = static_cast<uint8_t*>(operands_[1 + i].blocks[place]);
        hvx::each_side<kVectors>([&](auto side) OPKG_INLINE_LAMBDA {
          hvx::store_block(to + side * hvx::kBytes, hvx::load(results[i] + side * hvx::kBytes));
        });
      }
    }
  }

  const Blocks& blocks_;
  const Operand* operands_;
  Finish finish_;
  bool short_ = false;  ///< whether results come of 16 bits
  Edge edge_;
  size_t live_;  ///< pixels of the vector at the edge
};

#endif  // OPKG_HVX

}  // namespace columns

/// A KeptReduction of columns of tensors that lie in blocks, or flat.
template <typename Rows>
class KeptColumns : public KeptReduction<Rows, ByColumns> {
  using Base = KeptReduction<Rows, ByColumns>;

 public:
  template <typename Args>
  OPKG_SMALL KeptColumns(const Args& op, uint32_t axes, uint32_t dropped, const std::initializer_list<Operand>& inputs,
                         const std::initializer_list<Operand>& outputs)
      : Base(op, axes, dropped, inputs, outputs), blocks_(this->operands_.each[0], axes) {
    if (this->operands_.each[0].crouton()) KeptCall::run = &KeptColumns::run_blocks;
  }

 private:
  static Status run_blocks(const KeptCall& call, const Memory& memory, Slice slice) {
    const auto& self = static_cast<const KeptColumns&>(call);
    const auto now = self.operands_.now(memory);
#if OPKG_HVX
    if constexpr (columns::HasColumns<Rows>::value) {
      if (self.vectors_ && self.blocks_.count() <= Rows::Found::kHeld) {
        columns::BlockCall<Rows>(self.rows_, self.blocks_, now.each).run(slice);
        return Status::ok;
      }
    }
#endif
    return columns::by_elements(self.rows_, self.blocks_, now.each, slice);
  }

  columns::Blocks blocks_;
};

}  // namespace opkg

#endif  // OPKG_COLUMNS_BLOCKS_H_
