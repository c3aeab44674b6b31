// Numbers of 32 rows at a time, one in each word: mantissa and exponent in whole numbers, within 2^-28 per operation. C++17.
#ifndef OPKG_HVX_MANTISSAS_H_
#define OPKG_HVX_MANTISSAS_H_

#include <cstdint>

#include "opkg/hvx.h"
#include "opkg/hvx_number.h"
#include "opkg/hvx_row_words.h"

#if OPKG_HVX

namespace opkg::hvx {

template <typename Word>
OPKG_INLINE Word at_least(Word a, int32_t low) {
  return word::largest(a, in_all<Word>(low));
}
template <typename Word>
OPKG_INLINE Word at_most(Word a, int32_t high) {
  return word::smallest(a, in_all<Word>(high));
}
template <typename Word>
OPKG_INLINE Word plus(Word a, int32_t b) {
  return word::add(a, in_all<Word>(b));
}
template <typename Word>
OPKG_INLINE Word from(int32_t a, Word b) {
  return word::sub(in_all<Word>(a), b);
}

using word::in_both_halves, word::product31;

/// a * b in 32 bits, b being in the upper halves of its words.
OPKG_INLINE HVX_Vector times_upper(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vmpyio_VwVh(a, b); }

/// Whether a condition holds for the first words of a vector.
OPKG_INLINE bool all_words(HVX_VectorPred q, size_t words) {
  return !any(Q6_Q_and_QQn(Q6_Q_vsetq2_R(static_cast<int32_t>(words < 32 ? 4 * words : kBytes)), q));
}

/// mantissa * 2^exponent, as of Number, of 32 rows or of one.
template <typename Word>
struct NumbersOf {
  static constexpr int32_t kNothing = Number::kNothing;
  static constexpr int32_t kBeyond = 1 << 19;  ///< exponent of what is no number: its results are turned down

  Word mantissa, exponent;

  NumbersOf() = default;
  OPKG_INLINE NumbersOf(Word m, Word e) {
    const Word room = word::room(m);
    mantissa = word::left(m, room);
    exponent = word::either(word::same(m, in_all<Word>(0)), in_all<Word>(kNothing), word::sub(e, room));
  }
  /// Whole numbers.
  OPKG_INLINE explicit NumbersOf(Word whole) : NumbersOf(whole, in_all<Word>(0)) {}
  /// One number for all rows.
  OPKG_INLINE explicit NumbersOf(const Number& number) : mantissa(in_all<Word>(number.mantissa)), exponent(in_all<Word>(number.exponent)) {}
  OPKG_INLINE explicit NumbersOf(double value) : NumbersOf(Number(value)) {}

  /// The smallest e with |number| <= 2^e.
  OPKG_INLINE Word size() const { return plus(exponent, 31); }

