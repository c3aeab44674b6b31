// What is found of columns by some parts together (opkg/hvx_columns_parts.h), and rows of vectors side by side that they take.
#ifndef OPKG_HVX_COLUMNS_H_
#define OPKG_HVX_COLUMNS_H_

#include "opkg/columns_fold.h"
#include "opkg/hvx_columns_parts.h"
#include "opkg/hvx_columns_slight.h"

#if OPKG_HVX

namespace opkg::hvx {

using columns::Fold;

/// Some parts that see the same elements.
template <typename... Parts>
struct Found : Parts... {
  static constexpr uint32_t kParts = sizeof...(Parts);
  static constexpr size_t kLanes = std::max({Parts::kLanes...}), kBlock = std::min({Parts::kBlock...});
  static constexpr size_t kHeld = std::min({Parts::kHeld...});
  static constexpr uint32_t kBeside = kParts == 1 ? 4 : kLanes == 64 ? 2
                                                                     : 1;  ///< units of blocks that registers hold
  static constexpr bool kShort = kParts == 1 && (Parts::kShort && ...);
  static constexpr bool kAdds[sizeof...(Parts)] = {Parts::kAdds...}, kLargest[sizeof...(Parts)] = {Parts::kLargestOne...};
  static constexpr int32_t kLow[] = {Parts::kLow...}, kHigh[] = {Parts::kHigh...}, kOffset[] = {Parts::kOffset...};

  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { (Parts::two(a, b), ...); }
  OPKG_INLINE void one(HVX_Vector a) { (Parts::one(a), ...); }
  /// A row for each part.
  OPKG_INLINE void each(HVX_Vector (*rows)[kLanes / 32]) { (Parts::one(**rows++), ...); }
  OPKG_INLINE void empty() { (Parts::empty(), ...); }

  /// A row whose first `live` bytes hold elements.
  OPKG_INLINE void some(HVX_Vector a, size_t live) {
    const HVX_VectorPred with = Q6_Q_vsetq2_R(static_cast<int32_t>(live));
    (part_one<Parts>(with, a, 0), ...);
  }
  /// Two rows, of the second one elements in a set of lanes.
  OPKG_INLINE void two_where(HVX_VectorPred with, HVX_Vector a, HVX_Vector b) {
    (part_two<Parts>(with, a, b, 0), ...);
  }

  /// Nothing but what was found of some pixels of a vector in blocks.
  OPKG_INLINE void keep(HVX_VectorPred pixels) { (Parts::keep(pixels), ...); }

  /// The numbers of every part, one after another: kLanes / 32 vectors each.
  OPKG_INLINE void words(HVX_Vector (*to)[kLanes / 32]) { (part_words<Parts>(*to++, 0), ...); }

  /// Joins words of a part: of a sum, or of the only one.
  OPKG_INLINE static HVX_Vector both(HVX_Vector a, HVX_Vector b) {
    if constexpr (kAdds[0]) return Q6_Vw_vadd_VwVw(a, b);
    return (joined<Parts>(a, b), ...);
  }

  /// Joins `n` numbers with those `from` places on, where their number in `places` is below `end`, into `to`.
  static void fold_below(uint32_t part, int32_t* to, const int32_t* kept, const int32_t* places, size_t end, size_t from, size_t n) {
    uint32_t number = 0;
    ((number++ == part ? fold_some<Parts>(to, kept, places, end, from, n) : void()), ...);
  }

  /// Joins neighbours, `width` numbers each (a power of two below 32), of `n` numbers: half as many, one after another.
  static void fold_pairs(uint32_t part, int32_t* kept, size_t width, size_t n) {
    uint32_t number = 0;
    ((number++ == part ? fold_neighbours<Parts>(kept, width, n) : void()), ...);
  }

