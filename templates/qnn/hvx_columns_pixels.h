// What is found of the columns of tensors in blocks, whose vectors hold some pixels of 32 columns each.
//
// A unit is what was found of 32 columns; its lanes are those of a vector in a block: four pixels of bytes, one after another, or
// two of 16 bits that alternate. Units are gathered into what is found of neighbouring columns, as of flat tensors.
#ifndef OPKG_HVX_COLUMNS_PIXELS_H_
#define OPKG_HVX_COLUMNS_PIXELS_H_

#include "opkg/hvx_columns.h"

#if OPKG_HVX

namespace opkg::hvx {

OPKG_INLINE HVX_Vector load_block(const uint8_t* at) {
#if defined(__hexagon__)
  return load(at);
#else
  return load_unaligned(at);  // a simulation may have blocks at any address
#endif
}

OPKG_INLINE void store_block(uint8_t* to, HVX_Vector v) {
#if defined(__hexagon__)
  store(to, v);
#else
  store_unaligned(to, v);
#endif
}

/// Bits of the first `live` pixels of a vector in a block.
template <uint32_t kElement>
OPKG_INLINE HVX_VectorPred first_pixels(size_t live) {
  if constexpr (kElement == 2) return Q6_Q_vand_VR(Q6_V_vsplat_R(live == 1 ? 0xffff : -1), -1);
  return Q6_Q_vsetq2_R(static_cast<int32_t>(32 * kElement * live));
}

/// Which vectors of the rows of a block hold pixels of an image: both, the first and some of the second one, or some of the first.
enum class Edge { none,
                  right,
                  left };

/// Takes `rows` rows (one at least) of blocks side by side. `live`: the pixels of the vector at a right edge; what is none of the image's at a left
/// one is dropped by keep() afterwards, as pixels have lanes of their own.
template <Edge kEdge, typename Found, uint32_t kSide, typename Rows>
OPKG_INLINE void take_block(Found (&found)[kSide], const uint8_t* const (&blocks)[kSide], Rows rows, [[maybe_unused]] HVX_VectorPred live) {
  const uint8_t* at[kSide];
  each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { at[side] = blocks[side]; });
  const auto row = [&]() OPKG_INLINE_LAMBDA {
    HVX_Vector first[kSide];
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { first[side] = load_block(at[side]); });
    each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
      if constexpr (kEdge == Edge::left) {
        found[side].one(first[side]);
      } else if constexpr (kEdge == Edge::right) {
        found[side].two_where(live, first[side], load_block(at[side] + kBytes));
      } else {
        found[side].two(first[side], load_block(at[side] + kBytes));
      }
      at[side] += 2 * kBytes;
    });
  };
  if constexpr (kSide > 1 && kEdge != Edge::right) {  // the compiler's pipeline would add what was loaded in the packet before
    size_t left = rows;
    OPKG_STAGED
    do row();
    while (--left != 0);
  } else if constexpr (kSide == 4) {
    size_t left = rows;
    OPKG_UNROLL(1)
    do row();
    while (--left != 0);
  } else {
    OPKG_UNROLL(4 / kSide)
    for (size_t i = 0; i < rows; ++i) row();
  }
}

/// Joins the four pixels of 32 bytes in vectors of up to four units.
template <uint32_t kUnits, typename Of, typename Join>
OPKG_INLINE HVX_Vector of_pixels(const Of& of, const Join& join) {
  const HVX_Vector a = of(0), b = kUnits > 1 ? of(1) : a;
  const HVX_VectorPair first = Q6_W_vshuff_VVR(b, a, -32);
  const HVX_Vector ab = join(Q6_V_hi_W(first), Q6_V_lo_W(first));
  HVX_Vector cd = ab;
  if constexpr (kUnits > 2) {
    const HVX_VectorPair second = Q6_W_vshuff_VVR(of(3), of(2), -32);
    cd = join(Q6_V_hi_W(second), Q6_V_lo_W(second));
  }
  const HVX_VectorPair all = Q6_W_vshuff_VVR(cd, ab, -64);
  return join(Q6_V_hi_W(all), Q6_V_lo_W(all));
}

