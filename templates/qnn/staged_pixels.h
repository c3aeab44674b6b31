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

/// Bytes from a row to the next one where rows are computed, and while they come from blocks: a vector where they are more than 32 channels.
struct Pitch {
  size_t slot = 4;
  size_t wide;

  Pitch(const Operand& o, bool in_slots) {
    const size_t row = size_t{o.dims[3]} * o.bytes, depth = size_t{32} * o.bytes;
    if (!in_slots) slot = row;
    while (slot < row && slot < kStagedLine) slot *= 2;
    slot = slot < row ? row : slot;
    wide = row <= depth ? slot : in_slots && row < kStagedLine ? kStagedLine
                                                               : row;
  }
};

/// How pixels of up to 32 channels come from blocks, or go back.
struct PixelRoute {
  bool direct = true;  ///< as they are
#if OPKG_HVX
  HVX_Vector control;

  PixelRoute() : control(Q6_V_vzero()) {}
  OPKG_RARE PixelRoute(const Operand& o, bool in_slots, bool back) : PixelRoute() {
    const size_t slot = Pitch(o, in_slots).slot, depth = size_t{32} * o.bytes;
    if (!o.crouton() || slot >= depth) return;
    direct = false;
    control = back ? hvx::into_slots(slot, depth) : hvx::out_of_slots(slot, depth);
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

  Vectors(const Operand& o, void* const* table, const Pixel& first) {
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
  OPKG_UNROLL(1)
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
  OPKG_UNROLL(1)
  for (size_t depth = 0; depth <= last; depth += kPixels) {
    HVX_Vector v[kPixels];
    for (uint32_t i = 0; i < kPixels; ++i) v[i] = hvx::load_unaligned(from + depth * 32 * kBytes + i * pitch);
    exchange(v);
    for (uint32_t i = kPixels; i-- > 0;) stored(to.at(std::min(depth + i, last)), together<kBytes>(v[i]));
  }
}

/// A vector of blocks in memory, and back: kRouted, its pixels have other places there. What else is in it does not count.
template <bool kBack, uint32_t kBytes, bool kRouted = false>
class Moved {
 public:
  OPKG_INLINE Moved(const uint8_t* from, HVX_Vector control) : found_(kBack ? hvx::load_unaligned(from) : loaded(from)) {
    if (!kBack) found_ = apart<kBytes>(found_);
    if (kRouted) found_ = kBack ? Q6_V_vdelta_VV(found_, control) : Q6_V_vrdelta_VV(found_, control);
    if (kBack) found_ = together<kBytes>(found_);
  }
  OPKG_INLINE void put(uint8_t* to) const { kBack ? stored(to, found_) : hvx::store_unaligned(to, found_); }

 private:
  HVX_Vector found_;
};

template <bool kBack, uint32_t kBytes>
OPKG_INLINE void move_vector(uint8_t* blocks, uint8_t* piece) {
  const HVX_Vector none = Q6_V_vzero();
  Moved<kBack, kBytes>(kBack ? piece : blocks, none).put(kBack ? blocks : piece);
}

/// Some vectors of one depth, `step` bytes from each other in memory: the second of a block follows the first one. What one writes behind
/// its pixels, the next one writes over.
template <bool kBack, uint32_t kBytes, bool kRouted>
OPKG_INLINE void move_vectors(Vectors vectors, size_t count, uint8_t* piece, size_t step, HVX_Vector control) {
  const auto move = [&](uint8_t* there) OPKG_INLINE_LAMBDA {
    Moved<kBack, kBytes, kRouted>(kBack ? piece : there, control).put(kBack ? there : piece);
    piece += step, --count, vectors.next();
  };
  if ((vectors.offset & kStagedLine) != 0) move(vectors.at(0));
  OPKG_UNROLL(1)
  for (; count > 1; count -= 2, piece += 2 * step, ++vectors.blocks) {
    uint8_t* const both = vectors.at(0);
    uint8_t *const from = kBack ? piece : both, *const to = kBack ? both : piece;
    const size_t in = kBack ? step : hvx::kBytes, out = kBack ? hvx::kBytes : step;
    const Moved<kBack, kBytes, kRouted> first(from, control), second(from + in, control);
    first.put(to);
    second.put(to + out);
  }
  if (count != 0) move(vectors.at(0));
}

/// Some pixels of a row of an image, between blocks and a piece of flat memory.
template <bool kBack, uint32_t kBytes>
OPKG_INLINE void move_line(Vectors vectors, size_t pixels, uint8_t* piece, [[maybe_unused]] size_t row, size_t pitch, const PixelRoute& route) {
  constexpr size_t kStep = 4 / kBytes, kDepth = 32 * kBytes;
  if (pixels == 1) {  // which is first in its vector
    OPKG_UNROLL(1)
    for (size_t depth = 0; depth < vectors.depths; ++depth, piece += kDepth) move_vector<kBack, kBytes>(vectors.at(depth), piece);
    return;
  }
  const size_t count = (pixels + kStep - 1) / kStep;
  if (!route.direct) return move_vectors<kBack, kBytes, true>(vectors, count, piece, kStep * pitch, route.control);
  if (vectors.depths == 1) return move_vectors<kBack, kBytes, false>(vectors, count, piece, hvx::kBytes, route.control);
  OPKG_UNROLL(1)
  for (size_t i = 0; i < count; ++i, piece += pitch * kStep, vectors.next()) {
    if constexpr (kBack) {
      back<kBytes>(vectors, piece, pitch);
    } else {
      bring<kBytes>(piece, vectors, pitch);
    }
  }
}

/// Brings pixels that are `wide` bytes from each other to a pitch of `slot`, both powers of two, and back. Pieces begin at multiples of 128.
__attribute__((noinline)) inline void close_up(uint8_t* piece, size_t pixels, const Pitch& pitch) {
  size_t vectors = (pixels * pitch.wide + hvx::kBytes - 1) / hvx::kBytes;
  for (size_t now = pitch.wide / 2; now >= pitch.slot; now /= 2) {
    vectors = (vectors + 1) / 2;
    const auto* from = reinterpret_cast<const HVX_Vector*>(piece);
    auto* to = reinterpret_cast<HVX_Vector*>(piece);
    OPKG_UNROLL(1)
    for (size_t i = 0; i < vectors; i += 2, from += 4, to += 2) {  // one more than there are writes what is not read
      const HVX_Vector a = from[0], b = from[1], c = from[2], d = from[3];
      to[0] = Q6_V_lo_W(Q6_W_vdeal_VVR(b, a, -static_cast<int32_t>(now)));
      to[1] = Q6_V_lo_W(Q6_W_vdeal_VVR(d, c, -static_cast<int32_t>(now)));
    }
  }
}
__attribute__((noinline)) inline void draw_out(uint8_t* piece, size_t pixels, const Pitch& pitch) {
  for (size_t now = pitch.slot; now < pitch.wide; now *= 2) {
    const size_t vectors = (pixels * now + hvx::kBytes - 1) / hvx::kBytes;
    const auto* from = reinterpret_cast<const HVX_Vector*>(piece) + vectors;
    auto* to = reinterpret_cast<HVX_Vector*>(piece) + 2 * vectors;
    OPKG_UNROLL(2)
    for (size_t i = 0; i < vectors; ++i) {
      const HVX_Vector both = *--from;
      const HVX_VectorPair found = Q6_W_vshuff_VVR(both, both, -static_cast<int32_t>(now));
      *--to = Q6_V_hi_W(found);
      *--to = Q6_V_lo_W(found);
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

/// Brings pixels that are `wide` bytes from each other to a pitch of `slot`, and back.
inline void close_up(uint8_t* piece, size_t pixels, const Pitch& pitch) {
  for (size_t i = 0; i < pixels && pitch.slot < pitch.wide; ++i) std::memmove(piece + i * pitch.slot, piece + i * pitch.wide, pitch.slot);
}
inline void draw_out(uint8_t* piece, size_t pixels, const Pitch& pitch) {
  for (size_t i = pixels; i-- > 0 && pitch.slot < pitch.wide;) std::memmove(piece + i * pitch.wide, piece + i * pitch.slot, pitch.slot);
}

#endif

/// Some pixels of some rows of images that follow each other, in rows that are `pitch` bytes from each other.
template <bool kBack, uint32_t kBytes>
__attribute__((noinline)) void move_lines(const Operand& o, const PixelRoute& route, void* const* table, Pixel at, size_t pixels, size_t lines, uint8_t* piece, size_t pitch) {
  const size_t row = size_t{o.dims[3]} * kBytes, height = o.dims[1];
  Vectors line(o, table, at);
  const size_t across = (o.padded[2] >> (3 - (kBytes >> 1))) * line.depths;
  while (true) {
    move_line<kBack, kBytes>(line, pixels, piece, row, pitch, route);
    if (--lines == 0) return;
    piece += pixels * pitch;
    line.down(across);
    if (++at.row == height) at.row = 0, ++at.image, line = Vectors(o, table, at);
  }
}

/// The same, to a piece or back. `table`: the operand's blocks.
OPKG_RARE inline void move(bool back, bool in_slots, const Operand& o, const PixelRoute& route, void* const* table, Pixel at, size_t pixels, size_t lines, uint8_t* piece) {
  const Pitch pitch(o, in_slots);
  const size_t all = pixels * lines;
  if (back && pitch.slot < pitch.wide) draw_out(piece, all, pitch);
  const auto some = back ? (o.bytes == 2 ? &move_lines<true, 2> : &move_lines<true, 1>) : (o.bytes == 2 ? &move_lines<false, 2> : &move_lines<false, 1>);
  some(o, route, table, at, pixels, lines, piece, pitch.wide);
  if (!back && pitch.slot < pitch.wide) close_up(piece, all, pitch);
}

}  // namespace staged
}  // namespace opkg

#endif  // OPKG_STAGED_PIXELS_H_
