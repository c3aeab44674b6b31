// IEEE arithmetic of HVX on four words or halves. SPDX-License-Identifier: Apache-2.0
//
// One rounding to nearest even each; subnormal numbers are kept; NaN results are 7fffffff, 7fff. The host has to compute
// that way: no -ffast-math.
#ifndef OPKG_HVX_IEEE_H_
#define OPKG_HVX_IEEE_H_

#include "words.h"

namespace opkg_hvx {

constexpr int32_t kNan = 0x7fffffff, kHalfNan = 0x7fff;

// The bits of a result.
inline Words canonical(Floats x) { return select(Words(x != x), words(kNan), as<Words>(x)); }

// Halves (of any upper bits) as floats: exact.
inline Floats from_half(Words x) {
  const Words size = Words((x & 0x7fff) << 13), sign = Words((x & 0x8000) << 16);
  const Words finite = as<Words>(as<Floats>(size) * 0x1p112f);
  return as<Floats>(select(Words(size >= 0x0f800000), size | 0x7f800000, finite) | sign);
}

// To nearest even; too large becomes infinity.
inline Words to_half(Floats x) {
  const Words bits = as<Words>(x), size = magnitude(bits);
  const UWords usual = (as<UWords>(size) - (112u << 23) + 0xfffu + (as<UWords>(size) >> 13 & 1u)) >> 13;
  const Words normal = as<Words>(usual), small = as<Words>(as<Floats>(size) + 0.5f) - 0x3f000000;
  const Words finite = select(Words(size < 0x38800000), small, normal);
  const Words half = select(Words(size >= 0x47800000), words(0x7c00), finite);
  return select(Words(size > 0x7f800000), words(kHalfNan), half | (shift_logical(bits, 16) & 0x8000));
}

// bfloat16, the upper half of a float.
inline Floats from_bfloat(Words x) { return as<Floats>(Words(x << 16)); }
inline Words to_bfloat(Floats x) {
  const Words bits = as<Words>(x), size = magnitude(bits);
  const UWords rounded = (as<UWords>(bits) + 0x7fffu + (as<UWords>(bits) >> 16 & 1u)) >> 16;
  return select(Words(size > 0x7f800000), words(kHalfNan), as<Words>(rounded));
}

// a + b rounded to odd where it is not exact: rounding it again to a format of at least two bits less rounds once.
inline Doubles odd_sum(Doubles a, Doubles b) {
  const Doubles sum = a + b, other = sum - a, error = (a - (sum - other)) + (b - other);
  const Longs bits = as<Longs>(sum);
  const Longs towards = Longs(Longs(error > 0) == Longs(sum > 0)) & 1, step = towards + towards - 1;
  const Longs inexact = Longs(error != 0) & Longs(error == error) & Longs((bits & 1) == 0);
  return as<Doubles>(bits + (step & inexact));
}
inline Floats to_floats(Doubles x) { return __builtin_convertvector(x, Floats); }

// The number of a double that is rounded to half precision afterwards, without rounding twice.
inline Floats odd_floats(Doubles x) {
  const Floats near = to_floats(x);
  const Doubles error = x - doubles(near);
  const Floats rest = to_floats(error);
  const Words bits = as<Words>(near);
  const Words towards = Words(Words(rest > 0) == Words(near > 0)) & 1, step = towards + towards - 1;
  const Words inexact = Words(rest != 0) & Words(rest == rest) & Words((bits & 1) == 0);
  return as<Floats>(bits + (step & inexact));
}

// The three-way sum, rounded to odd like odd_sum.
inline Doubles odd_sum(Floats x, Floats b, Floats c) {
  const Doubles wide_x = doubles(x), wide_b = doubles(b), wide_c = doubles(c);
  const Doubles high = wide_b + wide_c, from_c = high - wide_b;
  const Doubles low = (wide_b - (high - from_c)) + (wide_c - from_c);
  const Doubles sum = wide_x + high, from_high = sum - wide_x;
  const Doubles rest = (wide_x - (sum - from_high)) + (high - from_high);
  const Doubles finite = odd_sum(sum, odd_sum(rest, low));
  return as<Doubles>(select(Longs(sum - sum == 0), as<Longs>(finite), as<Longs>(sum)));
}

// Numbers as integers of the same order: -NaN, -infinity, ..., -0, +0, ..., infinity, NaN.
inline Words ordered(Words x) { return x ^ shift_logical(x >> 31, 1); }
// `size`: all bits but the sign.
inline Words greater(Words a, Words b, int32_t size) {
  return Words(ordered(a) > ordered(b)) & Words(((a | b) & size) != 0);
}

// `found`, or NaN where an operand is one.
inline Words whatever(Words, Words, Words found) { return found; }
inline Words nan_of(Words a, Words b, int32_t mask, int32_t infinity, Words found) {
  return select(Words((a & mask) > infinity) | Words((b & mask) > infinity), words(mask), found);
}
inline Words nan_of_sf(Words a, Words b, Words found) { return nan_of(a, b, kNan, 0x7f800000, found); }
inline Words nan_of_hf(Words a, Words b, Words found) { return nan_of(a, b, kHalfNan, 0x7c00, found); }
inline Words nan_of_bf(Words a, Words b, Words found) { return nan_of(a, b, kHalfNan, 0x7f80, found); }

}  // namespace opkg_hvx

#endif  // OPKG_HVX_IEEE_H_
