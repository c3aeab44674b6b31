// Division of integers on HVX, a binary digit at a time: quotients rounded down, and what remains.
//
// As int64 does it: x // 0 and x % 0 are 0, and a remainder has the sign of the divisor. A quotient that its lane cannot
// hold (-128 // -1) is the largest number there.
#ifndef OPKG_HVX_DIVIDE_H_
#define OPKG_HVX_DIVIDE_H_

#include "opkg/hvx.h"

#if OPKG_HVX

namespace opkg::hvx {

// Lanes of 8, 16 and 32 bits; `more`, `less` where a test is not true.
#define OPKG_LANES(Name, bits, t, splat)                                                                            \
  struct Name {                                                                                                     \
    static constexpr int kBits = bits;                                                                              \
    OPKG_INLINE static HVX_Vector all(int value) { return Q6_V##splat##_vsplat_R(value); }                          \
    OPKG_INLINE static HVX_Vector add(HVX_Vector a, HVX_Vector b) { return Q6_V##t##_vadd_V##t##V##t(a, b); }       \
    OPKG_INLINE static HVX_Vector sub(HVX_Vector a, HVX_Vector b) { return Q6_V##t##_vsub_V##t##V##t(a, b); }       \
    OPKG_INLINE static HVX_Vector size(HVX_Vector a) { return Q6_V##t##_vabs_V##t(a); }                             \
    OPKG_INLINE static HVX_VectorPred equal(HVX_Vector a, HVX_Vector b) { return Q6_Q_vcmp_eq_V##t##V##t(a, b); }   \
    OPKG_INLINE static HVX_VectorPred greater(HVX_Vector a, HVX_Vector b) { return Q6_Q_vcmp_gt_V##t##V##t(a, b); } \
    OPKG_INLINE static HVX_VectorPred above(HVX_Vector a, HVX_Vector b) { return Q6_Q_vcmp_gt_Vu##t##Vu##t(a, b); } \
    OPKG_INLINE static HVX_Vector add_where(HVX_VectorPred q, HVX_Vector a, HVX_Vector b) {                         \
      return Q6_V##t##_condacc_QV##t##V##t(q, a, b);                                                                \
    }                                                                                                               \
    OPKG_INLINE static HVX_Vector add_unless(HVX_VectorPred q, HVX_Vector a, HVX_Vector b) {                        \
      return Q6_V##t##_condacc_QnV##t##V##t(q, a, b);                                                               \
    }                                                                                                               \
    OPKG_INLINE static HVX_Vector sub_unless(HVX_VectorPred q, HVX_Vector a, HVX_Vector b) {                        \
      return Q6_V##t##_condnac_QnV##t##V##t(q, a, b);                                                               \
    }                                                                                                               \
  }
OPKG_LANES(ByteLanes, 8, b, b);
OPKG_LANES(HalfwordLanes, 16, h, h);
OPKG_LANES(WordLanes, 32, w, );
#undef OPKG_LANES

/// Of unsigned numbers; where the divisor is 0, the quotient has all bits set and the dividend remains.
struct Division {
  HVX_Vector quotient, rest;
};

/// Bits of the dividend move from the top of `a` into what remains, those of the quotient into `a` from below.
template <typename Lanes>
OPKG_INLINE Division divide(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector zero = Q6_V_vzero(), one = Lanes::all(1);
  HVX_Vector rest = zero;
  OPKG_UNROLL(16)
  for (int i = 0; i < Lanes::kBits; ++i) {
    const HVX_VectorPred top = Lanes::greater(zero, a);
    rest = Lanes::add_where(top, Lanes::add(rest, rest), one);
    const HVX_VectorPred too_much = Lanes::above(b, rest);
    rest = Lanes::sub_unless(too_much, rest, b);
    a = Lanes::add_unless(too_much, Lanes::add(a, a), one);
  }
  return {a, rest};
}
/// Words have a carry, which takes both kinds of bits along; it holds those of the quotient inverted.
template <>
OPKG_INLINE Division divide<WordLanes>(HVX_Vector a, HVX_Vector b) {
  HVX_Vector rest = Q6_V_vzero();
  HVX_VectorPred bit = Q6_Q_vcmp_gt_VwVw(rest, rest);
  OPKG_UNROLL(32)
  for (int i = 0; i < WordLanes::kBits; ++i) {
    a = Q6_Vw_vadd_VwVwQ_carry(a, a, &bit);
    rest = Q6_Vw_vadd_VwVwQ_carry(rest, rest, &bit);
    bit = WordLanes::above(b, rest);
    rest = WordLanes::sub_unless(bit, rest, b);
  }
  return {Q6_V_vnot_V(Q6_Vw_vadd_VwVwQ_carry(a, a, &bit)), rest};
}

template <typename Lanes>
OPKG_INLINE HVX_Vector unless_zero(HVX_Vector b, HVX_Vector found) {
  return Q6_V_vmux_QVV(Lanes::equal(b, Q6_V_vzero()), Q6_V_vzero(), found);
}

/// a // b of unsigned numbers, and a % b.
template <typename Lanes>
OPKG_INLINE HVX_Vector quotient_of_unsigned(HVX_Vector a, HVX_Vector b) {
  return unless_zero<Lanes>(b, divide<Lanes>(a, b).quotient);
}
template <typename Lanes>
OPKG_INLINE HVX_Vector rest_of_unsigned(HVX_Vector a, HVX_Vector b) {
  return unless_zero<Lanes>(b, divide<Lanes>(a, b).rest);
}

/// The quotient of signed numbers by that of their sizes: `up`, or -`down` where their signs differ, which is one further
/// down where something remains.
struct Quotient {
  HVX_VectorPred below;
  HVX_Vector up, down;
};
template <typename Lanes>
OPKG_INLINE Quotient divide_signed(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector zero = Q6_V_vzero();
  const Division sizes = divide<Lanes>(Lanes::size(a), Lanes::size(b));
  const HVX_Vector down = Lanes::add_unless(Lanes::equal(sizes.rest, zero), sizes.quotient, Lanes::all(1));
  return {Lanes::greater(zero, Q6_V_vxor_VV(a, b)), sizes.quotient, down};
}

/// a // b of signed numbers.
template <typename Lanes>
OPKG_INLINE HVX_Vector quotient_of_signed(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector zero = Q6_V_vzero();
  const Quotient found = divide_signed<Lanes>(a, b);
  const HVX_Vector most = Lanes::all(static_cast<int>((1u << (Lanes::kBits - 1)) - 1));
  const HVX_Vector up = Q6_V_vmux_QVV(Lanes::greater(zero, found.up), most, found.up);
  return unless_zero<Lanes>(b, Q6_V_vmux_QVV(found.below, Lanes::sub(zero, found.down), up));
}

/// a // b of signed words in 64 bits, which hold -2^31 // -1: the lower words and the upper ones.
OPKG_INLINE HVX_VectorPair long_quotient(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector zero = Q6_V_vzero();
  const Quotient found = divide_signed<WordLanes>(a, b);
  const HVX_Vector low = unless_zero<WordLanes>(b, Q6_V_vmux_QVV(found.below, WordLanes::sub(zero, found.down), found.up));
  const HVX_VectorPred negative = Q6_Q_and_QQn(found.below, WordLanes::equal(low, zero));
  return Q6_W_vcombine_VV(Q6_V_vmux_QVV(negative, WordLanes::all(-1), zero), low);
}

/// a % b of signed numbers.
template <typename Lanes>
OPKG_INLINE HVX_Vector rest_of_signed(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector zero = Q6_V_vzero(), size = Lanes::size(b);
  const HVX_Vector rest = divide<Lanes>(Lanes::size(a), size).rest;
  const HVX_VectorPred other = Q6_Q_and_QQn(Lanes::greater(zero, Q6_V_vxor_VV(a, b)), Lanes::equal(rest, zero));
  const HVX_Vector found = Q6_V_vmux_QVV(other, Lanes::sub(size, rest), rest);
  return unless_zero<Lanes>(b, Q6_V_vmux_QVV(Lanes::greater(zero, b), Lanes::sub(zero, found), found));
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_DIVIDE_H_
