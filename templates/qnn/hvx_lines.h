// Results of 32 rows as linear forms in fixed point: what opkg::hvx::Linear is for one row. C++17.
#ifndef OPKG_HVX_LINES_H_
#define OPKG_HVX_LINES_H_

#include <algorithm>
#include <initializer_list>

#include "opkg/hvx_numbers.h"
#include "opkg/hvx_units.h"

#if OPKG_HVX

namespace opkg::hvx {

/// One term of each row's form: factors in steps of the result, and the largest magnitude of the values.
template <typename Word>
struct TermsOf {
  NumbersOf<Word> factor;
  Word most;
  int32_t lift = 0;      ///< by how many bits loops shift the values to the left
  bool rounded = false;  ///< the values are off by half a unit themselves

  OPKG_INLINE TermsOf(const NumbersOf<Word>& factors, Word most_of, int32_t lifts = 0) : factor(factors), most(most_of), lift(lifts) {}
  template <typename Most, typename = std::enable_if_t<std::is_integral_v<Most> && !std::is_same_v<Word, int32_t>>>
  OPKG_INLINE TermsOf(const NumbersOf<Word>& factors, Most most_of, int32_t lifts = 0) : TermsOf(factors, in_all<Word>(static_cast<int32_t>(most_of)), lifts) {}
};
using Terms = TermsOf<HVX_Vector>;

/// Terms of table entries.
template <typename Word>
OPKG_INLINE TermsOf<Word> entries(const NumbersOf<Word>& factors) {
  TermsOf<Word> found(factors, 65535);
  found.rounded = true;
  return found;
}

/// The least word of all rows.
OPKG_INLINE int32_t least(const Slots& slots, HVX_Vector v) {
  if (slots.rows() == 1) return first<int32_t>(v);
  const HVX_VectorPred rows = Q6_Q_vsetq2_R(static_cast<int32_t>(4 * slots.rows()));
  return smallest<int32_t>(Q6_V_vmux_QVV(rows, v, Q6_V_vsplat_R(INT32_MAX)));
}

/// What is added to a form's terms: a number, or a sum of several.
template <typename Word>
class ConstantOf {
 public:
  OPKG_INLINE ConstantOf(const NumbersOf<Word>& number) : sum_(number) {}
  OPKG_INLINE ConstantOf(const NumbersOf<Word>& a, const NumbersOf<Word>& b) : sum_(a + b) {}
  OPKG_INLINE const NumbersOf<Word>& sum() const { return sum_; }
  OPKG_INLINE Word size() const { return sum_.size(); }
  OPKG_INLINE Word whole(Word bits) const { return sum_.whole(bits); }

 private:
  NumbersOf<Word> sum_;
};
/// Of one row those are added up when they are whole numbers: sums of Numbers take a dozen packets, one after another.
template <>
class ConstantOf<int32_t> {
 public:
  OPKG_INLINE ConstantOf(const NumbersOf<int32_t>& a) : ConstantOf(a, NumbersOf<int32_t>(Number())) {}
  OPKG_INLINE ConstantOf(const NumbersOf<int32_t>& a, const NumbersOf<int32_t>& b) : parts_{a, b, NumbersOf<int32_t>(Number())} {}
  OPKG_INLINE ConstantOf(const ConstantOf& two, const NumbersOf<int32_t>& more) : parts_{two.parts_[0], two.parts_[1], more} {}
  OPKG_INLINE int32_t size() const { return std::max(std::max(parts_[0].size(), parts_[1].size()) + 1, parts_[2].size()) + 1; }
  OPKG_INLINE int32_t whole(int32_t bits) const { return word::add(word::add(whole_of(parts_[0], bits), whole_of(parts_[1], bits)), whole_of(parts_[2], bits)); }

 private:
  NumbersOf<int32_t> parts_[3];
};

/// The smallest e with |x| < 2^e.
OPKG_INLINE int32_t size_of_whole(int32_t x) { return 32 - word::zeros(word::size(x)); }

/// sum(factor[i] * (value[i] << lift of term i)) + bias, in units of 2^-(shift + kFraction) steps of an 8-bit result. Shifts
/// are the same for all rows: the least that some row asks for.
template <typename Word, uint32_t kTerms>
struct LinesOf {
  static constexpr int32_t kFraction = 7;

