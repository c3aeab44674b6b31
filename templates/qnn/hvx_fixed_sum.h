// Sums of fixed-point kernels in 16 and in 32-bit lanes: their coefficients, and whether all partial sums fit.
#ifndef OPKG_HVX_FIXED_SUM_H_
#define OPKG_HVX_FIXED_SUM_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "opkg/hvx_fixed.h"
#include "opkg/small.h"

namespace opkg {
namespace fixed {

OPKG_SMALL_BEGIN

/// A sum in 16-bit lanes: sum of c * byte (vmpa by `high`, and by `low` shifted right) + sum of c * half
/// (fractional multiply by `factor`) + plain terms + start.
struct Sum {
  int32_t high[kMaxTerms / 2 + 1] = {};
  int32_t low[kMaxTerms / 2 + 1] = {};
  int32_t low_shift = 0;
  int32_t factor[kMaxTerms] = {};
  int32_t start = 0;
  int32_t start_place = 0;      ///< after how many parts the start is added; 0: at the end
  bool start_in_bytes = false;  ///< the start is a coefficient of a constant byte, kByte, behind the other ones
  Lanes lanes;

  static constexpr int32_t kByte = 255;

  /// Sets all numbers for lanes of `unit`. False: some partial sum or coefficient does not fit.
  /// saturating: the last addition saturates, so the sum itself may leave the lanes.
  bool fit(Terms terms, double constant, double unit, bool saturating) {
    if (!(unit > 0.0) || !std::isfinite(unit) || !std::isfinite(constant)) return false;
    Parts parts;
    parts.begin = constant / unit;
    size_t slots = start_in_bytes ? 1 : 0;
    for (const Term& term : terms) slots += term.enters == Enters::bytes ? 1 : 0;
    low_shift = 8;  // so that the sum of slots * 255 * (low half) fits 16 bits
    for (size_t held = 1; held < slots; held *= 2) --low_shift;
    size_t byte = 0;
    size_t half = 0;
    for (const Term& term : terms) {
      const double wanted = term.factor * term.lanes.unit / unit;
      if (!(std::fabs(wanted) < 129.0) || std::isfinite(term.lanes.reach)) return false;
      double used = 1.0;
      if (term.enters == Enters::bytes) {
        if (!set_byte(byte++, slots, wanted, used)) return false;
      } else if (term.enters == Enters::halves) {
        if (!set_half(half++, wanted, used)) return false;
      } else if (!(std::fabs(wanted - 1.0) < 1e-9)) {
        return false;
      }
      parts.add(Rounded(term, wanted, used, unit), term.enters);
    }
    if (slots > 0) parts.shift_down(low_shift);
    if (!(std::fabs(parts.begin) <= 32767.0)) return false;
    if (start_in_bytes) {
      double used = 0.0;
      if (!set_byte(byte, slots, parts.begin / kByte, used)) return false;
      parts.put_start(used * kByte, parts.group, false);
    } else {
      const double whole = std::floor(parts.begin + 0.5);
      start = both_halves(static_cast<int32_t>(whole));
      parts.put_start(whole, start_place > 0 ? static_cast<size_t>(start_place) : parts.count, true);
    }
    bounds(terms, constant, lanes.low, lanes.high);
    lanes.unit = unit;
    lanes.offset = 0.0;
    lanes.error = parts.error * unit;
    return parts.hold(saturating) && std::isfinite(parts.error);
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
  /// What is added, in order: bounds of every part (bytes are one together), the start so far, the error so far, in lanes.
  struct Parts {
    double first[kMaxTerms + 1];
    double last[kMaxTerms + 1];
    size_t count = 0;
    size_t group = kMaxTerms + 1;  // the part of the bytes
    double begin = 0.0;
    double error = 0.0;

    void add(const Rounded& part, Enters enters) {
      begin += part.start;
      error += part.error;
      if (enters == Enters::bytes && group < count) {
        first[group] += part.low;
        last[group] += part.high;
        return;
      }
      const double slack = enters == Enters::bytes ? 0.0 : 0.5;
      if (enters == Enters::bytes) group = count;
      if (enters == Enters::halves) error += slack;
      first[count] = part.low - slack;
      last[count++] = part.high + slack;
    }

    /// The low halves of the coefficients are shifted, which rounds down.
    void shift_down(int32_t bits) {
      const double mean = 0.5 - std::ldexp(0.5, -bits);
      begin += mean;
      error += mean;
      first[group] -= 1.0;
    }

    /// The start as it is used; as a part of its own it is added after `place` parts.
    void put_start(double used, size_t place, bool own) {
      error += std::fabs(begin - used);
      if (!own) {
        first[place] += used;
        last[place] += used;
        return;
      }
      for (size_t i = count++; i > place; --i) {
        first[i] = first[i - 1];
        last[i] = last[i - 1];
      }
      first[place] = last[place] = used;
    }

    bool hold(bool saturating) const {
      double least = 0.0;
      double greatest = 0.0;
      for (size_t i = 0; i < count; ++i) {
        if (!(first[i] >= -32767.0 && last[i] <= 32767.0)) return false;  // each is in lanes before it is added
        least += first[i];
        greatest += last[i];
        if (saturating && i > 0 && i + 1 == count) return true;
        if (!(least >= -32767.0 && greatest <= 32767.0)) return false;
      }
      return true;
    }
  };

  bool set_byte(size_t index, size_t slots, double wanted, double& used) {
    const int32_t whole = static_cast<int32_t>(std::floor(std::ldexp(wanted, low_shift) + 0.5));
    const int32_t upper = (whole + (1 << (low_shift - 1))) >> low_shift;
    const int32_t rest = whole - upper * (1 << low_shift);
    if (upper < -128 || upper > 127) return false;
    const bool alone = index + 1 == slots && index % 2 == 0;  // vmpy takes all four bytes
    const int32_t own = index % 2 == 0 ? 0x00ff00ff : static_cast<int32_t>(0xff00ff00u);
    const int32_t mask = alone ? -1 : own;
    const size_t pair = index / 2;
    high[pair] = (high[pair] & ~mask) | (byte_pairs(upper, upper) & mask);
    low[pair] = (low[pair] & ~mask) | (byte_pairs(rest, rest) & mask);
    used = std::ldexp(static_cast<double>(whole), -low_shift);
    return true;
  }

  bool set_half(size_t index, double wanted, double& used) {
    if (!(std::fabs(wanted) <= 1.0)) return false;
    const double nearest = std::floor(wanted * 32768.0 + 0.5);
    const int32_t multiplier = static_cast<int32_t>(smaller(larger(nearest, -32767.0), 32767.0));
    factor[index] = both_halves(multiplier);
    used = multiplier / 32768.0;
    return true;
  }
};

/// Two sums in one unit, to be compared lane by lane.
inline bool fit_both(Sum& a, Terms a_terms, double a_constant, Sum& b, Terms b_terms, double b_constant) {
  if (!a.fit(a_terms, a_constant) || !b.fit(b_terms, b_constant)) return false;
  double unit = larger(a.lanes.unit, b.lanes.unit);
  for (int attempt = 0; attempt < 24; ++attempt, unit *= 1.25) {
    if (a.fit(a_terms, a_constant, unit, false) && b.fit(b_terms, b_constant, unit, false)) return true;
  }
  return false;
}

/// A sum in 32-bit lanes, for results of 16 bits: start + sum of half * c, where c has a high half in units of the lanes
/// and a low half shifted right by kLowShift, + sum of word * fraction / 2^31. Words that are steps are limited to `most`
/// and moved up by `up` before.
struct WideSum {
  static constexpr int32_t kLowShift = 13;

