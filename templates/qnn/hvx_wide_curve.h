// Smooth functions of one 16-bit element as parts of larger expressions: cubics of 128 pieces, whose values have 32 bits.
#ifndef OPKG_HVX_WIDE_CURVE_H_
#define OPKG_HVX_WIDE_CURVE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "opkg/hvx_fixed.h"
#include "opkg/hvx_pieces.h"
#include "opkg/hvx_table.h"

namespace opkg {
namespace fixed {

/// What a function takes of its input: sigmoid, tanh and so on of a linear function, or of a curved one that always rises or
/// always falls, or a power of a linear one.
enum class Inner : uint8_t {
  line,
  bent,
  power
};

/// value + t * (slope + t * (bend + t * twist)) for t from -1 to 1 along each piece, at most 2^30 in size. Value and slope
/// are words of a high and a low half; the product of t and what is in brackets behind it goes down by `shift`.
struct WideCurve : Pieces {
  alignas(128) uint16_t value_high[kPieces];
  alignas(128) uint16_t value_low[kPieces];
  alignas(128) uint16_t slope_high[kPieces];
  alignas(128) uint16_t slope_low[kPieces];
  alignas(128) uint16_t bend[kPieces];
  alignas(128) uint16_t twist[kPieces];
  int32_t shift;
  int32_t last;   ///< the last element that the pieces are for
  int32_t below;  ///< by how much results fall with each element before `low`, times 2^16
  int32_t above;  ///< by how much they rise with each one behind `last`
  Lanes lanes;

  /// Sets all numbers. `argument`: what the function takes sigmoid, tanh, sin and so on of. `apart`: how far from an end
  /// its result is looked for first, as in Curve. `kTurns`: it may rise and fall. `kBelow`, `kAbove`: it may be a line there,
  /// else it is a number. `side`: 1 or -1 of the function of max(x, 0)
  /// or min(x, 0). False: pieces are too long to show all of the function, or it is not finite.
  template <typename In, bool kTurns = false, bool kBelow = false, bool kAbove = false, Inner kInner = Inner::line, typename Function, typename Argument>
  bool fit(const Function& function, const Argument& argument, float scale, int32_t zero, int32_t apart, int32_t side = 0) {
    const double first = static_cast<double>(std::numeric_limits<In>::min()) - zero;
    const auto result = [&](double element) { return function((first + element) * static_cast<double>(scale)); };
    const auto inner = [&](double element) { return argument((first + element) * static_cast<double>(scale)); };
    const int32_t begin = side > 0 ? static_cast<int32_t>(-first) : 0, end = side < 0 ? static_cast<int32_t>(-first) : 65535;
    Ends ends;
    ends.falls = kBelow && side <= 0 ? (result(256.0) - result(0.0)) / 256.0 : 0.0;
    ends.rises = kAbove && side >= 0 ? (result(65535.0) - result(65279.0)) / 256.0 : 0.0;
    lay_lines<kTurns>(result, inner, apart, begin, end, ends);
    if (kInner == Inner::line && !pairs() && !(std::fabs(argument(step_ * scale) - argument(0.0)) <= kLongest)) return false;
    if (!make<kInner>(result, inner, ends, smaller(result(begin), result(end)), larger(result(begin), result(end)))) return false;
    last = both_halves(low + span);
    below = static_cast<int32_t>(std::floor(std::ldexp(ends.falls / lanes.unit, 16) + 0.5));
    above = static_cast<int32_t>(std::floor(std::ldexp(ends.rises / lanes.unit, 16) + 0.5));
    spread();
    return true;
  }

 protected:
  /// By how much results fall and rise with each element at the ends, how large they are, and how far they may be from lines.
  struct Ends {
    double falls = 0.0, rises = 0.0, size = 0.0, grain = 0.0;
  };

  double steepest_ = 0.0;  // by how much a result may change with t

  /// Lays pieces where results are not those of the lines at the ends.
  template <bool kTurns, typename Result, typename Argument>
  void lay_lines(const Result& result, const Argument& inner, int32_t apart, int32_t begin, int32_t end, Ends& ends) {
    ends.size = std::fabs(result(end));
    for (int32_t at = begin; at < end; at += 256) ends.size = larger(ends.size, std::fabs(result(at)));
    ends.grain = larger(std::ldexp(ends.size, -25), 1e-300);
    const auto along_line = [&](int32_t element, double slope) { return std::floor((result(element) - slope * element) / ends.grain + 0.5); };
    lay<kTurns>([&](int32_t element) { return along_line(element, ends.falls); },
                [&](int32_t element) { return along_line(element, ends.rises); }, inner, apart, begin, end);
  }

