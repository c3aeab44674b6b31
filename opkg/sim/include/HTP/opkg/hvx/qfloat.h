// The qfloat arithmetic of HVX v68 to v75, bit by bit. SPDX-License-Identifier: Apache-2.0
//
// A number is (2 m + 1) 2^-F 2^(e - bias): qf32 has m in the high 24 bits (signed), e in the low 8, F 23, bias 127; qf16 has
// 11 and 5 bits, F 10, bias 15. It need not be normalized; there is no infinity and no NaN; the pattern 0 is the smallest
// positive number and stands for 0. Every significand is odd, so nothing round is exact: a result is rounded at a working
// exponent, in units of 2^-F, to a remainder modulo 4 of 1 (up to 1.5), 2 (up to 2.5; held with one more in the exponent) or 3;
// with a significand of 2 and more, and at the ends of the range, to 1 (up to 2) or 3. The working exponent of a product is
// the sum of the exponents, that of a sum the larger of the exponent of one operand and the normalized one of the operand
// whose exponent is larger. Infinity and NaN are numbers with the largest exponent. Negative IEEE operands of products, and
// two of a sum, are computed as their magnitudes, the result is complemented. Results of sums and of IEEE products that are
// 0 are the pattern 0 (or its complement), products whose exponent is two below the range too; too large ones saturate.
//
// tests/hvx compares with the bits that the vendor's published architecture model gives; nothing was compared with silicon.
#ifndef OPKG_HVX_QFLOAT_H_
#define OPKG_HVX_QFLOAT_H_

#include "words.h"

