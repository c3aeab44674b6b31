// HVX: multiplications.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_MULTIPLY_H_
#define OPKG_HVX_MULTIPLY_H_

#include "define.h"

// Widening, lane by lane, and added to an accumulator.
#define OPKG_HVX_WIDE_MULTIPLY(RESULT, SUFFIX, T, A, B)                       \
  OPKG_HVX_WVV(Q6_##RESULT##_vmpy_##SUFFIX, T, A, B, int64_t(a) * int64_t(b)) \
  OPKG_HVX_WXVV(Q6_##RESULT##_vmpyacc_##RESULT##SUFFIX, T, A, B,              \
                int64_t(uint64_t(x) + uint64_t(int64_t(a) * int64_t(b))))
OPKG_HVX_WIDE_MULTIPLY(Wh, VbVb, int16_t, int8_t, int8_t)
OPKG_HVX_WIDE_MULTIPLY(Wh, VubVb, int16_t, uint8_t, int8_t)
OPKG_HVX_WIDE_MULTIPLY(Wuh, VubVub, uint16_t, uint8_t, uint8_t)
OPKG_HVX_WIDE_MULTIPLY(Ww, VhVh, int32_t, int16_t, int16_t)
OPKG_HVX_WIDE_MULTIPLY(Ww, VhVuh, int32_t, int16_t, uint16_t)
OPKG_HVX_WIDE_MULTIPLY(Wuw, VuhVuh, uint32_t, uint16_t, uint16_t)
#undef OPKG_HVX_WIDE_MULTIPLY

// Widening, by the bytes or halfwords of a scalar register in turn.
#define OPKG_HVX_WIDE_MULTIPLY_SCALAR(RESULT, SUFFIX, T, A, B)                \
  OPKG_HVX_WVR(Q6_##RESULT##_vmpy_##SUFFIX, T, A, B, int64_t(a) * int64_t(b)) \
  OPKG_HVX_WXVR(Q6_##RESULT##_vmpyacc_##RESULT##SUFFIX, T, A, B,              \
                int64_t(uint64_t(x) + uint64_t(int64_t(a) * int64_t(b))))
OPKG_HVX_WIDE_MULTIPLY_SCALAR(Wh, VubRb, int16_t, uint8_t, int8_t)
OPKG_HVX_WIDE_MULTIPLY_SCALAR(Wuh, VubRub, uint16_t, uint8_t, uint8_t)
OPKG_HVX_WVR(Q6_Ww_vmpy_VhRh, int32_t, int16_t, int16_t, int64_t(a) * b)
OPKG_HVX_WIDE_MULTIPLY_SCALAR(Wuw, VuhRuh, uint32_t, uint16_t, uint16_t)
#undef OPKG_HVX_WIDE_MULTIPLY_SCALAR

// Low part of the product.
OPKG_HVX_VV(Q6_Vh_vmpyi_VhVh, uint16_t, uint16_t, uint16_t, uint32_t(a) * b)
OPKG_HVX_XVV(Q6_Vh_vmpyiacc_VhVhVh, uint16_t, uint16_t, uint16_t, x + uint32_t(a) * b)
OPKG_HVX_VR(Q6_Vh_vmpyi_VhRb, int16_t, int16_t, a* opkg_hvx::part<int8_t>(r, i))
OPKG_HVX_VR(Q6_Vw_vmpyi_VwRb, int32_t, int32_t, int64_t(a) * opkg_hvx::part<int8_t>(r, i))
OPKG_HVX_VR(Q6_Vw_vmpyi_VwRub, int32_t, int32_t, int64_t(a) * opkg_hvx::part<uint8_t>(r, i))
OPKG_HVX_VR(Q6_Vw_vmpyi_VwRh, int32_t, int32_t, int64_t(a) * opkg_hvx::part<int16_t>(r, i))
OPKG_HVX_VV(Q6_Vw_vmpyie_VwVuh, int32_t, int32_t, uint32_t, int64_t(a) * uint16_t(b))
OPKG_HVX_VV(Q6_Vw_vmpyio_VwVh, int32_t, int32_t, int32_t, int64_t(a) * (b >> 16))
OPKG_HVX_VV(Q6_Vw_vmpyieo_VhVh, int32_t, int32_t, int32_t,
            int64_t(uint64_t(int64_t(int16_t(a)) * (b >> 16)) << 16))

// Fractional: the high part of twice the product, saturated.
OPKG_HVX_VV(Q6_Vh_vmpy_VhVh_s1_rnd_sat, int16_t, int16_t, int16_t,
            opkg_hvx::saturate<int16_t>((int64_t(a) * b * 2 + 0x8000) >> 16))
OPKG_HVX_VR(Q6_Vh_vmpy_VhRh_s1_sat, int16_t, int16_t,
            opkg_hvx::saturate<int16_t>((int64_t(a) * opkg_hvx::part<int16_t>(r, i) * 2) >> 16))
OPKG_HVX_VR(Q6_Vh_vmpy_VhRh_s1_rnd_sat, int16_t, int16_t,
            opkg_hvx::saturate<int16_t>((int64_t(a) * opkg_hvx::part<int16_t>(r, i) * 2 + 0x8000) >> 16))

// Word by the even or odd halfword of a word: the high part of the product.
OPKG_HVX_VV(Q6_Vw_vmpye_VwVuh, int32_t, int32_t, uint32_t, (int64_t(a) * uint16_t(b)) >> 16)
OPKG_HVX_VV(Q6_Vw_vmpyo_VwVh_s1_sat, int32_t, int32_t, int32_t,
            opkg_hvx::saturate<int32_t>(((int64_t(a) * (b >> 16)) >> 14) >> 1))
OPKG_HVX_VV(Q6_Vw_vmpyo_VwVh_s1_rnd_sat, int32_t, int32_t, int32_t,
            opkg_hvx::saturate<int32_t>((((int64_t(a) * (b >> 16)) >> 14) + 1) >> 1))

// Sums of four byte products.
namespace opkg_hvx {
template <typename A, typename B>
inline HVX_Vector sum4(HVX_Vector x, HVX_Vector va, HVX_Vector vb) {
  const Lanes<A> a(va);
  const Lanes<B> b(vb);
  Lanes<uint32_t> out(x);
  for (int i = 0; i < 128; i++) out.at[i / 4] += uint32_t(int32_t(a.at[i]) * int32_t(b.at[i]));
  return out.vector();
}
}  // namespace opkg_hvx
#define OPKG_HVX_SUM4(RESULT, VV, VR, A, B)                                                         \
  inline HVX_Vector Q6_##RESULT##_vrmpy_##VV(HVX_Vector a, HVX_Vector b) {                          \
    return opkg_hvx::sum4<A, B>(HVX_Vector{}, a, b);                                                \
  }                                                                                                 \
  inline HVX_Vector Q6_##RESULT##_vrmpyacc_##RESULT##VV(HVX_Vector x, HVX_Vector a, HVX_Vector b) { \
    return opkg_hvx::sum4<A, B>(x, a, b);                                                           \
  }                                                                                                 \
  VR
