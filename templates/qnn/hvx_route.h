// Bytes of a vector brought to other places by its network of seven stages. C++17.
#ifndef OPKG_HVX_ROUTE_H_
#define OPKG_HVX_ROUTE_H_

#include <algorithm>

#include "opkg/hvx.h"
#include "opkg/small.h"

#if OPKG_HVX

namespace opkg::hvx {

/// A vector with the numbers of its bytes.
OPKG_RARE inline HVX_Vector byte_numbers() {
  HVX_Vector numbers = Q6_V_vzero();
  for (int32_t bit = 1; bit < static_cast<int32_t>(kBytes); bit *= 2) {  // below it, and from it on, in turns
    numbers = Q6_V_lo_W(Q6_W_vshuff_VVR(Q6_V_vor_VV(numbers, Q6_Vb_vsplat_R(bit)), numbers, -bit));
  }
  return numbers;
}

/// Makes the control with which each byte k comes from from[k] (above 127: from anywhere), of vrdelta if `up`, else of vdelta.
/// False: two ways cross in one switch.
OPKG_RARE inline bool route(HVX_Vector from, bool up, HVX_Vector* made) {
  const HVX_Vector zero = Q6_V_vzero(), places = byte_numbers();
  HVX_Vector used = Q6_V_vand_QR(Q6_Q_vcmp_gt_VbVb(from, Q6_Vb_vsplat_R(-1)), -1), faults = zero, control = zero;
  for (int32_t stage = 0; stage < 7; ++stage) {  // from the last stage to the first
    const HVX_Vector bit = Q6_Vb_vsplat_R(up ? 64 >> stage : 1 << stage);
    const HVX_Vector turned = Q6_V_vand_VV(Q6_V_vand_VV(Q6_V_vxor_VV(from, places), bit), used);
    const HVX_VectorPred stays = Q6_Q_vcmp_eq_VbVb(turned, zero);
    control = Q6_V_vor_VV(control, turned);
    const HVX_Vector here = Q6_V_vand_QV(stays, used), other = Q6_V_vdelta_VV(from, bit);
    const HVX_Vector there = Q6_V_vdelta_VV(Q6_V_vmux_QVV(stays, zero, used), bit);
    const HVX_VectorPred taken = Q6_Q_vcmp_gt_VubVub(here, zero);
    faults = Q6_V_vor_VV(faults, Q6_V_vand_VV(Q6_V_vand_VV(here, there), Q6_V_vxor_VV(from, other)));
    from = Q6_V_vmux_QVV(taken, from, other);
    used = Q6_V_vor_VV(here, there);
  }
  *made = control;
  return !any(Q6_Q_vcmp_gt_VubVub(faults, zero));
}

/// The control of vdelta that brings rows of `bytes` bytes, which lie one after another, to slots of one vector, `slot` bytes apart.
/// Rows only move apart from each other, so that no ways cross.
OPKG_RARE inline HVX_Vector into_slots(size_t bytes, size_t slot) {
  alignas(kBytes) uint8_t from[kBytes];
  for (size_t k = 0; k < kBytes; ++k) from[k] = static_cast<uint8_t>(k % slot < bytes ? k / slot * bytes + k % slot : 255);
  HVX_Vector control;
  route(load(from), false, &control);
  return control;
}

/// The control of vrdelta that brings them back.
OPKG_RARE inline HVX_Vector out_of_slots(size_t bytes, size_t slot) {
  alignas(kBytes) uint8_t from[kBytes];
  for (size_t k = 0; k < kBytes; ++k) from[k] = static_cast<uint8_t>(k < kBytes / slot * bytes ? k / bytes * slot + k % bytes : 255);
  HVX_Vector control;
  route(load(from), true, &control);
  return control;
}

/// The controls of vrdelta and of vdelta behind it with which each byte k comes from from[k] (above 127: from anywhere), in any order of
/// different ones. Stage by stage, from outside: of two neighbours, in front and behind, one goes through each half of the inner stages.
OPKG_RARE inline void cross(uint8_t (&from)[kBytes], HVX_Vector* turn, HVX_Vector* control) {
  alignas(kBytes) uint8_t in[kBytes] = {}, out[kBytes] = {};
  uint8_t to[kBytes], half[kBytes], free[kBytes] = {};
  for (const uint8_t k : from) {
    if (k < kBytes) free[k] = 1;
  }
  uint8_t next = 0;
  for (uint8_t& k : from) {
    if (k < kBytes) continue;
    while (free[next] != 0) ++next;
    k = next++;
  }
  for (uint32_t bit = 1; bit < kBytes; bit *= 2) {
    for (uint32_t k = 0; k < kBytes; ++k) to[from[k]] = static_cast<uint8_t>(k), half[k] = kBytes;
    for (uint32_t k = 0; k < kBytes; ++k) {
      for (uint32_t at = k; half[at] == kBytes; at = to[from[at ^ bit] ^ bit]) half[at] = 0, half[at ^ bit] = static_cast<uint8_t>(bit);
    }
    uint8_t inner[kBytes];
    for (uint32_t k = 0; k < kBytes; ++k) {
      const uint32_t behind = (k & ~bit) | half[k], before = (from[k] & ~bit) | half[k];
      if (behind != k) out[k] = static_cast<uint8_t>(out[k] | bit);
      if (before != from[k]) in[before] = static_cast<uint8_t>(in[before] | bit);
      inner[behind] = static_cast<uint8_t>(before);
    }
    std::copy(inner, inner + kBytes, from);
  }
  *turn = load(in), *control = load(out);
}

/// How rows that lie one after another come to slots and back, some at a time.
struct SlotRoute {
  size_t step = 0;  ///< bytes of the rows of a vector
  HVX_Vector in, out;

