// Sums of quantized elements rounded to whole numbers, exactly: floor, ceil, trunc and round on any architecture.
//
// Scales are 24 bits times a power of two, so that a sum is a whole number of 2^-(28 + fraction): three words, two of which
// are 14 bits behind the point, each of which carries into the next one. Nothing is rounded before the sum is.
#ifndef OPKG_HVX_WHOLE_SUM_H_
#define OPKG_HVX_WHOLE_SUM_H_

#include <cmath>
#include <cstdint>

#include "opkg/hvx.h"
#include "opkg/hvx_fixed.h"
#include "opkg/hvx_fixed_decide.h"
#include "opkg/hvx_whole_result.h"
#include "opkg/small.h"

namespace opkg {
namespace fixed {

OPKG_SMALL_BEGIN

enum class Rounding : uint8_t { floor,
                                ceil,
                                trunc,
                                round };

/// The numbers of one call.
struct WholeSum {
  static constexpr int32_t kBits = 14;

  int32_t factor[kMostDecided][3];  ///< in both halves; word 0 is the lowest
  int32_t start[3];
  int32_t fraction;  ///< bits of the top word behind the point
  WholeResult result;

  /// False: not for the vector code, as bits of a scale or of the constant lie too low, or the sum is too large.
  bool fit(Rounding rounding, Terms terms, double constant, double step, int32_t y_zero, int32_t y_end) {
    double scales[kMostDecided] = {}, least = constant == 0.0 ? 1.0 : last_bit(std::fabs(constant));
    double low = 0.0, high = 0.0;
    size_t count = 0;
    for (const Term& term : terms) {
      if (!exact_scale(term, scales[count])) return false;
      least = smaller(least, last_bit(std::fabs(scales[count++])));
    }
    bounds(terms, constant, low, high);
    const double size = larger(std::fabs(low), std::fabs(high)) + 2.0;
    for (fraction = 1; std::ldexp(least, 2 * kBits + fraction) < 1.0 && fraction < 30;) ++fraction;
    const double unit = std::ldexp(1.0, -2 * kBits - fraction);
    if (!(least >= unit) || !(std::ldexp(size, fraction) < 0x1p30)) return false;
    auto first = static_cast<int64_t>(constant / unit);
    if (rounding == Rounding::round) first += int64_t{1} << (2 * kBits + fraction - 1);
    count = 0;
    for (const Term& term : terms) {
      if (!(std::fabs(scales[count] / unit) < 0x1p43)) return false;
      const auto whole = static_cast<int64_t>(scales[count] / unit);
      first += whole * static_cast<int64_t>(term.lanes.offset);
      if (!split(whole, factor[count], true)) return false;
      ++count;
    }
    split(first, start, false);
    return result.set(1.0, size, step, y_zero, y_end);
  }

 private:
  /// Words of -2^13 to 2^13 - 1; the last one has the rest. False: more than 16 bits.
  static bool split(int64_t number, int32_t (&words)[3], bool twice) {
    for (int32_t k = 0; k < 3; ++k) {
      const int64_t word = k == 2 ? number : ((number + (1 << (kBits - 1))) & ((1 << kBits) - 1)) - (1 << (kBits - 1));
      if (twice && (word < -32768 || word > 32767)) return false;
      words[k] = twice ? both_halves(static_cast<int32_t>(word)) : static_cast<int32_t>(word);
      number = (number - word) >> kBits;
    }
    return true;
  }
};

OPKG_SMALL_END

}  // namespace fixed

#if OPKG_HVX

namespace hvx {

/// Two vectors of elements each, as halves: bytes from 0 on, 16 bits less 32768. Results: halves less 32768 or, of bytes, as they are.
template <fixed::Rounding kRounding>
struct WholeSumOf {
  const fixed::WholeSum& of;

  template <typename... Pairs>
  OPKG_INLINE HVX_VectorPair operator()(Pairs... x) const {
    return Q6_W_vcombine_VV(sum(Q6_V_hi_W(x)...), sum(Q6_V_lo_W(x)...));
  }

 private:
  template <typename... Vectors>
  OPKG_INLINE HVX_Vector sum(Vectors... x) const {
    const HVX_VectorPair low = word(0, x...), middle = word(1, x...), top = word(2, x...);
    const HVX_Vector even = rounded(Q6_V_lo_W(low), Q6_V_lo_W(middle), Q6_V_lo_W(top));
    return result_of(of.result, even, rounded(Q6_V_hi_W(low), Q6_V_hi_W(middle), Q6_V_hi_W(top)));
  }
  template <typename... Vectors>
  OPKG_INLINE HVX_VectorPair word(size_t k, Vectors... x) const {
    const HVX_Vector start = Q6_V_vsplat_R(of.start[k]);
    HVX_VectorPair found = Q6_W_vcombine_VV(start, start);
    size_t term = 0;
    ((found = Q6_Ww_vmpyacc_WwVhRh(found, x, of.factor[term++][k])), ...);
    return found;
  }
  /// The whole number of three words, as steps.
  OPKG_INLINE HVX_Vector rounded(HVX_Vector low, HVX_Vector middle, HVX_Vector top) const {
    middle = Q6_Vw_vasracc_VwVwR(middle, low, fixed::WholeSum::kBits);
    top = Q6_Vw_vasracc_VwVwR(top, middle, fixed::WholeSum::kBits);
    const HVX_Vector whole = Q6_Vw_vasr_VwR(top, of.fraction);
    if constexpr (kRounding == fixed::Rounding::floor) return steps_of(of.result, whole);
    const HVX_Vector rest = Q6_V_vand_VV(Q6_V_vor_VV(low, middle), Q6_V_vsplat_R((1 << fixed::WholeSum::kBits) - 1));
    const HVX_Vector behind = Q6_V_vor_VV(rest, Q6_V_vand_VV(top, Q6_V_vsplat_R((1 << of.fraction) - 1)));
    const HVX_Vector one = Q6_V_vsplat_R(1), some = Q6_Vw_vmin_VwVw(behind, one);  // 1 where anything is behind the point
    if constexpr (kRounding == fixed::Rounding::ceil) return steps_of(of.result, Q6_Vw_vadd_VwVw(whole, some));
    if constexpr (kRounding == fixed::Rounding::trunc) {
      return steps_of(of.result, Q6_Vw_vadd_VwVw(whole, Q6_V_vand_VV(some, Q6_Vw_vasr_VwR(whole, 31))));
    }
    const HVX_Vector tie = Q6_V_vand_VV(Q6_Vw_vsub_VwVw(one, some), whole);  // of odd numbers 1
    return steps_of(of.result, Q6_Vw_vsub_VwVw(whole, Q6_V_vand_VV(tie, one)));
  }
};

}  // namespace hvx

#endif  // OPKG_HVX
}  // namespace opkg

#endif  // OPKG_HVX_WHOLE_SUM_H_
