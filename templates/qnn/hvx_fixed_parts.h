// Parts of fixed-point kernels that are no sums: extremes, products and their factors, tables.
#ifndef OPKG_HVX_FIXED_PARTS_H_
#define OPKG_HVX_FIXED_PARTS_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "opkg/hvx_fixed.h"
#include "opkg/small.h"

namespace opkg {
namespace fixed {

OPKG_SMALL_BEGIN

/// max, min (of lanes in one unit) and absolute value.
inline Lanes greatest_of(const Lanes& a, const Lanes& b) {
  return {a.unit, 0.0, larger(a.low, b.low), larger(a.high, b.high), larger(a.error, b.error)};
}
inline Lanes least_of(const Lanes& a, const Lanes& b) {
  return {a.unit, 0.0, smaller(a.low, b.low), smaller(a.high, b.high), larger(a.error, b.error)};
}
inline Lanes magnitude_of(const Lanes& a) {
  return {a.unit, 0.0, larger(larger(a.low, -a.high), 0.0), a.size(), a.error};
}

/// The product of two lanes without offsets by a fractional multiply that rounds.
inline Lanes product(const Lanes& a, const Lanes& b) {
  Lanes lanes;
  lanes.unit = a.unit * b.unit * 32768.0;
  const double corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  lanes.low = lanes.high = corners[0];
  for (const double corner : corners) {
    lanes.low = smaller(lanes.low, corner);
    lanes.high = larger(lanes.high, corner);
  }
  lanes.error = a.size() * b.error + b.size() * a.error + a.error * b.error + 0.5 * lanes.unit;
  return lanes;
}

/// The product of words of up to 2^30, as fractions of 31 bits.
inline Lanes product_of_words(const Lanes& a, const Lanes& b) {
  Lanes lanes = product(a, b);
  lanes.error -= 0.5 * lanes.unit;
  lanes.unit = std::ldexp(lanes.unit, 16);
  lanes.error += lanes.unit;
  return lanes;
}

/// The square of a lane without an offset.
inline Lanes square(const Lanes& a) {
  Lanes lanes = product(a, a);
  const double root = larger(larger(a.low, -a.high), 0.0);
  lanes.low = root * root;
  return lanes;
}

/// (a - zero) * (b - zero) of two bytes, less a center that makes it fit 16 bits: exact.
struct ByteProduct {
  int32_t zeros = 0;  ///< vmpa of (a, b) with it: zero_b * a + zero_a * b
  int32_t start = 0;  ///< that is taken from it, a * b is added
  Lanes lanes;

  void set(const Lanes& a, const Lanes& b) {
    const int32_t zero_a = zero_of(a);
    const int32_t zero_b = zero_of(b);
    zeros = byte_pairs(zero_b, zero_a);
    lanes.unit = a.unit * b.unit;
    const Lanes exact = product(a, b);
    lanes.low = exact.low;
    lanes.high = exact.high;
    const double middle = std::floor((exact.low + exact.high) / (2.0 * lanes.unit) + 0.5);
    lanes.offset = middle;
    start = both_halves(zero_a * zero_b - static_cast<int32_t>(middle));
  }
};

/// (a - zero) * (b - zero) of two halves, less a center that makes it fit 32 bits: exact.
struct HalfProduct {
  int32_t zero_a = 0;  ///< b is multiplied by it, a by zero_b
  int32_t zero_b = 0;
  int32_t start = 0;  ///< that both products are taken from, a * b is added
  Lanes lanes;

  void set(const Lanes& a, const Lanes& b) {
    const int64_t zeros = static_cast<int64_t>(zero_of(a)) * zero_of(b);
    zero_a = both_halves(zero_of(a));
    zero_b = both_halves(zero_of(b));
    lanes.unit = a.unit * b.unit;
    const Lanes exact = product(in_halves(a), in_halves(b)), whole = product(a, b);
    lanes.low = whole.low;
    lanes.high = whole.high;
    lanes.reach = smaller(a.reach * b.unit, b.reach * a.unit);  // the other factor is 0, or a step at least
    lanes.error = a.size() * b.error + b.size() * a.error + a.error * b.error;
    const double middle = std::floor((exact.low + exact.high) / (2.0 * lanes.unit) + 0.5);
    lanes.offset = middle;
    start = static_cast<int32_t>(static_cast<uint32_t>(zeros - static_cast<int64_t>(middle)));
  }

 private:
  /// What 16 bits hold of lanes.
  static Lanes in_halves(Lanes of) {
    of.low = larger(of.low, (of.offset - 32768.0) * of.unit);
    of.high = smaller(of.high, (of.offset + 32767.0) * of.unit);
    return of;
  }
};

/// The product of words of up to 2^30 and of halves, whose zero point is taken from it as a product of its own: two roundings.
struct WordProduct {
  int32_t zero = 0;
  Lanes lanes;

  void set(const Lanes& words, const Lanes& half) {
    zero = both_halves(zero_of(half));
    lanes = product(words, half);
    lanes.error += 0.5 * lanes.unit;
  }
};

/// (byte - zero) * 127 by vmpa of (byte, zero), exact: a factor of a product.
struct ByteFactor {
  int32_t zero = 0;
  Lanes lanes;

  static constexpr int32_t kMultipliers = static_cast<int32_t>(0x817f817fu);  ///< 127 and -127

  void set(const Lanes& byte) {
    lanes = byte;
    lanes.unit = byte.unit / 127.0;
    lanes.offset = 0.0;
    zero = all_bytes(zero_of(byte));
  }
};

/// (half - zero) / 2 by vavg:rnd: a factor of a product.
struct HalfFactor {
  int32_t other = 0;  ///< what the half is averaged with
  Lanes lanes;

  void set(const Lanes& half) {
    lanes = half;
    lanes.unit = half.unit * 2.0;
    lanes.offset = 0.0;
    lanes.error = half.unit;
    other = both_halves(-zero_of(half) - 1);
  }
};

/// 16-bit entries for all stored numbers of 8 bits (by their bits), of any function of the real value; what they stand for.
/// False: the function is not finite everywhere.
template <typename T, typename Function>
bool tabulate(const Function& function, float scale, int32_t zero, int16_t (&entries)[256], Lanes& lanes) {
  double values[256];
  for (int32_t q = 0; q < 256; ++q) {
    values[q] = function((static_cast<double>(static_cast<T>(q)) - zero) * static_cast<double>(scale));
    if (!std::isfinite(values[q])) return false;
    lanes.low = q == 0 ? values[q] : smaller(lanes.low, values[q]);
    lanes.high = q == 0 ? values[q] : larger(lanes.high, values[q]);
  }
  lanes.unit = larger(lanes.size() / 32700.0, 1e-30);
  lanes.error = 0.5 * lanes.unit;
  for (int32_t q = 0; q < 256; ++q) entries[q] = static_cast<int16_t>(std::floor(values[q] / lanes.unit + 0.5));
  return true;
}

OPKG_SMALL_END

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_FIXED_PARTS_H_
