// Division, roots, exponential and what is made of it, of 32 floats on HVX: errors in units of the last place (ulp).
//
// Functions take all floats, NaN and infinities and subnormal numbers too, and give what IEEE says of them. Each error is
// the largest of 10^7 numbers and all powers of two, on the model of v68 to v75 and on one that rounds as v79 does
// (scripts/hvx_float_accuracy.py); the coefficients are by scripts/fit_hvx_float.py.
#ifndef OPKG_HVX_MATH_H_
#define OPKG_HVX_MATH_H_

#include "opkg/hvx_lanes.h"

#if OPKG_HVX_FLOAT

namespace opkg::hvx {

constexpr uint32_t kOne = 0x3f800000u, kUnit = 0x00800000u;  // 1.0f, and what one more doubles a number by

OPKG_INLINE HVX_Vector add_w(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vadd_VwVw(a, b); }
OPKG_INLINE HVX_Vector sub_w(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vsub_VwVw(a, b); }
OPKG_INLINE HVX_Vector choose(HVX_VectorPred q, HVX_Vector yes, HVX_Vector no) { return Q6_V_vmux_QVV(q, yes, no); }
OPKG_INLINE HVX_Vector choose(HVX_VectorPred q, float yes, float no) {
  return Q6_V_vmux_QVV(q, splat_sf(yes), splat_sf(no));
}
/// The upper 12 bits of significands: products of two such numbers are exact.
OPKG_INLINE HVX_Vector upper_half(HVX_Vector x) { return Q6_V_vand_VV(x, splat_w(0xfffff000u)); }

/// Lanes below `limit`, magnitudes.
OPKG_INLINE HVX_VectorPred below(HVX_Vector size, float limit) { return Q6_Q_vcmp_gt_VwVw(splat_sf(limit), size); }

/// Lanes with 0 < x < infinity.
OPKG_INLINE HVX_VectorPred ordinary(HVX_Vector x) {
  return Q6_Q_vcmp_gtand_QVwVw(Q6_Q_vcmp_gt_VwVw(x, Q6_V_vzero()), splat_w(kInfinity), x);
}
/// What `limits` say where x is 0, infinite or NaN; NaN where it is below 0.
OPKG_INLINE HVX_Vector unless_ordinary(HVX_Vector x, HVX_Vector limits, HVX_Vector found) {
  const HVX_VectorPred negative = Q6_Q_vcmp_gt_VuwVuw(x, splat_w(0x80000000u));
  return choose(ordinary(x), found, choose(negative, splat_w(kNan), limits));
}

// ---------------------------------------------------------------------------------------------------------- division

inline constexpr float kReciprocal[] = {2.82842255f, -2.93934083f, 1.33102214f, -0.221836999f};  // error 1.7e-03

/// 1 / m of 1 <= m < 2: 0.75 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector inverse(HVX_Vector m) {
  const HVX_Vector y = upper_half(to_sf(polynomial(kReciprocal, m, from_sf(m))));
  const HVX_Vector high = upper_half(m);
  const HVX_Vector off = sub_sf(sub_sf(splat_sf(1.0f), mul_sf(high, y)), mul_sf(sub_sf(m, high), y));
  const HVX_Vector series = to_sf(add(mul(off, off), off));
  return add_sf(y, mul_sf(y, series));
}

