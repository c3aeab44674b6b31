// Sums of floats of twice the digits.
#ifndef OPKG_HVX_FLOAT_SUMS_H_
#define OPKG_HVX_FLOAT_SUMS_H_

#include "opkg/hvx_float.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg::hvx {

/// A rounded sum and what it is off.
struct Sum2 {
  HVX_Vector high = Q6_V_vzero(), low = Q6_V_vzero();

  OPKG_INLINE void add(HVX_Vector x) {
    const HVX_Vector sum = add_sf(high, x), part = sub_sf(sum, high);
    low = add_sf(low, add_sf(sub_sf(high, sub_sf(sum, part)), sub_sf(x, part)));
    high = sum;
  }
  OPKG_INLINE void join(const Sum2& other) {
    add(other.high);
    low = add_sf(low, other.low);
  }
  /// `low` becomes less than half a unit of `high`.
  OPKG_INLINE void settle() {
    const HVX_Vector sum = add_sf(high, low);
    low = sub_sf(low, sub_sf(sum, high));
    high = sum;
  }
  /// Rounded to odd, so that rounding it again to halves is right.
  OPKG_INLINE HVX_Vector odd() const {
    const HVX_Vector one = splat_w(1), zero = Q6_V_vzero();
    const HVX_VectorPred exact = Q6_Q_vcmp_eq_VwVw(magnitude_sf(low), zero);
    const HVX_Vector last = Q6_V_vand_VV(high, one);
    const HVX_VectorPred stays = Q6_Q_or_QQ(exact, Q6_Q_vcmp_eq_VwVw(last, one));
    const HVX_VectorPred less = Q6_Q_vcmp_gt_VwVw(zero, Q6_V_vxor_VV(high, low));
    const HVX_Vector moved = Q6_Vw_vadd_VwVw(high, Q6_V_vmux_QVV(less, splat_w(0xffffffffu), one));
    return Q6_V_vmux_QVV(stays, high, moved);
  }
};

/// The product of floats of moderate size, and what it is off.
OPKG_INLINE Sum2 product_of(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector by = splat_sf(4097.0f), x = mul_sf(a, by), y = mul_sf(b, by);
  const HVX_Vector a1 = sub_sf(x, sub_sf(x, a)), a2 = sub_sf(a, a1), b1 = sub_sf(y, sub_sf(y, b)), b2 = sub_sf(b, b1);
  Sum2 found;
  found.high = mul_sf(a, b);
  const HVX_Vector rest = sub_sf(mul_sf(a1, b1), found.high);
  found.low = add_sf(add_sf(add_sf(rest, mul_sf(a1, b2)), mul_sf(a2, b1)), mul_sf(a2, b2));
  return found;
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX && OPKG_HVX_FLOAT
#endif  // OPKG_HVX_FLOAT_SUMS_H_
