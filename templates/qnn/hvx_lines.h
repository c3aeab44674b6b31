// Results of 32 rows as linear forms in fixed point: what opkg::hvx::Linear is for one row. C++17.
#ifndef OPKG_HVX_LINES_H_
#define OPKG_HVX_LINES_H_

#include <algorithm>

#include "opkg/hvx_numbers.h"
#include "opkg/hvx_units.h"

#if OPKG_HVX

namespace opkg::hvx {

/// One term of each row's form: factors in steps of the result, and the largest magnitude of the values.
struct Terms {
  Numbers factor;
  HVX_Vector most;
  int32_t lift = 0;      ///< by how many bits a loop may shift the values to the left
  bool rounded = false;  ///< the values are off by half a unit themselves

  OPKG_INLINE Terms(const Numbers& factors, HVX_Vector most_of, int32_t lifts = 0) : factor(factors), most(most_of), lift(lifts) {}
  OPKG_INLINE Terms(const Numbers& factors, int32_t most_of, int32_t lifts = 0) : Terms(factors, Q6_V_vsplat_R(most_of), lifts) {}
};

/// Terms of table entries.
OPKG_INLINE Terms entries(const Numbers& factors) {
  Terms found(factors, 65535);
  found.rounded = true;
  return found;
}

/// The least word of all rows.
OPKG_INLINE int32_t least(const Slots& slots, HVX_Vector v) {
  const HVX_VectorPred rows = Q6_Q_vsetq2_R(static_cast<int32_t>(4 * slots.rows()));
  return smallest<int32_t>(Q6_V_vmux_QVV(rows, v, Q6_V_vsplat_R(INT32_MAX)));
}

/// sum(factor[i] * (value[i] << lift[i])) + bias, in units of 2^-(shift + kFraction) steps of an 8-bit result. Shifts are the
/// same for all rows: the least that some row asks for.
template <uint32_t kTerms>
struct Lines {
  static constexpr int32_t kFraction = 7;

  HVX_Vector factor[kTerms];  ///< 16 bits in both halves of a word
  int32_t lift[kTerms];
  HVX_Vector bias;
  int32_t shift;        ///< of the 32-bit sum to 16-bit lanes
  HVX_VectorPred held;  ///< rows whose results are within 1 step of the correctly rounded ones

  /// `blur`: by how much of a step, in 1/256, the values themselves may be off.
  OPKG_INLINE Lines(const Slots& slots, const Terms (&terms)[kTerms], const Numbers& constant, int32_t blur) {
    HVX_Vector most_bits = Q6_V_vsplat_R(22), reach = constant.size();
    for (const Terms& term : terms) {
      const HVX_Vector size = term.factor.size();
      most_bits = Q6_Vw_vmin_VwVw(most_bits, from(15 + term.lift, size));
      reach = Q6_Vw_vmax_VwVw(reach, Q6_Vw_vsub_VwVw(plus(size, 32), Q6_Vuw_vcl0_Vuw(term.most)));
    }
    int32_t more = 30;
    for (uint32_t i = 0; (1u << i) < kTerms + 1; ++i) --more;
    const int32_t bits = std::max(least(slots, Q6_Vw_vmin_VwVw(most_bits, from(more, reach))), kFraction);
    const HVX_VectorPred fine = Q6_Q_vcmp_gt_VwVw(most_bits, Q6_V_vsplat_R(kFraction - 1));
    HVX_Vector span = Q6_V_vsplat_R(2);
    for (uint32_t i = 0; i < kTerms; ++i) {
      lift[i] = terms[i].lift == 0 ? 0 : std::max(bits - least(slots, from(15, terms[i].factor.size())), 0);
      const HVX_Vector by = at_least(at_most(terms[i].factor.whole(Q6_V_vsplat_R(bits - lift[i])), 0x7fff), -0x7fff);
      factor[i] = in_both_halves(by);
      span = Q6_Vw_vadd_VwVw(span, Q6_Vw_vasl_VwR(terms[i].most, lift[i]));
      if (terms[i].rounded) span = Q6_Vw_vadd_VwVw(span, Q6_Vw_vasl_VwR(Q6_Vw_vabs_Vw(by), lift[i]));
    }
    shift = bits - kFraction;
    // Half a unit of the 16-bit lanes makes up for their truncation.
    bias = plus(constant.whole(Q6_V_vsplat_R(bits)), shift > 0 ? 1 << (shift - 1) : 0);
    const int32_t most = ((228 - 2 * blur) << bits) >> 8;  // 0.45 steps, less half a unit of those lanes
    held = Q6_Q_and_QQ(fine, Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R(most), span));
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

