// HVX floating point: conversions, signs and moves. SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_FLOAT_CONVERT_H_
#define OPKG_HVX_FLOAT_CONVERT_H_

#include "float.h"

namespace opkg_hvx {

// To the nearest integer (ties to even), saturated to |low|, |high| <= 2^16; NaN gives the largest one.
inline Words nearest(Floats x, int32_t low, int32_t high) {
  const Floats least = floats(words(low)), most = floats(words(high));
  const Floats above = select(Words(x < least), least, x);  // NaN stays
  const Floats within = select(Words(above < most), above, most);
  return as<Words>(within + 0x1.8p23f) - 0x4b400000;
}

// Towards zero, saturated; NaN by its sign. `high` is the largest integer, 2^bits - 1.
inline Words truncated(Words x, Floats value, float limit, int32_t high) {
  const Words sign = x >> 31, inside = Words(value < limit) & Words(value > -limit);
  const Words whole = __builtin_convertvector(as<Floats>(inside & as<Words>(value)), Words);
  return select(inside, whole, sign ^ high);
}

// Bytes of words: the numbers i of them, signed or not.
inline Words byte(Words x, int i, bool is_signed) {
  const Words high = x << (24 - 8 * i);
  return is_signed ? high >> 24 : shift_logical(high, 24);
}

// Bytes 4i and 4i + 1 to the low vector, 4i + 2 and 4i + 3 to the high one, and back, with halves.
inline HVX_VectorPair halves_from_bytes(HVX_Vector v, bool is_signed) {
  const auto two = [is_signed](Words x, int first) {
    const auto half = [&](int i) { return to_half(floats(byte(x, i, is_signed))); };
    return halves(half(first + 1), half(first));
  };
  return pair(map_words([&](Words x) { return two(x, 2); }, v), map_words([&](Words x) { return two(x, 0); }, v));
}
inline HVX_Vector bytes_from_halves(HVX_Vector first, HVX_Vector second, int32_t least, int32_t most) {
  return map_words(
      [&](Words low, Words high) {
        const auto at = [&](Words x, int n) { return Words((nearest(from_half(x), least, most) & 255) << n); };
        return at(low, 0) | at(high_half(low), 8) | at(high, 16) | at(high_half(high), 24);
      },
      first, second);
}

}  // namespace opkg_hvx

#define OPKG_HVX_CONVERT(NAME, MAP, ...)                                          \
  inline HVX_Vector NAME(HVX_Vector v) {                                          \
    using namespace opkg_hvx;                                                     \
    return MAP([](Words x) -> Words { return __VA_ARGS__; }, v);                  \
  }
OPKG_HVX_CONVERT(Q6_Vsf_equals_Vqf32, map_words, sf_from_qf32(x))
OPKG_HVX_CONVERT(Q6_Vhf_equals_Vqf16, map_halves, hf_from_qfloat<Qf16>(x))
OPKG_HVX_CONVERT(Q6_Vsf_equals_Vw, map_words, as<Words>(floats(x)))
OPKG_HVX_CONVERT(Q6_Vw_equals_Vsf, map_words, truncated(x, as<Floats>(x), 0x1p31f, 0x7fffffff))
OPKG_HVX_CONVERT(Q6_Vhf_equals_Vh, map_halves, to_half(floats(x)))
OPKG_HVX_CONVERT(Q6_Vh_equals_Vhf, map_halves, truncated(x, from_half(x), 0x1p15f, 0x7fff))
OPKG_HVX_CONVERT(Q6_Vhf_vcvt_Vh, map_halves, to_half(floats(x)))
OPKG_HVX_CONVERT(Q6_Vhf_vcvt_Vuh, map_halves, to_half(floats(x & 0xffff)))
OPKG_HVX_CONVERT(Q6_Vh_vcvt_Vhf, map_halves, nearest(from_half(x), -0x8000, 0x7fff))
OPKG_HVX_CONVERT(Q6_Vuh_vcvt_Vhf, map_halves, nearest(from_half(x), 0, 0xffff))
OPKG_HVX_CONVERT(Q6_Vsf_vabs_Vsf, map_words, x & 0x7fffffff)
OPKG_HVX_CONVERT(Q6_Vsf_vfneg_Vsf, map_words, x ^ int32_t(0x80000000))
OPKG_HVX_CONVERT(Q6_Vhf_vabs_Vhf, map_words, x & 0x7fff7fff)
OPKG_HVX_CONVERT(Q6_Vhf_vfneg_Vhf, map_words, x ^ int32_t(0x80008000))
#undef OPKG_HVX_CONVERT

// New in v81. A template, so that code which brings the name along for older ones keeps its own.
template <typename Vector>
inline Vector Q6_Vqf32_equals_Vsf(Vector v) {
  return Q6_Vqf32_vadd_VsfVsf(v, HVX_Vector{});
}

inline HVX_Vector Q6_Vw_vfmv_Vw(HVX_Vector v) { return v; }

// Words to the halves of words: those of the high vector are the upper halves. From single precision the first operand
// gives the lower halves.
inline HVX_Vector Q6_Vhf_equals_Wqf32(HVX_VectorPair w) {
  using namespace opkg_hvx;
  return map_words([](Words high, Words low) { return halves(hf_from_qfloat<Qf32>(high), hf_from_qfloat<Qf32>(low)); },
                   hi(w), lo(w));
}
inline HVX_Vector Q6_Vhf_vcvt_VsfVsf(HVX_Vector first, HVX_Vector second) {
  using namespace opkg_hvx;
  return map_words([](Words low, Words high) { return halves(to_half(as<Floats>(high)), to_half(as<Floats>(low))); },
                   first, second);
}
inline HVX_Vector Q6_Vbf_vcvt_VsfVsf(HVX_Vector first, HVX_Vector second) {
  using namespace opkg_hvx;
  return map_words([](Words a, Words b) { return halves(to_bfloat(as<Floats>(b)), to_bfloat(as<Floats>(a))); }, first,
                   second);
}
inline HVX_VectorPair Q6_Wsf_vcvt_Vhf(HVX_Vector v) {
  using namespace opkg_hvx;
  return map_wide([](Words x) { return canonical(from_half(x)); }, v);
}
inline HVX_VectorPair Q6_Whf_vcvt_Vb(HVX_Vector v) { return opkg_hvx::halves_from_bytes(v, true); }
inline HVX_VectorPair Q6_Whf_vcvt_Vub(HVX_Vector v) { return opkg_hvx::halves_from_bytes(v, false); }
inline HVX_Vector Q6_Vb_vcvt_VhfVhf(HVX_Vector a, HVX_Vector b) {
  return opkg_hvx::bytes_from_halves(a, b, -128, 127);
}
inline HVX_Vector Q6_Vub_vcvt_VhfVhf(HVX_Vector a, HVX_Vector b) {
  return opkg_hvx::bytes_from_halves(a, b, 0, 255);
}

#endif  // OPKG_HVX_FLOAT_CONVERT_H_
