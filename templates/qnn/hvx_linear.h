// Results of a row as linear forms of its elements, in fixed point. Portable C++17.
#ifndef OPKG_HVX_LINEAR_H_
#define OPKG_HVX_LINEAR_H_

#include "opkg/hvx_inverse.h"

namespace opkg::hvx {

/// value * 2^bits, rounded to the nearest whole number, which 62 bits hold; `limit` is the largest magnitude.
inline int64_t scaled(double value, int32_t bits, uint64_t limit) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  const int32_t shift = static_cast<int32_t>(word >> 52 & 0x7ff) - 1075 + bits;
  const uint64_t mantissa = (word & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
  if (shift < -54) return 0;
  const uint64_t exact = shift >= 0 ? mantissa << shift : (mantissa + (uint64_t{1} << (-shift - 1))) >> -shift;
  const uint64_t size = exact < limit ? exact : limit;
  return word >> 63 != 0 ? -static_cast<int64_t>(size) : static_cast<int64_t>(size);
}

/// One term of a linear form: its factor in steps of the result, the largest magnitude of the values, and by how many bits
/// a loop may shift the values to the left.
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
    int32_t places = 0;
    while ((term.most >> places) != 0) ++places;
    if (size + places > reach) reach = size + places;
  }
  for (uint32_t i = 0; (1u << i) < kTerms + 1; ++i) ++reach;
  if (bits > 30 - reach) bits = 30 - reach;
  return bits > 0 ? bits : 0;
}

/// sum(factor[i] * (value[i] << lift[i])) + bias, in units of 2^-(shift + kFraction) steps of an 8-bit result.
template <uint32_t kTerms>
struct Linear {
  static constexpr int32_t kFraction = 7;  ///< bits behind the point of the 16-bit lanes that become results

  int32_t factor[kTerms] = {};  ///< 16 bits
  int32_t lift[kTerms] = {};
  int32_t bias = 0;
  int32_t shift = 0;  ///< of the 32-bit sum to 16-bit lanes
  bool ok = false;    ///< whether every result is within 1 step of the correctly rounded one

  /// `blur`: by how much of a step the values themselves may be off.
  Linear(const Term (&terms)[kTerms], double constant, float blur) {
    const int32_t bits = fraction_bits(terms, constant, 15, 22);
    if (bits < kFraction) return;
    int32_t span = 2;
    for (uint32_t i = 0; i < kTerms; ++i) {
      const int32_t over = exponent(terms[i].factor) + bits - 15;
      lift[i] = over > 0 ? over : 0;
      factor[i] = static_cast<int32_t>(scaled(terms[i].factor, bits - lift[i], 0x7fff));
      span += terms[i].most << lift[i];
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
  int32_t factor[kTerms] = {};
  int32_t low[kTerms] = {};
  int32_t bias = 0;
  int32_t shift = 0;  ///< of the 32-bit sum to 16-bit lanes
  bool ok = false;

  /// A factor's 32 bits.
  int32_t whole(uint32_t i) const { return factor[i] * 65536 + low[i]; }

  Wide(const Term (&terms)[kTerms], double constant, float blur) {
    const int32_t bits = fraction_bits(terms, constant, 15, 12);
    if (bits < 1) return;
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
    ok = 0.5f / 65536.0f * span + (kTerms + 0.5f) < (0.95f - blur) * static_cast<float>(1 << bits);
  }
};

/// Where factor * x + constant passes `level`, nearly: the stored number x, of low to high, that multiplications are
/// centered at. Factors of 16 bits are exact enough there; results far from it are saturated.
inline int32_t center(double factor, double constant, float level, int32_t low, int32_t high) {
  const float place = (level - static_cast<float>(constant)) / static_cast<float>(factor);
  return place > static_cast<float>(low) ? (place < static_cast<float>(high) ? static_cast<int32_t>(place) : high) : low;
}

/// How far from the center results are not yet saturated, at most.
inline int32_t reach_of(double factor, int32_t most) {
  const int32_t size = exponent(factor);  // |factor| >= 2^(size - 1)
  const int32_t reach = size < 0 ? most : (size < 16 ? 600 >> size : 0) + 2;
  return reach < most ? reach : most;
}

/// The values of two 16-bit elements in the middle of their ranges.
struct Middle {
  int32_t x0, y0;
};

/// a * x * y + b * x + c * y + d as a * (x - x0) * (y - y0) + smaller terms, with x0 and y0 among the stored numbers.
struct Centered {
  int32_t x0 = 0;
  int32_t y0 = 0;
  int32_t x_most = 0;  ///< of |x - x0|
  int32_t y_most = 0;
  double b = 0.0;
  double c = 0.0;
  double d = 0.0;

  /// 8 bits: x0 and y0 such that b and c become small. `x_low`, `y_low`: the smallest numbers.
  Centered(double a, double of_x, double of_y, double rest, int32_t x_low, int32_t y_low) {
    x0 = center(a, of_y, 0.0f, x_low, x_low + 255);
    y0 = center(a, of_x, 0.0f, y_low, y_low + 255);
    x_most = farthest(x0 - x_low);
    y_most = farthest(y0 - y_low);
    set(a, of_x, of_y, rest);
  }

  Centered(double a, double of_x, double of_y, double rest, const Middle& middle) : x0(middle.x0), y0(middle.y0) {
    set(a, of_x, of_y, rest);
  }

 private:
  void set(double a, double of_x, double of_y, double rest) {
    b = of_x + a * y0;
    c = of_y + a * x0;
    d = rest + (a * y0 + of_x) * x0 + of_y * y0;
  }

  static int32_t farthest(int32_t from_low) { return from_low > 127 ? from_low : 255 - from_low; }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX_LINEAR_H_
