// Numbers of 32 rows at a time, one in each word: mantissa and exponent in whole numbers, within 2^-28 per operation. C++17.
#ifndef OPKG_HVX_NUMBERS_H_
#define OPKG_HVX_NUMBERS_H_

#include <cstdint>

#include "opkg/hvx.h"
#include "opkg/hvx_number.h"

#if OPKG_HVX

namespace opkg::hvx {

OPKG_INLINE HVX_Vector at_least(HVX_Vector a, int32_t low) { return Q6_Vw_vmax_VwVw(a, Q6_V_vsplat_R(low)); }
OPKG_INLINE HVX_Vector at_most(HVX_Vector a, int32_t high) { return Q6_Vw_vmin_VwVw(a, Q6_V_vsplat_R(high)); }
OPKG_INLINE HVX_Vector plus(HVX_Vector a, int32_t b) { return Q6_Vw_vadd_VwVw(a, Q6_V_vsplat_R(b)); }
OPKG_INLINE HVX_Vector from(int32_t a, HVX_Vector b) { return Q6_Vw_vsub_VwVw(Q6_V_vsplat_R(a), b); }

/// a * b / 2^31, rounded.
OPKG_INLINE HVX_Vector product31(HVX_Vector a, HVX_Vector b) {
  return Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(Q6_Vw_vmpye_VwVuh(a, b), a, b);
}

/// a * b in 32 bits, b being in the upper halves of its words.
OPKG_INLINE HVX_Vector times_upper(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vmpyio_VwVh(a, b); }

/// The lower half of each word in both halves.
OPKG_INLINE HVX_Vector in_both_halves(HVX_Vector v) { return Q6_Vh_vshuffe_VhVh(v, v); }

/// Whether a condition holds for the first words of a vector.
OPKG_INLINE bool all_words(HVX_VectorPred q, size_t words) {
  return !any(Q6_Q_and_QQn(Q6_Q_vsetq2_R(static_cast<int32_t>(words < 32 ? 4 * words : kBytes)), q));
}

/// mantissa * 2^exponent, as of Number.
struct Numbers {
  static constexpr int32_t kNothing = Number::kNothing;
  static constexpr int32_t kBeyond = 1 << 19;  ///< exponent of what is no number: its results are turned down

  HVX_Vector mantissa, exponent;

  Numbers() = default;
  OPKG_INLINE Numbers(HVX_Vector m, HVX_Vector e) {
    const HVX_Vector room = Q6_Vw_vnormamt_Vw(m);
    mantissa = Q6_Vw_vasl_VwVw(m, room);
    exponent = Q6_V_vmux_QVV(Q6_Q_vcmp_eq_VwVw(m, Q6_V_vzero()), Q6_V_vsplat_R(kNothing), Q6_Vw_vsub_VwVw(e, room));
  }
  /// Whole numbers.
  OPKG_INLINE explicit Numbers(HVX_Vector whole) : Numbers(whole, Q6_V_vzero()) {}
  /// One number for all rows.
  OPKG_INLINE explicit Numbers(const Number& number) : mantissa(Q6_V_vsplat_R(number.mantissa)), exponent(Q6_V_vsplat_R(number.exponent)) {}
  OPKG_INLINE explicit Numbers(double value) : Numbers(Number(value)) {}

  /// The smallest e with |number| <= 2^e.
  OPKG_INLINE HVX_Vector size() const { return plus(exponent, 31); }

