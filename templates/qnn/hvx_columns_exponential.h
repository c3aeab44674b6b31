// Sums down columns of exp() of how far 16-bit elements are from the largest or smallest one of their column.
#ifndef OPKG_HVX_COLUMNS_EXPONENTIAL_H_
#define OPKG_HVX_COLUMNS_EXPONENTIAL_H_

#include "opkg/hvx_columns.h"
#include "opkg/hvx_exponential.h"

namespace opkg::hvx {

#if OPKG_HVX

/// The exponentials of elements as their distances from extremes have them.
template <bool kLargest>
class DistanceExponential {
 public:
  OPKG_INLINE void set(const Exponential& values, HVX_Vector extremes) { values_ = values, extremes_ = extremes; }
  OPKG_INLINE HVX_VectorPair of(HVX_Vector x) const { return values_.of(kLargest ? Q6_Vh_vsub_VhVh(extremes_, x) : Q6_Vh_vsub_VhVh(x, extremes_)); }

 private:
  Exponential values_;
  HVX_Vector extremes_;
};

/// Sums of the low halves of exponentials, and beside them those of the high ones.
template <bool kLargest>
class ExponentialFound {
 public:
  static constexpr uint32_t kParts = 2;
  static constexpr size_t kLanes = 64, kBlock = kNoBlock;

  OPKG_INLINE void set(const Exponential& values, HVX_Vector extremes) { values_.set(values, extremes); }
  OPKG_INLINE void one(HVX_Vector a) { add(values_.of(a), Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero())); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { add(values_.of(a), values_.of(b)); }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void some(HVX_Vector a, size_t live) {
    const HVX_VectorPair x = values_.of(a);
    const HVX_VectorPred with = live < kBytes ? Q6_Q_vsetq_R(static_cast<int32_t>(live)) : Q6_Q_vsetq2_R(kBytes);
    const HVX_VectorPair lanes = Q6_Ww_vsxt_Vh(Q6_V_vand_QR(with, -1)), none = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
    add(Q6_W_vcombine_VV(Q6_V_vand_VV(Q6_V_hi_W(x), Q6_V_hi_W(lanes)), Q6_V_vand_VV(Q6_V_lo_W(x), Q6_V_lo_W(lanes))), none);
  }
  OPKG_INLINE void words(HVX_Vector (*to)[2]) const {
    interleave(Q6_V_lo_W(low_), Q6_V_hi_W(low_), to[0]);
    interleave(Q6_V_lo_W(high_), Q6_V_hi_W(high_), to[1]);
  }
  static void fold_all(uint32_t, int32_t* kept, const Fold& fold) { Found<Sum8<uint8_t>>::fold_all(0, kept, fold); }

 private:
  OPKG_INLINE void add(HVX_VectorPair x, HVX_VectorPair y) {
    const auto low = [](HVX_VectorPair v) OPKG_INLINE_LAMBDA { return Q6_Vh_vshuffe_VhVh(Q6_V_hi_W(v), Q6_V_lo_W(v)); };
    const auto high = [](HVX_VectorPair v) OPKG_INLINE_LAMBDA { return Q6_Vh_vshuffo_VhVh(Q6_V_hi_W(v), Q6_V_lo_W(v)); };
    low_ = Q6_Ww_vaddacc_WwVuhVuh(low_, low(x), low(y));
    high_ = Q6_Ww_vaddacc_WwVuhVuh(high_, high(x), high(y));
  }

  DistanceExponential<kLargest> values_;
  HVX_VectorPair low_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  HVX_VectorPair high_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
};

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_COLUMNS_EXPONENTIAL_H_
