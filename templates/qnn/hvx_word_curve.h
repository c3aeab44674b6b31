// Smooth functions of a sum in 32-bit lanes as parts of larger expressions: cubics of 128 pieces, whose values have 32 bits.
#ifndef OPKG_HVX_WORD_CURVE_H_
#define OPKG_HVX_WORD_CURVE_H_

#include <cmath>
#include <cstdint>

#include "opkg/hvx_wide_curve.h"

namespace opkg {
namespace fixed {

/// As WideCurve. Words count from where the pieces begin.
struct WordCurve : WideCurve {
  int32_t top;          ///< the last word that the pieces are for
  int32_t moved;        ///< by how many bits words go up, so that seven from the 16th on are the number of a piece and 16 make t
  int32_t below_words;  ///< by how much results rise with each word before 0, as a fraction of 31 bits
  int32_t above_words;  ///< the same behind `top`

  /// Sets all numbers. `sum`: what the words are, which `fits(origin, unit)` makes of as many units as they are more than the
  /// origin; in the finest unit so far. The function takes what ends in both directions of its argument, so that it is a number
  /// or a line (`kBelow`, `kAbove`) from an argument of 60 on. False: as of WideCurve, or words are too long.
  template <bool kTurns = false, bool kBelow = false, bool kAbove = false, typename Function, typename Argument, typename Fits>
  bool fit(const Function& function, const Argument& argument, const Lanes& sum, const Fits& fits, int32_t apart) {
    double least = sum.low - sum.error, most = sum.high + sum.error;
    const double lowest = least, highest = most, slope = argument(1.0) - argument(0.0);
    if (slope != 0.0) {
      const double middle = -argument(0.0) / slope, wide = 60.0 / std::fabs(slope);
      least = smaller(larger(least, middle - wide), middle + wide);
      most = larger(smaller(most, middle + wide), least + wide / 64.0);
    }
    const double scale = larger((most - least) / 65535.0, 1e-300);
    const auto result = [&](double place) { return function(least + place * scale); };
    const auto inner = [&](double place) { return argument(least + place * scale); };
    Ends ends;
    ends.falls = kBelow && lowest < least ? (result(256.0) - result(0.0)) / 256.0 : 0.0;
    ends.rises = kAbove && highest > most ? (result(65535.0) - result(65279.0)) / 256.0 : 0.0;
    lay_lines<kTurns>(result, inner, apart, 0, 65535, ends);
    span = span > 0 ? span : 1;
    zoom = 0;
    low_ = low;
    step_ = span / (2.0 * kPieces);
    if (!(std::fabs(slope) * step_ * scale <= kLongest)) return false;
    const double origin = least + low * scale;
    int32_t up = 0;
    while (up < 16 && !fits(origin, std::ldexp(span * scale, up - 30))) ++up;
    if (up == 16) return false;
    top = (1 << (30 - up)) - 1;
    moved = up - 7;
    const double falls = ends.falls / scale * sum.unit, rises = ends.rises / scale * sum.unit;
    ends.size = larger(ends.size, std::ldexp(larger(std::fabs(falls), std::fabs(rises)), 30));
    const double first = function(lowest), last = function(highest);
    if (!make<Inner::line>(result, inner, ends, smaller(first, last), larger(first, last))) return false;
    below_words = static_cast<int32_t>(std::floor(std::ldexp(falls / lanes.unit, 31) + 0.5));
    above_words = static_cast<int32_t>(std::floor(std::ldexp(rises / lanes.unit, 31) + 0.5));
    // How far off the words are, and the one behind the last; the last bit of t, which is cut off; two roundings of lines.
    lanes.error += larger(steepest_ / step_, larger(std::fabs(ends.falls), std::fabs(ends.rises))) * (sum.error + sum.unit) / scale;
    lanes.error += steepest_ * std::ldexp(1.0, -15) + 4.0 * lanes.unit;
    return std::isfinite(lanes.error);
  }
};

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_WORD_CURVE_H_
