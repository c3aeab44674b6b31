// Operands of calls that a prepared graph keeps.
#ifndef OPKG_KEPT_OPERAND_H_
#define OPKG_KEPT_OPERAND_H_

#include <initializer_list>

#include "opkg/kept.h"
#include "opkg/rows_operand.h"

namespace opkg {

/// Where the data of a flat operand is.
inline uint8_t* data_of(const Operand& kept, const Memory& memory) {
  return kept.is_number ? kept.data : static_cast<uint8_t*>(memory.data(kept.data));
}

/// Puts an operand's memory in the place of its handle.
inline void place(Operand& kept, const Memory& memory) {
  if (kept.crouton()) {
    kept.blocks = memory.blocks(kept.blocks);
  } else {
    kept.data = data_of(kept, memory);
  }
}

/// In how many slices a call is worth being cut, by the bytes of its largest tensor.
OPKG_SMALL inline uint32_t slices_for(const Operand* operands, uint32_t count) {
  size_t most = kLeastSlice;
  for (uint32_t i = 0; i < count; ++i) {
    const size_t bytes = operands[i].size() * operands[i].bytes;
    most = bytes > most ? bytes : most;
  }
  return static_cast<uint32_t>(most / kLeastSlice);
}

/// Copies some operands, and gives what follows them.
OPKG_RARE inline Operand* copy_operands(Operand* to, const std::initializer_list<Operand>& from) {
  for (const Operand& o : from) *to++ = o;
  return to;
}

/// Operands of a call. They are copied all together: each copy is a call of memcpy.
template <uint32_t kCount>
struct KeptOperands {
  Operand each[kCount];

  OPKG_SMALL KeptOperands(const std::initializer_list<Operand>& inputs, const std::initializer_list<Operand>& outputs) {
    copy_operands(copy_operands(each, inputs), outputs);
  }

  /// With their memory in place of their handles.
  OPKG_RARE KeptOperands now(const Memory& memory) const {
    KeptOperands found = *this;
    for (Operand& o : found.each) place(o, memory);
    return found;
  }
};

}  // namespace opkg

#endif  // OPKG_KEPT_OPERAND_H_
