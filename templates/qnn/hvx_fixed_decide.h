// Decisions of fixed-point kernels: the sign of a sum of stored elements, exactly.
//
// A sum of scale * (element - zero) has the sign of a sum of integers. Two scales: those of the simplest fraction on the
// same side of all quotients of elements; more: the scales' own bits. Products of integers of many bits are made in words.
#ifndef OPKG_HVX_FIXED_DECIDE_H_
#define OPKG_HVX_FIXED_DECIDE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "opkg/exact.h"
#include "opkg/hvx_fixed.h"
#include "opkg/small.h"

namespace opkg {
namespace fixed {

OPKG_SMALL_BEGIN

constexpr size_t kMostDecided = 4;  ///< terms of a sum whose sign is asked for

/// The power of two that the last set bit of a number above 0 stands for.
inline double last_bit(double number) {
  int exponent = 0;
  auto bits = static_cast<uint64_t>(std::ldexp(std::frexp(number, &exponent), 53));
  exponent -= 53;
  for (; (bits & 1) == 0; bits >>= 1) ++exponent;
  return std::ldexp(1.0, exponent);
}

/// factor * unit of a term. False: a double does not hold it, or it is 0.
inline bool exact_scale(const Term& term, double& scale) {
  scale = term.factor * term.lanes.unit;
  return rest_of_product(term.factor, term.lanes.unit, scale) == 0.0 && std::fabs(scale) > 0.0;
}

/// How many steps an element is away from 0 at most.
inline int64_t most_steps(const Lanes& lanes) { return static_cast<int64_t>(std::floor(lanes.size() / lanes.unit + 0.5)); }

/// Twice constant / step, or the odd number between two multiples of 2; at most 2 * far away from 0.
inline int64_t twice_quotient(double constant, double step, double far = 0x1p20) {
  const double down = decide([](auto a, auto b) { return floor(a / b); }, constant, step);
  const double up = decide([](auto a, auto b) { return ceil(a / b); }, constant, step);
  return static_cast<int64_t>(smaller(larger(down, -far), far)) + static_cast<int64_t>(smaller(larger(up, -far), far));
}

/// Two whole numbers with: p * x - q * y and m * x - n * y have the same sign for all |x| <= most_x and |y| <= most_y.
struct SameSide {
  int64_t m = 0;
  int64_t n = 0;

  /// p and q above 0. False: they have too many bits.
  bool find(double p, double q, int64_t most_x, int64_t most_y) {
    if (p / q >= 0x1p20 || q / p >= 0x1p20) {  // more than all elements: any x but 0 decides, or any y
      m = p > q ? most_y + 1 : 1;
      n = p > q ? 1 : most_x + 1;
      return true;
    }
    const double step = smaller(last_bit(p), last_bit(q));
    if (!(larger(p, q) / step < 0x1p62)) return false;
    walk(static_cast<int64_t>(p / step), static_cast<int64_t>(q / step), most_x, most_y);
    return true;
  }

 private:
  struct Fraction {
    int64_t y, x;
    int64_t apart;  // |p * x - q * y|
    void add(const Fraction& other, int64_t times) {
      y += other.y * times;
      x += other.x * times;
      apart -= other.apart * times;
    }
  };

  /// Down the tree of all fractions y / x to p / q, or to the first one that elements have no quotient beyond.
  void walk(int64_t p, int64_t q, int64_t most_x, int64_t most_y) {
    Fraction below = {0, 1, p};
    Fraction above = {1, 0, q};
    for (bool up = true;; up = !up) {
      Fraction& moved = up ? below : above;
      const Fraction& other = up ? above : below;
      const int64_t most = moved.apart / other.apart;
      moved.add(other, least(most, least(room(most_y - moved.y, other.y), room(most_x - moved.x, other.x))));
      const bool met = moved.apart == 0;
      const Fraction next = {below.y + above.y, below.x + above.x, 0};
      if (met || next.y > most_y || next.x > most_x) {
        m = met ? moved.y : next.y;
        n = met ? moved.x : next.x;
        return;
      }
    }
  }

