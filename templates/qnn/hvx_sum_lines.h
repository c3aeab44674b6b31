// 32 rows of sums of several tensors: their squares, and such a sum times one more element. C++17.
#ifndef OPKG_HVX_SUM_LINES_H_
#define OPKG_HVX_SUM_LINES_H_

#include "opkg/hvx_lines.h"
#include "opkg/hvx_weighted.h"

#if OPKG_HVX

namespace opkg::hvx {

/// The sum of terms that may cancel. `lost`: by how many bits at most it is smaller than the largest term, and `more`.
OPKG_INLINE Numbers whole_sum_of(std::initializer_list<Numbers> terms, int32_t more, HVX_Vector& lost) {
  Numbers found = *terms.begin();
  HVX_Vector largest = found.exponent;
  for (const Numbers* term = terms.begin() + 1; term != terms.end(); ++term) {
    largest = Q6_Vw_vmax_VwVw(largest, term->exponent);
    found = found + *term;
  }
  lost = Q6_Vw_vmax_VwVw(lost, plus(Q6_Vw_vsub_VwVw(largest, found.exponent), more));
  return found;
}

/// The sum of products of numbers less their zero points, from those of bytes and the sums of bytes; n up to 32767.
OPKG_INLINE HVX_Vector products_less_zeros(HVX_Vector products, HVX_Vector x, int64_t x_zero, HVX_Vector y, int64_t y_zero, size_t n) {
  const int32_t zero = static_cast<int32_t>(x_zero);
  const HVX_Vector rest = from(zero * static_cast<int32_t>(n), x);
  products = Q6_Vw_vadd_VwVw(products, times_upper(rest, Q6_V_vsplat_R(static_cast<int32_t>(y_zero) << 16)));
  return Q6_Vw_vsub_VwVw(products, times_upper(y, Q6_V_vsplat_R(zero << 16)));
}

/// high * 2^16 + low, and a product of 32 bits and 16 without sign.
OPKG_INLINE void add_product(HVX_Vector by, int32_t zero, HVX_Vector& high, HVX_Vector& low) {
  const HVX_Vector every = Q6_V_vsplat_R(zero), bits = Q6_V_vsplat_R(0xffff);
  const HVX_Vector lower = Q6_V_lo_W(Q6_Wuw_vmpy_VuhVuh(Q6_V_vand_VV(by, bits), every));
  high = Q6_Vw_vadd_VwVw(high, times_upper(every, Q6_V_vxor_VV(by, Q6_V_vand_VV(by, bits))));
  high = Q6_Vw_vadd_VwVw(high, Q6_Vuw_vlsr_VuwR(lower, 16));
  low = Q6_Vw_vadd_VwVw(low, Q6_V_vand_VV(lower, bits));
}

/// The same of 16 bits without sign, n up to 8191: products are high * 2^16 + low, `x` and `y` sums of the numbers less 32768.
OPKG_INLINE Numbers products_less_zeros(HVX_Vector high, HVX_Vector low, HVX_Vector x, int64_t x_zero, HVX_Vector y, int64_t y_zero, size_t n) {
  const int32_t at = static_cast<int32_t>(x_zero), count = static_cast<int32_t>(n);
  add_product(from((at - 32768) * count, x), static_cast<int32_t>(y_zero), high, low);
  add_product(from(-32768 * count, y), at, high, low);
  return Numbers(high, Q6_V_vsplat_R(16)) + Numbers(low);
}

/// As opkg::hvx::largest of one row.
template <uint32_t kTerms>
OPKG_INLINE Numbers largest(const Terms (&terms)[kTerms], const Numbers& constant) {
  Numbers sum = size_of(constant);
  for (const Terms& term : terms) sum = sum + size_of(term.factor) * Numbers(term.most);
  return sum;
}

/// As opkg::hvx::Weighted.
template <uint32_t kInner, uint32_t kTerms>
struct WeightedLines {
  HVX_Vector factor[kInner + kTerms];  ///< the upper 16 bits, in both halves of a word
  HVX_Vector low[kInner + kTerms];     ///< the lower ones
  HVX_Vector start, bias;
  int32_t zero, shift;
  HVX_VectorPred held;  ///< as in Lines

  OPKG_INLINE WeightedLines(const Slots& slots, const Terms (&inner)[kInner], const Numbers& at_start, const Weight& weight,
                            std::initializer_list<Terms> terms, const Numbers& constant, int32_t blur) {
    const Numbers most = largest(inner, at_start);
    Numbers reach = most * Numbers(static_cast<double>(weight.most())) + size_of(constant);
    HVX_Vector bits = Q6_Vw_vmin_VwVw(Q6_V_vsplat_R(12), from(13 + weight.lift, most.size()));
    for (const Terms& term : inner) bits = Q6_Vw_vmin_VwVw(bits, from(weight.lift - 2, term.factor.size()));
    for (const Terms& term : terms) {
      reach = reach + size_of(term.factor) * Numbers(term.most);
      bits = Q6_Vw_vmin_VwVw(bits, from(14 + term.lift, term.factor.size()));
    }
    bits = Q6_Vw_vmin_VwVw(bits, from(29, reach.size()));
    shift = std::max(least(slots, bits), 1);
    const int32_t inside = shift + 16 - weight.lift;
    // In 1/64 of a unit: as of one row, and 2^-25 of the farthest result.
    HVX_Vector off = Q6_Vw_vasl_VwVw(Q6_V_vsplat_R(1), at_most(at_least(plus(reach.size(), shift - 19), 0), 30));
    for (uint32_t i = 0; i < kInner; ++i) off = Q6_Vw_vadd_VwVw(off, set(i, inner[i], inside));
    for (uint32_t i = 0; i < kTerms; ++i) off = Q6_Vw_vadd_VwVw(off, set(kInner + i, terms.begin()[i], shift));
    start = at_start.whole(Q6_V_vsplat_R(inside));
    bias = constant.whole(Q6_V_vsplat_R(shift));
    zero = static_cast<int32_t>(weight.zero);
    const HVX_Vector room = Q6_V_vsplat_R(weight.zero < 0 || weight.zero > 65535 ? 0 : ((60 - blur / 4) << shift) - 128);
    held = Q6_Q_and_QQ(Q6_Q_vcmp_gt_VwVw(bits, Q6_V_vzero()), Q6_Q_vcmp_gt_VwVw(room, off));
  }

  /// The 32 bits of the factors.
  OPKG_INLINE HVX_Vector whole(uint32_t i) const { return whole_[i]; }

 private:
  HVX_Vector whole_[kInner + kTerms];

  /// Half a unit of 2^-16 for a rounded factor, a unit for the sum of the low halves that is cut off.
  OPKG_INLINE HVX_Vector set(uint32_t i, const Terms& term, int32_t bits) {
    whole_[i] = term.factor.whole(Q6_V_vsplat_R(bits + 16 + term.lift));
    factor[i] = Q6_Vh_vshuffo_VhVh(whole_[i], whole_[i]);
    low[i] = in_both_halves(whole_[i]);
    return plus(Q6_Vw_vasr_VwR(term.most, 11 + term.lift), 65);
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_SUM_LINES_H_
