// Calls of kernels that take several rows at a time, as a prepared graph keeps them.
#ifndef OPKG_SLOTS_KEPT_H_
#define OPKG_SLOTS_KEPT_H_

#include "opkg/reduce_kept.h"
#include "opkg/slots.h"

namespace opkg {

/// Up to 32 rows at a time where that goes, else one after another.
struct BySlots : ByRows {
  template <typename Rows>
  static Status run(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, const Operand* now, Slice slice) {
    const Operand* operands[Rows::kInputs + Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kInputs + Rows::kOutputs; ++i) operands[i] = &now[i];
    return slots::run(rows, vectors, axes, dropped, operands, slice);
  }
};

}  // namespace opkg

#endif  // OPKG_SLOTS_KEPT_H_
