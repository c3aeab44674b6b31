// Where the 128 pieces of a function of 16-bit elements lie, in whole numbers.
#ifndef OPKG_HVX_PIECES_H_
#define OPKG_HVX_PIECES_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "opkg/hvx_fixed.h"

namespace opkg {
namespace fixed {

/// value + t * (slope + t * (bend + t * twist)) through what a function is in the middle of a piece, at -1, -1/2, 1/2 and 1.
struct Cubic {
  double value = 0.0, slope = 0.0, bend = 0.0, twist = 0.0;

  Cubic() = default;
  Cubic(double middle, double left, double near_left, double near_right, double right) : value(middle) {
    const double odd = (right - left) / 2, near_odd = (near_right - near_left) / 2;
    slope = (8 * near_odd - odd) / 3;
    twist = odd - slope;
    bend = ((right + left) / 2 - middle + ((near_right + near_left) / 2 - middle) / 4) / 1.0625;
  }
  /// The line through what it is in the middle and one step before that.
  Cubic(double middle, double left) : value(middle), slope(middle - left) {}

  /// The same, off by less between these points: what is left of the fourth degree goes as far to one side as to the other.
  template <typename Result>
  static Cubic nearest(const Result& result, double center, double step) {
    const double middle = result(center), left = result(center - step), right = result(center + step);
    const double near_left = result(center - step / 2), near_right = result(center + step / 2);
    Cubic cubic(middle, left, near_left, near_right, right);
    cubic.bend = (right + left) / 2 - middle;
    cubic.value -= (cubic.bend - 2 * (near_right + near_left - 2 * middle)) / 6;
    return cubic;
  }

  double at(double t) const { return value + t * (slope + t * (bend + t * twist)); }
};

/// Elements count from the least one.
struct Pieces {
  static constexpr size_t kPieces = 128;
  static constexpr int32_t kPlaces = 65536;  ///< of a piece
  static constexpr int32_t kFinest = 32768;  ///< places of an element, at most: two elements of a piece
  static constexpr double kLongest = 2.0;    ///< half a piece, in what the argument changes: the checks are an eighth of it apart

  int32_t low;     ///< the first element that the pieces are for
  int32_t span;    ///< how many more there are; elements outside have the results of the ends
  int32_t before;  ///< elements of the first piece that are before `low`
  int32_t zoom;    ///< places of an element

 protected:
  double low_ = 0.0;   // where the first piece begins
  double step_ = 0.0;  // elements of half a piece

  /// Whether pieces have two elements, at -1 and 0.
  bool pairs() const { return zoom == kFinest; }
  double center(size_t piece) const { return low_ + (2.0 * static_cast<double>(piece) + 1.0) * step_; }

  /// Where the results are not those of the ends, half of what the pieces are too long for before it: so the middle of no
  /// piece lies where results saturate. `least`, `greatest`: what elements are alike in at either end, whole numbers. What
  /// turns is looked at as often as pieces are, where `inner`, the argument of an element, is not so far off that sigmoids
  /// and the like have ended. `first`, `last`: the elements that there are.
  template <bool kTurns, typename Least, typename Greatest, typename Inner>
  void lay(const Least& least, const Greatest& greatest, const Inner& inner, int32_t first_apart, int32_t first = 0, int32_t last = 65535) {
    constexpr double kEnd = 40.0;
    const auto edge = [&](const auto& stored, int32_t from, int32_t to) {  // the last element that is like the first one
      const double ends = stored(from);
      const int32_t way = to > from ? 1 : -1;
      const auto same = [&](int32_t apart) {  // in between, too: what turns comes back to a result
        int32_t between = apart > 4 ? apart / 4 : 1;
        if (kTurns) {
          const double begin = inner(from), end = inner(from + apart * way);
          const bool ended = smaller(begin, end) > kEnd || larger(begin, end) < -kEnd;
          const double often = apart * (kLongest / 8) / std::fabs(end - begin);  // elements
          if (!ended && often < between) between = often > 1.0 ? static_cast<int32_t>(often) : 1;
        }
        bool found = stored(from + apart * way) == ends;
        for (int32_t part = between; kTurns && part < apart; part += between) found = found && stored(from + part * way) == ends;
        return found;
      };
      for (int32_t apart = first_apart; apart > 0; apart /= 2) {
        while ((to - from) * way >= apart && same(apart)) from += apart * way;
      }
      return from;
    };
    low = edge(least, first, last);
    span = edge(greatest, last, low) - low;
    const int32_t most = static_cast<int32_t>(kPieces) * kPlaces / (span + 1);
    zoom = most < kFinest ? most : kFinest;
    before = (kPlaces - (span + 1) * zoom % kPlaces) % kPlaces / (2 * zoom);
    low_ = low - before;
    step_ = kPlaces / 2 / static_cast<double>(zoom);
  }

  /// Puts the numbers into both halves of words, when they are no longer needed as such.
  void spread() {
    low = both_halves(low);
    span = both_halves(span);
    before = both_halves(before);
    zoom = both_halves(zoom);
  }
};

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_PIECES_H_