  int32_t high[kMaxTerms] = {};
  int32_t low[kMaxTerms] = {};
  int32_t fraction[kMaxTerms] = {};
  int32_t most[kMaxTerms] = {};
  int32_t up[kMaxTerms] = {};
  int32_t start = 0;
  Lanes lanes;

  /// Sets all numbers for lanes of `unit`. False: the sum or a coefficient does not fit. span: farther from 0 all results are
  /// saturated.
  bool fit(Terms terms, double constant, double unit, double span = 0.0) {
    double begin = constant / unit + 0.5;  // the shift rounds down
    double error = 0.5;
    double least = -2.0;
    double greatest = 2.0;
    size_t index = 0;
    size_t word = 0;
    for (const Term& given : terms) {
      Term term = given;
      if (term.enters == Enters::steps) limit(term.lanes, std::fabs(term.factor), unit, most[word], up[word]);
      if (std::isfinite(term.lanes.reach)) {
        if (!(std::fabs(term.factor) * term.lanes.reach >= span + sizes(terms, &given) + std::fabs(constant))) return false;
      }
      const double wanted = term.factor * term.lanes.unit / unit;
      if (term.enters == Enters::words || term.enters == Enters::steps) {
        if (!(std::fabs(wanted) < 0.9999)) return false;
        const double parts = std::floor(std::ldexp(wanted, 31) + 0.5);
        fraction[word++] = static_cast<int32_t>(parts);
        const Rounded part(term, wanted, std::ldexp(parts, -31), unit);
        begin += part.start;
        error += part.error + 1.0;
        least += part.low - 1.0;
        greatest += part.high + 1.0;
        continue;
      }
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

  /// The same, in the finest unit that makes lanes of at most 2^30, how far off they may be included.
  bool fit(Terms terms, double constant) {
    double least;
    double greatest;
    bounds(terms, constant, least, greatest);
    double size = larger(std::fabs(least), std::fabs(greatest));
    for (const Term& term : terms) size += std::fabs(term.factor) * term.lanes.error;
    double unit = larger(size / 1073000000.0, 1e-300);
    for (const Term& term : terms) {
      if (std::isfinite(term.lanes.reach)) return false;
      const double most = term.enters == Enters::words ? 0.9998 : 32766.0;
      unit = larger(unit, std::fabs(term.factor) * term.lanes.unit / most);
    }
    return fit(terms, constant, unit) && std::isfinite(lanes.error);
  }

 private:
  /// Words that make at most 2^28 lanes, moved up as far as they go.
  static void limit(Lanes& words, double factor, double unit, int32_t& most, int32_t& up) {
    const double largest = larger(std::fabs(words.first()), std::fabs(words.last())) + 1.0;
    const double enough = smaller(std::ldexp(unit, 28) / (factor * words.unit), 2147483646.0);
    const double size = std::floor(smaller(largest, enough));
    most = static_cast<int32_t>(size);
    for (up = 0; up < 30 && std::ldexp(size, up + 1) < 2147483647.0;) ++up;
    if (size < largest - 1.0) {
      words.reach = smaller(words.reach, (size - std::fabs(words.offset)) * words.unit);
      words.low = larger(words.low, (words.offset - size) * words.unit);
      words.high = smaller(words.high, (words.offset + size) * words.unit);
    }
    words.unit = std::ldexp(words.unit, -up);
    words.offset = std::ldexp(words.offset, up);
  }
  /// How large the sum of all terms but one may be.
  static double sizes(Terms terms, const Term* but) {
    double size = 0.0;
    for (const Term& term : terms) size += &term == but ? 0.0 : std::fabs(term.factor) * term.lanes.size();
    return size;
  }
};

OPKG_SMALL_END

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_FIXED_SUM_H_
