// Whole quotients of quantized elements by others, and what they leave, exactly: in whole numbers,
// on any architecture.
//
// A quotient x / y of elements is r * a / b, where a and b are whole steps and r is the quotient of
// their scales. Its whole part is that of floor(r * |a|) divided by |b|, so that one multiplication
// and one division of whole numbers decide.
#ifndef OPKG_HVX_QUOTIENT_H_
#define OPKG_HVX_QUOTIENT_H_

#include <cmath>
#include <cstdint>

#include "opkg/hvx.h"
#include "opkg/hvx_fixed.h"
#include "opkg/hvx_fixed_decide.h"
#include "opkg/hvx_whole_result.h"
#include "opkg/small.h"

namespace opkg {
namespace fixed {

OPKG_SMALL_BEGIN

/// What is asked of a quotient: rounded down, up, towards zero or to the nearest number (halves to even ones), or what the
/// one rounded down leaves (`%`).
enum class Asked : uint8_t { down,
                             up,
                             whole,
                             nearest,
                             rest };

/// The numbers of one call. r * |a| is the top of three words of 14, 14 and `fraction` bits behind
/// the point.
struct Quotient {
  static constexpr int32_t kBits = 14;   ///< of a word, and of the fraction at most
  static constexpr int32_t kSlack = 4;   ///< of the second word: takes what rounding the factor may have left
  static constexpr int32_t kStage = 15;  ///< digits of a division at once

  int32_t zero_a, zero_b;  ///< in both halves, of elements from 0 on
  int32_t factor[3];       ///< in both halves
  int32_t fraction;
  int32_t first, last;  ///< digits of the quotient: two stages of the division
  WholeResult result;

  /// zero: from the least element on. `end`: the greatest element, and the greatest result. False:
  /// not for the vector code.
  bool fit(Asked asked, double scale_a, int32_t a_zero, int32_t a_end, double scale_b, int32_t b_zero, int32_t b_end, double step, int32_t y_zero, int32_t y_end) {
    double off = 0.0;
    return fit(asked, scale_a, a_zero, a_end, scale_b, b_zero, b_end, step, y_zero, y_end, off);
  }
  /// `off`: by how much results are off before they are rounded.
  bool fit(Asked asked, double scale_a, int32_t a_zero, int32_t a_end, double scale_b, int32_t b_zero, int32_t b_end, double step, int32_t y_zero, int32_t y_end, double& off) {
    const int64_t most_a = larger_of(a_zero, a_end - a_zero), most_b = larger_of(b_zero, b_end - b_zero);
    const double scale = asked == Asked::nearest ? 2.0 * scale_a : scale_a;  // twice the quotient has halves
    const double ratio = scale / scale_b;
    if (!(ratio < 0x1p16)) return false;
    const auto greatest = static_cast<int64_t>(ratio * static_cast<double>(most_a)) + 1;
    SameSide sides;
    if (!sides.find(scale, scale_b, most_a, greatest + 1)) return false;
    const double near = static_cast<double>(sides.m) / static_cast<double>(sides.n);
    fraction = kBits;
    while (fraction >= 0 && !(std::ldexp(larger(ratio, near), fraction) < 65535.0 && greatest + 1 < int64_t{1} << (30 - fraction))) {
      --fraction;
    }
    if (fraction < (asked == Asked::nearest ? 1 : 0)) return false;
    // Multiples of 1 / n, with the slack and an error that is less than it, are on the right side
    // of whole numbers.
    const double error = static_cast<double>(most_a) / 0x1p15;
    if (!(static_cast<double>(sides.n) * (kSlack + error) < std::ldexp(1.0, kBits + fraction))) return false;
    set_factor(sides);
    const int32_t digits = bits_of(greatest + 1);
    first = digits > kStage ? digits / 2 : 0;
    last = digits - first;
    zero_a = both_halves(a_zero);
    zero_b = both_halves(b_zero);
    const bool rest = asked == Asked::rest;
    const double unit = rest ? std::ldexp(scale_b, -fraction) : 1.0;
    off = rest ? 2.0 * unit + std::fabs(ratio - near) * static_cast<double>(most_a) * scale_b : 0.0;
    const double range = rest ? static_cast<double>(most_b) * scale_b : static_cast<double>(greatest + 1);
    return off < 0.5 * step && result.set(unit, range, step, y_zero, y_end, asked == Asked::up);
  }

