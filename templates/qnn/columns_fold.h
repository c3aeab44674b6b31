// How numbers of columns that stand side by side in memory, several of each, are joined: so many at a time as a vector holds.
#ifndef OPKG_COLUMNS_FOLD_H_
#define OPKG_COLUMNS_FOLD_H_

#include <cstddef>
#include <cstdint>

namespace opkg {
namespace columns {

/// Columns of joined rows that are one vector, at most, for what is found of them to stay in registers.
template <typename Found>
constexpr size_t kMostSlight = 32;

struct Fold {
  size_t width = 1;    ///< columns
  size_t abreast = 1;  ///< numbers of each that are taken at a time, a power of two: as many as 32 lanes hold, one at least
  size_t turns = 0;    ///< times that such are added to the first ones
  size_t rest = 0;     ///< numbers of all columns that are left then

  Fold() = default;
  Fold(size_t columns, size_t pieces) : width(columns) {
    while (2 * abreast <= pieces && 2 * abreast * width <= 32) abreast *= 2;
    turns = pieces / abreast - 1;
    rest = pieces % abreast * width;
  }
};

/// The same of rows that one vector holds, in registers: sums, which two vectors hold, in steps of more than 64 bytes. Shifts are those of a
/// vector in front of another one (vlalign).
struct LaneFold {
  size_t width = 1;       ///< columns
  size_t pieces = 1;      ///< numbers of each
  int32_t all = 128;      ///< bytes of the vector that are elements
  int32_t live = 128;     ///< bytes of the second vector with sums
  int32_t second = 0;     ///< shift of the second vector, for the sums of the second step
  int32_t third = 0;      ///< the same of zeros in front of the second vector
  int32_t fourth = 0;     ///< 0: there are three steps
  uint32_t halvings = 0;  ///< of the sums that a step has of each column
  int32_t half = 0;       ///< shift of the words of a step for the first one
  uint32_t by = 0;        ///< its bytes

  LaneFold() = default;
  /// `bytes`, `sum`: bytes of an element and of a sum. `whole`: whether other elements follow those of the columns.
  LaneFold(size_t columns, size_t numbers, size_t bytes, size_t sum, bool whole) : width(columns), pieces(numbers) {
    size_t step = columns * sum;
    all = static_cast<int32_t>(pieces * width * bytes);
    if (whole) live = static_cast<int32_t>(pieces * step) - 128;
    for (; step <= 64; step *= 2) ++halvings;
    const int32_t size = static_cast<int32_t>(step);
    second = 128 - size, third = 256 - 2 * size, fourth = 3 * size < 256 ? 256 - 3 * size : 0;
    by = static_cast<uint32_t>(step * 2 / sum), half = 128 - static_cast<int32_t>(by);
  }
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_COLUMNS_FOLD_H_
