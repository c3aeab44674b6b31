// Pixels of tensors in blocks brought into one piece of memory as they lie, with all of their channels: the two vectors of a line of
// blocks, each with those of all depths behind it. Pixels of 16 bits, which alternate in blocks, come apart.
#ifndef OPKG_STAGED_UNITS_H_
#define OPKG_STAGED_UNITS_H_

#include "opkg/staged_pixels.h"

namespace opkg {
namespace staged {

/// Whether rows may be pixels as they lie in blocks: all operands have the same ones, of several depths and `bytes` an element, which
/// are mostly full.
OPKG_RARE inline bool alike(const Operand* operands, uint32_t count, size_t bytes) {
  const Operand& first = operands[0];
  const size_t wide = first.dims[2], block = 2 * pixels_of(first), whole = (wide + block - 1) & (0 - block);
  bool all = first.padded[3] > 32 && whole * 3 <= wide * 4;
  for (uint32_t i = 0; i < count; ++i) {
    all &= operands[i].crouton() && operands[i].bytes == bytes;
    for (uint32_t k = 0; k < 4; ++k) all &= operands[i].dims[k] == first.dims[k];
  }
  return all;
}

#if OPKG_HVX

/// Pixels of a line that are not there become others. `vectors`: those with the line's last pixels, `depths` of each; `some`: how many
/// of their pixels are there.
OPKG_RARE inline void fill_units(uint8_t* vectors, size_t depths, size_t some, size_t bytes) {
  const size_t first = bytes == 2 ? (some + 1) / 2 : std::min(some, size_t{4}), slot = 32 * bytes;
  const HVX_Vector whole = Q6_V_vand_VV(hvx::byte_numbers(), Q6_Vb_vsplat_R(static_cast<int32_t>(kStagedLine - slot)));
  for (const size_t there : {first, some - first}) {
    const HVX_Vector control = Q6_V_vmux_QVV(Q6_Q_vsetq2_R(static_cast<int32_t>(std::max(there, size_t{1}) * slot)), Q6_V_vzero(), whole);
    for (size_t depth = 0; depth < depths; ++depth, vectors += kStagedLine) {
      const uint8_t* const from = there == 0 ? vectors - depths * kStagedLine : vectors;
      hvx::store(vectors, Q6_V_vdelta_VV(hvx::load(from), control));
    }
  }
}

/// The vectors of a block's line to those of a piece, or back; the second ones lie `second` bytes behind the first ones there.
template <bool kBack>
OPKG_INLINE void move_block(void* const* blocks, size_t depths, size_t offset, uint8_t* piece, size_t second, int32_t apart) {
  OPKG_STAGED
  for (; depths != 0; --depths, ++blocks, piece += kStagedLine) {
    uint8_t* const there = static_cast<uint8_t*>(*blocks) + offset;
    if constexpr (kBack) {
      const HVX_VectorPair both = Q6_W_vshuff_VVR(hvx::load(piece + second), hvx::load(piece), apart);
      stored(there, Q6_V_lo_W(both)), stored(there + kStagedLine, Q6_V_hi_W(both));
    } else {
      const HVX_VectorPair both = Q6_W_vdeal_VVR(loaded(there + kStagedLine), loaded(there), apart);
      hvx::store(piece, Q6_V_lo_W(both)), hvx::store(piece + second, Q6_V_hi_W(both));
    }
  }
}

/// Some pixels of some rows of images that follow each other, to a piece or back; a line begins with a block. `table`: the blocks.
inline __attribute__((noinline)) void move_units(bool back, const Operand& o, void* const* table, const Pixel& first, size_t pixels, size_t lines, uint8_t* piece) {
  const uint32_t shift = 3 - (o.bytes >> 1);  // of a block's columns
  const size_t whole = (pixels + (1u << shift) - 1) >> shift, rest = pixels & ((1u << shift) - 1);
  const int32_t apart = o.bytes == 2 ? -2 : 0;
  Pixel at = first;
  do {
    for (; at.row >= o.dims[1]; at.row -= o.dims[1]) ++at.image;
    const Vectors line(o, table, at);
    const size_t depths = line.depths, second = depths * kStagedLine;
    void* const* blocks = line.blocks;
    OPKG_UNROLL(1)
    for (size_t block = whole; block != 0; --block, blocks += depths, piece += 2 * second) {
      back ? move_block<true>(blocks, depths, line.offset, piece, second, apart) : move_block<false>(blocks, depths, line.offset, piece, second, apart);
    }
    if (!back && rest != 0) fill_units(piece - 2 * second, depths, rest, o.bytes);
    ++at.row;
  } while (--lines != 0);
}

#endif

}  // namespace staged
}  // namespace opkg

#endif  // OPKG_STAGED_UNITS_H_
