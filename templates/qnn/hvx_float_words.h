// Single and half precision in whole numbers, where HVX has no floating point (v66): what IEEE instructions give, rounded
// to nearest even, with infinities, NaN and subnormal numbers.
#ifndef OPKG_HVX_FLOAT_WORDS_H_
#define OPKG_HVX_FLOAT_WORDS_H_

#include "opkg/hvx_bits.h"

#if OPKG_HVX_FLOAT && !OPKG_HVX_FLOAT_UNIT

namespace opkg::hvx {

// Sums, products and conversions are calls: a kernel of a few dozen of them takes compilers minutes where all stand in its loops.
#define OPKG_WORDS inline __attribute__((noinline)) HVX_Vector

// -------------------------------------------------------------------------------------------------- sums and products

/// A number without sign: its significand, with the leading one at bit 23, and its exponent, which is 1 of subnormal numbers.
struct Unpacked {
  HVX_Vector significand, exponent;
};
OPKG_INLINE Unpacked unpacked(HVX_Vector size) {
  const HVX_Vector leading = Q6_V_vor_VV(Q6_V_vand_VV(size, splat_w(0x7fffff)), splat_w(0x800000));
  const HVX_VectorPred subnormal = Q6_Q_vcmp_gt_VwVw(splat_w(0x800000), size);
  return {Q6_V_vmux_QVV(subnormal, size, leading), Q6_Vw_vmax_VwVw(Q6_Vuw_vlsr_VuwR(size, 23), splat_w(1))};
}

/// 1 where a and b differ, else 0.
OPKG_INLINE HVX_Vector differs(HVX_Vector a, HVX_Vector b) {
  return Q6_V_vmux_QVV(Q6_Q_vcmp_eq_VwVw(a, b), Q6_V_vzero(), splat_w(1));
}
/// x >> count, 0 to 31 places; bit 0 says, too, whether anything was lost.
OPKG_INLINE HVX_Vector shifted_down(HVX_Vector x, HVX_Vector count) {
  const HVX_Vector moved = Q6_Vw_vlsr_VwVw(x, count);
  return Q6_V_vor_VV(moved, differs(Q6_Vw_vasl_VwVw(moved, count), x));
}
/// x >> count, to nearest even.
OPKG_INLINE HVX_Vector rounded_down(HVX_Vector x, int32_t count) {
  const HVX_Vector odd = Q6_V_vand_VV(Q6_Vuw_vlsr_VuwR(x, count), splat_w(1));
  const HVX_Vector most = splat_w((1u << (count - 1)) - 1);
  return Q6_Vuw_vlsr_VuwR(Q6_Vw_vadd_VwVw(Q6_Vw_vadd_VwVw(x, most), odd), count);
}
/// The bits of a number: its significand has the leading one at bit 30, which adds 1 to the exponent's field, or below it.
OPKG_INLINE HVX_Vector packed(HVX_Vector significand, HVX_Vector field) {
  const HVX_Vector bits = Q6_Vw_vadd_VwVw(Q6_Vw_vasl_VwR(field, 23), rounded_down(significand, 7));
  return Q6_Vw_vmin_VwVw(bits, splat_w(kInfinity));
}

OPKG_WORDS add_sf(HVX_Vector a, HVX_Vector b) {
  const HVX_VectorPred second = Q6_Q_vcmp_gt_VwVw(magnitude_sf(b), magnitude_sf(a));
  const HVX_Vector x = Q6_V_vmux_QVV(second, b, a), y = Q6_V_vmux_QVV(second, a, b);  // |x| >= |y|
  const HVX_Vector size = magnitude_sf(x);
  const Unpacked most = unpacked(size), least = unpacked(magnitude_sf(y));
  const HVX_Vector apart = Q6_Vw_vmin_VwVw(Q6_Vw_vsub_VwVw(most.exponent, least.exponent), splat_w(31));
  const HVX_Vector one = Q6_Vw_vasl_VwR(most.significand, 6);
  const HVX_Vector other = shifted_down(Q6_Vw_vasl_VwR(least.significand, 6), apart);
  const HVX_VectorPred taken = Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), Q6_V_vxor_VV(x, y));
  const HVX_Vector sum = Q6_V_vmux_QVV(taken, Q6_Vw_vsub_VwVw(one, other), Q6_Vw_vadd_VwVw(one, other));
  const HVX_Vector up =
      Q6_Vw_vmin_VwVw(Q6_Vw_vsub_VwVw(Q6_Vuw_vcl0_Vuw(sum), splat_w(1)), most.exponent);
  const HVX_Vector bits = packed(Q6_Vw_vasl_VwVw(sum, up), Q6_Vw_vsub_VwVw(most.exponent, up));
  // Nothing is left: of zeros, of numbers that cancel, of infinities.
  const HVX_VectorPred none = Q6_Q_vcmp_eq_VwVw(sum, Q6_V_vzero()), special = Q6_Q_vcmp_gt_VwVw(size, splat_w(kInfinity - 1));
  const HVX_Vector found = Q6_V_vmux_QVV(none, sign_bits(Q6_V_vand_VV(x, y)), Q6_V_vor_VV(bits, sign_bits(x)));
  return Q6_V_vmux_QVV(special, Q6_V_vmux_QVV(none, splat_w(kNan), x), found);
}

