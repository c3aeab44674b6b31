// The rows of panels folded many at a time.
#ifndef OPKG_PANELS_FOLDS_H_
#define OPKG_PANELS_FOLDS_H_

#include "opkg/folds.h"
#include "opkg/panels.h"

namespace opkg {
namespace panels {

struct Folds {
  template <typename R>
  static Status run(const R& rows, const Operand* const* operands) {
    return reduce_folds(rows, true, 1, 0, {*operands[0]}, {*operands[1]});
  }
};

}  // namespace panels
}  // namespace opkg

#endif  // OPKG_PANELS_FOLDS_H_