#define OPKG_HVX_SUM4_SCALAR(RESULT, SUFFIX, A, B)                                                   \
  inline HVX_Vector Q6_##RESULT##_vrmpy_##SUFFIX(HVX_Vector a, int32_t r) {                          \
    return opkg_hvx::sum4<A, B>(HVX_Vector{}, a, HVX_Vector{} + r);                                  \
  }                                                                                                  \
  inline HVX_Vector Q6_##RESULT##_vrmpyacc_##RESULT##SUFFIX(HVX_Vector x, HVX_Vector a, int32_t r) { \
    return opkg_hvx::sum4<A, B>(x, a, HVX_Vector{} + r);                                             \
  }
OPKG_HVX_SUM4(Vw, VbVb, , int8_t, int8_t)
OPKG_HVX_SUM4(Vw, VubVb, OPKG_HVX_SUM4_SCALAR(Vw, VubRb, uint8_t, int8_t), uint8_t, int8_t)
OPKG_HVX_SUM4(Vuw, VubVub, OPKG_HVX_SUM4_SCALAR(Vuw, VubRub, uint8_t, uint8_t), uint8_t, uint8_t)
#undef OPKG_HVX_SUM4
#undef OPKG_HVX_SUM4_SCALAR

// Two products added, both lanes of a pair by four bytes of a scalar register: low * r0 + high * r1 in even
// lanes, low * r2 + high * r3 in odd ones.
#define OPKG_HVX_MULTIPLY_PAIR(RESULT, SUFFIX, T, A, B)                                                    \
  inline HVX_VectorPair Q6_##RESULT##_vmpaacc_##RESULT##SUFFIX(HVX_VectorPair x, HVX_VectorPair w,         \
                                                               int32_t scalar) {                           \
    const opkg_hvx::Lanes<A> low(opkg_hvx::lo(w)), high(opkg_hvx::hi(w));                                  \
    opkg_hvx::WidePair<T> out(x);                                                                          \
    const uint32_t r = uint32_t(scalar);                                                                   \
    for (int i = 0; i < opkg_hvx::Lanes<A>::count; i++) {                                                  \
      const int64_t first = opkg_hvx::part<B>(r, i % 2 * 2), second = opkg_hvx::part<B>(r, i % 2 * 2 + 1); \
      out.at(i) = T(out.at(i) + low.at[i] * first + high.at[i] * second);                                  \
    }                                                                                                      \
    return out.pair();                                                                                     \
  }                                                                                                        \
  inline HVX_VectorPair Q6_##RESULT##_vmpa_##SUFFIX(HVX_VectorPair w, int32_t scalar) {                    \
    return Q6_##RESULT##_vmpaacc_##RESULT##SUFFIX(HVX_VectorPair{}, w, scalar);                            \
  }
OPKG_HVX_MULTIPLY_PAIR(Wh, WubRb, int16_t, uint8_t, int8_t)
OPKG_HVX_MULTIPLY_PAIR(Wh, WubRub, int16_t, uint8_t, uint8_t)
OPKG_HVX_MULTIPLY_PAIR(Ww, WhRb, int32_t, int16_t, int8_t)
#undef OPKG_HVX_MULTIPLY_PAIR

#endif  // OPKG_HVX_MULTIPLY_H_
