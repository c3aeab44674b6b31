// Rows and columns in slots that have elements in several places: what is found of these is joined before neighbouring lanes are. C++17.
#ifndef OPKG_HVX_FOLD_PLACES_H_
#define OPKG_HVX_FOLD_PLACES_H_

#include "opkg/hvx_fold_words.h"
#include "opkg/hvx_placed_rows.h"

#if OPKG_HVX

namespace opkg::hvx {

/// How what a part is found of is gathered from vectors, of which elements count where `live` has ones.
template <typename Part>
struct Gathered {
  using Sum = typename FoldedLanes<Part>::Lane;

  OPKG_INLINE static Sum none() {
    if constexpr (Part::kAdds) return Q6_V_vzero();
    return Part().neutral();
  }
  OPKG_INLINE static Sum more(const FoldedOf<Part>& function, const Sum& found, HVX_Vector live, HVX_Vector v) {
    return join_of<Part>(found, function.begin(Q6_Q_vand_VR(live, -1), v));
  }
  OPKG_INLINE static Sum lanes(const Sum& found) { return found; }
};

template <typename T>
struct Gathered<Sum8<T>> {
  using Sum = HVX_Vector;

  OPKG_INLINE static Sum none() { return Q6_V_vzero(); }
  OPKG_INLINE static Sum more(const FoldedOf<Sum8<T>>&, Sum found, HVX_Vector live, HVX_Vector v) {
    if constexpr (std::is_signed_v<T>) v = Q6_V_vxor_VV(v, Sum8<T>().neutral());
    return Q6_Vuw_vrmpyacc_VuwVubVub(found, v, Q6_V_vand_VV(live, Q6_V_vsplat_R(0x01010101)));
  }
  OPKG_INLINE static HVX_Vector lanes(Sum found) { return found; }
};

template <typename T>
struct Gathered<Sum16<T>> {
  using Sum = HVX_VectorPair;

  OPKG_INLINE static Sum none() { return Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero()); }
  OPKG_INLINE static Sum more(const FoldedOf<Sum16<T>>&, Sum found, HVX_Vector live, HVX_Vector v) {
    if constexpr (std::is_signed_v<T>) v = Q6_V_vxor_VV(v, Sum16<T>().neutral());
    return Q6_Ww_vaddacc_WwVuhVuh(found, Q6_V_vand_VV(v, live), Q6_V_vzero());
  }
  OPKG_INLINE static HVX_Vector lanes(Sum found) { return Q6_Vw_vadd_VwVw(Q6_V_lo_W(found), Q6_V_hi_W(found)); }
};

template <>
struct Gathered<FoldedWords> {
  using Sum = FoldedWords::Lane;

  OPKG_INLINE static Sum none() { return {Q6_V_vzero(), Q6_V_vzero()}; }
  OPKG_INLINE static Sum more(const FoldedOf<FoldedWords>&, const Sum& found, HVX_Vector live, HVX_Vector v) {
    v = Q6_V_vand_VV(v, live);
    return {Q6_Vw_vadd_VwVw(found.all, v), Q6_Vw_vasracc_VwVwR(found.top, v, 16)};
  }
  OPKG_INLINE static Sum lanes(const Sum& found) { return found; }
};

/// What a part is found of such rows, up to kMost vectors at a time: of 2^levels of them it lies in one, four vectors are written at a time.
template <typename Part>
class FoldedPlaces {
  using Gather = Gathered<Part>;
  using Lane = typename FoldedLanes<Part>::Joined;
  using Sum = typename Gather::Sum;
  enum class Rows { once,
                    often,
                    longer,
                    columns };  ///< in one place, in several, or more than a vector each; columns of any kind

 public:
  static constexpr size_t kMost = 128;

  OPKG_INLINE FoldedPlaces(const FoldedOf<Part>& function, const PlacedRows& rows, size_t places, size_t around)
      : function_(function), rows_(rows), places_(places), around_(around) {}

  void fold(const uint8_t* at, const uint8_t* end, size_t n, Lane* to) const {
    Lane made[kMost / 4], some[kMost / 16];
    const auto all = [&](auto kLevels, Lane* first) OPKG_INLINE_LAMBDA {
      const size_t fours = rows_.whole(at + (places_ - 1) * around_, end, n, rows_.step) / 4;
      if (rows_.turned) {
        take_fours<kLevels, Rows::columns>(at, fours, first);
      } else if (rows_.deep != 0) {
        if constexpr (kLevels == 2) take_fours<2, Rows::longer>(at, fours, first);
      } else {
        places_ == 1 ? take_fours<kLevels, Rows::once>(at, fours, first) : take_fours<kLevels, Rows::often>(at, fours, first);
      }
      if (4 * fours < n) take_rest<kLevels>(at + 4 * fours * rows_.step, end, n - 4 * fours, first + (fours << (2 - kLevels)));
    };
    uint32_t levels = rows_.levels;
    if (levels == 0) return all(std::integral_constant<uint32_t, 0>(), to);
    if (levels == 1) return all(std::integral_constant<uint32_t, 1>(), to);
    Lane *from = made, *next = some;
    all(std::integral_constant<uint32_t, 2>(), levels == 2 ? to : from);
    for (levels -= 2, n = (n + 3) / 4; levels > 2; levels -= 2, n = (n + 3) / 4) join<2>(from, n, next), std::swap(from, next);
    if (levels == 2) join<2>(from, n, to);
    if (levels == 1) join<1>(from, n, to);
  }

