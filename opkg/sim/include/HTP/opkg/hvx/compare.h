// HVX: comparisons, predicates, selection and conditional operations.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_COMPARE_H_
#define OPKG_HVX_COMPARE_H_

#include "arithmetic.h"
#include "define.h"
#include "logic.h"

// A comparison and its and, or, xor forms, which combine the result with a predicate.
#define OPKG_HVX_COMPARE(NAME, SUFFIX, T, EXPR)                                                     \
  OPKG_HVX_VV(Q6_Q_##NAME##_##SUFFIX, T, T, T, (EXPR) ? -1 : 0)                                     \
  inline HVX_VectorPred Q6_Q_##NAME##and_Q##SUFFIX(HVX_VectorPred q, HVX_Vector a, HVX_Vector b) {  \
    return q & Q6_Q_##NAME##_##SUFFIX(a, b);                                                        \
  }                                                                                                 \
  inline HVX_VectorPred Q6_Q_##NAME##or_Q##SUFFIX(HVX_VectorPred q, HVX_Vector a, HVX_Vector b) {   \
    return q | Q6_Q_##NAME##_##SUFFIX(a, b);                                                        \
  }                                                                                                 \
  inline HVX_VectorPred Q6_Q_##NAME##xacc_Q##SUFFIX(HVX_VectorPred q, HVX_Vector a, HVX_Vector b) { \
    return q ^ Q6_Q_##NAME##_##SUFFIX(a, b);                                                        \
  }
OPKG_HVX_COMPARE(vcmp_gt, VbVb, int8_t, a > b)
OPKG_HVX_COMPARE(vcmp_gt, VubVub, uint8_t, a > b)
OPKG_HVX_COMPARE(vcmp_gt, VhVh, int16_t, a > b)
OPKG_HVX_COMPARE(vcmp_gt, VuhVuh, uint16_t, a > b)
OPKG_HVX_COMPARE(vcmp_gt, VwVw, int32_t, a > b)
OPKG_HVX_COMPARE(vcmp_gt, VuwVuw, uint32_t, a > b)
OPKG_HVX_COMPARE(vcmp_eq, VbVb, int8_t, a == b)
OPKG_HVX_COMPARE(vcmp_eq, VhVh, int16_t, a == b)
OPKG_HVX_COMPARE(vcmp_eq, VwVw, int32_t, a == b)
#undef OPKG_HVX_COMPARE

inline HVX_VectorPred Q6_Q_and_QQ(HVX_VectorPred a, HVX_VectorPred b) { return a & b; }
inline HVX_VectorPred Q6_Q_and_QQn(HVX_VectorPred a, HVX_VectorPred b) { return a & ~b; }
inline HVX_VectorPred Q6_Q_or_QQ(HVX_VectorPred a, HVX_VectorPred b) { return a | b; }
inline HVX_VectorPred Q6_Q_or_QQn(HVX_VectorPred a, HVX_VectorPred b) { return a | ~b; }
inline HVX_VectorPred Q6_Q_xor_QQ(HVX_VectorPred a, HVX_VectorPred b) { return a ^ b; }
inline HVX_VectorPred Q6_Q_not_Q(HVX_VectorPred a) { return ~a; }

// The first n bytes true: n modulo 128; vsetq2 makes all true when that is 0.
inline HVX_VectorPred Q6_Q_vsetq_R(int32_t n) {
  opkg_hvx::Lanes<uint8_t> q;
  for (int i = 0; i < 128; i++) q.at[i] = i < (n & 127) ? 0xff : 0;
  return q.vector();
}
inline HVX_VectorPred Q6_Q_vsetq2_R(int32_t n) {
  opkg_hvx::Lanes<uint8_t> q;
  for (int i = 0; i < 128; i++) q.at[i] = i <= ((n - 1) & 127) ? 0xff : 0;
  return q.vector();
}

// A predicate from the bytes of a vector where they have a bit in common with the scalar's, and back.
OPKG_HVX_VR(Q6_Q_vand_VR, uint8_t, uint8_t, (a & opkg_hvx::part<uint8_t>(r, i)) ? 0xff : 0)
OPKG_HVX_VR(Q6_V_vand_QR, uint8_t, uint8_t, a ? opkg_hvx::part<uint8_t>(r, i) : 0)
OPKG_HVX_VR(Q6_V_vand_QnR, uint8_t, uint8_t, a ? 0 : opkg_hvx::part<uint8_t>(r, i))
inline HVX_Vector Q6_V_vandor_VQR(HVX_Vector x, HVX_VectorPred q, int32_t r) {
  return x | Q6_V_vand_QR(q, r);
}
inline HVX_VectorPred Q6_Q_vandor_QVR(HVX_VectorPred x, HVX_Vector v, int32_t r) {
  return x | Q6_Q_vand_VR(v, r);
}
OPKG_HVX_VV(Q6_V_vand_QV, uint8_t, uint8_t, uint8_t, a ? b : 0)
OPKG_HVX_VV(Q6_V_vand_QnV, uint8_t, uint8_t, uint8_t, a ? 0 : b)

OPKG_HVX_XVV(Q6_V_vmux_QVV, uint8_t, uint8_t, uint8_t, x ? a : b)
inline HVX_VectorPair Q6_W_vswap_QVV(HVX_VectorPred q, HVX_Vector a, HVX_Vector b) {
  return opkg_hvx::pair(Q6_V_vmux_QVV(q, b, a), Q6_V_vmux_QVV(q, a, b));
}

// Add or subtract in the lanes whose bytes are selected, byte by byte of the result.
#define OPKG_HVX_CONDITIONAL(TYPE)                                                                     \
  inline HVX_Vector Q6_##TYPE##_condacc_Q##TYPE##TYPE(HVX_VectorPred q, HVX_Vector x, HVX_Vector a) {  \
    return Q6_V_vmux_QVV(q, Q6_##TYPE##_vadd_##TYPE##TYPE(x, a), x);                                   \
  }                                                                                                    \
  inline HVX_Vector Q6_##TYPE##_condacc_Qn##TYPE##TYPE(HVX_VectorPred q, HVX_Vector x, HVX_Vector a) { \
    return Q6_V_vmux_QVV(q, x, Q6_##TYPE##_vadd_##TYPE##TYPE(x, a));                                   \
  }                                                                                                    \
  inline HVX_Vector Q6_##TYPE##_condnac_Q##TYPE##TYPE(HVX_VectorPred q, HVX_Vector x, HVX_Vector a) {  \
    return Q6_V_vmux_QVV(q, Q6_##TYPE##_vsub_##TYPE##TYPE(x, a), x);                                   \
  }                                                                                                    \
  inline HVX_Vector Q6_##TYPE##_condnac_Qn##TYPE##TYPE(HVX_VectorPred q, HVX_Vector x, HVX_Vector a) { \
    return Q6_V_vmux_QVV(q, x, Q6_##TYPE##_vsub_##TYPE##TYPE(x, a));                                   \
  }
OPKG_HVX_CONDITIONAL(Vb)
OPKG_HVX_CONDITIONAL(Vh)
OPKG_HVX_CONDITIONAL(Vw)
#undef OPKG_HVX_CONDITIONAL

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

#endif  // OPKG_HVX_COMPARE_H_