  OPKG_INLINE WideLines(const Slots& slots, const Terms (&terms)[kTerms], const Numbers& constant, int32_t) {
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
    const HVX_Vector off = plus(span, 64 * static_cast<int32_t>(kTerms) + 32 + static_cast<int32_t>(kTerms));
    held = Q6_Q_and_QQ(Q6_Q_vcmp_gt_VwVw(most_bits, Q6_V_vzero()), Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R(60 << shift), off));
  }

  /// The 32 bits of the factors.
  OPKG_INLINE HVX_Vector whole(uint32_t i) const { return whole_[i]; }

 private:
  HVX_Vector whole_[kTerms];
};

/// As opkg::hvx::center: the stored numbers where factor * x + constant passes `level`, nearly.
OPKG_INLINE HVX_Vector centers(const Numbers& factor, const Numbers& constant, int32_t level, int32_t low, int32_t high) {
  const Numbers place = (Numbers(Q6_V_vsplat_R(level)) - constant) * inverse(factor);
  const HVX_Vector zero = Q6_V_vzero();
  const HVX_VectorPred far = Q6_Q_vcmp_gt_VwVw(place.size(), Q6_V_vsplat_R(29));
  const HVX_Vector end = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(zero, place.mantissa), Q6_V_vsplat_R(low), Q6_V_vsplat_R(high));
  return Q6_V_vmux_QVV(far, end, at_least(at_most(place.whole(zero), high), low));
}

/// As opkg::hvx::reach_of: how far from the centers results are not yet saturated, at most.
OPKG_INLINE HVX_Vector reaches_of(const Numbers& factor, int32_t most) {
  const HVX_Vector size = at_most(at_least(factor.size(), 0), 15);
  return at_most(plus(Q6_Vw_vasr_VwVw(Q6_V_vsplat_R(600), size), 2), most);
}

/// As opkg::hvx::Centered of bytes.
struct Centers {
  HVX_Vector x0, y0, x_most, y_most;
  Numbers b, c, d;

  OPKG_INLINE Centers(const Numbers& a, const Numbers& of_x, const Numbers& of_y, const Numbers& rest, int32_t x_low, int32_t y_low)
      : x0(centers(a, of_y, 0, x_low, x_low + 255)), y0(centers(a, of_x, 0, y_low, y_low + 255)), x_most(farthest(x0, x_low)), y_most(farthest(y0, y_low)) {
    const Numbers x = Numbers(x0), y = Numbers(y0);
    set(a, of_x, of_y, rest, x, y);
  }

  /// 16 bits.
  OPKG_INLINE Centers(const Numbers& a, const Numbers& of_x, const Numbers& of_y, const Numbers& rest, const Middle& at)
      : x0(Q6_V_vsplat_R(at.x0)), y0(Q6_V_vsplat_R(at.y0)), x_most(Q6_V_vzero()), y_most(Q6_V_vzero()) {
    set(a, of_x, of_y, rest, Numbers(x0), Numbers(y0));
  }

 private:
  OPKG_INLINE void set(const Numbers& a, const Numbers& of_x, const Numbers& of_y, const Numbers& rest, const Numbers& x, const Numbers& y) {
    b = of_x + a * y;
    c = of_y + a * x;
    d = rest + b * x + of_y * y;
  }

  static OPKG_INLINE HVX_Vector farthest(HVX_Vector at, int32_t low) {
    return Q6_Vw_vmax_VwVw(plus(at, -low), from(255 + low, at));
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_LINES_H_
