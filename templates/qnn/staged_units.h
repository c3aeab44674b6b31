// Pixels of tensors in blocks brought into one piece of memory as they lie, with all of their channels: vectors that have the same
// pixels follow each other. Those of 16 bits, which alternate in blocks, come apart.
#ifndef OPKG_STAGED_UNITS_H_
#define OPKG_STAGED_UNITS_H_

#include "opkg/staged_pixels.h"

#if OPKG_HVX

namespace opkg {
namespace staged {

/// Some vectors of pixels of a line, `count` (1 or 2) of each block.
template <bool kBack, uint32_t kBytes, uint32_t kCount>
OPKG_INLINE void move_units(const Vectors& vectors, uint8_t* piece) {
  const size_t depths = vectors.depths, offset = vectors.offset;
  void* const* const blocks = vectors.blocks;
  OPKG_UNROLL(2)
  for (size_t depth = 0; depth < depths; ++depth, piece += kStagedLine) {
    uint8_t* const there = static_cast<uint8_t*>(blocks[depth]) + offset;
    HVX_Vector v[kCount];
    OPKG_UNROLL_WHOLE
    for (uint32_t i = 0; i < kCount; ++i) {
      v[i] = kBack ? together<kBytes>(hvx::load(piece + i * depths * kStagedLine)) : apart<kBytes>(loaded(there + i * kStagedLine));
    }
    OPKG_UNROLL_WHOLE
    for (uint32_t i = 0; i < kCount; ++i) {
      kBack ? stored(there + i * kStagedLine, v[i]) : hvx::store(piece + i * depths * kStagedLine, v[i]);
    }
  }
}

/// Pixels of a line that are not there become others of their vectors. `some`: those that are.
template <uint32_t kBytes>
__attribute__((noinline)) void fill_unit(uint8_t* unit, size_t depths, size_t some) {
  const HVX_VectorPred there = Q6_Q_vsetq2_R(static_cast<int32_t>(some * 32 * kBytes));
  const HVX_Vector whole = Q6_V_vand_VV(hvx::byte_numbers(), Q6_Vb_vsplat_R(static_cast<int32_t>(kStagedLine - 32 * kBytes)));
  const HVX_Vector control = Q6_V_vmux_QVV(there, Q6_V_vzero(), whole);
  OPKG_UNROLL(1)
  for (; depths != 0; --depths, unit += kStagedLine) hvx::store(unit, Q6_V_vdelta_VV(hvx::load(unit), control));
}

/// Some pixels of some rows of images that follow each other; a line begins with a vector.
template <bool kBack, uint32_t kBytes>
__attribute__((noinline)) void move_in_units(const Operand& o, void* const* table, Pixel at, size_t pixels, size_t lines, uint8_t* piece) {
  constexpr size_t kStep = 4 / kBytes;
  const size_t height = o.dims[1], units = (pixels + kStep - 1) / kStep;
  for (;; at.row = 0, ++at.image) {
    Vectors line(o, table, at);
    const size_t across = (o.padded[2] >> (3 - (kBytes >> 1))) * line.depths, unit = line.depths * kStagedLine;
    do {
      Vectors vectors = line;
      for (size_t left = units; left != 0;) {
        const size_t count = left > 1 && (vectors.offset & kStagedLine) == 0 ? 2 : 1;
        if (count == 2) {
          move_units<kBack, kBytes, 2>(vectors, piece), vectors.blocks += vectors.depths;
        } else {
          move_units<kBack, kBytes, 1>(vectors, piece), vectors.next();
        }
        piece += count * unit, left -= count;
      }
      if (!kBack && pixels % kStep != 0) fill_unit<kBytes>(piece - unit, line.depths, pixels % kStep);
      if (--lines == 0) return;
      line.down(across);
    } while (++at.row != height);
  }
}

/// The same, to a piece or back. `table`: the operand's blocks.
OPKG_SMALL inline void move_in_units(bool back, const Operand& o, void* const* table, Pixel at, size_t pixels, size_t lines, uint8_t* piece) {
  const auto some = back ? (o.bytes == 2 ? &move_in_units<true, 2> : &move_in_units<true, 1>) : (o.bytes == 2 ? &move_in_units<false, 2> : &move_in_units<false, 1>);
  some(o, table, at, pixels, lines, piece);
}

}  // namespace staged
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_STAGED_UNITS_H_