/// a / b = quotient * first * second, where nothing overflows or vanishes before it is multiplied with `second`.
struct Ratio {
  HVX_Vector dividend, divisor;  // the divisor from 1 to 2
  HVX_Vector first, second;
};
OPKG_FLOAT_FUNCTION Ratio ratio(HVX_Vector a, HVX_Vector b) {
  const HVX_VectorPred small = below(magnitude_sf(a), 0x1p-66f), tiny = below(magnitude_sf(b), 0x1p-126f);
  const HVX_Vector dividend = mul_sf(a, choose(small, 0x1p63f, 0.5f));
  const HVX_Vector divisor = mul_sf(b, choose(tiny, 0x1p32f, 1.0f));
  // 2^(128 - e) of a divisor from 2^e on, with its sign: infinite of 0, and 0 of infinity.
  const HVX_Vector inverse_power = sub_w(splat_w(kInfinity), Q6_V_vand_VV(divisor, splat_w(0xff800000u)));
  const HVX_Vector m = Q6_V_vor_VV(Q6_V_vand_VV(divisor, splat_w(0x7fffff)), splat_w(kOne));
  const HVX_Vector second = Q6_Vw_condacc_QVwVw(tiny, choose(small, 0x1p-64f, 1.0f), splat_w(32 * kUnit));
  return {dividend, m, keep_nan(b, inverse_power), second};
}

/// a / b: 1.6 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector quotient_sf(HVX_Vector a, HVX_Vector b) {
  const Ratio parts = ratio(a, b);
  return mul_sf(mul_sf(mul_sf(parts.dividend, inverse(parts.divisor)), parts.first), parts.second);
}

/// Takes `part` from `rest` and adds `digit` to `whole` where it fits.
OPKG_INLINE void take(HVX_Vector part, uint32_t digit, HVX_Vector& rest, HVX_Vector& whole) {
  const HVX_VectorPred too_much = Q6_Q_vcmp_gt_VwVw(part, rest);
  rest = Q6_Vw_condnac_QnVwVw(too_much, rest, part);
  whole = Q6_Vw_condacc_QnVwVw(too_much, whole, splat_w(digit));
}
/// Low 32 bits of the product of two words.
OPKG_INLINE HVX_Vector mul_w(HVX_Vector a, HVX_Vector b) {
  return Q6_Vw_vmpyieacc_VwVwVuh(Q6_Vw_vasl_VwR(Q6_Vw_vmpyio_VwVh(a, b), 16), a, b);
}
OPKG_INLINE HVX_Vector significand(HVX_Vector x) {  // 2^23 to 2^24 - 1
  return Q6_V_vor_VV(Q6_V_vand_VV(x, splat_w(kUnit - 1)), splat_w(kUnit));
}

/// a / b: rounded to nearest; twice where the result is subnormal. The product with the inverse is off by 2 units of the
/// last place at most: 2 less is below the quotient, whose last digits come from the remainder, in 32 bits.
OPKG_FLOAT_FUNCTION HVX_Vector div_sf(HVX_Vector a, HVX_Vector b) {
  const Ratio parts = ratio(a, b);
  const HVX_Vector ma = significand(parts.dividend), mb = significand(parts.divisor);
  const HVX_VectorPred less = Q6_Q_vcmp_gt_VwVw(mb, ma);  // then twice ma, so that the quotient is at least 1
  const HVX_Vector to_float = choose(less, splat_w(kOne), splat_w(kOne - kUnit));
  HVX_Vector whole = sub_w(mul_sf(add_w(ma, to_float), inverse(parts.divisor)), splat_w(kOne - kUnit + 2));
  HVX_Vector rest = sub_w(Q6_Vw_vasl_VwVw(ma, choose(less, splat_w(24), splat_w(23))), mul_w(whole, mb));
  take(add_w(mb, mb), 2, rest, whole);
  take(mb, 1, rest, whole);
  take(Q6_Vw_vasr_VwR(mb, 1), 1, rest, whole);  // rounds up from half on: a quotient is never halfway
  const HVX_Vector power = Q6_V_vand_VV(parts.dividend, splat_w(0xff800000u));
  const HVX_Vector found = Q6_Vw_condnac_QVwVw(less, add_w(whole, sub_w(power, splat_w(kUnit))), splat_w(kUnit));
  const HVX_Vector size = sub_w(magnitude_sf(power), splat_w(kUnit));  // 0, infinity and NaN are the largest
  const HVX_VectorPred number = Q6_Q_vcmp_gt_VuwVuw(splat_w(kInfinity - kUnit), size);
  return mul_sf(mul_sf(choose(number, found, parts.dividend), parts.first), parts.second);
}

