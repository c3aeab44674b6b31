// Floating point on HVX: functions of 32 floats or 64 halves, through qfloat (v68 and later, no IEEE instructions).
//
// Vectors hold IEEE bits (suffix sf: 32 floats, hf: 64 halves); qfloat lives inside of the functions only. Errors are in
// units of the last place (ulp), the largest that dense samples show on a host whose qfloat rounds like IEEE. HVX rounds
// some steps differently: with one unit of noise in every qfloat result exp_sf, rsqrt_sf and erf_sf stay within 4 ulp,
// log_sf within 6, tanh_sf and sigmoid_sf within 9; what is called exact ends in integer arithmetic and stays exact.
//
// What qfloat has no room for: NaN, infinity, subnormals. Subnormal operands and results count as 0. A result that would be
// NaN or infinite, or of 2^127 and more, has an exponent that `too_large` finds in the bits; so do such operands. Whoever
// calls collects `magnitude_sf` of the operands and results, and computes again what was too large by other means.
#ifndef OPKG_HVX_FLOAT_FUNCTIONS_H_
#define OPKG_HVX_FLOAT_FUNCTIONS_H_

#include "opkg/hvx.h"

// 1: kernels may use HVX floating point. 0: they leave it to the portable code.
#ifndef OPKG_HVX_FLOAT
#if OPKG_HVX && (!defined(__hexagon__) || __HVX_ARCH__ >= 68)
#define OPKG_HVX_FLOAT 1
#else
#define OPKG_HVX_FLOAT 0
#endif
#endif

#if OPKG_HVX_FLOAT

// Functions of many instructions. Inside of a loop HVX keeps their constants in registers; a host only compiles longer.
#if defined(__hexagon__)
#define OPKG_FLOAT_FUNCTION OPKG_INLINE
#else
#define OPKG_FLOAT_FUNCTION __attribute__((noinline)) inline
#endif

namespace opkg::hvx {

/// A function as a call of its own, for kernels that use it on several vectors of a step.
template <auto function, typename... Vectors>
__attribute__((noinline)) HVX_Vector apart(Vectors... v) {
  return function(v...);
}

// ---------------------------------------------------------------------------------------------------- bits and range

OPKG_INLINE HVX_Vector splat_w(uint32_t word) { return Q6_V_vsplat_R(static_cast<int32_t>(word)); }

/// The same number in all lanes.
OPKG_INLINE HVX_Vector splat_sf(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);  // also a constant without a C library
  return splat_w(bits);
}
OPKG_INLINE HVX_Vector splat_hf(uint16_t bits) { return splat_w(bits * 0x10001u); }

OPKG_INLINE HVX_Vector sign_bits(HVX_Vector x) { return Q6_V_vand_VV(x, splat_w(0x80000000u)); }
OPKG_INLINE HVX_Vector magnitude_sf(HVX_Vector x) { return Q6_V_vand_VV(x, splat_w(0x7fffffffu)); }
OPKG_INLINE HVX_Vector magnitude_hf(HVX_Vector x) { return Q6_V_vand_VV(x, splat_hf(0x7fff)); }
OPKG_INLINE HVX_Vector exponent_bits(HVX_Vector x) {  // 0 to 255
  return Q6_Vuw_vlsr_VuwR(magnitude_sf(x), 23);
}

/// Lanes whose magnitude (bits without the sign) is 2^127 or more, infinite or NaN.
OPKG_INLINE HVX_VectorPred too_large(HVX_Vector magnitude) {
  return Q6_Q_vcmp_gt_VwVw(magnitude, splat_w(0x7effffffu));
}
/// The same of halves that are infinite or NaN; lanes of 16 bits.
OPKG_INLINE HVX_VectorPred too_large_hf(HVX_Vector magnitude) {
  return Q6_Q_vcmp_gt_VhVh(magnitude, splat_hf(0x7bff));
}
/// Magnitudes of floats that are to become halves: what is beyond 65504 becomes too large.
OPKG_INLINE HVX_Vector magnitude_for_hf(HVX_Vector x) {
  return Q6_Vw_vadd_VwVw_sat(magnitude_sf(x), splat_w(0x7effffffu - 0x477fe000u));
}

// ------------------------------------------------------------------------------------------------------------ qfloat

/// 32 numbers in the format of the adders and multipliers. A type of its own: the bits mean nothing to IEEE instructions.
struct Qf32 {
  HVX_Vector bits;
};

