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

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_SPANS_ROWS_H_
