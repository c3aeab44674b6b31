// Calls of kernels that take several rows at a time, as a prepared graph keeps them.
#ifndef OPKG_SLOTS_KEPT_H_
#define OPKG_SLOTS_KEPT_H_

#include "opkg/reduce_kept.h"
#include "opkg/slots.h"

namespace opkg {

/// Up to 32 rows at a time where that goes, else one after another.
struct BySlots : ByRows {
#if OPKG_HVX
  template <typename Rows>
  static constexpr size_t staged_bytes() {
    if constexpr (slots::HasSlots<Rows>::value) return Rows::kVectorsKept == 0 ? 2 * kStagedBytes : kStagedBytes;  // as others have tables there
    return kStagedBytes;
  }

  template <typename Rows, bool = slots::HasSlots<Rows>::value>
  class Made : public ByRows::Made<Rows> {
   public:
    using ByRows::Made<Rows>::Made;
  };
  template <typename Rows>
  class Made<Rows, true> : public ByRows::Made<Rows> {
   public:
    Made(const Rows& rows, const Operand* operands, uint32_t axes, uint32_t dropped)
        : ByRows::Made<Rows>(rows, operands, axes, dropped), plan_(rows, this->all_), slotted_(this->fits_ && plan_.fits()) {}

    bool run(const Rows& rows, const Operand* operands, const Memory& memory, Slice slice) const {
      uint8_t* data[rowwise::AllRows<Rows>::kOperands];
      this->find(operands, memory, data);
      return run_at(rows, data, slice);
    }

    bool run_at(const Rows& rows, uint8_t* const* data, Slice slice) const {
      slotted_ ? plan_.run(rows, this->all_, data, slice) : this->all_.in_slice(rows, this->vectors_, data, slice);
      return true;
    }

   private:
    slots::Plan<Rows> plan_;
    bool slotted_;
  };
#endif
};

}  // namespace opkg

#endif  // OPKG_SLOTS_KEPT_H_