OPKG_WORDS mul_sf(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector size_of_a = magnitude_sf(a), size_of_b = magnitude_sf(b);
  const Unpacked x = unpacked(size_of_a), y = unpacked(size_of_b);
  const HVX_Vector leading_of_x = Q6_Vw_vsub_VwVw(Q6_Vuw_vcl0_Vuw(x.significand), splat_w(1));
  const HVX_Vector leading_of_y = Q6_Vw_vsub_VwVw(Q6_Vuw_vcl0_Vuw(y.significand), splat_w(1));
  const HVX_Vector left = Q6_Vw_vasl_VwVw(x.significand, leading_of_x), right = Q6_Vw_vasl_VwVw(y.significand, leading_of_y);
  const HVX_VectorPair whole = Q6_W_vmpyoacc_WVwVh(Q6_W_vmpye_VwVuh(left, right), left, right);
  const HVX_Vector product = Q6_V_vor_VV(Q6_V_hi_W(whole), differs(Q6_V_lo_W(whole), Q6_V_vzero()));  // from bit 28 or 29 on
  const HVX_Vector places = Q6_Vw_vsub_VwVw(splat_w(14 - 126), Q6_Vw_vadd_VwVw(leading_of_x, leading_of_y));
  const HVX_Vector exponent = Q6_Vw_vadd_VwVw(Q6_Vw_vadd_VwVw(x.exponent, y.exponent), places);
  const HVX_Vector wanted = Q6_Vw_vmin_VwVw(Q6_Vw_vsub_VwVw(Q6_Vuw_vcl0_Vuw(product), splat_w(1)), exponent);
  const HVX_Vector up = Q6_Vw_vmax_VwVw(wanted, splat_w(0xffffffe1u));  // down where the result is subnormal: -31 at most
  const HVX_Vector moved = Q6_Vw_vasl_VwVw(product, up);
  const HVX_Vector significand = Q6_V_vor_VV(moved, differs(Q6_Vw_vlsr_VwVw(moved, up), product));
  const HVX_Vector field = Q6_Vw_vmax_VwVw(Q6_Vw_vsub_VwVw(exponent, up), Q6_V_vzero());
  const HVX_Vector bits = packed(significand, Q6_Vw_vmin_VwVw(field, splat_w(254)));
  const HVX_Vector largest = Q6_Vw_vmax_VwVw(size_of_a, size_of_b);
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(Q6_Vw_vmin_VwVw(size_of_a, size_of_b), Q6_V_vzero());
  const HVX_VectorPred special = Q6_Q_vcmp_gt_VwVw(largest, splat_w(kInfinity - 1));
  const HVX_Vector found = Q6_V_vmux_QVV(zero, Q6_V_vzero(), bits);
  const HVX_Vector beyond = Q6_V_vmux_QVV(zero, splat_w(kNan), largest);
  return Q6_V_vor_VV(Q6_V_vmux_QVV(special, beyond, found), sign_bits(Q6_V_vxor_VV(a, b)));
}
OPKG_INLINE HVX_Vector sub_sf(HVX_Vector a, HVX_Vector b) { return add_sf(a, neg_sf(b)); }

