// exp() of how far 16-bit elements are from the largest or smallest one of their row or column, in fixed point. C++17.
#ifndef OPKG_HVX_EXPONENTIAL_H_
#define OPKG_HVX_EXPONENTIAL_H_

#include <cmath>
#include <cstdint>

#include "opkg/hvx_row_words.h"
#include "opkg/hvx_rows.h"
#include "opkg/small.h"

namespace opkg::hvx {

/// Halves without sign, limited to some number, times a number of the call that is not below 0: words in units of 2^-point.
class Multiple {
 public:
  Multiple() = default;
  /// `most`: up to 65535; most * value * 2^point has 31 bits.
  OPKG_SMALL Multiple(double value, double most, int point) {
    int size = 0;  // the power of two just above `most`
    (void)std::frexp(most, &size);
    most_ = both_halves(static_cast<int32_t>(most));
    left_ = 16 - size;
    const uint32_t multiplier = static_cast<uint32_t>(std::ldexp(value, point + 16 - left_));
    upper_ = both_halves(static_cast<int32_t>(multiplier >> 16));
    lower_ = both_halves(static_cast<int32_t>(multiplier & 0xffffu));
  }

#if OPKG_HVX
  /// Of halves at even places, then of those at odd ones.
  OPKG_INLINE HVX_VectorPair of(HVX_Vector halves) const {
    const HVX_Vector near = Q6_Vh_vasl_VhR(Q6_Vuh_vmin_VuhVuh(halves, Q6_V_vsplat_R(most_)), left_);
    const HVX_VectorPair high = Q6_Wuw_vmpy_VuhRuh(near, upper_), low = Q6_Wuw_vmpy_VuhRuh(near, lower_);
    return Q6_W_vcombine_VV(sum(Q6_V_hi_W(high), Q6_V_hi_W(low)), sum(Q6_V_lo_W(high), Q6_V_lo_W(low)));
  }

 private:
  static OPKG_INLINE HVX_Vector sum(HVX_Vector high, HVX_Vector low) { return Q6_Vw_vadd_VwVw(high, Q6_Vuw_vlsr_VuwR(low, 16)); }
#endif

 private:
  int32_t most_ = 0;               ///< the largest half that counts, in both halves
  int32_t left_ = 0;               ///< halves are shifted up by as much
  int32_t upper_ = 0, lower_ = 0;  ///< halves of what they are multiplied with, in both halves each
};

#if OPKG_HVX
/// 2^-x in units of 2^-30, x being words in units of 2^-point: within 2^-23 of itself and a unit.
OPKG_INLINE HVX_Vector power_of(HVX_Vector x, int32_t point) {
  constexpr int32_t kFactors[] = {-1014582, 9884650, -59375086, 257891464, -744257403, 1 << 30};  // of the fifth power first: within 2^-23.5
  const HVX_Vector whole = Q6_Vw_vmin_VwVw(Q6_Vuw_vlsr_VuwR(x, point), Q6_V_vsplat_R(31));
  const HVX_Vector rest = Q6_V_vand_VV(Q6_Vw_vasl_VwR(x, 31 - point), Q6_V_vsplat_R(INT32_MAX));
  HVX_Vector found = Q6_V_vsplat_R(kFactors[0]);
  for (size_t i = 1; i < sizeof kFactors / sizeof *kFactors; ++i) found = Q6_Vw_vadd_VwVw(word::product31(found, rest), Q6_V_vsplat_R(kFactors[i]));
  return Q6_Vw_vasr_VwVw(found, whole);
}
OPKG_INLINE HVX_VectorPair power_of(HVX_VectorPair x, int32_t point) {
  return Q6_W_vcombine_VV(power_of(Q6_V_hi_W(x), point), power_of(Q6_V_lo_W(x), point));
}
#endif

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
    int size_of_most = 0, size = -100;  // powers of two just above
    (void)std::frexp(most, &size_of_most);
    if (power != 0.0) (void)std::frexp(power, &size);
    point_ = 32 - size - size_of_most < 31 ? 32 - size - size_of_most : 31;
    powers_ = Multiple(power, most, point_);
    return true;
  }

#if OPKG_HVX
  /// Words of distances at even places, then at odd ones.
  OPKG_INLINE HVX_VectorPair of(HVX_Vector distances) const { return power_of(powers_.of(distances), point_); }
#endif

 private:
  Multiple powers_;
  int32_t point_ = 0;  ///< fraction bits of these
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX_EXPONENTIAL_H_
