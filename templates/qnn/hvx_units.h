// Numbers of rows in slots: found in loops over units, a word for each row, and back in all words of the slots. C++17.
#ifndef OPKG_HVX_UNITS_H_
#define OPKG_HVX_UNITS_H_

#include "opkg/hvx_slots.h"

#if OPKG_HVX

namespace opkg::hvx {

/// What loops find of a unit in lanes of several widths, joined.
template <typename T>
struct LargestOf {
  static constexpr size_t kLane = sizeof(T);
  static OPKG_INLINE HVX_Vector join(HVX_Vector a, HVX_Vector b) { return larger(T{}, a, b); }
};
template <typename T>
struct SmallestOf {
  static constexpr size_t kLane = sizeof(T);
  static OPKG_INLINE HVX_Vector join(HVX_Vector a, HVX_Vector b) { return smaller(T{}, a, b); }
};
struct SumOf {
  static constexpr size_t kLane = 4;
  static OPKG_INLINE HVX_Vector join(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vadd_VwVw(a, b); }
};

/// What was found of each unit.
template <typename Joined>
class Units {
 public:
  OPKG_INLINE void put(size_t unit, HVX_Vector v) { found_[unit] = in_words(v); }
  OPKG_INLINE void put(size_t unit, HVX_VectorPair v) { found_[unit] = Joined::join(Q6_V_lo_W(v), Q6_V_hi_W(v)); }

  /// A word for each row. Extremes are in its lowest lane. What units find that have no rows is not defined.
  __attribute__((noinline)) HVX_Vector rows(const Slots& slots) {
    size_t units = slots.units();
    if (units == 1 && slots.levels() == 5) return join_lanes<4>(found_[0], Joined::join);  // a row that fills a vector
    uint32_t level = 0;
    HVX_Vector some[kSlotRows / 4], v = found_[0];
    if (units > 2) v = fold_fours(found_, units, some), level = 2, units = (units + 3) / 4;
    if (units > 2) v = fold_fours(some, units, found_), level = 4, units = (units + 3) / 4;
    if (units == 2) v = folded(v, level == 2 ? some[1] : found_[1]), ++level;
    OPKG_UNROLL(1)
    for (; level < slots.levels(); ++level) v = folded(v, v);
    return v;
  }

 private:
  static OPKG_INLINE HVX_Vector in_words(HVX_Vector v) {
    if (Joined::kLane == 1) v = Joined::join(v, Q6_Vuh_vlsr_VuhR(v, 8));
    return Joined::kLane == 4 ? v : Joined::join(v, Q6_Vuw_vlsr_VuwR(v, 16));
  }
  static OPKG_INLINE HVX_Vector folded(HVX_Vector a, HVX_Vector b) {
    const HVX_VectorPair apart = Q6_W_vdeal_VVR(b, a, -4);
    return Joined::join(Q6_V_lo_W(apart), Q6_V_hi_W(apart));
  }
  /// Four units become one. The first one is returned, too.
  static OPKG_INLINE HVX_Vector fold_fours(const HVX_Vector* from, size_t units, HVX_Vector* to) {
    OPKG_UNROLL(1)
    for (size_t i = 0; 4 * i < units; ++i) to[i] = folded(folded(from[4 * i], from[4 * i + 1]), folded(from[4 * i + 2], from[4 * i + 3]));
    return to[0];
  }

  HVX_Vector found_[kSlotRows];
};

/// A word of each row in all words of its slot. kOne: whatever slots there are; else those that are whole vectors.
template <bool kOne>
class Spread32 {
 public:
  OPKG_INLINE Spread32(const Slots& slots, HVX_Vector words) : words_(words), control_(slots.spread()), step_(kBytes >> slots.levels()) {}

  OPKG_INLINE HVX_Vector at(size_t unit) const { return Q6_V_vdelta_VV(Q6_V_vror_VR(words_, static_cast<int32_t>(unit * step_)), control_); }

 private:
  HVX_Vector words_, control_;
  size_t step_;  ///< bytes of the words of a unit
};
template <>
class Spread32<false> {
 public:
  OPKG_INLINE Spread32(const Slots&, HVX_Vector words) : words_(words) {}

