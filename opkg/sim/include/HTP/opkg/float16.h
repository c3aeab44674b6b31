// IEEE half precision numbers: storage and conversions, without help from the CPU.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_FLOAT16_H_
#define OPKG_HTP_FLOAT16_H_

#include <cstdint>
#include <cstring>

namespace opkg_sim {

inline uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float bits_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Exact: every half is a float.
inline float half_to_float(uint16_t half) {
  const uint32_t sign = uint32_t(half & 0x8000u) << 16;
  const uint32_t rest = half & 0x7fffu;
  if (rest >= 0x7c00u) return bits_float(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  if (rest >= 0x0400u) return bits_float(sign | ((rest << 13) + (112u << 23)));
  const float magnitude = float(rest) * 5.9604644775390625e-8f;  // subnormal: units of 2^-24
  return sign ? -magnitude : magnitude;
}

// Rounds to nearest, ties to even; too large becomes infinity, NaN stays a quiet NaN.
inline uint16_t float_to_half(float value) {
  const uint32_t bits = float_bits(value);
  const uint16_t sign = uint16_t(bits >> 16 & 0x8000u);
  const uint32_t rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) return uint16_t(sign | 0x7e00u);
  if (rest >= 0x47800000u) return uint16_t(sign | 0x7c00u);
  if (rest < 0x38800000u) {  // subnormal half or zero: let the float adder round at 2^-24
    const float shifted = bits_float(rest) + 0.5f;
    return uint16_t(sign | (float_bits(shifted) - 0x3f000000u));
  }
  const uint32_t odd = rest >> 13 & 1u;
  return uint16_t(sign | (rest - (112u << 23) + 0xfffu + odd) >> 13);
}

}  // namespace opkg_sim

class Float16 {
 public:
  Float16() = default;
  Float16(float value) : bits_(opkg_sim::float_to_half(value)) {}
  operator float() const { return opkg_sim::half_to_float(bits_); }
  static Float16 from_raw(uint16_t bits) {
    Float16 half;
    half.bits_ = bits;
    return half;
  }
  uint16_t raw() const { return bits_; }
  Float16& operator+=(float other) { return *this = *this + other; }
  Float16& operator-=(float other) { return *this = *this - other; }
  Float16& operator*=(float other) { return *this = *this * other; }
  Float16& operator/=(float other) { return *this = *this / other; }

 private:
  uint16_t bits_;
};
static_assert(sizeof(Float16) == 2, "Float16 is the storage of one element");

// Kernels cast raw data to __fp16*. Where the compiler has no such type, ours stands in.
#if !defined(__clang__) && !defined(__ARM_FP16_FORMAT_IEEE)
using __fp16 = Float16;
#endif

#endif  // OPKG_HTP_FLOAT16_H_
