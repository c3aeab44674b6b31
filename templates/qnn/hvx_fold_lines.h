// Lines of elements in several places: those places are joined lane by lane, as columns are, before neighbours are folded. C++17.
#ifndef OPKG_HVX_FOLD_LINES_H_
#define OPKG_HVX_FOLD_LINES_H_

#include "opkg/hvx_columns.h"
#include "opkg/hvx_folds.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Sums in words, which are added up as elements are.
struct SumWords {
  static constexpr bool kAdds = true;
  static constexpr size_t kLanes = 32;

  static OPKG_INLINE HVX_Vector neutral() { return Q6_V_vzero(); }
  static OPKG_INLINE HVX_Vector begin(HVX_Vector a) { return a; }
};

/// The same in halves, without signs.
struct SumHalves {
  static constexpr bool kAdds = true;
  static constexpr size_t kLanes = 64;
};
template <>
struct FoldedOf<SumHalves> {
  static OPKG_INLINE HVX_Vector begin(HVX_Vector a) {
    const HVX_Vector signs = Q6_V_vsplat_R(static_cast<int32_t>(0x80008000));
    return Q6_Vw_vdmpyacc_VwVhRb(Q6_V_vsplat_R(65536), Q6_V_vxor_VV(a, signs), 0x01010101);
  }
  static OPKG_INLINE HVX_Vector begin(HVX_VectorPred with, HVX_Vector a) { return begin(Q6_V_vmux_QVV(with, a, Q6_V_vzero())); }
};

/// What is kept of the lanes of a vector for each part, in the order of memory, and what becomes of neighbours then: sums in words.
template <typename Found>
struct KeptLanes {
  using Part = SumWords;
  static constexpr size_t kPlaces = Found::kBlock;  ///< that are joined before neighbours are
  static constexpr size_t kVectors = Found::kLanes / 32;
  static OPKG_INLINE void take(Found& found, HVX_Vector (&to)[Found::kParts][kVectors]) { found.words(to); }
};
template <typename T>
struct KeptLanes<Found<Sum8<T>>> {
  using Part = SumHalves;
  static constexpr size_t kPlaces = Sum8<T>::kBlock, kVectors = 2;
  static OPKG_INLINE void take(const Found<Sum8<T>>& found, HVX_Vector (&to)[1][2]) {
    const HVX_VectorPair all = Q6_W_vshuff_VVR(Q6_V_hi_W(found.shorts()), Q6_V_lo_W(found.shorts()), -2);
    to[0][0] = Q6_V_lo_W(all), to[0][1] = Q6_V_hi_W(all);
  }
};
template <typename T, bool kLargest>
struct KeptLanes<Found<Extreme<T, kLargest>>> {
  using Part = Extreme<T, kLargest>;
  static constexpr size_t kPlaces = kNoBlock, kVectors = 1;
  static OPKG_INLINE void take(const Found<Part>& found, HVX_Vector (&to)[1][1]) { to[0][0] = found.lanes(); }
};

/// Folds `n` rows of `bytes` bytes that lie one after another, to words.
template <typename Part>
void fold_to_words(const FoldedRows<Part>& slots, const FoldedOf<Part>& function, const uint8_t* at, const uint8_t* end, size_t n, size_t bytes, HVX_Vector* to) {
  constexpr size_t kLanes = Part::kLanes, kWords = kLanes / 32;
  for (size_t i = 0; i < n; i += kLanes, at += kLanes * bytes, to += kWords) {
    slots.fold(function, at, end, std::min(kLanes, n - i), to);
    if constexpr (!Part::kAdds) {
      Found<Part> found;
      found.one(*to);
      found.words(reinterpret_cast<HVX_Vector(*)[kWords]>(to));
    }
  }
}

/// Rows of `count` elements that lie one after another, and again in other places.
template <typename Found>
class FoldedLines {
  using Kept = KeptLanes<Found>;
  using Part = typename Kept::Part;
  static constexpr size_t kLanes = Found::kLanes, kElement = kBytes / kLanes, kSize = kElement * Kept::kVectors, kRoom = 8192;
  using Lines = uint8_t[Found::kParts][kRoom + kSize * 2 * kLanes];

 public:
  static constexpr size_t kMost = kRoom / kSize;  ///< elements of lines that are taken together

  explicit FoldedLines(size_t count) : slots_(count * kSize), count_(count) {}

