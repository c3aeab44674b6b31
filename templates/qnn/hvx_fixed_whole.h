// Roundings to whole numbers in fixed-point kernels: the floor of a multiple of a 16-bit element, exactly.
#ifndef OPKG_HVX_FIXED_WHOLE_H_
#define OPKG_HVX_FIXED_WHOLE_H_

#include <cmath>
#include <cstdint>

#include "opkg/hvx_fixed.h"
#include "opkg/hvx_fixed_decide.h"
#include "opkg/small.h"

namespace opkg {
namespace fixed {

OPKG_SMALL_BEGIN

/// floor(x * top / under + halves / 2): the top of factor * lane + start, whose 42 fraction bits are three words of 14.
///
/// The quotient of the scales is taken as m / n, which has all elements on the same side of all whole numbers. Results are
/// multiples of 1 / n then, and half of one, or less, is added, so that the rounding of the factor turns no floor.
struct Whole {
  static constexpr int32_t kBits = 14;
  static constexpr int32_t kWhole = ~((1 << kBits) - 1);  ///< of the top word
  static constexpr int64_t kMostEven = 1 << 13;           ///< parts of 1 that the fraction of the top word tells apart

  int32_t factor[3] = {};
  int32_t start[3] = {};
  int32_t odd = 0;    ///< the low 15 bits of the top word of what becomes one less; more bits where nothing does
  int32_t shift = 0;  ///< of the top word, whose fraction is 0 then: lanes are as large as 16 bits hold
  int32_t one = 0;    ///< in lanes
  Lanes lanes;

  /// even: what is a whole number before its floor is taken, and odd, becomes one less (halves that were rounded up).
  /// False: the numbers have too many bits, or 16 bits do not hold the results.
  bool fit(const Lanes& x, double top, double under, int32_t halves, bool even) {
    double scale = 0.0;
    if (!std::isfinite(top) || !std::isfinite(under) || !(std::fabs(under) > 0.0)) return false;
    if (!exact_scale({x, halves % 2 == 0 ? top : 2.0 * top}, scale)) return false;
    const double slope = top / under;
    const double ends[] = {slope * x.low + halves / 2.0, slope * x.high + halves / 2.0};
    lanes.low = std::floor(smaller(ends[0], ends[1])) - 1.0;
    lanes.high = std::floor(larger(ends[0], ends[1])) + 1.0;
    for (shift = kBits; shift > 0 && std::ldexp(lanes.size(), kBits + 1 - shift) <= 32767.0;) --shift;
    lanes.unit = std::ldexp(1.0, shift - kBits);
    one = both_halves(1 << (kBits - shift));
    SameSide sides;
    if (!(lanes.size() <= 32767.0) || !sides.find(std::fabs(scale), std::fabs(under), kMostSteps, kMostSteps)) return false;
    const int64_t parts = halves % 2 == 0 ? sides.n : 2 * sides.n;  // of 1, that results are multiples of
    const bool ties = even && (halves % 2 == 0 || (sides.n <= kMostSteps && sides.m % 2 != 0));
    if (ties && parts > kMostEven) return false;
    odd = both_halves(ties ? 1 << kBits : 1 << (kBits + 1));
    const int64_t size = nearest(sides.m, parts);
    const int64_t slack = ties ? int64_t{1} << 16 : (int64_t{1} << 41) / parts;
    const int64_t each = (scale > 0.0) == (under > 0.0) ? size : -size;
    split(each, factor, true);
    split(each * static_cast<int64_t>(x.offset) + halves * (int64_t{1} << 41) + slack, start, false);
    return std::fabs(slope * x.unit) < 1.0;
  }

 private:
  static constexpr int64_t kMostSteps = 65537;  ///< elements from 0, twice a result that has a half

  /// m * 2^42 / n, rounded.
  static int64_t nearest(int64_t m, int64_t n) { return ((m << 42) / n * 2 + ((m << 42) % n * 2) / n + 1) >> 1; }

  /// Words of -2^13 to 2^13 - 1; the last one has the rest.
  static void split(int64_t number, int32_t (&words)[3], bool twice) {
    for (int32_t k = 0; k < 3; ++k) {
      const int64_t word = k == 2 ? number : ((number + (1 << (kBits - 1))) & ((1 << kBits) - 1)) - (1 << (kBits - 1));
      words[k] = twice ? both_halves(static_cast<int32_t>(word)) : static_cast<int32_t>(word);
      number = (number - word) >> kBits;
    }
  }
};

OPKG_SMALL_END

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_FIXED_WHOLE_H_
