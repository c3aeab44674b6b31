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

/// Where the columns of a tensor in blocks are. `kAxes`: the height (bit 2), the width (bit 1) or both.
template <uint32_t kAxes>
struct Blocks {
  static constexpr bool kHigh = (kAxes & 4) != 0, kWide = (kAxes & 2) != 0;  ///< whether they are reduced

  size_t images = 1, height = 1, width = 1, channels = 1;
  size_t down = 1, across = 1, depths = 1;  ///< blocks of an image
  size_t pixels = 4;                        ///< of a vector
  size_t last = 1;                          ///< pixels of an image in a row of its last block

  explicit Blocks(const Operand& in) {
    if (!in.crouton()) return;
    images = in.dims[0], height = in.dims[1], width = in.dims[2], channels = in.dims[3];
    pixels = 4 / in.bytes;
    down = in.padded[1] / 8, across = in.padded[2] / (2 * pixels), depths = in.padded[3] / rowwise::kBlockDepth;
    last = width - (across - 1) * 2 * pixels;
  }

  size_t count() const { return (kHigh ? height : 1) * (kWide ? width : 1); }  ///< elements of a column
  size_t high() const { return kHigh ? 1 : height; }                           ///< of results
  size_t wide() const { return kWide ? 1 : width; }
  size_t results() const { return images * high() * wide() * channels; }
};

/// One result after another: the elements of each are brought together.
template <typename Rows, uint32_t kAxes>
OPKG_RARE Status by_elements(const Rows& rows, const Blocks<kAxes>& blocks, const Operand* operands, const Part& part) {
  constexpr uint32_t kOperands = Rows::kInputs + Rows::kOutputs;
  alignas(8) uint8_t piece[kMostColumn];
  const size_t bytes = operands[0].bytes, high = blocks.high(), wide = blocks.wide();
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
    const uint32_t first = at[1], left = at[2];
    for (uint32_t h = 0; h < blocks.height / high; ++h) {
      for (uint32_t w = 0; w < blocks.width / wide; ++w, to += bytes) {
        at[1] = first + h, at[2] = left + w;
        std::memcpy(to, rowwise::element(operands[0], at), bytes);
      }
    }
    rowwise::counted_row(false, run);
    rows.row(run);
  }
  return Status::ok;
}

#if OPKG_HVX

using hvx::gathered;
using hvx::take_block;

/// Where the tensors of a call are. A flat output has data, one in blocks a table.
template <uint32_t kOutputs>
struct BlockMemory {
  void* const* in;
  uint8_t* data[kOutputs];
  void* const* out[kOutputs];

  BlockMemory(const Operand* kept, const Memory& memory) : in(memory.blocks(kept[0].blocks)) {
    for (uint32_t i = 0; i < kOutputs; ++i) {
      const Operand& o = kept[1 + i];
      out[i] = o.crouton() ? memory.blocks(o.blocks) : nullptr;
      data[i] = o.crouton() ? nullptr : static_cast<uint8_t*>(memory.data(o.data));
    }
  }
};

