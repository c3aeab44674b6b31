// What softmax of some rows at a time reads: halves of the elements, and which of them are chosen.
#ifndef OPKG_HVX_SOFT_IN_H_
#define OPKG_HVX_SOFT_IN_H_

#include "opkg/hvx_slot_operands.h"

namespace opkg::hvx {

#if OPKG_HVX

/// Halves of vectors of a step: one of 16 bits; where the step has as many elements as a vector has bytes, those at even and at
/// odd places.
template <bool kOne, typename T, uint32_t kHalves>
class HalvesIn {
 public:
  OPKG_INLINE HalvesIn(const Slots& slots, const void* data, HVX_Vector turn, bool same = false) : in_(slots, data, same), turn_(turn) {}

  template <typename Lanes>
  OPKG_INLINE void get(const Lanes& lanes, size_t unit, size_t i, HVX_Vector (&to)[kHalves]) const {
    if constexpr (kHalves == 1) {
      to[0] = Q6_V_vxor_VV(in_.at(lanes, unit, i), turn_);
    } else {
      HVX_VectorPair apart;
      if constexpr (sizeof(T) == 1) apart = Q6_Wuh_vzxt_Vub(Q6_V_vxor_VV(in_.at(lanes, unit, i), turn_));
      if constexpr (sizeof(T) == 2) apart = Q6_W_vdeal_VVR(Q6_V_vxor_VV(in_.at(lanes, unit, i, 1), turn_), Q6_V_vxor_VV(in_.at(lanes, unit, i, 0), turn_), -2);
      to[0] = Q6_V_lo_W(apart), to[1] = Q6_V_hi_W(apart);
    }
  }

 private:
  SlotsIn<kOne, sizeof(T) * kHalves / 2 == 0 ? 1 : sizeof(T) * kHalves / 2> in_;
  HVX_Vector turn_;
};

/// Lanes of a vector of halves that have elements; others get another number.
template <uint32_t kHalves, typename Lanes>
OPKG_INLINE HVX_Vector live_halves(const Lanes& lanes, HVX_Vector v, HVX_Vector other, uint32_t part) {
  return kHalves == 1 ? lanes.keep16(v, other, 0) : lanes.keep_apart(v, other, part);
}

/// All elements of a row are chosen.
template <bool kOne, uint32_t kHalves>
struct AllOf {
  static constexpr bool kSome = false, kOfAll = false;
  OPKG_INLINE AllOf(const Slots&, const void* const*) {}
  template <typename Lanes>
  OPKG_INLINE void get(const Lanes& lanes, size_t, size_t, HVX_Vector (&to)[kHalves]) const {
    for (uint32_t k = 0; k < kHalves; ++k) to[k] = live_halves<kHalves>(lanes, Q6_V_vsplat_R(-1), Q6_V_vzero(), k);
  }
};

/// Those that input kAt chooses, a bool tensor, or those that it does not (kNot). kAll: the largest one is that of all elements.
template <bool kOne, uint32_t kHalves, uint32_t kAt, bool kNot, bool kAll>
class ChosenOf {
 public:
  static constexpr bool kSome = true, kOfAll = kAll;
  OPKG_INLINE ChosenOf(const Slots& slots, const void* const* in) : in_(slots, in[kAt], Q6_V_vzero(), slots.same(kAt)) {}
  template <typename Lanes>
  OPKG_INLINE void get(const Lanes& lanes, size_t unit, size_t i, HVX_Vector (&to)[kHalves]) const {
    in_.get(lanes, unit, i, to);
    const HVX_Vector zero = Q6_V_vzero();
    for (uint32_t k = 0; k < kHalves; ++k) {
      const HVX_VectorPred none = Q6_Q_vcmp_eq_VhVh(to[k], zero);
      to[k] = live_halves<kHalves>(lanes, kNot ? Q6_V_vand_QR(none, -1) : Q6_V_vnot_V(Q6_V_vand_QR(none, -1)), zero, k);
    }
  }

 private:
  HalvesIn<kOne, uint8_t, kHalves> in_;
};

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_SOFT_IN_H_
