// Products of 32-bit numbers in rows that are folded (opkg/hvx_folds.h), in lanes of 64 bits.
#ifndef OPKG_HVX_FOLD_PRODUCTS_H_
#define OPKG_HVX_FOLD_PRODUCTS_H_

#include "opkg/hvx_columns_product.h"
#include "opkg/hvx_folds.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Products, as one part of rows.
struct FoldedProduct {
  struct Lane {
    HVX_Vector low, high;
  };
  using Joined = Lane;
  static constexpr bool kAdds = false;
  static constexpr size_t kLanes = 32;

  static OPKG_INLINE HVX_Vector neutral() { return ProductLow::neutral(); }
  static OPKG_INLINE Lane begin(HVX_Vector a) { return {a, Q6_Vw_vasr_VwR(a, 31)}; }
  static OPKG_INLINE Lane join(const Lane& a, const Lane& b) {
    const HVX_VectorPair both = times_words(Q6_W_vcombine_VV(a.high, a.low), b.low);
    return {Q6_V_lo_W(both), Q6_Vw_vadd_VwVw(Q6_V_hi_W(both), add_product(where_negative(b.low, a.low), b.high, a.low))};
  }
  static OPKG_INLINE Lane fold(const Lane& a, const Lane& b) {
    const HVX_VectorPair low = Q6_W_vdeal_VVR(b.low, a.low, -4), high = Q6_W_vdeal_VVR(b.high, a.high, -4);
    return join({Q6_V_lo_W(low), Q6_V_lo_W(high)}, {Q6_V_hi_W(low), Q6_V_hi_W(high)});
  }
};

template <>
struct AllFoldedRows<Found<ProductLow, ProductTop>> : FoldedRows<FoldedProduct> {
  static constexpr size_t kLeast = 2;

  using FoldedRows<FoldedProduct>::FoldedRows;

  template <typename Rows>
  void fold(const Rows&, const uint8_t* at, const uint8_t* end, size_t rows, HVX_Vector (*to)[1]) const {
    FoldedProduct::Joined found;
    FoldedRows<FoldedProduct>::fold(FoldedOf<FoldedProduct>(), at, end, rows, &found);
    to[0][0] = found.low, to[1][0] = found.high;
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_FOLD_PRODUCTS_H_
