// Arithmetic that the instruction set lacks and clang calls: integer division, double multiplication (V66), double and
// float division and square roots. All results are the correctly rounded ones of IEEE 754.
// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>

typedef union {
  double real;
  uint64_t bits;
} Double;
typedef union {
  float real;
  uint32_t bits;
} Float;

static const uint64_t kSign = 1ull << 63;
static const uint64_t kOne = 1ull << 52;  // the leading bit of a normal number's significand
static const uint64_t kInfinity = 0x7ff0000000000000ull;
static const uint64_t kNan = 0x7ff8000000000000ull;

// ---- integers ----

uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b) {
  if (a < b || b == 0) return 0;
  if (b == 1) return a;  // the only quotient that a float, rounded up, could take out of range
  // A float estimate leaves an error of 2^-22 of the quotient; the second estimate works on what remains of it.
  const float inverse = 1.0f / (float)b;
  uint32_t quotient = (uint32_t)((float)a * inverse);
  int64_t rest = (int64_t)a - (int64_t)((uint64_t)quotient * b);
  const int32_t more = (int32_t)((float)rest * inverse);
  quotient += (uint32_t)more;
  rest -= (int64_t)more * b;
  for (; rest < 0; rest += b) --quotient;
  for (; rest >= (int64_t)b; rest -= b) ++quotient;
  return quotient;
}

uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b) { return a - __hexagon_udivsi3(a, b) * b; }

static uint32_t size32(int32_t value) { return value < 0 ? 0u - (uint32_t)value : (uint32_t)value; }

int32_t __hexagon_divsi3(int32_t a, int32_t b) {
  const uint32_t quotient = __hexagon_udivsi3(size32(a), size32(b));
  return (int32_t)((a ^ b) < 0 ? 0u - quotient : quotient);
}

int32_t __hexagon_modsi3(int32_t a, int32_t b) {
  const uint32_t rest = __hexagon_umodsi3(size32(a), size32(b));
  return (int32_t)(a < 0 ? 0u - rest : rest);
}

static uint64_t divide64(uint64_t a, uint64_t b, uint64_t* rest) {
  if (b == 0 || a < b) {
    *rest = b == 0 ? 0 : a;
    return 0;
  }
  if (a >> 32 == 0) {
    const uint32_t quotient = __hexagon_udivsi3((uint32_t)a, (uint32_t)b);
    *rest = a - (uint64_t)quotient * b;
    return quotient;
  }
  int shift = __builtin_clzll(b) - __builtin_clzll(a);
  uint64_t quotient = 0;
  for (b <<= shift; shift >= 0; --shift, b >>= 1) {
    quotient <<= 1;
    if (a >= b) {
      a -= b;
      quotient |= 1;
    }
  }
  *rest = a;
  return quotient;
}

uint64_t __hexagon_udivdi3(uint64_t a, uint64_t b) {
  uint64_t rest;
  return divide64(a, b, &rest);
}

uint64_t __hexagon_umoddi3(uint64_t a, uint64_t b) {
  uint64_t rest;
  divide64(a, b, &rest);
  return rest;
}

static uint64_t size64(int64_t value) { return value < 0 ? 0ull - (uint64_t)value : (uint64_t)value; }

int64_t __hexagon_divdi3(int64_t a, int64_t b) {
  uint64_t rest;
  const uint64_t quotient = divide64(size64(a), size64(b), &rest);
  return (int64_t)((a ^ b) < 0 ? 0ull - quotient : quotient);
}

int64_t __hexagon_moddi3(int64_t a, int64_t b) {
  uint64_t rest;
  divide64(size64(a), size64(b), &rest);
  return (int64_t)(a < 0 ? 0ull - rest : rest);
}

// ---- doubles ----

static double made(uint64_t bits) {
  const Double number = {.bits = bits};
  return number.real;
}

static uint64_t bits_of(double real) {
  const Double number = {.real = real};
  return number.bits;
}

/// Significand of a finite number that is not 0, with bit 52 set; `exponent` is that of bit 0.
static uint64_t unpack(uint64_t bits, int* exponent) {
  uint64_t significand = bits & (kOne - 1);
  const int biased = (int)(bits >> 52) & 0x7ff;
  if (biased != 0) {
    *exponent = biased - 1075;
    return significand | kOne;
  }
  const int shift = __builtin_clzll(significand) - 11;
  *exponent = -1074 - shift;
  return significand << shift;
}

/// significand * 2^exponent, rounded half to even; `significand` has bit 54 or 55 set, its bit 0 is "or more".
static double pack(uint64_t sign, uint64_t significand, int exponent) {
  if (significand >> 55 != 0) {
    significand = significand >> 1 | (significand & 1);
    ++exponent;
  }
  // Now bit 54 is the leading one: value = significand * 2^exponent, of which 53 bits stay.
  int biased = exponent + 2 + 1075;
  if (biased >= 0x7ff) return made(sign | kInfinity);
  if (biased <= 0) {  // subnormal: fewer bits stay
    const int lost = 1 - biased;
    if (lost > 55) return made(sign);
    significand = significand >> lost | ((significand & ((1ull << lost) - 1)) != 0);
    biased = 0;
  }
  const uint64_t below = significand & 3;
  uint64_t kept = significand >> 2;
  if (below > 2 || (below == 2 && (kept & 1) != 0)) ++kept;
  // A carry out of the significand, or of a subnormal into the first normal number, is right by itself.
  return made(sign | (biased > 0 ? ((uint64_t)(biased - 1) << 52) + kept : kept));
}