  /// Sets the tables and what their lanes are. `least`, `most`: results at the ends of the elements.
  template <Inner kInner, typename Result, typename Argument>
  bool make(const Result& result, const Argument& inner, const Ends& ends, double least, double most) {
    Seen seen;
    seen.low = least;
    seen.high = most;
    seen.reach = larger(larger(std::fabs(least), std::fabs(most)), ends.size);
    seen.reach = larger(seen.reach, 32768.0 * larger(std::fabs(ends.falls), std::fabs(ends.rises)));
    for (size_t piece = 0; piece < kPieces && begins(piece); ++piece) {
      if (!look(cubic(result, piece), piece, result, seen)) return false;
      if (kInner == Inner::bent && !pairs() && !shown(inner, piece)) return false;
    }
    const double unit = larger(seen.reach / 1073000000.0, 1e-300);
    shift = 0;
    while (shift < 31 && std::ldexp(seen.bend, shift - 14) < 32700.0 * unit) ++shift;
    const double bend_unit = std::ldexp(unit, 15 - shift);
    if (!(seen.bend < 32700.0 * bend_unit)) return false;
    for (size_t piece = 0; piece < kPieces; ++piece) {
      const bool used = begins(piece);
      put(piece, used ? cubic(result, piece) : Cubic(), unit, bend_unit);
    }
    steepest_ = seen.steepest;
    lanes.unit = unit;
    lanes.offset = 0.0;
    lanes.low = seen.low - seen.bend / 64.0;  // between the places that are looked at
    lanes.high = seen.high + seen.bend / 64.0;
    // Between the places cubics are off by 1.09 times as much, beside the 0 of powers from 1.5 on by 1.06 times.
    // Halves of last bits: of value, slope and the last product, and one that the shift cuts off; of bend, twist and their product;
    // of the steepness of a line, and one that is cut off.
    lanes.error = 1.25 * seen.off + ends.grain + 4.0 * unit + 1.5 * bend_unit;
    return std::isfinite(lanes.error);
  }

 private:
  /// Of all pieces.
  struct Seen {
    double low, high;                ///< results
    double off = 0.0;                ///< how far off cubics are
    double reach = 0.0, bend = 0.0;  ///< the largest sums of coefficients: of all, of the last two
    double steepest = 0.0;
  };

  bool begins(size_t piece) const { return center(piece) - step_ <= low + span; }

  template <typename Result>
  Cubic cubic(const Result& result, size_t piece) const {
    if (!pairs()) return Cubic::nearest(result, center(piece), step_);
    const double left = result(center(piece) - step_);
    return Cubic(center(piece) > low + span ? left : result(center(piece)), left);
  }

  /// Whether the argument does not change so much between the places that are looked at that something might not show there.
  template <typename Argument>
  bool shown(const Argument& inner, size_t piece) const {
    bool found = true;
    for (int32_t place = -8; place < 8; ++place) {
      const double element = center(piece) + place * step_ / 8;
      found = found && std::fabs(inner(element + step_ / 8) - inner(element)) <= kLongest / 8;
    }
    return found;
  }

  /// False: a result is not finite.
  template <typename Result>
  bool look(const Cubic& cubic, size_t piece, const Result& result, Seen& seen) const {
    const double bends = std::fabs(cubic.bend) + std::fabs(cubic.twist);
    seen.bend = larger(seen.bend, bends);
    seen.steepest = larger(seen.steepest, std::fabs(cubic.slope) + 2 * std::fabs(cubic.bend) + 3 * std::fabs(cubic.twist));
    seen.reach = larger(seen.reach, std::fabs(cubic.value) + std::fabs(cubic.slope) + bends);
    const double begin = larger(-1.0, (low - center(piece)) / step_), end = smaller(1.0, (low + span - center(piece)) / step_);
    for (int32_t place = -8; place <= (pairs() ? 0 : 8) && begin <= end; place += pairs() ? 8 : 1) {
      const double t = smaller(larger(place / 8.0, begin), end);  // the ends of the elements, too
      const double exact = result(center(piece) + t * step_);
      if (!(std::fabs(exact - cubic.at(t)) < 1e300)) return false;
      seen.off = larger(seen.off, std::fabs(exact - cubic.at(t)));
      seen.low = smaller(seen.low, exact);
      seen.high = larger(seen.high, exact);
    }
    return true;
  }

  void put(size_t piece, const Cubic& cubic, double unit, double bend_unit) {
    const auto fixed = [](double number) { return static_cast<uint32_t>(static_cast<int32_t>(std::floor(number + 0.5))); };
    const uint32_t v = fixed(cubic.value / unit), s = fixed(cubic.slope / unit);
    const size_t at = hvx::table_place<uint16_t>(piece);
    value_high[at] = static_cast<uint16_t>(v >> 16);
    value_low[at] = static_cast<uint16_t>(v);
    slope_high[at] = static_cast<uint16_t>(s >> 16);
    slope_low[at] = static_cast<uint16_t>(s);
    bend[at] = static_cast<uint16_t>(fixed(cubic.bend / bend_unit));
    twist[at] = static_cast<uint16_t>(fixed(cubic.twist / bend_unit));
  }
};

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_WIDE_CURVE_H_
