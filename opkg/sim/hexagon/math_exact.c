// Functions of <math.h> whose results are exact: rounding, exponents, remainders, neighbours. They work on the bits.
// SPDX-License-Identifier: Apache-2.0
#include "mathematics.h"

double M(fabs)(double x) { return magnitude(x); }
double M(copysign)(double x, double y) { return with_sign(x, y); }
double M(fmin)(double x, double y) { return x != x ? y : y != y ? x : x < y || (x == y && negative(x)) ? x : y; }
double M(fmax)(double x, double y) { return x != x ? y : y != y ? x : x > y || (x == y && negative(y)) ? x : y; }
double M(fdim)(double x, double y) { return x != x || y != y ? kNaN : x > y ? x - y : 0.0; }

static int exponent_of(double x) { return ((int)(bits_of(x) >> 52) & 0x7ff) - 1023; }

double M(trunc)(double x) {
  const int exponent = exponent_of(x);
  if (exponent >= 52) return x;
  if (exponent < 0) return with_sign(0.0, x);
  return from_bits(bits_of(x) & ~((1ull << (52 - exponent)) - 1));
}

double M(floor)(double x) {
  const double whole = M(trunc)(x);
  return whole > x ? whole - 1.0 : whole;
}

double M(ceil)(double x) {
  const double whole = M(trunc)(x);
  return whole < x ? with_sign(whole + 1.0, x) : whole;
}

/// Ties go to even: adding 2^52 leaves no bit for a fraction.
double M(rint)(double x) {
  if (!(magnitude(x) < 0x1p52)) return x;
  const double big = with_sign(0x1p52, x);
  const volatile double sum = x + big;  // volatile: the two additions must stay
  return with_sign(sum - big, x);
}

double M(nearbyint)(double x) { return M(rint)(x); }

/// Ties go away from zero.
double M(round)(double x) {
  const double whole = M(trunc)(x);
  return magnitude(x - whole) >= 0.5 ? whole + with_sign(1.0, x) : whole;
}

double M(modf)(double x, double* whole) {
  *whole = M(trunc)(x);
  return with_sign(magnitude(x) == kInf ? 0.0 : x - *whole, x);
}

double M(frexp)(double x, int* exponent) {
  *exponent = 0;
  if (x == 0.0 || !(magnitude(x) < kInf)) return x;
  int extra = 0;
  if (magnitude(x) < 0x1p-1022) {
    x *= 0x1p54;
    extra = -54;
  }
  *exponent = exponent_of(x) + 1 + extra;
  return from_bits((bits_of(x) & ~(0x7ffull << 52)) | 1022ull << 52);
}

static double power_of_two(int exponent) { return from_bits((uint64_t)(exponent + 1023) << 52); }

/// Rounds once: only the last factor can make the product subnormal.
double M(ldexp)(double x, int exponent) {
  if (exponent > 1023) {
    x *= 0x1p1023;
    exponent -= 1023;
    if (exponent > 1023) {
      x *= 0x1p1023;
      exponent = exponent > 2046 ? 1023 : exponent - 1023;
    }
  } else if (exponent < -1022) {
    x *= 0x1p-969;  // keeps 53 bits above the smallest normal number
    exponent += 969;
    if (exponent < -1022) {
      x *= 0x1p-969;
      exponent = exponent < -1991 ? -1022 : exponent + 969;
    }
  }
  return x * power_of_two(exponent);
}

double M(scalbn)(double x, int exponent) { return M(ldexp)(x, exponent); }

/// The remainder of magnitudes, by long division of the significands; `odd` is the last bit of the quotient.
static double remainder_of(double x, double y, int* odd) {
  *odd = 0;
  if (x < y) return x;
  int ex, ey;
  uint64_t a = (uint64_t)M(ldexp)(M(frexp)(x, &ex), 53);
  const uint64_t b = (uint64_t)M(ldexp)(M(frexp)(y, &ey), 53);
  for (int steps = ex - ey;; --steps) {
    *odd = a >= b;
    if (*odd) a -= b;
    if (steps == 0) break;
    a <<= 1;
  }
  return M(ldexp)((double)a, ey - 53);
}

double M(fmod)(double x, double y) {
  if (x != x || y != y || magnitude(x) == kInf || y == 0.0) return kNaN;
  int odd;
  return with_sign(magnitude(y) == kInf ? magnitude(x) : remainder_of(magnitude(x), magnitude(y), &odd), x);
}

double M(remainder)(double x, double y) {
  if (x != x || y != y || magnitude(x) == kInf || y == 0.0) return kNaN;
  if (magnitude(y) == kInf) return x;
  const double size = magnitude(y);
  int odd;
  double rest = remainder_of(magnitude(x), size, &odd);
  const double other = size - rest;  // compared with the rest; exact where they are close
  if (rest > other || (rest == other && odd)) rest -= size;
  return negative(x) ? (rest == 0.0 ? -0.0 : -rest) : rest;
}

double M(nextafter)(double x, double y) {
  if (x != x || y != y) return kNaN;
  if (x == y) return y;
  if (x == 0.0) return with_sign(from_bits(1), y);
  return from_bits((x < y) == (x > 0.0) ? bits_of(x) + 1 : bits_of(x) - 1);
}

float M(nextafterf)(float x, float y) {
  if (x != x || y != y) return __builtin_nanf("");
  if (x == y) return y;
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits = x == 0.0f ? (uint32_t)negative((double)y) << 31 | 1 : (x < y) == (x > 0.0f) ? bits + 1 : bits - 1;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

long long M(llrint)(double x) { return (long long)M(rint)(x); }
long M(lrint)(double x) { return (long)M(rint)(x); }
long M(lround)(double x) { return (long)M(round)(x); }
long long M(llround)(double x) { return (long long)M(round)(x); }

/// x * y = high + low exactly, for magnitudes that neither overflow nor underflow.
static double product(double x, double y, double* low) {
  const double a = from_bits(bits_of(x) & ~0x7ffffffull), b = from_bits(bits_of(y) & ~0x7ffffffull);
  const double c = x - a, d = y - b;
  const double high = x * y;
  *low = ((a * b - high) + a * d + c * b) + c * d;
  return high;
}

/// Correctly rounded while intermediate results neither overflow nor underflow: the sum of three parts is rounded to odd.
double M(fma)(double x, double y, double z) {
  const double plain = x * y + z;
  if (!(magnitude(x) < 0x1p500 && magnitude(y) < 0x1p500 && magnitude(z) < 0x1p1000)) return plain;
  if (x == 0.0 || y == 0.0 || z == 0.0 || magnitude(x * y) < 0x1p-900) return plain;
  double low;
  const double high = product(x, y, &low);
  const double sum = high + z;
  const double back = sum - high;
  const double error = (high - (sum - back)) + (z - back);  // high + z = sum + error
  double tail = error + low;
  const double part = tail - error;
  const double lost = (error - (tail - part)) + (low - part);
  if (lost != 0.0 && (bits_of(tail) & 1) == 0) {  // rounds the tail to odd, so that the last addition rounds only once
    tail = from_bits((lost > 0.0) == (tail > 0.0) ? bits_of(tail) + 1 : bits_of(tail) - 1);
  }
  return sum + tail;
}