  /// Words of `n` rows of each of some lines, which are `step` bytes apart; their places, `around` bytes.
  template <typename Rows, size_t kWords>
  void fold(const Rows& kernel, const uint8_t* at, const uint8_t* end, size_t lines, size_t step, size_t n, size_t places, size_t around, HVX_Vector (&to)[Found::kParts][kWords]) const {
    alignas(kBytes) Lines kept;
    HVX_Vector more[kWords];
    for (size_t left = places, joined; left != 0; left -= joined, at += joined * around) {
      joined = Kept::kPlaces == kNoBlock || left <= Kept::kPlaces ? left : std::min(left / 2, Kept::kPlaces);
      take_lines(kernel, at, end, lines, step, n * count_, joined, around, kept);
      for (uint32_t part = 0; part < Found::kParts; ++part) {
        fold_to_words<Part>(slots_, FoldedOf<Part>(), kept[part], kept[part] + sizeof(kept[0]), lines * n, count_ * kSize, left == places ? to[part] : more);
        for (size_t i = 0; left != places && 32 * i < lines * n; ++i) to[part][i] = Q6_Vw_vadd_VwVw(to[part][i], more[i]);
      }
    }
  }

 private:
  /// Joins the places of `count` elements of each line. What follows those is written over by the next line.
  template <typename Rows>
  OPKG_APART static void take_lines(const Rows& kernel, const uint8_t* at, const uint8_t* end, size_t lines, size_t step, size_t count, size_t places, size_t around, Lines& kept) {
    constexpr uint32_t kSide = Found::kParts * kLanes > kBytes ? 1 : 2;  // what registers hold
    const uint8_t* const last = end - (places - 1) * around;
    for (size_t to = 0; lines != 0; --lines, at += step, to += count * kSize) {
      const uint8_t* from = at;
      size_t now = to;
      for (size_t left = count; left != 0;) {
        const size_t there = static_cast<size_t>(last - from);
        if (kSide == 2 && left > kLanes && there >= kSide * kBytes) {
          take<kSide>(kernel, from, places, around, kept, now);
          left -= std::min(left, kSide * kLanes), from += kSide * kBytes, now += kSide * kSize * kLanes;
          continue;
        }
        if (there >= kBytes) {
          take<1>(kernel, from, places, around, kept, now);
        } else {
          take_end(kernel, from, end, places, around, kept, now);
        }
        left -= std::min(left, kLanes), from += kBytes, now += kSize * kLanes;
      }
    }
  }

  /// Of vectors side by side, two places at least where they are taken two by two.
  template <uint32_t kSide, typename Rows>
  OPKG_INLINE static void take(const Rows& kernel, const uint8_t* at, size_t places, size_t around, Lines& kept, size_t to) {
    Found found[kSide];
    bind(kernel, found);
    take_places(found, at, places, around);
    put(found, kept, to);
  }

  /// Of a vector behind whose last places the tensor ends.
  template <typename Rows>
  OPKG_APART static void take_end(const Rows& kernel, const uint8_t* at, const uint8_t* end, size_t places, size_t around, Lines& kept, size_t to) {
    Found found[1];
    bind(kernel, found);
    size_t whole = places;
    const uint8_t* from = at + places * around;
    while (whole != 0 && static_cast<size_t>(end - (from -= around)) < kBytes) --whole;
    if (whole > 1) {
      take_places(found, at, whole, around);
      at += whole * around, places -= whole;
    }
    for (; places != 0; --places, at += around) found[0].one(load_some(at, std::min(static_cast<size_t>(end - at), kBytes)));
    put(found, kept, to);
  }

  /// Takes a place after another, two at least.
  template <uint32_t kSide>
  OPKG_INLINE static void take_places(Found (&found)[kSide], const uint8_t* at, size_t places, size_t around) {
    if constexpr (Found::kParts * kLanes > kBytes) return take_rows<false>(found, at, places, around);  // of more than two together
    HVX_Vector one[kSide], other[kSide];
    const auto load = [&](HVX_Vector(&to)[kSide]) OPKG_INLINE_LAMBDA {
      each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { to[side] = load_unaligned(at + side * kBytes); });
      at += around;
    };
    load(one), load(other);
    OPKG_STAGED
    for (size_t i = places / 2 - 1; i != 0; --i) {
      each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].two(one[side], other[side]); });
      load(one), load(other);
    }
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].two(one[side], other[side]); });
    if (places % 2 == 0) return;
    load(one);
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].one(one[side]); });
  }

  /// Writes what was found of vectors side by side.
  template <uint32_t kSide>
  OPKG_INLINE static void put(Found (&found)[kSide], Lines& kept, size_t to) {
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
      HVX_Vector lanes[Found::kParts][Kept::kVectors];
      Kept::take(found[side], lanes);
      for (uint32_t part = 0; part < Found::kParts; ++part) {
        for (size_t i = 0; i < Kept::kVectors; ++i) store_unaligned(kept[part] + to + (side * Kept::kVectors + i) * kBytes, lanes[part][i]);
      }
    });
  }

  FoldedRows<Part> slots_;
  size_t count_;
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_FOLD_LINES_H_
