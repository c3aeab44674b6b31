// How numbers of columns that stand side by side in memory, several of each, are joined: so many at a time as a vector holds.
#ifndef OPKG_COLUMNS_FOLD_H_
#define OPKG_COLUMNS_FOLD_H_

#include <cstddef>

namespace opkg {
namespace columns {

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

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_COLUMNS_FOLD_H_
