// Inverses of numbers of a row, in whole numbers: divisions and roots of doubles take hundreds of packets. Portable C++17.
#ifndef OPKG_HVX_INVERSE_H_
#define OPKG_HVX_INVERSE_H_

#include <cmath>
#include <cstdint>
#include <cstring>

#include "opkg/hvx_number.h"
#include "opkg/small.h"

namespace opkg::hvx {

/// The smallest e with |value| < 2^e; large for what is not finite. From the bits: doubles are slow on this machine.
inline int32_t exponent(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return static_cast<int32_t>(bits >> 52 & 0x7ff) - 1022;
}

/// mantissa * 2^power, of 32 bits.
inline double of_mantissa(uint32_t mantissa, int32_t power) {
  const double whole = static_cast<double>(mantissa);
  uint64_t word;
  memcpy(&word, &whole, sizeof word);
  word += static_cast<uint64_t>(static_cast<int64_t>(power)) << 52;
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/// The 32 leading bits of a positive number.
inline uint32_t leading(double value) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  return 1u << 31 | static_cast<uint32_t>(word >> 21);
}

/// a * b / 2^shift.
inline uint32_t product(uint32_t a, uint32_t b, int32_t shift) { return static_cast<uint32_t>((uint64_t{a} * b) >> shift); }

/// Whether a number is positive, and none of the largest or smallest ones.
inline bool is_usual(double value) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  return static_cast<uint32_t>(word >> 52) - 122 <= 1800;  // a sign is above its exponent
}

/// One of Newton's steps: `found`, in units of 2^-30, is next to the inverse of `half`, in units of 2^-32.
__attribute__((always_inline)) inline uint32_t nearer(uint32_t half, uint32_t found) {
  return product(found, (1u << 31) - product(half, found, 32), 30);
}

/// 1 / x within 2^-27 of itself: three steps of Newton in whole numbers, a fifth of a division's packets.
OPKG_RARE inline double inverse(double x) {
  if (!is_usual(x)) return 1.0 / x;
  const uint32_t half = leading(x);                               // x / 2^size, in units of 2^-32: 0.5 to 1
  uint32_t found = 3031741620u - product(half, 2021161080u, 32);  // 48 / 17 - 32 / 17 x in units of 2^-30: within 1 / 17
  found = nearer(half, nearer(half, nearer(half, found)));
  return of_mantissa(found, -30 - exponent(x));
}

/// The same of a number of elements, exact but for a few units of double's last place.
OPKG_RARE inline double exact_inverse(double x) {
  const double near = static_cast<double>(1.0f / static_cast<float>(x)), rest = 1.0 - x * near;
  return near + near * (rest + rest * rest);
}

/// 1 / n of rows of n elements, known where a graph knows how long they are.
struct CountInverse : RowCount {
  static constexpr size_t kMostInWords = 32767;  ///< 31 bits hold the squares of as many bytes

  double inverse = 0.0;
  size_t in_words = 0;  ///< n, if it is no more

  CountInverse() = default;
  explicit CountInverse(size_t n) : RowCount(n), inverse(exact_inverse(static_cast<double>(n))), in_words(n <= kMostInWords ? n : 0) {}

  double of(size_t n) const { return n == length() ? inverse : exact_inverse(static_cast<double>(n)); }
};

/// 1 / sqrt(x) within 2^-26 of itself.
OPKG_RARE inline double inverse_root(double x) {
  if (!is_usual(x)) return 1.0 / std::sqrt(x);
  const int32_t size = exponent(x);
  const uint32_t half = leading(x), quarter = half >> (size & 1);  // x / 2^(even), in units of 2^-32: 0.25 to 1
  // 2.234 - 2.066 x + 0.835 x^2 in units of 2^-30, where x is 0.5 to 1: within 0.0032 of itself. Of x / 2 sqrt(2) times that.
  uint32_t found = 2398682359u - product(half, 2218572369u - product(half, 897054545u, 32), 32);
  if ((size & 1) != 0) found = product(found, 1518500250u, 30);
  for (int32_t i = 0; i < 2; ++i) {
    const uint32_t square = product(product(found, found, 32), quarter, 30);  // x found^2, in units of 2^-30
    found = product(found, 3u * (1u << 30) - square, 31);
  }
  return of_mantissa(found, -30 - (size + (size & 1)) / 2);
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX_INVERSE_H_