namespace opkg_hvx {

// A format: `fraction` and `bits` of the exponent are those of its IEEE sibling too. Lanes are the low `width` bits of
// words. Exact products and sums of significands fit into a Wide.
struct Qf32 {
  static constexpr int width = 32, fraction = 23, bits = 8, bias = 127, most = 255;
  using Wide = Doubles;
};
struct Qf16 {
  static constexpr int width = 16, fraction = 10, bits = 5, bias = 15, most = 31;
  using Wide = Floats;
};

// significand 2^-fraction 2^(exponent - bias); `normalized`: what the exponent is, at most, with a leading bit.
struct Number {
  Words exponent, normalized;
  Floats significand;  // a whole number of up to 24 bits
};

template <typename Q>
inline Number from_qfloat(Words x) {
  const Floats significand = floats(Words((x >> Q::bits) * 2) + 1);
  const Words exponent = x & Q::most;
  const Words length = (as<Words>(significand) >> 23 & 255) - 127;
  return {exponent, exponent + (length - Q::fraction), significand};
}

// The number of the magnitude bits, or its negative where `negative` (0 or -1) is set.
template <typename Q>
inline Number from_ieee(Words x, Words negative) {
  const Words field = x >> Q::fraction & Q::most, subnormal = Words(field == 0);
  const Words significand = (x & ((1 << Q::fraction) - 1)) | (~subnormal & (1 << Q::fraction));
  return {field - subnormal, field, floats((significand ^ negative) - negative)};
}

// `wide` in units of 2^-fraction at `exponent` (not below -1) as the nearest number, by the rule above.
template <typename Q>
inline Words rounded(typename Q::Wide wide, Words exponent) {
  const typename Q::Wide twice = wide + wide;
  const Words whole = __builtin_convertvector(twice, Words);
  const Floats rest = __builtin_convertvector(twice - __builtin_convertvector(whole, typename Q::Wide), Floats);
  Words lower = whole + Words(rest < 0), more = Words(rest != 0) & 1;  // lower + (0 or something), in halves of units
  const Words zero = Words((lower | more) == 0), negative = lower >> 31;

  const Words large = Words(lower >= (4 << Q::fraction)) | Words(lower < -(4 << Q::fraction));
  const Words step = large | (exponent >> 31);
  more = select(step, more | (lower & 1), more);
  lower = select(step, lower >> 1, lower);
  exponent = exponent - step;

  const Words odd = step | Words(exponent == Q::most);
  const Words remainder = (lower & 7) + more;
  const Words even = ~odd & Words(remainder > 3) & Words(remainder <= 5);
  const Words up = Words(remainder > 4 + (~odd & 1));
  const Words quarter = lower >> 3, m = select(even, quarter, Words(quarter + quarter) - up);
  const Words word = Words(m << Q::bits) | (exponent - even);
  const Words limit = (negative ^ words(int32_t((1u << (Q::width - 1)) - 1u - Q::most))) | Q::most;
  return ~zero & select(Words(exponent > Q::most), limit, word);
}

// The negative number where the mask is set.
template <typename Q>
inline Words complement(Words word, Words mask) {
  return word ^ Words(mask << Q::bits);
}

// The number times 2^n.
inline Floats scaled(Floats x, Words n) { return x * as<Floats>(Words((n + 127) << 23)); }

template <typename Q>
inline Words add(const Number& a, const Number& b) {
  // Below half of a unit what counts is that there is something.
  const Words first = Words(a.exponent >= b.exponent), least = words(-(Q::fraction + 2));
  const Words working = larger(select(first, a.normalized, b.normalized), select(first, b.exponent, a.exponent));
  const Floats x = scaled(a.significand, larger(a.exponent - working, least));
  const Floats y = scaled(b.significand, larger(b.exponent - working, least));
  using Wide = typename Q::Wide;
  return rounded<Q>(__builtin_convertvector(x, Wide) + __builtin_convertvector(y, Wide), working);
}

// The product; `unit`: of the product of two units of significands in units of 2^-fraction.
template <typename Q>
inline Words multiply(const Number& a, const Number& b, float unit, int bias) {
  using Wide = typename Q::Wide;
  const Words exponent = a.exponent + b.exponent - bias;
  const Floats other = b.significand * unit;
  const Wide product = __builtin_convertvector(a.significand, Wide) * __builtin_convertvector(other, Wide);
  const Words negative = Words(__builtin_convertvector(product, Floats) < 0);
  return select(Words(exponent < -1), complement<Q>(words(0), negative), rounded<Q>(product, larger(exponent, words(-1))));
}

// a + b, or a - b with `minus` -1. `qfloat_a`, `qfloat_b`: the operand is a qfloat number, else an IEEE one.
template <typename Q, bool qfloat_a, bool qfloat_b>
inline Words qfloat_sum(Words a, Words b, int minus) {
  const Words sign_a = a >> 31, sign_b = Words(b >> 31) ^ minus;
  if (qfloat_a && qfloat_b) return add<Q>(from_qfloat<Q>(a), from_qfloat<Q>(complement<Q>(b, words(minus))));
  if (qfloat_a) return add<Q>(from_qfloat<Q>(a), from_ieee<Q>(b, sign_b));
  const Words both = sign_a & sign_b;
  return complement<Q>(add<Q>(from_ieee<Q>(a, sign_a ^ both), from_ieee<Q>(b, sign_b ^ both)), both);
}

// a b of operands in format P (the IEEE sibling of it where they are not qfloat), as a Q.
template <typename Q, typename P, bool qfloat_a, bool qfloat_b>
inline Words product_of(Words a, Words b) {
  constexpr float unit = 1.0f / float(1 << P::fraction) * float(1 << (Q::fraction - P::fraction));
  constexpr int bias = 2 * P::bias - Q::bias;
  const Words sign_a = a >> 31, sign_b = b >> 31, none = words(0);
  if (qfloat_b) return multiply<Q>(from_qfloat<P>(a), from_qfloat<P>(b), unit, bias);
  if (qfloat_a) return complement<Q>(multiply<Q>(from_qfloat<P>(a), from_ieee<P>(b, none), unit, bias), sign_b);
  return complement<Q>(multiply<Q>(from_ieee<P>(a, none), from_ieee<P>(b, none), unit, bias), sign_a ^ sign_b);
}
template <typename Q, bool qfloat_a, bool qfloat_b>
inline Words qfloat_product(Words a, Words b) {
  return product_of<Q, Q, qfloat_a, qfloat_b>(a, b);
}
// Of halves, in qf32.
template <bool qfloat_a, bool qfloat_b>
inline Words qfloat_wide_product(Words a, Words b) {
  return product_of<Qf32, Qf16, qfloat_a, qfloat_b>(a, b);
}

// As single precision: exact but for subnormal results; from 2^128 on the bits of infinity and NaN.
inline Words sf_from_qf32(Words x) {
  const Number n = from_qfloat<Qf32>(x);
  const Floats small = n.significand * 0x1p-64f * as<Floats>(Words((n.exponent + (127 - 86)) << 23));
  const UWords normal = as<UWords>(n.significand) + as<UWords>(Words((n.exponent - 150) << 23));
  return select(Words(n.normalized > 0), as<Words>(normal), as<Words>(small));
}

// As half precision, to nearest even; from 2^16 on the bits of infinity and NaN, from 2^17 on 7fff.
template <typename Q>
inline Words hf_from_qfloat(Words x) {
  const Number n = from_qfloat<Q>(x);
  const Words sign = as<Words>(n.significand) >> 31;
  const Words field = n.normalized - (Q::bias - 127);  // of the number in single precision
  const Words bits = magnitude(as<Words>(n.significand)) & 0x7fffff;
  const Words single = bits | Words(smaller(larger(field, words(64)), words(144)) << 23);
  const Words normal = (single - (112 << 23) + 0xfff + (single >> 13 & 1)) >> 13;
  const Words small = as<Words>(as<Floats>(single) + 0.5f) - 0x3f000000;
  const Words half = select(Words(field > 112), normal, small);
  return select(Words(half > 0x7fff), words(0x7fff), half) | (sign & 0x8000);
}

}  // namespace opkg_hvx

#endif  // OPKG_HVX_QFLOAT_H_
