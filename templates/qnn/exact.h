// Decisions on real values that no rounding turns: comparisons, signs, floor and its like of expressions.
//
// An expression is computed twice at most: with Near, a double and a bound of its error, and where that leaves a decision
// open, with Exact, quotients of sums of doubles that lose nothing.
#ifndef OPKG_EXACT_H_
#define OPKG_EXACT_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "opkg/scalar.h"

namespace opkg {

/// a + b - sum, exactly, where sum is a + b rounded.
inline double rest_of_sum(double a, double b, double sum) {
  const double second = sum - a;
  return (a - (sum - second)) + (b - second);
}

/// A double without its lower half: 26 bits. Compilers fuse multiplications and sums of one expression, constants, too.
inline double upper_half(double a) {
  const double far = a * 134217729.0;  // 2^27 + 1
  return far - (far - a);
}

/// a * b - product, exactly, where product is a * b rounded and nothing leaves the range of doubles.
inline double rest_of_product(double a, double b, double product) {
  const double a_top = upper_half(a);
  const double b_top = upper_half(b);
  const double a_low = a - a_top;
  const double b_low = b - b_top;
  return ((a_top * b_top - product) + a_top * b_low + a_low * b_top) + a_low * b_low;
}

/// A double and how far the exact value may be from it. Infinities and NaN are as double arithmetic has them.
class Near {
 public:
  Near(double number) : value(number) {}  // NOLINT: numbers enter expressions as they are
  Near(double number, double off) : value(number), error(off * (1.0 + 0x1p-40)) {}

  double value;
  double error = 0.0;

  bool exact() const { return !(error > 0.0); }
  /// Whether a decision on `distance`, what is left to where it changes, holds for the exact value, too.
  bool sure(double distance) const { return exact() || distance > error + std::fabs(value) * 0x1p-50; }

  friend Near operator-(Near a) { return Near(-a.value, a.error); }
  friend Near operator+(Near a, Near b) {
    const double sum = a.value + b.value;
    return Near(sum, a.error + b.error + std::fabs(rest_of_sum(a.value, b.value, sum)));
  }
  friend Near operator-(Near a, Near b) { return a + -b; }
  friend Near operator*(Near a, Near b) {
    const double product = a.value * b.value;
    const double rest = std::fabs(rest_of_product(a.value, b.value, product));
    return Near(product, rest + std::fabs(a.value) * b.error + std::fabs(b.value) * a.error + a.error * b.error);
  }
  friend Near operator/(Near a, Near b) {
    const double quotient = a.value / b.value;
    const double product = quotient * b.value;
    const double rest = std::fabs((a.value - product) - rest_of_product(quotient, b.value, product));
    const double least = std::fabs(b.value) - b.error;
    const double off = rest + a.error + std::fabs(quotient) * b.error;
    if (b.error > 0.0 && !(least > 0.0)) return open(quotient);
    return Near(quotient, off > 0.0 ? off / least : off);
  }

  friend Near sign(Near x) {
    const double found = sign(x.value);
    return x.sure(std::fabs(x.value)) ? Near(found) : open(found);
  }
  friend Near floor(Near x) { return x.rounded(std::floor(x.value), 0.0); }
  friend Near ceil(Near x) { return x.rounded(std::ceil(x.value), 0.0); }
  friend Near trunc(Near x) { return x.rounded(std::trunc(x.value), 0.0); }
  friend Near round(Near x) { return x.rounded(std::nearbyint(x.value), 0.5); }
  friend Near magnitude(Near x) { return Near(std::fabs(x.value), x.error); }
  friend Near lesser(Near a, Near b) { return extreme(a, b, a.value < b.value || !(a.value == a.value)); }
  friend Near greater(Near a, Near b) { return extreme(a, b, a.value > b.value || !(a.value == a.value)); }
  friend Near quotient(Near a, Near b) { return a.exact() && b.exact() ? Near(quotient(a.value, b.value)) : floor(a / b); }
  friend Near modulo(Near a, Near b) { return a.exact() && b.exact() ? Near(modulo(a.value, b.value)) : open(0.0); }
  /// Above 0, 0 or below: whether a is greater than b, equal, or less; NaN where one is NaN.
  friend Near compare(Near a, Near b) {
    return a.exact() && b.exact() && a.value == b.value ? Near(0.0) : sign(a - b);
  }

 private:
  /// A value that says nothing about the exact one.
  static Near open(double number) { return Near(number, 0x1p300); }
  /// What the value was rounded to; it changes where x - edge is whole.
  Near rounded(double whole, double edge) const {
    const double moved = value - edge;
    return sure(std::fabs(moved - std::nearbyint(moved))) ? Near(whole) : open(whole);
  }
  static Near extreme(Near a, Near b, bool first) {
    return Near(first ? a.value : b.value, a.error > b.error ? a.error : b.error);
  }
};

/// The sum of doubles that do not overlap, smallest first: any sum of at most kMost parts without an error.
class ExactSum {
 public:
  static constexpr size_t kMost = 96;