  /// The same, where b is not 0: whole numbers as they are, in lanes of 16 bits. False also where these do not hold them,
  /// unless numbers may be `limited` to what they hold.
  bool fit_whole(Asked asked, double scale_a, int32_t a_zero, int32_t a_end, double scale_b, int32_t b_zero, int32_t b_end, bool flipped, bool limited, Lanes& lanes) {
    const double ratio = scale_a / scale_b, ends[] = {-ratio * a_zero, ratio * (a_end - a_zero)};
    const bool exact = ratio * scale_b == scale_a && ratio == std::floor(ratio);
    const bool plus = b_zero < b_end, minus = b_zero > 0;  // signs that b has
    lanes.low = lanes.high = 0.0;
    for (const double end : ends) {
      const double up = flipped ? -end : end;
      if (plus) widen(lanes, up);
      if (minus) widen(lanes, -up);
    }
    lanes.low = exact ? lanes.low : std::floor(lanes.low) - 1.0;
    lanes.high = exact ? lanes.high : std::ceil(lanes.high) + 1.0;
    lanes.unit = 1.0;
    int32_t zero = 32768;
    if (lanes.high - lanes.low <= 65535.0) {
      zero = static_cast<int32_t>(-lanes.low);
    } else {
      if (!limited) return false;
      if (lanes.low > -32768.0) zero = static_cast<int32_t>(-lanes.low);
      if (lanes.high < 32767.0) zero = 65535 - static_cast<int32_t>(lanes.high);
      lanes.reach = lanes.high < 32767.0 ? zero : 65535.0 - zero;
    }
    lanes.offset = 32768.0 - zero;
    return fit(asked, scale_a, a_zero, a_end, scale_b, b_zero, b_end, 1.0, zero, 65535);
  }
  /// The same of what quotients leave, in whole steps of b, or finer ones of bytes.
  bool fit_rest(double scale_a, int32_t a_zero, int32_t a_end, double scale_b, int32_t b_zero, int32_t b_end, Lanes& lanes) {
    const double ratio = scale_a / scale_b;
    const bool exact = ratio * scale_b == scale_a && ratio == std::floor(ratio);
    lanes.low = -b_zero * scale_b;
    lanes.high = (b_end - b_zero) * scale_b;
    double off = 0.0;
    bool fits = false;
    for (int32_t finer = b_end == 255 ? 8 : 0; finer >= 0 && !fits; --finer) {
      const int32_t zero = b_zero * (1 << finer);
      lanes.unit = std::ldexp(scale_b, -finer);
      lanes.offset = 32768.0 - zero;
      fits = fit(Asked::rest, scale_a, a_zero, a_end, scale_b, b_zero, b_end, lanes.unit, zero, 65535, off);
    }
    lanes.error = exact ? 0.0 : 0.5 * lanes.unit + off;
    return fits;
  }

 private:
  static void widen(Lanes& lanes, double number) {
    lanes.low = smaller(lanes.low, number);
    lanes.high = larger(lanes.high, number);
  }
  static int64_t larger_of(int32_t a, int32_t b) { return a < b ? b : a; }
  static int32_t bits_of(int64_t number) {
    int32_t bits = 0;
    for (; number > 0; number >>= 1) ++bits;
    return bits;
  }

