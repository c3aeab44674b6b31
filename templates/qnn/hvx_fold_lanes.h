// Lanes that are joined with their neighbours: of pairs of vectors, as they lie in memory or are brought to slots. C++17.
#ifndef OPKG_HVX_FOLD_LANES_H_
#define OPKG_HVX_FOLD_LANES_H_

#include "opkg/hvx_finish.h"
#include "opkg/hvx_fold_tree.h"
#include "opkg/hvx_route.h"

#if OPKG_HVX

namespace opkg::hvx {

/// What lanes hold, and how many bytes they have: `Lane` before any is joined, `Joined` behind it. Parts with other ones than vectors say so.
template <typename Part, typename = void>
struct FoldedLanes {
  using Lane = HVX_Vector;
  using Joined = HVX_Vector;
  static constexpr int32_t kSize = Part::kAdds ? 4 : static_cast<int32_t>(kBytes / Part::kLanes);
};
template <typename Part>
struct FoldedLanes<Part, std::void_t<typename Part::Joined>> {
  using Lane = typename Part::Lane;
  using Joined = typename Part::Joined;
  static constexpr int32_t kSize = 4;
};
template <typename Part>
constexpr int32_t kFoldLane = FoldedLanes<Part>::kSize;

template <typename Part, typename Lane>
OPKG_INLINE Lane join_of(const Lane& a, const Lane& b) {
  if constexpr (Part::kAdds) {
    return Q6_Vw_vadd_VwVw(a, b);
  } else {
    return Part::join(a, b);
  }
}

/// Neighbouring lanes of two vectors joined.
template <typename Part, typename Lane>
OPKG_INLINE typename FoldedLanes<Part>::Joined fold_two(const Lane& a, const Lane& b) {
  if constexpr (std::is_same_v<Lane, HVX_Vector>) {
    const HVX_VectorPair apart = Q6_W_vdeal_VVR(b, a, -kFoldLane<Part>);
    return join_of<Part>(Q6_V_lo_W(apart), Q6_V_hi_W(apart));
  } else {
    return Part::fold(a, b);
  }
}

/// Makes what a part is found of: elements as they are stored, or a function of them, a member of the struct (opkg/hvx_columns_function.h).
template <typename Part, typename = void>
struct FoldedOf {
  FoldedOf() = default;
  template <typename Rows>
  explicit FoldedOf(const Rows&) {}

  OPKG_INLINE auto begin(HVX_Vector a) const { return Part::begin(a); }
  OPKG_INLINE auto begin(HVX_VectorPred with, HVX_Vector a) const { return Part::begin(Q6_V_vmux_QVV(with, a, Part().neutral())); }
};
template <typename Part>
struct FoldedOf<Part, std::void_t<typename Part::Of>> {
  template <typename Rows>
  explicit FoldedOf(const Rows& rows) : function(rows.function()) {}

  OPKG_INLINE HVX_Vector begin(HVX_Vector a) const { return Part::begin(function, a); }
  OPKG_INLINE HVX_Vector begin(HVX_VectorPred with, HVX_Vector a) const { return Part::begin(function, with, a); }

  const typename Part::Of& function;
};

/// Vectors as they lie in memory, for a part.
template <typename Part, bool kAligned>
struct DenseVectors {
  static constexpr bool kOffsets = kAligned;
  static constexpr size_t step() { return kBytes; }
  OPKG_INLINE auto at(const uint8_t* from) const { return function.begin(kAligned ? load(from) : load_unaligned(from)); }

  FoldedOf<Part> function;
};

/// Vectors of rows that do not fill their slots.
template <typename Part>
class SpreadVectors {
 public:
  static constexpr bool kOffsets = false;

  OPKG_INLINE SpreadVectors(const FoldedOf<Part>& function, HVX_Vector control, HVX_Vector live, size_t step) : function_(function), control_(control), live_(live), step_(step) {}
  OPKG_INLINE size_t step() const { return step_; }
  OPKG_INLINE auto of(HVX_Vector v) const {
    return function_.begin(Q6_Q_vand_VR(live_, -1), Q6_V_vdelta_VV(v, control_));
  }
  OPKG_INLINE auto at(const uint8_t* from) const { return of(load_unaligned(from)); }

