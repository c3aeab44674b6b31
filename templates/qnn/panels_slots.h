// The rows of panels up to 32 at a time.
#ifndef OPKG_PANELS_SLOTS_H_
#define OPKG_PANELS_SLOTS_H_

#include "opkg/panels.h"
#include "opkg/slots.h"

namespace opkg {
namespace panels {

struct Slots {
  template <typename R>
  static Status run(const R& rows, const Operand* const* operands) {
    return slots::run(rows, true, 1, 0, operands, Slice{});
  }
};

}  // namespace panels
}  // namespace opkg

#endif  // OPKG_PANELS_SLOTS_H_
