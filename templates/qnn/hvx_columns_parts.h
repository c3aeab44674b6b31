// What is found of columns, a vector of them at a time: sums and extremes in accumulators of their lanes.
//
// A part (Sum, Largest, ...) takes rows of kLanes elements and keeps a number per lane. kBlock rows fit between two calls of
// empty(); kHeld rows fit at all. words() gives 32-bit numbers in the order of memory: a sum is that of the elements plus
// kOffset for each. Where rows lie across lanes (opkg/hvx_folds.h), begin() is what is found of the elements of a vector:
// 32-bit sums of neighbours, or extremes in the elements' own lanes, which join() joins. In blocks (opkg/hvx_columns_pixels.h)
// lanes are pixels: keep() leaves those of some.
#ifndef OPKG_HVX_COLUMNS_PARTS_H_
#define OPKG_HVX_COLUMNS_PARTS_H_

#include <algorithm>

#include "opkg/hvx_rows.h"

#if OPKG_HVX

namespace opkg::hvx {

constexpr size_t kNoBlock = size_t{1} << 30;  ///< rows of parts that need no empty()

/// 32-bit lanes i, i + 2, ... of `even` and i + 1, ... of `odd`, alternating, in the order of memory.
OPKG_INLINE void interleave(HVX_Vector even, HVX_Vector odd, HVX_Vector* to) {
  const HVX_VectorPair both = Q6_W_vshuff_VVR(odd, even, -4);
  to[0] = Q6_V_lo_W(both);
  to[1] = Q6_V_hi_W(both);
}

/// Numbers of 128 lanes, each pair holding those at even places before those at odd places, in the order of memory.
OPKG_INLINE void interleave(HVX_VectorPair even, HVX_VectorPair odd, HVX_Vector* to) {
  const HVX_VectorPair a = Q6_W_vshuff_VVR(Q6_V_hi_W(even), Q6_V_lo_W(even), -4);
  const HVX_VectorPair b = Q6_W_vshuff_VVR(Q6_V_hi_W(odd), Q6_V_lo_W(odd), -4);
  interleave(Q6_V_lo_W(a), Q6_V_lo_W(b), to);
  interleave(Q6_V_hi_W(a), Q6_V_hi_W(b), to + 2);
}

/// Numbers of bytes' lanes in wider ones, those at even places first: zeros but in the lanes of some pixels.
OPKG_INLINE void keep_pairs(HVX_VectorPred pixels, HVX_VectorPair& numbers) {
  numbers = Q6_W_vcombine_VV(Q6_V_vand_QV(pixels, Q6_V_hi_W(numbers)), Q6_V_vand_QV(pixels, Q6_V_lo_W(numbers)));
}

/// How a part is gathered from units of tensors in blocks (opkg/hvx_columns_pixels.h).
template <typename Part>
struct Gather;

/// Sums of 16-bit lanes are moved to 32 bits before they overflow.
template <typename T>
class Sum8 {
  friend struct Gather<Sum8>;
  static constexpr bool kSigned = std::is_signed_v<T>;

 public:
  static constexpr bool kAdds = true, kLargestOne = false, kShort = true;
  static constexpr size_t kLanes = 128, kBlock = 256, kHeld = 0x7fffffff / 255;
  static constexpr int32_t kLow = 0, kHigh = 255, kOffset = kSigned ? 128 : 0;

  OPKG_INLINE HVX_Vector neutral() const { return kSigned ? top() : Q6_V_vzero(); }
  OPKG_INLINE void one(HVX_Vector a) { halves = Q6_Wh_vaddacc_WhVubVub(halves, moved(a), Q6_V_vzero()); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { halves = Q6_Wh_vaddacc_WhVubVub(halves, moved(a), moved(b)); }

  OPKG_INLINE void empty() {
    even = Q6_Ww_vadd_WwWw(even, Q6_Wuw_vzxt_Vuh(Q6_V_lo_W(halves)));
    odd = Q6_Ww_vadd_WwWw(odd, Q6_Wuw_vzxt_Vuh(Q6_V_hi_W(halves)));
    halves = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  }

  OPKG_INLINE void words(HVX_Vector* to) {
    empty();
    interleave(even, odd, to);
  }

  OPKG_INLINE void keep(HVX_VectorPred pixels) { keep_pairs(pixels, halves), keep_pairs(pixels, even), keep_pairs(pixels, odd); }

  /// Of up to kBlock rows, in 16 bits: lanes at even places, lanes at odd places.
  OPKG_INLINE HVX_VectorPair shorts() const { return halves; }

  static OPKG_INLINE HVX_Vector begin(HVX_Vector a) { return Q6_Vuw_vrmpy_VubRub(moved(a), 0x01010101); }

 private:
  static OPKG_INLINE HVX_Vector top() { return Q6_V_vsplat_R(static_cast<int32_t>(0x80808080u)); }
  static OPKG_INLINE HVX_Vector moved(HVX_Vector a) { return kSigned ? Q6_V_vxor_VV(a, top()) : a; }

  HVX_VectorPair halves = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  HVX_VectorPair even = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  HVX_VectorPair odd = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
};

/// Sums of squares of bytes.
template <typename T>
class Squares {
  friend struct Gather<Squares>;
  static constexpr bool kSigned = std::is_signed_v<T>;