OPKG_INLINE HVX_Vector to_sf(Qf32 a) { return Q6_Vsf_equals_Vqf32(a.bits); }
OPKG_INLINE Qf32 from_sf(HVX_Vector a) { return {Q6_Vqf32_vadd_VsfVsf(a, Q6_V_vzero())}; }
OPKG_INLINE Qf32 add(HVX_Vector a, HVX_Vector b) { return {Q6_Vqf32_vadd_VsfVsf(a, b)}; }
OPKG_INLINE Qf32 add(Qf32 a, HVX_Vector b) { return {Q6_Vqf32_vadd_Vqf32Vsf(a.bits, b)}; }
OPKG_INLINE Qf32 add(Qf32 a, Qf32 b) { return {Q6_Vqf32_vadd_Vqf32Vqf32(a.bits, b.bits)}; }
OPKG_INLINE Qf32 sub(HVX_Vector a, HVX_Vector b) { return {Q6_Vqf32_vsub_VsfVsf(a, b)}; }
OPKG_INLINE Qf32 sub(Qf32 a, HVX_Vector b) { return {Q6_Vqf32_vsub_Vqf32Vsf(a.bits, b)}; }
OPKG_INLINE Qf32 sub(Qf32 a, Qf32 b) { return {Q6_Vqf32_vsub_Vqf32Vqf32(a.bits, b.bits)}; }
OPKG_INLINE Qf32 mul(HVX_Vector a, HVX_Vector b) { return {Q6_Vqf32_vmpy_VsfVsf(a, b)}; }
OPKG_INLINE Qf32 mul(Qf32 a, Qf32 b) { return {Q6_Vqf32_vmpy_Vqf32Vqf32(a.bits, b.bits)}; }

/// c[first] + c[first + 1] x + c[first + 2] x^2 + ... up to the last coefficient.
template <size_t first = 0, size_t count>
OPKG_INLINE Qf32 polynomial(const float (&c)[count], Qf32 x) {
  if constexpr (first + 1 == count) {
    return from_sf(splat_sf(c[first]));
  } else {
    return add(mul(polynomial<first + 1>(c, x), x), splat_sf(c[first]));
  }
}

// -------------------------------------------------------------------------------------------------------- arithmetic

/// Sum, difference, product: 0.5 ulp.
OPKG_INLINE HVX_Vector add_sf(HVX_Vector a, HVX_Vector b) { return to_sf(add(a, b)); }
OPKG_INLINE HVX_Vector sub_sf(HVX_Vector a, HVX_Vector b) { return to_sf(sub(a, b)); }
OPKG_INLINE HVX_Vector mul_sf(HVX_Vector a, HVX_Vector b) { return to_sf(mul(a, b)); }
/// a b + c and a b - c, the product rounded too.
OPKG_INLINE HVX_Vector mul_add_sf(HVX_Vector a, HVX_Vector b, HVX_Vector c) { return to_sf(add(mul(a, b), c)); }
OPKG_INLINE HVX_Vector mul_sub_sf(HVX_Vector a, HVX_Vector b, HVX_Vector c) { return to_sf(sub(mul(a, b), c)); }

OPKG_INLINE HVX_Vector neg_sf(HVX_Vector x) { return Q6_V_vxor_VV(x, splat_w(0x80000000u)); }
OPKG_INLINE HVX_Vector abs_sf(HVX_Vector x) { return magnitude_sf(x); }
OPKG_INLINE HVX_Vector min_sf(HVX_Vector a, HVX_Vector b) { return Q6_Vsf_vmin_VsfVsf(a, b); }
OPKG_INLINE HVX_Vector max_sf(HVX_Vector a, HVX_Vector b) { return Q6_Vsf_vmax_VsfVsf(a, b); }

OPKG_INLINE HVX_VectorPred gt_sf(HVX_Vector a, HVX_Vector b) { return Q6_Q_vcmp_gt_VsfVsf(a, b); }
OPKG_INLINE HVX_VectorPred ge_sf(HVX_Vector a, HVX_Vector b) { return Q6_Q_not_Q(gt_sf(b, a)); }
OPKG_INLINE HVX_VectorPred eq_sf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_not_Q(Q6_Q_or_QQ(gt_sf(a, b), gt_sf(b, a)));
}

/// -1, 0 or 1.
OPKG_INLINE HVX_Vector sign_sf(HVX_Vector x) {
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(magnitude_sf(x), Q6_V_vzero());
  return Q6_V_vmux_QVV(zero, Q6_V_vzero(), Q6_V_vor_VV(sign_bits(x), splat_sf(1.0f)));
}

// ------------------------------------------------------------------------------------------------------ 64 halves