  void set_factor(const SameSide& sides) {
    int64_t whole = ((sides.m << (2 * kBits + fraction)) + sides.n / 2) / sides.n;
    for (int32_t k = 0; k < 3; ++k) {
      factor[k] = both_halves(static_cast<int32_t>(k == 2 ? whole : whole & ((1 << kBits) - 1)));
      whole >>= kBits;
    }
  }
};

OPKG_SMALL_END

}  // namespace fixed

#if OPKG_HVX

namespace hvx {

/// Four vectors of words: the even and odd halves of two vectors.
struct QuotientWords {
  HVX_Vector of[4];
};

/// Halves with their signs, or from 0 on, as words.
OPKG_INLINE QuotientWords signed_words(HVX_VectorPair halves) {
  const HVX_VectorPair low = Q6_Ww_vsxt_Vh(Q6_V_lo_W(halves)), high = Q6_Ww_vsxt_Vh(Q6_V_hi_W(halves));
  return {{Q6_V_lo_W(low), Q6_V_hi_W(low), Q6_V_lo_W(high), Q6_V_hi_W(high)}};
}
OPKG_INLINE QuotientWords unsigned_words(HVX_VectorPair halves) {
  const HVX_VectorPair low = Q6_Wuw_vzxt_Vuh(Q6_V_lo_W(halves)), high = Q6_Wuw_vzxt_Vuh(Q6_V_hi_W(halves));
  return {{Q6_V_lo_W(low), Q6_V_hi_W(low), Q6_V_lo_W(high), Q6_V_hi_W(high)}};
}

/// The low `count` bits of a, and what remains of what is above them, divided by b: quotient and
/// rest in their places.
OPKG_INLINE QuotientWords divided(QuotientWords a, const QuotientWords& b, int32_t count) {
  QuotientWords by, less_one;
  for (int v = 0; v < 4; ++v) {
    by.of[v] = Q6_Vw_vasl_VwR(b.of[v], count);
    less_one.of[v] = Q6_Vw_vsub_VwVw(by.of[v], Q6_V_vsplat_R(1));
  }
  OPKG_UNROLL(1)
  for (int32_t i = 0; i < count; ++i) {
    OPKG_UNROLL(4)
    for (int v = 0; v < 4; ++v) {
      const HVX_Vector twice = Q6_Vw_vadd_VwVw(a.of[v], a.of[v]);
      a.of[v] = Q6_Vw_condnac_QnVwVw(Q6_Q_vcmp_gt_VuwVuw(by.of[v], twice), twice, less_one.of[v]);
    }
  }
  return a;
}

/// Two vectors of elements by two others, as halves from 0 on. Results: halves less 32768 or, of
/// bytes, as they are. kFlipped: of -a.
template <fixed::Asked kAsked, bool kFlipped = false>
struct QuotientOf {
  static constexpr bool kNearest = kAsked == fixed::Asked::nearest;
  const fixed::Quotient& of;

  __attribute__((noinline)) HVX_VectorPair operator()(HVX_VectorPair a, HVX_VectorPair b) const {
    constexpr bool kRest = kAsked == fixed::Asked::rest;
    const Operand first = operand(a, of.zero_a, kFlipped != (kAsked == fixed::Asked::up)), second = operand(b, of.zero_b, false);
    const HVX_VectorPair apart = Q6_W_vcombine_VV(differ(Q6_V_hi_W(first.below), Q6_V_hi_W(second.below), Q6_V_hi_W(first.size)), differ(Q6_V_lo_W(first.below), Q6_V_lo_W(second.below), Q6_V_lo_W(first.size)));
    const QuotientWords top = multiplied(first.size, apart), by = unsigned_words(second.size), other = signed_words(apart);
    const Division found = division(top, by);
    const QuotientWords sides = kRest ? signed_words(second.below) : signed_words(side(first));
    QuotientWords results;
    for (int v = 0; v < 4; ++v) {
      const HVX_Vector value = kRest ? rest(top.of[v], by.of[v], found.rest.of[v], other.of[v], sides.of[v]) : whole(kNearest ? half(top.of[v], found, v) : found.quotient.of[v], other.of[v]);
      const HVX_Vector beyond = kRest ? Q6_V_vzero() : infinite(sides.of[v]);
      const HVX_VectorPred none = Q6_Q_vcmp_eq_VwVw(by.of[v], Q6_V_vzero());
      results.of[v] = Q6_V_vmux_QVV(none, beyond, steps_of(of.result, value));
    }
    return Q6_W_vcombine_VV(result_of(of.result, results.of[2], results.of[3]), result_of(of.result, results.of[0], results.of[1]));
  }

 private:
  struct Operand {
    HVX_VectorPair size, below;  ///< -1 where it is below 0
  };
  struct Division {
    QuotientWords quotient, rest;
  };

