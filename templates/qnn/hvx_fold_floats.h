// Extremes of floats in rows that are folded (opkg/hvx_folds.h): elements become whole numbers in the same order.
#ifndef OPKG_HVX_FOLD_FLOATS_H_
#define OPKG_HVX_FOLD_FLOATS_H_

#include <type_traits>

#include "opkg/hvx_columns_parts.h"

#if OPKG_HVX

namespace opkg::hvx {

/// The largest or the smallest of floats, NaN where one is. `kSize`: bytes of an element, 2 or 4.
template <uint32_t kSize, bool kLargestOfAll>
struct ExtremeOfFloats {
  using Whole = std::conditional_t<kSize == 2, int16_t, int32_t>;

  static constexpr bool kAdds = false, kLargestOne = kLargestOfAll, kShort = false;
  static constexpr size_t kLanes = kBytes / kSize, kBlock = kNoBlock, kHeld = SIZE_MAX;
  static constexpr int32_t kLow = std::numeric_limits<Whole>::min(), kHigh = std::numeric_limits<Whole>::max(), kOffset = 0;

  /// The element that changes nothing.
  static OPKG_INLINE HVX_Vector neutral() { return splat(kLargestOfAll ? kTop | kInfinity : kInfinity); }

  static OPKG_INLINE HVX_Vector begin(HVX_Vector a) {
    const HVX_Vector size = Q6_V_vand_VV(a, splat(kTop - 1)), above = splat(kInfinity);
    const HVX_VectorPred none = kSize == 2 ? Q6_Q_vcmp_gt_VhVh(size, above) : Q6_Q_vcmp_gt_VwVw(size, above);
    return Q6_V_vmux_QVV(none, splat(kLargestOfAll ? kTop - 1 : kTop), ordered(a));
  }
  static OPKG_INLINE HVX_Vector join(HVX_Vector a, HVX_Vector b) {
    return kLargestOfAll ? larger(Whole{}, a, b) : smaller(Whole{}, a, b);
  }
  /// The floats that numbers stand for.
  static OPKG_INLINE HVX_Vector floats(HVX_Vector numbers) { return ordered(numbers); }

 private:
  static constexpr uint32_t kTop = kSize == 2 ? 0x8000 : 0x80000000, kInfinity = kSize == 2 ? 0x7c00 : 0x7f800000;

  static OPKG_INLINE HVX_Vector splat(uint32_t bits) { return Q6_V_vsplat_R(static_cast<int32_t>(kSize == 2 ? bits * 0x10001 : bits)); }

  /// What is below zero the other way round: floats as whole numbers, and back.
  static OPKG_INLINE HVX_Vector ordered(HVX_Vector a) {
    const HVX_Vector below = kSize == 2 ? Q6_Vh_vasr_VhR(a, 15) : Q6_Vw_vasr_VwR(a, 31);
    return Q6_V_vxor_VV(a, Q6_V_vand_VV(below, splat(kTop - 1)));
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_FOLD_FLOATS_H_
