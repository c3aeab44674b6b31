// How far sums of rows in single precision may be off (opkg/spans.h).
#ifndef OPKG_SPANS_ROWS_H_
#define OPKG_SPANS_ROWS_H_

#include "opkg/spans.h"

namespace opkg {

OPKG_SMALL_BEGIN

inline Span square(Span x) {
  const Span product = x * x;
  return Span(x.smallest() * x.smallest(), product.high).with(product.relative, product.absolute);
}

/// A sum of n values, in 32 lanes of at most 64 of them, which are joined in double.
inline Span total(Span x, double n) {
  const double rounded = std::fmin(63.0, n / 32.0 + 4.0) * Span::kUlp / 2;
  const Span sum(n * x.low, n * x.high);
  const bool alike = x.low >= 0.0 || x.high <= 0.0;
  if (alike) return sum.with(x.relative + rounded, n * x.absolute * (1.0 + rounded));
  return sum.with(0.0, n * (x.off() + rounded * (x.largest() + x.off())));
}

inline Span mean(Span x, double n) { return total(x, n) / Span(n).with(0.0, 0.0); }

/// The same of quantized elements as they are: whole steps are summed up exactly.
inline Span exact_total(Span x, double n) { return Span(n * x.low, n * x.high).with(Span::kUlp, 0.0); }
inline Span exact_mean(Span x, double) { return Span(x.low, x.high).with(Span::kUlp, 0.0); }

/// x - mean(x) of quantized elements: whole steps from the one next to the mean, less what the mean is beside that.
inline Span about_mean(Span x, double scale) {
  return Span(x.low - x.high, x.high - x.low).with(2 * Span::kUlp, scale * Span::kUlp / 4);
}

/// d / sqrt(mean(d * d) + c) of n quantized elements or, with `about`, of their distances d from their mean; c >= 0. `most`: the
/// largest there may be. Distances that are not all 0 have a root of 1 / sqrt(2 n) steps at least.
inline Span normed(double n, double most, bool about) {
  const double lost = about ? std::sqrt(2.0 * n) * Span::kUlp / 4 : 0.0;
  const double summed = std::fmin(63.0, n / 32.0 + 4.0) * Span::kUlp / 4;
  return Span(-most, most).with(5 * Span::kUlp + summed + lost, lost * most / std::sqrt(n));
}

/// e / sum(e) of n values e = exp(v - max(v)), or exp(min(v) - v). What all v are off together changes nothing, and the slope of
/// such a part is 1/4 at most. Rounded distances count as their mean under these parts, which is log(n) at most.
inline Span softmax(Span v, double n) {
  const double rounded = std::fmin(63.0, n / 32.0 + 4.0) * Span::kUlp / 2;
  return Span(0.0, 1.0).with(4 * Span::kUlp + rounded, v.off() / 2 + (std::log(n) + 1.0) * Span::kUlp / 2);
}

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_SPANS_ROWS_H_
