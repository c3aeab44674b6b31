// The qfloat arithmetic of HVX v79 and later, as a proxy. SPDX-License-Identifier: Apache-2.0
//
// Known: the inner format has more bits than that of v68 to v75, real infinity and NaN, and rounding modes; a single
// operation converted to IEEE equals the IEEE operation rounded to nearest even; x * 1 and x + 0 are exact; the extra bits
// vanish when a register is spilled. Not known here: how many bits there are, the patterns in the register, and what chains
// of operations keep. So this model holds the IEEE result in the vector, as if every result were spilled: chains on the
// device are at least as exact, but not bit for bit the same. Subnormal numbers are kept, NaN is 7fffffff or 7fff.
#ifndef OPKG_HVX_QFLOAT_V79_H_
#define OPKG_HVX_QFLOAT_V79_H_

#include "ieee.h"

namespace opkg_hvx {

struct Qf32 {
  static Floats load(Words x) { return as<Floats>(x); }
  static Words store(Floats x) { return canonical(x); }
};
struct Qf16 {
  static Floats load(Words x) { return from_half(x); }
  static Words store(Floats x) { return to_half(x); }
};

// The same operands and results as in qfloat.h; here qfloat and IEEE operands are the same thing.
template <typename Q, bool qfloat_a, bool qfloat_b>
inline Words qfloat_sum(Words a, Words b, int minus) {
  return Q::store(minus ? Q::load(a) - Q::load(b) : Q::load(a) + Q::load(b));
}
template <typename Q, bool qfloat_a, bool qfloat_b>
inline Words qfloat_product(Words a, Words b) {
  return Q::store(Q::load(a) * Q::load(b));
}
template <bool qfloat_a, bool qfloat_b>
inline Words qfloat_wide_product(Words a, Words b) {
  return Qf32::store(Qf16::load(a) * Qf16::load(b));
}
template <typename Q, bool qfloat_a, bool qfloat_b>
inline Words quick_sum(Words a, Words b, int minus, Words*) {
  return qfloat_sum<Q, qfloat_a, qfloat_b>(a, b, minus);
}
template <typename Q, bool qfloat_a, bool qfloat_b>
inline Words quick_product(Words a, Words b, Words*) {
  return qfloat_product<Q, qfloat_a, qfloat_b>(a, b);
}
inline Words sf_from_qf32(Words x) { return x; }
template <typename Q>
inline Words hf_from_qfloat(Words x) {
  return to_half(Q::load(x));
}

}  // namespace opkg_hvx

#endif  // OPKG_HVX_QFLOAT_V79_H_
