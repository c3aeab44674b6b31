// Sums of 32-bit numbers in rows that are folded (opkg/hvx_folds.h): low halves and high ones together. C++17.
#ifndef OPKG_HVX_FOLD_WORDS_H_
#define OPKG_HVX_FOLD_WORDS_H_

#include "opkg/hvx_fold_lanes.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Sums of 32-bit numbers: their lowest 32 bits, and the sums of high halves.
struct FoldedWords {
  struct Lane {
    HVX_Vector all, top;

    /// Of `count` numbers, as SumLow and SumTop have them.
    OPKG_INLINE void halves(size_t count, HVX_Vector& low, HVX_Vector& high) const {
      low = Q6_Vw_vsub_VwVw(all, Q6_Vw_vasl_VwR(top, 16));
      high = Q6_Vw_vadd_VwVw(top, Q6_V_vsplat_R(static_cast<int32_t>(SumTop::kOffset * count)));
    }
  };
  using Joined = Lane;
  static constexpr bool kAdds = false;
  static constexpr size_t kLanes = 32;

  static OPKG_INLINE HVX_Vector neutral() { return Q6_V_vzero(); }
  static OPKG_INLINE Lane begin(HVX_Vector a) { return {a, Q6_Vw_vasr_VwR(a, 16)}; }
  static OPKG_INLINE Lane join(const Lane& a, const Lane& b) { return {Q6_Vw_vadd_VwVw(a.all, b.all), Q6_Vw_vadd_VwVw(a.top, b.top)}; }
  static OPKG_INLINE Lane fold(const Lane& a, const Lane& b) {
    const HVX_VectorPair all = Q6_W_vdeal_VVR(b.all, a.all, -4), top = Q6_W_vdeal_VVR(b.top, a.top, -4);
    return join({Q6_V_lo_W(all), Q6_V_lo_W(top)}, {Q6_V_hi_W(all), Q6_V_hi_W(top)});
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_FOLD_WORDS_H_
