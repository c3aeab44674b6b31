// Exponentials, logarithms, powers and hyperbolic functions: the argument is reduced to a small interval, where a few terms
// of the series suffice. Errors stay below 4 units in the last place.
// SPDX-License-Identifier: Apache-2.0
#include "mathematics.h"

// 1/n! from n = 2
static const double kExp[] = {1.0 / 2,         1.0 / 6,          1.0 / 24,          1.0 / 120,
                              1.0 / 720,       1.0 / 5040,       1.0 / 40320,       1.0 / 362880,
                              1.0 / 3628800.0, 1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0};

/// exp(x) - 1 for |x| <= ln(2) / 2
static double small_expm1(double x) { return x + x * x * polynomial(kExp, 12, x); }

/// 2^k * exp(high + low), where |high| <= ln(2) / 2
static double scaled_exp(double high, double low, int k) {
  const double rest = small_expm1(high);
  return M(ldexp)(1.0 + (rest + low * (1.0 + rest)), k);
}

double M(exp)(double x) {
  if (x != x) return x;
  if (x > 710.0) return kInf;
  if (x < -746.0) return 0.0;
  const double k = M(rint)(x * (1.0 / kLn2));
  const double high = x - k * kLn2High, low = k * kLn2Low;
  const double reduced = high - low;
  return scaled_exp(reduced, (high - reduced) - low, (int)k);
}

double M(exp2)(double x) {
  if (x != x) return x;
  if (x > 1025.0) return kInf;
  if (x < -1080.0) return 0.0;
  const double k = M(rint)(x);
  return scaled_exp((x - k) * kLn2, 0.0, (int)k);
}

double M(expm1)(double x) {
  if (magnitude(x) <= 0.34) return x == 0.0 ? x : small_expm1(x);
  return M(exp)(x) - 1.0;
}

// 1/3, 1/5, ...: log((1+s)/(1-s)) = 2 s (1 + s^2/3 + s^4/5 + ...)
static const double kLog[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13,
                              1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};

/// x = m * 2^k with sqrt(1/2) <= m < sqrt(2)
static double reduced(double x, int* k) {
  double m = M(frexp)(x, k);
  if (m < 0.70710678118654752) {
    m *= 2.0;
    --*k;
  }
  return m;
}

/// log((1 + s) / (1 - s)) / 2 - s for |s| < 0.172
static double log_tail(double s) {
  const double square = s * s;
  return s * square * polynomial(kLog, 11, square);
}

/// log(m) for sqrt(1/2) <= m < sqrt(2)
static double small_log(double m) {
  const double f = m - 1.0;  // exact
  const double s = f / (2.0 + f);
  return 2.0 * (s + log_tail(s));
}

static int log_special(double x, double* result) {
  if (x > 0.0 && x < kInf) return 0;
  *result = x == 0.0 ? -kInf : x < 0.0 ? kNaN : x;
  return 1;
}

double M(log)(double x) {
  double special;
  if (log_special(x, &special)) return special;
  int k;
  const double m = reduced(x, &k);
  return k * kLn2High + (small_log(m) + k * kLn2Low);
}

double M(log2)(double x) {
  double special;
  if (log_special(x, &special)) return special;
  int k;
  const double m = reduced(x, &k);
  return k + small_log(m) * (1.0 / kLn2);
}

double M(log10)(double x) {
  double special;
  if (log_special(x, &special)) return special;
  return M(log)(x) / 2.302585092994045684;
}

double M(log1p)(double x) {
  if (magnitude(x) < 0.25) {
    const double s = x / (2.0 + x);
    return x == 0.0 ? x : 2.0 * (s + log_tail(s));
  }
  const double sum = 1.0 + x;
  if (!(sum > 0.0 && sum < kInf)) return M(log)(sum);
  const double lost = sum - x == 1.0 ? x - (sum - 1.0) : 1.0 - (sum - x);
  return M(log)(sum) + lost / sum;
}

// ---- powers: the logarithm is carried in two doubles ----

typedef struct {
  double high, low;
} Pair;

static Pair sum_of(double a, double b) {
  const double sum = a + b, part = sum - a;
  return (Pair){sum, (a - (sum - part)) + (b - part)};
}

static Pair product_of(double x, double y) {
  const double a = from_bits(bits_of(x) & ~0x7ffffffull), b = from_bits(bits_of(y) & ~0x7ffffffull);
  const double c = x - a, d = y - b, high = x * y;
  return (Pair){high, ((a * b - high) + a * d + c * b) + c * d};
}