// ------------------------------------------------------------------------------------------------------------- halves

/// A half in the lower bits of a word as a float: exact.
OPKG_WORDS widened(HVX_Vector half) {
  const HVX_Vector size = Q6_V_vand_VV(half, splat_w(0x7fff)), more = splat_w(112u << 23);
  const HVX_Vector number = Q6_Vw_vadd_VwVw(Q6_Vw_vasl_VwR(size, 13), more);
  const HVX_VectorPred subnormal = Q6_Q_vcmp_gt_VwVw(splat_w(0x400), size);
  const HVX_VectorPred special = Q6_Q_vcmp_gt_VwVw(size, splat_w(0x7bff));
  const HVX_Vector zeros = Q6_Vuw_vcl0_Vuw(size), leading = Q6_Vw_vasl_VwVw(size, Q6_Vw_vsub_VwVw(zeros, splat_w(8)));
  const HVX_Vector exponent = Q6_Vw_vasl_VwR(Q6_Vw_vsub_VwVw(splat_w(133), zeros), 23);
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(size, Q6_V_vzero());
  const HVX_Vector small = Q6_V_vmux_QVV(zero, size, Q6_Vw_vadd_VwVw(exponent, leading));
  const HVX_Vector large = Q6_V_vmux_QVV(special, Q6_Vw_vadd_VwVw(number, more), number);
  const HVX_Vector sign = Q6_Vw_vasl_VwR(Q6_Vw_vsub_VwVw(half, size), 16);
  return Q6_V_vor_VV(Q6_V_vmux_QVV(subnormal, small, large), sign);
}
/// The nearest half of a number without sign, in a word.
OPKG_WORDS narrowed(HVX_Vector size) {
  const Unpacked number = unpacked(size);
  const HVX_Vector below = Q6_Vw_vmin_VwVw(Q6_Vw_vsub_VwVw(splat_w(113), number.exponent), splat_w(31));
  const HVX_VectorPred subnormal = Q6_Q_vcmp_gt_VwVw(splat_w(113u << 23), size);
  const HVX_Vector small = shifted_down(number.significand, below);
  const HVX_Vector wide = Q6_V_vmux_QVV(subnormal, small, Q6_Vw_vsub_VwVw(size, splat_w(112u << 23)));
  const HVX_Vector found = Q6_Vw_vmin_VwVw(rounded_down(wide, 13), splat_w(0x7c00));
  return Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(size, splat_w(kInfinity)), splat_w(0x7fff), found);
}
OPKG_INLINE HVX_VectorPair sf_from_hf(HVX_Vector x) {
  const HVX_VectorPair words = Q6_Wuw_vzxt_Vuh(x);
  return Q6_W_vcombine_VV(widened(Q6_V_hi_W(words)), widened(Q6_V_lo_W(words)));
}
OPKG_INLINE HVX_Vector hf_from_sf(HVX_Vector odd, HVX_Vector even) {
  const HVX_Vector sizes = Q6_Vh_vshuffe_VhVh(narrowed(magnitude_sf(odd)), narrowed(magnitude_sf(even)));
  return Q6_V_vor_VV(sizes, Q6_V_vand_VV(Q6_Vh_vshuffo_VhVh(odd, even), splat_hf(0x8000)));
}

