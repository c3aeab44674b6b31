// HVX: one word of a vector, and stores under a predicate.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_ACCESS_H_
#define OPKG_HVX_ACCESS_H_

#include "define.h"

// The word at byte address `where` modulo the vector length.
inline int32_t Q6_R_vextract_VR(HVX_Vector v, int32_t where) { return v[(uint32_t(where) & 127u) >> 2]; }

// Stores the selected bytes; the address is rounded down to a whole vector, as the hardware does.
inline void Q6_vmem_QRIV(HVX_VectorPred q, HVX_Vector* address, HVX_Vector v) {
  const opkg_hvx::Lanes<uint8_t> select(q), bytes(v);
  uint8_t* to = reinterpret_cast<uint8_t*>(reinterpret_cast<uintptr_t>(address) & ~uintptr_t(127));
  for (int i = 0; i < 128; i++) {
    if (select.at[i]) to[i] = bytes.at[i];
  }
}
inline void Q6_vmem_QnRIV(HVX_VectorPred q, HVX_Vector* address, HVX_Vector v) {
  Q6_vmem_QRIV(~q, address, v);
}
inline void Q6_vmem_QRIV_nt(HVX_VectorPred q, HVX_Vector* address, HVX_Vector v) {
  Q6_vmem_QRIV(q, address, v);
}
inline void Q6_vmem_QnRIV_nt(HVX_VectorPred q, HVX_Vector* address, HVX_Vector v) {
  Q6_vmem_QRIV(~q, address, v);
}

#endif  // OPKG_HVX_ACCESS_H_
