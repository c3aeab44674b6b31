// What exact sums, products and quotients of floats decide on HVX: comparisons, whole numbers, remainders.
//
// A sum or product is a pair of vectors: the rounded number in the low one, and in the high one what rounding took from
// it, a float too, or its sign. `add_sf` and `mul_sf` round right on all machines, and
// all that follows hangs on that alone.
#ifndef OPKG_HVX_EXACTLY_H_
#define OPKG_HVX_EXACTLY_H_

#include "opkg/hvx_math.h"

#if OPKG_HVX_FLOAT

namespace opkg::hvx {

/// The nearest number of 12 bits: what is left of x has 12 bits, too.
OPKG_INLINE HVX_Vector leading(HVX_Vector x) { return upper_half(add_w(x, splat_w(0x800))); }

/// a * b - product.
OPKG_INLINE HVX_Vector product_rest(HVX_Vector a, HVX_Vector b, HVX_Vector product) {
  const HVX_Vector a0 = leading(a), b0 = leading(b), a1 = sub_sf(a, a0), b1 = sub_sf(b, b0);
  const HVX_Vector high = sub_sf(mul_sf(a0, b0), product), middle = add_sf(add_sf(high, mul_sf(a0, b1)), mul_sf(a1, b0));
  return add_sf(middle, mul_sf(a1, b1));
}

OPKG_INLINE HVX_VectorPair parts(HVX_Vector number, HVX_Vector rest) { return Q6_W_vcombine_VV(rest, number); }

/// a * b, for whole numbers next to it: no part of a product of 1 or more vanishes. Of numbers so small that the product is 0 the
/// rest is the smaller one, with the product's sign.
OPKG_FLOAT_FUNCTION HVX_VectorPair product_parts(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector product = mul_sf(a, b), none = Q6_V_vzero();
  const HVX_Vector least = Q6_Vw_vmin_VwVw(magnitude_sf(a), magnitude_sf(b));
  const HVX_Vector vanished = Q6_V_vor_VV(least, sign_bits(product));
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(magnitude_sf(product), none);
  return parts(product, choose(zero, vanished, product_rest(a, b, product)));
}

/// The least number, with the sign of `like`: of what is too small for a float.
OPKG_INLINE HVX_Vector least_like(HVX_Vector like) { return Q6_V_vor_VV(sign_bits(like), splat_w(1)); }

/// a * b, for comparisons: below 2^-100 the rest may be too small for a float, and is the least number with its sign.
OPKG_FLOAT_FUNCTION HVX_VectorPair compared_product(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector product = mul_sf(a, b), none = Q6_V_vzero();
  const HVX_VectorPred small = below(magnitude_sf(product), 0x1p-100f);
  const HVX_Vector up = choose(small, 0x1p50f, 1.0f);  // of both factors: nothing overflows
  const HVX_Vector rest = product_rest(mul_sf(a, up), mul_sf(b, up), mul_sf(mul_sf(product, up), up));
  const HVX_Vector least = Q6_Vw_vmin_VwVw(magnitude_sf(a), magnitude_sf(b));
  const HVX_Vector any_rest = choose(Q6_Q_vcmp_eq_VwVw(magnitude_sf(product), none), Q6_V_vor_VV(least, sign_bits(product)), rest);
  const HVX_Vector sign = choose(Q6_Q_vcmp_eq_VwVw(magnitude_sf(any_rest), none), none, least_like(any_rest));
  return parts(product, choose(small, sign, rest));
}
/// a + b.
OPKG_INLINE HVX_VectorPair sum_parts(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector sum = add_sf(a, b), second = sub_sf(sum, a), first = sub_sf(sum, second);
  return parts(sum, add_sf(sub_sf(a, first), sub_sf(b, second)));
}
OPKG_INLINE HVX_VectorPair difference_parts(HVX_Vector a, HVX_Vector b) { return sum_parts(a, neg_sf(b)); }
/// A sum and one number more: the nearest number, and the sign of what is left.
OPKG_INLINE HVX_VectorPair more_parts(HVX_VectorPair a, HVX_Vector b) {
  const HVX_VectorPair sum = sum_parts(Q6_V_lo_W(a), b), small = sum_parts(Q6_V_hi_W(sum), Q6_V_hi_W(a));
  const HVX_VectorPair found = sum_parts(Q6_V_lo_W(sum), Q6_V_lo_W(small));
  const HVX_Vector nearest = choose(nan_sf(Q6_V_lo_W(found)), Q6_V_lo_W(sum), Q6_V_lo_W(found));  // infinity
  return parts(nearest, add_sf(Q6_V_hi_W(found), Q6_V_hi_W(small)));
}
/// The same of compared_product(): a rest that is too small for a float counts where nothing else is left.
OPKG_INLINE HVX_VectorPair compared_more(HVX_VectorPair a, HVX_Vector b) {
  const HVX_Vector rest = Q6_V_hi_W(a), none = Q6_V_vzero();
  const HVX_VectorPred least = Q6_Q_vcmp_eq_VwVw(magnitude_sf(rest), splat_w(1));
  const HVX_VectorPair found = more_parts(parts(Q6_V_lo_W(a), choose(least, none, rest)), b);
  const HVX_VectorPred all = Q6_Q_and_QQ(least, Q6_Q_vcmp_eq_VwVw(magnitude_sf(Q6_V_hi_W(found)), none));
  return parts(Q6_V_lo_W(found), choose(all, rest, Q6_V_hi_W(found)));
}
OPKG_INLINE HVX_VectorPair neg_parts(HVX_VectorPair a) { return parts(neg_sf(Q6_V_lo_W(a)), neg_sf(Q6_V_hi_W(a))); }
/// Of the rest where the number is 0.
OPKG_INLINE HVX_Vector sign_of_parts(HVX_VectorPair a) {
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(magnitude_sf(Q6_V_lo_W(a)), Q6_V_vzero());
  return sign_bits(Q6_V_vor_VV(Q6_V_lo_W(a), choose(zero, Q6_V_hi_W(a), Q6_V_vzero())));
}
OPKG_INLINE HVX_VectorPair abs_parts(HVX_VectorPair a) {
  return parts(magnitude_sf(Q6_V_lo_W(a)), Q6_V_vxor_VV(Q6_V_hi_W(a), sign_of_parts(a)));
}

// ------------------------------------------------------------------------------------------------------- comparisons

OPKG_INLINE HVX_VectorPred above_zero(HVX_Vector x) { return Q6_Q_vcmp_gt_VwVw(x, Q6_V_vzero()); }
OPKG_INLINE HVX_VectorPred below_zero(HVX_Vector x) { return Q6_Q_vcmp_gt_VuwVuw(x, splat_w(0x80000000u)); }

/// Against a number: above it, below it, the same.
OPKG_INLINE HVX_VectorPred gt_parts(HVX_VectorPair a, HVX_Vector b) {
  const HVX_VectorPred rest = Q6_Q_and_QQ(eq_sf(Q6_V_lo_W(a), b), above_zero(Q6_V_hi_W(a)));
  return Q6_Q_or_QQ(gt_sf(Q6_V_lo_W(a), b), rest);
}
OPKG_INLINE HVX_VectorPred lt_parts(HVX_VectorPair a, HVX_Vector b) { return gt_parts(neg_parts(a), neg_sf(b)); }
OPKG_INLINE HVX_VectorPred eq_parts(HVX_VectorPair a, HVX_Vector b) {
  return Q6_Q_and_QQ(eq_sf(Q6_V_lo_W(a), b), Q6_Q_vcmp_eq_VwVw(magnitude_sf(Q6_V_hi_W(a)), Q6_V_vzero()));
}
OPKG_INLINE HVX_VectorPred ge_parts(HVX_VectorPair a, HVX_Vector b) { return Q6_Q_or_QQ(gt_parts(a, b), eq_parts(a, b)); }
OPKG_INLINE HVX_VectorPred le_parts(HVX_VectorPair a, HVX_Vector b) { return ge_parts(neg_parts(a), neg_sf(b)); }

// ----------------------------------------------------------------------------------------------------- whole numbers

/// The whole number next to a magnitude, of two as near the even one; itself from 2^23 on.
OPKG_INLINE HVX_Vector nearest_whole(HVX_Vector size) {
  const HVX_Vector unit = splat_sf(0x1p23f);
  return choose(below(size, 0x1p23f), sub_sf(add_sf(size, unit), unit), size);
}

/// An exact number: `sign` of its `whole` + a rest that is at most a half, whose sign `rest` has. `less`, `more`: where
/// the next whole number is nearer, or as near and even.
struct NearWhole {
  HVX_Vector sign, whole, rest;
  HVX_VectorPred less, more;
};

/// Of a sum or product.
OPKG_INLINE NearWhole beside(HVX_VectorPair a) {
  const HVX_Vector sign = sign_bits(Q6_V_lo_W(a)), size = magnitude_sf(Q6_V_lo_W(a)), left = Q6_V_vxor_VV(Q6_V_hi_W(a), sign);
  const HVX_Vector whole = nearest_whole(size), over = sub_sf(size, whole);
  const HVX_VectorPred less = Q6_Q_and_QQ(Q6_Q_vcmp_eq_VwVw(over, splat_sf(-0.5f)), below_zero(left));
  const HVX_VectorPred more = Q6_Q_and_QQ(Q6_Q_vcmp_eq_VwVw(over, splat_sf(0.5f)), above_zero(left));
  return {sign, whole, add_sf(over, left), less, more};
}

/// a / b, both magnitudes, of which `quotient` is the nearest number but two at most: the nearest whole number, and what
/// is left of a, exactly.
struct FloatDivision {
  HVX_Vector whole, rest;
};
OPKG_INLINE FloatDivision divided(HVX_Vector a, HVX_Vector b, HVX_Vector quotient) {
  HVX_Vector whole = nearest_whole(quotient), product = mul_sf(whole, b);
  HVX_Vector rest = sub_sf(sub_sf(a, product), product_rest(whole, b, product));
  for (int i = 0; i < 2; ++i) {
    const HVX_VectorPred far = Q6_Q_vcmp_gt_VwVw(magnitude_sf(add_sf(rest, rest)), b);
    const HVX_Vector sign = sign_bits(rest), none = Q6_V_vzero();
    whole = add_sf(whole, choose(far, Q6_V_vor_VV(splat_sf(1.0f), sign), none));
    rest = sub_sf(rest, choose(far, Q6_V_vor_VV(b, sign), none));
  }
  return {whole, rest};
}
OPKG_INLINE NearWhole beside(HVX_Vector sign, HVX_Vector b, FloatDivision size, HVX_Vector more = Q6_V_vzero()) {
  const HVX_Vector twice = magnitude_sf(add_sf(size.rest, size.rest)), unit = splat_sf(0x1p23f);
  const HVX_Vector last = Q6_V_vxor_VV(add_sf(size.whole, unit), add_sf(magnitude_sf(more), unit));
  const HVX_Vector odd = Q6_V_vand_VV(last, splat_w(1));
  const HVX_VectorPred tie = Q6_Q_and_QQ(Q6_Q_vcmp_eq_VwVw(twice, b), above_zero(odd));
  return {sign, size.whole, size.rest, Q6_Q_and_QQ(tie, below_zero(size.rest)),
          Q6_Q_and_QQ(tie, above_zero(size.rest))};
}
/// a / b. Halves go where the sum with `more` is even.
OPKG_INLINE NearWhole quotient_beside(HVX_Vector a, HVX_Vector b, HVX_Vector more = Q6_V_vzero()) {
  const HVX_VectorPred large = Q6_Q_vcmp_gt_VwVw(magnitude_sf(a), splat_sf(0x1p120f));
  const HVX_Vector factor = choose(large, 0x1p-4f, 1.0f);  // nothing overflows
  const HVX_Vector size = mul_sf(magnitude_sf(a), factor), by = mul_sf(magnitude_sf(b), factor);
  const HVX_Vector quotient = quotient_sf(size, by);
  const HVX_VectorPred infinite = Q6_Q_vcmp_eq_VwVw(by, splat_w(kInfinity));
  const FloatDivision found = divided(size, by, quotient);
  const FloatDivision kept = {choose(infinite, quotient, found.whole), choose(infinite, Q6_V_vzero(), found.rest)};
  return beside(sign_bits(Q6_V_vxor_VV(a, b)), by, kept, more);
}
/// a / step, of which the inverse is known: both from 10^-37 to 10^37.
OPKG_INLINE NearWhole steps_beside(HVX_Vector a, HVX_Vector step, HVX_Vector inverse, HVX_Vector more = Q6_V_vzero()) {
  const HVX_Vector size = magnitude_sf(a), by = magnitude_sf(step);
  return beside(sign_bits(Q6_V_vxor_VV(a, step)), by, divided(size, by, mul_sf(size, magnitude_sf(inverse))), more);
}

OPKG_INLINE HVX_Vector one_where(HVX_VectorPred q) { return choose(q, splat_sf(1.0f), Q6_V_vzero()); }
OPKG_INLINE HVX_Vector floor_of(const NearWhole& x) {
  const HVX_VectorPred below = below_zero(Q6_V_vxor_VV(x.rest, x.sign));
  return Q6_V_vor_VV(x.sign, sub_sf(Q6_V_vxor_VV(x.whole, x.sign), one_where(below)));
}
OPKG_INLINE HVX_Vector ceil_of(const NearWhole& x) {
  const HVX_VectorPred above = above_zero(Q6_V_vxor_VV(x.rest, x.sign));
  return Q6_V_vor_VV(x.sign, add_sf(Q6_V_vxor_VV(x.whole, x.sign), one_where(above)));
}
OPKG_INLINE HVX_Vector trunc_of(const NearWhole& x) {
  return Q6_V_vor_VV(x.sign, sub_sf(x.whole, one_where(below_zero(x.rest))));
}
OPKG_INLINE HVX_Vector round_of(const NearWhole& x) {
  return Q6_V_vor_VV(x.sign, sub_sf(add_sf(x.whole, one_where(x.more)), one_where(x.less)));
}

/// Of sums and products; of quotients; of quotients whose divisor's inverse is known.
OPKG_FLOAT_FUNCTION HVX_Vector floor_parts(HVX_VectorPair a) { return floor_of(beside(a)); }
OPKG_FLOAT_FUNCTION HVX_Vector ceil_parts(HVX_VectorPair a) { return ceil_of(beside(a)); }
OPKG_FLOAT_FUNCTION HVX_Vector trunc_parts(HVX_VectorPair a) { return trunc_of(beside(a)); }
OPKG_FLOAT_FUNCTION HVX_Vector round_parts(HVX_VectorPair a) { return round_of(beside(a)); }
OPKG_FLOAT_FUNCTION HVX_Vector floor_quotient(HVX_Vector a, HVX_Vector b) { return floor_of(quotient_beside(a, b)); }
OPKG_FLOAT_FUNCTION HVX_Vector ceil_quotient(HVX_Vector a, HVX_Vector b) { return ceil_of(quotient_beside(a, b)); }
OPKG_FLOAT_FUNCTION HVX_Vector trunc_quotient(HVX_Vector a, HVX_Vector b) { return trunc_of(quotient_beside(a, b)); }
OPKG_FLOAT_FUNCTION HVX_Vector round_quotient(HVX_Vector a, HVX_Vector b) { return round_of(quotient_beside(a, b)); }
OPKG_FLOAT_FUNCTION HVX_Vector floor_steps(HVX_Vector a, HVX_Vector step, HVX_Vector inverse) {
  return floor_of(steps_beside(a, step, inverse));
}
OPKG_FLOAT_FUNCTION HVX_Vector ceil_steps(HVX_Vector a, HVX_Vector step, HVX_Vector inverse) {
  return ceil_of(steps_beside(a, step, inverse));
}
OPKG_FLOAT_FUNCTION HVX_Vector trunc_steps(HVX_Vector a, HVX_Vector step, HVX_Vector inverse) {
  return trunc_of(steps_beside(a, step, inverse));
}
OPKG_FLOAT_FUNCTION HVX_Vector round_steps(HVX_Vector a, HVX_Vector step, HVX_Vector inverse) {
  return round_of(steps_beside(a, step, inverse));
}

/// The nearest whole number to a / step + whole, and to a / b + whole, halves to even.
OPKG_FLOAT_FUNCTION HVX_Vector round_steps_from(HVX_Vector a, HVX_Vector step, HVX_Vector inverse, HVX_Vector whole) {
  return add_sf(round_of(steps_beside(a, step, inverse, whole)), whole);
}
OPKG_FLOAT_FUNCTION HVX_Vector round_quotient_from(HVX_Vector a, HVX_Vector b, HVX_Vector whole) {
  return add_sf(round_of(quotient_beside(a, b, whole)), whole);
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FLOAT
#endif  // OPKG_HVX_EXACTLY_H_
