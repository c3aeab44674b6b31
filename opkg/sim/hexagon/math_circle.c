// Circular functions. Arguments are reduced by pi/2 in three parts, which is accurate to magnitudes of about 10^6; beyond
// that the error grows with the argument.
// SPDX-License-Identifier: Apache-2.0
#include "mathematics.h"

static const double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiRest = 0x1.1a62633145c07p-54;
static const double kPart1 = 0x1.921fb54000000p+0, kPart2 = 0x1.10b4610000000p-30, kPart3 = 0x1.a62633145c06ep-58;

// -1/3!, 1/5!, ... and -1/2!, 1/4!, ...
static const double kSin[] = {-1.0 / 6,          1.0 / 120,          -1.0 / 5040,       1.0 / 362880,
                              -1.0 / 39916800.0, 1.0 / 6227020800.0, -1.0 / 1307674368e3};
static const double kCos[] = {-1.0 / 2,           1.0 / 24,          -1.0 / 720,          1.0 / 40320,
                              -1.0 / 3628800.0,   1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888e3};

static double small_sin(double x, double low) {
  const double square = x * x;
  return x + (low * (1.0 - 0.5 * square) + x * square * polynomial(kSin, 7, square));
}

static double small_cos(double x, double low) {
  const double square = x * x, half = 0.5 * square, one = 1.0 - half;
  return one + ((1.0 - one - half) + (square * square * polynomial(kCos + 1, 7, square) - x * low));
}

/// x = quarter * pi/2 + high + low; the quarter is counted modulo 4.
static int quarter_of(double x, double* high, double* low) {
  const double turns = M(rint)(x * (1.0 / kHalfPi));
  const double first = x - turns * kPart1, second = turns * kPart2;
  const double near = first - second;
  const double rest = ((first - near) - second) - turns * kPart3;
  *high = near + rest;
  *low = (near - *high) + rest;
  return (int)(turns - 4.0 * M(floor)(turns * 0.25));
}

static double wave(double x, int shift) {
  if (!(magnitude(x) < kInf)) return kNaN;
  double high, low;
  const int quarter = (quarter_of(x, &high, &low) + shift) & 3;
  const double value = (quarter & 1) != 0 ? small_cos(high, low) : small_sin(high, low);
  return (quarter & 2) != 0 ? -value : value;
}

double M(sin)(double x) { return x == 0.0 ? x : wave(x, 0); }
double M(cos)(double x) { return wave(x, 1); }

double M(tan)(double x) {
  if (x == 0.0) return x;
  if (!(magnitude(x) < kInf)) return kNaN;
  double high, low;
  const int quarter = quarter_of(x, &high, &low);
  const double s = small_sin(high, low), c = small_cos(high, low);
  return (quarter & 1) != 0 ? -c / s : s / c;
}

// atan(k / 8)
static const double kAtan[] = {0.0,
                               0.12435499454676144,
                               0.24497866312686414,
                               0.35877067027057225,
                               0.4636476090008061,
                               0.5585993153435624,
                               0.6435011087932844,
                               0.7188299996216245,
                               0.7853981633974483};
static const double kAtanSeries[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13, -1.0 / 15};

double M(atan)(double x) {
  if (x != x || x == 0.0) return x;
  const double size = magnitude(x);
  const double inside = size > 1.0 ? 1.0 / size : size;
  const int near = (int)(inside * 8.0 + 0.5);
  const double centre = near * 0.125;
  const double t = (inside - centre) / (1.0 + inside * centre), square = t * t;
  const double angle = kAtan[near] + (t + t * square * polynomial(kAtanSeries, 7, square));
  return with_sign(size > 1.0 ? kHalfPi - (angle - kHalfPiRest) : angle, x);
}

double M(atan2)(double y, double x) {
  if (x != x || y != y) return kNaN;
  const double high = magnitude(y), wide = magnitude(x);
  double angle;  // of (|x|, |y|)
  if (high == 0.0) {
    angle = 0.0;
  } else if (high == kInf && wide == kInf) {
    angle = kHalfPi * 0.5;
  } else if (wide == 0.0 || high == kInf) {
    angle = kHalfPi;
  } else if (wide == kInf) {
    angle = 0.0;
  } else {
    angle = M(atan)(high / wide);
  }
  return with_sign(negative(x) ? 2.0 * kHalfPi - (angle - 2.0 * kHalfPiRest) : angle, y);
}

double M(asin)(double x) {
  if (!(magnitude(x) <= 1.0)) return kNaN;
  return M(atan2)(x, M(sqrt)((1.0 - x) * (1.0 + x)));
}

double M(acos)(double x) {
  if (!(magnitude(x) <= 1.0)) return kNaN;
  return 2.0 * M(atan2)(M(sqrt)(1.0 - x), M(sqrt)(1.0 + x));
}