/// The same of pairs. `kShort`: of 16-bit sums.
template <uint32_t kUnits, bool kShort, typename Of>
OPKG_INLINE HVX_VectorPair sums_of_pixels(const Of& of) {
  const auto add = [](HVX_Vector a, HVX_Vector b) OPKG_INLINE_LAMBDA { return kShort ? Q6_Vh_vadd_VhVh(a, b) : Q6_Vw_vadd_VwVw(a, b); };
  const HVX_Vector low = of_pixels<kUnits>([&](uint32_t i) OPKG_INLINE_LAMBDA { return Q6_V_lo_W(of(i)); }, add);
  const HVX_Vector high = of_pixels<kUnits>([&](uint32_t i) OPKG_INLINE_LAMBDA { return Q6_V_hi_W(of(i)); }, add);
  return Q6_W_vcombine_VV(high, low);
}

template <typename T>
struct Gather<Sum8<T>> {
  template <uint32_t kUnits, bool kShort, typename Units>
  OPKG_INLINE static void set(Sum8<T>& to, Units& units) {
    const auto unit = [&](uint32_t i) OPKG_INLINE_LAMBDA -> Sum8<T>& { return units[i]; };
    if constexpr (kShort) {
      to.halves = sums_of_pixels<kUnits, true>([&](uint32_t i) OPKG_INLINE_LAMBDA { return unit(i).halves; });
    } else {
      for (uint32_t i = 0; i < kUnits; ++i) unit(i).empty();
      to.even = sums_of_pixels<kUnits, false>([&](uint32_t i) OPKG_INLINE_LAMBDA { return unit(i).even; });
      to.odd = sums_of_pixels<kUnits, false>([&](uint32_t i) OPKG_INLINE_LAMBDA { return unit(i).odd; });
    }
  }
};

template <typename T>
struct Gather<Squares<T>> {
  template <uint32_t kUnits, bool, typename Units>
  OPKG_INLINE static void set(Squares<T>& to, Units& units) {
    const auto unit = [&](uint32_t i) OPKG_INLINE_LAMBDA -> Squares<T>& { return units[i]; };
    to.even = sums_of_pixels<kUnits, false>([&](uint32_t i) OPKG_INLINE_LAMBDA { return unit(i).even; });
    to.odd = sums_of_pixels<kUnits, false>([&](uint32_t i) OPKG_INLINE_LAMBDA { return unit(i).odd; });
  }
};

template <typename T, typename Function>
struct Gather<Sum16<T, Function>> {
  template <uint32_t kUnits, bool, typename Units>
  OPKG_INLINE static void set(Sum16<T, Function>& to, Units& units) {
    const auto of = [&](uint32_t i) OPKG_INLINE_LAMBDA {
      const Sum16<T, Function>& unit = units[i];
      return Q6_Vw_vadd_VwVw(Q6_V_lo_W(unit.sums), Q6_V_hi_W(unit.sums));
    };
    to.sums = Q6_W_vdeal_VVR(of(kUnits - 1), of(0), -4);
  }
};

template <typename T, bool kLargest>
struct Gather<Extreme<T, kLargest>> {
  template <uint32_t kUnits, bool, typename Units>
  OPKG_INLINE static void set(Extreme<T, kLargest>& to, Units& units) {
    const auto of = [&](uint32_t i) OPKG_INLINE_LAMBDA { return static_cast<const Extreme<T, kLargest>&>(units[i]).found; };
    if constexpr (sizeof(T) == 1) {
      to.found = of_pixels<kUnits>(of, Extreme<T, kLargest>::join);
    } else {
      const HVX_VectorPair both = Q6_W_vdeal_VVR(of(kUnits - 1), of(0), -2);
      to.found = Extreme<T, kLargest>::join(Q6_V_lo_W(both), Q6_V_hi_W(both));
    }
  }
};

/// What was found of units, column by column. `kShort`: in 16 bits, of up to 256 elements of bytes.
template <bool kShort, uint32_t kUnits, typename... Parts>
OPKG_INLINE Found<Parts...> gathered(Found<Parts...> (&units)[kUnits]) {
  Found<Parts...> found;
  (Gather<Parts>::template set<kUnits, kShort>(found, units), ...);
  return found;
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_COLUMNS_PIXELS_H_