/// A function of floats on both halves of words: sums and products of halves have no other rounding in single precision.
template <typename F>
OPKG_INLINE HVX_Vector of_halves(HVX_Vector a, HVX_Vector b, F function) {
  const HVX_VectorPair x = sf_from_hf(a), y = sf_from_hf(b);
  return hf_from_sf(function(Q6_V_hi_W(x), Q6_V_hi_W(y)), function(Q6_V_lo_W(x), Q6_V_lo_W(y)));
}
OPKG_INLINE HVX_Vector add_hf(HVX_Vector a, HVX_Vector b) { return of_halves(a, b, add_sf); }
OPKG_INLINE HVX_Vector sub_hf(HVX_Vector a, HVX_Vector b) { return of_halves(a, b, sub_sf); }
OPKG_INLINE HVX_Vector mul_hf(HVX_Vector a, HVX_Vector b) { return of_halves(a, b, mul_sf); }
/// Halves times a factor in two parts, high + low.
OPKG_INLINE HVX_Vector scaled_hf(HVX_Vector x, HVX_Vector high, HVX_Vector low) {
  const HVX_VectorPair factor = sf_from_hf(high), rest = sf_from_hf(low), number = sf_from_hf(x);
  const auto scaled = [](HVX_Vector of, HVX_Vector by, HVX_Vector more) OPKG_INLINE_LAMBDA {
    return add_sf(mul_sf(of, by), mul_sf(of, more));
  };
  return hf_from_sf(scaled(Q6_V_hi_W(number), Q6_V_hi_W(factor), Q6_V_hi_W(rest)),
                    scaled(Q6_V_lo_W(number), Q6_V_lo_W(factor), Q6_V_lo_W(rest)));
}

// -------------------------------------------------------------------------------------------------------------- order

/// Whole numbers in the order of floats, and of halves: both zeros are 0.
OPKG_INLINE HVX_Vector place_sf(HVX_Vector x) {
  return Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), x), Q6_Vw_vsub_VwVw(splat_w(0x80000000u), x), x);
}
OPKG_INLINE HVX_Vector place_hf(HVX_Vector x) {
  return Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VhVh(Q6_V_vzero(), x), Q6_Vh_vsub_VhVh(splat_hf(0x8000), x), x);
}
OPKG_INLINE HVX_VectorPred unordered_sf(HVX_Vector a, HVX_Vector b) {
  return nan_sf(Q6_Vw_vmax_VwVw(magnitude_sf(a), magnitude_sf(b)));
}
OPKG_INLINE HVX_VectorPred unordered_hf(HVX_Vector a, HVX_Vector b) {
  return nan_hf(Q6_Vh_vmax_VhVh(magnitude_hf(a), magnitude_hf(b)));
}
OPKG_INLINE HVX_VectorPred over_sf(HVX_Vector a, HVX_Vector b) { return Q6_Q_vcmp_gt_VwVw(place_sf(a), place_sf(b)); }
OPKG_INLINE HVX_VectorPred over_hf(HVX_Vector a, HVX_Vector b) { return Q6_Q_vcmp_gt_VhVh(place_hf(a), place_hf(b)); }
OPKG_INLINE HVX_VectorPred gt_sf(HVX_Vector a, HVX_Vector b) { return Q6_Q_and_QQn(over_sf(a, b), unordered_sf(a, b)); }
OPKG_INLINE HVX_VectorPred gt_hf(HVX_Vector a, HVX_Vector b) { return Q6_Q_and_QQn(over_hf(a, b), unordered_hf(a, b)); }
OPKG_INLINE HVX_VectorPred ge_sf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_not_Q(Q6_Q_or_QQ(over_sf(b, a), unordered_sf(a, b)));
}
OPKG_INLINE HVX_VectorPred ge_hf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_not_Q(Q6_Q_or_QQ(over_hf(b, a), unordered_hf(a, b)));
}
OPKG_INLINE HVX_VectorPred eq_sf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_and_QQn(Q6_Q_vcmp_eq_VwVw(place_sf(a), place_sf(b)), unordered_sf(a, b));
}
OPKG_INLINE HVX_VectorPred eq_hf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_and_QQn(Q6_Q_vcmp_eq_VhVh(place_hf(a), place_hf(b)), unordered_hf(a, b));
}