/// Sum, difference, product: 0.5 ulp of the half.
OPKG_INLINE HVX_Vector add_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_equals_Vqf16(Q6_Vqf16_vadd_VhfVhf(a, b)); }
OPKG_INLINE HVX_Vector sub_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_equals_Vqf16(Q6_Vqf16_vsub_VhfVhf(a, b)); }
OPKG_INLINE HVX_Vector mul_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_equals_Vqf16(Q6_Vqf16_vmpy_VhfVhf(a, b)); }
OPKG_INLINE HVX_Vector neg_hf(HVX_Vector x) { return Q6_V_vxor_VV(x, splat_hf(0x8000)); }
OPKG_INLINE HVX_Vector abs_hf(HVX_Vector x) { return magnitude_hf(x); }
OPKG_INLINE HVX_Vector min_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_vmin_VhfVhf(a, b); }
OPKG_INLINE HVX_Vector max_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_vmax_VhfVhf(a, b); }
OPKG_INLINE HVX_VectorPred gt_hf(HVX_Vector a, HVX_Vector b) { return Q6_Q_vcmp_gt_VhfVhf(a, b); }
OPKG_INLINE HVX_VectorPred ge_hf(HVX_Vector a, HVX_Vector b) { return Q6_Q_not_Q(gt_hf(b, a)); }
OPKG_INLINE HVX_VectorPred eq_hf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_not_Q(Q6_Q_or_QQ(gt_hf(a, b), gt_hf(b, a)));
}
/// Magnitudes of results of qfloat: 2^15 and more becomes too large.
OPKG_INLINE HVX_Vector magnitude_of_qf16(HVX_Vector x) {
  return Q6_Vh_vadd_VhVh_sat(magnitude_hf(x), splat_hf(0x0400));
}

// ------------------------------------------------------------------------------------------------- whole numbers: exact

/// Bits of the significand below the unit; all but the sign when |x| < 1.
OPKG_INLINE HVX_Vector fraction_mask(HVX_Vector x) {
  const HVX_Vector bits = Q6_Vw_vmax_VwVw(Q6_Vw_vsub_VwVw(splat_w(150), exponent_bits(x)), Q6_V_vzero());
  const HVX_Vector count = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(bits, splat_w(23)), splat_w(31), bits);
  return Q6_Vw_vsub_VwVw(Q6_Vw_vasl_VwVw(splat_w(1), count), splat_w(1));
}
OPKG_INLINE HVX_VectorPred below_one(HVX_Vector x) {
  return Q6_Q_vcmp_gt_VwVw(splat_sf(1.0f), magnitude_sf(x));
}
OPKG_INLINE HVX_Vector without(HVX_Vector x, HVX_Vector mask) { return Q6_V_vand_VV(x, Q6_V_vnot_V(mask)); }

OPKG_FLOAT_FUNCTION HVX_Vector trunc_sf(HVX_Vector x) { return without(x, fraction_mask(x)); }

OPKG_FLOAT_FUNCTION HVX_Vector floor_sf(HVX_Vector x) {
  const HVX_Vector mask = fraction_mask(x), negative = Q6_Vw_vasr_VwR(x, 31);
  const HVX_Vector whole = without(Q6_Vw_vadd_VwVw(x, Q6_V_vand_VV(mask, negative)), mask);
  const HVX_VectorPred minus_zero = Q6_Q_vcmp_eq_VwVw(x, splat_w(0x80000000u));
  const HVX_Vector small = Q6_V_vmux_QVV(minus_zero, x, Q6_V_vand_VV(negative, splat_sf(-1.0f)));
  return Q6_V_vmux_QVV(below_one(x), small, whole);
}

OPKG_FLOAT_FUNCTION HVX_Vector ceil_sf(HVX_Vector x) { return neg_sf(floor_sf(neg_sf(x))); }

/// Nearest whole number, halves to even.
OPKG_FLOAT_FUNCTION HVX_Vector round_sf(HVX_Vector x) {
  const HVX_Vector mask = fraction_mask(x), unit = Q6_Vw_vadd_VwVw(mask, splat_w(1));
  const HVX_Vector odd = Q6_V_vmux_QVV(Q6_Q_vcmp_eq_VwVw(Q6_V_vand_VV(x, unit), Q6_V_vzero()), Q6_V_vzero(), splat_w(1));
  const HVX_Vector half = Q6_V_vand_VV(Q6_Vw_vadd_VwVw(Q6_Vuw_vlsr_VuwR(mask, 1), odd), mask);
  const HVX_Vector whole = without(Q6_Vw_vadd_VwVw(x, half), mask);
  const HVX_VectorPred up = Q6_Q_vcmp_gt_VwVw(magnitude_sf(x), splat_sf(0.5f));
  const HVX_Vector small = Q6_V_vmux_QVV(up, splat_sf(1.0f), Q6_V_vzero());
  return Q6_V_vmux_QVV(below_one(x), Q6_V_vor_VV(sign_bits(x), small), whole);
}