  static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
  static int64_t room(int64_t left, int64_t step) { return step == 0 ? INT64_MAX : left / step; }
};

/// The sign of factor * (lane + offset) * unit + ... + constant from words of 14 bits: word 0 is the lowest.
template <size_t kWords>
struct SignOf {
  static constexpr int32_t kBits = 14;
  static constexpr int32_t kRest = (1 << kBits) - 1;

  int32_t factor[kWords][kMostDecided] = {};
  int32_t start[kWords] = {};

  /// Sets all numbers. False: the sum has too many bits.
  bool fit(Terms terms, double constant) {
    double scales[kMostDecided] = {};
    int64_t most[kMostDecided] = {};
    size_t count = 0;
    for (const Term& term : terms) {
      if (!exact_scale(term, scales[count])) return false;
      most[count++] = most_steps(term.lanes);
    }
    int64_t whole[kMostDecided] = {};
    int64_t first = 0;
    return std::isfinite(constant) && integers(scales, most, count, constant, whole, first) && words(terms, whole, first);
  }

 private:
  /// Integers with the same sign: whole * element + ... + first.
  static bool integers(const double* scales, const int64_t* most, size_t count, double constant, int64_t* whole,
                       int64_t& first) {
    double step = 1.0;
    SameSide sides;
    if (count == 1) {
      whole[0] = scales[0] > 0.0 ? 2 : -2;
      step = std::fabs(scales[0]);
    } else if (count == 2 && constant == 0.0 &&
               sides.find(std::fabs(scales[0]), std::fabs(scales[1]), most[0], most[1])) {
      whole[0] = scales[0] > 0.0 ? sides.m : -sides.m;
      whole[1] = scales[1] > 0.0 ? sides.n : -sides.n;
      return true;
    } else {
      step = last_bit(std::fabs(scales[0]));
      for (size_t i = 1; i < count; ++i) step = smaller(step, last_bit(std::fabs(scales[i])));
      for (size_t i = 0; i < count; ++i) {
        if (!(std::fabs(scales[i] / step) < 0x1p41)) return false;
        whole[i] = static_cast<int64_t>(scales[i] / step) * 2;
      }
    }
    // Between two multiples of the step: half of one, which no sum of elements is.
    const double far = count > 1 ? 0x1p60 : 0x1p20;  // beyond all elements of one term
    if (count > 1 && !(std::fabs(constant / step) < far)) return false;
    first = twice_quotient(constant, step, far);
    return true;
  }

  bool words(Terms terms, const int64_t* whole, int64_t first) {
    double low = 0.0;
    double high = 0.0;
    size_t index = 0;
    for (const Term& term : terms) {
      int64_t digits[kWords];
      split(whole[index], digits);
      first += whole[index] * static_cast<int64_t>(term.lanes.offset);
      const auto top = static_cast<double>(digits[kWords - 1]);
      if (!(std::fabs(top) <= 32767.0)) return false;
      for (size_t k = 0; k < kWords; ++k) factor[k][index] = both_halves(static_cast<int32_t>(digits[k]));
      low += smaller(top * term.lanes.first(), top * term.lanes.last());
      high += larger(top * term.lanes.first(), top * term.lanes.last());
      ++index;
    }
    int64_t digits[kWords];
    split(first, digits);
    const auto top = static_cast<double>(digits[kWords - 1]);
    if (!(low + top > -0x1p30 && high + top < 0x1p30 && std::fabs(top) < 0x1p31)) return false;
    for (size_t k = 0; k < kWords; ++k) start[k] = static_cast<int32_t>(digits[k]);
    return true;
  }

  /// Words of -2^13 to 2^13 - 1; the last one has the rest.
  static void split(int64_t number, int64_t (&digits)[kWords]) {
    for (size_t k = 0; k + 1 < kWords; ++k) {
      digits[k] = ((number + (kRest + 1) / 2) & kRest) - (kRest + 1) / 2;
      number = (number - digits[k]) >> kBits;
    }
    digits[kWords - 1] = number;
  }
};

OPKG_SMALL_END

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_FIXED_DECIDE_H_
