// Variances and standard deviations of columns, in fixed point, 32 of them at a time.
//
// Squares are taken about the whole number next to the mean, exactly; what that number is off is taken off in fixed point.
#ifndef OPKG_HVX_VARIANCE_H_
#define OPKG_HVX_VARIANCE_H_

#include <algorithm>
#include <cmath>

#include "opkg/hvx_columns_wide.h"
#include "opkg/hvx_linear.h"

namespace opkg::hvx {

/// Steps of results that are `at_none` + a variance, or its root, times a number. T: elements, Result: of 8 or 16 bits.
template <typename T, typename Result, bool kRoot>
class VarianceLine {
  static constexpr int32_t kBits = 8 * sizeof(T), kMean = 14;  ///< bits of elements; behind the point of a mean
  static constexpr int32_t kReach = 3 + 8 * sizeof(Result);    ///< results are saturated before 2^kReach steps

 public:
  VarianceLine() = default;

  /// Of n elements. `unit`: the steps that a variance of 1, of stored numbers, adds.
  VarianceLine(size_t n, double at_none, double unit) : n_(static_cast<int32_t>(n)) {
    const double count = static_cast<double>(n);
    if (n == 0 || n > INT16_MAX || exponent(at_none) >= kReach - 1 || exponent(unit) < -80 || exponent(unit) > 80) return;
    const int32_t size = exponent(count);  // what is left of a sum without n times its mean is n / 2 at most
    lift_ = 31 - size - kBits, square_lift_ = std::min(32 - 2 * size, 28);
    share_ = static_cast<int32_t>(scaled(1.0 / count, 31 + kMean - lift_, 0x7fffffff));
    kRoot ? roots(count, size, unit) : lines(count, size, unit);
    rest_ = static_cast<int32_t>(scaled(1.0 / count, 31 + up_ - square_lift_, 0x7fffffff));
    bias_ = static_cast<int32_t>(scaled(at_none, parts_, 0x3fffffff)) + (1 << (parts_ - 1));
  }

  bool is_line = false;  ///< otherwise results are not for this

#if OPKG_HVX
  /// Results, not saturated, from sums of bytes and of their squares.
  OPKG_INLINE HVX_Vector of(HVX_Vector total, HVX_Vector squares) const {
    const HVX_Vector middle = mean(total), rest = Q6_Vw_vsub_VwVw(total, times_count(middle));
    const HVX_Vector by = Q6_Vw_vasl_VwR(middle, 16);  // the squares about the middle are those about 0 less middle * both
    const HVX_Vector about = Q6_Vw_vsub_VwVw(squares, times_upper(Q6_Vw_vadd_VwVw(total, rest), by));
    if constexpr (kRoot) return root(Q6_V_vzero(), about, rest);
    return line(raised(about, up_), rest);
  }

  /// The same of 16 bits (of signed elements and 32768 each). Squares are high * 2^16 + low.
  OPKG_INLINE HVX_Vector of(HVX_Vector total, HVX_Vector low, HVX_Vector high) const {
    if constexpr (std::is_signed_v<T>) high = squares_without_sign(high, plus(total, -32768 * n_), static_cast<size_t>(n_));
    const HVX_Vector middle = mean(total), rest = Q6_Vw_vsub_VwVw(total, times_count(middle));
    less_product(middle, Q6_Vw_vadd_VwVw(total, rest), high, low);
    if constexpr (kRoot) return root(high, low, rest);
    return line(Q6_Vw_vadd_VwVw(raised(high, up_ + 16), Q6_Vw_vasl_VwVw(low, Q6_V_vsplat_R(up_))), rest);
  }
#endif

 private:
  /// Numbers of steps of roots: of squares times 2^t, t even, that fill 31 bits.
  void roots(double count, int32_t size, double unit) {
    const double root = unit / std::sqrt(count / 2.0) * 32768.0;
    up_ = 30 - size, parts_ = 8;
    factor_ = static_cast<int32_t>(scaled(root, 31 - exponent(root), 0x7fffffff));
    shift_ = 30 - parts_ - exponent(root);
    is_line = true;
  }

  /// The same of variances: of squares times 2^up_, which 31 bits hold while results are not saturated.
  void lines(double count, int32_t size, double unit) {
    constexpr int32_t kTop = kBits == 16 ? 16 : 0;  // bits below what is raised
    up_ = std::max(30 + exponent(unit / count) - kReach, -31), parts_ = 29 - kReach;
    factor_ = static_cast<int32_t>(scaled(unit / count, 31 - up_ + parts_, 0x7fffffff));
    most_ = INT32_MAX >> std::min(std::max(up_ + kTop, 0), 31);
    is_line = up_ <= std::min(31 - size, 28 - kTop);  // else few units of a variance are all results
  }

#if OPKG_HVX
  OPKG_INLINE HVX_Vector times_count(HVX_Vector a) const { return times_upper(a, Q6_V_vsplat_R(n_ << 16)); }

  /// The whole number next to the mean.
  OPKG_INLINE HVX_Vector mean(HVX_Vector total) const {
    const HVX_Vector found = product31(Q6_Vw_vasl_VwR(total, lift_), Q6_V_vsplat_R(share_));
    return Q6_Vw_vasr_VwR(plus(found, 1 << (kMean - 1)), kMean);
  }

  /// What squares about the middle are more than those about the mean: rest^2 / n, times 2^up_.
  OPKG_INLINE HVX_Vector more(HVX_Vector rest) const {
    const HVX_Vector square = times_upper(rest, Q6_Vw_vasl_VwR(rest, 16));
    return product31(Q6_Vw_vasl_VwR(square, square_lift_), Q6_V_vsplat_R(rest_));
  }