  OPKG_INLINE HVX_Vector at(size_t unit) const { return Q6_V_vsplat_R(reinterpret_cast<const int32_t*>(&words_)[unit]); }

 private:
  HVX_Vector words_;
};

/// The same of factors of 16 bits, which stand in both halves of a word: of rows that take whole vectors, in a scalar.
template <bool kOne>
class Factors : public Spread32<kOne> {
 public:
  using Spread32<kOne>::Spread32;
};
template <>
class Factors<false> {
 public:
  OPKG_INLINE Factors(const Slots&, HVX_Vector words) : words_(words) {}

  OPKG_INLINE int32_t at(size_t unit) const { return reinterpret_cast<const int32_t*>(&words_)[unit]; }

 private:
  HVX_Vector words_;
};

/// The lowest lane of each word as a word.
template <typename T>
OPKG_INLINE HVX_Vector lowest_lanes(HVX_Vector v) {
  constexpr int32_t kRest = 32 - 8 * static_cast<int32_t>(sizeof(T));
  v = Q6_Vw_vasl_VwR(v, kRest);
  return std::is_signed_v<T> ? Q6_Vw_vasr_VwR(v, kRest) : Q6_Vuw_vlsr_VuwR(v, kRest);
}

/// The lowest byte of each word in all of its bytes.
OPKG_INLINE HVX_Vector in_all_bytes(HVX_Vector v) {
  v = Q6_V_vand_VV(v, Q6_V_vsplat_R(0xff));
  v = Q6_V_vor_VV(v, Q6_Vw_vasl_VwR(v, 8));
  return Q6_V_vor_VV(v, Q6_Vw_vasl_VwR(v, 16));
}

/// Whether a predicate of words holds for all rows.
OPKG_INLINE bool for_all(const Slots& slots, HVX_VectorPred q) {
  return !any(Q6_Q_and_QQn(Q6_Q_vsetq2_R(static_cast<int32_t>(4 * slots.rows())), q));
}

/// Room for what a function makes for its caller.
template <typename T>
class Room {
 public:
  OPKG_INLINE void put(const T& value) { memcpy(bytes_, &value, sizeof value); }
  OPKG_INLINE const T& get() const { return *reinterpret_cast<const T*>(bytes_); }

 private:
  alignas(T) uint8_t bytes_[sizeof(T)];
};

/// What a function has made, for its caller.
template <typename T>
OPKG_INLINE void put(const T& value, Room<T>& to) {
  to.put(value);
}
template <typename T, typename Found>
OPKG_INLINE void put(const T& value, Found& to) {
  to = Found(value);
}

/// The same of several.
template <typename A, typename ToA>
OPKG_INLINE void put_all(const A& a, ToA& to_a) {
  put(a, to_a);
}
template <typename A, typename B, typename ToA, typename ToB>
OPKG_INLINE void put_all(const A& a, const B& b, ToA& to_a, ToB& to_b) {
  put(a, to_a);
  put(b, to_b);
}
template <typename A, typename B, typename C, typename ToA, typename ToB, typename ToC>
OPKG_INLINE void put_all(const A& a, const B& b, const C& c, ToA& to_a, ToB& to_b, ToC& to_c) {
  put_all(a, b, to_a, to_b);
  put(c, to_c);
}

/// What loops keep of each vector for a later one: some vectors for each of 64.
template <bool kOne, uint32_t kParts>
class SlotsKept {
 public:
  OPKG_INLINE explicit SlotsKept(const Slots& slots) : vectors_(slots.vectors()) {}
  OPKG_INLINE void put(size_t unit, size_t i, uint32_t part, HVX_Vector v) { held_[place(unit, i) + part] = v; }
  OPKG_INLINE HVX_Vector get(size_t unit, size_t i, uint32_t part) const { return held_[place(unit, i) + part]; }

 private:
  OPKG_INLINE size_t place(size_t unit, size_t i) const { return (kOne ? unit : unit * vectors_ + i) * kParts; }

  size_t vectors_;
  HVX_Vector held_[(kOne ? 32 : 64) * kParts];
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_UNITS_H_
