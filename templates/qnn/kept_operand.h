// Operands of calls that a prepared graph keeps.
#ifndef OPKG_KEPT_OPERAND_H_
#define OPKG_KEPT_OPERAND_H_

#include "opkg/kept.h"
#include "opkg/rows_operand.h"

namespace opkg {

/// An operand with its memory in place of its handle.
inline Operand now(const Operand& kept, const Memory& memory) {
  Operand found = kept;
  if (kept.crouton()) {
    found.blocks = memory.blocks(kept.blocks);
  } else {
    found.data = static_cast<uint8_t*>(memory.data(kept.data));
  }
  return found;
}

}  // namespace opkg

#endif  // OPKG_KEPT_OPERAND_H_