  ExactSum(double number = 0.0) {  // NOLINT: numbers enter expressions as they are
    if (number != 0.0) parts_[count_++] = number;
  }

  void add(double number) {
    size_t kept = 0;
    for (size_t i = 0; i < count_; ++i) {
      const double sum = number + parts_[i];
      const double rest = rest_of_sum(number, parts_[i], sum);
      if (rest != 0.0) parts_[kept++] = rest;
      number = sum;
    }
    if (number != 0.0 && kept < kMost) parts_[kept++] = number;
    count_ = kept;
  }
  void add(const ExactSum& other, double factor) {
    for (size_t i = 0; i < other.count_; ++i) {
      const double product = other.parts_[i] * factor;
      add(rest_of_product(other.parts_[i], factor, product));
      add(product);
    }
  }

  int32_t sign() const {
    if (count_ == 0) return 0;
    return parts_[count_ - 1] > 0.0 ? 1 : -1;
  }
  double nearest() const {
    double sum = 0.0;
    for (size_t i = 0; i < count_; ++i) sum += parts_[i];
    return sum;
  }

  friend ExactSum operator*(const ExactSum& a, const ExactSum& b) {
    ExactSum product;
    for (size_t i = 0; i < a.count_; ++i) product.add(b, a.parts_[i]);
    return product;
  }
  friend ExactSum operator-(const ExactSum& a, const ExactSum& b) {
    ExactSum difference = a;
    difference.add(b, -1.0);
    return difference;
  }

 private:
  double parts_[kMost];
  size_t count_ = 0;
};

/// A quotient of sums: what +, -, *, / and roundings make of doubles.
class Exact {
 public:
  Exact(double number) : top_(number), under_(1.0) {}  // NOLINT: numbers enter expressions as they are
  Exact(const ExactSum& top, const ExactSum& under) : top_(top), under_(under) {}

  double value() const { return top_.nearest() / under_.nearest(); }
  int32_t side() const { return under_.sign() < 0 ? -top_.sign() : top_.sign(); }

  friend Exact operator-(const Exact& a) { return Exact(ExactSum() - a.top_, a.under_); }
  friend Exact operator-(const Exact& a, const Exact& b) {
    return Exact(a.top_ * b.under_ - b.top_ * a.under_, a.under_ * b.under_);
  }
  friend Exact operator+(const Exact& a, const Exact& b) { return a - -b; }
  friend Exact operator*(const Exact& a, const Exact& b) { return Exact(a.top_ * b.top_, a.under_ * b.under_); }
  friend Exact operator/(const Exact& a, const Exact& b) { return Exact(a.top_ * b.under_, a.under_ * b.top_); }

  friend Exact sign(const Exact& x) { return Exact(x.side()); }
  friend Exact compare(const Exact& a, const Exact& b) { return Exact((a - b).side()); }
  friend Exact magnitude(const Exact& x) { return x.side() < 0 ? -x : x; }
  friend Exact lesser(const Exact& a, const Exact& b) { return (a - b).side() < 0 ? a : b; }
  friend Exact greater(const Exact& a, const Exact& b) { return (a - b).side() > 0 ? a : b; }
  friend Exact floor(const Exact& x) {
    ExactSum whole;
    ExactSum rest = x.top_;
    for (;;) {  // each turn takes 50 bits of the quotient
      double more = std::floor(rest.nearest() / x.under_.nearest());
      if (!(std::fabs(more) < std::numeric_limits<double>::infinity())) return x;
      if (std::fabs(more) <= 2.0) more = step(rest, x.under_);
      if (more == 0.0) return Exact(whole, 1.0);
      whole.add(more);
      rest.add(x.under_, -more);
    }
  }
  friend Exact quotient(const Exact& a, const Exact& b) { return floor(a / b); }
  friend Exact modulo(const Exact& a, const Exact& b) { return a - floor(a / b) * b; }
  friend Exact ceil(const Exact& x) { return -floor(-x); }
  friend Exact trunc(const Exact& x) { return x.side() < 0 ? ceil(x) : floor(x); }
  friend Exact round(const Exact& x) {
    const Exact whole = floor(x);
    const int32_t half = (x - whole - 0.5).side();
    const bool odd = (floor(whole * 0.5) * 2.0 - whole).side() != 0;
    return half > 0 || (half == 0 && odd) ? whole + 1.0 : whole;
  }

 private:
  /// In which direction the quotient of a rest is outside of [0, 1).
  static double step(const ExactSum& rest, const ExactSum& under) {
    if (Exact(rest, under).side() < 0) return -1.0;
    return Exact(rest - under, under).side() >= 0 ? 1.0 : 0.0;
  }

  ExactSum top_;
  ExactSum under_;
};

/// The value of an expression that ends in a decision: f(numbers), decided as for real numbers.
template <typename F, typename... T>
double decide(const F& f, T... numbers) {
  const Near near = f(Near(numbers)...);
  if (near.exact()) return near.value;
  const Exact exact = f(Exact(numbers)...);
  return exact.value();
}

}  // namespace opkg

#endif  // OPKG_EXACT_H_