/// int32 -> float, rounded to nearest even.
OPKG_FLOAT_FUNCTION HVX_Vector sf_from_w(HVX_Vector x) {
  const HVX_Vector size = Q6_Vw_vabs_Vw(x), zeros = Q6_Vuw_vcl0_Vuw(size);
  const HVX_Vector left = Q6_Vw_vasl_VwVw(size, zeros), kept = Q6_Vuw_vlsr_VuwR(left, 8);
  const HVX_Vector rest = Q6_Vw_vadd_VwVw(Q6_V_vand_VV(left, splat_w(0xff)), Q6_V_vand_VV(kept, splat_w(1)));
  const HVX_Vector up = Q6_Vuw_vlsr_VuwR(Q6_Vw_vadd_VwVw(rest, splat_w(0x7f)), 8);
  const HVX_Vector exponent = Q6_Vw_vasl_VwR(Q6_Vw_vsub_VwVw(splat_w(157), zeros), 23);
  const HVX_Vector bits = Q6_Vw_vadd_VwVw(Q6_Vw_vadd_VwVw(exponent, kept), up);
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(x, Q6_V_vzero());
  return Q6_V_vmux_QVV(zero, x, Q6_V_vor_VV(bits, sign_bits(x)));
}

/// float -> int32, towards zero, saturated.
OPKG_FLOAT_FUNCTION HVX_Vector w_from_sf(HVX_Vector x) {
  const HVX_Vector exponent = exponent_bits(x), negative = Q6_Vw_vasr_VwR(x, 31);
  const HVX_Vector significand = Q6_V_vor_VV(Q6_V_vand_VV(x, splat_w(0x7fffff)), splat_w(0x800000));
  const HVX_Vector right = Q6_Vw_vmin_VwVw(Q6_Vw_vsub_VwVw(splat_w(150), exponent), splat_w(31));
  const HVX_Vector size = Q6_Vw_vlsr_VwVw(significand, right);  // a negative count shifts to the left
  const HVX_Vector whole = Q6_Vw_vsub_VwVw(Q6_V_vxor_VV(size, negative), negative);
  const HVX_Vector limit = Q6_V_vxor_VV(splat_w(0x7fffffff), negative);
  return Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(exponent, splat_w(157)), limit, whole);
}

/// Halves to floats, exact: the even halves in the low vector, the odd ones in the high vector.
OPKG_FLOAT_FUNCTION HVX_VectorPair sf_from_hf(HVX_Vector x) {
  const HVX_VectorPair wide = Q6_Wqf32_vmpy_VhfVhf(x, splat_hf(0x3c00));  // times 1
  return Q6_W_vcombine_VV(Q6_Vsf_equals_Vqf32(Q6_V_hi_W(wide)), Q6_Vsf_equals_Vqf32(Q6_V_lo_W(wide)));
}

/// And back, rounded to nearest: 0.5 ulp of the half.
OPKG_FLOAT_FUNCTION HVX_Vector hf_from_sf(HVX_Vector odd, HVX_Vector even) {
  return Q6_Vhf_equals_Wqf32(Q6_W_vcombine_VV(from_sf(odd).bits, from_sf(even).bits));
}

// ------------------------------------------------------------------------------------- division, roots: exact rounding

/// Coefficients by scripts/fit_hvx_float.py: 1 / m on [1, 2], 1 / sqrt(m) on [1, 4].
constexpr uint32_t kInfinity = 0x7f800000u;
inline constexpr float kReciprocal[] = {2.12121177f, -1.45454502f, 0.323232204f};             // error 1.0e-02
inline constexpr float kRsqrt[] = {1.55618632f, -0.738861859f, 0.194685176f, -0.019050343f};  // error 7.0e-03

/// A number of these bits without sign, if its exponent (biased) is that of a normal number; else 0 or infinite.
OPKG_INLINE HVX_Vector within_range(HVX_Vector size, HVX_Vector exponent, HVX_Vector sign) {
  const HVX_Vector positive = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(exponent, Q6_V_vzero()), size, Q6_V_vzero());
  const HVX_VectorPred large = Q6_Q_vcmp_gt_VwVw(exponent, splat_w(254));
  return Q6_V_vor_VV(Q6_V_vmux_QVV(large, splat_w(kInfinity), positive), sign);
}
/// x 2^n.
OPKG_FLOAT_FUNCTION HVX_Vector scale_sf(HVX_Vector x, HVX_Vector n) {
  const HVX_Vector size = Q6_Vw_vadd_VwVw(magnitude_sf(x), Q6_Vw_vasl_VwR(n, 23));
  return within_range(size, Q6_Vw_vadd_VwVw(exponent_bits(x), n), sign_bits(x));
}
/// Infinite, so that it is computed again, where `undefined` says so.
OPKG_INLINE HVX_Vector unless(HVX_VectorPred undefined, HVX_Vector x) {
  return Q6_V_vmux_QVV(undefined, splat_w(kInfinity), x);
}
OPKG_INLINE HVX_VectorPred vanishes(HVX_Vector size) {  // 0 or subnormal
  return Q6_Q_vcmp_gt_VwVw(splat_w(0x00800000), size);
}
OPKG_INLINE HVX_Vector significand(HVX_Vector x) {  // 2^23 to 2^24 - 1
  return Q6_V_vor_VV(Q6_V_vand_VV(x, splat_w(0x7fffff)), splat_w(0x800000));
}