  static OPKG_INLINE Operand operand(HVX_VectorPair x, int32_t zeros, bool flipped) {
    const HVX_Vector zero = Q6_V_vsplat_R(zeros), low = Q6_V_lo_W(x), high = Q6_V_hi_W(x);
    return {Q6_W_vcombine_VV(Q6_Vuh_vabsdiff_VuhVuh(high, zero), Q6_Vuh_vabsdiff_VuhVuh(low, zero)), Q6_W_vcombine_VV(less(high, zero, flipped), less(low, zero, flipped))};
  }
  static OPKG_INLINE HVX_Vector less(HVX_Vector x, HVX_Vector zero, bool flipped) {
    const HVX_VectorPred found = flipped ? Q6_Q_vcmp_gt_VuhVuh(x, zero) : Q6_Q_vcmp_gt_VuhVuh(zero, x);
    return Q6_V_vmux_QVV(found, Q6_V_vsplat_R(-1), Q6_V_vzero());
  }
  /// -1 where the quotient is below 0.
  static OPKG_INLINE HVX_Vector differ(HVX_Vector a, HVX_Vector b, HVX_Vector size) {
    const HVX_VectorPred zero = Q6_Q_vcmp_eq_VhVh(size, Q6_V_vzero());
    return Q6_V_vmux_QVV(zero, Q6_V_vzero(), Q6_V_vxor_VV(a, b));
  }
  /// -1, 0 or 1: the sign of a.
  static OPKG_INLINE HVX_VectorPair side(const Operand& a) {
    const auto of_one = [](HVX_Vector size, HVX_Vector below) OPKG_INLINE_LAMBDA { return Q6_V_vor_VV(Q6_Vuh_vmin_VuhVuh(size, Q6_V_vsplat_R(0x00010001)), below); };
    return Q6_W_vcombine_VV(of_one(Q6_V_hi_W(a.size), Q6_V_hi_W(a.below)), of_one(Q6_V_lo_W(a.size), Q6_V_lo_W(a.below)));
  }

  static OPKG_INLINE HVX_Vector infinite(HVX_Vector side) {
    const HVX_Vector found = Q6_Vw_vasl_VwR(side, 29);
    return kAsked == fixed::Asked::up ? Q6_Vw_vsub_VwVw(Q6_V_vzero(), found) : found;
  }

  /// r * |a|, less a little where the quotient is rounded down to a greater number.
  OPKG_INLINE QuotientWords multiplied(HVX_VectorPair sizes, HVX_VectorPair apart) const {
    const HVX_VectorPair low = multiplied(Q6_V_lo_W(sizes), Q6_V_lo_W(apart)), high = multiplied(Q6_V_hi_W(sizes), Q6_V_hi_W(apart));
    return {{Q6_V_lo_W(low), Q6_V_hi_W(low), Q6_V_lo_W(high), Q6_V_hi_W(high)}};
  }
  OPKG_INLINE HVX_VectorPair multiplied(HVX_Vector size, HVX_Vector apart) const {
    constexpr int32_t kBits = fixed::Quotient::kBits, kSlack = fixed::Quotient::kSlack;
    const HVX_Vector slack = Q6_V_vsplat_R(kSlack);
    const HVX_VectorPair lowest = Q6_Wuw_vmpy_VuhRuh(size, of.factor[0]);
    HVX_VectorPair middle = Q6_Wuw_vmpyacc_WuwVuhRuh(Q6_W_vcombine_VV(slack, slack), size, of.factor[1]);
    if constexpr (kAsked != fixed::Asked::whole && !kNearest) middle = Q6_Ww_vmpyacc_WwVhRh(middle, apart, (2 * kSlack) * 0x10001);
    const HVX_Vector even = Q6_Vw_vasracc_VwVwR(Q6_V_lo_W(middle), Q6_V_lo_W(lowest), kBits);
    const HVX_Vector odd = Q6_Vw_vasracc_VwVwR(Q6_V_hi_W(middle), Q6_V_hi_W(lowest), kBits);
    const HVX_VectorPair product = Q6_Wuw_vmpy_VuhRuh(size, of.factor[2]);
    const HVX_VectorPair top = Q6_W_vcombine_VV(Q6_Vw_vasracc_VwVwR(Q6_V_hi_W(product), odd, kBits), Q6_Vw_vasracc_VwVwR(Q6_V_lo_W(product), even, kBits));
    if constexpr (!kNearest) return top;
    return Q6_W_vcombine_VV(Q6_V_vor_VV(Q6_V_hi_W(top), some(odd)), Q6_V_vor_VV(Q6_V_lo_W(top), some(even)));
  }