  /// number * 2^bits, rounded to whole numbers, which 31 bits hold.
  OPKG_INLINE Word whole(Word bits) const {
    const Word shift = at_most(at_least(from(-1, word::add(exponent, bits)), 0), 31);
    return word::right(plus(word::right(mantissa, shift), 1), 1);
  }
};
using Numbers = NumbersOf<HVX_Vector>;

/// The same of one row, of a form that holds only if 31 bits do; else this is some number.
OPKG_INLINE int32_t whole_of(const NumbersOf<int32_t>& number, int32_t bits) {
  return word::add(Q6_R_asr_RR(number.mantissa, at_most(from(-1, word::add(number.exponent, bits)), 31)), 1) >> 1;
}

/// A whole number of 64 bits, cut off.
OPKG_INLINE NumbersOf<int32_t> number_of(int64_t whole) {
  const int32_t room = Q6_R_normamt_P(whole);
  NumbersOf<int32_t> found;
  found.mantissa = static_cast<int32_t>(whole << room >> 32);
  found.exponent = whole == 0 ? Number::kNothing : 32 - room;
  return found;
}

template <typename Word>
OPKG_INLINE NumbersOf<Word> operator-(const NumbersOf<Word>& a) {
  NumbersOf<Word> found;
  found.mantissa = word::negative(a.mantissa);
  found.exponent = a.exponent;
  return found;
}

/// a * b, whose mantissa may have a bit less than others.
template <typename Word>
OPKG_INLINE NumbersOf<Word> raw_product(const NumbersOf<Word>& a, const NumbersOf<Word>& b) {
  NumbersOf<Word> found;
  found.mantissa = product31(a.mantissa, b.mantissa);
  found.exponent = plus(word::add(a.exponent, b.exponent), 31);
  return found;
}

/// Zero keeps the very small exponent of a factor. In registers mantissas of products stay as they are: what asks for all of their
/// bits shifts them up (whole_mantissa).
OPKG_INLINE NumbersOf<int32_t> operator*(const NumbersOf<int32_t>& a, const NumbersOf<int32_t>& b) { return raw_product(a, b); }
template <typename Word>
OPKG_INLINE NumbersOf<Word> operator*(const NumbersOf<Word>& a, const NumbersOf<Word>& b) {
  const NumbersOf<Word> raw = raw_product(a, b);
  const Word room = word::room(raw.mantissa);
  NumbersOf<Word> found;
  found.mantissa = word::left(raw.mantissa, room);
  found.exponent = word::sub(raw.exponent, room);
  return found;
}

template <typename Word>
OPKG_INLINE NumbersOf<Word> operator+(const NumbersOf<Word>& a, const NumbersOf<Word>& b) {
  const Word top = plus(word::largest(a.exponent, b.exponent), 1);
  const Word x = word::right(a.mantissa, at_most(word::sub(top, a.exponent), 31));
  const Word y = word::right(b.mantissa, at_most(word::sub(top, b.exponent), 31));
  return NumbersOf<Word>(word::add(x, y), top);
}

template <typename Word>
OPKG_INLINE NumbersOf<Word> operator-(const NumbersOf<Word>& a, const NumbersOf<Word>& b) {
  return a + -b;
}

/// Whether a > b.
template <typename Word>
OPKG_INLINE Truth<Word> larger(const NumbersOf<Word>& a, const NumbersOf<Word>& b) {
  const Word top = word::largest(a.exponent, b.exponent);
  const Word x = word::right(a.mantissa, at_most(word::sub(top, a.exponent), 31));
  return word::more(x, word::right(b.mantissa, at_most(word::sub(top, b.exponent), 31)));
}

/// Numbers where a condition holds, others elsewhere.
template <typename Word>
OPKG_INLINE NumbersOf<Word> either(Truth<Word> q, const NumbersOf<Word>& a, const NumbersOf<Word>& b) {
  NumbersOf<Word> found;
  found.mantissa = word::either(q, a.mantissa, b.mantissa);
  found.exponent = word::either(q, a.exponent, b.exponent);
  return found;
}

/// The larger one of both.
template <typename Word>
OPKG_INLINE NumbersOf<Word> larger_of(const NumbersOf<Word>& a, const NumbersOf<Word>& b) {
  return either(larger(a, b), a, b);
}

/// |a|
template <typename Word>
OPKG_INLINE NumbersOf<Word> size_of(const NumbersOf<Word>& a) {
  NumbersOf<Word> found;
  found.mantissa = word::size(a.mantissa);
  found.exponent = a.exponent;
  return found;
}

/// A number whose mantissa has 31 bits.
OPKG_INLINE const Numbers& whole_mantissa(const Numbers& x) { return x; }
OPKG_INLINE NumbersOf<int32_t> whole_mantissa(const NumbersOf<int32_t>& x) {
  const int32_t room = word::room(x.mantissa);
  NumbersOf<int32_t> found;
  found.mantissa = word::left(x.mantissa, room);
  found.exponent = word::sub(x.exponent, room);
  return found;
}

/// a + b, and by how many bits at most the sum is smaller than its larger part: what that part is off is as much more of it.
template <typename Word>
OPKG_INLINE NumbersOf<Word> sum_of(const NumbersOf<Word>& a, const NumbersOf<Word>& b, Word& lost) {
  const NumbersOf<Word> found = a + b;
  lost = word::largest(lost, word::sub(word::largest(a.exponent, b.exponent), found.exponent));
  return found;
}

/// 1 / x within 2^-28 of itself, by three of Newton's steps.
template <typename Word>
OPKG_INLINE NumbersOf<Word> inverse(const NumbersOf<Word>& number) {
  const NumbersOf<Word> x = whole_mantissa(number);
  const Word half = word::largest(word::size(x.mantissa), in_all<Word>(1 << 30));  // 0.5 to 1 in units of 2^-31, of 0, too
  Word found = from(1515870810, product31(half, in_all<Word>(1010580540)));        // 48 / 17 - 32 / 17 x in units of 2^-29
  for (int32_t i = 0; i < 3; ++i) {
    const Word rest = from(INT32_MIN, word::left(product31(half, found), 2));  // 1 - x found in units of 2^-31
    found = word::plus_product31(found, found, rest);
  }
  found = word::twice(found);
  const Word below = word::right(x.mantissa, 31), none = in_all<Word>(0);
  NumbersOf<Word> inverse;
  inverse.mantissa = word::sub(word::bits_xor(found, below), below);
  inverse.exponent = word::either(word::same(x.mantissa, none), in_all<Word>(Numbers::kBeyond), from(-61, x.exponent));
  return inverse;
}

/// 1 / sqrt(x) within 2^-27 of itself.
template <typename Word>
OPKG_INLINE NumbersOf<Word> inverse_root(const NumbersOf<Word>& number) {
  const NumbersOf<Word> x = whole_mantissa(number);
  const Word odd = word::bits_and(plus(x.exponent, 1), in_all<Word>(1));
  const Word quarter = word::right(x.mantissa, odd);        // 0.25 to 1 in units of 2^-31
  const Word power = word::add(plus(x.exponent, 31), odd);  // x / 2^power
  // 2.234 - 2.066 x + 0.835 x^2 in units of 2^-29, where x is 0.5 to 1: within 0.0032 of itself. Of x / 2 sqrt(2) times that.
  const Truth<Word> twice = word::more(odd, in_all<Word>(0));
  const auto either = [&](int32_t less, int32_t more) OPKG_INLINE_LAMBDA { return word::either(twice, in_all<Word>(more), in_all<Word>(less)); };
  const Word slope = word::sub(either(1109286185, 1568767568), product31(x.mantissa, either(448527272, 634313351)));
  Word found = word::sub(either(1199341180, 1696124562), product31(x.mantissa, slope));
  for (int32_t i = 0; i < 2; ++i) {
    const Word square = product31(product31(found, found), quarter);                   // x found^2 in units of 2^-27
    found = word::plus_product31(found, found, from(1 << 30, word::left(square, 3)));  // found + found (1 - x found^2) / 2
  }
  const Truth<Word> positive = word::more(x.mantissa, in_all<Word>(0));
  NumbersOf<Word> root;
  root.mantissa = word::twice(found);
  root.exponent = word::either(positive, from(-30, word::right(power, 1)), in_all<Word>(Numbers::kBeyond));
  return root;
}

/// No less than sqrt(x) (but for 2^-31 of itself), and up to 6.1 % more: half of the exponent, and a line between powers of two.
template <typename Word>
OPKG_INLINE NumbersOf<Word> above_root(const NumbersOf<Word>& number) {
  const NumbersOf<Word> x = whole_mantissa(number);
  const Word power = plus(x.exponent, 31), odd = word::bits_and(power, in_all<Word>(1));
  NumbersOf<Word> found;
  found.mantissa = word::add(word::right(x.mantissa, 1), word::right(in_all<Word>(1 << 30), odd));
  found.exponent = plus(word::right(word::add(power, odd), 1), -31);
  return found;
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_MANTISSAS_H_
