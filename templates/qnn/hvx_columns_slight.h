// Rows of joined columns that one vector holds: what is found of them is folded in registers, to a word for each column. C++17.
#ifndef OPKG_HVX_COLUMNS_SLIGHT_H_
#define OPKG_HVX_COLUMNS_SLIGHT_H_

#include "opkg/columns_fold.h"
#include "opkg/hvx_columns_parts.h"

#if OPKG_HVX

namespace opkg::hvx {

using columns::LaneFold;

/// The numbers of two vectors in up to four steps. What is no number is zero.
struct Quarters {
  HVX_Vector first, second, third, fourth;

  OPKG_INLINE Quarters(HVX_Vector low, HVX_Vector high, const LaneFold& fold) : first(low) {
    const HVX_Vector none = Q6_V_vzero(), live = Q6_V_vand_QV(Q6_Q_vsetq2_R(fold.live), high);
    second = Q6_V_vlalign_VVR(live, low, fold.second);
    third = Q6_V_vlalign_VVR(none, live, fold.third);
    fourth = Q6_V_vlalign_VVR(none, live, fold.fourth);
  }
};

/// Adds up words of a step, of which several stand side by side for each column.
OPKG_INLINE HVX_Vector fold_halves(HVX_Vector low, HVX_Vector high, const LaneFold& fold) {
  if (fold.halvings == 0) return low;
  HVX_Vector words = Q6_Vw_vadd_VwVw(low, Q6_V_vlalign_VVR(high, low, fold.half));
  uint32_t by = fold.by;
  OPKG_UNROLL(1)
  for (uint32_t i = fold.halvings - 1; i != 0; --i) {
    by /= 2;
    words = Q6_Vw_vadd_VwVw(words, Q6_V_vror_VR(words, static_cast<int32_t>(by)));
  }
  return words;
}

/// Sums of bytes of up to kBlock rows, of up to 64 columns.
template <typename T>
OPKG_INLINE void fold_slight(const Sum8<T>& sums, const LaneFold& fold, HVX_Vector (&to)[2]) {
  const HVX_VectorPair all = Q6_W_vshuff_VVR(Q6_V_hi_W(sums.shorts()), Q6_V_lo_W(sums.shorts()), -2);
  const Quarters of(Q6_V_lo_W(all), Q6_V_hi_W(all), fold);
  const HVX_VectorPair words = Q6_Ww_vaddacc_WwVuhVuh(Q6_Ww_vadd_VuhVuh(of.first, of.second), of.third, of.fourth);
  interleave(Q6_V_lo_W(words), Q6_V_hi_W(words), to);
  to[0] = fold_halves(to[0], to[1], fold);
}

/// Sums of 16 bits, of up to 32 columns.
template <typename T, typename Function>
OPKG_INLINE void fold_slight(const Sum16<T, Function>& sums, const LaneFold& fold, HVX_Vector (&to)[2]) {
  sums.words(to);
  const Quarters of(to[0], to[1], fold);
  const HVX_Vector words = Q6_Vw_vadd_VwVw(Q6_Vw_vadd_VwVw(of.first, of.second), Q6_Vw_vadd_VwVw(of.third, of.fourth));
  to[0] = fold_halves(words, words, fold);
}

/// Extremes, of up to half a vector of columns.
template <typename T, bool kLargest>
OPKG_INLINE void fold_slight(const Extreme<T, kLargest>& extremes, const LaneFold& fold, HVX_Vector (&to)[2]) {
  const HVX_Vector none = extremes.neutral();
  HVX_Vector all = Q6_V_vmux_QVV(Q6_Q_vsetq2_R(fold.all), extremes.lanes(), none);
  OPKG_STAGED
  for (size_t left = fold.pieces, some; left > 1; left = some) {
    some = (left + 1) / 2;
    all = extremes.join(all, Q6_V_vlalign_VVR(none, all, static_cast<int32_t>(kBytes - some * fold.width * sizeof(T))));
  }
  HVX_Vector words[4 / sizeof(T)];
  widened<T>(all, words);
  to[0] = words[0];
  to[1] = words[sizeof(T) == 4 ? 0 : 1];
}

/// Whether what is found of columns is folded so.
template <typename Found, typename = void>
struct IsSlight : std::false_type {};
template <typename Found>
struct IsSlight<Found, decltype(fold_slight(Found(), LaneFold(), *static_cast<HVX_Vector (*)[2]>(nullptr)))> : std::bool_constant<Found::kParts == 1> {};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_COLUMNS_SLIGHT_H_
