// Results of a row as linear forms of its elements, in fixed point. Portable C++17.
#ifndef OPKG_HVX_LINEAR_H_
#define OPKG_HVX_LINEAR_H_

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "opkg/hvx_inverse.h"
#include "opkg/small.h"

namespace opkg::hvx {

/// value * 2^bits, rounded to the nearest whole number, which 62 bits hold; `limit` is the largest magnitude.
OPKG_RARE inline int64_t scaled(double value, int32_t bits, int64_t limit) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  if (static_cast<int32_t>(word >> 52 & 0x7ff) + bits < 1021) return 0;
  word += static_cast<uint64_t>(static_cast<int64_t>(bits)) << 52;
  memcpy(&value, &word, sizeof value);
#if defined(__hexagon__)
  const int64_t whole = __builtin_HEXAGON_F2_conv_df2d(value);
#else
  const int64_t whole = std::llrint(std::max(std::min(value, 0x1p62), -0x1p62));
#endif
  return std::max(std::min(whole, limit), -limit);
}

/// One term of a linear form: its factor in steps of the result, the largest magnitude of the values, and by how many bits
/// loops shift the values to the left.
struct Term {
  double factor;
  int32_t most;
  int32_t lift = 0;
};

/// Bits behind the point with which 31 bits hold all terms and the constant, and `width` bits each factor; 0 for none.
template <uint32_t kTerms>
int32_t fraction_bits(const Term (&terms)[kTerms], double constant, int32_t width, int32_t bits) {
  int32_t reach = exponent(constant);
  for (const Term& term : terms) {
    const int32_t size = exponent(term.factor);
    if (bits > width - size + term.lift) bits = width - size + term.lift;
    if (term.most != 0) reach = std::max(reach, size + 32 - __builtin_clz(static_cast<uint32_t>(term.most)));
  }
  for (uint32_t i = 0; (1u << i) < kTerms + 1; ++i) ++reach;
  if (bits > 30 - reach) bits = 30 - reach;
  return bits > 0 ? bits : 0;
}

/// sum(factor[i] * (value[i] << lift of term i)) + bias, in units of 2^-(shift + kFraction) steps of an 8-bit result.
template <uint32_t kTerms>
struct Linear {
  static constexpr int32_t kFraction = 7;  ///< bits behind the point of the 16-bit lanes that become results

  int32_t factor[kTerms] = {};  ///< 16 bits
  int32_t bias = 0;
  int32_t shift = 0;  ///< of the 32-bit sum to 16-bit lanes
  bool ok = false;    ///< whether every result is within 1 step of the correctly rounded one

  /// `blur`: by how much of a step the values themselves may be off.
  __attribute__((always_inline)) Linear(const Term (&terms)[kTerms], double constant, float blur) {
    const int32_t bits = fraction_bits(terms, constant, 15, 22);
    if (bits < kFraction) return;
    int32_t span = 2;
    for (uint32_t i = 0; i < kTerms; ++i) {
      factor[i] = static_cast<int32_t>(scaled(terms[i].factor, bits - terms[i].lift, 0x7fff));
      span += terms[i].most << terms[i].lift;
    }
    shift = bits - kFraction;
    bias = static_cast<int32_t>(scaled(constant, bits, 0x3fffffff)) + (shift > 0 ? 1 << (shift - 1) : 0);
    // Half a unit for each rounded factor, half a step of the 16-bit lanes for their truncation.
    const float most = 0.45f - 0.5f / (1 << kFraction) - blur;
    ok = 0.5f * static_cast<float>(span) < most * static_cast<float>(1 << bits);
  }
};

/// The same for 16-bit results: factors of 32 bits, `low` the 16 of them behind the point. A term's lift are further ones.
template <uint32_t kTerms>
struct Wide {
  int32_t factor[kTerms];
  int32_t low[kTerms];
  int32_t bias;
  int32_t shift;  ///< of the 32-bit sum to 16-bit lanes
  bool ok;

  /// A factor's 32 bits.
  int32_t whole(uint32_t i) const { return factor[i] * 65536 + low[i]; }

  Wide(const Term (&terms)[kTerms], double constant, float blur) {
    const int32_t most_bits = fraction_bits(terms, constant, 15, 12), bits = std::max(most_bits, 1);
    float span = 0.0f;
    for (uint32_t i = 0; i < kTerms; ++i) {
      const int64_t fixed = scaled(terms[i].factor, bits + 16 + terms[i].lift, 0x7fffffff);
      factor[i] = static_cast<int32_t>(fixed >> 16);
      low[i] = static_cast<int32_t>(fixed & 0xffff);
      span += static_cast<float>(terms[i].most >> terms[i].lift);
    }
    shift = bits;
    bias = static_cast<int32_t>(scaled(constant, bits, 0x3fffffff));
    // Half a unit of 2^-16 for each rounded factor, a unit for each sum of the low halves that is cut off.
    ok = most_bits > 0 && 0.5f / 65536.0f * span + (kTerms + 0.5f) < (0.95f - blur) * static_cast<float>(1 << bits);
  }
};

