// HVX: shifts by a scalar or lane by lane, narrowing shifts, rounding, bit counts.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_SHIFT_H_
#define OPKG_HVX_SHIFT_H_

#include "arithmetic.h"
#include "define.h"

namespace opkg_hvx {

// Two's complement number in the low `bits` bits.
inline int signed_bits(uint32_t value, int bits) { return int32_t(value << (32 - bits)) >> (32 - bits); }

// Right by n, or left by -n when n is negative.
inline int64_t shift_right(int64_t value, int n) {
  return n >= 0 ? value >> n : int64_t(uint64_t(value) << -n);
}

inline int64_t rounding_shift(int64_t value, int n) { return (value + ((int64_t(1) << n) >> 1)) >> n; }

}  // namespace opkg_hvx

// By a scalar: modulo the lane's width.
OPKG_HVX_VR(Q6_Vh_vasl_VhR, uint16_t, uint16_t, uint32_t(a) << (r & 15))
OPKG_HVX_VR(Q6_Vw_vasl_VwR, uint32_t, uint32_t, a << (r & 31))
OPKG_HVX_VR(Q6_Vh_vasr_VhR, int16_t, int16_t, a >> (r & 15))
OPKG_HVX_VR(Q6_Vw_vasr_VwR, int32_t, int32_t, a >> (r & 31))
OPKG_HVX_VR(Q6_Vub_vlsr_VubR, uint8_t, uint8_t, a >> (r & 7))
OPKG_HVX_VR(Q6_Vuh_vlsr_VuhR, uint16_t, uint16_t, a >> (r & 15))
OPKG_HVX_VR(Q6_Vuw_vlsr_VuwR, uint32_t, uint32_t, a >> (r & 31))

// Lane by lane: the amount is a signed number of 5 or 6 bits, negative ones shift the other way.
OPKG_HVX_VV(Q6_Vh_vasr_VhVh, int16_t, int16_t, uint16_t,
            opkg_hvx::shift_right(a, opkg_hvx::signed_bits(b, 5)))
OPKG_HVX_VV(Q6_Vw_vasr_VwVw, int32_t, int32_t, uint32_t,
            opkg_hvx::shift_right(a, opkg_hvx::signed_bits(b, 6)))
OPKG_HVX_VV(Q6_Vh_vasl_VhVh, int16_t, int16_t, uint16_t,
            opkg_hvx::shift_right(a, -opkg_hvx::signed_bits(b, 5)))
OPKG_HVX_VV(Q6_Vw_vasl_VwVw, int32_t, int32_t, uint32_t,
            opkg_hvx::shift_right(a, -opkg_hvx::signed_bits(b, 6)))
OPKG_HVX_VV(Q6_Vh_vlsr_VhVh, uint16_t, uint16_t, uint16_t,
            opkg_hvx::shift_right(a, opkg_hvx::signed_bits(b, 5)))
OPKG_HVX_VV(Q6_Vw_vlsr_VwVw, uint32_t, uint32_t, uint32_t,
            opkg_hvx::shift_right(a, opkg_hvx::signed_bits(b, 6)))

inline HVX_Vector Q6_Vw_vaslacc_VwVwR(HVX_Vector x, HVX_Vector v, int32_t r) {
  return Q6_Vw_vadd_VwVw(x, Q6_Vw_vasl_VwR(v, r));
}
inline HVX_Vector Q6_Vw_vasracc_VwVwR(HVX_Vector x, HVX_Vector v, int32_t r) {
  return Q6_Vw_vadd_VwVw(x, Q6_Vw_vasr_VwR(v, r));
}

// Narrowing: result lane pairs take the second operand's lane first, then the first operand's.
#define OPKG_HVX_NARROW_SHIFT(NAME, T, A, BITS, EXPR)                    \
  inline HVX_Vector NAME(HVX_Vector va, HVX_Vector vb, int32_t scalar) { \
    const opkg_hvx::Lanes<A> la(va), lb(vb);                             \
    opkg_hvx::Lanes<T> out;                                              \
    const int n = scalar & (BITS);                                       \
    const auto narrow = [n](int64_t a) -> T { return T(EXPR); };         \
    for (int i = 0; i < opkg_hvx::Lanes<A>::count; i++) {                \
      out.at[2 * i] = narrow(lb.at[i]);                                  \
      out.at[2 * i + 1] = narrow(la.at[i]);                              \
    }                                                                    \
    return out.vector();                                                 \
  }
