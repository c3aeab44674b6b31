// What the files of the mathematical library share. They define the functions of <math.h>; on a host with a library of its own
// they are compiled with OPKG_MATH_PREFIX, which goes in front of every name.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_SIM_HEXAGON_MATHEMATICS_H_
#define OPKG_SIM_HEXAGON_MATHEMATICS_H_

#include <stdint.h>

#define OPKG_JOIN_(a, b) a##b
#define OPKG_JOIN(a, b) OPKG_JOIN_(a, b)
#ifdef OPKG_MATH_PREFIX
#define M(name) OPKG_JOIN(OPKG_MATH_PREFIX, name)
#else
#define M(name) name
#endif

#define kInf __builtin_inf()
#define kNaN __builtin_nan("")

static const double kLn2 = 0x1.62e42fefa39efp-1;
static const double kLn2High = 0x1.62e42fee00000p-1;  // with 21 zero bits: times an exponent it is exact
static const double kLn2Low = 0x1.a39ef35793c76p-33;

static inline uint64_t bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double from_bits(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

static inline double magnitude(double x) { return from_bits(bits_of(x) & ~(1ull << 63)); }
static inline int negative(double x) { return (int)(bits_of(x) >> 63); }
static inline double with_sign(double x, double sign) {
  return from_bits((bits_of(x) & ~(1ull << 63)) | (bits_of(sign) & (1ull << 63)));
}

/// c[0] + c[1] x + ... + c[count - 1] x^(count - 1)
static inline double polynomial(const double* c, int count, double x) {
  double sum = c[count - 1];
  for (int i = count - 2; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}

double M(exp)(double x);
double M(expm1)(double x);
double M(log)(double x);
double M(log1p)(double x);
double M(pow)(double x, double y);
double M(sqrt)(double x);
double M(rint)(double x);
double M(trunc)(double x);
double M(floor)(double x);
double M(ldexp)(double x, int exponent);
double M(frexp)(double x, int* exponent);
double M(sin)(double x);
double M(erfc)(double x);

#endif  // OPKG_SIM_HEXAGON_MATHEMATICS_H_