  /// Joins the numbers of columns: the first ones are what was found. See fold_columns.
  static void fold_all(uint32_t part, int32_t* kept, const Fold& fold) {
    uint32_t number = 0;
    ((number++ == part ? fold_vectors<Parts>(kept, fold) : void()), ...);
  }
  /// The same of up to 32 columns and all parts; what was found is in vectors.
  template <size_t kRoom>
  OPKG_INLINE static void fold_few(const int32_t (*kept)[kRoom], const Fold& fold, HVX_Vector (*to)[1]) {
    ((*(*to++) = fold_vector<Parts>(*kept++, fold)), ...);
  }

 private:
  /// Of a part that masks what it makes of elements, or has an element that changes nothing.
  template <typename Part, auto = &Part::one_where>
  OPKG_INLINE void part_one(HVX_VectorPred with, HVX_Vector a, int) {
    Part::one_where(with, a);
  }
  template <typename Part>
  OPKG_INLINE void part_one(HVX_VectorPred with, HVX_Vector a, long) {
    Part::one(Q6_V_vmux_QVV(with, a, Part::neutral()));
  }
  template <typename Part, auto = &Part::two_where>
  OPKG_INLINE void part_two(HVX_VectorPred with, HVX_Vector a, HVX_Vector b, int) {
    Part::two_where(with, a, b);
  }
  template <typename Part>
  OPKG_INLINE void part_two(HVX_VectorPred with, HVX_Vector a, HVX_Vector b, long) {
    Part::two(a, Q6_V_vmux_QVV(with, b, Part::neutral()));
  }

  /// Of a part that another one has found.
  template <typename Part, typename Other = typename Part::Other>
  OPKG_INLINE void part_words(HVX_Vector* to, int) {
    Part::words(to, static_cast<const Other&>(*this));
  }
  template <typename Part>
  OPKG_INLINE void part_words(HVX_Vector* to, long) {
    Part::words(to);
  }

  template <typename Part>
  OPKG_INLINE static HVX_Vector joined(HVX_Vector a, HVX_Vector b) {
    if constexpr (Part::kAdds) {
      return Q6_Vw_vadd_VwVw(a, b);
    } else {
      return Part::folded(a, b);
    }
  }

  template <typename Part>
  static void fold_some(int32_t* __restrict to, const int32_t* __restrict kept, const int32_t* __restrict places, size_t end, size_t from, size_t n) {
    const int32_t* other = kept + from;
    if (end == from) {  // nothing else counts
      for (size_t left = (n + 31) / 32; left != 0; --left, to += 32, kept += 32, other += 32) store(to, joined<Part>(load(kept), load_unaligned(other)));
      return;
    }
    const HVX_Vector ends = Q6_V_vsplat_R(static_cast<int32_t>(end));
    for (size_t left = (n + 31) / 32; left != 0; --left, to += 32, kept += 32, other += 32, places += 32) {
      const HVX_Vector a = load(kept), both = joined<Part>(a, load_unaligned(other));
      store(to, Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(ends, load(places)), both, a));
    }
  }

  template <typename Part>
  static void fold_neighbours(int32_t* kept, size_t width, size_t n) {
    const int32_t apart = -static_cast<int32_t>(width * sizeof(int32_t));
    for (size_t i = 0; i < n; i += 64) {
      const HVX_VectorPair both = Q6_W_vdeal_VVR(load(kept + i + 32), load(kept + i), apart);
      store(kept + i / 2, joined<Part>(Q6_V_lo_W(both), Q6_V_hi_W(both)));
    }
  }

  template <typename Part>
  static void fold_vectors(int32_t* kept, const Fold& fold) {
    for (size_t i = 0; i < fold.width; i += 32) store(kept + i, fold_vector<Part>(kept + i, fold));
  }

  template <typename Part>
  OPKG_INLINE static HVX_Vector fold_vector(const int32_t* kept, const Fold& fold) {
    const size_t width = fold.width, step = fold.abreast * width;
    HVX_Vector all = load(kept);
    const int32_t* from = kept + step;
    OPKG_UNROLL(1)  // else eight turns are one, and addresses of all of them are made in front
    for (size_t i = fold.turns; i != 0; --i, from += step) all = joined<Part>(all, load_unaligned(from));
    if (fold.rest != 0) all = first<Part>(all, load_unaligned(from), fold.rest);
    OPKG_STAGED
    for (size_t k = fold.abreast / 2; k != 0; k /= 2) all = joined<Part>(all, Q6_V_vror_VR(all, static_cast<int32_t>(k * width * sizeof(int32_t))));
    return all;
  }

