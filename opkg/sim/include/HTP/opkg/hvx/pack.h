// HVX: packing, saturating and rounding to narrower lanes, unpacking and extending to wider ones.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_PACK_H_
#define OPKG_HVX_PACK_H_

#include "define.h"

// The second operand fills the low half of the result, the first the high half.
#define OPKG_HVX_PACK(NAME, T, A, EXPR)                                 \
  inline HVX_Vector NAME(HVX_Vector va, HVX_Vector vb) {                \
    const opkg_hvx::Lanes<A> la(va), lb(vb);                            \
    opkg_hvx::Lanes<T> out;                                             \
    const auto narrow = [](int64_t a) -> T { return T(EXPR); };         \
    constexpr int half = opkg_hvx::Lanes<A>::count;                     \
    for (int i = 0; i < half; i++) out.at[i] = narrow(lb.at[i]);        \
    for (int i = 0; i < half; i++) out.at[half + i] = narrow(la.at[i]); \
    return out.vector();                                                \
  }
OPKG_HVX_PACK(Q6_Vb_vpack_VhVh_sat, int8_t, int16_t, opkg_hvx::saturate<int8_t>(a))
OPKG_HVX_PACK(Q6_Vub_vpack_VhVh_sat, uint8_t, int16_t, opkg_hvx::saturate<uint8_t>(a))
OPKG_HVX_PACK(Q6_Vh_vpack_VwVw_sat, int16_t, int32_t, opkg_hvx::saturate<int16_t>(a))
OPKG_HVX_PACK(Q6_Vuh_vpack_VwVw_sat, uint16_t, int32_t, opkg_hvx::saturate<uint16_t>(a))
OPKG_HVX_PACK(Q6_Vb_vpacke_VhVh, uint8_t, uint16_t, a)
OPKG_HVX_PACK(Q6_Vb_vpacko_VhVh, uint8_t, uint16_t, a >> 8)
OPKG_HVX_PACK(Q6_Vh_vpacke_VwVw, uint16_t, uint32_t, a)
OPKG_HVX_PACK(Q6_Vh_vpacko_VwVw, uint16_t, uint32_t, a >> 16)
#undef OPKG_HVX_PACK

// Lane pairs of the result take the second operand's lane first, then the first operand's.
#define OPKG_HVX_INTERLEAVE(NAME, T, A, EXPR)                   \
  inline HVX_Vector NAME(HVX_Vector va, HVX_Vector vb) {        \
    const opkg_hvx::Lanes<A> la(va), lb(vb);                    \
    opkg_hvx::Lanes<T> out;                                     \
    const auto narrow = [](int64_t a) -> T { return T(EXPR); }; \
    for (int i = 0; i < opkg_hvx::Lanes<A>::count; i++) {       \
      out.at[2 * i] = narrow(lb.at[i]);                         \
      out.at[2 * i + 1] = narrow(la.at[i]);                     \
    }                                                           \
    return out.vector();                                        \
  }
OPKG_HVX_INTERLEAVE(Q6_Vub_vsat_VhVh, uint8_t, int16_t, opkg_hvx::saturate<uint8_t>(a))
OPKG_HVX_INTERLEAVE(Q6_Vh_vsat_VwVw, int16_t, int32_t, opkg_hvx::saturate<int16_t>(a))
OPKG_HVX_INTERLEAVE(Q6_Vuh_vsat_VuwVuw, uint16_t, uint32_t, opkg_hvx::saturate<uint16_t>(a))
OPKG_HVX_INTERLEAVE(Q6_Vb_vround_VhVh_sat, int8_t, int16_t, opkg_hvx::saturate<int8_t>((a + 0x80) >> 8))
OPKG_HVX_INTERLEAVE(Q6_Vub_vround_VhVh_sat, uint8_t, int16_t, opkg_hvx::saturate<uint8_t>((a + 0x80) >> 8))
OPKG_HVX_INTERLEAVE(Q6_Vh_vround_VwVw_sat, int16_t, int32_t, opkg_hvx::saturate<int16_t>((a + 0x8000) >> 16))
OPKG_HVX_INTERLEAVE(Q6_Vuh_vround_VwVw_sat, uint16_t, int32_t,
                    opkg_hvx::saturate<uint16_t>((a + 0x8000) >> 16))
OPKG_HVX_INTERLEAVE(Q6_Vuh_vround_VuwVuw_sat, uint16_t, uint32_t,
                    opkg_hvx::saturate<uint16_t>((a + 0x8000) >> 16))
OPKG_HVX_INTERLEAVE(Q6_Vb_vshuffe_VbVb, uint8_t, uint16_t, a)
OPKG_HVX_INTERLEAVE(Q6_Vb_vshuffo_VbVb, uint8_t, uint16_t, a >> 8)
OPKG_HVX_INTERLEAVE(Q6_Vh_vshuffe_VhVh, uint16_t, uint32_t, a)
OPKG_HVX_INTERLEAVE(Q6_Vh_vshuffo_VhVh, uint16_t, uint32_t, a >> 16)
#undef OPKG_HVX_INTERLEAVE
inline HVX_VectorPair Q6_Wb_vshuffoe_VbVb(HVX_Vector a, HVX_Vector b) {
  return opkg_hvx::pair(Q6_Vb_vshuffo_VbVb(a, b), Q6_Vb_vshuffe_VbVb(a, b));
}
inline HVX_VectorPair Q6_Wh_vshuffoe_VhVh(HVX_Vector a, HVX_Vector b) {
  return opkg_hvx::pair(Q6_Vh_vshuffo_VhVh(a, b), Q6_Vh_vshuffe_VhVh(a, b));
}

// Extending keeps the even/odd convention; unpacking keeps the order of the lanes.
OPKG_HVX_WV(Q6_Wuh_vzxt_Vub, uint16_t, uint8_t, a)
OPKG_HVX_WV(Q6_Wuw_vzxt_Vuh, uint32_t, uint16_t, a)
OPKG_HVX_WV(Q6_Wh_vsxt_Vb, int16_t, int8_t, a)
OPKG_HVX_WV(Q6_Ww_vsxt_Vh, int32_t, int16_t, a)
#define OPKG_HVX_UNPACK(NAME, T, A)                                                 \
  inline HVX_VectorPair NAME(HVX_Vector v) {                                        \
    const opkg_hvx::Lanes<A> lanes(v);                                              \
    opkg_hvx::PairLanes<T> out;                                                     \
    for (int i = 0; i < opkg_hvx::Lanes<A>::count; i++) out.at[i] = T(lanes.at[i]); \
    return out.pair();                                                              \
  }
OPKG_HVX_UNPACK(Q6_Wuh_vunpack_Vub, uint16_t, uint8_t)
OPKG_HVX_UNPACK(Q6_Wuw_vunpack_Vuh, uint32_t, uint16_t)
OPKG_HVX_UNPACK(Q6_Wh_vunpack_Vb, int16_t, int8_t)
OPKG_HVX_UNPACK(Q6_Ww_vunpack_Vh, int32_t, int16_t)
#undef OPKG_HVX_UNPACK

#endif  // OPKG_HVX_PACK_H_