/// One call in vectors: units of 32 columns are gathered to vectors of results, or vectors are results.
template <typename Rows, uint32_t kAxes>
class BlockCall {
  using Found = typename Rows::Found;
  using Edge = hvx::Edge;
  using Finish = hvx::Finish<Rows>;
  using Place = Blocks<kAxes>;
  static constexpr uint32_t kLanes = Found::kLanes, kUnits = kLanes / rowwise::kBlockDepth;  ///< of a vector of results
  static constexpr uint32_t kElement = 4 / kUnits;                                           ///< bytes
  static constexpr uint32_t kSide = Found::kBeside;                                          ///< units that registers hold
  static constexpr bool kInBlocks = sizeof(typename Rows::Result) == kElement;               ///< whether results may be
  static constexpr size_t kRow = 2 * hvx::kBytes;                                            ///< of a block

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
      kShort&& Place::kHigh&& blocks_.down* blocks_.across == 1 ? groups<kUnits, kShort, kShort>(image, row, depth, now)
                                                                : groups<kUnits, kShort>(image, row, depth, now);
    }
    if (group + count <= whole) return;
    const size_t left = blocks_.depths - whole * kUnits, last = whole * kUnits;
    if (left > 2 && whole != 0) return groups<kUnits, kShort>(image, row, blocks_.depths - kUnits, 1);
    if (kUnits > 2 && left > 1) groups<kUnits / 2, kShort>(image, row, last, 1);
    if (left != 2) groups<1, kShort>(image, row, blocks_.depths - 1, 1);
  }

  /// Results of a line and some depths, kCount units at a time. `kOne`: images are one block.
  template <uint32_t kCount, bool kShort, bool kOne = false>
  OPKG_APART void groups(size_t image, size_t row, size_t depth, size_t count) const {
    constexpr uint32_t kTogether = kShort || kCount < kSide ? kCount : kSide;
    const HVX_VectorPred live = hvx::first_pixels<kElement>(live_);
    const Place blocks = blocks_;  // kept apart from what is written
    const BlockMemory<Rows::kOutputs> memory = memory_;
    const bool left = left_;
    const size_t line = (image * blocks.high() + row) * blocks.channels, inside = row % 8 * kRow;
    const size_t place = (image * ((blocks.high() + 7) / 8) + row / 8) * blocks.depths;
    hvx::ColumnLine made;
    if constexpr (kShort) made = rows_.line;
    for (; count != 0; --count, depth += kCount) {
      const size_t channels = blocks.channels - depth * rowwise::kBlockDepth, most = kCount * rowwise::kBlockDepth;
      const size_t n = channels < most ? channels : most;
      Found units[kCount];
      if constexpr (kTogether == kCount) {
        down<kShort, kOne>(units, blocks, memory.in, image, row, depth, live, left);
      } else {
        for (uint32_t i = 0; i < kCount; i += kTogether) {
          Found some[kTogether];
          down<kShort, kOne>(some, blocks, memory.in, image, row, depth + i, live, left);
          for (uint32_t k = 0; k < kTogether; ++k) units[i + k] = some[k];
        }
      }
      rowwise::counted(true, n * blocks.count());
      Found found = gathered<kShort>(units);
      if (memory.out[0] == nullptr) {
        const size_t first = line + depth * rowwise::kBlockDepth;
        if constexpr (kShort) {
          finish_.bytes(found, memory.data, first, n);
        } else {
          finish_.lanes(found, memory.data, first, 0, n);
        }
      } else if constexpr (kInBlocks && kShort) {
        const Pixel<kCount> to(memory.out[0] + place + depth, inside);
        to.put(made.template of_shorts<typename Rows::Result>(found.shorts()));
      } else if constexpr (kInBlocks) {
        alignas(128) uint8_t results[Rows::kOutputs][hvx::kBytes];
        uint8_t* to[Rows::kOutputs];
        for (uint32_t i = 0; i < Rows::kOutputs; ++i) to[i] = results[i];
        finish_.lanes(found, to, 0, 0, n);
        for (uint32_t i = 0; i < Rows::kOutputs; ++i) Pixel<kCount>(memory.out[i] + place + depth, inside).put(hvx::load(results[i]));
      }
    }
  }

  /// The blocks of units' results, which become a pixel of them.
  template <uint32_t kCount>
  struct Pixel {
    uint8_t* at[kCount];

    OPKG_INLINE Pixel(void* const* table, size_t inside) {
      hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA { at[side] = static_cast<uint8_t*>(table[side]) + inside; });
    }

    /// What stands beside the pixel is padding.
    OPKG_INLINE void put(HVX_Vector results) const {
      hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA {
        const HVX_Vector unit = side == 0 ? results : Q6_V_vror_VR(results, side * rowwise::kBlockDepth * kElement);
        hvx::store_block(at[side], kElement == 2 ? Q6_V_lo_W(Q6_Wuw_vunpack_Vuh(unit)) : unit);
      });
    }
  };

  /// All elements of some units side by side.
  template <bool kShort, bool kOne, uint32_t kCount>
  OPKG_INLINE static void down(Found (&units)[kCount], const Place& blocks, void* const* table, size_t image, size_t first, size_t depth, HVX_VectorPred live, bool left) {
    table += (image * blocks.down + first / 8) * blocks.across * blocks.depths + depth;
    [[maybe_unused]] size_t held = 0;
    const auto take = [&](auto edge, size_t inside, auto rows) OPKG_INLINE_LAMBDA {
      const uint8_t* at[kCount];
      hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA { at[side] = static_cast<const uint8_t*>(table[side]) + inside; });
      if constexpr (!kShort && Found::kBlock != hvx::kNoBlock) {
        if ((held += 16) > Found::kBlock) {
          hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA { units[side].empty(); });
          held = 16;
        }
      }
      take_block<edge>(units, at, rows, live);
      table += blocks.depths;
    };
    const auto last = [&](size_t inside, size_t rows) OPKG_INLINE_LAMBDA {
      left ? take(std::integral_constant<Edge, Edge::left>(), inside, rows) : take(std::integral_constant<Edge, Edge::right>(), inside, rows);
    };
    if (kOne) return last(0, blocks.height);
    const size_t end = Place::kHigh ? blocks.height : first + 1;
    for (size_t row = first, inside = first % 8; row < end; row += 8 - inside, inside = 0) {
      const size_t rows = 8 - inside < end - row ? 8 - inside : end - row;
      size_t whole = blocks.across - 1;
      if (kCount == 1 && rows == 8) {
        for (; whole != 0; --whole) take(std::integral_constant<Edge, Edge::none>(), 0, std::integral_constant<size_t, 8>());
      }
      for (; whole != 0; --whole) take(std::integral_constant<Edge, Edge::none>(), inside * kRow, rows);
      last(inside * kRow, rows);
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
        columns::BlockCall<Rows, kAxes>(self.rows_, self.blocks_, places).run(slice);
        return Status::ok;
      }
    }
#endif
    return columns::by_elements(self.rows_, self.blocks_, self.operands_.now(memory).each, slice);
  }

  columns::Blocks<kAxes> blocks_;
};

}  // namespace opkg

#endif  // OPKG_COLUMNS_BLOCKS_H_
