// Products of 32-bit numbers down columns, in lanes of 64 bits, which wrap as int64_t does.
#ifndef OPKG_HVX_COLUMNS_PRODUCT_H_
#define OPKG_HVX_COLUMNS_PRODUCT_H_

#include "opkg/columns_shared.h"
#include "opkg/hvx_columns.h"
#include "opkg/hvx_product.h"

#if OPKG_HVX

namespace opkg::hvx {

/// The lower words of products, and beside them the upper ones.
class ProductLow {
 public:
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr size_t kLanes = 32, kBlock = kNoBlock, kHeld = SIZE_MAX;
  static constexpr int32_t kLow = 0, kHigh = 1, kOffset = 0;

  static OPKG_INLINE HVX_Vector neutral() { return Q6_V_vsplat_R(1); }
  OPKG_INLINE void one(HVX_Vector a) { product_ = times_words(product_, a); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { one(a), one(b); }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void words(HVX_Vector* to) const { to[0] = Q6_V_lo_W(product_); }
  OPKG_INLINE void upper_words(HVX_Vector* to) const { to[0] = Q6_V_hi_W(product_); }

 private:
  HVX_VectorPair product_ = Q6_W_vcombine_VV(Q6_V_vzero(), neutral());
};

/// Their upper words, which ProductLow has found.
class ProductTop {
 public:
  using Other = ProductLow;
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr size_t kLanes = 32, kBlock = kNoBlock, kHeld = SIZE_MAX;
  static constexpr int32_t kLow = 0, kHigh = 1, kOffset = 0;

  static OPKG_INLINE HVX_Vector neutral() { return ProductLow::neutral(); }
  OPKG_INLINE void one(HVX_Vector) {}
  OPKG_INLINE void two(HVX_Vector, HVX_Vector) {}
  OPKG_INLINE void empty() {}
  static OPKG_INLINE void words(HVX_Vector* to, const Other& low) { low.upper_words(to); }
};

template <typename... Parts>
constexpr bool kJoinsColumns<Found<Parts...>> = (!std::is_same_v<Parts, ProductLow> && ...);

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_COLUMNS_PRODUCT_H_
