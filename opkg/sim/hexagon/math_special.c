// Error and gamma functions.
//
// erf near 0 is x times a polynomial in x^2; else 1 - erfc. erfc(x) = exp(-x^2) g(x) / (1 + 2x), where g is nearly constant: a
// polynomial in (x - 4) / (x + 4), which maps all positive numbers to one interval. Both were interpolated at Chebyshev nodes in
// 60 digits; what they lack is below 2^-55. The gamma functions use Stirling's series above 10 and its recurrence below.
// SPDX-License-Identifier: Apache-2.0
#include "mathematics.h"

static const double kErf[] = {1.1283791670955126,      -0.37612638903183754,   0.1128379167095512,
                              -0.02686617064512984,    0.0052239776254232985,  -0.000854832702193483,
                              0.00012055332902888736,  -1.4925647567519332e-05, 1.6462045441468418e-06,
                              -1.6364642158167616e-07, 1.4792401209404813e-08, -1.216456005728345e-09,
                              8.709045129053106e-11,   -4.230945824295338e-12};
static const double kErfc[] = {1.2284212695780012,      -0.0992488696463384,     0.011043817292535668,
                               0.020566331817997458,    -0.022915043683661852,   0.01544645224181525,
                               -0.007920966056111345,   0.0032275849511756056,   -0.00103118638332063,
                               0.0002393022759439429,   -2.9465427495947922e-05, -3.6617599253177924e-06,
                               2.5736993358499665e-06,  -3.8342810357238335e-07, -7.974336658873812e-08,
                               3.915998986572492e-08,   -7.498626481366213e-10,  -2.6511010441932248e-09,
                               3.558699998450785e-10,   1.5966195430698484e-10,  -3.775284463100637e-11,
                               -7.439857867588207e-12,  2.3670284422290014e-12};
static const double kMiddle = 0.03289473684210526, kStretch = 1.3944954128440368;  // of the interval of (x-4)/(x+4)

/// erfc(x) for 0.75 <= x < 28
static double large_erfc(double x) {
  const double t = ((x - 4.0) / (x + 4.0) - kMiddle) * kStretch;
  // exp(-x^2) from a short square and what it lacks: the rounding of x^2 would be magnified.
  const double head = from_bits(bits_of(x) & ~0x7ffffffull), rest = (x - head) * (x + head);
  return M(exp)(-head * head) * M(exp)(-rest) * polynomial(kErfc, 23, t) / (1.0 + 2.0 * x);
}

double M(erf)(double x) {
  const double size = magnitude(x);
  if (x != x) return x;
  if (size < 1.0) return x * polynomial(kErf, 14, x * x);
  return with_sign(size > 6.0 ? 1.0 : 1.0 - large_erfc(size), x);
}

double M(erfc)(double x) {
  if (x != x) return x;
  if (magnitude(x) < 0.75) return 1.0 - x * polynomial(kErf, 14, x * x);
  if (x < 0.0) return x < -6.0 ? 2.0 : 2.0 - large_erfc(-x);
  return x > 27.5 ? 0.0 : large_erfc(x);
}

static const double kPi = 3.14159265358979323846;

// Bernoulli numbers over 2n (2n - 1)
static const double kStirling[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156};

static double stirling_tail(double x) { return polynomial(kStirling, 7, 1.0 / (x * x)) / x; }

static double whole(double x) { return M(trunc)(x) == x; }

/// sin(pi x) for a positive x
static double sin_pi(double x) {
  const double fraction = x - 2.0 * M(floor)(0.5 * x);
  if (fraction <= 0.5) return M(sin)(kPi * fraction);
  return fraction <= 1.5 ? M(sin)(kPi * (1.0 - fraction)) : M(sin)(kPi * (fraction - 2.0));
}

double M(tgamma)(double x) {
  if (x != x || x == kInf) return x;
  if (x == 0.0) return with_sign(kInf, x);
  if (x < 0.0) {
    if (x == -kInf || whole(x)) return kNaN;
    if (x < -184.0) return with_sign(0.0, sin_pi(-x) > 0.0 ? -1.0 : 1.0);
    return -kPi / (sin_pi(-x) * M(tgamma)(-x) * -x);
  }
  if (x > 171.7) return kInf;
  double divisor = 1.0;
  for (; x < 10.0; x += 1.0) divisor *= x;
  const double half = M(pow)(x, 0.5 * x - 0.25);  // squared; by itself it does not overflow
  return half * (2.5066282746310005024 * M(exp)(-x) * M(exp)(stirling_tail(x))) * half / divisor;
}

double M(lgamma)(double x) {
  if (x != x) return x;
  if (magnitude(x) == kInf || x == 0.0) return kInf;
  if (x < 0.0) {
    if (whole(x)) return kInf;
    return M(log)(kPi / magnitude(sin_pi(-x) * x)) - M(lgamma)(-x);
  }
  double divisor = 1.0;
  for (; x < 10.0; x += 1.0) divisor *= x;
  return (x - 0.5) * M(log)(x) - x + 0.91893853320467274178 + stirling_tail(x) - M(log)(divisor);
}
