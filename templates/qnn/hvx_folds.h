// Rows that lie one after another, reduced many at a time: neighbouring lanes are joined until each lane is a row. C++17.
//
// A row takes a slot: its bytes, rounded up to a power of two, or, beyond half a vector, one vector of joined lanes. Slots
// are folded in pairs of vectors: even lanes join odd ones, so that two vectors become one in the order of memory.
#ifndef OPKG_HVX_FOLDS_H_
#define OPKG_HVX_FOLDS_H_

#include "opkg/hvx_fold_words.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Rows of `bytes` bytes that lie one after another, for a part.
template <typename Part>
class FoldedRows {
  static constexpr int32_t kLane = kFoldLane<Part>;
  using Lane = typename FoldedLanes<Part>::Lane;
  using Joined = typename FoldedLanes<Part>::Joined;
  static constexpr uint32_t kSome = 3, kMany = 5;  ///< levels that are folded in registers

 public:
  explicit FoldedRows(size_t bytes) : bytes_(bytes) {
    while (slot_ < bytes && slot_ < kBytes) slot_ *= 2, ++levels_;
    const HVX_Vector none = Q6_V_vzero();
    live_ = Q6_V_vmux_QVV(Q6_Q_vsetq2_R(static_cast<int32_t>(bytes < kBytes ? bytes : kBytes)), Q6_V_vsplat_R(-1), none);
    for (size_t turn = slot_; turn < kBytes; turn *= 2) {
      live_ = Q6_V_vor_VV(live_, Q6_V_vror_VR(live_, static_cast<int32_t>(kBytes - turn)));
    }
    if (bytes < slot_ && slot_ < kBytes) control_ = into_slots(bytes, slot_);
    step_ = kBytes / slot_ * bytes;
  }

  /// What is found of Part::kLanes rows that are 2^kMany lanes long.
  template <bool kAligned>
  static OPKG_INLINE HVX_Vector many(const uint8_t* at) {
    return fold_many<Part, kMany>(DenseVectors<Part, kAligned>{}, at);
  }

  /// What is found of Part::kLanes rows, or of fewer, of a tensor up to `end`: one lane for each.
  void fold(const FoldedOf<Part>& function, const uint8_t* at, const uint8_t* end, size_t rows, Joined* to) const {
    if constexpr (std::is_same_v<Lane, HVX_Vector>) {  // other lanes take longer to join than to come to their slots
      if (bytes_ == slot_ && rows == Part::kLanes && levels_ >= kSome) {
        const bool aligned = rowwise::kTellsAlignment && (reinterpret_cast<uintptr_t>(at) & (kBytes - 1)) == 0;
        const bool many = levels_ >= kMany;
        if (aligned) return many ? dense<kMany, rowwise::kTellsAlignment>(function, at, rows, to) : dense<kSome, rowwise::kTellsAlignment>(function, at, rows, to);
        return many ? dense<kMany, false>(function, at, rows, to) : dense<kSome, false>(function, at, rows, to);
      }
    }
    if (bytes_ > kBytes) return rows < kFew ? tree<0>(rows, to, [&](size_t i) OPKG_INLINE_LAMBDA { return row(function, at + i * bytes_); }) : long_rows(function, at, rows, to);
    const SpreadVectors<Part> vectors(function, control_, live_, step_);
    const bool fits = std::is_same_v<Lane, HVX_Vector> || levels_ < kSome;
    if (fits && rows == Part::kLanes && static_cast<size_t>(end - at) >= (kWords << levels_) * step_ + kBytes) return whole<0>(vectors, at, to);
    if (levels_ < kSome) {
      tree<0>(rows, to, [&](size_t i) OPKG_INLINE_LAMBDA {
        const uint8_t* const from = at + i * vectors.step();
        const size_t left = static_cast<size_t>(end - from);
        return vectors.of(left >= kBytes ? load_unaligned(from) : load_some(from, left));
      });
    } else {
      tree<kSome>(rows, to, [&](size_t i) OPKG_INLINE_LAMBDA {
        alignas(kBytes) uint8_t held[kHeld];
        const uint8_t* from = at + (i * vectors.step() << kSome);
        const size_t left = static_cast<size_t>(end - from);
        if (left < kHeld) from = copied(held, from, left);
        return fold_many<Part, kSome>(vectors, from);
      });
    }
  }