 public:
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr int32_t kLow = 0, kHigh = kSigned ? 128 * 128 : 255 * 255, kOffset = 0;
  static constexpr size_t kLanes = 128, kBlock = kNoBlock, kHeld = 0x7fffffff / kHigh;

  OPKG_INLINE HVX_Vector neutral() const { return Q6_V_vzero(); }
  OPKG_INLINE void one(HVX_Vector a) { two(a, Q6_V_vzero()); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { add(squares(a), squares(b)); }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void keep(HVX_VectorPred pixels) { keep_pairs(pixels, even), keep_pairs(pixels, odd); }
  OPKG_INLINE void words(HVX_Vector* to) { interleave(even, odd, to); }

  static OPKG_INLINE HVX_Vector begin(HVX_Vector a) { return kSigned ? Q6_Vw_vrmpy_VbVb(a, a) : Q6_Vuw_vrmpy_VubVub(a, a); }

 protected:
  /// 16-bit numbers of two rows, those at even places before those at odd places.
  OPKG_INLINE void add(HVX_VectorPair x, HVX_VectorPair y) {
    even = Q6_Ww_vaddacc_WwVuhVuh(even, Q6_V_lo_W(x), Q6_V_lo_W(y));
    odd = Q6_Ww_vaddacc_WwVuhVuh(odd, Q6_V_hi_W(x), Q6_V_hi_W(y));
  }

 private:
  static OPKG_INLINE HVX_VectorPair squares(HVX_Vector a) {
    return kSigned ? Q6_Wh_vmpy_VbVb(a, a) : Q6_Wuh_vmpy_VubVub(a, a);
  }

  HVX_VectorPair even = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  HVX_VectorPair odd = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
};

/// `Function`: tells sums of different things apart (opkg/hvx_columns_function.h).
template <typename T, typename Function = void>
class Sum16 {
  friend struct Gather<Sum16>;
  static constexpr bool kSigned = std::is_signed_v<T>;

 public:
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr size_t kLanes = 64, kBlock = kNoBlock, kHeld = 0x7fffffff / 65535;
  static constexpr int32_t kLow = 0, kHigh = 65535, kOffset = kSigned ? 32768 : 0;

  OPKG_INLINE HVX_Vector neutral() const { return kSigned ? top() : Q6_V_vzero(); }
  OPKG_INLINE void one(HVX_Vector a) { sums = Q6_Ww_vaddacc_WwVuhVuh(sums, moved(a), Q6_V_vzero()); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { sums = Q6_Ww_vaddacc_WwVuhVuh(sums, moved(a), moved(b)); }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void keep(HVX_VectorPred) { sums = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_lo_W(sums)); }  // one of two
  OPKG_INLINE void words(HVX_Vector* to) const { interleave(Q6_V_lo_W(sums), Q6_V_hi_W(sums), to); }

  static OPKG_INLINE HVX_Vector begin(HVX_Vector a) {
    const HVX_VectorPair wide = Q6_Wuw_vzxt_Vuh(moved(a));
    return Q6_Vw_vadd_VwVw(Q6_V_lo_W(wide), Q6_V_hi_W(wide));
  }

 private:
  static OPKG_INLINE HVX_Vector top() { return Q6_V_vsplat_R(static_cast<int32_t>(0x80008000u)); }
  static OPKG_INLINE HVX_Vector moved(HVX_Vector a) { return kSigned ? Q6_V_vxor_VV(a, top()) : a; }

  HVX_VectorPair sums = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
};

/// Sums of the low halves of 32-bit numbers, and beside them those of the high ones.
class SumLow {
 public:
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr size_t kLanes = 32, kBlock = kNoBlock, kHeld = 0x7fffffff / 65535;
  static constexpr int32_t kLow = 0, kHigh = 65535, kOffset = 0;

  static OPKG_INLINE HVX_Vector neutral() { return Q6_V_vsplat_R(INT32_MIN); }
  OPKG_INLINE void one(HVX_Vector a) { two(a, neutral()); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) {
    sums = Q6_Ww_vaddacc_WwVuhVuh(sums, Q6_V_vxor_VV(a, neutral()), Q6_V_vxor_VV(b, neutral()));
  }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void words(HVX_Vector* to) const { to[0] = Q6_V_lo_W(sums); }
  OPKG_INLINE void upper_words(HVX_Vector* to) const { to[0] = Q6_V_hi_W(sums); }