static Pair log_pair(double x) {
  int k;
  const double m = reduced(x, &k);
  const double f = m - 1.0;
  const Pair under = sum_of(2.0, f);
  const double s = f / under.high;
  const Pair back = product_of(s, under.high);
  const double s_low = ((f - back.high) - back.low - s * under.low) / under.high;
  // 2 s + tail + k ln 2, the large parts first
  const Pair first = sum_of(k * kLn2High, 2.0 * s);
  const Pair second = sum_of(first.high, k * kLn2Low);
  const double small = first.low + second.low + 2.0 * s_low;
  const double tail = log_tail(s), tail_slope = 2.0 * s * s * s_low;
  const Pair third = sum_of(second.high, 2.0 * tail);
  return sum_of(third.high, third.low + small + tail_slope);
}

/// Whether y is a whole number, and an odd one.
static int is_whole(double y, int* odd) {
  *odd = 0;
  if (magnitude(y) >= 0x1p53) return 1;
  if (M(trunc)(y) != y) return 0;
  *odd = (int)((long long)y & 1);
  return 1;
}

static double pow_special(double x, double y, int odd) {
  const int grows = (magnitude(x) > 1.0) == (y > 0.0);
  if (magnitude(y) == kInf) return magnitude(x) == 1.0 ? 1.0 : grows ? kInf : 0.0;
  return with_sign(grows ? kInf : 0.0, odd && negative(x) ? -1.0 : 1.0);  // x is zero or infinite
}

double M(pow)(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return kNaN;
  int odd;
  const int whole = is_whole(y, &odd);
  if (magnitude(y) == kInf || x == 0.0 || magnitude(x) == kInf) return pow_special(x, y, odd);
  if (x < 0.0 && !whole) return kNaN;
  const double sign = x < 0.0 && odd ? -1.0 : 1.0;
  const double rough = M(log)(magnitude(x)) * y;
  if (rough > 720.0) return sign * kInf;
  if (rough < -760.0) return sign * 0.0;
  const Pair logarithm = log_pair(magnitude(x));
  const Pair main = product_of(logarithm.high, y);
  const double k = M(rint)(main.high * (1.0 / kLn2));
  const Pair less = sum_of(main.high - k * kLn2High, -k * kLn2Low);
  return sign * scaled_exp(less.high, less.low + main.low + logarithm.low * y, (int)k);
}

double M(cbrt)(double x) {
  if (x == 0.0 || !(magnitude(x) < kInf)) return x;
  int exponent;
  double m = M(frexp)(magnitude(x), &exponent);
  while (exponent % 3 != 0) {
    m *= 2.0;
    --exponent;
  }
  double root = 0.5 + m * (0.5 - m * 0.0417);  // m lies in [0.5, 4)
  for (int i = 0; i < 6; ++i) root -= (root - m / (root * root)) * (1.0 / 3.0);
  return with_sign(M(ldexp)(root, exponent / 3), x);
}

double M(hypot)(double x, double y) {
  x = magnitude(x);
  y = magnitude(y);
  if (x == kInf || y == kInf) return kInf;
  if (x != x || y != y) return kNaN;
  const double large = x > y ? x : y, small = x > y ? y : x;
  if (small == 0.0) return large;
  int exponent;
  M(frexp)(large, &exponent);
  const double a = M(ldexp)(large, -exponent), b = M(ldexp)(small, -exponent);
  return M(ldexp)(M(sqrt)(a * a + b * b), exponent);
}

// ---- hyperbolic functions ----

double M(tanh)(double x) {
  const double size = magnitude(x);
  if (size > 22.0) return with_sign(1.0, x);
  if (x == 0.0) return x;
  const double t = M(expm1)(2.0 * size);
  return with_sign(t / (t + 2.0), x);
}

double M(sinh)(double x) {
  const double size = magnitude(x);
  if (!(size < 700.0)) return with_sign(M(exp)(size * 0.5) * 0.5 * M(exp)(size * 0.5), x);
  const double t = M(expm1)(size);
  return x == 0.0 ? x : with_sign(0.5 * (t + t / (t + 1.0)), x);
}

double M(cosh)(double x) {
  const double size = magnitude(x);
  if (!(size < 700.0)) return M(exp)(size * 0.5) * 0.5 * M(exp)(size * 0.5);
  const double e = M(exp)(size);
  return 0.5 * (e + 1.0 / e);
}

double M(asinh)(double x) {
  const double size = magnitude(x);
  if (x == 0.0 || !(size < kInf)) return x;
  if (size > 0x1p28) return with_sign(M(log)(size) + kLn2, x);
  const double square = size * size;
  return with_sign(M(log1p)(size + square / (1.0 + M(sqrt)(square + 1.0))), x);
}

double M(acosh)(double x) {
  if (x < 1.0) return kNaN;
  if (x > 0x1p28) return M(log)(x) + kLn2;
  const double t = x - 1.0;
  return M(log1p)(t + M(sqrt)(2.0 * t + t * t));
}

double M(atanh)(double x) {
  if (x == 0.0) return x;
  const double size = magnitude(x);
  if (size >= 1.0) return size == 1.0 ? with_sign(kInf, x) : kNaN;
  return with_sign(0.5 * M(log1p)(2.0 * size / (1.0 - size)), x);
}
