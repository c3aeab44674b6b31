// How far results of single precision may be off, found before a call: spans of values, and of their errors, go through a
// computation. Where rounded numbers cancel, the error is not in proportion to the result, and hangs on all scales.
#ifndef OPKG_SPANS_H_
#define OPKG_SPANS_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "opkg/kernel.h"
#include "opkg/small.h"

namespace opkg {

OPKG_SMALL_BEGIN

/// Values between `low` and `high`, each off by at most relative * |value| + absolute. Of a decision on rounded numbers
/// (a step, a choice) only the value that it decides for counts.
struct Span {
  double low, high;
  double relative = 0.0, absolute = 0.0;

  static constexpr double kUlp = 1.0 / 8388608.0;  ///< a unit in the last place is at most this part of a number

  Span(double from, double to) : low(from), high(to) {}

  /// A number that all elements share, rounded to single precision.
  Span(double number) : low(number), high(number), relative(static_cast<float>(number) == number ? 0.0 : kUlp / 2) {}

  /// A quantized tensor: whole steps times a scale. More bits than single precision has are rounded, too.
  template <typename View, typename Stored = typename View::Element>
  explicit Span(const View& tensor)
      : low((static_cast<double>(std::numeric_limits<Stored>::min()) - tensor.zero) * static_cast<double>(tensor.scale)),
        high((static_cast<double>(std::numeric_limits<Stored>::max()) - tensor.zero) * static_cast<double>(tensor.scale)),
        relative(sizeof(Stored) < 4 ? kUlp / 2 : kUlp) {}

  double largest() const { return std::fmax(std::fabs(low), std::fabs(high)); }
  double smallest() const { return std::fmax(std::fmax(low, -high), 0.0); }
  double off() const { return absolute + times(relative, largest()); }

  /// The error as a part of the value; infinite where values may be 0.
  double share() const { return absolute == 0.0 ? relative : relative + absolute / smallest(); }

  /// The same values, so far off; of numbers that no float holds nothing is known.
  Span with(double part, double beside) const {
    Span found(low, high);
    found.relative = largest() <= static_cast<double>(std::numeric_limits<float>::max()) ? part : std::numeric_limits<double>::infinity();
    found.absolute = beside;
    return found;
  }

  /// Whether what a tensor stores of it is the step next to the right one at most; values beyond its range saturate.
  template <typename View>
  bool within_a_step(const View& tensor) const {
    const double most = std::fmin(largest(), Span(tensor).largest() + static_cast<double>(tensor.scale));
    return low <= high && absolute + times(relative, most) < 0.9 * static_cast<double>(tensor.scale);
  }

