// How numbers of columns that stand side by side in memory, several of each, are joined: so many at a time as a vector holds.
#ifndef OPKG_COLUMNS_FOLD_H_
#define OPKG_COLUMNS_FOLD_H_

#include <cstddef>

namespace opkg {
namespace columns {

struct Fold {
  size_t width = 1;    ///< columns
  size_t abreast = 1;  ///< numbers of each that are taken at a time: as many as 32 lanes hold, one at least
  size_t turns = 0;    ///< times that such are added to the first ones
  size_t rest = 0;     ///< numbers of all columns that are left then

  Fold() = default;
  Fold(size_t columns, size_t pieces) : width(columns) {
    const size_t most = width < 32 ? 32 / width : 1;
    abreast = pieces < most ? pieces : most;
    turns = pieces / abreast - 1;
    rest = pieces % abreast * width;
  }
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_COLUMNS_FOLD_H_
