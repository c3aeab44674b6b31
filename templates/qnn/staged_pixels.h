// Pixels of tensors in blocks as rows of flat memory, and back. A row of up to 128 bytes may take a slot there, its bytes rounded
// up to a power of two, as where several rows are computed at a time (opkg/hvx_slots.h); longer ones follow each other. Those of up to
// 32 channels come to their places by one vdelta for all pixels of a vector.
#ifndef OPKG_STAGED_PIXELS_H_
#define OPKG_STAGED_PIXELS_H_

#include <algorithm>
#include <type_traits>

#include "opkg/hvx_route.h"
#include "opkg/rows_call.h"
#include "opkg/rows_operand.h"

namespace opkg {
namespace staged {

/// Pixels that lie in one vector.
inline uint32_t pixels_of(const Operand& o) { return 4u >> (o.bytes >> 1); }
inline bool is_pixel(const Operand& o) { return o.dims[0] == 1 && o.dims[1] == 1 && o.dims[2] == 1; }

/// A pixel of some image.
struct Pixel {
  size_t image = 0;
  size_t row = 0;
  size_t column = 0;
};

/// Bytes from a row to the next one where rows are computed.
inline size_t pitch_of(const Operand& o, bool in_slots) {
  const size_t row = size_t{o.dims[3]} * o.bytes;
  size_t slot = in_slots ? 4 : row;
  while (slot < row && slot < kStagedLine) slot *= 2;
  return slot < row ? row : slot;
}

/// How pixels of up to 32 channels come from blocks, or go back.
struct PixelRoute {
#if OPKG_HVX
  HVX_Vector control = Q6_V_vzero();

  PixelRoute() = default;
  OPKG_RARE PixelRoute(const Operand& o, bool in_slots, bool back) {
    const size_t pitch = pitch_of(o, in_slots), depth = size_t{32} * o.bytes;
    if (o.crouton() && pitch < depth) control = back ? hvx::into_slots(pitch, depth) : hvx::out_of_slots(pitch, depth);
  }
#else
  PixelRoute() = default;
  PixelRoute(const Operand&, bool, bool) {}
#endif
};

/// Vectors of a tensor in blocks that hold the same pixels: the next one is 32 deeper.
struct Vectors {
  void* const* blocks;
  size_t offset;
  size_t depths;

  OPKG_RARE Vectors(const Operand& o, void* const* table, const Pixel& first) {
    const uint32_t wide = 3 - (o.bytes >> 1);  // of a block: as a power of two
    depths = o.padded[3] >> 5;
    blocks = table + ((first.image * (o.padded[1] >> 3) + (first.row >> 3)) * (o.padded[2] >> wide) + (first.column >> wide)) * depths;
    offset = ((first.row & 7) * 2 + (first.column >> (wide - 1) & 1)) * kStagedLine;
  }
  uint8_t* at(size_t depth) const { return static_cast<uint8_t*>(blocks[depth]) + offset; }