// ------------------------------------------------------------------------------------------------------------- roots

inline constexpr float kRsqrt[] = {0.500001669f, 0.376076847f, 0.31240651f};  // (1 / sqrt(1 - e) - 1) / e of |e| <= 0.07

/// An estimate of 1 / sqrt(x), within 2^-19; of normal numbers.
OPKG_FLOAT_FUNCTION HVX_Vector near_rsqrt(HVX_Vector x) {
  const HVX_Vector y = sub_w(splat_w(0x5f375a86), Q6_Vuw_vlsr_VuwR(x, 1));
  const HVX_Vector off = sub_sf(splat_sf(1.0f), mul_sf(mul_sf(x, y), y));
  const Qf32 e = from_sf(off);
  return add_sf(y, mul_sf(y, to_sf(mul(polynomial(kRsqrt, off, e), e))));
}

/// 1 / sqrt(x): 1.5 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector rsqrt_sf(HVX_Vector x) {
  const HVX_VectorPred tiny = below(x, 0x1p-126f);
  const HVX_Vector near = mul_sf(x, choose(tiny, 0x1p32f, 1.0f)), y = near_rsqrt(near);
  const HVX_Vector off = sub_sf(splat_sf(1.0f), mul_sf(mul_sf(near, y), y));
  const HVX_Vector better = add_sf(y, mul_sf(sub_w(y, splat_w(kUnit)), off));  // half of y
  const HVX_Vector found = Q6_Vw_condacc_QVwVw(tiny, better, splat_w(16 * kUnit));
  return unless_ordinary(x, sub_w(splat_w(kInfinity), x), found);
}

/// sqrt(x): 0.5001 ulp: one in 100,000 is not the nearest number; exact where the root is.
OPKG_FLOAT_FUNCTION HVX_Vector sqrt_sf(HVX_Vector x) {
  const HVX_VectorPred small = below(x, 0x1p-66f);
  const HVX_Vector near = mul_sf(x, choose(small, 0x1p64f, 1.0f)), y = near_rsqrt(near), root = mul_sf(near, y);
  const HVX_Vector high = upper_half(root), low = sub_sf(root, high);
  const HVX_Vector product = mul_sf(high, low), twice = add_sf(product, product);
  const HVX_Vector rest = sub_sf(sub_sf(sub_sf(near, mul_sf(high, high)), twice), mul_sf(low, low));
  const HVX_Vector found = add_sf(root, mul_sf(rest, sub_w(y, splat_w(kUnit))));
  return unless_ordinary(x, x, Q6_Vw_condnac_QVwVw(small, found, splat_w(32 * kUnit)));
}

// ------------------------------------------------------------------------------------- exponential and its relatives

/// exp(r) - 1 - r over r^2, (log(1 + f) - f + f^2 / 2) / f^3, (tanh(x) - x) / x^3 and erf(x) / x - 1 in x^2 up to 0.625
/// and 1, log(1 - erf(x)) in x - 1 from 1 to 4.
inline constexpr float kExp[] = {0.499999911f, 0.166665033f, 0.0416688174f, 0.00837082602f, 0.00138003705f};
inline constexpr float kLog[] = {0.333339095f, -0.250013351f, 0.199631006f, -0.165776521f, 0.149145082f, -0.14266932f, 0.0870040134f};
inline constexpr float kTanh[] = {-0.333332807f, 0.133314058f, -0.0537365153f, 0.0206281673f, -0.0056922962f};
inline constexpr float kErf[] = {0.128379166f, -0.37612626f, 0.112835787f, -0.0268533472f, 0.0051871622f, -0.00079978531f, 7.80690389e-05f};
inline constexpr float kErfTail[] = {-1.84960556f, -2.63896084f, -0.843239963f, -0.0406296104f, 0.00703134481f,
                                     0.00296828756f, -0.00402808981f, 0.00183349173f, -0.000309415773f};