/// The smaller and the larger of two numbers, -0 below 0; NaN when one is, but for `lower` and `upper`.
OPKG_INLINE HVX_Vector lower_sf(HVX_Vector a, HVX_Vector b) {
  const HVX_VectorPred negative = Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), Q6_V_vand_VV(a, b));
  return Q6_V_vmux_QVV(negative, Q6_Vw_vmax_VwVw(a, b), Q6_Vw_vmin_VwVw(a, b));
}
OPKG_INLINE HVX_Vector upper_sf(HVX_Vector a, HVX_Vector b) {
  const HVX_VectorPred negative = Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), Q6_V_vand_VV(a, b));
  return Q6_V_vmux_QVV(negative, Q6_Vw_vmin_VwVw(a, b), Q6_Vw_vmax_VwVw(a, b));
}
OPKG_INLINE HVX_Vector lower_hf(HVX_Vector a, HVX_Vector b) {
  const HVX_VectorPred negative = Q6_Q_vcmp_gt_VhVh(Q6_V_vzero(), Q6_V_vand_VV(a, b));
  return Q6_V_vmux_QVV(negative, Q6_Vh_vmax_VhVh(a, b), Q6_Vh_vmin_VhVh(a, b));
}
OPKG_INLINE HVX_Vector upper_hf(HVX_Vector a, HVX_Vector b) {
  const HVX_VectorPred negative = Q6_Q_vcmp_gt_VhVh(Q6_V_vzero(), Q6_V_vand_VV(a, b));
  return Q6_V_vmux_QVV(negative, Q6_Vh_vmin_VhVh(a, b), Q6_Vh_vmax_VhVh(a, b));
}
OPKG_INLINE HVX_Vector min_sf(HVX_Vector a, HVX_Vector b) {
  return Q6_V_vmux_QVV(unordered_sf(a, b), splat_w(kNan), lower_sf(a, b));
}
OPKG_INLINE HVX_Vector max_sf(HVX_Vector a, HVX_Vector b) {
  return Q6_V_vmux_QVV(unordered_sf(a, b), splat_w(kNan), upper_sf(a, b));
}
OPKG_INLINE HVX_Vector min_hf(HVX_Vector a, HVX_Vector b) {
  return Q6_V_vmux_QVV(unordered_hf(a, b), splat_hf(0x7fff), lower_hf(a, b));
}
OPKG_INLINE HVX_Vector max_hf(HVX_Vector a, HVX_Vector b) {
  return Q6_V_vmux_QVV(unordered_hf(a, b), splat_hf(0x7fff), upper_hf(a, b));
}

// ------------------------------------------------------------------------------------------------------------- qfloat

/// What is qfloat elsewhere: floats.
struct Qf32 {
  HVX_Vector bits;
};
OPKG_INLINE HVX_Vector to_sf(Qf32 a) { return a.bits; }
OPKG_INLINE Qf32 from_sf(HVX_Vector a) { return {a}; }
OPKG_INLINE Qf32 add(HVX_Vector a, HVX_Vector b) { return {add_sf(a, b)}; }
OPKG_INLINE Qf32 add(Qf32 a, HVX_Vector b) { return {add_sf(a.bits, b)}; }
OPKG_INLINE Qf32 add(Qf32 a, Qf32 b) { return {add_sf(a.bits, b.bits)}; }
OPKG_INLINE Qf32 sub(HVX_Vector a, HVX_Vector b) { return {sub_sf(a, b)}; }
OPKG_INLINE Qf32 sub(Qf32 a, HVX_Vector b) { return {sub_sf(a.bits, b)}; }
OPKG_INLINE Qf32 sub(Qf32 a, Qf32 b) { return {sub_sf(a.bits, b.bits)}; }
OPKG_INLINE Qf32 mul(HVX_Vector a, HVX_Vector b) { return {mul_sf(a, b)}; }
OPKG_INLINE Qf32 mul(Qf32 a, Qf32 b) { return {mul_sf(a.bits, b.bits)}; }

#undef OPKG_WORDS

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FLOAT && !OPKG_HVX_FLOAT_UNIT
#endif  // OPKG_HVX_FLOAT_WORDS_H_
