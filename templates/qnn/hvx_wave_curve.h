// Functions of the sine or cosine of a linear function of one 16-bit element: cubics of 128 pieces of a turn.
#ifndef OPKG_HVX_WAVE_CURVE_H_
#define OPKG_HVX_WAVE_CURVE_H_

#include <cmath>
#include <cstdint>
#include <limits>

#include "opkg/hvx_wide_curve.h"

namespace opkg {
namespace fixed {

/// As WideCurve, at any number of turns. An angle has 32 bits, one turn is 2^32: start + element * turn, where a turn of an element
/// has 15 bits more than the angle; seven bits from the highest on are the number of a piece, the next 16 make t.
struct WaveCurve : WideCurve {
  int32_t start;
  int32_t high;    ///< of the turn: 16 bits
  int32_t middle;  ///< 16 more
  int32_t rest;    ///< the last 15

  /// Sets all numbers. `argument`: what the function takes sin or cos of, and nothing else. False: elements are so far apart that
  /// double precision does not know their angles, or the function is not finite.
  template <typename In, typename Function, typename Argument>
  bool fit(const Function& function, const Argument& argument, float scale, int32_t zero) {
    constexpr double kTurn = 6.283185307179586, kMost = 1000.0;  // turns of an element
    const double first = (static_cast<double>(std::numeric_limits<In>::min()) - zero) * static_cast<double>(scale);
    const double wide = 65535.0 * static_cast<double>(scale), begin = argument(first), end = argument(first + wide);
    const double turn = (end - begin) / 65535.0 / kTurn, slope = (end - begin) / wide;
    if (!(std::fabs(turn) < kMost && std::fabs(begin) < kMost * 65536.0 && std::fabs(slope) > 1e-30)) return false;
    // Of all elements with an angle that which is next to their mean: others are as far off as the slope is.
    const double mean = begin + (end - begin) / 2;
    const auto result = [&](double place) {
      const double angle = place / 65536.0 * kTurn - mean;
      return function(first + wide / 2 + (angle - kTurn * std::floor(angle / kTurn + 0.5)) / slope);
    };
    low = zoom = 0;
    span = 65536;
    low_ = 0.0;
    step_ = span / (2.0 * kPieces);
    if (!make<Inner::line>(result, argument, Ends(), result(0.0), result(0.0))) return false;
    const int64_t of_element = static_cast<int64_t>(std::floor(std::ldexp(turn - std::floor(turn), 47) + 0.5));
    high = both_halves(static_cast<int32_t>(of_element >> 31));
    middle = both_halves(static_cast<int32_t>(of_element >> 15 & 0xffff));
    rest = both_halves(static_cast<int32_t>(of_element & 0x7fff));
    const double turns = begin / kTurn;
    start = static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(std::ldexp(turns - std::floor(turns), 32)) + 256));
    // Half of the last bit of t, and as much as an eighth of it for the angle.
    lanes.error += steepest_ * 0.625 * std::ldexp(1.0, -15);
    return std::isfinite(lanes.error);
  }
};

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_WAVE_CURVE_H_