constexpr float kLog2E = 1.44269504f;
constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;  // 9 bits: products with exponents are exact

/// e^(x + more), `more` if kMore, is y 2^n with 0.7 < y < 1.42, of |x| <= 128 and small `more`; n in the place of exponents.
struct Power {
  HVX_Vector y, n;
};
template <bool kMore = false>
OPKG_FLOAT_FUNCTION Power power_of_e(HVX_Vector x, [[maybe_unused]] HVX_Vector more = Q6_V_vzero()) {
  const HVX_Vector moved = add_sf(mul_sf(x, splat_sf(kLog2E)), splat_sf(kWhole)), n = sub_sf(moved, splat_sf(kWhole));
  const HVX_Vector high = sub_sf(x, mul_sf(n, splat_sf(kLn2High)));  // exact
  const HVX_Vector rest = mul_sf(n, splat_sf(kLn2Low)), low = kMore ? sub_sf(rest, more) : rest;
  const HVX_Vector r = sub_sf(high, low);
  const Qf32 curved = mul(mul(r, r), polynomial(kExp, r, from_sf(r)));
  const HVX_Vector beyond = add_sf(high, sub_sf(to_sf(curved), low));  // r itself is rounded
  return {add_sf(splat_sf(1.0f), beyond), Q6_Vw_vasl_VwR(moved, 23)};
}
/// y 2^n where that is a normal number.
OPKG_INLINE HVX_Vector normal(Power p) { return add_w(p.y, p.n); }
/// And where it may be infinite or subnormal.
OPKG_INLINE HVX_Vector any_size(Power p) {
  const HVX_Vector n = Q6_Vw_vmin_VwVw(Q6_Vw_vmax_VwVw(p.n, splat_w(0u - 100 * kUnit)), splat_w(127 * kUnit));
  return mul_sf(add_w(p.y, n), add_w(sub_w(p.n, n), splat_w(kOne)));
}

/// e^x: 1 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector exp_sf(HVX_Vector x) {
  const HVX_Vector near = lower_sf(upper_sf(x, splat_sf(-105.0f)), splat_sf(89.0f));
  return keep_nan(x, any_size(power_of_e(near)));
}

/// x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); `place`: k in the place of exponents, of normal x.
struct Split {
  HVX_Vector k, f, place;
};
OPKG_FLOAT_FUNCTION Split split(HVX_Vector x) {
  const HVX_VectorPred tiny = below(x, 0x1p-126f);
  const HVX_Vector size = mul_sf(x, choose(tiny, 0x1p24f, 1.0f)), beyond = sub_w(size, splat_w(0x3f3504f3));
  const HVX_Vector place = Q6_V_vand_VV(beyond, splat_w(0xff800000u)), f = sub_sf(sub_w(size, place), splat_sf(1.0f));
  const HVX_Vector moved = add_w(Q6_Vw_vasr_VwR(beyond, 23), choose(tiny, kWhole - 24.0f, kWhole));
  return {sub_sf(moved, splat_sf(kWhole)), f, place};
}

/// 2^-k of `place`, 0 where that is no normal number.
OPKG_INLINE HVX_Vector inverse_power(HVX_Vector place) {
  return Q6_Vw_vmax_VwVw(sub_w(splat_w(kOne), place), Q6_V_vzero());
}

