// Sums down columns of bytes of a function of how far elements are from the largest or smallest one of their column: tables of 256
// entries of 16 bits.
#ifndef OPKG_HVX_COLUMNS_DISTANCE_H_
#define OPKG_HVX_COLUMNS_DISTANCE_H_

#include "opkg/hvx_columns.h"

#if OPKG_HVX

namespace opkg::hvx {

/// The words of 128 columns, in the order of memory, as bytes.
OPKG_INLINE HVX_Vector bytes_of(const HVX_Vector (&words)[4]) {
  return Q6_Vb_vpacke_VhVh(Q6_Vh_vpacke_VwVw(words[3], words[2]), Q6_Vh_vpacke_VwVw(words[1], words[0]));
}

/// The words of 64 columns as halves.
OPKG_INLINE HVX_Vector halves_of(const HVX_Vector (&words)[2]) { return Q6_Vh_vpacke_VwVw(words[1], words[0]); }

/// Looks up the distances of elements from extremes.
template <bool kLargest>
class DistanceTable {
 public:
  OPKG_INLINE void set(const uint16_t* entries, HVX_Vector extremes) {
    for (uint32_t i = 0; i < 4; ++i) entries_[i] = load(entries + 64 * i);
    extremes_ = extremes;
  }
  /// Halves of elements at even places first.
  OPKG_INLINE HVX_VectorPair of(HVX_Vector x) const { return lookup16(from_extreme(x), entries_[0], entries_[1], entries_[2], entries_[3]); }

  /// An element that is so far away, or a distance.
  OPKG_INLINE HVX_Vector from_extreme(HVX_Vector x) const { return kLargest ? Q6_Vb_vsub_VbVb(extremes_, x) : Q6_Vb_vsub_VbVb(x, extremes_); }

 private:
  HVX_Vector entries_[4];
  HVX_Vector extremes_;
};

/// Sums of a table's entries, or of their fractions, which have a sign.
template <bool kLargest, bool kSigned>
class DistanceSum {
 public:
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr int32_t kLow = kSigned ? -32768 : 0, kHigh = 65535, kOffset = 0;
  static constexpr size_t kLanes = 128, kBlock = kNoBlock, kHeld = 0x7fffffff / kHigh;

  OPKG_INLINE void set(const uint16_t* entries, HVX_Vector extremes) { table_.set(entries, extremes); }
  OPKG_INLINE void one(HVX_Vector a) { add(table_.of(a), Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero())); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { add(table_.of(a), table_.of(b)); }
  OPKG_INLINE void some(HVX_Vector a, HVX_VectorPred live) {
    const HVX_VectorPair x = table_.of(a), lanes = Q6_Wh_vsxt_Vb(Q6_V_vand_QR(live, -1)), none = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
    add(Q6_W_vcombine_VV(Q6_V_vand_VV(Q6_V_hi_W(x), Q6_V_hi_W(lanes)), Q6_V_vand_VV(Q6_V_lo_W(x), Q6_V_lo_W(lanes))), none);
  }
  OPKG_INLINE void words(HVX_Vector* to) { interleave(even_, odd_, to); }

 private:
  OPKG_INLINE void add(HVX_VectorPair x, HVX_VectorPair y) {
    if constexpr (kSigned) {
      even_ = Q6_Ww_vaddacc_WwVhVh(even_, Q6_V_lo_W(x), Q6_V_lo_W(y));
      odd_ = Q6_Ww_vaddacc_WwVhVh(odd_, Q6_V_hi_W(x), Q6_V_hi_W(y));
    } else {
      even_ = Q6_Ww_vaddacc_WwVuhVuh(even_, Q6_V_lo_W(x), Q6_V_lo_W(y));
      odd_ = Q6_Ww_vaddacc_WwVuhVuh(odd_, Q6_V_hi_W(x), Q6_V_hi_W(y));
    }
  }

  DistanceTable<kLargest> table_;
  HVX_VectorPair even_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  HVX_VectorPair odd_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
};

/// The same as what is found of columns.
template <bool kLargest, bool kSigned>
struct DistanceFound : DistanceSum<kLargest, kSigned> {
  using Part = DistanceSum<kLargest, kSigned>;
  static constexpr uint32_t kParts = 1;

  OPKG_INLINE void empty() {}
  OPKG_INLINE void some(HVX_Vector a, size_t live) { Part::some(a, live < kBytes ? Q6_Q_vsetq_R(static_cast<int32_t>(live)) : Q6_Q_vsetq2_R(kBytes)); }
  OPKG_INLINE void words(HVX_Vector (*to)[4]) { Part::words(*to); }
  static void fold_all(uint32_t part, int32_t* kept, const Fold& fold) {
    Found<Sum8<uint8_t>>::fold_all(part, kept, fold);
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_COLUMNS_DISTANCE_H_