  /// Those of the next pixels.
  void next() {
    offset ^= kStagedLine;
    if ((offset & kStagedLine) == 0) blocks += depths;
  }
  /// Those of the row below, of the same image. `across`: blocks of a row of blocks.
  void down(size_t across) {
    offset += 2 * kStagedLine;
    if (offset >= 16 * kStagedLine) offset -= 16 * kStagedLine, blocks += across;
  }
};

#if OPKG_HVX

OPKG_INLINE HVX_Vector loaded(const void* at) { return rowwise::kTellsAlignment ? hvx::load(at) : hvx::load_unaligned(at); }
OPKG_INLINE void stored(void* at, HVX_Vector v) { rowwise::kTellsAlignment ? hvx::store(at, v) : hvx::store_unaligned(at, v); }

/// A vector of blocks whose pixels follow each other: those of 16 bits alternate in blocks.
template <uint32_t kBytes>
OPKG_INLINE HVX_Vector apart(HVX_Vector v) {
  return kBytes == 2 ? Q6_Vh_vdeal_Vh(v) : v;
}
template <uint32_t kBytes>
OPKG_INLINE HVX_Vector together(HVX_Vector v) {
  return kBytes == 2 ? Q6_Vh_vshuff_Vh(v) : v;
}

/// Vectors of neighbouring depths become vectors of one pixel each, and back: as many as one has pixels.
template <uint32_t kPixels>
OPKG_INLINE void exchange(HVX_Vector (&v)[kPixels]) {
  if constexpr (kPixels == 2) {
    const HVX_VectorPair found = Q6_W_vshuff_VVR(v[1], v[0], -64);
    v[0] = Q6_V_lo_W(found), v[1] = Q6_V_hi_W(found);
  } else {
    const HVX_VectorPair even = Q6_W_vshuff_VVR(v[2], v[0], -32), odd = Q6_W_vshuff_VVR(v[3], v[1], -32);
    const HVX_VectorPair low = Q6_W_vshuff_VVR(Q6_V_lo_W(odd), Q6_V_lo_W(even), -32);
    const HVX_VectorPair high = Q6_W_vshuff_VVR(Q6_V_hi_W(odd), Q6_V_hi_W(even), -32);
    v[0] = Q6_V_lo_W(low), v[1] = Q6_V_hi_W(low), v[2] = Q6_V_lo_W(high), v[3] = Q6_V_hi_W(high);
  }
}

/// Pixels of all depths, `pitch` bytes from each other; 128 bytes behind the last one are written as well. The last depths come first,
/// as they write on into the next pixel; a depth that is not there is the last one instead.
template <uint32_t kBytes>
OPKG_INLINE void bring(uint8_t* to, const Vectors& from, size_t pitch) {
  constexpr uint32_t kPixels = 4 / kBytes;
  const size_t last = from.depths - 1;
  OPKG_STAGED
  for (size_t turn = last / kPixels + 1; turn-- > 0;) {
    const size_t depth = turn * kPixels;
    HVX_Vector v[kPixels];
    for (uint32_t i = 0; i < kPixels; ++i) v[i] = apart<kBytes>(loaded(from.at(std::min(depth + i, last))));
    exchange(v);
    for (uint32_t i = 0; i < kPixels; ++i) hvx::store_unaligned(to + depth * 32 * kBytes + i * pitch, v[i]);
  }
}

/// Back again; 128 bytes behind the last pixel are read as well. Where the last depth is written more than once, its own vector is
/// the last one.
template <uint32_t kBytes>
OPKG_INLINE void back(const Vectors& to, const uint8_t* from, size_t pitch) {
  constexpr uint32_t kPixels = 4 / kBytes;
  const size_t last = to.depths - 1;
  OPKG_STAGED
  for (size_t depth = 0; depth <= last; depth += kPixels) {
    HVX_Vector v[kPixels];
    for (uint32_t i = 0; i < kPixels; ++i) v[i] = hvx::load_unaligned(from + depth * 32 * kBytes + i * pitch);
    exchange(v);
    for (uint32_t i = kPixels; i-- > 0;) stored(to.at(std::min(depth + i, last)), together<kBytes>(v[i]));
  }
}

/// A vector of blocks in memory, and back: its pixels come to other places. What else is in it does not count.
template <bool kBack, uint32_t kBytes>
class Moved {
 public:
  OPKG_INLINE Moved(const uint8_t* from, HVX_Vector control) {
    found_ = kBack ? together<kBytes>(Q6_V_vdelta_VV(hvx::load_unaligned(from), control)) : Q6_V_vrdelta_VV(apart<kBytes>(loaded(from)), control);
  }
  OPKG_INLINE void put(uint8_t* to) const { kBack ? stored(to, found_) : hvx::store_unaligned(to, found_); }

