// Where the columns of tensors in blocks are, and the blocks that hold them: of reductions over the height, the width or both.
#ifndef OPKG_COLUMNS_PLACES_H_
#define OPKG_COLUMNS_PLACES_H_

#include "opkg/columns_kept.h"
#include "opkg/hvx_columns_pixels.h"
#include "opkg/rows_crouton.h"

namespace opkg {
namespace columns {

constexpr size_t kMostColumn = 32768;   ///< bytes of a column that portable code takes
constexpr size_t kExactInBlocks = 512;  ///< as kExactCount: a turn takes 16 elements of a lane

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

/// The blocks of kCount units' results of kElement bytes, which become a pixel of them.
template <uint32_t kCount, uint32_t kElement>
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

/// All elements of some units side by side. `live`: pixels of the vector at the edge; `left`: it is the first one of its block's row.
/// `block`: elements of a lane between two calls of empty(); kOne: images are one block with a right edge.
template <bool kEmpties, bool kOne, uint32_t kAxes, typename Found, uint32_t kCount>
OPKG_INLINE void down_blocks(Found (&units)[kCount], const Blocks<kAxes>& blocks, void* const* table, size_t image, size_t first, size_t depth, size_t live, bool left,
                             [[maybe_unused]] size_t block) {
  using Edge = hvx::Edge;
  constexpr size_t kRow = 2 * hvx::kBytes;
  const HVX_VectorPred pixels = hvx::first_pixels<hvx::kBytes / Found::kLanes>(live);
  const size_t end = Blocks<kAxes>::kHigh ? blocks.height : first + 1, line = blocks.across * blocks.depths, last = line - blocks.depths;
  table += (image * blocks.down + first / 8) * line + depth;
  [[maybe_unused]] size_t room = block / 16;  // blocks until lanes are full
  const auto take = [&](auto edge, void* const* places, size_t inside, auto rows) OPKG_INLINE_LAMBDA {
    const uint8_t* at[kCount];
    hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA { at[side] = static_cast<const uint8_t*>(places[side]) + inside; });
    take_block<edge>(units, at, rows, pixels);
  };
  const auto some = [&](size_t most) OPKG_INLINE_LAMBDA {  // blocks that are taken without a look at what lanes hold
    if constexpr (!kEmpties) return most;
    if (room == 0) {
      hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA { units[side].empty(); });
      room = block / 16;
    }
    const size_t now = most < room ? most : room;
    room -= now;
    return now;
  };
  const auto each_line = [&](const auto& of) OPKG_INLINE_LAMBDA {
    if (kOne) return of(table, 0, blocks.height);
    void* const* places = table;
    for (size_t row = first, inside = first % 8; row < end; row += 8 - inside, inside = 0, places += line) {
      of(places, inside * kRow, 8 - inside < end - row ? 8 - inside : end - row);
    }
  };
  if (!kOne && left) {
    each_line([&](void* const* places, size_t inside, size_t rows) OPKG_INLINE_LAMBDA {
      some(1);
      take(std::integral_constant<Edge, Edge::left>(), places + last, inside, rows);
    });
    if (live != blocks.pixels) hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA { units[side].keep(pixels); });
    if (last == 0) return;
  }
  const bool masked = kOne || (!left && live != blocks.pixels);
  const size_t whole = kOne ? 0 : blocks.across - (left || masked ? 1 : 0);
  each_line([&](void* const* places, size_t inside, size_t rows) OPKG_INLINE_LAMBDA {
    for (size_t rest = whole; rest != 0;) {
      const size_t now = some(rest);
      rest -= now;
      OPKG_STAGED
      for (size_t i = 0; i < now; ++i, places += blocks.depths) {
        if (kCount == 1 && rows == 8) {
          take(std::integral_constant<Edge, Edge::none>(), places, 0, std::integral_constant<size_t, 8>());
        } else {
          take(std::integral_constant<Edge, Edge::none>(), places, inside, rows);
        }
      }
    }
    if (!masked) return;
    some(1);
    take(std::integral_constant<Edge, Edge::right>(), places, inside, rows);
  });
}

#endif  // OPKG_HVX

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_COLUMNS_PLACES_H_