static uint64_t magnitude(double x) { return bits_of(x) & ~kSign; }

double __hexagon_muldf3(double a, double b) {
  const uint64_t sign = (bits_of(a) ^ bits_of(b)) & kSign;
  const uint64_t x = magnitude(a), y = magnitude(b);
  if (x >= kInfinity || y >= kInfinity) {
    if (x > kInfinity || y > kInfinity || x == 0 || y == 0) return made(kNan);
    return made(sign | kInfinity);
  }
  if (x == 0 || y == 0) return made(sign);
  int ex, ey;
  const uint64_t m = unpack(x, &ex) << 5, n = unpack(y, &ey) << 6;  // 58 and 59 bits: a product of 116 or 117
  const uint64_t low = (m & 0xffffffffu) * (n & 0xffffffffu);
  const uint64_t mid1 = (m >> 32) * (n & 0xffffffffu) + (low >> 32);
  const uint64_t mid2 = (m & 0xffffffffu) * (n >> 32) + (mid1 & 0xffffffffu);
  const uint64_t high = (m >> 32) * (n >> 32) + (mid1 >> 32) + (mid2 >> 32);  // bits 64 and up: 52 or 53 of them
  const uint64_t rest = mid2 << 32 | (low & 0xffffffffu);
  return pack(sign, high << 3 | rest >> 61 | ((rest << 3) != 0), ex - 5 + ey - 6 + 61);
}

double __hexagon_divdf3(double a, double b) {
  const uint64_t sign = (bits_of(a) ^ bits_of(b)) & kSign;
  const uint64_t x = magnitude(a), y = magnitude(b);
  if (x > kInfinity || y > kInfinity || (x == kInfinity && y == kInfinity) || (x == 0 && y == 0)) return made(kNan);
  if (x == kInfinity || y == 0) return made(sign | kInfinity);
  if (y == kInfinity || x == 0) return made(sign);
  int ex, ey;
  uint64_t rest = unpack(x, &ex);
  const uint64_t divisor = unpack(y, &ey);
  const float inverse = 1024.0f / (float)divisor;
  uint64_t quotient = 0;
  if (rest >= divisor) {
    rest -= divisor;
    quotient = 1;
  }
  // Ten bits at a time: the float estimate of a digit is wrong by at most one.
  for (int i = 0; i < 6; ++i) {
    int64_t digit = (int64_t)((float)rest * inverse);
    int64_t left = (int64_t)(rest << 10) - digit * (int64_t)divisor;
    if (left < 0) {
      left += (int64_t)divisor;
      --digit;
    } else if (left >= (int64_t)divisor) {
      left -= (int64_t)divisor;
      ++digit;
    }
    rest = (uint64_t)left;
    quotient = (quotient << 10) + (uint64_t)digit;
  }
  // 60 fractional bits; the leading one is bit 60 or 59.
  quotient |= rest != 0;
  const uint64_t shortened = quotient >> 5 | ((quotient & 31) != 0);
  return pack(sign, shortened, ex - ey - 60 + 5);
}

/// Square root of an integer, rounded down; `rest` says whether something is left.
static uint64_t root(uint64_t high, uint64_t low, int bits, int* rest) {
  uint64_t found = 0, left = 0;
  for (int i = 0; i < bits; ++i) {
    left = left << 2 | high >> 62;
    high = high << 2 | low >> 62;
    low <<= 2;
    const uint64_t trial = found << 2 | 1;
    found <<= 1;
    if (left >= trial) {
      left -= trial;
      found |= 1;
    }
  }
  *rest = left != 0;
  return found;
}

double __hexagon_sqrtdf2(double a) {
  const uint64_t x = magnitude(a);
  if (x == 0 || x > kInfinity) return a;
  if ((bits_of(a) & kSign) != 0) return made(kNan);
  if (x == kInfinity) return a;
  int exponent;
  uint64_t significand = unpack(x, &exponent);
  if ((exponent & 1) != 0) {
    significand <<= 1;
    --exponent;
  }
  // 110 bits in, 55 bits out: the number stands at the top of 128 bits and its first 55 pairs are used.
  int rest;
  const uint64_t found = root(significand << 10, 0, 55, &rest);
  return pack(0, found | (uint64_t)rest, (exponent - 56) / 2);
}

double __hexagon_sqrt(double a) { return __hexagon_sqrtdf2(a); }
double sqrt(double a) { return __hexagon_sqrtdf2(a); }

// ---- floats ----

float __hexagon_divsf3(float a, float b) { return (float)((double)a / (double)b); }

float __hexagon_sqrtf(float a) {
  const Float number = {.real = a};
  const uint32_t x = number.bits & 0x7fffffffu;
  if (x == 0 || x > 0x7f800000u) return a;
  if (x != number.bits) return __builtin_nanf("");
  if (x == 0x7f800000u) return a;
  // As a double the number is normal; the root of a float lies on no tie of floats, so "or more" decides.
  int exponent;
  uint64_t significand = unpack(bits_of((double)a), &exponent);
  if ((exponent & 1) != 0) {
    significand <<= 1;
    --exponent;
  }
  int rest;
  const uint64_t found = root(significand << 10, 0, 27, &rest);
  return (float)pack(0, (found << 1 | (uint64_t)rest) << 27, (exponent - 56) / 2);
}

float sqrtf(float a) { return __hexagon_sqrtf(a); }
