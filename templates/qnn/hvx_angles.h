// Sine, cosine and arc tangent of 32 floats on HVX.
#ifndef OPKG_HVX_ANGLES_H_
#define OPKG_HVX_ANGLES_H_

#include <cmath>

#include "opkg/hvx_math.h"

#if OPKG_HVX_FLOAT

namespace opkg::hvx {

/// (sin(x) - x) / x^3, (cos(x) - 1 + x^2 / 2) / x^4 up to pi / 4 and (atan(x) - x) / x^3 up to 0.6, in x^2.
inline constexpr float kSin[] = {-0.166666552f, 0.00833218917f, -0.000195182831f};
inline constexpr float kCos[] = {0.0416666456f, -0.00138873095f, 2.44323273e-05f};
inline constexpr float kAtan[] = {-0.333332896f, 0.199975714f, -0.142402425f, 0.107109502f, -0.0722913295f, 0.0294819809f};

/// pi / 2 in parts of 14 bits and one of 24: numbers of up to 10 bits times one of the first three are exact.
inline constexpr float kQuarter[] = {1.57080078f, -4.45451587e-06f, 6.07727202e-11f, -1.71512451e-15f};
constexpr float kManyTurns = 1600.0f;  // from here on quarters have numbers of more than 10 bits

/// `found`, and the double-precision function of what lies beyond kManyTurns, infinite or NaN, one lane after the other.
template <double (*kFunction)(double)>
__attribute__((noinline)) HVX_Vector beyond_many_turns(HVX_Vector x, HVX_Vector found) {
  alignas(128) float from[32], to[32];
  store(from, x);
  store(to, found);
  for (size_t lane = 0; lane < 32; ++lane) {
    if (!(std::fabs(from[lane]) < kManyTurns)) to[lane] = static_cast<float>(kFunction(static_cast<double>(from[lane])));
  }
  return load(to);
}

/// How far x is beyond the nearest multiple of pi / 2, and that multiple's number in the last two bits of `quarter`.
struct Angle {
  HVX_Vector rest, quarter;
};
OPKG_FLOAT_FUNCTION Angle angle(HVX_Vector x) {
  const HVX_Vector quarter = add_sf(mul_sf(x, splat_sf(0.636619747f)), splat_sf(kWhole)), n = sub_sf(quarter, splat_sf(kWhole));
  const auto part = [&](size_t i) OPKG_INLINE_LAMBDA { return mul_sf(n, splat_sf(kQuarter[i])); };
  const HVX_Vector high = sub_sf(x, part(0)), second = part(1), near = sub_sf(high, second);
  const HVX_Vector lost = sub_sf(sub_sf(high, near), second);
  return {sub_sf(add_sf(near, sub_sf(lost, part(2))), part(3)), quarter};
}

/// The sine of an angle: of its rest where the quarter is even, the cosine of it where it is odd, negative from the second on.
OPKG_FLOAT_FUNCTION HVX_Vector sine(Angle a) {
  const HVX_Vector square = mul_sf(a.rest, a.rest), one = splat_sf(1.0f);
  const HVX_Vector rise = mul_sf(mul_sf(a.rest, square), to_sf(polynomial(kSin, square, from_sf(square))));
  const HVX_Vector fourth = mul_sf(mul_sf(square, square), to_sf(polynomial(kCos, square, from_sf(square))));
  const HVX_Vector half = mul_sf(square, splat_sf(0.5f)), near_one = sub_sf(one, half);
  const HVX_Vector more = add_sf(sub_sf(sub_sf(one, near_one), half), fourth);  // what 1 - half lost, and the rest
  const HVX_VectorPred even = Q6_Q_vcmp_eq_VwVw(Q6_V_vand_VV(a.quarter, splat_w(1)), Q6_V_vzero());
  const HVX_Vector found = choose(even, add_sf(a.rest, rise), add_sf(near_one, more));
  return Q6_V_vxor_VV(found, sign_bits(Q6_Vw_vasl_VwR(a.quarter, 30)));
}

/// Sine: 1.6 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector sin_sf(HVX_Vector x) {
  const HVX_Vector size = magnitude_sf(x);
  const HVX_Vector found = choose(below(size, 0x1p-12f), x, sine(angle(x)));
  const HVX_VectorPred far = Q6_Q_not_Q(below(size, kManyTurns));
  return any(far) ? beyond_many_turns<std::sin>(x, found) : found;
}

/// Cosine: 1.6 ulp.
OPKG_FLOAT_FUNCTION HVX_Vector cos_sf(HVX_Vector x) {
  const Angle from_zero = angle(x);
  const HVX_Vector found = sine({from_zero.rest, add_w(from_zero.quarter, splat_w(1))});
  const HVX_VectorPred far = Q6_Q_not_Q(below(magnitude_sf(x), kManyTurns));
  return any(far) ? beyond_many_turns<std::cos>(x, found) : found;
}

/// Arc tangent: 1.1 ulp. From 0.6 on it is pi / 4 and the arc tangent of (x - 1) / (x + 1), from 5 / 3 on pi / 2 and that of -1 / x.
OPKG_FLOAT_FUNCTION HVX_Vector atan_sf(HVX_Vector x) {
  const HVX_Vector size = magnitude_sf(x), one = splat_sf(1.0f), zero = Q6_V_vzero();
  const HVX_VectorPred near = below(size, 0.6f), middle = below(size, 1.66666663f);
  const HVX_Vector ratio_of = choose(middle, sub_sf(size, one), neg_sf(one));
  const HVX_Vector moved = quotient_sf(ratio_of, choose(middle, add_sf(size, one), size));
  const HVX_Vector t = choose(near, size, moved), square = mul_sf(t, t);
  const HVX_Vector high = choose(near, zero, choose(middle, 0.785398185f, 1.57079637f));
  const HVX_Vector low = choose(near, zero, choose(middle, -2.18556941e-08f, -4.37113883e-08f));
  const HVX_Vector curved = mul_sf(mul_sf(t, square), to_sf(polynomial(kAtan, square, from_sf(square))));
  const HVX_Vector found = add_sf(high, add_sf(t, add_sf(curved, low)));
  return keep_nan(x, Q6_V_vor_VV(found, sign_bits(x)));
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FLOAT
#endif  // OPKG_HVX_ANGLES_H_