/// 32-bit elements, multiplied as words shifted up by `lift`: those beyond `most` of either sign count as it, as results are
/// saturated there whatever the other terms are.
struct Words {
  int32_t most, lifted, lift = 0;  ///< lifted: what `most` is then
  double factor;                   ///< of what is multiplied

  /// `terms` and `constant`: what is added to by * element, in steps of the result.
  Words(double by, std::initializer_list<Term> terms, double constant) {
    double rest = 65536.0 + std::fabs(constant);
    for (const Term& term : terms) rest += std::fabs(term.factor) * term.most;
    const double last = rest * inverse(std::fabs(by)) * 1.001 + 1.0;
    most = last < 2147483647.0 ? static_cast<int32_t>(last) : INT32_MAX;
    for (lifted = most; lifted < 1 << 30; lifted *= 2) ++lift;
    factor = by * of_mantissa(1, -lift);
  }
};

/// factor * x + constant of one stored number x, multiplied as its distance from the one next to the middle of the results:
/// those far from it are saturated.
struct Single {
  static constexpr int32_t kLift = 3;  ///< bits by which loops shift the distance to the left

  int32_t at;    ///< a number of low to low + 255
  int32_t most;  ///< how far from it results are not yet saturated
  double factor, constant;

  /// For loops: `at` less `low`, shifted up, and above it in both bytes what shifts elements up.
  int32_t packed(int32_t low) const { return (at - low) * (1 << kLift) + (0x0101 << (16 + kLift)); }

  /// `level`: the middle of the results.
  Single(double by, double rest, float level, int32_t low) : factor(by) {
    const float place = (level - static_cast<float>(rest)) / static_cast<float>(by) - static_cast<float>(low);
    at = low + (place > 0.0f ? (place < 255.0f ? static_cast<int32_t>(place + 0.5f) : 255) : 0);
    constant = rest + by * at;
    const int32_t size = exponent(by);  // |by| >= 2^(size - 1)
    most = size < 2 ? 255 : (size < 16 ? 600 >> size : 0) + 1;
    if (size <= kSteep) return;
    factor = by > 0.0 ? 1 << kSteep : -(1 << kSteep);  // all but the result at the center are saturated
    if (exponent(constant) >= kSteep) constant = constant > 0.0 ? 1 << (kSteep - 1) : -(1 << (kSteep - 1));
  }

 private:
  static constexpr int32_t kSteep = 10;
};

/// n whole numbers about the one next to their mean, from their sum and the sum of their squares.
struct AboutMean {
  int64_t at, squares;  ///< that number, and the sum of the squares of the distances from it
  double sum;           ///< the same of the mean: at most half of the squares cancels

  AboutMean(int64_t total, int64_t all_squares, int64_t n, double share) {
    const double mean = static_cast<double>(total) * share;
    at = static_cast<int64_t>(mean + (mean < 0.0 ? -0.5 : 0.5));
    const int64_t rest = total - at * n;
    squares = all_squares - at * (total + rest);
    sum = static_cast<double>(squares) - static_cast<double>(rest) * static_cast<double>(rest) * share;
  }
};

/// A 16-bit element is multiplied as (x - at) << lift; `most`: the largest magnitude of that.
struct Middle {
  int32_t at, most, lift;
};

/// `middle`: the value in the middle of an element's range.
inline Middle middle_of(int32_t middle) { return {middle, 32768, 0}; }
inline Middle middle_of_bytes(int32_t middle) { return {middle, 32768, 8}; }

/// A place with a sum of squares of distances from it that says how far all of a row's elements are from it at most; the
/// middle, where that may be far.
inline Middle middle_of(int32_t middle, int64_t at, int64_t squares) {
  if (squares >= int64_t{1} << 29) return middle_of(middle);
  const double size = static_cast<double>(squares) + 1.0;
  Middle found{static_cast<int32_t>(at), static_cast<int32_t>(static_cast<float>(size) * static_cast<float>(inverse_root(size))) + 2, 0};
  found.lift = std::max(__builtin_clz(static_cast<uint32_t>(found.most)) - 17, 0);
  found.most *= 1 << found.lift;
  return found;
}

/// Of a sum of squares: about zero.
inline Middle middle_of(int32_t middle, int64_t squares) { return middle_of(middle, 0, squares); }