 private:
  HVX_Vector found_;
};

/// Some vectors of one depth, `step` bytes from each other in memory: the second of a block follows the first one. What one writes behind
/// its pixels, the next one writes over.
template <bool kBack, uint32_t kBytes>
OPKG_INLINE void move_vectors(Vectors vectors, size_t count, uint8_t* piece, size_t step, HVX_Vector control) {
  while (true) {
    if (count == 1 || (vectors.offset & kStagedLine) != 0) {
      uint8_t* const there = vectors.at(0);
      Moved<kBack, kBytes>(kBack ? piece : there, control).put(kBack ? there : piece);
      if (--count == 0) return;
      piece += step, vectors.next();
    }
    OPKG_STAGED
    for (size_t i = count / 2; i != 0; --i, piece += 2 * step, ++vectors.blocks) {
      uint8_t* const both = vectors.at(0);
      uint8_t *const from = kBack ? piece : both, *const to = kBack ? both : piece;
      const Moved<kBack, kBytes> first(from, control), second(from + (kBack ? step : hvx::kBytes), control);
      first.put(to);
      second.put(to + (kBack ? hvx::kBytes : step));
    }
    count &= 1;
    if (count == 0) return;
  }
}

/// Some pixels of a row of an image, between blocks and a piece of flat memory.
template <bool kBack, uint32_t kBytes>
OPKG_INLINE void move_line(Vectors vectors, size_t pixels, uint8_t* piece, [[maybe_unused]] size_t row, size_t pitch, const PixelRoute& route) {
  constexpr size_t kStep = 4 / kBytes;
  if (kBytes == 1 && pixels == 1) {  // which is first in its vector
    OPKG_STAGED
    for (size_t depth = 0; depth < vectors.depths; ++depth, piece += 32) {
      uint8_t* const there = vectors.at(depth);
      kBack ? stored(there, hvx::load_unaligned(piece)) : hvx::store_unaligned(piece, loaded(there));
    }
    return;
  }
  const size_t count = (pixels + kStep - 1) / kStep;
  if (vectors.depths == 1) return move_vectors<kBack, kBytes>(vectors, count, piece, kStep * pitch, route.control);
  OPKG_STAGED
  for (size_t i = 0; i < count; ++i, piece += pitch * kStep, vectors.next()) {
    if constexpr (kBack) {
      back<kBytes>(vectors, piece, pitch);
    } else {
      bring<kBytes>(piece, vectors, pitch);
    }
  }
}

#else

/// Some pixels of a row of an image, between blocks and a piece of flat memory.
template <bool kBack, uint32_t kBytes>
void move_line(Vectors vectors, size_t pixels, uint8_t* piece, size_t row, size_t pitch, const PixelRoute&) {
  using T = std::conditional_t<kBytes == 2, uint16_t, uint8_t>;
  constexpr size_t kStep = 4 / kBytes;
  for (size_t pixel = 0; pixel < pixels; ++pixel) {
    T* const flat = reinterpret_cast<T*>(piece + pixel * pitch);
    for (size_t d = 0; d < row / kBytes; ++d) {
      T* const in_blocks = reinterpret_cast<T*>(vectors.at(d / 32));
      T& there = in_blocks[kBytes == 2 ? d % 32 * kStep + pixel % kStep : pixel % kStep * 32 + d % 32];
      kBack ? there = flat[d] : flat[d] = there;
    }
    if (pixel % kStep == kStep - 1) vectors.next();
  }
}

#endif

/// Some pixels of some rows of images that follow each other, in rows that are `pitch` bytes from each other.
template <bool kBack, uint32_t kBytes>
__attribute__((noinline)) void move_lines(const Operand& o, const PixelRoute& route, void* const* table, Pixel at, size_t pixels, size_t lines, uint8_t* piece, size_t pitch) {
  const size_t row = size_t{o.dims[3]} * kBytes, height = o.dims[1];
  for (;; at.row = 0, ++at.image) {
    Vectors line(o, table, at);
    const size_t across = (o.padded[2] >> (3 - (kBytes >> 1))) * line.depths;
    do {
      move_line<kBack, kBytes>(line, pixels, piece, row, pitch, route);
      if (--lines == 0) return;
      piece += pixels * pitch;
      line.down(across);
    } while (++at.row != height);
  }
}

/// The same, to a piece or back. `table`: the operand's blocks.
OPKG_SMALL inline void move(bool back, bool in_slots, const Operand& o, const PixelRoute& route, void* const* table, Pixel at, size_t pixels, size_t lines, uint8_t* piece) {
  const auto some = back ? (o.bytes == 2 ? &move_lines<true, 2> : &move_lines<true, 1>) : (o.bytes == 2 ? &move_lines<false, 2> : &move_lines<false, 1>);
  some(o, route, table, at, pixels, lines, piece, pitch_of(o, in_slots));
}

}  // namespace staged
}  // namespace opkg

#endif  // OPKG_STAGED_PIXELS_H_