  /// Joins the first n lanes only, fewer than 32.
  template <typename Part>
  OPKG_INLINE static HVX_Vector first(HVX_Vector a, HVX_Vector b, size_t n) {
    return Q6_V_vmux_QVV(Q6_Q_vsetq_R(static_cast<int32_t>(n * sizeof(int32_t))), joined<Part>(a, b), a);
  }
};

/// Joins the words of columns that stand side by side, part by part.
template <typename Found, size_t kRoom>
void fold_columns(int32_t (*kept)[kRoom], const Fold& fold) {
  for (uint32_t part = 0; part < Found::kParts; ++part) Found::fold_all(part, kept[part], fold);
}

/// The numbers 0 to `panel` - 1, again and again, in vectors.
inline void number_places(int32_t* to, size_t n, int32_t panel) {
  const auto less = [](HVX_Vector v, int32_t by) OPKG_INLINE_LAMBDA {
    return Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R(by), v), v, Q6_Vw_vsub_VwVw(v, Q6_V_vsplat_R(by)));
  };
  alignas(128) int32_t first[32];
  for (int32_t i = 0; i < 32; ++i) first[i] = i;
  HVX_Vector place = load(first);
  for (int32_t by = panel < 32 ? panel * 16 : 0; by >= panel && by != 0; by /= 2) place = less(place, by);
  for (size_t i = 0; i < n; i += 32, place = less(Q6_Vw_vadd_VwVw(place, Q6_V_vsplat_R(32 % panel)), panel)) store(to + i, place);
}

/// Whether neighbours of `pieces` that stand side by side are joined two by two.
inline bool is_paired(size_t pieces, size_t width) { return pieces % 2 == 0 && width < 32 && (width & (width - 1)) == 0; }

/// The numbers that fold_panels asks for.
inline void place_panels(int32_t* places, size_t panels, size_t pieces, size_t width) {
  while (is_paired(pieces, width)) pieces /= 2;
  if ((pieces & (pieces - 1)) != 0) number_places(places, panels * pieces * width, static_cast<int32_t>(pieces * width));
}

/// The same of several panels, one after another; then `packed` has the columns of those from number `first` on.
template <typename Found, size_t kRoom>
void fold_panels(int32_t (*packed)[kRoom], int32_t (*kept)[kRoom], const int32_t* places, size_t panels, size_t pieces, size_t width, size_t first) {
  for (; is_paired(pieces, width); pieces /= 2) {
    for (uint32_t part = 0; part < Found::kParts; ++part) Found::fold_pairs(part, kept[part], width, panels * pieces * width);
  }
  const size_t panel = pieces * width, n = panels * panel, columns = n - first * panel;
  alignas(128) int32_t room[kRoom];
  for (uint32_t part = 0; part < Found::kParts; ++part) {
    int32_t *now = kept[part], *next = room;
    for (size_t left = pieces; left > 1; left = (left + 1) / 2) {
      const size_t from = (left + 1) / 2 * width;
      Found::fold_below(part, next, now, places, left * width - from, from, n - panel + from);
      std::swap(now, next);
    }
    const int32_t* __restrict from = now + first * panel;
    int32_t* __restrict to = packed[part];
    for (size_t k = 0; pieces == 1 && k < columns; k += 32) store(to + k, load_unaligned(from + k));
    if (pieces == 1) continue;
    for (size_t i = panels - first; i != 0; --i, from += panel, to += width) {  // what follows is written over by the next one
      *to = *from;
      for (size_t k = 0; width != 1 && k < width; k += 32) store_unaligned(to + k, load_unaligned(from + k));
    }
  }
}

