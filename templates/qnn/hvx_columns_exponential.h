// exp() of how far 16-bit elements are from the largest or smallest one of their column, in fixed point, and its sums.
#ifndef OPKG_HVX_COLUMNS_EXPONENTIAL_H_
#define OPKG_HVX_COLUMNS_EXPONENTIAL_H_

#include <cmath>

#include "opkg/hvx_columns.h"
#include "opkg/hvx_row_words.h"

namespace opkg::hvx {

/// exp(-factor * d) of distances d of 16 bits without sign, in units of 2^-30: within 2^-23 of itself and a unit.
class Exponential {
 public:
  /// False: the factor is no number, or below 0.
  OPKG_SMALL bool set(double factor) {
    constexpr double kLeast = 0x1p-40, kSteep = 31.5, kFarthest = 62.0;  // powers of two, of each step and in all
    double power = factor * 1.4426950408889634;
    if (!(power >= 0.0)) return false;
    if (power < kLeast) power = 0.0;
    if (power > kSteep) power = kSteep;
    const double most = power * 65535.0 < kFarthest ? 65535.0 : std::floor(kFarthest / power);
    most_ = both_halves(static_cast<int32_t>(most));
    int size_of_most = 0, size = -100;  // powers of two just above
    (void)std::frexp(most, &size_of_most);
    if (power != 0.0) (void)std::frexp(power, &size);
    left_ = 16 - size_of_most;
    point_ = 32 - size - size_of_most < 31 ? 32 - size - size_of_most : 31;
    const uint32_t multiplier = static_cast<uint32_t>(std::ldexp(power, point_ + 16 - left_));
    upper_ = both_halves(static_cast<int32_t>(multiplier >> 16));
    lower_ = both_halves(static_cast<int32_t>(multiplier & 0xffffu));
    return true;
  }

#if OPKG_HVX
  /// Words of distances at even places, then at odd ones.
  OPKG_INLINE HVX_VectorPair of(HVX_Vector distances) const {
    const HVX_Vector near = Q6_Vh_vasl_VhR(Q6_Vuh_vmin_VuhVuh(distances, Q6_V_vsplat_R(most_)), left_);
    const HVX_VectorPair high = Q6_Wuw_vmpy_VuhRuh(near, upper_), low = Q6_Wuw_vmpy_VuhRuh(near, lower_);
    return Q6_W_vcombine_VV(power_of(Q6_V_hi_W(high), Q6_V_hi_W(low)), power_of(Q6_V_lo_W(high), Q6_V_lo_W(low)));
  }

 private:
  /// 2^-x, x being high + low / 2^16 in units of 2^-point.
  OPKG_INLINE HVX_Vector power_of(HVX_Vector high, HVX_Vector low) const {
    constexpr int32_t kFactors[] = {-1014582, 9884650, -59375086, 257891464, -744257403, 1 << 30};  // of the fifth power first: within 2^-23.5
    const HVX_Vector x = Q6_Vw_vadd_VwVw(high, Q6_Vuw_vlsr_VuwR(low, 16));
    const HVX_Vector whole = Q6_Vw_vmin_VwVw(Q6_Vuw_vlsr_VuwR(x, point_), Q6_V_vsplat_R(31));
    const HVX_Vector rest = Q6_V_vand_VV(Q6_Vw_vasl_VwR(x, 31 - point_), Q6_V_vsplat_R(INT32_MAX));
    HVX_Vector found = Q6_V_vsplat_R(kFactors[0]);
    for (size_t i = 1; i < sizeof kFactors / sizeof *kFactors; ++i) found = Q6_Vw_vadd_VwVw(word::product31(found, rest), Q6_V_vsplat_R(kFactors[i]));
    return Q6_Vw_vasr_VwVw(found, whole);
  }
#endif

 private:
  int32_t most_ = 0;               ///< the farthest distance that counts, in both halves
  int32_t left_ = 0;               ///< distances are shifted up by as much
  int32_t upper_ = 0, lower_ = 0;  ///< halves of what they are multiplied with, in both halves each
  int32_t point_ = 0;              ///< fraction bits of the product without its lowest 16
};

#if OPKG_HVX

/// The exponentials of elements as their distances from extremes have them.
template <bool kLargest>
class DistanceExponential {
 public:
  OPKG_INLINE void set(const Exponential& values, HVX_Vector extremes) { values_ = values, extremes_ = extremes; }
  OPKG_INLINE HVX_VectorPair of(HVX_Vector x) const { return values_.of(kLargest ? Q6_Vh_vsub_VhVh(extremes_, x) : Q6_Vh_vsub_VhVh(x, extremes_)); }

 private:
  Exponential values_;
  HVX_Vector extremes_;
};

/// Sums of the low halves of exponentials, and beside them those of the high ones.
template <bool kLargest>
class ExponentialFound {
 public:
  static constexpr uint32_t kParts = 2;
  static constexpr size_t kLanes = 64, kBlock = kNoBlock;

  OPKG_INLINE void set(const Exponential& values, HVX_Vector extremes) { values_.set(values, extremes); }
  OPKG_INLINE void one(HVX_Vector a) { add(values_.of(a), Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero())); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { add(values_.of(a), values_.of(b)); }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void some(HVX_Vector a, size_t live) {
    const HVX_VectorPair x = values_.of(a);
    const HVX_VectorPred with = live < kBytes ? Q6_Q_vsetq_R(static_cast<int32_t>(live)) : Q6_Q_vsetq2_R(kBytes);
    const HVX_VectorPair lanes = Q6_Ww_vsxt_Vh(Q6_V_vand_QR(with, -1)), none = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
    add(Q6_W_vcombine_VV(Q6_V_vand_VV(Q6_V_hi_W(x), Q6_V_hi_W(lanes)), Q6_V_vand_VV(Q6_V_lo_W(x), Q6_V_lo_W(lanes))), none);
  }
  OPKG_INLINE void words(HVX_Vector (*to)[2]) const {
    interleave(Q6_V_lo_W(low_), Q6_V_hi_W(low_), to[0]);
    interleave(Q6_V_lo_W(high_), Q6_V_hi_W(high_), to[1]);
  }
  static void fold_all(uint32_t, int32_t* kept, const Fold& fold) { Found<Sum8<uint8_t>>::fold_all(0, kept, fold); }

 private:
  OPKG_INLINE void add(HVX_VectorPair x, HVX_VectorPair y) {
    const auto low = [](HVX_VectorPair v) OPKG_INLINE_LAMBDA { return Q6_Vh_vshuffe_VhVh(Q6_V_hi_W(v), Q6_V_lo_W(v)); };
    const auto high = [](HVX_VectorPair v) OPKG_INLINE_LAMBDA { return Q6_Vh_vshuffo_VhVh(Q6_V_hi_W(v), Q6_V_lo_W(v)); };
    low_ = Q6_Ww_vaddacc_WwVuhVuh(low_, low(x), low(y));
    high_ = Q6_Ww_vaddacc_WwVuhVuh(high_, high(x), high(y));
  }

  DistanceExponential<kLargest> values_;
  HVX_VectorPair low_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  HVX_VectorPair high_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
};

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_COLUMNS_EXPONENTIAL_H_
