// HVX: one word of a vector, stores under a predicate, gather and scatter.
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

// Gather and scatter take the address of their region as a 32-bit number: on a host it has to be below 4 GiB.
// Offsets count bytes; elements that are not wholly inside the region (`last` is its last byte) are left alone.
namespace opkg_hvx {

inline HVX_Vector everywhere() { return ~HVX_Vector{}; }

template <typename T, typename Offsets>
inline void gather(HVX_Vector* to, HVX_VectorPred q, int32_t region, int32_t last, Offsets offsets) {
  const uint8_t* from = reinterpret_cast<const uint8_t*>(uintptr_t(uint32_t(region)));
  const Lanes<uint8_t> select(q);
  Lanes<uint8_t> out(*to);
  for (int i = 0; i < 128; i++) {
    const uint32_t offset = offsets.at(i / int(sizeof(T)));
    if (select.at[i] && offset + sizeof(T) - 1 <= uint32_t(last)) out.at[i] = from[offset + i % sizeof(T)];
  }
  *to = out.vector();
}

template <typename T, bool ADD, typename Offsets>
inline void scatter(HVX_VectorPred q, int32_t region, int32_t last, Offsets offsets, HVX_Vector v) {
  uint8_t* to = reinterpret_cast<uint8_t*>(uintptr_t(uint32_t(region)));
  const Lanes<uint8_t> select(q), bytes(v);
  const Lanes<T> lanes(v);
  for (int i = 0; i < Lanes<T>::count; i++) {
    const uint32_t offset = offsets.at(i);
    if (offset + sizeof(T) - 1 > uint32_t(last)) continue;
    if (ADD) {
      T sum;
      memcpy(&sum, to + offset, sizeof sum);
      sum = T(sum + lanes.at[i]);
      memcpy(to + offset, &sum, sizeof sum);
    } else {
      for (int k = i * int(sizeof(T)); k < (i + 1) * int(sizeof(T)); k++) {
        if (select.at[k]) to[offset + k % sizeof(T)] = bytes.at[k];
      }
    }
  }
}

// One offset for each element; those of a pair belong to the even (low) and odd (high) elements.
template <typename T>
struct Offsets {
  Lanes<T> lanes;
  explicit Offsets(HVX_Vector v) : lanes(v) {}
  uint32_t at(int i) const { return lanes.at[i]; }
};

}  // namespace opkg_hvx

#define OPKG_HVX_REGION(FORM, T, AT, OFFSETS)                                                       \
  inline void Q6_vgather_ARM##FORM(HVX_Vector* to, int32_t region, int32_t last, AT at) {           \
    opkg_hvx::gather<T>(to, opkg_hvx::everywhere(), region, last, OFFSETS(at));                     \
  }                                                                                                 \
  inline void Q6_vgather_AQRM##FORM(HVX_Vector* to, HVX_VectorPred q, int32_t region, int32_t last, \
                                    AT at) {                                                        \
    opkg_hvx::gather<T>(to, q, region, last, OFFSETS(at));                                          \
  }                                                                                                 \
  inline void Q6_vscatter_RM##FORM##V(int32_t region, int32_t last, AT at, HVX_Vector v) {          \
    opkg_hvx::scatter<T, false>(opkg_hvx::everywhere(), region, last, OFFSETS(at), v);              \
  }                                                                                                 \
  inline void Q6_vscatteracc_RM##FORM##V(int32_t region, int32_t last, AT at, HVX_Vector v) {       \
    opkg_hvx::scatter<T, true>(opkg_hvx::everywhere(), region, last, OFFSETS(at), v);               \
  }                                                                                                 \
  inline void Q6_vscatter_QRM##FORM##V(HVX_VectorPred q, int32_t region, int32_t last, AT at,       \
                                       HVX_Vector v) {                                              \
    opkg_hvx::scatter<T, false>(q, region, last, OFFSETS(at), v);                                   \
  }
OPKG_HVX_REGION(Vh, uint16_t, HVX_Vector, opkg_hvx::Offsets<uint16_t>)
OPKG_HVX_REGION(Vw, uint32_t, HVX_Vector, opkg_hvx::Offsets<uint32_t>)
OPKG_HVX_REGION(Ww, uint16_t, HVX_VectorPair, opkg_hvx::WidePair<uint32_t>)
#undef OPKG_HVX_REGION

#endif  // OPKG_HVX_ACCESS_H_
