// Floating point on HVX (v68 and later): sums, comparisons, whole numbers, conversions of 32 floats or 64 halves.
//
// Vectors hold IEEE bits (suffix sf: 32 floats, hf: 64 halves). v68 to v75 have IEEE instructions, which round to nearest
// even and know infinities, NaN and subnormal numbers, and qfloat, which does none of that: nothing is exact there but 0
// and x - x, and errors are units of the last place of the larger of operands and result. From v79 on there is qfloat
// only, and it rounds as IEEE does. So results are made by what rounds right on the machine at hand (OPKG_HVX_IEEE);
// qfloat that rounds otherwise is for small terms: its adder takes the shift unit, IEEE's half of a multiplier.
#ifndef OPKG_HVX_LANES_H_
#define OPKG_HVX_LANES_H_

#include "opkg/hvx.h"

// 1: kernels may use HVX floating point. 0: they leave it to the portable code.
#ifndef OPKG_HVX_FLOAT
#if OPKG_HVX && (!defined(__hexagon__) || __HVX_ARCH__ >= 68)
#define OPKG_HVX_FLOAT 1
#else
#define OPKG_HVX_FLOAT 0
#endif
#endif

// 1: sums and products by IEEE instructions (v68 to v75; clang 20 and later want -mhvx-ieee-fp). 0: by qfloat (v79, and a
// host that takes the part of it).
#ifndef OPKG_HVX_IEEE
#if (defined(__HVX_ARCH__) && __HVX_ARCH__ >= 79) || (defined(OPKG_HVX_QFLOAT) && OPKG_HVX_QFLOAT >= 79)
#define OPKG_HVX_IEEE 0
#else
#define OPKG_HVX_IEEE 1
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

// -------------------------------------------------------------------------------------------------------------- bits

OPKG_INLINE HVX_Vector splat_w(uint32_t word) { return Q6_V_vsplat_R(static_cast<int32_t>(word)); }

/// The same number in all lanes.
OPKG_INLINE HVX_Vector splat_sf(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);  // also a constant without a C library
  return splat_w(bits);
}
OPKG_INLINE HVX_Vector splat_hf(uint16_t bits) { return splat_w(bits * 0x10001u); }

constexpr uint32_t kInfinity = 0x7f800000u, kNan = 0x7fffffffu;

OPKG_INLINE HVX_Vector sign_bits(HVX_Vector x) { return Q6_V_vand_VV(x, splat_w(0x80000000u)); }
OPKG_INLINE HVX_Vector magnitude_sf(HVX_Vector x) { return Q6_V_vand_VV(x, splat_w(0x7fffffffu)); }
OPKG_INLINE HVX_Vector magnitude_hf(HVX_Vector x) { return Q6_V_vand_VV(x, splat_hf(0x7fff)); }
OPKG_INLINE HVX_Vector exponent_bits(HVX_Vector x) {  // 0 to 255
  return Q6_Vuw_vlsr_VuwR(magnitude_sf(x), 23);
}
OPKG_INLINE HVX_VectorPred nan_sf(HVX_Vector x) { return Q6_Q_vcmp_gt_VwVw(magnitude_sf(x), splat_w(kInfinity)); }
OPKG_INLINE HVX_VectorPred nan_hf(HVX_Vector x) { return Q6_Q_vcmp_gt_VhVh(magnitude_hf(x), splat_hf(0x7c00)); }
/// NaN where x is NaN.
OPKG_INLINE HVX_Vector keep_nan(HVX_Vector x, HVX_Vector result) {
  return Q6_V_vmux_QVV(nan_sf(x), splat_w(kNan), result);
}

// ------------------------------------------------------------------------------------------------------------ qfloat

/// 32 numbers in the format of qfloat. A type of its own: the bits mean nothing to other instructions.
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

/// c[first] + c[first + 1] x + ... up to the last coefficient, at least two of them; q is x in qfloat.
template <size_t first = 0, size_t count>
OPKG_INLINE Qf32 polynomial(const float (&c)[count], HVX_Vector x, Qf32 q) {
  if constexpr (first + 2 == count) {
    return add(mul(splat_sf(c[first + 1]), x), splat_sf(c[first]));
  } else {
    return add(mul(polynomial<first + 1>(c, x, q), q), splat_sf(c[first]));
  }
}

