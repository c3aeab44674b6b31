// Calls of kernels that reduce columns, as a prepared graph keeps them.
#ifndef OPKG_COLUMNS_KEPT_H_
#define OPKG_COLUMNS_KEPT_H_

#include "opkg/columns.h"
#include "opkg/reduce_kept.h"

namespace opkg {

/// Columns in vectors where that goes, else rows.
struct ByColumns {
  template <typename Rows>
  static Status run(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, const Operand* now, Slice slice) {
    if (vectors && columns::in_vectors(rows, axes, now[0], now + 1, slice)) return Status::ok;
    return ByRows::run(rows, vectors, axes, dropped, now, slice);
  }
};

}  // namespace opkg

#endif  // OPKG_COLUMNS_KEPT_H_