/// 1 / m of 1 <= m <= 2: 1 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector inverse(HVX_Vector m) {
  const Qf32 q = from_sf(m), one = from_sf(splat_sf(1.0f));
  const HVX_Vector first = to_sf(polynomial(kReciprocal, q));
  const HVX_Vector second = to_sf(add(mul(first, to_sf(sub(one, mul(m, first)))), first));
  return to_sf(add(mul(second, to_sf(sub(one, mul(m, second)))), second));
}
/// 1 / sqrt(m) of 1 <= m < 4: 1 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector inverse_root(HVX_Vector m) {
  const HVX_Vector half_m = mul_sf(m, splat_sf(0.5f));
  const Qf32 half = from_sf(splat_sf(0.5f));
  const HVX_Vector first = to_sf(polynomial(kRsqrt, from_sf(m)));
  const HVX_Vector off = to_sf(sub(half, mul(half_m, mul_sf(first, first))));
  const HVX_Vector second = to_sf(add(mul(first, off), first));
  const HVX_Vector rest = to_sf(sub(half, mul(half_m, mul_sf(second, second))));
  return to_sf(add(mul(second, rest), second));
}

/// Low 32 bits of the product of two words.
OPKG_INLINE HVX_Vector mul_w(HVX_Vector a, HVX_Vector b) {
  return Q6_Vw_vmpyieacc_VwVwVuh(Q6_Vw_vasl_VwR(Q6_Vw_vmpyio_VwVh(a, b), 16), a, b);
}

// Quotients and roots: qfloat gives 24 bits that are off by 7 units at most; 8 less than that is below the result, and
// its last digits come from the exact remainder, in 32 bits.
constexpr uint32_t kSlack = 8;

/// Takes `part` from `rest` and adds `digit` to `whole` where it fits.
OPKG_INLINE void take(HVX_Vector part, uint32_t digit, HVX_Vector& rest, HVX_Vector& whole) {
  const HVX_VectorPred too_much = Q6_Q_vcmp_gt_VwVw(part, rest);
  rest = Q6_Vw_condnac_QnVwVw(too_much, rest, part);
  whole = Q6_Vw_condacc_QnVwVw(too_much, whole, splat_w(digit));
}

/// a / b: exact (rounded to nearest).
OPKG_FLOAT_FUNCTION HVX_Vector div_sf(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector ma = significand(a), mb = significand(b);
  const HVX_VectorPred less = Q6_Q_vcmp_gt_VwVw(mb, ma);  // then twice ma, so that the quotient is at least 1
  const HVX_Vector to_float = Q6_V_vmux_QVV(less, splat_w(0x3f800000u), splat_w(0x3f000000u));
  const HVX_Vector guess = mul_sf(Q6_Vw_vadd_VwVw(ma, to_float), inverse(Q6_Vw_vadd_VwVw(mb, splat_w(0x3f000000u))));
  HVX_Vector whole = Q6_Vw_vsub_VwVw(guess, splat_w(0x3f000000u + kSlack));
  const HVX_Vector dividend = Q6_Vw_vasl_VwVw(ma, Q6_V_vmux_QVV(less, splat_w(24), splat_w(23)));
  HVX_Vector rest = Q6_Vw_vsub_VwVw(dividend, mul_w(whole, mb));
  take(Q6_Vw_vasl_VwR(mb, 3), 8, rest, whole);
  take(Q6_Vw_vasl_VwR(mb, 2), 4, rest, whole);
  take(Q6_Vw_vasl_VwR(mb, 1), 2, rest, whole);
  take(mb, 1, rest, whole);
  take(Q6_Vw_vasr_VwR(mb, 1), 1, rest, whole);  // rounds up from half on: a quotient is never halfway
  const HVX_Vector exponent = Q6_Vw_condnac_QVwVw(
      less, Q6_Vw_vadd_VwVw(Q6_Vw_vsub_VwVw(exponent_bits(a), exponent_bits(b)), splat_w(127)), splat_w(1));
  const HVX_Vector size = Q6_Vw_vadd_VwVw(whole, Q6_Vw_vasl_VwR(Q6_Vw_vsub_VwVw(exponent, splat_w(1)), 23));
  const HVX_Vector sign = sign_bits(Q6_V_vxor_VV(a, b)), a_size = magnitude_sf(a);
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(a_size, Q6_V_vzero());
  const HVX_Vector found = Q6_V_vmux_QVV(zero, sign, unless(vanishes(a_size), within_range(size, exponent, sign)));
  return unless(vanishes(magnitude_sf(b)), found);
}

