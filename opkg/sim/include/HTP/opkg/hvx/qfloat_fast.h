// The qfloat arithmetic of qfloat.h where nothing is at the end of the range: the same bits in half of the time.
// SPDX-License-Identifier: Apache-2.0
//
// Every function collects in `ends` lanes that it does not compute: subnormal IEEE operands, working exponents that are the
// largest or negative. Vectors that have one are computed by qfloat.h.
#ifndef OPKG_HVX_QFLOAT_FAST_H_
#define OPKG_HVX_QFLOAT_FAST_H_

#include "qfloat.h"

namespace opkg_hvx {

// A number as in qfloat.h; `bits`: of the significand, a whole number, as a float. Not where it is 0: `nonzero` is -1 or 0.
struct Plain {
  Words bits, exponent, normalized, nonzero;
};

template <typename Q>
inline Plain plain_qfloat(Words x) {
  const Words bits = as<Words>(floats(Words((x >> Q::bits) * 2) | 1)), exponent = x & Q::most;
  return {bits, exponent, exponent + (shift_logical(Words(bits << 1), 24) - 127 - Q::fraction), words(-1)};
}

// An IEEE number with the sign of `sign`.
template <typename Q>
inline Plain plain_ieee(Words x, Words sign, Words* ends) {
  const Words exponent = x >> Q::fraction & Q::most, fraction = x & ((1 << Q::fraction) - 1);
  const Words zero = Words(exponent == 0), negative = sign & int32_t(0x80000000);
  *ends |= zero & fraction;
  const Words bits = Words(fraction << (23 - Q::fraction)) | ((127 + Q::fraction) << 23) | negative;
  return {bits, exponent - zero, exponent, ~zero};
}

// The significand times 2^n; n is between -26 and 25.
inline Floats significand(const Plain& a, Words n) { return as<Floats>((a.bits + Words(n << 23)) & a.nonzero); }

// The larger one of numbers that fit into 16 bits.
inline Words larger_short(Words a, Words b) {
  const Shorts x = as<Shorts>(a), y = as<Shorts>(b);
  return as<Words>(x > y ? x : y);
}

// In halves of units: 2 for each whole one, one more between two.
inline Words whole_or_between(Floats x) {
  const Words whole = __builtin_convertvector(x, Words);
  const Floats rest = x - floats(whole);
  return whole + whole - Words(rest > 0) + Words(rest < 0);
}

// `quarters` of units (odd: between two even ones) at `exponent` as the nearest number.
template <typename Q>
inline Words rounded_plain(Words quarters, Words exponent) {
  const Words large = Words(quarters >= (8 << Q::fraction)) | Words(quarters < -(8 << Q::fraction));
  const Words kept = select(large, (quarters >> 1) | (quarters & 1), quarters);
  const Words remainder = kept & 15, above = Words(remainder > 6);
  const Words even = above & ~large & Words(remainder <= 10);
  const Words up = Words(remainder > 6 + (large & 2));
  const Words fours = kept & ~15;
  const Words odd = Words(fours << (Q::bits - 3)) | (up & (1 << Q::bits));
  const Words word = select(even, Words(fours << (Q::bits - 4)), odd) | (exponent - large - even);
  return ~Words(quarters == 0) & word;
}

inline Words beyond(Words exponent, int most) { return exponent | ((most - 1) - exponent); }  // negative: it is

template <typename Q>
inline Words add_plain(const Plain& a, const Plain& b, Words working, Words* ends) {
  *ends |= beyond(working, Q::most) & int32_t(0x80000000);
  const Words least = words(-(Q::fraction + 1)), half = working - 1;
  const Floats x = significand(a, larger_short(a.exponent - half, least));
  const Floats y = significand(b, larger_short(b.exponent - half, least));
  const Floats sum = x + y;  // in halves of units, which it is a multiple of
  if (Q::width == 16) return rounded_plain<Q>(whole_or_between(sum), working);  // exact
  const Floats from_y = sum - x, rest = (x - (sum - from_y)) + (y - from_y);
  const Words whole = __builtin_convertvector(sum, Words);
  return rounded_plain<Q>(whole + whole + whole_or_between(rest), working);
}

// The product: of halves exact in single precision, else in double.
template <typename Q>
inline Words multiply_plain(const Plain& a, const Plain& b, Words* ends) {
  const Words exponent = a.exponent + b.exponent - Q::bias;
  *ends |= beyond(exponent, Q::most) & int32_t(0x80000000);
  const Floats x = as<Floats>(a.bits & a.nonzero), y = significand(b, words(1 - Q::fraction));
  if (Q::width == 16) return rounded_plain<Q>(whole_or_between(x * y), exponent);
  const Longs bits = as<Longs>(doubles(x) * doubles(y) + 0x1.8p30);  // the unit of the last place is 2^-22
  Words low, high;
  halves_of(bits, &low, &high);
  const Words whole = (Words(high << 13) >> 3) | shift_logical(low, 22);
  return rounded_plain<Q>(whole + whole - Words((low & 0x3fffff) != 0), exponent);
}

// qfloat_sum and qfloat_product of qfloat.h.
template <typename Q, bool qfloat_a, bool qfloat_b>
inline Words quick_sum(Words a, Words b, int minus, Words* ends) {
  const Words sign_b = b ^ minus, both = qfloat_a ? words(0) : Words(a & sign_b) >> 31;
  const Plain x = qfloat_a ? plain_qfloat<Q>(a) : plain_ieee<Q>(a, a ^ both, ends);
  const Plain y = qfloat_b ? plain_qfloat<Q>(complement<Q>(b, words(minus))) : plain_ieee<Q>(b, sign_b ^ both, ends);
  const Words first = Words(x.exponent >= y.exponent);
  const Words working = qfloat_a ? larger(select(first, x.normalized, y.normalized), select(first, y.exponent, x.exponent))
                                 : select(first, x.exponent, y.exponent);
  return complement<Q>(add_plain<Q>(x, y, working, ends), both);
}
template <typename Q, bool qfloat_a, bool qfloat_b>
inline Words quick_product(Words a, Words b, Words* ends) {
  const Words none = words(0), sign = qfloat_b ? none : qfloat_a ? Words(b >> 31) : Words(a ^ b) >> 31;
  const Plain x = qfloat_a ? plain_qfloat<Q>(a) : plain_ieee<Q>(a, none, ends);
  const Plain y = qfloat_b ? plain_qfloat<Q>(b) : plain_ieee<Q>(b, none, ends);
  return complement<Q>(multiply_plain<Q>(x, y, ends), sign);
}

}  // namespace opkg_hvx

#endif  // OPKG_HVX_QFLOAT_FAST_H_
