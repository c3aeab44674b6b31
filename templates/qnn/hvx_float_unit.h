// Floating point instructions of HVX (v68 and later).
//
// v68 to v75 have IEEE instructions, which round to nearest even and know infinities, NaN and subnormal numbers, and qfloat,
// which does none of that: nothing is exact there but 0 and x - x, and errors are units of the last place of the larger of
// operands and result. From v79 on there is qfloat only, and it rounds as IEEE does. So results are made by what rounds
// right on the machine at hand (OPKG_HVX_IEEE); qfloat that rounds otherwise is for small terms: its adder takes the shift
// unit, IEEE's half of a multiplier.
#ifndef OPKG_HVX_FLOAT_UNIT_H_
#define OPKG_HVX_FLOAT_UNIT_H_

#include "opkg/hvx_bits.h"

#if OPKG_HVX_FLOAT && OPKG_HVX_FLOAT_UNIT

namespace opkg::hvx {

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

/// Comparisons: of two numbers; and those that are false when an operand is NaN.
OPKG_INLINE HVX_VectorPred over_sf(HVX_Vector a, HVX_Vector b) { return Q6_Q_vcmp_gt_VsfVsf(a, b); }
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

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FLOAT && OPKG_HVX_FLOAT_UNIT
#endif  // OPKG_HVX_FLOAT_UNIT_H_