/// a / b: 2 ulp, in half of the time.
OPKG_FLOAT_FUNCTION HVX_Vector quotient_sf(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector fraction = splat_w(0x7fffff), one = splat_w(0x3f800000);
  const HVX_Vector ma = Q6_V_vor_VV(Q6_V_vand_VV(a, fraction), one), mb = Q6_V_vor_VV(Q6_V_vand_VV(b, fraction), one);
  const HVX_Vector exponent = Q6_Vw_vsub_VwVw(exponent_bits(a), exponent_bits(b));
  const HVX_Vector size = scale_sf(mul_sf(ma, inverse(mb)), exponent);
  const HVX_Vector sign = sign_bits(Q6_V_vxor_VV(a, b)), a_size = magnitude_sf(a);
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(a_size, Q6_V_vzero());
  const HVX_Vector found = Q6_V_vmux_QVV(zero, sign, unless(vanishes(a_size), Q6_V_vor_VV(size, sign)));
  return unless(vanishes(magnitude_sf(b)), found);
}

/// x = m 4^k with 1 <= m < 4.
struct Quarters {
  HVX_Vector m, k;
};
OPKG_INLINE Quarters quarters(HVX_Vector x) {
  const HVX_Vector k = Q6_Vw_vasr_VwR(Q6_Vw_vsub_VwVw(exponent_bits(x), splat_w(127)), 1);
  return {Q6_Vw_vsub_VwVw(magnitude_sf(x), Q6_Vw_vasl_VwR(k, 24)), k};
}

/// 1 / sqrt(x): 1.5 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector rsqrt_sf(HVX_Vector x) {
  const Quarters parts = quarters(x);
  const HVX_Vector found = Q6_Vw_vsub_VwVw(inverse_root(parts.m), Q6_Vw_vasl_VwR(parts.k, 23));
  return unless(vanishes(x), found);  // and negative numbers
}

/// sqrt(x): exact (rounded to nearest).
OPKG_FLOAT_FUNCTION HVX_Vector sqrt_sf(HVX_Vector x) {
  const Quarters parts = quarters(x);
  HVX_Vector whole = Q6_Vw_vsub_VwVw(mul_sf(parts.m, inverse_root(parts.m)), splat_w(0x3f000000u + kSlack));
  const HVX_VectorPred twos = Q6_Q_vcmp_gt_VwVw(parts.m, splat_w(0x3fffffffu));
  const HVX_Vector square = Q6_Vw_vasl_VwVw(significand(x), Q6_V_vmux_QVV(twos, splat_w(24), splat_w(23)));
  HVX_Vector rest = Q6_Vw_vsub_VwVw(square, mul_w(whole, whole));
  take(Q6_Vw_vadd_VwVw(Q6_Vw_vasl_VwR(whole, 4), splat_w(64)), 8, rest, whole);  // (s + 8)^2 - s^2
  take(Q6_Vw_vadd_VwVw(Q6_Vw_vasl_VwR(whole, 3), splat_w(16)), 4, rest, whole);
  take(Q6_Vw_vadd_VwVw(Q6_Vw_vasl_VwR(whole, 2), splat_w(4)), 2, rest, whole);
  take(Q6_Vw_vadd_VwVw(Q6_Vw_vasl_VwR(whole, 1), splat_w(1)), 1, rest, whole);
  take(Q6_Vw_vadd_VwVw(whole, splat_w(1)), 1, rest, whole);  // rounds up beyond (s + 1/2)^2
  const HVX_Vector found = Q6_Vw_vadd_VwVw(whole, Q6_Vw_vasl_VwR(Q6_Vw_vadd_VwVw(parts.k, splat_w(126)), 23));
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(magnitude_sf(x), Q6_V_vzero());
  return Q6_V_vmux_QVV(zero, x, unless(vanishes(x), found));
}

// ------------------------------------------------------------------------------------- exponential and its relatives

