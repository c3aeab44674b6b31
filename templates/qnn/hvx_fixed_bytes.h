// Decisions on stored bytes in fixed-point kernels: a bound of one, the sign of a sum of two, exactly.
#ifndef OPKG_HVX_FIXED_BYTES_H_
#define OPKG_HVX_FIXED_BYTES_H_

#include <cstdint>

#include "opkg/hvx_fixed.h"
#include "opkg/hvx_fixed_decide.h"
#include "opkg/small.h"

namespace opkg {
namespace fixed {

OPKG_SMALL_BEGIN

/// factor * element + constant of a byte is above 0 (or at least 0) where max(byte, least) > most.
struct ByteAbove {
  int32_t least = 0;  ///< in all bytes
  int32_t most = 0;

  /// For factors above 0. False: the numbers are not exact.
  bool fit(const Term& term, double constant, bool at_least) {
    double scale = 0.0;
    if (!exact_scale(term, scale) || !std::isfinite(constant)) return false;
    const int64_t bound = -twice_quotient(constant, scale) - 2 * static_cast<int64_t>(term.lanes.offset);
    const int64_t below = (bound - (at_least ? 1 : 0)) >> 1;  // the greatest byte that is not above
    least = all_bytes(below < 0 ? 1 : 0);
    most = all_bytes(static_cast<int32_t>(smaller(larger(static_cast<double>(below), 0.0), 255.0)));
    return true;
  }
};

/// The sign of the integer sum m * x + n * y of two stored bytes: lanes of floor(sum / 8), by vmpa with the high and the
/// low bits of m and n, and what is left.
struct SignOfBytes {
  static constexpr int32_t kBits = 3;
  static constexpr int32_t kRest = 0x00070007;
  static constexpr int64_t kSign = 0;     ///< lanes or what is left have the sign of the sum
  static constexpr int64_t kAbove = 7;    ///< lanes are above 0 where the sum is
  static constexpr int64_t kAtLeast = 8;  ///< lanes are above 0 where the sum is at least 0

  int32_t high = 0;
  int32_t low = 0;
  int32_t low_start = 0;  ///< in both halves
  int32_t start = 0;

  /// `added`: to the sum. False: the scales have too many bits.
  bool fit(const Term& x, const Term& y, int64_t added) {
    double p = 0.0;
    double q = 0.0;
    SameSide sides;
    if (!exact_scale(x, p) || !exact_scale(y, q) ||
        !sides.find(std::fabs(p), std::fabs(q), most_steps(x.lanes), most_steps(y.lanes)))
      return false;
    const int64_t m = p > 0.0 ? sides.m : -sides.m;
    const int64_t n = q > 0.0 ? sides.n : -sides.n;
    const int64_t first =
        m * static_cast<int64_t>(x.lanes.offset) + n * static_cast<int64_t>(y.lanes.offset) + added;
    high = byte_pairs(upper(m), upper(n));
    low = byte_pairs(static_cast<int32_t>(m - upper(m) * 8), static_cast<int32_t>(n - upper(n) * 8));
    low_start = both_halves(static_cast<int32_t>(first & 7));
    start = both_halves(static_cast<int32_t>(first >> kBits));
    return true;
  }

 private:
  static int32_t upper(int64_t factor) { return static_cast<int32_t>((factor + 4) >> kBits); }
};

OPKG_SMALL_END

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_FIXED_BYTES_H_