  Word factor[kTerms];  ///< 16 bits in both halves of a word
  Word bias;
  int32_t shift;     ///< of the 32-bit sum to 16-bit lanes
  Truth<Word> held;  ///< rows whose results are within 1 step of the correctly rounded ones

  /// `blur`: by how much of a step, in 1/256, the values themselves may be off.
  OPKG_INLINE LinesOf(const Slots& slots, const TermsOf<Word> (&terms)[kTerms], const ConstantOf<Word>& constant, int32_t blur) {
    Word most_bits = in_all<Word>(22), reach = constant.size();
    for (const TermsOf<Word>& term : terms) {
      const Word size = term.factor.size();
      most_bits = word::smallest(most_bits, from(15 + term.lift, size));
      reach = word::largest(reach, word::sub(plus(size, 32), word::zeros(term.most)));
    }
    int32_t more = 30;
    for (uint32_t i = 0; (1u << i) < kTerms + 1; ++i) --more;
    const int32_t bits = std::max(least(slots, word::smallest(most_bits, from(more, reach))), kFraction);
    const Truth<Word> fine = word::more(most_bits, in_all<Word>(kFraction - 1));
    Word span = in_all<Word>(2);
    for (uint32_t i = 0; i < kTerms; ++i) {
      const Word by = at_least(at_most(terms[i].factor.whole(in_all<Word>(bits - terms[i].lift)), 0x7fff), -0x7fff);
      factor[i] = in_both_halves(by);
      span = word::add(span, word::left(terms[i].most, terms[i].lift));
      if (terms[i].rounded) span = word::add(span, word::size(by));
    }
    shift = bits - kFraction;
    // Half a unit of the 16-bit lanes makes up for their truncation.
    bias = plus(constant.whole(in_all<Word>(bits)), shift > 0 ? 1 << (shift - 1) : 0);
    const int32_t most = ((228 - 2 * blur) << bits) >> 8;  // 0.45 steps, less half a unit of those lanes
    held = word::both(fine, word::more(in_all<Word>(most), span));
  }
};
template <uint32_t kTerms>
using Lines = LinesOf<HVX_Vector, kTerms>;

/// The same of one row.
template <uint32_t kTerms>
struct LinesOf<int32_t, kTerms> {
  static constexpr int32_t kFraction = 7;

  int32_t factor[kTerms];  ///< 16 bits
  int32_t bias, shift;
  Margin held;

  LinesOf() = default;
  /// Made in double.
  OPKG_INLINE explicit LinesOf(const Linear<kTerms>& row) : bias(row.bias), shift(row.shift) { std::copy_n(row.factor, kTerms, factor); }

  OPKG_INLINE LinesOf(const RowCount&, const TermsOf<int32_t> (&terms)[kTerms], const ConstantOf<int32_t>& constant, int32_t blur) {
    int32_t most_bits = 22, reach = constant.size();
    for (const TermsOf<int32_t>& term : terms) {
      most_bits = std::min(most_bits, 15 + term.lift - term.factor.size());
      reach = std::max(reach, term.factor.size() + size_of_whole(term.most));
    }
    int32_t more = 30;
    for (uint32_t i = 0; (1u << i) < kTerms + 1; ++i) --more;
    most_bits = std::min(most_bits, more - reach);
    const int32_t bits = std::max(most_bits, kFraction);
    int32_t span = 4;  // the constant's parts are rounded one by one
    for (uint32_t i = 0; i < kTerms; ++i) {
      factor[i] = std::max(std::min(whole_of(terms[i].factor, bits - terms[i].lift), 0x7fff), -0x7fff);
      span += terms[i].most << terms[i].lift;
      if (terms[i].rounded) span += std::abs(factor[i]);
    }
    shift = bits - kFraction;
    bias = word::add(constant.whole(bits), shift > 0 ? 1 << (shift - 1) : 0);
    held = {std::min(most_bits - kFraction, (((228 - 2 * blur) << bits) >> 8) - span - 1)};
  }
};

/// As opkg::hvx::Wide: for 16-bit results, factors of 32 bits.
template <uint32_t kTerms>
struct WideLines {
  HVX_Vector factor[kTerms];  ///< the upper 16 bits, in both halves of a word
  HVX_Vector low[kTerms];     ///< the lower ones
  HVX_Vector bias;
  int32_t shift;        ///< of the 32-bit sum to 16-bit lanes
  HVX_VectorPred held;  ///< as in Lines

