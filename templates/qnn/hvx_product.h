// Products of whole numbers in lanes of 64 bits, which wrap as int64_t does: a vector of lower words and one of upper ones.
#ifndef OPKG_HVX_PRODUCT_H_
#define OPKG_HVX_PRODUCT_H_

#include "opkg/hvx_rows.h"

#if OPKG_HVX

namespace opkg::hvx {

/// a + b * c of words.
OPKG_INLINE HVX_Vector add_product(HVX_Vector a, HVX_Vector b, HVX_Vector c) {
  const HVX_Vector upper = Q6_Vw_vasl_VwR(Q6_Vw_vmpyio_VwVh(b, c), 16);
  return Q6_Vw_vmpyieacc_VwVwVuh(Q6_Vw_vadd_VwVw(a, upper), b, c);
}

/// b where a is below zero, else 0.
OPKG_INLINE HVX_Vector where_negative(HVX_Vector a, HVX_Vector b) { return Q6_V_vand_VV(Q6_Vw_vasr_VwR(a, 31), b); }

/// a * b. Words are signed to the multiplier, so b is added to the upper words where the lower ones of a have the highest bit.
OPKG_INLINE HVX_VectorPair times_words(HVX_VectorPair a, HVX_Vector b) {
  const HVX_Vector low = Q6_V_lo_W(a);
  const HVX_Vector more = where_negative(low, b);
  const HVX_VectorPair both = Q6_W_vmpyoacc_WVwVh(Q6_W_vmpye_VwVuh(b, low), b, low);
  return Q6_W_vcombine_VV(Q6_Vw_vadd_VwVw(Q6_V_hi_W(both), add_product(more, Q6_V_hi_W(a), b)), Q6_V_lo_W(both));
}

/// The same of elements, however many lanes they fill.
template <typename T>
OPKG_INLINE HVX_VectorPair times(HVX_VectorPair a, HVX_Vector b) {
  constexpr bool kSigned = std::is_signed_v<T>;
  if constexpr (sizeof(T) == 4) {
    return times_words(a, b);
  } else if constexpr (sizeof(T) == 2) {
    const HVX_VectorPair words = kSigned ? Q6_Ww_vsxt_Vh(b) : Q6_Wuw_vzxt_Vuh(b);
    return times_words(times_words(a, Q6_V_lo_W(words)), Q6_V_hi_W(words));
  } else {
    using Half = std::conditional_t<kSigned, int16_t, uint16_t>;
    const HVX_VectorPair halves = kSigned ? Q6_Wh_vsxt_Vb(b) : Q6_Wuh_vzxt_Vub(b);
    return times<Half>(times<Half>(a, Q6_V_lo_W(halves)), Q6_V_hi_W(halves));
  }
}

/// The product of all lanes.
OPKG_INLINE int64_t product(HVX_VectorPair a) {
  for (int32_t turn = 64; turn >= 4; turn /= 2) {
    const HVX_Vector low = Q6_V_vror_VR(Q6_V_lo_W(a), turn), high = Q6_V_vror_VR(Q6_V_hi_W(a), turn);
    const HVX_VectorPair both = times_words(a, low);
    a = Q6_W_vcombine_VV(Q6_Vw_vadd_VwVw(Q6_V_hi_W(both), add_product(where_negative(low, Q6_V_lo_W(a)), high, Q6_V_lo_W(a))), Q6_V_lo_W(both));
  }
  return static_cast<int64_t>(uint64_t{first<uint32_t>(Q6_V_hi_W(a))} << 32 | first<uint32_t>(Q6_V_lo_W(a)));
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_PRODUCT_H_