// -------------------------------------------------------------------------------------------------------- arithmetic

/// Sum, difference, product of floats and of halves: rounded to nearest even.
#if OPKG_HVX_IEEE
OPKG_INLINE HVX_Vector add_sf(HVX_Vector a, HVX_Vector b) { return Q6_Vsf_vadd_VsfVsf(a, b); }
OPKG_INLINE HVX_Vector sub_sf(HVX_Vector a, HVX_Vector b) { return Q6_Vsf_vsub_VsfVsf(a, b); }
OPKG_INLINE HVX_Vector mul_sf(HVX_Vector a, HVX_Vector b) { return Q6_Vsf_vmpy_VsfVsf(a, b); }
OPKG_INLINE HVX_Vector add_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_vadd_VhfVhf(a, b); }
OPKG_INLINE HVX_Vector sub_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_vsub_VhfVhf(a, b); }
OPKG_INLINE HVX_Vector mul_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_vmpy_VhfVhf(a, b); }
#else
OPKG_INLINE HVX_Vector add_sf(HVX_Vector a, HVX_Vector b) { return to_sf(add(a, b)); }
OPKG_INLINE HVX_Vector sub_sf(HVX_Vector a, HVX_Vector b) { return to_sf(sub(a, b)); }
OPKG_INLINE HVX_Vector mul_sf(HVX_Vector a, HVX_Vector b) { return to_sf(mul(a, b)); }
OPKG_INLINE HVX_Vector add_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_equals_Vqf16(Q6_Vqf16_vadd_VhfVhf(a, b)); }
OPKG_INLINE HVX_Vector sub_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_equals_Vqf16(Q6_Vqf16_vsub_VhfVhf(a, b)); }
OPKG_INLINE HVX_Vector mul_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_equals_Vqf16(Q6_Vqf16_vmpy_VhfVhf(a, b)); }
#endif
/// Halves times a factor in two parts, high + low, rounded once.
#if OPKG_HVX_IEEE
OPKG_INLINE HVX_Vector scaled_hf(HVX_Vector x, HVX_Vector high, HVX_Vector low) {
  return Q6_Vhf_vmpyacc_VhfVhfVhf(mul_hf(x, low), x, high);
}
#else
OPKG_INLINE HVX_Vector scaled_hf(HVX_Vector x, HVX_Vector high, HVX_Vector low) {
  const HVX_VectorPair more = Q6_Wqf32_vmpy_VhfVhf(x, low), most = Q6_Wqf32_vmpy_VhfVhf(x, high);
  return Q6_Vhf_equals_Wqf32(Q6_W_vcombine_VV(Q6_Vqf32_vadd_Vqf32Vqf32(Q6_V_hi_W(most), Q6_V_hi_W(more)),
                                              Q6_Vqf32_vadd_Vqf32Vqf32(Q6_V_lo_W(most), Q6_V_lo_W(more))));
}
#endif
/// a b + c and a b - c, the product rounded too.
OPKG_INLINE HVX_Vector mul_add_sf(HVX_Vector a, HVX_Vector b, HVX_Vector c) { return add_sf(mul_sf(a, b), c); }
OPKG_INLINE HVX_Vector mul_sub_sf(HVX_Vector a, HVX_Vector b, HVX_Vector c) { return sub_sf(mul_sf(a, b), c); }

OPKG_INLINE HVX_Vector neg_sf(HVX_Vector x) { return Q6_V_vxor_VV(x, splat_w(0x80000000u)); }
OPKG_INLINE HVX_Vector abs_sf(HVX_Vector x) { return magnitude_sf(x); }
OPKG_INLINE HVX_Vector neg_hf(HVX_Vector x) { return Q6_V_vxor_VV(x, splat_hf(0x8000)); }
OPKG_INLINE HVX_Vector abs_hf(HVX_Vector x) { return magnitude_hf(x); }

