// Results of columns that are lines of one number, in fixed point.
#ifndef OPKG_HVX_COLUMN_LINE_H_
#define OPKG_HVX_COLUMN_LINE_H_

#include <algorithm>

#include "opkg/hvx_rows.h"

namespace opkg::hvx {

/// factor * number + constant in whole steps, for numbers of columns: within 2^-4 steps before it is rounded.
///
/// Numbers have 32 bits; those without sign that 16 bits hold can become results of 8 bits by fewer instructions.
struct ColumnLine {
  bool is_line = false;   ///< otherwise results span too many steps, or numbers too many bits
  bool is_short = false;  ///< whether of_shorts() may be used
  int32_t lift = 0;       ///< of the numbers, to fill 32 bits
  int32_t factor = 0;
  int32_t bias = 0;
  int32_t shift = 0;  ///< bits behind the point
  int32_t short_lift = 0;
  int32_t short_factor = 0;  ///< in both halves
  int32_t short_bias = 0;    ///< in both halves
  int32_t short_shift = 0;   ///< bits behind the point of 16-bit lanes

  ColumnLine() = default;

  /// Numbers of low to high become `at_low` to `at_high` steps. `held`: whether 16 bits hold `number - low` all the way.
  ColumnLine(int64_t low, int64_t high, double at_low, double at_high, bool held) {
    if (low < -INT32_MAX || high > INT32_MAX) return;
    const double slope = (at_high - at_low) / static_cast<double>(high - low);
    const double constant = at_low - slope * static_cast<double>(low);
    int32_t reach = exponent(constant);
    for (const double end : {at_low, at_high}) reach = std::max(reach, exponent(end));
    if (reach > 25) return;
    is_line = true;
    const int64_t most = std::max(-low, high);
    while ((most << (lift + 1)) <= INT32_MAX) ++lift;
    shift = reach < 14 ? 15 : 29 - reach;
    factor = static_cast<int32_t>(scaled(slope, shift + 31 - lift, 0x7fffffff));
    bias = static_cast<int32_t>(scaled(constant, shift, 0x3fffffff)) + (1 << (shift - 1));
    reach = std::max(reach, exponent(at_high - at_low));
    if (!held || high - low > 0xffff || reach > 11) return;
    while (((high - low) << (short_lift + 1)) <= 0xffff) ++short_lift;
    short_shift = reach < 9 ? 6 : 15 - reach;
    const int64_t by = scaled(slope, 16 + short_shift - short_lift, 0xfffff);
    is_short = by >= 1 << 11 && by <= 0xffff;
    short_factor = both_halves(static_cast<int32_t>(by));
    short_bias = both_halves(static_cast<int32_t>((scaled(at_low, short_shift + 1, 0xffff) + 1) >> 1));
  }

#if OPKG_HVX
  OPKG_INLINE HVX_Vector of_words(HVX_Vector number) const {
    const HVX_Vector by = Q6_V_vsplat_R(factor), a = Q6_Vw_vasl_VwR(number, lift);
    const HVX_Vector product = Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(Q6_Vw_vmpye_VwVuh(a, by), a, by);
    return Q6_Vw_vasr_VwR(Q6_Vw_vadd_VwVw_sat(product, Q6_V_vsplat_R(bias)), shift);
  }

  /// Of `number - low` in lanes at even places and at odd places, to 8-bit results in the order of memory.
  template <typename T>
  OPKG_INLINE HVX_Vector of_shorts(HVX_VectorPair numbers) const {
    const HVX_Vector even = half(Q6_V_lo_W(numbers)), odd = half(Q6_V_hi_W(numbers));
    return std::is_signed_v<T> ? Q6_Vb_vasr_VhVhR_rnd_sat(odd, even, short_shift)
                               : Q6_Vub_vasr_VhVhR_rnd_sat(odd, even, short_shift);
  }

 private:
  OPKG_INLINE HVX_Vector half(HVX_Vector numbers) const {
    const HVX_VectorPair product = Q6_Wuw_vmpy_VuhRuh(Q6_Vh_vasl_VhR(numbers, short_lift), short_factor);
    const HVX_Vector high = Q6_Vh_vshuffo_VhVh(Q6_V_hi_W(product), Q6_V_lo_W(product));
    return Q6_Vh_vadd_VhVh_sat(high, Q6_V_vsplat_R(short_bias));
  }
#endif
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX_COLUMN_LINE_H_
