// Floating point on HVX: sums, comparisons, whole numbers, conversions of 32 floats or 64 halves.
//
// Vectors hold IEEE bits (suffix sf: 32 floats, hf: 64 halves).
#ifndef OPKG_HVX_LANES_H_
#define OPKG_HVX_LANES_H_

#include "opkg/hvx_float_unit.h"   // arithmetic and order where HVX has floating point
#include "opkg/hvx_float_words.h"  // and where it has not

#if OPKG_HVX_FLOAT

namespace opkg::hvx {

/// a b + c and a b - c, the product rounded too.
OPKG_INLINE HVX_Vector mul_add_sf(HVX_Vector a, HVX_Vector b, HVX_Vector c) { return add_sf(mul_sf(a, b), c); }
OPKG_INLINE HVX_Vector mul_sub_sf(HVX_Vector a, HVX_Vector b, HVX_Vector c) { return sub_sf(mul_sf(a, b), c); }

/// c[first] + c[first + 1] x + ... up to the last coefficient, at least two of them; q is x in qfloat.
template <size_t first = 0, size_t count>
OPKG_INLINE Qf32 polynomial(const float (&c)[count], HVX_Vector x, Qf32 q) {
  if constexpr (first + 2 == count) {
    return add(mul(splat_sf(c[first + 1]), x), splat_sf(c[first]));
  } else {
    return add(mul(polynomial<first + 1>(c, x, q), q), splat_sf(c[first]));
  }
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

/// Of a sum or a difference of int32, which may have a bit more: what has is halved before it is rounded, and doubled then.
OPKG_FLOAT_FUNCTION HVX_Vector sf_from_parts(HVX_Vector wrapped, HVX_Vector saturated, HVX_Vector half) {
  const HVX_VectorPred fits = Q6_Q_vcmp_eq_VwVw(wrapped, saturated);
  const HVX_Vector found = sf_from_w(Q6_V_vmux_QVV(fits, wrapped, half));
  return Q6_V_vmux_QVV(fits, found, Q6_Vw_vadd_VwVw(found, splat_w(1 << 23)));
}
OPKG_FLOAT_FUNCTION HVX_Vector sf_from_sum_w(HVX_Vector a, HVX_Vector b) {
  return sf_from_parts(Q6_Vw_vadd_VwVw(a, b), Q6_Vw_vadd_VwVw_sat(a, b), Q6_Vw_vavg_VwVw(a, b));
}
OPKG_FLOAT_FUNCTION HVX_Vector sf_from_difference_w(HVX_Vector a, HVX_Vector b) {
  return sf_from_parts(Q6_Vw_vsub_VwVw(a, b), Q6_Vw_vsub_VwVw_sat(a, b), Q6_Vw_vnavg_VwVw(a, b));
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
