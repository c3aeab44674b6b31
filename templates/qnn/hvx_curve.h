// Smooth functions of one 16-bit element: cubics of 128 pieces, in fixed point.
#ifndef OPKG_HVX_CURVE_H_
#define OPKG_HVX_CURVE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "opkg/hvx_fixed.h"
#include "opkg/hvx_pieces.h"
#include "opkg/hvx_table.h"

namespace opkg {
namespace fixed {

/// value + t * (slope + t * (bend + t * twist)) for t from -1 to 1 along each piece; all but the value have `shift`
/// fraction bits. Elements count from the least one, results from the middle of their range.
struct Curve : Pieces {
  alignas(128) uint16_t value[kPieces];
  alignas(128) uint16_t slope[kPieces];
  alignas(128) uint16_t bend[kPieces];
  alignas(128) uint16_t twist[kPieces];
  int32_t shift;
  int32_t half;    ///< of the last bit that the shift leaves, less what the values of pieces are moved by
  int32_t border;  ///< of what turns: the last element before the pieces that are moved by something else
  int32_t beyond;  ///< of what turns: `half` of the elements behind it

  /// Sets all numbers. `argument`: what the function takes sigmoid, tanh, sin and so on of. `apart`: how far from an end
  /// its result is looked for first, 256, or 1 of what comes back to a result again and again. `kTurns`: it may rise and
  /// fall. False: some result may be more than `most` steps off, pieces are too long to show all of the function, or it is
  /// not finite.
  template <typename In, typename Out, bool kTurns = false, typename Function, typename Argument>
  bool fit(const Function& function, const Argument& argument, float in_scale, int32_t in_zero, float out_scale,
           int32_t out_zero, int32_t apart, double most = 1.45) {
    const double first = static_cast<double>(std::numeric_limits<In>::min()) - in_zero;
    const double middle = std::numeric_limits<Out>::min() + 32768.0;
    const auto result = [&](double element) {
      return function((first + element) * static_cast<double>(in_scale)) / static_cast<double>(out_scale) + out_zero - middle;
    };
    const auto inner = [&](double element) { return argument((first + element) * static_cast<double>(in_scale)); };
    const auto stored = [&](int32_t element) { return std::floor(limited(result(element)) + 0.5); };
    lay<kTurns>(stored, stored, inner, apart);
    if (!(std::fabs(argument(step_ * in_scale) - argument(0.0)) <= kLongest)) return false;
    double rise = 0.0;
    Moves moves;
    bool fits = true;
    for (size_t piece = 0; piece < kPieces; ++piece) {
      const Piece made(result, center(piece), step_);
      if (!made.flat) rise = larger(rise, std::fabs(made.slope) + std::fabs(made.bend) + std::fabs(made.twist));
      if (center(piece) - step_ <= low + span) fits = fits && moves.take(made, piece, kTurns);
    }
    if (!fits) moves = Moves();
    rise += larger(std::fabs(moves.first.nearest()), std::fabs(moves.rest.nearest()));
    if (!std::isfinite(rise)) return false;
    int32_t fraction = 12;
    while (fraction >= 0 && !(std::ldexp(rise, fraction) < 32700.0)) --fraction;
    if (fraction < 0) return false;
    for (size_t piece = 0; piece < kPieces; ++piece) {
      const double moved = moves.of(piece);
      if (!put(piece, Piece(result, center(piece), step_), result, fraction, most, kTurns, moved)) return false;
    }
    spread();
    shift = fraction;
    const double last = std::floor(std::ldexp(0.5, fraction));
    half = both_halves(static_cast<int32_t>(last - std::ldexp(moves.first.nearest(), fraction)));
    if (kTurns) {
      const double end = moves.border < kPieces ? std::ceil(center(moves.border) - step_ - 1e-6) - 1.0 : 65535.0;
      border = both_halves(static_cast<int32_t>(smaller(larger(end, 0.0), 65535.0)));
      beyond = both_halves(static_cast<int32_t>(last - std::ldexp(moves.rest.nearest(), fraction)));
    }
    return true;
  }