 private:
  FoldedOf<Part> function_;
  HVX_Vector control_, live_;
  size_t step_;
};

/// Vectors that are made, by number.
template <typename Lane>
struct MadeVectors {
  static constexpr bool kOffsets = false;
  static constexpr size_t step() { return 1; }
  OPKG_INLINE Lane at(size_t number) const { return made[number]; }

  const Lane* made;
};

/// Neighbouring elements of words joined: 4 / size vectors, at an offset of each of as many places, whose results lie side by
/// side in words. Unlike vdeal that takes any unit.
template <typename Part, typename Vectors, typename Place>
OPKG_INLINE HVX_Vector fold_into_words(const Vectors& vectors, const Place* at, size_t offset) {
  const auto halves = [](HVX_Vector a, HVX_Vector b) OPKG_INLINE_LAMBDA { return join_of<Part>(Q6_Vh_vshuffe_VhVh(b, a), Q6_Vh_vshuffo_VhVh(b, a)); };
  const auto bytes = [](HVX_Vector a, HVX_Vector b) OPKG_INLINE_LAMBDA { return join_of<Part>(Q6_Vb_vshuffe_VbVb(b, a), Q6_Vb_vshuffo_VbVb(b, a)); };
  const auto vector = [&](size_t i) OPKG_INLINE_LAMBDA { return vectors.at(at[i] + offset); };
  if constexpr (kFoldLane<Part> == 1) {
    return halves(bytes(vector(0), vector(1)), bytes(vector(2), vector(3)));
  } else {
    return halves(vector(0), vector(1));
  }
}

/// 2^kLevels such words.
template <typename Part, uint32_t kLevels, typename Vectors, typename Place>
OPKG_INLINE HVX_Vector fold_words(const Vectors& vectors, const Place* at, size_t offset) {
  if constexpr (kLevels == 0) {
    return fold_into_words<Part>(vectors, at, offset);
  } else {
    const HVX_Vector a = fold_words<Part, kLevels - 1>(vectors, at, offset);
    const HVX_Vector b = fold_words<Part, kLevels - 1>(vectors, at, offset + (vectors.step() << (kLevels - 1)));
    const HVX_VectorPair both = Q6_W_vdeal_VVR(b, a, -4);
    return join_of<Part>(Q6_V_lo_W(both), Q6_V_hi_W(both));
  }
}

/// 2^kLevels vectors folded into one.
template <typename Part, uint32_t kLevels, typename Vectors, typename Place>
OPKG_INLINE auto fold_many(const Vectors& vectors, Place at) {
  constexpr uint32_t kInWords = kFoldLane<Part> == 1 ? 2 : 1;  // levels until words are whole
  if constexpr (kLevels == 0) {
    return vectors.at(at);
  } else if constexpr (kFoldLane<Part> != 4 && kLevels >= kInWords) {
    size_t apart = vectors.step() << (kLevels - kInWords);
#if defined(__hexagon__)
    if (Vectors::kOffsets && kLevels > 3) __asm__("" : "+r"(apart));  // offsets from one place would be too long for a load
#endif
    Place places[1 << kInWords];
    OPKG_UNROLL_WHOLE
    for (uint32_t i = 0; i < 1u << kInWords; ++i) places[i] = at + i * apart;
    const HVX_Vector found = fold_words<Part, kLevels - kInWords>(vectors, places, 0);
    return kInWords == 2 ? Q6_Vb_vdeal_Vb(Q6_Vb_vdeal_Vb(found)) : Q6_Vh_vdeal_Vh(found);
  } else {
    return fold_two<Part>(fold_many<Part, kLevels - 1>(vectors, at), fold_many<Part, kLevels - 1>(vectors, at + (vectors.step() << (kLevels - 1))));
  }
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_FOLD_LANES_H_
