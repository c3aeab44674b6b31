// Whole numbers, or others in words, as quantized results.
#ifndef OPKG_HVX_WHOLE_RESULT_H_
#define OPKG_HVX_WHOLE_RESULT_H_

#include <cmath>
#include <cstdint>

#include "opkg/hvx.h"
#include "opkg/hvx_fixed.h"
#include "opkg/small.h"

namespace opkg {
namespace fixed {

OPKG_SMALL_BEGIN

/// Words times a number, in steps of 2^-kBits of a result.
struct WholeResult {
  static constexpr int32_t kBits = 11;

  int32_t least, most;  ///< words beyond these are saturated
  int32_t up;           ///< makes words as large as they may be
  int32_t multiplier;   ///< of 31 bits: from there to steps
  int32_t start;        ///< the zero point; of 16 bits less 32768

  /// Words of `unit`, whose numbers are at most `range`. zero: from the least result on; end: the greatest one. False: words
  /// do not hold them.
  bool set(double unit, double range, double step, int32_t zero, int32_t end, bool negative = false) {
    const double reach = 0x1p17 * step;  // beyond it results are saturated
    const double size = std::floor(smaller(range, reach) / unit) + 1.0;
    if (!(size < 0x1p30)) return false;
    most = static_cast<int32_t>(size);
    least = -most;
    for (up = 0; std::ldexp(size, up + 1) < 0x1p30;) ++up;
    const double wanted = std::ldexp(unit / step, kBits + 31 - up);
    if (!(wanted < 0x1p31 - 1.0)) return false;
    multiplier = static_cast<int32_t>(std::nearbyint(wanted)) * (negative ? -1 : 1);
    start = (zero - (end == 255 ? 0 : 32768)) * (1 << kBits);
    return true;
  }
};

OPKG_SMALL_END

}  // namespace fixed

#if OPKG_HVX

namespace hvx {

/// A word as steps of 2^-kBits from the zero point.
OPKG_INLINE HVX_Vector steps_of(const fixed::WholeResult& to, HVX_Vector word) {
  const HVX_Vector limited = Q6_Vw_vmax_VwVw(Q6_Vw_vmin_VwVw(word, Q6_V_vsplat_R(to.most)), Q6_V_vsplat_R(to.least));
  const HVX_Vector large = Q6_Vw_vasl_VwR(limited, to.up), fraction = Q6_V_vsplat_R(to.multiplier);
  return Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(Q6_Vw_vmpye_VwVuh(large, fraction), large, fraction);
}
/// Such steps of even and of odd elements as results: halves less 32768 or, of bytes, as they are.
OPKG_INLINE HVX_Vector result_of(const fixed::WholeResult& to, HVX_Vector even, HVX_Vector odd) {
  const HVX_Vector start = Q6_V_vsplat_R(to.start);
  return Q6_Vh_vasr_VwVwR_rnd_sat(Q6_Vw_vadd_VwVw(odd, start), Q6_Vw_vadd_VwVw(even, start), fixed::WholeResult::kBits);
}

}  // namespace hvx

#endif  // OPKG_HVX
}  // namespace opkg

#endif  // OPKG_HVX_WHOLE_RESULT_H_
