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

namespace opkg {
namespace fixed {

inline double smaller(double a, double b) { return b < a ? b : a; }
inline double larger(double a, double b) { return a < b ? b : a; }

/// What lanes stand for: real = (lane + offset) * unit, at most `error` away from the exact value, which is in [low, high].
struct Lanes {
  double unit = 1.0;
  double offset = 0.0;
  double low = 0.0;
  double high = 0.0;
  double error = 0.0;

  double first() const { return (low - error) / unit - offset; }  ///< smallest lane
  double last() const { return (high + error) / unit - offset; }  ///< greatest lane
  double size() const { return larger(std::fabs(low), std::fabs(high)); }
};

/// Whether a quantization can be used: a positive finite scale and a zero point that an element can hold.
template <typename T>
bool legal(float scale, int32_t zero) {
  return scale > 0.0f && scale <= std::numeric_limits<float>::max() && zero >= std::numeric_limits<T>::min() &&
         zero <= std::numeric_limits<T>::max();
}

/// Stored elements. Lanes of 8 bits are moved to 0..255, those of 16 bits to -32768..32767.
template <typename T>
Lanes stored(float scale, int32_t zero) {
  const int32_t least = std::numeric_limits<T>::min();
  const int32_t greatest = std::numeric_limits<T>::max();
  Lanes lanes;
  lanes.unit = scale;
  lanes.offset = (sizeof(T) == 1 ? least : least + 32768) - zero;
  lanes.low = (least - zero) * lanes.unit;
  lanes.high = (greatest - zero) * lanes.unit;
  return lanes;
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
/// are in the unit of the sum.
enum class Enters : uint8_t {
  bytes,
  halves,
  plain
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

/// A sum in 16-bit lanes: sum of c * byte (vmpa by `high`, and by `low` shifted right) + sum of c * half
/// (fractional multiply by `factor`) + plain terms + start.
struct Sum {
  int32_t high[kMaxTerms / 2] = {};
  int32_t low[kMaxTerms / 2] = {};
  int32_t low_shift = 0;
  int32_t factor[kMaxTerms] = {};
  int32_t start = 0;
  int32_t start_place = 0;  ///< after how many parts the start is added; 0: at the end
  Lanes lanes;

  /// Sets all numbers for lanes of `unit`. False: some partial sum or coefficient does not fit.
  /// saturating: the last addition saturates, so the sum itself may leave the lanes.
  bool fit(Terms terms, double constant, double unit, bool saturating) {
    if (!(unit > 0.0) || !std::isfinite(unit) || !std::isfinite(constant)) return false;
    size_t bytes = 0;
    for (const Term& term : terms) bytes += term.enters == Enters::bytes ? 1 : 0;
    low_shift = bytes <= 1 ? 8 : bytes <= 2 ? 7 : bytes <= 4 ? 6 : 5;
    double begin = constant / unit;
    double error = 0.0;
    double first[kMaxTerms + 1];  // bounds of what is added, in order; bytes enter together
    double last[kMaxTerms + 1];
    size_t parts = 0;
    size_t group = 0;  // the part of the bytes
    size_t byte = 0;
    size_t half = 0;
    bool lower = false;
    for (const Term& term : terms) {
      const double wanted = term.factor * term.lanes.unit / unit;
      if (!(std::fabs(wanted) < 129.0)) return false;
      if (term.enters == Enters::bytes) {
        const int32_t whole = static_cast<int32_t>(std::floor(std::ldexp(wanted, low_shift) + 0.5));
        const int32_t upper = (whole + (1 << (low_shift - 1))) >> low_shift;
        const int32_t rest = whole - upper * (1 << low_shift);
        if (upper < -128 || upper > 127) return false;
        lower = lower || rest != 0;
        set_bytes(byte, upper, rest, byte + 1 == bytes && byte % 2 == 0);
        if (byte++ == 0) {
          group = parts++;
          first[group] = last[group] = 0.0;
        }
        const Rounded part(term, wanted, std::ldexp(static_cast<double>(whole), -low_shift), unit);
        begin += part.start;
        error += part.error;
        first[group] += part.low;
        last[group] += part.high;
        continue;
      }
      int32_t multiplier = 32768;
      if (term.enters == Enters::halves) {
        multiplier = static_cast<int32_t>(std::floor(wanted * 32768.0 + 0.5));
        if (multiplier < -32768 || multiplier > 32768) return false;
        multiplier = multiplier < -32767 ? -32767 : multiplier > 32767 ? 32767 : multiplier;
        factor[half++] = both_halves(multiplier);
        error += 0.5;
      } else if (!(std::fabs(wanted - 1.0) < 1e-9)) {
        return false;
      }
      const Rounded part(term, wanted, multiplier / 32768.0, unit);
      begin += part.start;
      error += part.error;
      first[parts] = part.low - 0.5;
      last[parts++] = part.high + 0.5;
    }
    if (lower) {  // the shift rounds down
      const double half_unit = 0.5 - std::ldexp(0.5, -low_shift);
      begin += half_unit;
      error += half_unit;
      first[group] -= 1.0;
    }
    const double whole = std::floor(begin + 0.5);
    if (!(whole >= -32768.0 && whole <= 32767.0)) return false;
    error += std::fabs(begin - whole);
    start = both_halves(static_cast<int32_t>(whole));
    bounds(terms, constant, lanes.low, lanes.high);
    lanes.unit = unit;
    lanes.offset = 0.0;
    lanes.error = error * unit;
    const size_t place = start_place > 0 ? static_cast<size_t>(start_place) : parts;
    for (size_t i = parts++; i > place; --i) {
      first[i] = first[i - 1];
      last[i] = last[i - 1];
    }
    first[place] = last[place] = whole;
    return holds(first, last, parts, saturating && parts > 1) && std::isfinite(error);
  }

  /// The same, in the finest unit that holds all values.
  bool fit(Terms terms, double constant) {
    double least;
    double greatest;
    bounds(terms, constant, least, greatest);
    double unit = larger(std::fabs(least), std::fabs(greatest)) / 32600.0;
    for (const Term& term : terms) {
      if (term.enters == Enters::halves) unit = larger(unit, std::fabs(term.factor) * term.lanes.unit);
    }
    if (unit == 0.0) unit = 1e-30;
    for (int attempt = 0; attempt < 24; ++attempt, unit *= 1.25) {
      if (fit(terms, constant, unit, false)) return true;
    }
    return false;
  }

 private:
  void set_bytes(size_t index, int32_t upper, int32_t rest, bool alone) {  // alone: vmpy takes all four bytes
    const int32_t mask = alone ? -1 : index % 2 == 0 ? 0x00ff00ff : static_cast<int32_t>(0xff00ff00u);
    const size_t pair = index / 2;
    high[pair] = (high[pair] & ~mask) | (byte_pairs(upper, upper) & mask);
    low[pair] = (low[pair] & ~mask) | (byte_pairs(rest, rest) & mask);
  }

  static bool holds(const double* first, const double* last, size_t parts, bool saturating) {
    double least = 0.0;
    double greatest = 0.0;
    for (size_t i = 0; i < parts; ++i) {
      least += first[i];
      greatest += last[i];
      if (saturating && i + 1 == parts) return true;
      if (!(least >= -32767.0 && greatest <= 32767.0)) return false;
    }
    return true;
  }
};

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

/// Two sums in one unit, to be compared lane by lane.
inline bool fit_both(Sum& a, Terms a_terms, double a_constant, Sum& b, Terms b_terms, double b_constant) {
  if (!a.fit(a_terms, a_constant) || !b.fit(b_terms, b_constant)) return false;
  double unit = larger(a.lanes.unit, b.lanes.unit);
  for (int attempt = 0; attempt < 24; ++attempt, unit *= 1.25) {
    if (a.fit(a_terms, a_constant, unit, false) && b.fit(b_terms, b_constant, unit, false)) return true;
  }
  return false;
}

/// max, min (of lanes in one unit) and absolute value.
inline Lanes greatest_of(const Lanes& a, const Lanes& b) {
  return {a.unit, 0.0, larger(a.low, b.low), larger(a.high, b.high), larger(a.error, b.error)};
}
inline Lanes least_of(const Lanes& a, const Lanes& b) {
  return {a.unit, 0.0, smaller(a.low, b.low), smaller(a.high, b.high), larger(a.error, b.error)};
}
inline Lanes magnitude_of(const Lanes& a) {
  const double least = a.low > 0.0 ? a.low : a.high < 0.0 ? -a.high : 0.0;
  return {a.unit, 0.0, least, a.size(), a.error};
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

/// (byte - zero) * 128, exact: a factor of a product.
struct ByteFactor {
  int32_t zero = 0;
  Lanes lanes;

  void set(const Lanes& byte) {
    lanes = byte;
    lanes.unit = byte.unit / 128.0;
    lanes.offset = 0.0;
    zero = both_halves(128 * zero_of(byte));
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

/// A sum in 32-bit lanes of 16-bit ones, for results of 16 bits: start + sum of lane * c, where c has a high half in units
/// of the lanes and a low half shifted right by kLowShift.
struct WideSum {
  static constexpr int32_t kLowShift = 13;

  int32_t high[kMaxTerms] = {};
  int32_t low[kMaxTerms] = {};
  int32_t start = 0;
  Lanes lanes;

  /// Sets all numbers for lanes of `unit`. False: the sum or a coefficient does not fit.
  bool fit(Terms terms, double constant, double unit) {
    double begin = constant / unit + 0.5;  // the shift rounds down
    double error = 0.5;
    double least = -2.0;
    double greatest = 2.0;
    size_t index = 0;
    for (const Term& term : terms) {
      const double wanted = term.factor * term.lanes.unit / unit;
      if (!(std::fabs(wanted) < 32767.0)) return false;
      const int32_t whole = static_cast<int32_t>(std::floor(std::ldexp(wanted, kLowShift) + 0.5));
      const int32_t upper = (whole + (1 << (kLowShift - 1))) >> kLowShift;
      high[index] = both_halves(upper);
      low[index++] = both_halves(whole - upper * (1 << kLowShift));
      const Rounded part(term, wanted, std::ldexp(static_cast<double>(whole), -kLowShift), unit);
      begin += part.start;
      error += part.error;
      least += part.low;
      greatest += part.high;
    }
    const double nearest = std::floor(begin + 0.5);
    if (!(std::fabs(nearest) < 2147483647.0)) return false;
    error += std::fabs(begin - nearest);
    start = static_cast<int32_t>(nearest);
    bounds(terms, constant, lanes.low, lanes.high);
    lanes.unit = unit;
    lanes.error = error * unit;
    return least + nearest > -2147483647.0 && greatest + nearest < 2147483647.0;
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

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_FIXED_H_