  /// number * 2^bits, rounded to whole numbers, which 31 bits hold.
  OPKG_INLINE HVX_Vector whole(HVX_Vector bits) const {
    const HVX_Vector shift = at_most(at_least(from(-1, Q6_Vw_vadd_VwVw(exponent, bits)), 0), 31);
    return Q6_Vw_vasr_VwR(plus(Q6_Vw_vasr_VwVw(mantissa, shift), 1), 1);
  }
};

OPKG_INLINE Numbers operator-(const Numbers& a) {
  Numbers found;
  found.mantissa = Q6_Vw_vsub_VwVw_sat(Q6_V_vzero(), a.mantissa);
  found.exponent = a.exponent;
  return found;
}

/// a * b, whose mantissa may have a bit less than others.
OPKG_INLINE Numbers raw_product(const Numbers& a, const Numbers& b) {
  Numbers found;
  found.mantissa = product31(a.mantissa, b.mantissa);
  found.exponent = plus(Q6_Vw_vadd_VwVw(a.exponent, b.exponent), 31);
  return found;
}

/// Zero keeps the very small exponent of a factor.
OPKG_INLINE Numbers operator*(const Numbers& a, const Numbers& b) {
  const Numbers raw = raw_product(a, b);
  const HVX_Vector room = Q6_Vw_vnormamt_Vw(raw.mantissa);
  Numbers found;
  found.mantissa = Q6_Vw_vasl_VwVw(raw.mantissa, room);
  found.exponent = Q6_Vw_vsub_VwVw(raw.exponent, room);
  return found;
}

OPKG_INLINE Numbers operator+(const Numbers& a, const Numbers& b) {
  const HVX_Vector top = plus(Q6_Vw_vmax_VwVw(a.exponent, b.exponent), 1);
  const HVX_Vector x = Q6_Vw_vasr_VwVw(a.mantissa, at_most(Q6_Vw_vsub_VwVw(top, a.exponent), 31));
  const HVX_Vector y = Q6_Vw_vasr_VwVw(b.mantissa, at_most(Q6_Vw_vsub_VwVw(top, b.exponent), 31));
  return Numbers(Q6_Vw_vadd_VwVw(x, y), top);
}

OPKG_INLINE Numbers operator-(const Numbers& a, const Numbers& b) { return a + -b; }

/// Whether a > b.
OPKG_INLINE HVX_VectorPred larger(const Numbers& a, const Numbers& b) {
  const HVX_Vector top = Q6_Vw_vmax_VwVw(a.exponent, b.exponent);
  const HVX_Vector x = Q6_Vw_vasr_VwVw(a.mantissa, at_most(Q6_Vw_vsub_VwVw(top, a.exponent), 31));
  return Q6_Q_vcmp_gt_VwVw(x, Q6_Vw_vasr_VwVw(b.mantissa, at_most(Q6_Vw_vsub_VwVw(top, b.exponent), 31)));
}

/// Numbers where a condition holds, others elsewhere.
OPKG_INLINE Numbers either(HVX_VectorPred q, const Numbers& a, const Numbers& b) {
  Numbers found;
  found.mantissa = Q6_V_vmux_QVV(q, a.mantissa, b.mantissa);
  found.exponent = Q6_V_vmux_QVV(q, a.exponent, b.exponent);
  return found;
}

/// The larger one of both.
OPKG_INLINE Numbers larger_of(const Numbers& a, const Numbers& b) { return either(larger(a, b), a, b); }

/// |a|
OPKG_INLINE Numbers size_of(const Numbers& a) {
  Numbers found;
  found.mantissa = Q6_Vw_vabs_Vw_sat(a.mantissa);
  found.exponent = a.exponent;
  return found;
}

/// a + b, and by how many bits at most the sum is smaller than its larger part: what that part is off is as much more of it.
OPKG_INLINE Numbers sum_of(const Numbers& a, const Numbers& b, HVX_Vector& lost) {
  const Numbers found = a + b;
  lost = Q6_Vw_vmax_VwVw(lost, Q6_Vw_vsub_VwVw(Q6_Vw_vmax_VwVw(a.exponent, b.exponent), found.exponent));
  return found;
}

/// 1 / x within 2^-28 of itself, by three of Newton's steps.
OPKG_INLINE Numbers inverse(const Numbers& x) {
  const HVX_Vector half = Q6_Vw_vabs_Vw_sat(x.mantissa);                            // 0.5 to 1 in units of 2^-31
  HVX_Vector found = from(1515870810, product31(half, Q6_V_vsplat_R(1010580540)));  // 48 / 17 - 32 / 17 x in units of 2^-29
  for (int32_t i = 0; i < 3; ++i) {
    const HVX_Vector rest = from(INT32_MIN, Q6_Vw_vasl_VwR(product31(half, found), 1));  // 2 - x found in units of 2^-30
    found = Q6_Vw_vasl_VwR(product31(found, rest), 1);
  }
  const HVX_Vector below = Q6_Vw_vasr_VwR(x.mantissa, 31), none = Q6_V_vzero();
  const HVX_Vector power = Q6_V_vmux_QVV(Q6_Q_vcmp_eq_VwVw(x.mantissa, none), Q6_V_vsplat_R(Numbers::kBeyond), from(-60, x.exponent));
  return Numbers(Q6_Vw_vsub_VwVw(Q6_V_vxor_VV(found, below), below), power);
}

/// 1 / sqrt(x) within 2^-27 of itself.
OPKG_INLINE Numbers inverse_root(const Numbers& x) {
  const HVX_Vector odd = Q6_V_vand_VV(plus(x.exponent, 1), Q6_V_vsplat_R(1));
  const HVX_Vector quarter = Q6_Vw_vasr_VwVw(x.mantissa, odd);          // 0.25 to 1 in units of 2^-31
  const HVX_Vector power = Q6_Vw_vadd_VwVw(plus(x.exponent, 31), odd);  // x / 2^power
  // 2.234 - 2.066 x + 0.835 x^2 in units of 2^-29, where x is 0.5 to 1: within 0.0032 of itself. Of x / 2 sqrt(2) times that.
  const HVX_VectorPred twice = Q6_Q_vcmp_gt_VwVw(odd, Q6_V_vzero());
  const auto either = [&](int32_t less, int32_t more) OPKG_INLINE_LAMBDA { return Q6_V_vmux_QVV(twice, Q6_V_vsplat_R(more), Q6_V_vsplat_R(less)); };
  const HVX_Vector slope = Q6_Vw_vsub_VwVw(either(1109286185, 1568767568), product31(x.mantissa, either(448527272, 634313351)));
  HVX_Vector found = Q6_Vw_vsub_VwVw(either(1199341180, 1696124562), product31(x.mantissa, slope));
  for (int32_t i = 0; i < 2; ++i) {
    const HVX_Vector square = product31(product31(found, found), quarter);                  // x found^2 in units of 2^-27
    found = Q6_Vw_vasl_VwR(product31(found, Q6_Vw_vasl_VwR(from(3 << 27, square), 2)), 1);  // found (3 - x found^2) / 2
  }
  const HVX_VectorPred positive = Q6_Q_vcmp_gt_VwVw(x.mantissa, Q6_V_vzero());
  return Numbers(found, Q6_V_vmux_QVV(positive, from(-29, Q6_Vw_vasr_VwR(power, 1)), Q6_V_vsplat_R(Numbers::kBeyond)));
}

/// No less than sqrt(x) (but for 2^-31 of itself), and up to 6.1 % more: half of the exponent, and a line between powers of two.
OPKG_INLINE Numbers above_root(const Numbers& x) {
  const HVX_Vector power = plus(x.exponent, 31), odd = Q6_V_vand_VV(power, Q6_V_vsplat_R(1));
  Numbers found;
  found.mantissa = Q6_Vw_vadd_VwVw(Q6_Vw_vasr_VwR(x.mantissa, 1), Q6_Vw_vasr_VwVw(Q6_V_vsplat_R(1 << 30), odd));
  found.exponent = plus(Q6_Vw_vasr_VwR(Q6_Vw_vadd_VwVw(power, odd), 1), -31);
  return found;
}

/// The variance of n (up to 66051) bytes from their sums and the sums of their squares (without sign), within 2^-27 of itself:
/// taken about the whole number next to the mean, so that little cancels.
OPKG_INLINE Numbers variance(HVX_Vector total, HVX_Vector squares, size_t n, const Numbers& share) {
  const HVX_Vector count = Q6_V_vsplat_R(static_cast<int32_t>(n));
  const HVX_Vector middle = (Numbers(total) * share).whole(Q6_V_vzero());
  const HVX_Vector upper = Q6_Vw_vasl_VwR(middle, 16), all = times_upper(count, upper);
  const HVX_Vector twice = Q6_Vw_vsub_VwVw(Q6_Vw_vadd_VwVw(total, total), all);
  const Numbers about = Numbers(Q6_Vw_vsub_VwVw(squares, times_upper(twice, upper)));
  const Numbers mean = Numbers(Q6_Vw_vsub_VwVw(total, all)) * share;
  return about * share - mean * mean;
}

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
OPKG_INLINE HVX_Vector less_zeros(HVX_Vector total, int64_t zero, size_t n) {
  return plus(total, -static_cast<int32_t>(zero) * static_cast<int32_t>(n));
}
OPKG_INLINE HVX_Vector squares_less_zeros(HVX_Vector squares, HVX_Vector total, int64_t zero, size_t n) {
  const HVX_Vector twice = from(static_cast<int32_t>(zero) * static_cast<int32_t>(n), Q6_Vw_vadd_VwVw(total, total));
  return Q6_Vw_vadd_VwVw(squares, times_upper(twice, Q6_V_vsplat_R(static_cast<int32_t>(zero) << 16)));
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
