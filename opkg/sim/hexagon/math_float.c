// The float functions of <math.h>: the double ones, rounded. What is wrong in the last place of a double is invisible here, so
// results are within 0.5001 units in the last place.
// SPDX-License-Identifier: Apache-2.0
#include "mathematics.h"

#define ONE(name)          \
  double M(name)(double x); \
  float M(name##f)(float x) { return (float)M(name)((double)x); }
#define TWO(name)                    \
  double M(name)(double x, double y); \
  float M(name##f)(float x, float y) { return (float)M(name)((double)x, (double)y); }
#define WHOLE(type, name)  \
  type M(name)(double x); \
  type M(name##f)(float x) { return M(name)((double)x); }

ONE(acos)
ONE(acosh)
ONE(asin)
ONE(asinh)
ONE(atan)
ONE(atanh)
ONE(cbrt)
ONE(ceil)
ONE(cos)
ONE(cosh)
ONE(erf)
ONE(erfc)
ONE(exp)
ONE(exp2)
ONE(expm1)
ONE(fabs)
ONE(floor)
ONE(lgamma)
ONE(log)
ONE(log10)
ONE(log1p)
ONE(log2)
ONE(nearbyint)
ONE(rint)
ONE(round)
ONE(sin)
ONE(sinh)
ONE(tan)
ONE(tanh)
ONE(tgamma)
ONE(trunc)
TWO(atan2)
TWO(copysign)
TWO(fdim)
TWO(fmax)
TWO(fmin)
TWO(fmod)
TWO(hypot)
TWO(pow)
TWO(remainder)
WHOLE(long long, llrint)
WHOLE(long, lrint)
WHOLE(long, lround)
WHOLE(long long, llround)

float M(frexpf)(float x, int* exponent) { return (float)M(frexp)((double)x, exponent); }
float M(ldexpf)(float x, int exponent) { return (float)M(ldexp)((double)x, exponent); }
float M(scalbnf)(float x, int exponent) { return (float)M(ldexp)((double)x, exponent); }

double M(modf)(double x, double* whole);
float M(modff)(float x, float* whole) {
  double part;
  const float rest = (float)M(modf)((double)x, &part);
  *whole = (float)part;
  return rest;
}

// The product of two floats is exact in double; rounding the sum to odd leaves one rounding for the end.
float M(fmaf)(float x, float y, float z) {
  const double product = (double)x * (double)y, sum = product + (double)z;
  const double part = sum - product, lost = (product - (sum - part)) + ((double)z - part);
  if (lost == 0.0 || !(magnitude(sum) < kInf) || lost != lost || (bits_of(sum) & 1) != 0) return (float)sum;
  return (float)from_bits((lost > 0.0) == (sum > 0.0) ? bits_of(sum) + 1 : bits_of(sum) - 1);
}
