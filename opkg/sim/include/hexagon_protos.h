// Stand-in for the compiler header of this name: scalar intrinsics (Q6_R_*, Q6_P_*) and, with them, the HVX
// ones. SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HEXAGON_PROTOS_H_
#define OPKG_HEXAGON_PROTOS_H_

#ifdef __hexagon__
#include_next <hexagon_protos.h>
#else

#include "hexagon_types.h"
#include "hvx_hexagon_protos.h"

inline int32_t Q6_R_min_RR(int32_t a, int32_t b) { return a < b ? a : b; }
inline int32_t Q6_R_max_RR(int32_t a, int32_t b) { return a > b ? a : b; }
inline uint32_t Q6_R_minu_RR(uint32_t a, uint32_t b) { return a < b ? a : b; }
inline uint32_t Q6_R_maxu_RR(uint32_t a, uint32_t b) { return a > b ? a : b; }
inline int32_t Q6_R_abs_R(int32_t a) { return a < 0 ? int32_t(0u - uint32_t(a)) : a; }

// Halfwords of the two operands: the first one's becomes the high half of the result.
inline int32_t Q6_R_combine_RlRl(int32_t a, int32_t b) {
  return int32_t(uint32_t(a) << 16 | (uint32_t(b) & 0xffffu));
}
inline int32_t Q6_R_combine_RhRl(int32_t a, int32_t b) {
  return int32_t((uint32_t(a) & 0xffff0000u) | (uint32_t(b) & 0xffffu));
}
inline int32_t Q6_R_combine_RlRh(int32_t a, int32_t b) {
  return int32_t(uint32_t(a) << 16 | uint32_t(b) >> 16);
}
inline int32_t Q6_R_combine_RhRh(int32_t a, int32_t b) {
  return int32_t((uint32_t(a) & 0xffff0000u) | uint32_t(b) >> 16);
}
inline int64_t Q6_P_combine_RR(int32_t high, int32_t low) {
  return int64_t(uint64_t(uint32_t(high)) << 32 | uint32_t(low));
}
inline int32_t Q6_R_vsplatb_R(int32_t a) { return int32_t((uint32_t(a) & 0xffu) * 0x01010101u); }

inline int32_t Q6_R_sat_P(int64_t a) {
  if (a > INT32_MAX) return INT32_MAX;
  return a < INT32_MIN ? INT32_MIN : int32_t(a);
}
inline int32_t Q6_R_mpy_RR_s1_sat(int32_t a, int32_t b) { return Q6_R_sat_P(int64_t(a) * b >> 31); }
inline int32_t Q6_R_mpyacc_RR_s1_sat(int32_t a, int32_t b, int32_t c) { return Q6_R_sat_P(a + (int64_t(b) * c >> 31)); }
inline int32_t Q6_R_abs_R_sat(int32_t a) { return a < 0 ? Q6_R_sat_P(-int64_t(a)) : a; }
inline int32_t Q6_R_neg_R_sat(int32_t a) { return Q6_R_sat_P(-int64_t(a)); }
inline int32_t Q6_R_add_RR_sat(int32_t a, int32_t b) { return Q6_R_sat_P(int64_t(a) + b); }
inline int32_t Q6_R_sub_RR_sat(int32_t a, int32_t b) { return Q6_R_sat_P(int64_t(a) - b); }

// Leading zeros, and leading bits equal to the sign.
inline int32_t Q6_R_asr_RR(int32_t a, int32_t by) {
  by = int32_t(uint32_t(by) << 25) >> 25;
  return by < 0 ? int32_t(uint64_t(int64_t(a)) << -by) : int32_t(int64_t(a) >> by);
}
inline int32_t Q6_R_cl0_R(int32_t a) { return a ? __builtin_clz(uint32_t(a)) : 32; }
inline int32_t Q6_R_clb_R(int32_t a) { return Q6_R_cl0_R(a < 0 ? ~a : a); }
inline int32_t Q6_R_ct0_R(int32_t a) { return a ? __builtin_ctz(uint32_t(a)) : 32; }
inline int32_t Q6_R_normamt_R(int32_t a) { return a ? Q6_R_clb_R(a) - 1 : 0; }
inline int32_t Q6_R_normamt_P(int64_t a) { return a ? __builtin_clzll(uint64_t(a < 0 ? ~a : a) | 1) - (a == 0 || a == -1 ? 0 : 1) : 0; }

// Prefetches do nothing here.
inline void Q6_dcfetch_A(const void*) {}
inline void Q6_l2fetch_AR(const void*, uint32_t) {}
inline void Q6_l2fetch_AP(const void*, uint64_t) {}

#endif  // __hexagon__
#endif  // OPKG_HEXAGON_PROTOS_H_
