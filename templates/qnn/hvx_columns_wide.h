// Sums of squares of 16 bits down columns, low and high halves of the squares apart, and variances of them.
#ifndef OPKG_HVX_COLUMNS_WIDE_H_
#define OPKG_HVX_COLUMNS_WIDE_H_

#include "opkg/hvx_columns.h"
#include "opkg/hvx_numbers.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Sums of the low halves of squares, each a number of 32 bits without sign.
template <typename T>
class SquaresLow {
  static constexpr bool kSigned = std::is_signed_v<T>;

 public:
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr size_t kLanes = 64, kBlock = kNoBlock, kHeld = 0x7fffffff / 65535;
  static constexpr int32_t kLow = 0, kHigh = 65535, kOffset = 0;

  OPKG_INLINE HVX_Vector neutral() const { return Q6_V_vzero(); }
  OPKG_INLINE void one(HVX_Vector a) { two(a, Q6_V_vzero()); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) {
    const HVX_VectorPair x = squares(a), y = squares(b);
    even = Q6_Ww_vaddacc_WwVuhVuh(even, Q6_V_lo_W(x), Q6_V_lo_W(y));
    odd = Q6_Ww_vaddacc_WwVuhVuh(odd, Q6_V_hi_W(x), Q6_V_hi_W(y));
  }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void keep(HVX_VectorPred) { odd = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero()); }  // one pixel of two
  OPKG_INLINE void words(HVX_Vector* to) const { interleave(Q6_V_lo_W(even), Q6_V_lo_W(odd), to); }
  OPKG_INLINE void upper_words(HVX_Vector* to) const { interleave(Q6_V_hi_W(even), Q6_V_hi_W(odd), to); }

 private:
  template <typename>
  friend struct Gather;

  static OPKG_INLINE HVX_VectorPair squares(HVX_Vector a) { return kSigned ? Q6_Ww_vmpy_VhVh(a, a) : Q6_Wuw_vmpy_VuhVuh(a, a); }

  HVX_VectorPair even = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  HVX_VectorPair odd = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
};

/// Sums of their high halves, which SquaresLow has found.
template <typename T>
class SquaresTop {
 public:
  using Other = SquaresLow<T>;
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr size_t kLanes = 64, kBlock = kNoBlock, kHeld = 0x7fffffff / 65535;
  static constexpr int32_t kLow = 0, kHigh = 65535, kOffset = 0;

  OPKG_INLINE HVX_Vector neutral() const { return Q6_V_vzero(); }
  OPKG_INLINE void one(HVX_Vector) {}
  OPKG_INLINE void two(HVX_Vector, HVX_Vector) {}
  OPKG_INLINE void empty() {}
  OPKG_INLINE void keep(HVX_VectorPred) {}
  static OPKG_INLINE void words(HVX_Vector* to, const Other& squares) { squares.upper_words(to); }
};

template <typename T>
struct Gather<SquaresLow<T>> {
  template <uint32_t kUnits, bool, typename Units>
  OPKG_INLINE static void set(SquaresLow<T>& to, Units& units) {
    const auto of = [&](uint32_t i) OPKG_INLINE_LAMBDA {
      const SquaresLow<T>& unit = units[i];
      return Q6_Ww_vadd_WwWw(unit.even, unit.odd);
    };
    const HVX_VectorPair first = of(0), last = of(kUnits - 1);
    const HVX_VectorPair low = Q6_W_vdeal_VVR(Q6_V_lo_W(last), Q6_V_lo_W(first), -4);
    const HVX_VectorPair top = Q6_W_vdeal_VVR(Q6_V_hi_W(last), Q6_V_hi_W(first), -4);
    to.even = Q6_W_vcombine_VV(Q6_V_lo_W(top), Q6_V_lo_W(low));
    to.odd = Q6_W_vcombine_VV(Q6_V_hi_W(top), Q6_V_hi_W(low));
  }
};

template <typename T>
struct Gather<SquaresTop<T>> {
  template <uint32_t, bool, typename Units>
  OPKG_INLINE static void set(SquaresTop<T>&, Units&) {}
};

/// The variance of n (up to 32767) numbers of 16 bits without sign: opkg::hvx::AboutMeans.
OPKG_INLINE Numbers variance(HVX_Vector total, HVX_Vector high, HVX_Vector low, size_t n, const Numbers& share) {
  return AboutMeans(total, high, low, n, share).variance;
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_COLUMNS_WIDE_H_
