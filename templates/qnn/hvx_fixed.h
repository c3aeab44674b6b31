// Numbers of fixed-point kernels: multipliers, shifts and start values from scales and zero points, with a bound of the
// error. Portable C++17; the vector instructions that use them are in the kernels.
//
// Every quantity of a kernel is described by `Lanes`: what its lanes stand for, how far off they may be, and in which
// interval the exact value lies. A kernel whose result may be more than one step away from the correctly rounded one is
// not used: `prepare` returns false, and the portable code takes the call.
#ifndef OPKG_HVX_FIXED_H_
#define OPKG_HVX_FIXED_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "opkg/small.h"

namespace opkg {
namespace fixed {

OPKG_SMALL_BEGIN

inline double smaller(double a, double b) { return b < a ? b : a; }
inline double larger(double a, double b) { return a < b ? b : a; }

/// What lanes stand for: real = (lane + offset) * unit, at most `error` away from the exact value, which is in [low, high].
struct Lanes {
  double unit = 1.0;
  double offset = 0.0;
  double low = 0.0;
  double high = 0.0;
  double error = 0.0;
  double reach = std::numeric_limits<double>::infinity();  ///< numbers that are farther from 0 may be saturated

  double first() const { return (low - error) / unit - offset; }  ///< smallest lane
  double last() const { return (high + error) / unit - offset; }  ///< greatest lane
  double size() const { return larger(std::fabs(low), std::fabs(high)); }
};

/// Whether a quantization can be used: a positive finite scale and a zero point that an element can hold.
OPKG_RARE inline bool legal(float scale, int32_t zero, int32_t least, int32_t greatest) {
  return scale > 0.0f && scale <= std::numeric_limits<float>::max() && zero >= least && zero <= greatest;
}
template <typename T>
bool legal(float scale, int32_t zero) {
  return legal(scale, zero, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

/// Stored elements, of which the smallest one is the lane `first`.
OPKG_RARE inline Lanes stored(float scale, int32_t zero, int32_t least, int32_t greatest, int32_t first) {
  Lanes lanes;
  lanes.unit = scale;
  lanes.offset = least - first - zero;
  lanes.low = (least - zero) * lanes.unit;
  lanes.high = (greatest - zero) * lanes.unit;
  return lanes;
}
/// Lanes of 8 bits are moved to 0..255, those of 16 bits to -32768..32767.
template <typename T>
Lanes stored(float scale, int32_t zero) {
  return stored(scale, zero, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), sizeof(T) == 1 ? 0 : -32768);
}

/// The lane that stands for 0.
inline int32_t zero_of(const Lanes& lanes) { return static_cast<int32_t>(-lanes.offset); }

/// max(x, 0) and min(x, 0) of stored elements.
inline Lanes positive(Lanes lanes) {
  lanes.low = larger(lanes.low, 0.0);
  return lanes;
}
inline Lanes negative(Lanes lanes) {
  lanes.high = smaller(lanes.high, 0.0);
  return lanes;
}

/// The same 16 bits in both halves of a word, the same 8 bits in all bytes.
inline int32_t both_halves(int32_t value) {
  const uint32_t half = static_cast<uint32_t>(value) & 0xffffu;
  return static_cast<int32_t>(half << 16 | half);
}
inline int32_t all_bytes(int32_t value) {
  return static_cast<int32_t>((static_cast<uint32_t>(value) & 0xffu) * 0x01010101u);
}

/// Multipliers of vmpa: its pairs have the coefficients (first, second).
inline int32_t byte_pairs(int32_t first, int32_t second) {
  const uint32_t pair = (static_cast<uint32_t>(first) & 0xffu) | (static_cast<uint32_t>(second) & 0xffu) << 8;
  return static_cast<int32_t>(pair << 16 | pair);
}

/// How a term enters a sum: bytes by vmpa with coefficients in two halves, halves by a fractional multiply, plain ones
/// are in the unit of the sum. Words enter sums in 32-bit lanes, by a fraction of 31 bits; steps are words that are
/// limited and moved up before.
enum class Enters : uint8_t {
  bytes,
  halves,
  plain,
  words,
  steps
};

/// factor * (what the lanes stand for).
struct Term {
  Lanes lanes;
  double factor = 1.0;
  Enters enters = Enters::bytes;
};

using Terms = std::initializer_list<Term>;

constexpr size_t kMaxTerms = 8;

/// Exact bounds of a sum.
inline void bounds(Terms terms, double constant, double& low, double& high) {
  low = high = constant;
  for (const Term& term : terms) {
    const double a = term.factor * term.lanes.low;
    const double b = term.factor * term.lanes.high;
    low += smaller(a, b);
    high += larger(a, b);
  }
}

/// Balance of one coefficient that was rounded: what goes into the start value, what remains as error, in lanes.
struct Rounded {
  double used;  ///< the coefficient that is computed with
  double start;
  double error;
  double low;  ///< bounds of used * lane
  double high;

  Rounded(const Term& term, double wanted, double rounded, double unit) : used(rounded) {
    const double first = term.lanes.first();
    const double last = term.lanes.last();
    start = wanted * term.lanes.offset + (wanted - used) * (first + last) / 2;
    error = std::fabs(wanted - used) * (last - first) / 2 + std::fabs(term.factor) * term.lanes.error / unit;
    low = smaller(used * first, used * last);
    high = larger(used * first, used * last);
  }
};

/// The greatest number of fraction bits, at most `most`, with which `fits(unit)` succeeds and the result is less than a
/// step away from the exact one before rounding; -1 if there is none.
template <typename Fits>
int32_t fraction_bits(const Fits& fits, const Lanes& lanes, double step, int32_t most) {
  for (int32_t bits = most; bits >= 0; --bits) {
    if (fits(std::ldexp(step, -bits)) && lanes.error < 0.99 * step) return bits;
  }
  return -1;
}

/// The stored number of a real bound of the result: rounded half to even, saturated.
template <typename T>
int32_t stored_bound(double real, float scale, int32_t zero) {
  const double least = std::numeric_limits<T>::min();
  const double greatest = std::numeric_limits<T>::max();
  const double q = std::nearbyint(real / scale) + zero;
  return static_cast<int32_t>(smaller(larger(q, least), greatest));
}

OPKG_SMALL_END

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_FIXED_H_