  OPKG_INLINE WideLines(const Slots& slots, const Terms (&terms)[kTerms], const Numbers& constant, int32_t blur) {
    HVX_Vector most_bits = Q6_V_vsplat_R(12), reach = constant.size(), span = Q6_V_vzero();
    for (const Terms& term : terms) {
      const HVX_Vector size = term.factor.size();
      most_bits = Q6_Vw_vmin_VwVw(most_bits, from(14 + term.lift, size));
      reach = Q6_Vw_vmax_VwVw(reach, Q6_Vw_vsub_VwVw(plus(size, 32), Q6_Vuw_vcl0_Vuw(term.most)));
      span = Q6_Vw_vadd_VwVw(span, Q6_Vw_vasr_VwR(term.most, 11 + term.lift));
    }
    int32_t more = 30;
    for (uint32_t i = 0; (1u << i) < kTerms + 1; ++i) --more;
    most_bits = Q6_Vw_vmin_VwVw(most_bits, from(more, reach));
    shift = std::max(least(slots, most_bits), 1);
    for (uint32_t i = 0; i < kTerms; ++i) {
      whole_[i] = terms[i].factor.whole(Q6_V_vsplat_R(shift + 16 + terms[i].lift));
      factor[i] = Q6_Vh_vshuffo_VhVh(whole_[i], whole_[i]);
      low[i] = in_both_halves(whole_[i]);
    }
    bias = constant.whole(Q6_V_vsplat_R(shift));
    // In 1/64 of a unit: half a unit of 2^-16 for each rounded factor, a unit for each sum of the low halves that is cut off.
    HVX_Vector off = plus(span, 64 * static_cast<int32_t>(kTerms) + 32 + static_cast<int32_t>(kTerms));
    off = Q6_Vw_vadd_VwVw(off, Q6_Vw_vasl_VwVw(Q6_V_vsplat_R(1), at_most(at_least(plus(constant.size(), shift - 21), 0), 30)));  // 2^-27 of the constant
    for (uint32_t i = 0; i < kTerms; ++i) {
      if (terms[i].rounded) off = Q6_Vw_vadd_VwVw(off, Q6_Vw_vasr_VwR(Q6_Vw_vabs_Vw(whole_[i]), 11));
    }
    const int32_t most = (60 - blur / 4) << shift;
    held = Q6_Q_and_QQ(Q6_Q_vcmp_gt_VwVw(most_bits, Q6_V_vzero()), Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R(most), off));
  }

  /// The 32 bits of the factors.
  OPKG_INLINE HVX_Vector whole(uint32_t i) const { return whole_[i]; }

 private:
  HVX_Vector whole_[kTerms];
};

/// 2^power with the sign of a number.
OPKG_INLINE Numbers signed_power(const Numbers& a, int32_t power) {
  const Numbers found(static_cast<double>(1 << power));
  return either(Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), a.mantissa), -found, found);
}

/// As opkg::hvx::Single. Shifts behind the products are those of the steepest row (see Lines), so that elements of steep rows, of
/// which only those near `at` count, are shifted up further: factor and most are what kLift asks for.
struct Singles {
  static constexpr int32_t kLift = 3;

  HVX_Vector at, most;
  Numbers factor, constant;