 private:
  static double limited(double result) { return smaller(larger(result, -32768.0), 32767.0); }

  /// The cubic through the results at -1, -1/2, 1/2 and 1, less the whole number in its middle.
  struct Piece {
    double value;  // as far as the output holds it
    double middle, slope = 0.0, bend = 0.0, twist = 0.0;
    bool flat;  // all results saturate to one number

    template <typename Result>
    Piece(const Result& result, double center, double step) {
      const double at = result(center);
      const double left = result(center - step), right = result(center + step);
      middle = std::floor(at + 0.5);
      value = limited(middle);
      flat = value == std::floor(limited(left) + 0.5) && value == std::floor(limited(right) + 0.5) && at != limited(at);
      if (flat) return;
      const Cubic cubic(at, left, result(center - step / 2), result(center + step / 2), right);
      slope = cubic.slope;
      bend = cubic.bend;
      twist = cubic.twist;
    }
  };

  /// What values of pieces may be moved by, so that 16 bits hold them.
  struct Range {
    double low = -65535.0, high = 65535.0;

    bool take(const Piece& piece) {
      const bool above = piece.flat && piece.value > 0.0, below = piece.flat && piece.value < 0.0;
      low = larger(low, above ? -65535.0 : below ? 0.0
                                                 : -32768.0 - piece.middle);
      high = smaller(high, below ? 65535.0 : above ? 0.0
                                                   : 32767.0 - piece.middle);
      return low <= high;
    }

    double nearest() const { return low > 0.0 ? low : smaller(high, 0.0); }  // to 0
  };

  /// Where a function turns beyond the end of the output, the middles of pieces on both sides of that may lie there, too: they are
  /// moved into the range, and results back. As the other end may be near elsewhere, pieces from `border` on have a move of their own.
  struct Moves {
    Range first, rest;
    size_t border = kPieces;

    bool take(const Piece& piece, size_t at, bool turns) {
      Range& range = border == kPieces ? first : rest;
      const Range before = range;
      if (range.take(piece)) return true;
      if (!turns || border < kPieces) return false;
      first = before;
      border = at;
      return rest.take(piece);
    }

    double of(size_t piece) const { return (piece < border ? first : rest).nearest(); }
  };

  /// Whether all results of a piece are less than `most` away from the exact ones; within a step of the correctly rounded ones
  /// they are when that is less than 1.5. Each product's rounding adds 0.5 of the last bit, the shift half a step; between two
  /// of the places here the coefficients' rounding adds 0.05 at most. `turns`: what is all saturated at the places of `Piece` may
  /// not be so in between. `moved`: what the value is moved by.
  template <typename Result>
  bool put(size_t piece, const Piece& made, const Result& result, int32_t fraction, double most, bool turns, double moved) {
    const auto fixed = [&](double number) { return std::floor(std::ldexp(number, fraction) + 0.5); };
    const double stored = limited(made.middle + moved);
    const double s = fixed(made.slope), b = fixed(made.bend), w = fixed(made.twist);
    const double begin = larger(-1.0, (low - center(piece)) / step_), end = smaller(1.0, (low + span - center(piece)) / step_);
    for (int32_t place = -8; place <= 8 && (turns || !made.flat) && begin <= end; ++place) {
      const double t = smaller(larger(place / 8.0, begin), end);  // the ends of the elements, too
      const double element = center(piece) + t * step_;
      const double found = limited(stored - moved + std::ldexp(t * (s + t * (b + t * w)), -fraction));
      const double rounding = 0.5 + std::ldexp(0.5 + (std::fabs(t) + t * t) / 2, -fraction);
      if (!(std::fabs(found - limited(result(element))) + rounding < most)) return false;
    }
    const auto entry = [](double number) { return static_cast<uint16_t>(static_cast<int32_t>(number)); };
    const size_t at = hvx::table_place<uint16_t>(piece);
    value[at] = entry(stored);
    slope[at] = entry(s);
    bend[at] = entry(b);
    twist[at] = entry(w);
    return true;
  }
};

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_CURVE_H_
