// Small functions on numbers that kernels expect to find with the tensors.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_SCALARS_H_
#define OPKG_HTP_SCALARS_H_

#include "sdk.h"

// The exponent of frexp: 0 for 0.5 up to 1, 1 for 1 up to 2; -126 for zeros and denormals, 129 for infinities and NaN.
inline int flt_getexp(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return int(bits >> 23 & 255u) - 126;
}

// The significand of frexp: 0.5 up to 1, with the sign of x, which is finite and no zero or denormal.
inline float flt_getfrac(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = (bits & 0x807fffffu) | 126u << 23;
  std::memcpy(&x, &bits, sizeof bits);
  return x;
}

// 2 to the power of `exponent`, -126 to 127, and x times it.
inline float flt_power2(int exponent) {
  const uint32_t bits = uint32_t(exponent + 127) << 23;
  float power;
  std::memcpy(&power, &bits, sizeof bits);
  return power;
}
inline float flt_ldexp(float x, int exponent) { return x * flt_power2(exponent); }

// To the nearest integer, halves away from zero.
inline int32_t roundf_i32(float x) { return int32_t(std::roundf(x)); }
inline uint32_t roundf_u32(float x) { return uint32_t(std::roundf(x)); }

inline int32_t min_i32(int32_t a, int32_t b) { return a < b ? a : b; }
inline int32_t max_i32(int32_t a, int32_t b) { return a > b ? a : b; }
inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
inline uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

inline uint8_t saturate_u8(int32_t x) { return uint8_t(min_i32(max_i32(x, 0), 255)); }
inline int8_t saturate_i8(int32_t x) { return int8_t(min_i32(max_i32(x, -128), 127)); }
inline uint16_t saturate_u16(int32_t x) { return uint16_t(min_i32(max_i32(x, 0), 65535)); }
inline int16_t saturate_i16(int32_t x) { return int16_t(min_i32(max_i32(x, -32768), 32767)); }

#endif  // OPKG_HTP_SCALARS_H_
