// Results of 32 rows as products with a form of each row, in fixed point: what opkg::hvx::Product is for one row. C++17.
#ifndef OPKG_HVX_PRODUCTS_H_
#define OPKG_HVX_PRODUCTS_H_

#include <algorithm>
#include <cstdlib>

#include "opkg/hvx_lines.h"

#if OPKG_HVX

namespace opkg::hvx {

/// The smallest e with which the sizes of all numbers together are at most 2^e.
template <uint32_t kCount>
OPKG_INLINE HVX_Vector size_of_all(const Numbers (&numbers)[kCount]) {
  int32_t room = 0;
  while ((1u << room) < kCount) ++room;
  HVX_Vector top = numbers[0].exponent, sum = Q6_V_vsplat_R(kCount);  // as each of them is cut off
  for (const Numbers& number : numbers) top = word::largest(top, number.exponent);
  for (const Numbers& number : numbers) {
    const HVX_Vector shift = at_most(plus(word::sub(top, number.exponent), room), 31);
    sum = word::add(sum, word::right(word::size(number.mantissa), shift));
  }
  return word::sub(plus(top, room + 32), word::zeros(sum));
}

/// As opkg::hvx::Reach.
template <typename Word>
struct ReachesOf {
  NumbersOf<Word> middle, most;
};
using Reaches = ReachesOf<HVX_Vector>;

/// As opkg::hvx::reach_of. `zero`: what is taken off the numbers.
template <typename Word = HVX_Vector>
OPKG_INLINE ReachesOf<Word> reaches_of(int32_t low) {
  return {NumbersOf<Word>(low + 127.5), NumbersOf<Word>(127.5)};
}
template <typename Word>
OPKG_INLINE ReachesOf<Word> reaches_of(Word total, Word squares, int64_t zero, size_t n, const NumbersOf<Word>& share) {
  return {NumbersOf<Word>(less_zeros(total, zero, n)) * share, above_root(squares_about_mean(total, squares, n, share))};
}

/// As opkg::hvx::Product.
template <uint32_t kTerms>
struct Products {
  static constexpr int32_t kFraction = 7, kLow = 7;

  HVX_Vector scale, start, bias;
  HVX_Vector factor[kTerms + 1];  ///< in both halves of a word
  HVX_Vector low[kTerms + 1];
  int32_t shift;
  HVX_VectorPred held;  ///< as in Lines

  OPKG_INLINE Products(const Slots& slots, const Numbers& a, const Numbers& b, int32_t x_low, const Reaches& x, int32_t y_most,
                       const Numbers& constant, std::initializer_list<Terms> terms) {
    const Numbers at_low = b + a * Numbers(Q6_V_vsplat_R(x_low)), y(Q6_V_vsplat_R(y_most));
    Numbers reach[kTerms + 3] = {raw_product(b + a * x.middle, y), raw_product(raw_product(a, x.most), y), constant};
    HVX_Vector most_bits = word::smallest(from(22, a.size()), from(30, at_low.size()));
    HVX_Vector twice_off = Q6_V_vsplat_R(5 * y_most + 4);
    for (uint32_t i = 0; i < kTerms; ++i) {
      const Terms& term = terms.begin()[i];
      reach[i + 3] = raw_product(term.factor, Numbers(term.most));
      twice_off = word::add(twice_off, term.most);
      most_bits = word::smallest(most_bits, from(21, term.factor.size()));
    }
    most_bits = word::smallest(most_bits, from(30, size_of_all(reach)));
    const int32_t bits = std::max(std::min(least(slots, most_bits), 22), kFraction);
    const HVX_Vector every = Q6_V_vsplat_R(bits);
    scale = a.whole(plus(every, 8));
    start = plus(at_low.whole(every), 1);
    for (uint32_t i = 0; i < kTerms; ++i) {
      const HVX_Vector whole = terms.begin()[i].factor.whole(every);
      factor[i] = in_both_halves(word::right(whole, kLow));
      low[i] = in_both_halves(word::bits_and(whole, Q6_V_vsplat_R((1 << kLow) - 1)));
    }
    shift = bits - kFraction;
    bias = plus(constant.whole(every), shift > 0 ? 1 << (shift - 1) : 0);
    // Numbers are off, too: 2^-25 of 255 * a * y.
    const HVX_Vector blur = word::right(Q6_V_vsplat_R(y_most << 6), at_least(at_most(from(22 - bits, a.size()), 31), 0));
    const HVX_VectorPred exact = word::more(Q6_V_vsplat_R((225 << bits) >> 8), word::add(twice_off, blur));
    const HVX_VectorPred fits = word::more(most_bits, Q6_V_vsplat_R(kFraction - 1));
    held = word::both(fits, y_most < 4096 ? exact : word::none(fits));
  }
};

/// The same of one row: how far results reach is told by sizes alone, so that what is farther than some hundred times their range
/// does not hold.
template <uint32_t kTerms>
struct ProductOfRow {
  static constexpr int32_t kFraction = 7, kLow = 7;

