// HVX: bitwise operations, splats, constants, combining and extracting.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_LOGIC_H_
#define OPKG_HVX_LOGIC_H_

#include "define.h"

inline HVX_Vector Q6_V_vzero() { return HVX_Vector{}; }
inline HVX_Vector Q6_V_vsplat_R(int32_t value) { return HVX_Vector{} + value; }
OPKG_HVX_VV(Q6_V_vand_VV, uint32_t, uint32_t, uint32_t, a& b)
OPKG_HVX_VV(Q6_V_vor_VV, uint32_t, uint32_t, uint32_t, a | b)
OPKG_HVX_VV(Q6_V_vxor_VV, uint32_t, uint32_t, uint32_t, a ^ b)
OPKG_HVX_V(Q6_V_vnot_V, uint32_t, uint32_t, ~a)

inline HVX_Vector Q6_Vh_vsplat_R(int32_t value) {
  return Q6_V_vsplat_R(int32_t((uint32_t(value) & 0xffffu) * 0x00010001u));
}
inline HVX_Vector Q6_Vb_vsplat_R(int32_t value) {
  return Q6_V_vsplat_R(int32_t((uint32_t(value) & 0xffu) * 0x01010101u));
}

inline HVX_Vector Q6_V_lo_W(HVX_VectorPair w) { return opkg_hvx::lo(w); }
inline HVX_Vector Q6_V_hi_W(HVX_VectorPair w) { return opkg_hvx::hi(w); }
inline HVX_VectorPair Q6_W_vcombine_VV(HVX_Vector high, HVX_Vector low) { return opkg_hvx::pair(high, low); }
inline HVX_Vector Q6_V_equals_V(HVX_Vector v) { return v; }
inline HVX_VectorPair Q6_W_equals_W(HVX_VectorPair w) { return w; }
inline HVX_VectorPair Q6_W_vzero() { return HVX_VectorPair{}; }

// The word at byte address `where` modulo the vector length.
inline int32_t Q6_R_vextract_VR(HVX_Vector v, int32_t where) { return v[(uint32_t(where) & 127u) >> 2]; }
inline HVX_Vector Q6_Vw_vinsert_VwR(HVX_Vector v, int32_t value) {
  v[0] = value;
  return v;
}

#endif  // OPKG_HVX_LOGIC_H_