  /// For loops: `at` less `low`, shifted up, and above it in both bytes what shifts elements up.
  OPKG_INLINE HVX_Vector packed(int32_t low) const {
    const HVX_Vector both = Q6_V_vor_VV(plus(at, -low), Q6_V_vsplat_R(0x01010000));
    return Q6_Vw_vasl_VwVw(both, plus(more_, kLift));
  }

  OPKG_INLINE Singles(const Numbers& by, const ConstantOf<HVX_Vector>& added, int32_t level, int32_t low) {
    const Numbers& rest = added.sum();
    const Numbers place = (Numbers(Q6_V_vsplat_R(level)) - rest) * inverse(by);
    const HVX_Vector zero = Q6_V_vzero(), size = by.size();
    const HVX_VectorPred far = Q6_Q_vcmp_gt_VwVw(place.size(), Q6_V_vsplat_R(29));
    const HVX_Vector end = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(zero, place.mantissa), Q6_V_vsplat_R(low), Q6_V_vsplat_R(low + 255));
    at = Q6_V_vmux_QVV(far, end, at_least(at_most(place.whole(zero), low + 255), low));
    most = at_most(plus(Q6_Vw_vasr_VwVw(Q6_V_vsplat_R(600), at_most(at_least(size, 0), 15)), 1), 255);
    constant = rest + by * Numbers(at);
    // What numbers are off, 2^-25 of 255 * by, is an eighth of a step here.
    const HVX_VectorPred useless = Q6_Q_vcmp_gt_VwVw(size, Q6_V_vsplat_R(14));
    const HVX_VectorPred steep = Q6_Q_vcmp_gt_VwVw(size, Q6_V_vsplat_R(kSteep));
    const HVX_VectorPred beyond = Q6_Q_vcmp_gt_VwVw(constant.size(), Q6_V_vsplat_R(kSteep - 1));
    more_ = at_most(at_least(plus(size, kMore - 1 - kSteep), 0), kMore);
    most = Q6_Vw_vasl_VwVw(most, more_);
    factor = either(steep, signed_power(by, kSteep), by);
    factor.exponent = Q6_Vw_vsub_VwVw(factor.exponent, more_);
    factor.exponent = Q6_V_vmux_QVV(useless, Q6_V_vsplat_R(Numbers::kBeyond), factor.exponent);
    constant = either(Q6_Q_and_QQ(steep, beyond), signed_power(constant, kSteep - 1), constant);
  }

 private:
  static constexpr int32_t kSteep = 9, kMore = 4;

  HVX_Vector more_;  ///< by how many bits elements are shifted up, beyond kLift
};

/// The same of one row that is not steep: distances are from the number in the middle, whatever results are there.
struct SingleOfRow {
  static constexpr int32_t kLift = Single::kLift;

  int32_t at, most;
  NumbersOf<int32_t> factor;
  ConstantOf<int32_t> constant;

  SingleOfRow() : constant(NumbersOf<int32_t>(Number())) {}
  /// Made in double: for loops, which ask for `at` alone.
  OPKG_INLINE explicit SingleOfRow(const Single& row) : at(row.at), constant(NumbersOf<int32_t>(Number())) {}
  OPKG_INLINE SingleOfRow(const NumbersOf<int32_t>& by, const ConstantOf<int32_t>& rest, int32_t, int32_t low)
      : at(low + 128), most(128), factor(by), constant(rest, by * NumbersOf<int32_t>(at)) {}

  OPKG_INLINE int32_t packed(int32_t low) const { return (at - low) * (1 << kLift) + (0x0101 << (16 + kLift)); }
};
template <typename Word>
using SinglesOf = std::conditional_t<std::is_same_v<Word, int32_t>, SingleOfRow, Singles>;

/// As opkg::hvx::Middle. `left`: what of `at` a form's factors are not about yet.
struct Middles {
  HVX_Vector at, most, lift, left;
};