/// exp(r) - 1 - r over r^2, (log(1 + f) - f + f^2 / 2) / f^3, (tanh(x) - x) / x^3 and erf(x) / x - 1 in x^2 up to 0.625
/// and 1, log(1 - erf(x)) in x - 1 from 1 to 4.
inline constexpr float kExp[] = {0.499999911f, 0.166665033f, 0.0416688174f, 0.00837082602f, 0.00138003705f};
inline constexpr float kLog[] = {0.333333313f, -0.250008196f, 0.200012416f, -0.166234091f,
                                 0.1420158f, -0.131596103f, 0.127622157f, -0.0763643533f};
inline constexpr float kTanh[] = {-0.333332807f, 0.133314058f, -0.0537365153f, 0.0206281673f, -0.0056922962f};
inline constexpr float kErf[] = {0.128379166f, -0.37612626f, 0.112835787f, -0.0268533472f, 0.0051871622f, -0.00079978531f, 7.80690389e-05f};
inline constexpr float kErfTail[] = {-1.84960556f, -2.63896084f, -0.843239963f, -0.0406296104f, 0.00703134481f,
                                     0.00296828756f, -0.00402808981f, 0.00183349173f, -0.000309415773f};
constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;  // 9 bits: products with exponents are exact

/// A whole number n with |t - n| < 0.52, as float and as int32; |t| < 32767.
struct Whole {
  HVX_Vector number, word;
};
OPKG_FLOAT_FUNCTION Whole nearest(Qf32 t) {
  // Beside 3 * 2^15 the unit of the last place is 2^-7: the lowest 7 bits are the fraction, cut off after adding 1/2.
  const HVX_Vector moved = without(to_sf(add(t, splat_sf(98304.5f))), splat_w(0x7f));
  return {sub_sf(moved, splat_sf(98304.0f)), Q6_Vw_vasr_VwR(Q6_Vw_vsub_VwVw(moved, splat_sf(98304.0f)), 7)};
}
OPKG_INLINE HVX_Vector small_to_sf(HVX_Vector word) {  // |word| < 2^15
  return sub_sf(Q6_Vw_vadd_VwVw(Q6_Vw_vasl_VwR(word, 7), splat_sf(98304.0f)), splat_sf(98304.0f));
}

/// exp(r) of |r| <= 0.36.
OPKG_FLOAT_FUNCTION HVX_Vector exp_near_0(HVX_Vector r) {
  const Qf32 x = from_sf(r);
  return to_sf(add(add(mul(mul(x, x), polynomial(kExp, x)), r), splat_sf(1.0f)));
}

/// e^x: 1 ulp; 0 below 2^-126.
OPKG_FLOAT_FUNCTION HVX_Vector exp_sf(HVX_Vector x) {
  const HVX_Vector near = max_sf(min_sf(x, splat_sf(89.0f)), splat_sf(-104.0f));
  const Whole n = nearest(mul(near, splat_sf(1.44269504f)));
  const HVX_Vector high = sub_sf(near, mul_sf(n.number, splat_sf(kLn2High)));
  const HVX_Vector r = sub_sf(high, mul_sf(n.number, splat_sf(kLn2Low)));
  return scale_sf(exp_near_0(r), n.word);
}

/// x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); `log`: of 1 + f, without f itself.
struct Logarithm {
  HVX_Vector k, f;
  Qf32 log;
};
OPKG_FLOAT_FUNCTION Logarithm logarithm(HVX_Vector size) {
  const HVX_Vector k = Q6_Vw_vasr_VwR(Q6_Vw_vsub_VwVw(size, splat_w(0x3f3504f3)), 23);
  const HVX_Vector f = sub_sf(Q6_Vw_vsub_VwVw(size, Q6_Vw_vasl_VwR(k, 23)), splat_sf(1.0f));
  const Qf32 x = from_sf(f), square = mul(x, x);
  const Qf32 cubic = mul(mul(square, x), polynomial(kLog, x));
  return {small_to_sf(k), f, sub(cubic, mul(square, from_sf(splat_sf(0.5f))))};
}

/// Natural logarithm: 1 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector log_sf(HVX_Vector x) {
  const Logarithm parts = logarithm(x);
  const Qf32 low = add(mul(parts.k, splat_sf(kLn2Low)), parts.log);
  const Qf32 found = add(add(low, parts.f), mul(parts.k, splat_sf(kLn2High)));
  return unless(vanishes(x), to_sf(found));  // and negative numbers
}

/// 1 / (1 + e^-x): 3 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector sigmoid_sf(HVX_Vector x) {
  const HVX_Vector small = exp_sf(Q6_V_vor_VV(x, splat_w(0x80000000u)));  // e^-|x|
  const HVX_Vector high = inverse(add_sf(small, splat_sf(1.0f)));
  return Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), x), mul_sf(high, small), high);
}