  SlotRoute() = default;
  OPKG_RARE SlotRoute(size_t bytes, size_t slot) : step(kBytes / slot * bytes), in(into_slots(bytes, slot)), out(out_of_slots(bytes, slot)) {}

  /// Rows of `all` bytes together, in `slots` bytes of slots.
  static __attribute__((noinline)) void gather(const SlotRoute& route, const uint8_t* __restrict from, size_t all, size_t slots, uint8_t* __restrict to) {
    const HVX_Vector control = route.in;
    const size_t step = route.step, free = route.whole_vectors(slots);
    size_t left = all - free * step;
    OPKG_UNROLL(4)
    for (size_t i = free; i != 0; --i, from += step, to += kBytes) store(to, Q6_V_vdelta_VV(load_unaligned(from), control));
    while (left != 0) {
      store(to, Q6_V_vdelta_VV(load_some(from, std::min(left, kBytes)), control));
      left -= std::min(left, step), from += step, to += kBytes;
    }
  }
  /// What a whole vector writes behind its rows, the next one writes over.
  static __attribute__((noinline)) void spread(const SlotRoute& route, const uint8_t* __restrict from, size_t all, size_t slots, uint8_t* __restrict to) {
    const HVX_Vector control = route.out;
    const size_t step = route.step, free = route.whole_vectors(slots);
    size_t left = all - free * step;
    OPKG_UNROLL(4)
    for (size_t i = free; i != 0; --i, from += kBytes, to += step) store_unaligned(to, Q6_V_vrdelta_VV(load(from), control));
    while (left != 0) {
      store_some(to, std::min(left, step), Q6_V_vrdelta_VV(load(from), control));
      left -= std::min(left, step), from += kBytes, to += step;
    }
  }

 private:
  /// Vectors of slots behind whose first row a whole vector of rows lies: slots are rounded up to a power of two, or to a word.
  OPKG_INLINE size_t whole_vectors(size_t slots) const {
    const size_t vectors = (slots + kBytes - 1) / kBytes, last = step < kBytes / 2 ? 4 : 2;
    return vectors < last ? 0 : vectors - last;
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_ROUTE_H_