  int32_t scale, start, bias;
  int32_t factor[kTerms + 1];
  int32_t low[kTerms + 1];
  int32_t shift;
  Margin held;

  ProductOfRow() = default;
  /// Made in double: factors are 16 bits.
  OPKG_INLINE explicit ProductOfRow(const Product<kTerms>& row) : scale(row.scale), start(row.start), bias(row.bias), shift(row.shift) {
    for (uint32_t i = 0; i < kTerms; ++i) factor[i] = row.factor[i], low[i] = row.low[i];
  }

  OPKG_INLINE ProductOfRow(const RowCount&, const NumbersOf<int32_t>& a, const NumbersOf<int32_t>& b, int32_t x_low, const ReachesOf<int32_t>&, int32_t y_most,
                           const NumbersOf<int32_t>& constant, std::initializer_list<TermsOf<int32_t>> terms) {
    const int32_t form = std::max(a.size() + kByte, b.size()) + 1;  // |a * x + b| < 2^form
    int32_t reach = std::max(form + size_of_whole(y_most), constant.size());
    int32_t most_bits = std::min(22 - a.size(), 30 - form), twice_off = 5 * y_most + 4;
    for (const TermsOf<int32_t>& term : terms) {
      reach = std::max(reach, term.factor.size() + size_of_whole(term.most));
      most_bits = std::min(most_bits, 21 - term.factor.size());
      twice_off += term.most;
    }
    int32_t more = 30;
    for (uint32_t i = 0; (1u << i) < kTerms + 2; ++i) --more;
    most_bits = std::min(most_bits, more - reach);
    const int32_t bits = std::max(std::min(most_bits, 22), kFraction);
    scale = whole_of(a, bits + 8);
    start = word::plus_product31(word::add(whole_of(b, bits), 1), scale, word::left(x_low, 31 - kByte));  // a * x_low is cut off
    for (uint32_t i = 0; i < kTerms; ++i) {
      const int32_t whole = whole_of(terms.begin()[i].factor, bits);
      factor[i] = whole >> kLow;
      low[i] = whole & ((1 << kLow) - 1);
    }
    shift = bits - kFraction;
    bias = word::add(whole_of(constant, bits), shift > 0 ? 1 << (shift - 1) : 0);
    // Numbers are off, too: 2^-24 of 255 * a * y.
    const int32_t blur = (y_most << 7) >> std::max(std::min(22 - bits - a.size(), 31), 0);
    const int32_t rest = std::min(most_bits - kFraction, ((225 << bits) >> 8) - twice_off - blur - 1);
    const int32_t beyond = static_cast<int32_t>(static_cast<uint32_t>(x_low + 255) >> 8) | y_most >> 12;  // 0 of x and y within their bounds
    held = {rest | -beyond};
  }

 private:
  static constexpr int32_t kByte = 8;  ///< bits of x: its ends are 255 from zero at most
};
template <typename Word, uint32_t kTerms>
using ProductsOf = std::conditional_t<std::is_same_v<Word, int32_t>, ProductOfRow<kTerms>, Products<kTerms>>;

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_PRODUCTS_H_
