// Quotients of floats rounded down, and what they leave, on HVX: exact, then rounded.
#ifndef OPKG_HVX_REMAINDER_H_
#define OPKG_HVX_REMAINDER_H_

#include "opkg/hvx_exactly.h"
#include "opkg/scalar.h"

#if OPKG_HVX_FLOAT

namespace opkg::hvx {

/// `found`, and in the lanes of `apart`, which are few, the function of double precision, one lane after the other.
template <double (*kFunction)(double, double)>
__attribute__((noinline)) HVX_Vector lane_by_lane(HVX_Vector apart, HVX_Vector a, HVX_Vector b, HVX_Vector found) {
  alignas(128) float first[32], second[32], to[32];
  alignas(128) int32_t wanted[32];
  store(first, a);
  store(second, b);
  store(to, found);
  store(wanted, apart);
  for (size_t lane = 0; lane < 32; ++lane) {
    const double x = static_cast<double>(first[lane]), y = static_cast<double>(second[lane]);
    if (wanted[lane] != 0) to[lane] = static_cast<float>(kFunction(x, y));
  }
  return load(to);
}

/// The same, with one number for all lanes.
template <double (*kFunction)(double, double)>
__attribute__((noinline)) HVX_Vector lane_by_lane(HVX_Vector apart, HVX_Vector a, double b, HVX_Vector found) {
  alignas(128) float first[32], to[32];
  alignas(128) int32_t wanted[32];
  store(first, a);
  store(to, found);
  store(wanted, apart);
  for (size_t lane = 0; lane < 32; ++lane) {
    if (wanted[lane] != 0) to[lane] = static_cast<float>(kFunction(static_cast<double>(first[lane]), b));
  }
  return load(to);
}

/// A division whose whole number is exact, and where it is not: from 2^23 on, of infinity and NaN, by 0.
struct Remains {
  FloatDivision of;
  HVX_VectorPred far;
};
OPKG_INLINE Remains remains(HVX_Vector size, HVX_Vector by, HVX_Vector quotient) {
  const HVX_VectorPred many = Q6_Q_not_Q(below(quotient, 0x1p23f));
  const HVX_VectorPred large = Q6_Q_vcmp_gt_VwVw(by, splat_w(kInfinity - 1));
  return {divided(size, by, quotient), Q6_Q_or_QQ(many, large)};
}
OPKG_INLINE Remains remains(HVX_Vector a, HVX_Vector b) {
  const HVX_VectorPred large = Q6_Q_vcmp_gt_VwVw(magnitude_sf(a), splat_sf(0x1p120f));
  const HVX_Vector size = magnitude_sf(a), by = magnitude_sf(b);
  Remains found = remains(size, by, quotient_sf(size, by));
  found.far = Q6_Q_or_QQ(found.far, large);  // whole numbers of b may overflow
  return found;
}
OPKG_INLINE HVX_Vector lanes_of(HVX_VectorPred q) { return choose(q, splat_w(1), Q6_V_vzero()); }

/// a - floor(a / b) * b, with the sign of b.
OPKG_INLINE HVX_Vector modulo_of(HVX_Vector a, HVX_Vector b, Remains division) {
  const HVX_Vector rest = Q6_V_vxor_VV(division.of.rest, sign_bits(Q6_V_vxor_VV(a, b)));
  const HVX_Vector size = choose(below_zero(rest), add_sf(magnitude_sf(b), rest), rest);
  const HVX_Vector found = Q6_V_vor_VV(magnitude_sf(size), sign_bits(b));
  return any(division.far) ? lane_by_lane<modulo>(lanes_of(division.far), a, b, found) : found;
}
OPKG_FLOAT_FUNCTION HVX_Vector modulo_sf(HVX_Vector a, HVX_Vector b) { return modulo_of(a, b, remains(a, b)); }
OPKG_FLOAT_FUNCTION HVX_Vector modulo_steps(HVX_Vector a, HVX_Vector step, HVX_Vector inverse) {
  const HVX_Vector size = magnitude_sf(a);
  return modulo_of(a, step, remains(size, magnitude_sf(step), mul_sf(size, magnitude_sf(inverse))));
}
/// Of a sum or product, modulo 1: what rounding took is less than what the sum is below the next whole number.
OPKG_FLOAT_FUNCTION HVX_Vector modulo_one(HVX_VectorPair a) {
  const HVX_Vector sum = Q6_V_lo_W(a), left = Q6_V_hi_W(a);
  const HVX_VectorPair over = difference_parts(sum, floor_sf(sum));
  const HVX_Vector found = add_sf(Q6_V_lo_W(over), add_sf(Q6_V_hi_W(over), sub_sf(left, trunc_sf(left))));
  return choose(below_zero(found), add_sf(found, splat_sf(1.0f)), found);
}

/// floor(a / b).
OPKG_INLINE HVX_Vector down_of(HVX_Vector a, HVX_Vector b, const Remains& division) {
  const HVX_Vector sign = sign_bits(Q6_V_vxor_VV(a, b)), rest = Q6_V_vxor_VV(division.of.rest, sign);
  const HVX_Vector whole = sub_sf(Q6_V_vxor_VV(division.of.whole, sign), one_where(below_zero(rest)));
  return Q6_V_vor_VV(whole, sign);
}
OPKG_FLOAT_FUNCTION HVX_Vector quotient_down_sf(HVX_Vector a, HVX_Vector b) {
  const Remains division = remains(a, b);
  const HVX_Vector found = down_of(a, b, division);
  return any(division.far) ? lane_by_lane<quotient>(lanes_of(division.far), a, b, found) : found;
}

/// A divisor that is more than a float: the three floats that it is the sum of.
struct LongDivisor {
  double all;
  float first, second, third;
};
constexpr LongDivisor long_divisor(double all) {
  const auto first = static_cast<float>(all);
  const auto second = static_cast<float>(all - static_cast<double>(first));
  return {all, first, second, static_cast<float>(all - static_cast<double>(first) - static_cast<double>(second))};
}
/// What is left of a, all magnitudes: a number and what rounding took of it. Whole numbers are below 2^20: products with the
/// third float are exact then, and the sum has the right sign. It is 0 only where a is, as no float is a multiple of more than
/// 24 bits.
struct LongRemains {
  HVX_Vector whole, rest, small;
  HVX_VectorPred far;
};
OPKG_INLINE LongRemains remains(HVX_Vector a, const LongDivisor& by) {
  const HVX_Vector size = magnitude_sf(a), sign = sign_bits(splat_sf(by.first));
  const HVX_Vector second = Q6_V_vxor_VV(splat_sf(by.second), sign), third = Q6_V_vxor_VV(splat_sf(by.third), sign);
  const HVX_Vector quotient = mul_sf(size, magnitude_sf(splat_sf(1.0f / by.first)));
  const FloatDivision near = divided(size, magnitude_sf(splat_sf(by.first)), quotient);
  const HVX_VectorPair more = product_parts(near.whole, second);
  const HVX_VectorPair left = difference_parts(near.rest, Q6_V_lo_W(more));
  const HVX_Vector small = sub_sf(sub_sf(Q6_V_hi_W(left), Q6_V_hi_W(more)), mul_sf(near.whole, third));
  return {near.whole, Q6_V_lo_W(left), small, Q6_Q_not_Q(below(quotient, 0x1p20f))};
}
OPKG_FLOAT_FUNCTION HVX_Vector modulo_long(HVX_Vector a, const LongDivisor& by) {
  const HVX_Vector b = splat_sf(by.first), second = Q6_V_vxor_VV(splat_sf(by.second), sign_bits(b));
  const LongRemains division = remains(a, by);
  const HVX_Vector sign = sign_bits(Q6_V_vxor_VV(a, b));
  const HVX_Vector rest = Q6_V_vxor_VV(division.rest, sign), small = Q6_V_vxor_VV(division.small, sign);
  const HVX_VectorPair next = sum_parts(magnitude_sf(b), rest);
  const HVX_Vector beyond = add_sf(Q6_V_lo_W(next), add_sf(Q6_V_hi_W(next), add_sf(second, small)));
  const HVX_Vector inside = add_sf(rest, small);
  const HVX_Vector found = Q6_V_vor_VV(magnitude_sf(choose(below_zero(inside), beyond, inside)), sign_bits(b));
  return any(division.far) ? lane_by_lane<modulo>(lanes_of(division.far), a, by.all, found) : found;
}
OPKG_FLOAT_FUNCTION HVX_Vector quotient_down_long(HVX_Vector a, const LongDivisor& by) {
  const LongRemains division = remains(a, by);
  const HVX_Vector found = down_of(a, splat_sf(by.first), {{division.whole, add_sf(division.rest, division.small)}, division.far});
  return any(division.far) ? lane_by_lane<quotient>(lanes_of(division.far), a, by.all, found) : found;
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FLOAT
#endif  // OPKG_HVX_REMAINDER_H_
