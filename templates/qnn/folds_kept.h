// Calls of kernels that fold rows, as a prepared graph keeps them.
#ifndef OPKG_FOLDS_KEPT_H_
#define OPKG_FOLDS_KEPT_H_

#include "opkg/folds.h"
#include "opkg/reduce_kept.h"

namespace opkg {

/// Rows many at a time where that goes, else one after another.
struct ByFolds : ByRows {
  template <typename Rows>
  static Status run(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, const Operand* now, Slice slice) {
    if (vectors && folds::in_vectors(rows, axes, now[0], now[1], slice)) return Status::ok;
    return ByRows::run(rows, vectors, axes, dropped, now, slice);
  }
};

}  // namespace opkg

#endif  // OPKG_FOLDS_KEPT_H_