  static OPKG_INLINE HVX_Vector begin(HVX_Vector a) { return Q6_V_vand_VV(a, Q6_V_vsplat_R(0xffff)); }

 private:
  HVX_VectorPair sums = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
};

/// Sums of their high halves, which SumLow has found.
class SumTop {
 public:
  using Other = SumLow;
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr size_t kLanes = 32, kBlock = kNoBlock, kHeld = 0x7fffffff / 65535;
  static constexpr int32_t kLow = 0, kHigh = 65535, kOffset = 32768;

  static OPKG_INLINE HVX_Vector neutral() { return SumLow::neutral(); }
  OPKG_INLINE void one(HVX_Vector) {}
  OPKG_INLINE void two(HVX_Vector, HVX_Vector) {}
  OPKG_INLINE void empty() {}
  static OPKG_INLINE void words(HVX_Vector* to, const Other& low) { low.upper_words(to); }

  static OPKG_INLINE HVX_Vector begin(HVX_Vector a) { return Q6_Vuw_vlsr_VuwR(Q6_V_vxor_VV(a, neutral()), 16); }
};

template <typename T>
using Sum = std::conditional_t<sizeof(T) == 1, Sum8<T>, Sum16<T>>;

/// The elements of a vector in 32-bit lanes, in the order of memory.
template <typename T>
OPKG_INLINE void widened(HVX_Vector v, HVX_Vector* to) {
  constexpr bool kSigned = std::is_signed_v<T>;
  if constexpr (sizeof(T) == 1) {
    const HVX_VectorPair halves = kSigned ? Q6_Wh_vunpack_Vb(v) : Q6_Wuh_vunpack_Vub(v);
    widened<std::conditional_t<kSigned, int16_t, uint16_t>>(Q6_V_lo_W(halves), to);
    widened<std::conditional_t<kSigned, int16_t, uint16_t>>(Q6_V_hi_W(halves), to + 2);
  } else if constexpr (sizeof(T) == 2) {
    const HVX_VectorPair words = kSigned ? Q6_Ww_vunpack_Vh(v) : Q6_Wuw_vunpack_Vuh(v);
    to[0] = Q6_V_lo_W(words);
    to[1] = Q6_V_hi_W(words);
  } else {
    to[0] = v;
  }
}

/// The largest or smallest element of every lane.
template <typename T, bool kLargest>
class Extreme {
  friend struct Gather<Extreme>;
  static constexpr int64_t kEnd = kLargest ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();

 public:
  static constexpr bool kAdds = false, kLargestOne = kLargest, kShort = sizeof(T) == 1;
  static constexpr size_t kLanes = kBytes / sizeof(T), kBlock = kNoBlock, kHeld = SIZE_MAX;
  static constexpr int32_t kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max(), kOffset = 0;

  OPKG_INLINE HVX_Vector neutral() const {
    const T end = static_cast<T>(kEnd);
    return splat<T>(&end);
  }
  OPKG_INLINE void one(HVX_Vector a) { found = join(found, a); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { found = join(join(found, a), b); }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void keep(HVX_VectorPred pixels) { found = Q6_V_vmux_QVV(pixels, found, neutral()); }
  OPKG_INLINE void words(HVX_Vector* to) { widened<T>(found, to); }
  OPKG_INLINE HVX_Vector lanes() const { return found; }

  /// Numbers of 8 bits less kLow in 16 bits: lanes at even places, lanes at odd places.
  OPKG_INLINE HVX_VectorPair shorts() const {
    const HVX_Vector top = Q6_V_vsplat_R(std::is_signed_v<T> ? static_cast<int32_t>(0x80808080u) : 0);
    return Q6_Wuh_vzxt_Vub(Q6_V_vxor_VV(found, top));
  }

  static OPKG_INLINE HVX_Vector folded(HVX_Vector a, HVX_Vector b) {
    return kLargest ? larger(int32_t{}, a, b) : smaller(int32_t{}, a, b);
  }

  static OPKG_INLINE HVX_Vector begin(HVX_Vector a) { return a; }
  static OPKG_INLINE HVX_Vector join(HVX_Vector a, HVX_Vector b) {
    return kLargest ? larger(T{}, a, b) : smaller(T{}, a, b);
  }

 private:
  HVX_Vector found = neutral();
};
template <typename T>
using Largest = Extreme<T, true>;
template <typename T>
using Smallest = Extreme<T, false>;

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_COLUMNS_PARTS_H_
