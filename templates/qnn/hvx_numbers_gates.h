// The logistic function and the logarithm of numbers of 32 columns, and the larger or smaller ones of two.
#ifndef OPKG_HVX_NUMBERS_GATES_H_
#define OPKG_HVX_NUMBERS_GATES_H_

#include "opkg/hvx_numbers.h"

#if OPKG_HVX

namespace opkg::hvx {

/// 2^-f in units of 2^-30, f being of 0 to 1 in units of 2^-31: within 2^-27 of itself.
OPKG_INLINE HVX_Vector power_below(HVX_Vector f) {
  constexpr int32_t kFactors[] = {-11624, 158139, -1425731, 10324651, -59596395, 257941163, -744261114, 1073741824};  // of the highest power first
  HVX_Vector found = Q6_V_vsplat_R(kFactors[0]);
  for (size_t i = 1; i < sizeof kFactors / sizeof *kFactors; ++i) found = plus(product31(found, f), kFactors[i]);
  return found;
}

/// The logarithm of numbers above 0, within 2^-26, and 2^-27 of itself.
OPKG_INLINE Numbers logarithm(const Numbers& x) {
  constexpr int32_t kFactors[] = {6088592, -36954018, 105468698, -196592187, 287661669, -382200151, 515684255, -774495990, 1549080964};
  const HVX_Vector rest = Q6_V_vand_VV(Q6_Vw_vadd_VwVw(x.mantissa, x.mantissa), Q6_V_vsplat_R(INT32_MAX));  // of 0 to 1 in units of 2^-31
  HVX_Vector found = Q6_V_vsplat_R(kFactors[0]);
  for (size_t i = 1; i < sizeof kFactors / sizeof *kFactors; ++i) found = plus(product31(found, rest), kFactors[i]);
  const Numbers power = Numbers(plus(x.exponent, 30)) + Numbers(product31(found, rest), Q6_V_vsplat_R(-30));
  Numbers made = power * Numbers(0.6931471805599453);
  made.exponent = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(x.mantissa, Q6_V_vzero()), made.exponent, Q6_V_vsplat_R(Numbers::kBeyond));
  return made;
}

OPKG_INLINE HVX_VectorPred no_number(const Numbers& x) { return Q6_Q_vcmp_gt_VwVw(x.exponent, Q6_V_vsplat_R(Numbers::kBeyond / 2)); }

/// The larger or smaller of two numbers; none where one of them is none.
template <bool kLargest>
OPKG_INLINE Numbers extreme_of(const Numbers& a, const Numbers& b) {
  const HVX_VectorPred first = kLargest ? larger(a, b) : larger(b, a), none = Q6_Q_or_QQ(no_number(a), no_number(b));
  Numbers found;
  found.mantissa = Q6_V_vmux_QVV(first, a.mantissa, b.mantissa);
  found.exponent = Q6_V_vmux_QVV(none, Q6_V_vsplat_R(Numbers::kBeyond), Q6_V_vmux_QVV(first, a.exponent, b.exponent));
  return found;
}

/// 1 / (1 + e^-x): within 2^-24 of itself where x is -22 and more, within 2^-18 down to -700. What is no number stays none.
OPKG_INLINE Numbers sigmoid(const Numbers& x) {
  constexpr int32_t kNear = 5, kFar = 10;  // powers of two are less than 2^these
  const Numbers power = x * Numbers(1.4426950408889634);
  const HVX_VectorPred far = Q6_Q_vcmp_gt_VwVw(power.size(), Q6_V_vsplat_R(kNear)), beyond = Q6_Q_vcmp_gt_VwVw(power.size(), Q6_V_vsplat_R(kFar));
  const HVX_VectorPred below = Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), x.mantissa);
  const HVX_Vector point = Q6_V_vmux_QVV(far, Q6_V_vsplat_R(30 - kFar), Q6_V_vsplat_R(30 - kNear)), most = Q6_V_vsplat_R((1 << 30) - 1);
  const HVX_Vector size = Q6_V_vmux_QVV(beyond, most, Q6_Vw_vabs_Vw_sat(power.whole(point)));
  const HVX_Vector rest = Q6_V_vand_VV(Q6_Vw_vasl_VwVw(size, from(31, point)), Q6_V_vsplat_R(INT32_MAX));
  const Numbers small(power_below(rest), from(-30, Q6_Vw_vasr_VwVw(size, point)));  // e^-|x|
  const Numbers upper = inverse(Numbers(1.0) + small), lower = small * upper;
  Numbers found;
  found.mantissa = Q6_V_vmux_QVV(below, lower.mantissa, upper.mantissa);
  found.exponent = Q6_V_vmux_QVV(no_number(x), Q6_V_vsplat_R(Numbers::kBeyond), Q6_V_vmux_QVV(below, lower.exponent, upper.exponent));
  return found;
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_NUMBERS_GATES_H_