 private:
  static constexpr size_t kWords = Part::kLanes * kLane / kBytes;  ///< vectors of results

  /// Rows of 2^kLevels lanes or more, behind which there is a vector.
  template <uint32_t kLevels>
  OPKG_INLINE void whole(const SpreadVectors<Part>& vectors, const uint8_t* at, Joined* to) const {
    if constexpr (kLevels + 1 < kSome || (kLevels < kSome && std::is_same_v<Lane, HVX_Vector>)) {
      if (levels_ != kLevels) return whole<kLevels + 1>(vectors, at, to);
    }
    Joined made[kLevels == kSome ? 128 / kLane >> kSome : 1];
    const uint32_t count = kLevels == kSome ? 1u << (levels_ - kSome) : 1;
    OPKG_UNROLL(1)
    for (size_t i = 0; i < kWords; ++i) {
      OPKG_UNROLL(1)
      for (uint32_t k = 0; k < count; ++k, at += vectors.step() << kLevels) made[k] = fold_many<Part, kLevels>(vectors, at);
      OPKG_UNROLL(1)
      for (uint32_t left = count / 2; left != 0; left /= 2) {
        OPKG_UNROLL(1)
        for (uint32_t k = 0; k < left; ++k) made[k] = fold_two<Part>(made[2 * k], made[2 * k + 1]);
      }
      to[i] = made[0];
    }
  }

  /// Folds vectors that `made` makes, whose first kLevel levels are folded, until each lane is a row.
  template <uint32_t kLevel, typename Made>
  OPKG_INLINE void tree(size_t rows, Joined* to, const Made& made) const {
    const size_t count = (rows * slot_ + (kBytes << kLevel) - 1) / (kBytes << kLevel);
    fold_tree<kLevel>(count, levels_, to, made, [](const Joined& a, const Joined& b) OPKG_INLINE_LAMBDA { return fold_two<Part>(a, b); });
  }

  /// Rows that fill their slots.
  template <uint32_t kLevel, bool kAligned>
  void dense(const FoldedOf<Part>& function, const uint8_t* at, size_t rows, Joined* to) const {
    const DenseVectors<Part, kAligned> vectors{function};
    const auto many = [&](const uint8_t* from) OPKG_INLINE_LAMBDA { return fold_many<Part, kLevel>(vectors, from); };
    if (levels_ != kLevel) return tree<kLevel>(rows, to, [&](size_t i) OPKG_INLINE_LAMBDA { return many(at + i * (kBytes << kLevel)); });
    for (size_t i = 0; i < kWords; ++i, at += kBytes << kLevel) to[i] = many(at);
  }

  /// A row of more than a vector.
  OPKG_INLINE Lane row(const FoldedOf<Part>& function, const uint8_t* at) const {
    Lane found;
    side_by_side<1>(function, at, &found);
    return found;
  }

