// Powers of 32 floats on HVX: the logarithm and its product in numbers of 48 bits, so that large exponents stay exact.
#ifndef OPKG_HVX_POW_H_
#define OPKG_HVX_POW_H_

#include "opkg/hvx_math.h"

#if OPKG_HVX_FLOAT

namespace opkg::hvx {

inline constexpr float kLogNear[] = {0.333333373f, -0.250000447f, 0.199991077f, -0.166575f, 0.143413633f, -0.130494371f, 0.102899149f};

/// high + low: a number of 48 bits.
struct Twofold {
  HVX_Vector high, low;
};
/// a + b of |a| >= |b|, or a = 0.
OPKG_INLINE Twofold twofold_sum(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector sum = add_sf(a, b);
  return {sum, sub_sf(b, sub_sf(sum, a))};
}
/// log(x) of x > 0, within 2^-31 of itself.
OPKG_FLOAT_FUNCTION Twofold twofold_log(HVX_Vector x) {
  const Split parts = split(x);
  // Times 5/4 or 3/4 where that comes closer to 1: then the cubic term is small. The product is `moved` + `more`.
  const HVX_VectorPred low = over_sf(splat_sf(-0.125f), parts.f);
  const HVX_VectorPred high = over_sf(parts.f, splat_sf(0.155f));
  const auto either = [&](float of_low, float of_high) OPKG_INLINE_LAMBDA {
    return choose(low, splat_sf(of_low), choose(high, splat_sf(of_high), Q6_V_vzero()));
  };
  const HVX_Vector one = splat_sf(1.0f), m = add_sf(parts.f, one), quarter = mul_sf(m, either(0.25f, -0.25f));
  const HVX_Vector moved = add_sf(m, quarter), more = sub_sf(quarter, sub_sf(moved, m)), f = sub_sf(moved, one);
  // f^2 / 2 in two pieces, the first of them exact; the rest of the series needs single precision only.
  const HVX_Vector upper = upper_half(f), lower = sub_sf(f, upper), half = splat_sf(0.5f), square = mul_sf(f, f);
  const HVX_Vector exact = mul_sf(mul_sf(upper, upper), half), mixed = mul_sf(lower, mul_sf(add_sf(f, upper), half));
  const HVX_Vector cubic = mul_sf(mul_sf(square, f), to_sf(polynomial(kLogNear, f, from_sf(f))));
  const HVX_Vector slope = sub_sf(one, sub_sf(f, square));  // 1 / (1 + f), nearly
  const HVX_Vector known = add_sf(mul_sf(parts.k, splat_sf(kLn2High)), either(-0.22314453125f, 0.28759765625f));
  const HVX_Vector little = add_sf(mul_sf(parts.k, splat_sf(kLn2Low)), either(9.79935749e-07f, 8.44161987e-05f));
  const Twofold inner = twofold_sum(f, neg_sf(exact)), all = twofold_sum(known, inner.high);
  const HVX_Vector small = add_sf(sub_sf(cubic, mixed), add_sf(little, mul_sf(more, slope)));
  return twofold_sum(all.high, add_sf(all.low, add_sf(inner.low, small)));
}

/// |x|^y as e^(y log|x|).
OPKG_FLOAT_FUNCTION HVX_Vector power_of_size(HVX_Vector size, HVX_Vector y) {
  const HVX_Vector bounded = Q6_Vw_vmin_VwVw(Q6_Vw_vmax_VwVw(size, splat_w(1)), splat_w(kInfinity - 1));
  const Twofold log = twofold_log(bounded);
  const HVX_Vector y_upper = upper_half(y), y_lower = sub_sf(y, y_upper);
  const HVX_Vector upper = upper_half(log.high), lower = sub_sf(log.high, upper);
  const HVX_Vector product = mul_sf(y, log.high);
  const HVX_Vector rest = add_sf(sub_sf(mul_sf(y_upper, upper), product),
                                 add_sf(mul_sf(y_upper, lower), mul_sf(y_lower, upper)));
  const HVX_Vector low = add_sf(add_sf(rest, mul_sf(y_lower, lower)), mul_sf(y, log.low));
  const HVX_Vector near = lower_sf(upper_sf(product, splat_sf(-105.0f)), splat_sf(89.0f));
  const HVX_VectorPred inside = Q6_Q_vcmp_eq_VwVw(near, product);
  return any_size(power_of_e<true>(near, choose(inside, low, Q6_V_vzero())));
}

/// Whether a magnitude is a whole number: from 2^23 on all are.
OPKG_INLINE HVX_VectorPred is_whole(HVX_Vector size) {
  const HVX_Vector large = splat_sf(0x1p23f), near = lower_sf(size, large);
  return Q6_Q_vcmp_eq_VwVw(sub_sf(add_sf(near, large), large), near);
}

/// x to the power of y: 3.2 ulp. NaN of negative x unless y is whole; 1 where x is 1 or y is 0, whatever the other is.
OPKG_FLOAT_FUNCTION HVX_Vector pow_sf(HVX_Vector x, HVX_Vector y) {
  const HVX_Vector one = splat_sf(1.0f), zero = Q6_V_vzero();
  const HVX_Vector size = magnitude_sf(x), y_size = magnitude_sf(y), found = power_of_size(size, y);
  // 0 and infinity: what becomes of them is infinite where y has the sign that makes it so.
  const HVX_VectorPred growing = Q6_Q_vcmp_gt_VwVw(zero, Q6_V_vxor_VV(y, sub_w(size, one)));
  const HVX_VectorPred endless = Q6_Q_or_QQ(Q6_Q_vcmp_eq_VwVw(size, zero), Q6_Q_vcmp_eq_VwVw(size, splat_w(kInfinity)));
  const HVX_VectorPred at_end = Q6_Q_vcmp_eqor_QVwVw(endless, y_size, splat_w(kInfinity));
  const HVX_Vector ends = choose(growing, zero, splat_w(kInfinity));

  const HVX_VectorPred whole = is_whole(y_size), even = is_whole(mul_sf(y_size, splat_sf(0.5f)));
  const HVX_VectorPred odd = Q6_Q_and_QQn(whole, even);
  const HVX_Vector signed_power = Q6_V_vor_VV(choose(at_end, ends, found), choose(odd, sign_bits(x), zero));
  const HVX_VectorPred negative = Q6_Q_and_QQ(Q6_Q_vcmp_gt_VwVw(zero, x), Q6_Q_not_Q(endless));
  const HVX_VectorPred none = Q6_Q_or_QQ(Q6_Q_and_QQn(negative, whole), unordered_sf(x, y));
  const HVX_VectorPred always = Q6_Q_vcmp_eqor_QVwVw(Q6_Q_vcmp_eq_VwVw(y_size, zero), x, one);
  const HVX_VectorPred minus_one = Q6_Q_and_QQ(Q6_Q_vcmp_eq_VwVw(size, one), Q6_Q_vcmp_eq_VwVw(y_size, splat_w(kInfinity)));
  return choose(Q6_Q_or_QQ(always, minus_one), one, choose(none, splat_w(kNan), signed_power));
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FLOAT
#endif  // OPKG_HVX_POW_H_