  /// 1 where more than the slack is behind the top word.
  static OPKG_INLINE HVX_Vector some(HVX_Vector middle) {
    constexpr int32_t kRest = (1 << fixed::Quotient::kBits) - 2 * fixed::Quotient::kSlack;
    return Q6_Vw_vmin_VwVw(Q6_V_vand_VV(middle, Q6_V_vsplat_R(kRest)), Q6_V_vsplat_R(1));
  }

  OPKG_INLINE Division division(const QuotientWords& top, const QuotientWords& by) const {
    const HVX_Vector low = Q6_V_vsplat_R((1 << of.last) - 1);
    QuotientWords whole, part, upper;
    for (int v = 0; v < 4; ++v) part.of[v] = whole.of[v] = Q6_Vuw_vlsr_VuwR(top.of[v], of.fraction);
    if (of.first != 0) {
      for (int v = 0; v < 4; ++v) part.of[v] = Q6_Vuw_vlsr_VuwR(whole.of[v], of.last);
      upper = divided(part, by, of.first);
      for (int v = 0; v < 4; ++v) {
        const HVX_Vector left = Q6_Vw_vasl_VwR(Q6_Vuw_vlsr_VuwR(upper.of[v], of.first), of.last);
        part.of[v] = Q6_V_vor_VV(left, Q6_V_vand_VV(whole.of[v], low));
        upper.of[v] = Q6_Vw_vasl_VwR(Q6_V_vand_VV(upper.of[v], Q6_V_vsplat_R((1 << of.first) - 1)), of.last);
      }
    } else {
      for (int v = 0; v < 4; ++v) upper.of[v] = Q6_V_vzero();
    }
    const QuotientWords found = divided(part, by, of.last);
    Division made;
    for (int v = 0; v < 4; ++v) {
      made.quotient.of[v] = Q6_V_vor_VV(upper.of[v], Q6_V_vand_VV(found.of[v], low));
      made.rest.of[v] = Q6_Vuw_vlsr_VuwR(found.of[v], of.last);
    }
    return made;
  }

  /// Half of a quotient, rounded; halves to even numbers.
  OPKG_INLINE HVX_Vector half(HVX_Vector top, const Division& found, int v) const {
    const HVX_Vector one = Q6_V_vsplat_R(1), behind = Q6_V_vand_VV(top, Q6_V_vsplat_R((1 << of.fraction) - 1));
    const HVX_Vector left = Q6_Vw_vmin_VwVw(Q6_V_vor_VV(found.rest.of[v], behind), one);  // 1 where anything is left
    const HVX_Vector up = Q6_Vw_vasr_VwR(Q6_Vw_vadd_VwVw(found.quotient.of[v], one), 1);
    const HVX_Vector tie = Q6_V_vand_VV(Q6_Vw_vsub_VwVw(one, left), found.quotient.of[v]);
    return Q6_Vw_vsub_VwVw(up, Q6_V_vand_VV(tie, up));
  }

  static OPKG_INLINE HVX_Vector whole(HVX_Vector quotient, HVX_Vector other) {
    const HVX_Vector found = Q6_V_vxor_VV(quotient, other);
    return kAsked == fixed::Asked::whole || kNearest ? Q6_Vw_vsub_VwVw(found, other) : found;
  }
  /// What is left of |a|, or up to the next multiple of |b|, with the sign of b.
  OPKG_INLINE HVX_Vector rest(HVX_Vector top, HVX_Vector by, HVX_Vector left, HVX_Vector other, HVX_Vector sign) const {
    const HVX_Vector behind = Q6_V_vand_VV(top, Q6_V_vsplat_R((1 << of.fraction) - 1));
    const HVX_Vector over = Q6_V_vor_VV(Q6_Vw_vasl_VwR(left, of.fraction), behind);
    const HVX_Vector all = Q6_V_vand_VV(other, Q6_Vw_vasl_VwR(by, of.fraction));
    const HVX_Vector size = Q6_Vw_vadd_VwVw(Q6_Vw_vsub_VwVw(Q6_V_vxor_VV(over, other), other), all);
    return Q6_Vw_vsub_VwVw(Q6_V_vxor_VV(size, sign), sign);
  }
};

}  // namespace hvx

#endif  // OPKG_HVX
}  // namespace opkg

#endif  // OPKG_HVX_QUOTIENT_H_
