// A word of each of 32 rows in a vector, or that of one row in a register: the same operations on both. C++17.
//
// Numbers of one row are cheaper in registers: a packet multiplies or shifts two of them, of a vector one, which waits for what
// the packet in front of it has made.
#ifndef OPKG_HVX_ROW_WORDS_H_
#define OPKG_HVX_ROW_WORDS_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "opkg/hvx.h"
#include "opkg/hvx_number.h"

#if OPKG_HVX

namespace opkg::hvx {

/// What comparisons of words make.
template <typename Word>
using Truth = std::conditional_t<std::is_same_v<Word, int32_t>, bool, HVX_VectorPred>;

/// Whether numbers are exact enough: predicates or, of one row, by how much, where that is less than zero if they are not. What
/// says so of several is one word, and so one branch, behind which no work is left for later.
struct Margin {
  int32_t least;
};
template <typename Word>
using Holds = std::conditional_t<std::is_same_v<Word, int32_t>, Margin, HVX_VectorPred>;

/// One word for all rows.
template <typename Word>
OPKG_INLINE Word in_all(int32_t word) {
  if constexpr (std::is_same_v<Word, int32_t>) {
    return word;
  } else {
    return Q6_V_vsplat_R(word);
  }
}

namespace word {

OPKG_INLINE HVX_Vector add(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vadd_VwVw(a, b); }
OPKG_INLINE HVX_Vector sub(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vsub_VwVw(a, b); }
OPKG_INLINE HVX_Vector negative(HVX_Vector a) { return Q6_Vw_vsub_VwVw_sat(Q6_V_vzero(), a); }
OPKG_INLINE HVX_Vector size(HVX_Vector a) { return Q6_Vw_vabs_Vw_sat(a); }
OPKG_INLINE HVX_Vector largest(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vmax_VwVw(a, b); }
OPKG_INLINE HVX_Vector smallest(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vmin_VwVw(a, b); }
OPKG_INLINE HVX_Vector bits_and(HVX_Vector a, HVX_Vector b) { return Q6_V_vand_VV(a, b); }
OPKG_INLINE HVX_Vector bits_xor(HVX_Vector a, HVX_Vector b) { return Q6_V_vxor_VV(a, b); }
OPKG_INLINE HVX_Vector left(HVX_Vector a, HVX_Vector by) { return Q6_Vw_vasl_VwVw(a, by); }
OPKG_INLINE HVX_Vector left(HVX_Vector a, int32_t by) { return Q6_Vw_vasl_VwR(a, by); }
OPKG_INLINE HVX_Vector right(HVX_Vector a, HVX_Vector by) { return Q6_Vw_vasr_VwVw(a, by); }
OPKG_INLINE HVX_Vector right(HVX_Vector a, int32_t by) { return Q6_Vw_vasr_VwR(a, by); }
OPKG_INLINE HVX_Vector room(HVX_Vector a) { return Q6_Vw_vnormamt_Vw(a); }  ///< by how many bits it may be shifted up
OPKG_INLINE HVX_Vector zeros(HVX_Vector a) { return Q6_Vuw_vcl0_Vuw(a); }   ///< in front of its highest bit
OPKG_INLINE HVX_VectorPred more(HVX_Vector a, HVX_Vector b) { return Q6_Q_vcmp_gt_VwVw(a, b); }
OPKG_INLINE HVX_VectorPred same(HVX_Vector a, HVX_Vector b) { return Q6_Q_vcmp_eq_VwVw(a, b); }
OPKG_INLINE HVX_Vector either(HVX_VectorPred q, HVX_Vector a, HVX_Vector b) { return Q6_V_vmux_QVV(q, a, b); }
OPKG_INLINE HVX_VectorPred both(HVX_VectorPred a, HVX_VectorPred b) { return Q6_Q_and_QQ(a, b); }
OPKG_INLINE HVX_VectorPred none(HVX_VectorPred a) { return Q6_Q_and_QQn(a, a); }
OPKG_INLINE HVX_VectorPred held_more(HVX_Vector a, HVX_Vector b) { return more(a, b); }
OPKG_INLINE HVX_VectorPred held_or(HVX_VectorPred q, HVX_VectorPred held) { return Q6_Q_or_QQ(q, held); }
OPKG_INLINE HVX_Vector where(HVX_VectorPred q, int32_t word) { return Q6_V_vand_QR(q, word); }
/// a * b / 2^31, rounded.
OPKG_INLINE HVX_Vector product31(HVX_Vector a, HVX_Vector b) {
  return Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(Q6_Vw_vmpye_VwVuh(a, b), a, b);
}
/// sum + a * b / 2^31
OPKG_INLINE HVX_Vector plus_product31(HVX_Vector sum, HVX_Vector a, HVX_Vector b) { return add(sum, product31(a, b)); }
OPKG_INLINE HVX_Vector twice(HVX_Vector a) { return Q6_Vw_vadd_VwVw_sat(a, a); }
/// a * b in 32 bits, b having 16 bits and a sign.
OPKG_INLINE HVX_Vector times_half(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vmpyio_VwVh(a, Q6_Vw_vasl_VwR(b, 16)); }
/// a * a of up to 16 bits.
OPKG_INLINE HVX_Vector square(HVX_Vector a) { return Q6_Vw_vmpyie_VwVuh(Q6_Vw_vabs_Vw(a), Q6_Vw_vabs_Vw(a)); }
/// The lower half of each word in both halves.
OPKG_INLINE HVX_Vector in_both_halves(HVX_Vector v) { return Q6_Vh_vshuffe_VhVh(v, v); }

OPKG_INLINE int32_t add(int32_t a, int32_t b) { return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b)); }
OPKG_INLINE int32_t sub(int32_t a, int32_t b) { return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b)); }
OPKG_INLINE int32_t negative(int32_t a) { return Q6_R_neg_R_sat(a); }
OPKG_INLINE int32_t size(int32_t a) { return Q6_R_abs_R_sat(a); }
OPKG_INLINE int32_t largest(int32_t a, int32_t b) { return std::max(a, b); }
OPKG_INLINE int32_t smallest(int32_t a, int32_t b) { return std::min(a, b); }
OPKG_INLINE int32_t bits_and(int32_t a, int32_t b) { return a & b; }
OPKG_INLINE int32_t bits_xor(int32_t a, int32_t b) { return a ^ b; }
OPKG_INLINE int32_t left(int32_t a, int32_t by) { return static_cast<int32_t>(static_cast<uint32_t>(a) << by); }
OPKG_INLINE int32_t right(int32_t a, int32_t by) { return a >> by; }
OPKG_INLINE int32_t room(int32_t a) { return Q6_R_normamt_R(a); }
OPKG_INLINE int32_t zeros(int32_t a) { return Q6_R_cl0_R(a); }
OPKG_INLINE bool more(int32_t a, int32_t b) { return a > b; }
OPKG_INLINE bool same(int32_t a, int32_t b) { return a == b; }
OPKG_INLINE int32_t either(bool q, int32_t a, int32_t b) { return q ? a : b; }
OPKG_INLINE Margin both(Margin a, Margin b) { return {smallest(a.least, b.least)}; }
OPKG_INLINE Margin held_or(bool q, Margin held) { return {q ? 0 : held.least}; }
OPKG_INLINE int32_t where(bool q, int32_t word) { return q ? word : 0; }
/// a > b, neither of which is large.
OPKG_INLINE Margin held_more(int32_t a, int32_t b) { return {sub(a, b) - 1}; }
/// a * b / 2^31, cut off.
OPKG_INLINE int32_t product31(int32_t a, int32_t b) { return Q6_R_mpy_RR_s1_sat(a, b); }
OPKG_INLINE int32_t plus_product31(int32_t sum, int32_t a, int32_t b) { return Q6_R_mpyacc_RR_s1_sat(sum, a, b); }
OPKG_INLINE int32_t twice(int32_t a) { return Q6_R_add_RR_sat(a, a); }
OPKG_INLINE int32_t times_half(int32_t a, int32_t b) { return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b)); }

}  // namespace word

OPKG_INLINE bool for_all(const RowCount&, Margin held) { return held.least >= 0; }

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_ROW_WORDS_H_
