// Elements of 32 rows that are multiplied as distances from a number, and those of 32 bits, which are the same for all rows. C++17.
#ifndef OPKG_HVX_MIDDLES_H_
#define OPKG_HVX_MIDDLES_H_

#include <type_traits>

#include "opkg/hvx_lines.h"

#if OPKG_HVX

namespace opkg::hvx {

/// 2^power with the sign of a number.
OPKG_INLINE Numbers signed_power(const Numbers& a, int32_t power) {
  const Numbers found(static_cast<double>(1 << power));
  return either(Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), a.mantissa), -found, found);
}

/// As opkg::hvx::Single. Shifts behind the products are those of the steepest row (see Lines), so that elements of steep rows, of
/// which only those near `at` count, are shifted up further: factor and most are what kLift asks for.
struct Singles {
  static constexpr int32_t kLift = 3;

  HVX_Vector at, most;
  Numbers factor, constant;

  /// For loops: `at` less `low`, shifted up, and above it in both bytes what shifts elements up.
  OPKG_INLINE HVX_Vector packed(int32_t low) const {
    const HVX_Vector both = Q6_V_vor_VV(plus(at, -low), Q6_V_vsplat_R(0x01010000));
    return Q6_Vw_vasl_VwVw(both, plus(more_, kLift));
  }

  OPKG_INLINE Singles(const Numbers& by, const Constant& added, int32_t level, int32_t low) {
    const Numbers& rest = added.sum();
    const Numbers place = (Numbers(Q6_V_vsplat_R(level)) - rest) * inverse(by);
    const HVX_Vector zero = Q6_V_vzero(), size = by.size();
    const HVX_VectorPred far = Q6_Q_vcmp_gt_VwVw(place.size(), Q6_V_vsplat_R(29));
    const HVX_Vector end = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(zero, place.mantissa), Q6_V_vsplat_R(low), Q6_V_vsplat_R(low + 255));
    at = Q6_V_vmux_QVV(far, end, at_least(at_most(place.whole(zero), low + 255), low));
    most = at_most(plus(Q6_Vw_vasr_VwVw(Q6_V_vsplat_R(600), at_most(at_least(size, 0), 15)), 1), 255);
    constant = rest + by * Numbers(at);
    // What numbers are off, 2^-25 of 255 * by, is an eighth of a step here.
    const HVX_VectorPred useless = Q6_Q_vcmp_gt_VwVw(size, Q6_V_vsplat_R(14));
    const HVX_VectorPred steep = Q6_Q_vcmp_gt_VwVw(size, Q6_V_vsplat_R(kSteep));
    const HVX_VectorPred beyond = Q6_Q_vcmp_gt_VwVw(constant.size(), Q6_V_vsplat_R(kSteep - 1));
    more_ = at_most(at_least(plus(size, kMore - 1 - kSteep), 0), kMore);
    most = Q6_Vw_vasl_VwVw(most, more_);
    factor = either(steep, signed_power(by, kSteep), by);
    factor.exponent = Q6_Vw_vsub_VwVw(factor.exponent, more_);
    factor.exponent = Q6_V_vmux_QVV(useless, Q6_V_vsplat_R(Numbers::kBeyond), factor.exponent);
    constant = either(Q6_Q_and_QQ(steep, beyond), signed_power(constant, kSteep - 1), constant);
  }

 private:
  static constexpr int32_t kSteep = 9, kMore = 4;

  HVX_Vector more_;  ///< by how many bits elements are shifted up, beyond kLift
};

/// The same of one row that is not steep: distances are from the number in the middle, whatever results are there.
struct SingleOfRow {
  static constexpr int32_t kLift = Single::kLift;

  int32_t at, most;
  NumbersOf<int32_t> factor;
  ConstantOfRow constant;

  SingleOfRow() : constant(NumbersOf<int32_t>(Number())) {}
  /// Made in double: for loops, which ask for `at` alone.
  OPKG_INLINE explicit SingleOfRow(const Single& row) : at(row.at), constant(NumbersOf<int32_t>(Number())) {}
  OPKG_INLINE SingleOfRow(const NumbersOf<int32_t>& by, const ConstantOfRow& rest, int32_t, int32_t low)
      : at(low + 128), most(128), factor(by), constant(rest, by * NumbersOf<int32_t>(at)) {}

  OPKG_INLINE int32_t packed(int32_t low) const { return (at - low) * (1 << kLift) + (0x0101 << (16 + kLift)); }
};
template <typename Word>
using SinglesOf = std::conditional_t<std::is_same_v<Word, int32_t>, SingleOfRow, Singles>;

