// What the expressions of the generated intrinsics (table.h) are written with.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_EXPRESSIONS_H_
#define OPKG_HVX_EXPRESSIONS_H_

#include "define.h"

namespace opkg_hvx {

inline int64_t mul(int64_t a, int64_t b) { return a * b; }

// Sum modulo 2^32.
inline uint32_t wrap(int64_t a, int64_t b) { return uint32_t(a) + uint32_t(b); }

// Absolute difference.
inline int64_t apart(int64_t a, int64_t b) { return a > b ? a - b : b - a; }

// Right, halves rounded up.
inline int64_t round_shift(int64_t value, int n) { return (value + ((int64_t(1) << n) >> 1)) >> n; }

// Two's complement number in the low `bits` bits.
inline int signed_bits(uint32_t value, int bits) { return int32_t(value << (32 - bits)) >> (32 - bits); }

// Right by n, or left by -n when n is negative.
inline int64_t shift_right(int64_t value, int n) {
  return n >= 0 ? value >> n : int64_t(uint64_t(value) << -n);
}

// Equal leading bits of a 32-bit number.
inline int leading(int32_t value) { return __builtin_clrsb(value) + 1; }

// `value` shifted right by n into a pair of words, or left by -n when n is negative; the bits beside it come
// from `beside`.
inline int64_t shift_into(int32_t value, uint32_t beside, int n) {
  if (n == -64) return 0;
  const uint64_t wide = uint64_t(uint32_t(value)) << 32, both = uint64_t(beside) << 32 | beside;
  const uint64_t low = 0xffffffffu;
  if (n < 0) return int64_t(wide << -n | (both & (low << -n)));
  return int64_t(uint64_t(int64_t(wide) >> n) | (both & (low >> n)));
}

// Coefficient k of word i for v6mpy: ten bits, the low eight in byte k, the high two in byte 3.
inline int coefficient(const int8_t (&b)[128], int i, int k) {
  const int high = b[4 * i + 3] >> 2 * k & 3;
  return ((high << 8 | uint8_t(b[4 * i + k])) ^ 512) - 512;
}

// 128 bytes of the pair (high, low), from byte `start` (0 to 128) on.
inline HVX_Vector window(HVX_Vector high, HVX_Vector low, int start) {
  uint8_t bytes[256];
  memcpy(bytes, &low, 128);
  memcpy(bytes + 128, &high, 128);
  HVX_Vector v;
  memcpy(&v, bytes + start, 128);
  return v;
}

// One step of vshuff and vdeal: exchanges the blocks of `size` bytes at odd places of `low` and even places
// of `high`.
inline void exchange(Lanes<uint8_t>* high, Lanes<uint8_t>* low, int size) {
  for (int block = 0; block < 128; block += 2 * size) {
    for (int i = block; i < block + size; i++) {
      const uint8_t kept = high->at[i];
      high->at[i] = low->at[i + size];
      low->at[i + size] = kept;
    }
  }
}

// The elements of a scalar register.
template <typename T, typename R>
struct Elements {
  T at[sizeof(R) / sizeof(T)];
  explicit Elements(R r) { memcpy(at, &r, sizeof at); }
};

}  // namespace opkg_hvx

#endif  // OPKG_HVX_EXPRESSIONS_H_