OPKG_INLINE Middles middles_of(int32_t middle) {
  const HVX_Vector all = Q6_V_vsplat_R(middle);
  return {all, Q6_V_vsplat_R(32768), Q6_V_vzero(), all};
}
OPKG_INLINE Middles middles_of_bytes(int32_t middle) {
  const HVX_Vector all = Q6_V_vsplat_R(middle);
  return {all, Q6_V_vsplat_R(32768), Q6_V_vsplat_R(8), all};
}
OPKG_INLINE Middles middles_of(int32_t middle, HVX_Vector about, const Numbers& squares) {
  const HVX_Vector zero = Q6_V_vzero(), all = Q6_V_vsplat_R(middle), size = plus((squares * inverse_root(squares)).whole(zero), 2);
  const HVX_VectorPred near = Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R(30), squares.size());
  const HVX_Vector lift = Q6_V_vmux_QVV(near, at_least(plus(Q6_Vuw_vcl0_Vuw(size), -17), 0), zero);
  const HVX_Vector at = Q6_V_vmux_QVV(near, about, all), most = Q6_V_vmux_QVV(near, Q6_Vw_vasl_VwVw(size, lift), Q6_V_vsplat_R(32768));
  return {at, most, lift, Q6_Vw_vsub_VwVw(at, about)};
}
OPKG_INLINE Middles middles_of(int32_t middle, const Numbers& squares) { return middles_of(middle, Q6_V_vzero(), squares); }

/// Of factors about the whole number next to the mean. `zero`: what is taken off the numbers.
OPKG_INLINE Middles middles_of(int32_t middle, const AboutMeans& about, int64_t zero) {
  return middles_of(middle, plus(about.at, -static_cast<int32_t>(zero)), about.squares);
}

/// As opkg::hvx::Centered.
struct Centers {
  HVX_Vector x0, y0, most;
  Numbers a, b, c, d;

  OPKG_INLINE Centers(const Numbers& of_xy, const Numbers& of_x, const Numbers& of_y, const Numbers& rest, const Middles& x_at, const Middles& y_at)
      : x0(x_at.left), y0(y_at.left), most(Q6_Vw_vmpyie_VwVuh(x_at.most, y_at.most)), a(of_xy) {
    const Numbers x(x0), y(y0);
    b = of_x + a * y;
    c = of_y + a * x;
    d = rest + b * x + of_y * y;
    a.exponent = Q6_Vw_vsub_VwVw(a.exponent, Q6_Vw_vadd_VwVw(x_at.lift, y_at.lift));
    b.exponent = Q6_Vw_vsub_VwVw(b.exponent, x_at.lift);
    c.exponent = Q6_Vw_vsub_VwVw(c.exponent, y_at.lift);
  }
};

/// The same of one element.
OPKG_INLINE Numbers lifted(const Numbers& factor, const Middles& x) {
  Numbers found = factor;
  found.exponent = Q6_Vw_vsub_VwVw(factor.exponent, x.lift);
  return found;
}

/// As opkg::hvx::Words, with the limit of the row that asks for the farthest: elements are the same for all rows.
struct SharedWords {
  int32_t most, lifted, lift;
  Numbers factor;

  OPKG_INLINE SharedWords(const Slots& slots, const Numbers& by, std::initializer_list<Terms> terms, const Numbers& constant) : factor(by) {
    Numbers rest = Numbers(65536.0) + size_of(constant);
    for (const Terms& term : terms) rest = rest + size_of(term.factor) * Numbers(term.most);
    const HVX_Vector far = Q6_V_vsplat_R(INT32_MIN);
    const Numbers last = rest * inverse(size_of(by));
    const HVX_VectorPred beyond = Q6_Q_vcmp_gt_VwVw(last.size(), Q6_V_vsplat_R(29));
    const HVX_Vector whole = last.whole(Q6_V_vzero()), negative = Q6_V_vmux_QVV(beyond, far, from(-2, Q6_Vw_vadd_VwVw(whole, Q6_Vw_vasr_VwR(whole, 9))));
    const int32_t found = least(slots, negative);
    most = found == INT32_MIN ? INT32_MAX : -found;
    lift = __builtin_clz(static_cast<uint32_t>(most)) - 1;
    lifted = most << lift;
    factor.exponent = plus(by.exponent, -lift);
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_LINES_H_