// vmin, vmax and vcmp order NaN by its bits, beyond infinity. With a number that is none, vmin and vmax may serve:
OPKG_INLINE HVX_Vector lower_sf(HVX_Vector a, HVX_Vector b) { return Q6_Vsf_vmin_VsfVsf(a, b); }
OPKG_INLINE HVX_Vector upper_sf(HVX_Vector a, HVX_Vector b) { return Q6_Vsf_vmax_VsfVsf(a, b); }

/// The smaller and the larger of two numbers, NaN when one is; and where one is.
#if OPKG_HVX_IEEE
OPKG_INLINE HVX_Vector min_sf(HVX_Vector a, HVX_Vector b) { return Q6_Vsf_vfmin_VsfVsf(a, b); }
OPKG_INLINE HVX_Vector max_sf(HVX_Vector a, HVX_Vector b) { return Q6_Vsf_vfmax_VsfVsf(a, b); }
OPKG_INLINE HVX_Vector min_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_vfmin_VhfVhf(a, b); }
OPKG_INLINE HVX_Vector max_hf(HVX_Vector a, HVX_Vector b) { return Q6_Vhf_vfmax_VhfVhf(a, b); }
OPKG_INLINE HVX_VectorPred unordered_sf(HVX_Vector a, HVX_Vector b) { return nan_sf(max_sf(a, b)); }
OPKG_INLINE HVX_VectorPred unordered_hf(HVX_Vector a, HVX_Vector b) { return nan_hf(max_hf(a, b)); }
#else
OPKG_INLINE HVX_VectorPred unordered_sf(HVX_Vector a, HVX_Vector b) { return Q6_Q_or_QQ(nan_sf(a), nan_sf(b)); }
OPKG_INLINE HVX_VectorPred unordered_hf(HVX_Vector a, HVX_Vector b) { return Q6_Q_or_QQ(nan_hf(a), nan_hf(b)); }
OPKG_INLINE HVX_Vector min_sf(HVX_Vector a, HVX_Vector b) {
  return Q6_V_vmux_QVV(unordered_sf(a, b), splat_w(kNan), lower_sf(a, b));
}
OPKG_INLINE HVX_Vector max_sf(HVX_Vector a, HVX_Vector b) {
  return Q6_V_vmux_QVV(unordered_sf(a, b), splat_w(kNan), upper_sf(a, b));
}
OPKG_INLINE HVX_Vector min_hf(HVX_Vector a, HVX_Vector b) {
  return Q6_V_vmux_QVV(unordered_hf(a, b), splat_hf(0x7fff), Q6_Vhf_vmin_VhfVhf(a, b));
}
OPKG_INLINE HVX_Vector max_hf(HVX_Vector a, HVX_Vector b) {
  return Q6_V_vmux_QVV(unordered_hf(a, b), splat_hf(0x7fff), Q6_Vhf_vmax_VhfVhf(a, b));
}
#endif

/// Comparisons: false when an operand is NaN.
OPKG_INLINE HVX_VectorPred gt_sf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_and_QQn(Q6_Q_vcmp_gt_VsfVsf(a, b), unordered_sf(a, b));
}
OPKG_INLINE HVX_VectorPred ge_sf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_not_Q(Q6_Q_vcmp_gtor_QVsfVsf(unordered_sf(a, b), b, a));
}
OPKG_INLINE HVX_VectorPred eq_sf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_not_Q(Q6_Q_vcmp_gtor_QVsfVsf(Q6_Q_vcmp_gtor_QVsfVsf(unordered_sf(a, b), a, b), b, a));
}
OPKG_INLINE HVX_VectorPred gt_hf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_and_QQn(Q6_Q_vcmp_gt_VhfVhf(a, b), unordered_hf(a, b));
}
OPKG_INLINE HVX_VectorPred ge_hf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_not_Q(Q6_Q_vcmp_gtor_QVhfVhf(unordered_hf(a, b), b, a));
}
OPKG_INLINE HVX_VectorPred eq_hf(HVX_Vector a, HVX_Vector b) {
  return Q6_Q_not_Q(Q6_Q_vcmp_gtor_QVhfVhf(Q6_Q_vcmp_gtor_QVhfVhf(unordered_hf(a, b), a, b), b, a));
}