 private:
  template <uint32_t kLevels, Rows kRows>
  __attribute__((noinline)) void take_fours(const uint8_t* at, size_t fours, Lane* to) const {
    const PlacedRows rows = rows_;  // kept apart from what is written
    const FoldedPlaces now(function_, rows, places_, around_);
    for (; fours != 0; --fours, at += 4 * rows.step) {
      Sum found[4];
      each_side<4>([&](auto side) OPKG_INLINE_LAMBDA { found[side] = Gather::none(); });
      now.template take<kRows>(at, places_, found);
      Lane lanes[4];
      each_side<4>([&](auto side) OPKG_INLINE_LAMBDA { lanes[side] = Gather::lanes(found[side]); });
      write<kLevels>(lanes, to);
    }
  }

  /// Of vectors of which less than four are left, or that are not read whole.
  template <uint32_t kLevels>
  __attribute__((noinline)) void take_rest(const uint8_t* at, const uint8_t* end, size_t n, Lane* to) const {
    const bool single = places_ == 1 && rows_.deep == 0;
    for (; n != 0; n -= std::min<size_t>(n, 4)) {
      Lane lanes[4];
      for (size_t i = 0; i < 4; ++i, at += rows_.step) lanes[i] = i >= n ? lanes[0] : single ? Gather::lanes(of(Gather::none(), rows_.live, at, end))
                                                                                             : one(at, end);
      write<kLevels>(lanes, to);
    }
  }

  /// With what is there of one vector.
  OPKG_INLINE Sum of(const Sum& found, HVX_Vector live, const uint8_t* at, const uint8_t* end) const {
    const HVX_Vector v = load_some(at, std::min(static_cast<size_t>(end - at), kBytes));
    return Gather::more(function_, found, live, Q6_V_vdelta_VV(Q6_V_vrdelta_VV(v, rows_.turn), rows_.control));
  }

  /// Of a vector, behind whose last places the tensor may end.
  __attribute__((noinline)) Lane one(const uint8_t* at, const uint8_t* end) const {
    constexpr size_t kFew = 4;  // are looked at one by one
    const size_t whole = places_ > kFew || rows_.deep > kFew ? rows_.whole(at, end, places_, around_) : 0;
    Sum found[1] = {Gather::none()};
    if (whole != 0) rows_.turned ? take<Rows::columns>(at, whole, found) : take<Rows::longer>(at, whole, found);
    at += whole * around_;
    for (size_t left = places_ - whole; left != 0; --left, at += around_) {
      const uint8_t* from = at + rows_.first;
      found[0] = of(found[0], rows_.live, at, end);
      for (size_t deep = rows_.deep; deep != 0; --deep, from += rows_.chunk) found[0] = of(found[0], Q6_V_vsplat_R(-1), from, end);
    }
    return Gather::lanes(found[0]);
  }

