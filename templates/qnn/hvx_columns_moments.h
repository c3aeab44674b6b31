// Sums of bytes and of their squares down columns: four elements of a column become a word, and words are multiplied with ones
// and with themselves.
#ifndef OPKG_HVX_COLUMNS_MOMENTS_H_
#define OPKG_HVX_COLUMNS_MOMENTS_H_

#include "opkg/hvx_columns_pixels.h"

#if OPKG_HVX

namespace opkg::hvx {

/// What is found of columns, as opkg::hvx::Found: sums, then sums of squares. A unit of a tensor in blocks has the first words only.
template <typename T>
class Moments {
  using Both = Found<Sum<T>, Squares<T>>;
  static constexpr bool kSigned = std::is_signed_v<T>;

 public:
  static constexpr uint32_t kParts = 2, kBeside = 4;
  static constexpr size_t kLanes = 128, kBlock = kNoBlock, kHeld = Both::kHeld;
  static constexpr bool kShort = false, kAdds[] = {true, true}, kLargest[] = {false, false};
  static constexpr int32_t kLow[] = {kSigned ? -128 : 0, 0}, kHigh[] = {kSigned ? 128 : 255, Squares<T>::kHigh}, kOffset[] = {0, 0};

  OPKG_INLINE void one(HVX_Vector a) { four(a, Q6_V_vzero(), Q6_V_vzero(), Q6_V_vzero()); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { four(a, b, Q6_V_vzero(), Q6_V_vzero()); }
  OPKG_INLINE void four(HVX_Vector a, HVX_Vector b, HVX_Vector c, HVX_Vector d) {
    const HVX_VectorPair ab = Q6_W_vshuff_VVR(b, a, -1), cd = Q6_W_vshuff_VVR(d, c, -1);
    const HVX_VectorPair first = Q6_W_vshuff_VVR(Q6_V_lo_W(cd), Q6_V_lo_W(ab), -2), last = Q6_W_vshuff_VVR(Q6_V_hi_W(cd), Q6_V_hi_W(ab), -2);
    add(0, Q6_V_lo_W(first)), add(1, Q6_V_hi_W(first)), add(2, Q6_V_lo_W(last)), add(3, Q6_V_hi_W(last));
  }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void keep(HVX_VectorPred) {}
  OPKG_INLINE void some(HVX_Vector a, size_t live) { one(live < kBytes ? Q6_V_vand_QV(Q6_Q_vsetq_R(static_cast<int32_t>(live)), a) : a); }

  /// Eight pixels of 32 columns.
  OPKG_INLINE void pixels(HVX_Vector a, HVX_Vector b) {
    const HVX_VectorPair halves = Q6_W_vshuff_VVR(b, a, -1), words = Q6_W_vshuff_VVR(Q6_V_hi_W(halves), Q6_V_lo_W(halves), -1);
    add(0, Q6_V_lo_W(words)), add(0, Q6_V_hi_W(words));
  }

  OPKG_INLINE void words(HVX_Vector (*to)[kLanes / 32]) const {
    for (uint32_t k = 0; k < kLanes / 32; ++k) to[0][k] = total[k], to[1][k] = squares[k];
  }
  static void fold_below(uint32_t part, int32_t* to, const int32_t* kept, const int32_t* places, size_t end, size_t from, size_t n) {
    Both::fold_below(part, to, kept, places, end, from, n);
  }
  static void fold_pairs(uint32_t part, int32_t* kept, size_t width, size_t n) { Both::fold_pairs(part, kept, width, n); }
  static void fold_all(uint32_t part, int32_t* kept, const Fold& fold) { Both::fold_all(part, kept, fold); }
  template <size_t kRoom>
  OPKG_INLINE static void fold_few(const int32_t (*kept)[kRoom], const Fold& fold, HVX_Vector (*to)[1]) {
    Both::fold_few(kept, fold, to);
  }

  HVX_Vector total[4] = {}, squares[4] = {};

 private:
  OPKG_INLINE void add(uint32_t k, HVX_Vector a) {
    const HVX_Vector ones = Q6_V_vsplat_R(0x01010101);
    if constexpr (kSigned) {
      total[k] = Q6_Vw_vrmpyacc_VwVubVb(total[k], ones, a), squares[k] = Q6_Vw_vrmpyacc_VwVbVb(squares[k], a, a);
    } else {
      total[k] = Q6_Vuw_vrmpyacc_VuwVubRub(total[k], a, 0x01010101), squares[k] = Q6_Vuw_vrmpyacc_VuwVubVub(squares[k], a, a);
    }
  }
};

/// As of Found, four rows at a time.
template <bool kAligned, typename T, uint32_t kSide>
OPKG_INLINE void take_rows(Moments<T> (&found)[kSide], const uint8_t* at, size_t rows, size_t stride, size_t last = kToLast<kSide>) {
  Beside<kAligned, kSide> a(at, last), b(at + stride, last), c(at + 2 * stride, last), d(at + 3 * stride, last);
  for (; rows >= 4; rows -= 4) {
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].four(a.vector(side), b.vector(side), c.vector(side), d.vector(side)); });
    a.move(4 * stride), b.move(4 * stride), c.move(4 * stride), d.move(4 * stride);
  }
  for (; rows != 0; --rows, a.move(stride)) {
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].one(a.vector(side)); });
  }
}

template <typename T>
OPKG_INLINE void take_few_rows(Moments<T>& found, const uint8_t* at, size_t rows, size_t stride) {
  OPKG_STAGED
  for (; rows >= 4; rows -= 4, at += 4 * stride) {
    const uint8_t* const below = at + 2 * stride;
    found.four(load_unaligned(at), load_unaligned(at + stride), load_unaligned(below), load_unaligned(below + stride));
  }
  if (rows >= 2) found.two(load_unaligned(at), load_unaligned(at + stride)), at += 2 * stride;
  if (rows % 2 != 0) found.one(load_unaligned(at));
}

/// As of Found, but pixels that are none of the image's are not taken; two rows at a left edge become words together.
template <Edge kEdge, typename T, uint32_t kSide, typename Rows>
OPKG_INLINE void take_block(Moments<T> (&found)[kSide], const uint8_t* const (&blocks)[kSide], Rows rows, HVX_VectorPred live) {
  const uint8_t* at[kSide];
  each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { at[side] = blocks[side]; });
  constexpr size_t kTogether = kEdge == Edge::left ? 2 : 1;
  size_t left = rows;
  for (; left >= kTogether; left -= kTogether) {
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
      const HVX_Vector first = load_block(at[side]), second = load_block(at[side] + kTogether * kBytes);
      found[side].pixels(kEdge == Edge::left ? Q6_V_vand_QV(live, first) : first, kEdge == Edge::none ? second : Q6_V_vand_QV(live, second));
      at[side] += 2 * kTogether * kBytes;
    });
  }
  if (left == 0) return;
  each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].pixels(Q6_V_vand_QV(live, load_block(at[side])), Q6_V_vzero()); });
}

/// The words of units, one after another.
template <bool, uint32_t kUnits, typename T>
OPKG_INLINE Moments<T> gathered(Moments<T> (&units)[kUnits]) {
  Moments<T> found;
  each_side<kUnits>([&](auto unit) OPKG_INLINE_LAMBDA { found.total[unit] = units[unit].total[0], found.squares[unit] = units[unit].squares[0]; });
  return found;
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_COLUMNS_MOMENTS_H_