/// log(x), of x + lost if kMore: `lost` is less than a unit of the last place of x.
template <bool kMore = false>
OPKG_FLOAT_FUNCTION HVX_Vector log_of(HVX_Vector x, [[maybe_unused]] HVX_Vector lost = Q6_V_vzero()) {
  const Split parts = split(x);
  const Qf32 f = from_sf(parts.f), half = from_sf(splat_sf(0.5f));
  const HVX_Vector curve = to_sf(sub(half, mul(polynomial(kLog, parts.f, f), f)));
  const HVX_Vector curved = mul_sf(mul_sf(parts.f, parts.f), curve);
  const HVX_Vector rest = sub_sf(curved, mul_sf(parts.k, splat_sf(kLn2Low)));
  const HVX_Vector more = kMore ? mul_sf(lost, inverse_power(parts.place)) : lost;  // beside f
  const HVX_Vector low = kMore ? sub_sf(rest, sub_sf(more, mul_sf(more, parts.f))) : rest;
  const HVX_Vector found = add_sf(mul_sf(parts.k, splat_sf(kLn2High)), sub_sf(parts.f, low));
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(magnitude_sf(x), Q6_V_vzero());
  return unless_ordinary(x, choose(zero, splat_w(0x80000000u | kInfinity), x), found);
}

/// Natural logarithm: 1.7 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector log_sf(HVX_Vector x) { return log_of(x); }

/// log(1 + x): 1.9 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector log1p_sf(HVX_Vector x) {
  const HVX_Vector one = splat_sf(1.0f), sum = add_sf(x, one), size = magnitude_sf(x);
  const HVX_VectorPred small = below(size, 1.0f);
  const HVX_Vector larger = choose(small, one, x), smaller = choose(small, x, one);
  const HVX_Vector lost = sub_sf(smaller, sub_sf(sum, larger));
  return choose(below(size, 0x1p-24f), x, log_of<true>(sum, lost));
}

/// 1 / (1 + e^-x): 2.9 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector sigmoid_sf(HVX_Vector x) {
  const HVX_Vector size = lower_sf(magnitude_sf(x), splat_sf(105.0f));
  const HVX_Vector small = any_size(power_of_e(neg_sf(size)));
  const HVX_Vector high = inverse(add_sf(small, splat_sf(1.0f)));
  const HVX_Vector found = mul_sf(high, choose(Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), x), small, splat_sf(1.0f)));
  return keep_nan(x, found);
}

/// Hyperbolic tangent: 1.5 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector tanh_sf(HVX_Vector x) {
  const HVX_Vector size = lower_sf(magnitude_sf(x), splat_sf(10.0f)), one = splat_sf(1.0f);
  const HVX_Vector small = normal(power_of_e(mul_sf(size, splat_sf(-2.0f))));
  const HVX_Vector part = mul_sf(small, inverse(add_sf(one, small)));
  const HVX_Vector far = sub_sf(one, mul_sf(part, splat_sf(2.0f)));
  const HVX_Vector square = mul_sf(size, size);
  const HVX_Vector curved = mul_sf(square, to_sf(polynomial(kTanh, square, from_sf(square))));
  const HVX_Vector near = add_sf(size, mul_sf(size, curved));
  const HVX_Vector found = choose(below(size, 0.625f), near, far);
  return keep_nan(x, Q6_V_vor_VV(found, sign_bits(x)));
}

/// Error function: 2.3 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector erf_sf(HVX_Vector x) {
  const HVX_Vector size = lower_sf(magnitude_sf(x), splat_sf(4.0f)), one = splat_sf(1.0f);
  const HVX_Vector beyond = sub_sf(upper_sf(size, one), one);
  const HVX_Vector far = sub_sf(one, normal(power_of_e(to_sf(polynomial(kErfTail, beyond, from_sf(beyond))))));
  const HVX_Vector square = mul_sf(size, size);
  const HVX_Vector factor = to_sf(polynomial(kErf, square, from_sf(square)));
  const HVX_Vector near = add_sf(size, mul_sf(size, factor));
  const HVX_Vector found = choose(below(size, 1.0f), near, far);
  return keep_nan(x, Q6_V_vor_VV(found, sign_bits(x)));
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FLOAT
#endif  // OPKG_HVX_MATH_H_