  /// Takes kSide vectors side by side.
  template <Rows kRows, uint32_t kSide>
  OPKG_INLINE void take(const uint8_t* at, size_t places, Sum (&found)[kSide]) const {
    take_some<kRows>(rows_.live, at, places, around_, found);
    if (kRows == Rows::once || kRows == Rows::often || rows_.deep == 0) return;
    at += rows_.first;
    for (size_t left = places; left != 0; --left, at += around_) take_some<kRows>(Q6_V_vsplat_R(-1), at, rows_.deep, rows_.chunk, found);
  }
  template <Rows kRows, uint32_t kSide>
  OPKG_INLINE void take_some(HVX_Vector live, const uint8_t* at, size_t places, size_t around, Sum (&found)[kSide]) const {
    const HVX_Vector turn = rows_.turn, control = rows_.control;
    const size_t step = rows_.step;
    const FoldedOf<Part> function = function_;
    const auto in_slots = [&](HVX_Vector v) OPKG_INLINE_LAMBDA { return Q6_V_vdelta_VV(kRows == Rows::columns ? Q6_V_vrdelta_VV(v, turn) : v, control); };
    HVX_Vector v[kSide];
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { v[side] = load_unaligned(at + side * step); });
    OPKG_STAGED
    for (size_t left = kRows == Rows::once ? 0 : places - 1; left != 0; --left) {
      at += around;
      each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
        const HVX_Vector now = in_slots(v[side]);
        v[side] = load_unaligned(at + side * step);
        found[side] = Gather::more(function, found[side], live, now);
      });
    }
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side] = Gather::more(function, found[side], live, in_slots(v[side])); });
  }

  /// Writes four vectors whose neighbouring lanes are joined.
  template <uint32_t kLevels>
  static OPKG_INLINE void write(const Lane (&lanes)[4], Lane*& to) {
    if constexpr (kLevels == 0) {
      for (const Lane& each : lanes) *to++ = each;
    } else {
      const Lane low = fold_two<Part>(lanes[0], lanes[1]), high = fold_two<Part>(lanes[2], lanes[3]);
      if constexpr (kLevels == 1) *to++ = low, *to++ = high;
      if constexpr (kLevels == 2) *to++ = fold_two<Part>(low, high);
    }
  }

  /// The same of `n` vectors in memory, 2^kLevels of which become one.
  template <uint32_t kLevels>
  static __attribute__((noinline)) void join(const Lane* from, size_t n, Lane* to) {
    Lane lanes[4];
    OPKG_UNROLL(1)
    for (; n >= 4; n -= 4, from += 4) {
      each_side<4>([&](auto side) OPKG_INLINE_LAMBDA { lanes[side] = from[side]; });
      write<kLevels>(lanes, to);
    }
    if (n == 0) return;
    for (size_t i = 0; i < 4; ++i) lanes[i] = from[i < n ? i : 0];
    write<kLevels>(lanes, to);
  }

  const FoldedOf<Part>& function_;
  const PlacedRows& rows_;
  size_t places_, around_;
};

/// Any number of vectors.
template <typename Part, typename Lane>
void fold_vectors(const FoldedOf<Part>& function, const PlacedRows& rows, const uint8_t* at, const uint8_t* end, size_t n, size_t places, size_t around, Lane* to) {
  const FoldedPlaces<Part> folded(function, rows, places, around);
  for (size_t some; n != 0; n -= some, at += some * rows.step, to += FoldedPlaces<Part>::kMost >> rows.levels) {
    some = std::min(n, FoldedPlaces<Part>::kMost);
    folded.fold(at, end, some, to);
  }
}

/// The same of all parts, in words: those of a vector take as many lanes as it has slots.
template <typename Found>
class AllFoldedPlaces;
template <typename Part>
class AllFoldedPlaces<Found<Part>> : public PlacedRows {
  static constexpr size_t kWords = Part::kLanes / 32;

 public:
  template <typename... Shape>
  explicit AllFoldedPlaces(Shape... shape) : PlacedRows(kFoldLane<Part>, shape...) {}

  /// Of `n` vectors.
  template <typename Rows, size_t kRoom>
  void fold(const Rows& kernel, const uint8_t* at, const uint8_t* end, size_t n, size_t places, size_t around, HVX_Vector (&to)[1][kRoom]) const {
    const FoldedOf<Part> function(kernel);
    fold_vectors<Part>(function, *this, at, end, n, places, around, to[0]);
    if constexpr (!Part::kAdds) {
      for (size_t i = (n * room() + Part::kLanes - 1) / Part::kLanes; i-- > 0;) {  // from the last one: words of one vector take several
        Found<Part> found;
        HVX_Vector words[1][kWords] = {{to[0][i]}};
        found.each(words);
        found.words(words);
        for (size_t k = 0; k < kWords; ++k) to[0][i * kWords + k] = words[0][k];
      }
    }
  }
};

/// Sums of 32-bit numbers, low and high halves apart.
template <>
class AllFoldedPlaces<Found<SumLow, SumTop>> : public PlacedRows {
 public:
  explicit AllFoldedPlaces(size_t bytes) : PlacedRows(sizeof(int32_t), bytes), count_(bytes / sizeof(int32_t)) {}
  AllFoldedPlaces(size_t bytes, size_t columns, size_t count) : PlacedRows(sizeof(int32_t), bytes, columns, count), count_(count) {}

  template <typename Rows, size_t kRoom>
  void fold(const Rows&, const uint8_t* at, const uint8_t* end, size_t n, size_t places, size_t around, HVX_Vector (&to)[2][kRoom]) const {
    FoldedWords::Lane found[kRoom];
    fold_vectors<FoldedWords>(FoldedOf<FoldedWords>(), *this, at, end, n, places, around, found);
    for (size_t i = 0; 32 * i < n * room(); ++i) found[i].halves(count_ * places, to[0][i], to[1][i]);
  }

 private:
  size_t count_;  ///< elements of a result in one place
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_FOLD_PLACES_H_