  /// The same, times 2^power, with 28 bits of its own where results have 16.
  OPKG_INLINE HVX_Vector more(HVX_Vector rest, HVX_Vector power) const {
    if constexpr (sizeof(Result) == 1) return Q6_Vw_vasl_VwVw(more(rest), at_least(plus(power, -up_), -31));
    const HVX_Vector square = times_upper(rest, Q6_Vw_vasl_VwR(rest, 16)), room = plus(Q6_Vw_vnormamt_Vw(square), -2);
    const HVX_Vector found = product31(Q6_Vw_vasl_VwVw(square, room), Q6_V_vsplat_R(rest_));
    return Q6_Vw_vasl_VwVw(found, at_least(Q6_Vw_vsub_VwVw(plus(power, square_lift_ - up_), room), -31));
  }

  /// squares * 2^up, as far as 31 bits hold them.
  OPKG_INLINE HVX_Vector raised(HVX_Vector squares, int32_t up) const {
    return Q6_Vw_vasl_VwVw(at_most(squares, most_), Q6_V_vsplat_R(up));
  }

  /// Steps of squares about the middle, times 2^up_.
  OPKG_INLINE HVX_Vector line(HVX_Vector about, HVX_Vector rest) const {
    const HVX_Vector found = at_least(Q6_Vw_vsub_VwVw(about, more(rest)), 0);
    const HVX_Vector steps = product31(found, Q6_V_vsplat_R(factor_));
    return Q6_Vw_vasr_VwR(Q6_Vw_vadd_VwVw_sat(steps, Q6_V_vsplat_R(bias_)), parts_);
  }

  /// Steps of the root of squares about the middle, which are high * 2^16 + low.
  OPKG_INLINE HVX_Vector root(HVX_Vector high, HVX_Vector low, HVX_Vector rest) const {
    HVX_Vector found, power;  // found = squares * 2^power, at least 2^29
    if constexpr (kBits == 8) {
      power = plus(Q6_Vw_vnormamt_Vw(low), -1);
      found = Q6_Vw_vasl_VwVw(low, power);
    } else {
      const HVX_VectorPred big = Q6_Q_vcmp_gt_VwVw(high, Q6_V_vzero());
      const HVX_Vector top = Q6_V_vmux_QVV(big, high, low), room = plus(Q6_Vw_vnormamt_Vw(top), -1);
      power = Q6_V_vmux_QVV(big, plus(room, -16), room);
      found = Q6_Vw_vasl_VwVw(top, room);
      found = Q6_V_vmux_QVV(big, Q6_Vw_vadd_VwVw(found, Q6_Vw_vasl_VwVw(low, power)), found);
    }
    found = at_least(Q6_Vw_vsub_VwVw(found, more(rest, power)), 0);
    const HVX_Vector room = Q6_Vw_vnormamt_Vw(found);
    power = Q6_Vw_vadd_VwVw(power, room);
    found = Q6_Vw_vasr_VwVw(Q6_Vw_vasl_VwVw(found, room), Q6_V_vand_VV(power, Q6_V_vsplat_R(1)));
    const HVX_Vector inverse = inverse_root_of(found);
    const HVX_Vector steps = product31(Q6_Vw_vasl_VwR(product31(found, inverse), 1), Q6_V_vsplat_R(factor_));
    const HVX_Vector shift = at_most(at_least(plus(Q6_Vw_vasr_VwR(power, 1), shift_), 0), 31);
    return Q6_Vw_vasr_VwR(Q6_Vw_vadd_VwVw_sat(Q6_Vw_vasr_VwVw(steps, shift), Q6_V_vsplat_R(bias_)), parts_);
  }

  /// 1 / sqrt of 0.25 to 1 (units of 2^-31, in units of 2^-29) by Newton's steps: within 2^-11, of 16-bit results 2^-21.
  OPKG_INLINE static HVX_Vector inverse_root_of(HVX_Vector x) {
    HVX_Vector found = from(1181116006, upper_product(x, Q6_V_vsplat_R(665719930)));  // a line
    for (int32_t i = 0; i < 2; ++i) {
      const HVX_Vector square = upper_product(upper_product(found, found), x);                    // x found^2 in units of 2^-27
      found = Q6_Vw_vasl_VwR(upper_product(found, Q6_Vw_vasl_VwR(from(3 << 27, square), 2)), 1);  // found (3 - x found^2) / 2
    }
    if constexpr (sizeof(Result) == 2) {
      const HVX_Vector square = product31(product31(found, found), x);
      found = Q6_Vw_vasl_VwR(product31(found, Q6_Vw_vasl_VwR(from(3 << 27, square), 2)), 1);
    }
    return found;
  }

  /// a * b / 2^31 by the upper half of b.
  OPKG_INLINE static HVX_Vector upper_product(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vmpyo_VwVh_s1_rnd_sat(a, b); }
#endif

  int32_t n_ = 0;
  int32_t lift_ = 0, share_ = 0;                           ///< of a sum, to fill 31 bits; of its mean
  int32_t up_ = 0, most_ = 0;                              ///< of squares
  int32_t square_lift_ = 0, rest_ = 0;                     ///< of the square of what is left of a sum; 1 / n of it
  int32_t factor_ = 0, bias_ = 0, shift_ = 0, parts_ = 1;  ///< of steps; the bits behind their point
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX_VARIANCE_H_
