// Sums that rows or columns have found, of squares and without zero points, as numbers of 32 of them at a time, or of one. C++17.
#ifndef OPKG_HVX_NUMBERS_H_
#define OPKG_HVX_NUMBERS_H_

#include "opkg/hvx_mantissas.h"

#if OPKG_HVX

namespace opkg::hvx {

/// The sum of squares of n (up to 66051) bytes about their mean, from their sums and the sums of their squares (without sign), within
/// 2^-27 of itself: taken about a whole number next to the mean, so that little cancels. `share`: 1 / n.
OPKG_INLINE Numbers squares_about_mean(HVX_Vector total, HVX_Vector squares, size_t n, const Numbers& share) {
  const HVX_Vector count = Q6_V_vsplat_R(static_cast<int32_t>(n));
  const HVX_Vector twice = word::add(total, total);
  const HVX_Vector middle = word::right(product31(word::add(twice, count), share.mantissa), from(-30, share.exponent));
  const HVX_Vector all = word::times_half(count, middle), rest = word::sub(total, all);
  const Numbers about(word::sub(squares, word::times_half(word::add(total, rest), middle)));
  return about - raw_product(Numbers(word::square(rest)), share);
}

/// The same of one row: n times the squares less the square of the sum, which 64 bits hold.
OPKG_INLINE NumbersOf<int32_t> squares_about_mean(int32_t total, int32_t squares, size_t n, const NumbersOf<int32_t>& share) {
  return raw_product(number_of(int64_t{squares} * static_cast<int32_t>(n) - int64_t{total} * total), share);
}

/// The variance of these.
template <typename Word>
OPKG_INLINE NumbersOf<Word> variance(Word total, Word squares, size_t n, const NumbersOf<Word>& share) {
  return squares_about_mean(total, squares, n, share) * share;
}

/// A sum of entries and of what they miss, in units of 2^-16 entries.
OPKG_INLINE Numbers entries_sum(HVX_Vector words, HVX_Vector fractions) { return Numbers(words, Q6_V_vsplat_R(16)) + Numbers(fractions); }
OPKG_INLINE NumbersOf<int32_t> entries_sum(int32_t words, int32_t fractions) { return number_of(int64_t{words} * 65536 + fractions); }

/// The upper halves of the sum of squares of x + 32768, from those of x, and `total`, the sum of x.
OPKG_INLINE HVX_Vector squares_without_sign(HVX_Vector high, HVX_Vector total, size_t n) {
  return plus(Q6_Vw_vadd_VwVw(high, total), static_cast<int32_t>(n) << 14);
}

/// high * 2^16 + low less a * b, which it is not less than. a has 16 bits, b 32, and `low` has no more than 16 bits then.
OPKG_INLINE void less_product(HVX_Vector a, HVX_Vector b, HVX_Vector& high, HVX_Vector& low) {
  const HVX_Vector bits = Q6_V_vsplat_R(0xffff);
  const HVX_Vector lower = Q6_V_lo_W(Q6_Wuw_vmpy_VuhVuh(a, b)), upper = Q6_V_lo_W(Q6_Wuw_vmpy_VuhVuh(a, Q6_Vuw_vlsr_VuwR(b, 16)));
  const HVX_Vector below = Q6_Vw_vsub_VwVw(low, Q6_V_vand_VV(lower, bits));
  const HVX_Vector above = Q6_Vw_vsub_VwVw(Q6_Vw_vsub_VwVw(high, upper), Q6_Vuw_vlsr_VuwR(lower, 16));
  high = Q6_Vw_vadd_VwVw(above, Q6_Vw_vasr_VwR(below, 16));
  low = Q6_V_vand_VV(below, bits);
}

/// As opkg::hvx::AboutMean: n (up to 32767) numbers of 16 bits without sign about the whole number next to their mean, from their
/// sum and that of their squares, which is high * 2^16 + low. Exact, then within 2^-27.
struct AboutMeans {
  HVX_Vector at;  ///< that number
  Numbers rest;   ///< what the mean is above it
  Numbers squares, variance;

  OPKG_INLINE AboutMeans(HVX_Vector total, HVX_Vector high, HVX_Vector low, size_t n, const Numbers& share) {
    at = (Numbers(total) * share).whole(Q6_V_vzero());
    const HVX_Vector over = Q6_Vw_vsub_VwVw(total, times_upper(at, Q6_V_vsplat_R(static_cast<int32_t>(n) << 16)));
    const HVX_Vector by = Q6_Vw_vadd_VwVw(total, over);  // the squares about `at` are those about 0 less at * by
    less_product(at, by, high, low);
    squares = Numbers(high, Q6_V_vsplat_R(16)) + Numbers(low);
    rest = Numbers(over) * share;
    variance = squares * share - rest * rest;
  }
};

/// Sums of numbers less `zero`, and of their squares, from those of the numbers. `zero` has 16 bits, n up to 32767.
template <typename Word>
OPKG_INLINE Word less_zeros(Word total, int64_t zero, size_t n) {
  return plus(total, -static_cast<int32_t>(zero) * static_cast<int32_t>(n));
}
template <typename Word>
OPKG_INLINE Word squares_less_zeros(Word squares, Word total, int64_t zero, size_t n) {
  const Word twice = from(static_cast<int32_t>(zero) * static_cast<int32_t>(n), word::add(total, total));
  return word::add(squares, word::times_half(twice, in_all<Word>(static_cast<int32_t>(zero))));
}

/// The same of 16 bits without sign, n up to 8191: squares are high * 2^16 + low, `total` is the sum of the numbers less 32768.
OPKG_INLINE Numbers squares_less_zeros(HVX_Vector high, HVX_Vector low, HVX_Vector total, int64_t zero, size_t n) {
  const int32_t at = static_cast<int32_t>(zero), count = static_cast<int32_t>(n);
  const HVX_Vector rest = from((at - 65536) * count, Q6_Vw_vadd_VwVw(total, total));  // zero n less twice the sum
  const HVX_Vector every = Q6_V_vsplat_R(at), bits = Q6_V_vsplat_R(0xffff);
  const HVX_Vector lower = Q6_V_lo_W(Q6_Wuw_vmpy_VuhVuh(Q6_V_vand_VV(rest, bits), every));
  high = Q6_Vw_vadd_VwVw(high, times_upper(every, Q6_V_vxor_VV(rest, Q6_V_vand_VV(rest, bits))));
  high = Q6_Vw_vadd_VwVw(high, Q6_Vuw_vlsr_VuwR(lower, 16));
  return Numbers(high, Q6_V_vsplat_R(16)) + Numbers(Q6_Vw_vadd_VwVw(low, Q6_V_vand_VV(lower, bits)));
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_NUMBERS_H_
