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
class Constant {
 public:
  OPKG_INLINE Constant(const Numbers& number) : sum_(number) {}
  OPKG_INLINE Constant(const Numbers& a, const Numbers& b) : sum_(a + b) {}
  OPKG_INLINE const Numbers& sum() const { return sum_; }
  OPKG_INLINE HVX_Vector size() const { return sum_.size(); }
  OPKG_INLINE HVX_Vector whole(HVX_Vector bits) const { return sum_.whole(bits); }

 private:
  Numbers sum_;
};
/// Of one row those are added up when they are whole numbers: sums of Numbers take a dozen packets, one after another.
class ConstantOfRow {
 public:
  OPKG_INLINE ConstantOfRow(const NumbersOf<int32_t>& a) : ConstantOfRow(a, NumbersOf<int32_t>(Number())) {}
  OPKG_INLINE ConstantOfRow(const NumbersOf<int32_t>& a, const NumbersOf<int32_t>& b) : parts_{a, b, NumbersOf<int32_t>(Number())} {}
  OPKG_INLINE ConstantOfRow(const ConstantOfRow& two, const NumbersOf<int32_t>& more) : parts_{two.parts_[0], two.parts_[1], more} {}
  OPKG_INLINE int32_t size() const { return std::max(std::max(parts_[0].size(), parts_[1].size()) + 1, parts_[2].size()) + 1; }
  OPKG_INLINE int32_t whole(int32_t bits) const { return word::add(word::add(whole_of(parts_[0], bits), whole_of(parts_[1], bits)), whole_of(parts_[2], bits)); }

 private:
  NumbersOf<int32_t> parts_[3];
};

/// The smallest e with |x| < 2^e.
OPKG_INLINE int32_t size_of_whole(int32_t x) { return 32 - word::zeros(word::size(x)); }

/// sum(factor[i] * (value[i] << lift of term i)) + bias, in units of 2^-(shift + kFraction) steps of an 8-bit result. Shifts
/// are the same for all rows: the least that some row asks for.
template <uint32_t kTerms>
struct Lines {
  static constexpr int32_t kFraction = 7;

  HVX_Vector factor[kTerms];  ///< 16 bits in both halves of a word
  HVX_Vector bias;
  int32_t shift;        ///< of the 32-bit sum to 16-bit lanes
  HVX_VectorPred held;  ///< rows whose results are within 1 step of the correctly rounded ones

  /// `blur`: by how much of a step, in 1/256, the values themselves may be off.
  OPKG_INLINE Lines(const Slots& slots, const Terms (&terms)[kTerms], const Constant& constant, int32_t blur) {
    HVX_Vector most_bits = Q6_V_vsplat_R(22), reach = constant.size();
    for (const Terms& term : terms) {
      const HVX_Vector size = term.factor.size();
      most_bits = word::smallest(most_bits, from(15 + term.lift, size));
      reach = word::largest(reach, word::sub(plus(size, 32), word::zeros(term.most)));
    }
    int32_t more = 30;
    for (uint32_t i = 0; (1u << i) < kTerms + 1; ++i) --more;
    const int32_t bits = std::max(least(slots, word::smallest(most_bits, from(more, reach))), kFraction);
    const HVX_VectorPred fine = word::more(most_bits, Q6_V_vsplat_R(kFraction - 1));
    HVX_Vector span = Q6_V_vsplat_R(2);
    for (uint32_t i = 0; i < kTerms; ++i) {
      const HVX_Vector by = at_least(at_most(terms[i].factor.whole(Q6_V_vsplat_R(bits - terms[i].lift)), 0x7fff), -0x7fff);
      factor[i] = in_both_halves(by);
      span = word::add(span, word::left(terms[i].most, terms[i].lift));
      if (terms[i].rounded) span = word::add(span, word::size(by));
    }
    shift = bits - kFraction;
    // Half a unit of the 16-bit lanes makes up for their truncation.
    bias = plus(constant.whole(Q6_V_vsplat_R(bits)), shift > 0 ? 1 << (shift - 1) : 0);
    const int32_t most = ((228 - 2 * blur) << bits) >> 8;  // 0.45 steps, less half a unit of those lanes
    held = word::both(fine, word::more(Q6_V_vsplat_R(most), span));
  }
};

/// The same of one row.
template <uint32_t kTerms>
struct LineOfRow {
  static constexpr int32_t kFraction = 7;

  int32_t factor[kTerms];  ///< 16 bits
  int32_t bias, shift;
  Margin held;

  LineOfRow() = default;
  /// Made in double.
  OPKG_INLINE explicit LineOfRow(const Linear<kTerms>& row) : bias(row.bias), shift(row.shift) {
    for (uint32_t i = 0; i < kTerms; ++i) factor[i] = row.factor[i];
  }

  OPKG_INLINE LineOfRow(const RowCount&, const TermsOf<int32_t> (&terms)[kTerms], const ConstantOfRow& constant, int32_t blur) {
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
template <typename Word, uint32_t kTerms>
using LinesOf = std::conditional_t<std::is_same_v<Word, int32_t>, LineOfRow<kTerms>, Lines<kTerms>>;

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

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_LINES_H_