  /// a * b, where 0 counts for more than infinity.
  static double times(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }
};

inline Span operator-(Span a) { return Span(-a.high, -a.low).with(a.relative, a.absolute); }

inline Span operator+(Span a, Span b) {
  const Span sum(a.low + b.low, a.high + b.high);
  const bool alike = (a.low >= 0.0 && b.low >= 0.0) || (a.high <= 0.0 && b.high <= 0.0);
  if (alike) return sum.with(std::fmax(a.relative, b.relative) + Span::kUlp / 2, a.absolute + b.absolute);
  // A number that reaches far is no larger than the sum and the other one.
  const Span near = a.largest() < b.largest() ? a : b, far = a.largest() < b.largest() ? b : a;
  if (!(near.largest() < far.largest() / 8)) return sum.with(Span::kUlp / 2, a.off() + b.off());
  return sum.with(far.relative + Span::kUlp / 2, far.absolute + near.off() + Span::times(far.relative, near.largest()));
}

inline Span operator-(Span a, Span b) { return a + -b; }

inline Span operator*(Span a, Span b) {
  const double ends[] = {Span::times(a.low, b.low), Span::times(a.low, b.high), Span::times(a.high, b.low),
                         Span::times(a.high, b.high)};
  const Span product(std::fmin(std::fmin(ends[0], ends[1]), std::fmin(ends[2], ends[3])),
                     std::fmax(std::fmax(ends[0], ends[1]), std::fmax(ends[2], ends[3])));
  return product.with(a.relative + b.relative + Span::kUlp / 2,
                      Span::times(a.absolute, b.largest() + b.off()) + Span::times(b.absolute, a.largest()));
}

inline Span operator/(Span a, Span b) {
  const double infinity = std::numeric_limits<double>::infinity();
  const bool around = b.low <= 0.0 && b.high >= 0.0;
  const Span inverse = around ? Span(-infinity, infinity) : Span(1.0 / b.high, 1.0 / b.low);
  const double share = b.share();
  return a * inverse.with(share < 0.5 ? share / (1.0 - share) + 2 * Span::kUlp : infinity, 0.0);
}

/// One of two values.
inline Span either(Span a, Span b) {
  return Span(std::fmin(a.low, b.low), std::fmax(a.high, b.high))
      .with(std::fmax(a.relative, b.relative), std::fmax(a.absolute, b.absolute));
}

inline Span minimum(Span a, Span b) {
  const Span both = either(a, b);
  return Span(both.low, std::fmin(a.high, b.high)).with(both.relative, both.absolute);
}

inline Span maximum(Span a, Span b) { return -minimum(-a, -b); }

inline Span abs(Span x) {
  return Span(x.smallest(), x.largest()).with(x.relative, x.absolute);
}

inline Span exp(Span x) {
  return Span(std::exp(x.low), std::exp(x.high)).with(std::expm1(x.off()) + Span::kUlp, 0.0);
}

inline Span log(Span x) {
  const double share = x.share();
  const double off = share < 0.5 ? share / (1.0 - share) : std::numeric_limits<double>::infinity();
  return Span(std::log(std::fmax(x.low, 0.0)), std::log(std::fmax(x.high, 0.0))).with(2 * Span::kUlp, off);
}

inline Span log1p(Span x) {
  const double least = 1.0 + x.low, off = x.off();
  const double most = off < 0.5 * least ? off / (least - off) : std::numeric_limits<double>::infinity();
  return Span(std::log1p(std::fmax(x.low, -1.0)), std::log1p(std::fmax(x.high, -1.0))).with(2 * Span::kUlp, most);
}

inline Span sqrt(Span x) {
  const double share = x.share();
  const Span root(std::sqrt(std::fmax(x.low, 0.0)), std::sqrt(std::fmax(x.high, 0.0)));
  return share < 0.5 ? root.with(share + Span::kUlp, 0.0) : root.with(x.relative + Span::kUlp, std::sqrt(x.absolute));
}

inline Span rsqrt(Span x) { return 1.0 / sqrt(x); }

inline Span erf(Span x) {
  return Span(std::erf(x.low), std::erf(x.high)).with(x.relative + 3 * Span::kUlp, 1.2 * x.absolute);
}

inline Span tanh(Span x) {
  return Span(std::tanh(x.low), std::tanh(x.high)).with(x.relative + 2 * Span::kUlp, x.absolute);
}

inline Span atan(Span x) {
  return Span(std::atan(x.low), std::atan(x.high)).with(x.relative + 2 * Span::kUlp, x.absolute);
}

inline Span sin(Span x) { return Span(-1.0, 1.0).with(2 * Span::kUlp, x.off()); }
inline Span cos(Span x) { return sin(x); }

inline Span sigmoid(Span x) {
  return Span(1.0 / (1.0 + std::exp(-x.low)), 1.0 / (1.0 + std::exp(-x.high)))
      .with(3 * Span::kUlp, 0.25 * (x.relative + x.absolute));
}

/// x * sigmoid(x), whose slope is 1.1 at most; x * x times the slope of the sigmoid is 0.44 at most.
inline Span silu(Span x) {
  const Span gate = sigmoid(x);
  const double least = x.low > 0.0 ? x.low * gate.low : -0.2785, most = x.high > 0.0 ? x.high * gate.high : 0.0;
  return Span(least, most).with(x.relative + 4 * Span::kUlp, 1.1 * x.absolute + 0.44 * x.relative);
}

inline Span pow(Span x, Span to) {
  if (x.low > 0.0) {
    const Span logarithm = Span(std::log(x.low), std::log(x.high)).with(0.0, 2.0 * x.share());
    const Span exponent = to * logarithm;
    const double off = x.share() < 0.5 ? std::expm1(exponent.off()) : std::numeric_limits<double>::infinity();
    return Span(std::exp(exponent.low), std::exp(exponent.high)).with(off + 3 * Span::kUlp, 0.0);
  }
  // Powers of numbers of any sign are known where one whole number is the exponent.
  const bool known = to.low == to.high && to.low >= 0.0 && to.off() == 0.0 && x.absolute == 0.0;
  const double most = known ? std::pow(x.largest(), to.low) : std::numeric_limits<double>::infinity();
  const Span power(x.low < 0.0 ? -most : 0.0, most);
  return power.with(known ? 2.0 * to.low * x.relative + 3 * Span::kUlp : most, 0.0);
}

inline Span floor(Span x) { return Span(std::floor(x.low), std::floor(x.high)); }
inline Span ceil(Span x) { return Span(std::ceil(x.low), std::ceil(x.high)); }
inline Span round(Span x) { return Span(std::nearbyint(x.low), std::nearbyint(x.high)); }
inline Span trunc(Span x) { return Span(std::trunc(x.low), std::trunc(x.high)); }

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_SPANS_H_