/// Calls a function for vectors 0 to kSide - 1 side by side. What it indexes stays in registers, unlike in a loop.
template <uint32_t kSide, typename Function>
OPKG_INLINE void each_side(const Function& function) {
  static_assert(kSide == 1 || kSide == 2 || kSide == 4, "more than registers hold");
  if constexpr (kSide > 1) each_side<kSide / 2>(function);
  if constexpr (kSide == 1) function(std::integral_constant<uint32_t, 0>());
  if constexpr (kSide == 2) function(std::integral_constant<uint32_t, 1>());
  if constexpr (kSide == 4) function(std::integral_constant<uint32_t, 2>()), function(std::integral_constant<uint32_t, 3>());
}

/// Whether what is found of columns is a sum of a function of elements, a member of the struct.
template <typename Rows, typename = void>
struct HasFunction : std::false_type {};
template <typename Rows>
struct HasFunction<Rows, std::void_t<decltype(&Rows::function)>> : std::true_type {};

/// Gives what finds numbers of vectors side by side the function.
template <typename Rows, typename Found, uint32_t kSide>
OPKG_INLINE void bind(const Rows& rows, Found (&found)[kSide]) {
  if constexpr (HasFunction<Rows>::value) {
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].bind(rows.function()); });
  }
}

/// Bytes from the first vector to the last one, where vectors stand side by side.
template <uint32_t kSide>
constexpr size_t kToLast = (kSide - 1) * kBytes;

/// Where the vectors of a row are that stand side by side, the last one `last` bytes behind the first. Unless they are lines, each has a
/// pointer whose distance from the others the compiler does not know: it would make aligned loads of neighbours and turn them, which takes
/// more packets.
template <bool kAligned, uint32_t kSide>
class Beside {
 public:
  OPKG_INLINE_TINY Beside(const uint8_t* at, size_t last) {
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
      at_[side] = at + (side + 1 == kSide ? last : side * kBytes);
#if defined(__hexagon__)
      if (!kAligned) __asm__("" : "+r"(at_[side]));
#endif
    });
  }
  OPKG_INLINE HVX_Vector vector(uint32_t side) const { return kAligned ? load(at_[side]) : load_unaligned(at_[side]); }
  OPKG_INLINE void move(size_t bytes) {
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { at_[side] += bytes; });
  }

 private:
  const uint8_t* at_[kSide];
};

/// Takes `rows` rows of vectors side by side, `stride` bytes apart.
template <bool kAligned, typename Found, uint32_t kSide>
OPKG_INLINE void take_rows(Found (&found)[kSide], const uint8_t* at, size_t rows, size_t stride, size_t last = kToLast<kSide>) {
  const size_t pairs = rows / 2;
  Beside<kAligned, kSide> now(at, last), below(at + stride, last);
  [[maybe_unused]] constexpr uint32_t kTurns = kSide == 4 ? (kAligned ? 2 : 1) : (kAligned ? 4 : 8) / kSide;
  OPKG_UNROLL(kTurns)
  for (size_t i = 0; i < pairs; ++i) {
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].two(now.vector(side), below.vector(side)); });
    now.move(2 * stride);
    below.move(2 * stride);
  }
  if (rows % 2 == 0) return;
  each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].one(now.vector(side)); });
}

/// The same of one vector and few rows: nothing is made ready for more.
template <typename Found>
OPKG_INLINE void take_few_rows(Found& found, const uint8_t* at, size_t rows, size_t stride) {
  if (rows % 2 != 0) found.one(load_unaligned(at)), at += stride;
  OPKG_STAGED
  for (size_t i = rows / 2; i != 0; --i, at += 2 * stride) found.two(load_unaligned(at), load_unaligned(at + stride));
}

}  // namespace opkg::hvx

template <typename... Parts>
constexpr size_t opkg::columns::kMostSlight<opkg::hvx::Found<Parts...>> =
    opkg::hvx::IsSlight<opkg::hvx::Found<Parts...>>::value ? std::max<size_t>(opkg::hvx::Found<Parts...>::kLanes / 2, 32) : 32;

#endif  // OPKG_HVX
#endif  // OPKG_HVX_COLUMNS_H_