  /// Some of them side by side.
  template <uint32_t kSide>
  OPKG_INLINE void side_by_side(const FoldedOf<Part>& function, const uint8_t* at, Lane* to) const {
    const size_t first = (bytes_ - 1) % kBytes + 1, vectors = (bytes_ - 1) / kBytes;
    const HVX_VectorPred with = Q6_Q_vsetq2_R(static_cast<int32_t>(first));
    Lane found[kSide];
    const uint8_t* from[kSide];
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
      from[side] = at + side * bytes_;
      found[side] = function.begin(with, load_unaligned(from[side]));
      from[side] += first;
    });
    [[maybe_unused]] constexpr uint32_t kTurns = 4 / kSide;
    OPKG_UNROLL(kTurns)
    for (size_t k = 0; k < vectors; ++k) {
      each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
        found[side] = join_of<Part>(found[side], function.begin(load_unaligned(from[side])));
        from[side] += kBytes;
      });
    }
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { to[side] = found[side]; });
  }

  /// Many of them, 2^kSome at a time.
  void long_rows(const FoldedOf<Part>& function, const uint8_t* at, size_t rows, Joined* to) const {
    tree<kSome>(rows, to, [&](size_t i) OPKG_INLINE_LAMBDA {
      alignas(kBytes) Lane made[1 << kSome];
      const uint8_t* from = at + (i * bytes_ << kSome);
      const size_t left = rows - (i << kSome);
      if (left >= kFew) {
        OPKG_UNROLL_WHOLE
        for (uint32_t k = 0; k < kFew; k += 4) side_by_side<4>(function, from + k * bytes_, made + k);
      } else {
        for (size_t k = 0; k < left; ++k, from += bytes_) made[k] = row(function, from);
        for (size_t k = left; k < kFew; ++k) made[k] = made[0];
      }
      return fold_many<Part, kSome>(MadeVectors<Lane>{made}, size_t{0});
    });
  }

  static constexpr size_t kFew = 1 << kSome;        ///< rows of more than a vector that are folded at a time
  static constexpr size_t kHeld = kBytes << kSome;  ///< bytes that 2^kSome vectors reach over, at most

  /// What is left of a tensor, where whole vectors may be read.
  static __attribute__((noinline)) const uint8_t* copied(uint8_t* to, const uint8_t* from, size_t bytes) {
    for (size_t at = 0; at < kHeld; at += kBytes) store(to + at, bytes > at ? load_some(from + at, std::min(bytes - at, kBytes)) : Q6_V_vzero());
    return to;
  }

  size_t bytes_;
  size_t slot_ = kLane;                ///< bytes
  uint32_t levels_ = 0;                ///< a slot has 2^levels_ lanes
  size_t step_;                        ///< bytes of the rows of a vector
  HVX_Vector live_;                    ///< -1 in bytes of slots that rows have
  HVX_Vector control_ = Q6_V_vzero();  ///< brings rows to their slots
};

/// Rows for all parts that are found of them.
template <typename Found>
struct AllFoldedRows;
template <typename... Parts>
struct AllFoldedRows<Found<Parts...>> : FoldedRows<Parts>... {
  static constexpr size_t kLeast = 1;  ///< rows that take less than one after another

  explicit AllFoldedRows(size_t bytes) : FoldedRows<Parts>(bytes)... {}

  template <typename Rows>
  void fold(const Rows& kernel, const uint8_t* at, const uint8_t* end, size_t rows, HVX_Vector (*to)[Found<Parts...>::kLanes / 32]) const {
    (FoldedRows<Parts>::fold(FoldedOf<Parts>(kernel), at, end, rows, *to++), ...);
  }
};

/// Sums of 32-bit numbers, low and high halves apart.
template <>
struct AllFoldedRows<Found<SumLow, SumTop>> : FoldedRows<FoldedWords> {
  static constexpr size_t kLeast = 1;

  explicit AllFoldedRows(size_t bytes) : FoldedRows<FoldedWords>(bytes), count_(bytes / sizeof(int32_t)) {}

  template <typename Rows>
  void fold(const Rows&, const uint8_t* at, const uint8_t* end, size_t rows, HVX_Vector (*to)[1]) const {
    FoldedWords::Joined found;
    FoldedRows<FoldedWords>::fold(FoldedOf<FoldedWords>(), at, end, rows, &found);
    found.halves(count_, to[0][0], to[1][0]);
  }

 private:
  size_t count_;  ///< elements of a row
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_FOLDS_H_
