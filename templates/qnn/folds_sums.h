// Sums and means of floats in rows that are folded (opkg/folds.h): lanes are sums of twice the digits, as those of columns are.
//
// Neighbouring lanes are joined with what their sum rounds off. Only a row of more than a vector adds up lanes in single
// precision, at most 64 numbers in each, as it does by itself (opkg/hvx_rows.h).
#ifndef OPKG_FOLDS_SUMS_H_
#define OPKG_FOLDS_SUMS_H_

#include "opkg/folds_kept.h"
#include "opkg/hvx_finish_float.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg {
namespace hvx {

/// Rounded sums and what they are off.
struct FoldedSum {
  HVX_Vector high, low;
};

/// A vector of floats, of which nothing was rounded off yet.
struct Unrounded {
  HVX_Vector high;
  OPKG_INLINE operator FoldedSum() const { return {high, Q6_V_vzero()}; }
};

/// Sums of floats, as a part of rows. T: float, or uint16_t for halves, whose lanes are pairs.
template <typename T>
struct SumOfFloats {
  using Lane = std::conditional_t<sizeof(T) == 2, FoldedSum, Unrounded>;
  using Joined = FoldedSum;
  static constexpr bool kAdds = false;
  static constexpr size_t kLanes = kBytes / sizeof(T);

  /// The element that changes nothing.
  static OPKG_INLINE HVX_Vector neutral() { return Q6_V_vzero(); }

  static OPKG_INLINE Lane begin(HVX_Vector a) {
    if constexpr (sizeof(T) == 2) {
      const HVX_VectorPair wide = sf_from_hf(a);
      return sum_of(Q6_V_lo_W(wide), Q6_V_hi_W(wide));
    } else {
      return {a};
    }
  }
  /// Lanes of a row, in single precision.
  static OPKG_INLINE Lane join(const Lane& a, const Lane& b) {
    Lane both{};
    both.high = add_sf(a.high, b.high);
    return both;
  }
  static OPKG_INLINE FoldedSum fold(const Unrounded& a, const Unrounded& b) {
    const HVX_VectorPair apart = Q6_W_vdeal_VVR(b.high, a.high, -4);
    return sum_of(Q6_V_lo_W(apart), Q6_V_hi_W(apart));
  }
  static OPKG_INLINE FoldedSum fold(const FoldedSum& a, const FoldedSum& b) {
    FoldedSum both = fold(Unrounded{a.high}, Unrounded{b.high});
    const HVX_VectorPair apart = Q6_W_vdeal_VVR(b.low, a.low, -4);
    both.low = add_sf(both.low, add_sf(Q6_V_lo_W(apart), Q6_V_hi_W(apart)));
    return both;
  }

 private:
  static OPKG_INLINE FoldedSum sum_of(HVX_Vector a, HVX_Vector b) {
    const HVX_Vector sum = add_sf(a, b), part = sub_sf(sum, a);
    return {sum, add_sf(sub_sf(a, sub_sf(sum, part)), sub_sf(b, part))};
  }
};

}  // namespace hvx

namespace folds {

/// What calls of sums share.
template <typename Rows>
struct Shared<Rows, std::void_t<decltype(Rows::kFloats)>> : Counted {
  using Element = typename Rows::Element;
  using Part = hvx::SumOfFloats<Element>;
  /// Elements of a row, at most: those that lanes add up in single precision. Where sums are calls, joining lanes takes longer than short rows.
  static constexpr size_t kMost = OPKG_HVX_FLOAT_UNIT ? 64 * 32 : 32 / sizeof(Element);
  static constexpr size_t kLeast = OPKG_HVX_FLOAT_UNIT ? 2 : 16;  ///< rows that take less together

  hvx::FoldedRows<Part> slots;

  Shared(const Operand* operands, uint32_t axes) : Counted(operands, axes), slots(count * sizeof(Element)) {
    taken = taken && count <= kMost;
  }

  bool run(const Rows& rows, const uint8_t* in, uint8_t* out, Slice slice) const {
    const size_t blocks = (total + Part::kLanes - 1) / Part::kLanes, end = slice.end(blocks);
    for (size_t block = slice.begin(blocks); block < end; ++block) {
      const size_t first = block * Part::kLanes, some = total - first < Part::kLanes ? total - first : Part::kLanes;
      if (results(rows, in, out, first, some)) continue;
      for (size_t row = first; row < first + some; ++row) one_row(rows, in, out, row, count);
    }
    return true;
  }

 private:
  /// Of `some` rows, from number `first` on. False: they are for one row after another.
  OPKG_INLINE bool results(const Rows& rows, const uint8_t* in, uint8_t* out, size_t first, size_t some) const {
    constexpr size_t kWords = Part::kLanes / 32;
    hvx::FoldedSum sums[kWords];
    slots.fold(hvx::FoldedOf<Part>(), in + first * count * sizeof(Element), in + total * count * sizeof(Element), some, sums);
    HVX_Vector words[2][kWords];
    for (size_t k = 0; k < kWords; ++k) words[0][k] = sums[k].high, words[1][k] = sums[k].low;
    const hvx::FloatFinish<Rows, typename Rows::Found> finish(rows, count);
    finish.write_all(words, nullptr, &out, first, some, 0);
    if (finish.held()) rowwise::counted(true, some * count);
    return finish.held();
  }
};

}  // namespace folds
}  // namespace opkg

#endif  // OPKG_HVX && OPKG_HVX_FLOAT
#endif  // OPKG_FOLDS_SUMS_H_