/// Hyperbolic tangent: 2.5 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector tanh_sf(HVX_Vector x) {
  const HVX_Vector size = magnitude_sf(x), one = splat_sf(1.0f);
  const HVX_Vector small = exp_sf(mul_sf(min_sf(size, splat_sf(10.0f)), splat_sf(-2.0f)));
  const HVX_Vector far = mul_sf(sub_sf(one, small), inverse(add_sf(one, small)));
  const Qf32 q = from_sf(min_sf(size, one)), square = mul(q, q);
  const HVX_Vector near = to_sf(add(mul(mul(square, q), polynomial(kTanh, square)), q));
  const HVX_Vector found = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(size, splat_sf(0.625f)), far, near);
  return Q6_V_vor_VV(magnitude_sf(found), sign_bits(x));
}

/// Error function: 1.5 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector erf_sf(HVX_Vector x) {
  const HVX_Vector size = min_sf(magnitude_sf(x), splat_sf(4.0f)), one = splat_sf(1.0f);
  const Qf32 beyond = from_sf(sub_sf(max_sf(size, one), one));
  const HVX_Vector far = sub_sf(one, exp_sf(to_sf(polynomial(kErfTail, beyond))));
  const Qf32 q = from_sf(min_sf(size, one));
  const HVX_Vector near = to_sf(add(mul(q, polynomial(kErf, mul(q, q))), q));
  const HVX_Vector found = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(size, one), far, near);
  return Q6_V_vor_VV(magnitude_sf(found), sign_bits(x));
}

/// x to the power of y: 1 + |y| ulp. Negative x: whole y only, else it is computed again, as are subnormal x and 1 / 0.
OPKG_FLOAT_FUNCTION HVX_Vector pow_sf(HVX_Vector x, HVX_Vector y) {
  const HVX_Vector size = magnitude_sf(x);
  const Logarithm parts = logarithm(size);
  const HVX_Vector log2 = mul_sf(to_sf(add(parts.log, parts.f)), splat_sf(1.44269504f));
  const HVX_Vector y_high = without(y, splat_w(0xfff)), y_low = sub_sf(y, y_high);
  const HVX_Vector high = mul_sf(y_high, parts.k);  // exact: 12 bits times 8
  const HVX_Vector low = to_sf(add(mul(y_low, parts.k), mul(y, log2)));
  const HVX_Vector all = add_sf(high, low);
  const Whole n = nearest(from_sf(max_sf(min_sf(all, splat_sf(130.0f)), splat_sf(-151.0f))));
  const HVX_Vector r = mul_sf(add_sf(sub_sf(high, n.number), low), splat_sf(0.693147181f));
  const HVX_Vector power = scale_sf(exp_near_0(r), n.word);
  const HVX_Vector bounded = Q6_V_vmux_QVV(gt_sf(splat_sf(-150.0f), all), Q6_V_vzero(), power);
  const HVX_VectorPred large = gt_sf(all, splat_sf(129.0f));

  const HVX_Vector unit = Q6_Vw_vadd_VwVw(fraction_mask(y), splat_w(1)), y_size = magnitude_sf(y);
  const HVX_VectorPred whole = Q6_Q_vcmp_eq_VwVw(trunc_sf(y), y);
  const HVX_VectorPred even = Q6_Q_or_QQ(Q6_Q_vcmp_eq_VwVw(Q6_V_vand_VV(y, unit), Q6_V_vzero()),
                                         Q6_Q_vcmp_gt_VwVw(y_size, splat_sf(16777215.0f)));
  const HVX_Vector sign = Q6_V_vmux_QVV(even, Q6_V_vzero(), sign_bits(x));
  const HVX_VectorPred negative = Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), x);
  const HVX_VectorPred no_number = Q6_Q_and_QQn(negative, whole);
  const HVX_VectorPred zero = Q6_Q_vcmp_eq_VwVw(size, Q6_V_vzero());
  const HVX_VectorPred to_zero = Q6_Q_and_QQ(zero, Q6_Q_vcmp_gt_VwVw(y, Q6_V_vzero()));
  const HVX_Vector signed_power = Q6_V_vor_VV(unless(large, bounded), sign);
  const HVX_Vector some = unless(Q6_Q_or_QQ(no_number, vanishes(size)), signed_power);
  const HVX_Vector found = Q6_V_vmux_QVV(to_zero, Q6_V_vzero(), some);
  return Q6_V_vmux_QVV(Q6_Q_vcmp_eq_VwVw(y_size, Q6_V_vzero()), splat_sf(1.0f), found);
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FLOAT
#endif  // OPKG_HVX_FLOAT_FUNCTIONS_H_