/// As opkg::hvx::Middle. `left`: what of `at` a form's factors are not about yet.
struct Middles {
  HVX_Vector at, most, lift, left;
};

OPKG_INLINE Middles middles_of(int32_t middle) {
  const HVX_Vector all = Q6_V_vsplat_R(middle);
  return {all, Q6_V_vsplat_R(32768), Q6_V_vzero(), all};
}
OPKG_INLINE Middles middles_of_bytes(int32_t middle) {
  const HVX_Vector all = Q6_V_vsplat_R(middle);
  return {all, Q6_V_vsplat_R(32768), Q6_V_vsplat_R(8), all};
}
OPKG_INLINE Middles middles_of(int32_t middle, HVX_Vector about, const Numbers& squares) {
  const HVX_Vector zero = Q6_V_vzero(), all = Q6_V_vsplat_R(middle), size = plus((squares * inverse_root(squares)).whole(zero), 2);
  const HVX_VectorPred near = Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R(30), squares.size());
  const HVX_Vector lift = Q6_V_vmux_QVV(near, at_least(plus(Q6_Vuw_vcl0_Vuw(size), -17), 0), zero);
  const HVX_Vector at = Q6_V_vmux_QVV(near, about, all), most = Q6_V_vmux_QVV(near, Q6_Vw_vasl_VwVw(size, lift), Q6_V_vsplat_R(32768));
  return {at, most, lift, Q6_Vw_vsub_VwVw(at, about)};
}
OPKG_INLINE Middles middles_of(int32_t middle, const Numbers& squares) { return middles_of(middle, Q6_V_vzero(), squares); }

/// Of factors about the whole number next to the mean. `zero`: what is taken off the numbers.
OPKG_INLINE Middles middles_of(int32_t middle, const AboutMeans& about, int64_t zero) {
  return middles_of(middle, plus(about.at, -static_cast<int32_t>(zero)), about.squares);
}

/// As opkg::hvx::Centered.
struct Centers {
  HVX_Vector x0, y0, most;
  Numbers a, b, c, d;

  OPKG_INLINE Centers(const Numbers& of_xy, const Numbers& of_x, const Numbers& of_y, const Numbers& rest, const Middles& x_at, const Middles& y_at)
      : x0(x_at.left), y0(y_at.left), most(Q6_Vw_vmpyie_VwVuh(x_at.most, y_at.most)), a(of_xy) {
    const Numbers x(x0), y(y0);
    b = of_x + a * y;
    c = of_y + a * x;
    d = rest + b * x + of_y * y;
    a.exponent = Q6_Vw_vsub_VwVw(a.exponent, Q6_Vw_vadd_VwVw(x_at.lift, y_at.lift));
    b.exponent = Q6_Vw_vsub_VwVw(b.exponent, x_at.lift);
    c.exponent = Q6_Vw_vsub_VwVw(c.exponent, y_at.lift);
  }
};

/// The same of one element.
OPKG_INLINE Numbers lifted(const Numbers& factor, const Middles& x) {
  Numbers found = factor;
  found.exponent = Q6_Vw_vsub_VwVw(factor.exponent, x.lift);
  return found;
}

/// As opkg::hvx::Words, with the limit of the row that asks for the farthest: elements are the same for all rows.
struct SharedWords {
  int32_t most, lifted, lift;
  Numbers factor;

  OPKG_INLINE SharedWords(const Slots& slots, const Numbers& by, std::initializer_list<Terms> terms, const Numbers& constant) : factor(by) {
    Numbers rest = Numbers(65536.0) + size_of(constant);
    for (const Terms& term : terms) rest = rest + size_of(term.factor) * Numbers(term.most);
    const HVX_Vector far = Q6_V_vsplat_R(INT32_MIN);
    const Numbers last = rest * inverse(size_of(by));
    const HVX_VectorPred beyond = Q6_Q_vcmp_gt_VwVw(last.size(), Q6_V_vsplat_R(29));
    const HVX_Vector whole = last.whole(Q6_V_vzero()), negative = Q6_V_vmux_QVV(beyond, far, from(-2, Q6_Vw_vadd_VwVw(whole, Q6_Vw_vasr_VwR(whole, 9))));
    const int32_t found = least(slots, negative);
    most = found == INT32_MIN ? INT32_MAX : -found;
    lift = __builtin_clz(static_cast<uint32_t>(most)) - 1;
    lifted = most << lift;
    factor.exponent = plus(by.exponent, -lift);
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_MIDDLES_H_