/// Of what is known about the mean.
inline Middle middle_of(int32_t middle, const AboutMean& known) { return middle_of(middle, known.at, known.squares); }

/// a * x * y + b * x + c * y + d of 16 bits in terms of the numbers that are multiplied.
struct Centered {
  int32_t x0, y0, most;  ///< most: of the product
  double a, b, c, d;

  Centered(double of_xy, double of_x, double of_y, double rest, const Middle& x, const Middle& y)
      : x0(x.at),
        y0(y.at),
        most(x.most * y.most),
        a(of_xy * of_mantissa(1, -x.lift - y.lift)),
        b((of_x + of_xy * y0) * of_mantissa(1, -x.lift)),
        c((of_y + of_xy * x0) * of_mantissa(1, -y.lift)),
        d(rest + (of_xy * y0 + of_x) * x0 + of_y * y0) {}
};

/// What a row's numbers lie about, and how far from it at most.
struct Reach {
  float middle, most;
};

/// Of bytes that may be any of low to low + 255.
inline Reach reach_of(int32_t low) { return {static_cast<float>(low) + 127.5f, 127.5f}; }

/// No less than the root of a number above zero, and up to 6.1 % more: half of its exponent, and a line between the powers of two.
inline float above_root(float x) {
  uint32_t word;
  memcpy(&word, &x, sizeof word);
  word = (word >> 1) + 0x1fc00001u;
  memcpy(&x, &word, sizeof word);
  return x;
}

/// From their sum and that of their squares: n times the variance is the sum of the squares of all distances from the mean.
/// `share`: 1 / n.
OPKG_RARE inline Reach reach_of(int64_t total, int64_t squares, int64_t n, double share) {
  const float part = static_cast<float>(share), sum = static_cast<float>(n * squares - total * total) * part;
  return {static_cast<float>(total) * part, sum > 0.0f ? above_root(sum) * 1.001f : 0.0f};
}

/// The largest magnitude of bytes from `low` on.
inline int32_t most_from(int32_t low) { return std::max(std::abs(low), std::abs(low + 255)); }

/// (a * x + b) * y + sum(factor[i] * value[i]) + bias in units of 2^-(shift + kFraction) steps of an 8-bit result, where x, y
/// and the values are bytes: scale * x + start is made of 32 bits, and so is its product. `low`: a factor's last kLow bits.
template <uint32_t kTerms>
struct Product {
  static constexpr int32_t kFraction = 7, kLow = 7;

  int32_t scale;  ///< of x, in units of 2^-8
  int32_t start, bias, shift;
  int32_t factor[kTerms + 1];
  int32_t low[kTerms + 1];
  bool ok;

  /// `x_low`: what is added to x to make it a byte without sign. `y_most`: the largest magnitude of y.
  OPKG_RARE Product(double a, double b, int32_t x_low, const Reach& x, int32_t y_most, double constant, std::initializer_list<Term> terms) {
    if (x.most == 0.0f) b += a * static_cast<int32_t>(x.middle + (x.middle < 0.0f ? -0.5f : 0.5f)), a = 0.0;  // all x are alike
    const double at_low = b + a * x_low;
    const float size = std::fabs(static_cast<float>(a));
    float reach = (std::fabs(static_cast<float>(b + a * x.middle)) + size * x.most) * static_cast<float>(y_most) + std::fabs(static_cast<float>(constant));
    int32_t bits = 22 - std::max(exponent(a), exponent(at_low) - 8);
    int32_t twice_off = 5 * y_most + 4;
    for (const Term& term : terms) {
      reach += std::fabs(static_cast<float>(term.factor)) * static_cast<float>(term.most);
      twice_off += term.most;
      bits = std::min(bits, 21 - exponent(term.factor));
    }
    bits = std::min(std::min(bits, 30 - exponent(reach)), 22);
    ok = bits >= kFraction && y_most < 4096 && static_cast<float>(twice_off) < 0.88f * static_cast<float>(1 << bits);
    if (!ok) bits = kFraction;
    scale = static_cast<int32_t>(scaled(a, bits + 8, 0x7fffffff));
    start = static_cast<int32_t>(scaled(at_low, bits, 0x7fffffff)) + 1;  // half a unit for what is cut off
    for (uint32_t i = 0; i < kTerms; ++i) {
      const int32_t whole = static_cast<int32_t>(scaled(terms.begin()[i].factor, bits, 0x7fffffff));
      factor[i] = whole >> kLow;
      low[i] = whole & ((1 << kLow) - 1);
    }
    shift = bits - kFraction;
    bias = static_cast<int32_t>(scaled(constant, bits, 0x3fffffff)) + (shift > 0 ? 1 << (shift - 1) : 0);
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX_LINEAR_H_