OPKG_HVX_NARROW_SHIFT(Q6_Vub_vasr_VhVhR_sat, uint8_t, int16_t, 7, opkg_hvx::saturate<uint8_t>(a >> n))
OPKG_HVX_NARROW_SHIFT(Q6_Vub_vasr_VhVhR_rnd_sat, uint8_t, int16_t, 7,
                      opkg_hvx::saturate<uint8_t>(opkg_hvx::rounding_shift(a, n)))
OPKG_HVX_NARROW_SHIFT(Q6_Vb_vasr_VhVhR_sat, int8_t, int16_t, 7, opkg_hvx::saturate<int8_t>(a >> n))
OPKG_HVX_NARROW_SHIFT(Q6_Vb_vasr_VhVhR_rnd_sat, int8_t, int16_t, 7,
                      opkg_hvx::saturate<int8_t>(opkg_hvx::rounding_shift(a, n)))
OPKG_HVX_NARROW_SHIFT(Q6_Vub_vasr_VuhVuhR_sat, uint8_t, uint16_t, 7, opkg_hvx::saturate<uint8_t>(a >> n))
OPKG_HVX_NARROW_SHIFT(Q6_Vub_vasr_VuhVuhR_rnd_sat, uint8_t, uint16_t, 7,
                      opkg_hvx::saturate<uint8_t>(opkg_hvx::rounding_shift(a, n)))
OPKG_HVX_NARROW_SHIFT(Q6_Vh_vasr_VwVwR, int16_t, int32_t, 15, a >> n)
OPKG_HVX_NARROW_SHIFT(Q6_Vh_vasr_VwVwR_sat, int16_t, int32_t, 15, opkg_hvx::saturate<int16_t>(a >> n))
OPKG_HVX_NARROW_SHIFT(Q6_Vh_vasr_VwVwR_rnd_sat, int16_t, int32_t, 15,
                      opkg_hvx::saturate<int16_t>(opkg_hvx::rounding_shift(a, n)))
OPKG_HVX_NARROW_SHIFT(Q6_Vuh_vasr_VwVwR_sat, uint16_t, int32_t, 15, opkg_hvx::saturate<uint16_t>(a >> n))
OPKG_HVX_NARROW_SHIFT(Q6_Vuh_vasr_VwVwR_rnd_sat, uint16_t, int32_t, 15,
                      opkg_hvx::saturate<uint16_t>(opkg_hvx::rounding_shift(a, n)))
OPKG_HVX_NARROW_SHIFT(Q6_Vuh_vasr_VuwVuwR_sat, uint16_t, uint32_t, 15, opkg_hvx::saturate<uint16_t>(a >> n))
OPKG_HVX_NARROW_SHIFT(Q6_Vuh_vasr_VuwVuwR_rnd_sat, uint16_t, uint32_t, 15,
                      opkg_hvx::saturate<uint16_t>(opkg_hvx::rounding_shift(a, n)))
#undef OPKG_HVX_NARROW_SHIFT

// Leading zeros, set bits, redundant sign bits.
OPKG_HVX_V(Q6_Vuh_vcl0_Vuh, uint16_t, uint16_t, a ? __builtin_clz(a) - 16 : 16)
OPKG_HVX_V(Q6_Vuw_vcl0_Vuw, uint32_t, uint32_t, a ? __builtin_clz(a) : 32)
OPKG_HVX_V(Q6_Vh_vpopcount_Vh, uint16_t, uint16_t, __builtin_popcount(a))
OPKG_HVX_V(Q6_Vh_vnormamt_Vh, int16_t, int16_t, __builtin_clrsb(a) - 16)
OPKG_HVX_V(Q6_Vw_vnormamt_Vw, int32_t, int32_t, __builtin_clrsb(a))

#endif  // OPKG_HVX_SHIFT_H_