/// -1, 0 or 1; NaN of NaN.
OPKG_INLINE HVX_Vector sign_sf(HVX_Vector x) {
  const HVX_Vector size = Q6_Vw_vsub_VwVw(magnitude_sf(x), splat_w(1));  // of 0 the largest
  const HVX_VectorPred itself = Q6_Q_vcmp_gt_VuwVuw(size, splat_w(kInfinity - 1));
  return Q6_V_vmux_QVV(itself, x, Q6_V_vor_VV(sign_bits(x), splat_sf(1.0f)));
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

/// float -> int32, towards zero, saturated; 0 of NaN.
OPKG_FLOAT_FUNCTION HVX_Vector w_from_sf(HVX_Vector x) {
  const HVX_Vector exponent = exponent_bits(x), negative = Q6_Vw_vasr_VwR(x, 31);
  const HVX_Vector significand = Q6_V_vor_VV(Q6_V_vand_VV(x, splat_w(0x7fffff)), splat_w(0x800000));
  const HVX_Vector right = Q6_Vw_vmin_VwVw(Q6_Vw_vsub_VwVw(splat_w(150), exponent), splat_w(31));
  const HVX_Vector size = Q6_Vw_vlsr_VwVw(significand, right);  // a negative count shifts to the left
  const HVX_Vector whole = Q6_Vw_vsub_VwVw(Q6_V_vxor_VV(size, negative), negative);
  const HVX_Vector limit = Q6_V_vxor_VV(splat_w(0x7fffffff), negative);
  const HVX_Vector found = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(exponent, splat_w(157)), limit, whole);
  return Q6_V_vmux_QVV(nan_sf(x), Q6_V_vzero(), found);
}

/// Halves to floats, exact: the even halves in the low vector, the odd ones in the high vector. And back, rounded to
/// nearest even.
#if OPKG_HVX_IEEE
OPKG_INLINE HVX_VectorPair sf_from_hf(HVX_Vector x) { return Q6_Wsf_vcvt_Vhf(x); }
OPKG_INLINE HVX_Vector hf_from_sf(HVX_Vector odd, HVX_Vector even) { return Q6_Vhf_vcvt_VsfVsf(even, odd); }
#else
OPKG_FLOAT_FUNCTION HVX_VectorPair sf_from_hf(HVX_Vector x) {
  const HVX_VectorPair wide = Q6_Wqf32_vmpy_VhfVhf(x, splat_hf(0x3c00));  // times 1
  return Q6_W_vcombine_VV(Q6_Vsf_equals_Vqf32(Q6_V_hi_W(wide)), Q6_Vsf_equals_Vqf32(Q6_V_lo_W(wide)));
}
OPKG_FLOAT_FUNCTION HVX_Vector hf_from_sf(HVX_Vector odd, HVX_Vector even) {
  return Q6_Vhf_equals_Wqf32(Q6_W_vcombine_VV(from_sf(odd).bits, from_sf(even).bits));
}
#endif

/// Stored numbers of up to 16 bits as steps from their zero point, and back: nearest, halves to even; the zero point of
/// NaN; beyond 2^22 other numbers that are at least as far away. Beside 3 * 2^22 the unit of the last place is 1.
constexpr float kWhole = 12582912.0f;
OPKG_INLINE HVX_Vector sf_from_stored(HVX_Vector stored, HVX_Vector zero) {
  return sub_sf(Q6_Vw_vadd_VwVw(stored, Q6_Vw_vsub_VwVw(splat_sf(kWhole), zero)), splat_sf(kWhole));
}
OPKG_INLINE HVX_Vector stored_from_sf(HVX_Vector steps, HVX_Vector zero) {
  const HVX_Vector moved = Q6_V_vmux_QVV(nan_sf(steps), splat_sf(kWhole), add_sf(steps, splat_sf(kWhole)));
  return Q6_Vw_vsub_VwVw_sat(moved, Q6_Vw_vsub_VwVw(splat_sf(kWhole), zero));  // the bits of floats are in their order
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FLOAT
#endif  // OPKG_HVX_LANES_H_
