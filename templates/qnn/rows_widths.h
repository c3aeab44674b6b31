// How rows with inputs that repeat are cut into strips (opkg/rows_strips.h). C++17.
#ifndef OPKG_ROWS_WIDTHS_H_
#define OPKG_ROWS_WIDTHS_H_

#include <cstddef>

#include "opkg/small.h"

namespace opkg::rowwise {

/// How a row is cut into strips.
struct Strips {
  size_t width = 1;             ///< elements from a turn to the next one: whole periods
  size_t tile = 1;              ///< elements after which the next strip's turn comes, for caches: whole widths
  size_t packets = ~size_t{0};  ///< about what a row costs
  bool twice = false;           ///< whether elements may be computed twice: then no output may lie where an input does

  Strips() = default;

  /// A row of `length` elements whose inputs begin again every `period`. `step`: elements of a turn, which has `steps`.
  /// `bytes`: of an element of the output.
  OPKG_SMALL Strips(size_t period, size_t length, size_t step, size_t steps, size_t bytes) {
    for (size_t strips = (period + step - 1) / step;; ++strips) {
      const size_t now = strips * step / period * period;
      if (packets != ~size_t{0} && (now * bytes > kWidest * steps || now > length)) break;
      const size_t fitting = kTileBytes / (now * bytes);
      const size_t rows = fitting < kLeast / steps ? kLeast / steps : fitting;
      const size_t calls = length / (rows * now) + 1;
      const size_t one = now % step == 0 ? kAligned : kAnywhere;
      const size_t cost = strips * (length / now * steps * one + calls * kCall);
      if (cost < packets) width = now, tile = rows * now, packets = cost;
      if (now % step == 0) break;
    }
    twice = width % step != 0;
  }

 private:
  static constexpr size_t kWidest = 4096;  // bytes
  static constexpr size_t kTileBytes = 256 << 10;
  static constexpr size_t kLeast = 64;                               // steps of a strip in a tile
  static constexpr size_t kAligned = 3, kAnywhere = 4, kCall = 100;  // packets of a step, and of a strip besides
};

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_WIDTHS_H_
