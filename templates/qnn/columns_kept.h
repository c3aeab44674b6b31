// Calls of kernels that reduce columns, as a prepared graph keeps them.
#ifndef OPKG_COLUMNS_KEPT_H_
#define OPKG_COLUMNS_KEPT_H_

#include "opkg/columns.h"
#include "opkg/reduce_kept.h"

namespace opkg {

/// Columns in vectors where that goes, else rows.
struct ByColumns : ByRows {
#if OPKG_HVX
  template <typename Rows, bool = columns::HasColumns<Rows>::value>
  class Made : public ByRows::Made<Rows> {
   public:
    using ByRows::Made<Rows>::Made;
  };
  template <typename Rows>
  class Made<Rows, true> : public OneWay<columns::Shared<Rows>> {
   public:
    using OneWay<columns::Shared<Rows>>::OneWay;

    template <uint32_t, typename Rest>
    Status run(const Rows& rows, const Operand* operands, const Memory& memory, Slice slice, const Rest& rest) const {
      uint8_t* places[Rows::kInputs + Rows::kOutputs];
      for (uint32_t i = 0; i < Rows::kInputs + Rows::kOutputs; ++i) places[i] = static_cast<uint8_t*>(memory.data(operands[i].data));
      return columns::run(rows, this->shared_, places, slice) ? Status::ok : rest();
    }

    Part rest(Slice slice) const { return this->shared_.results(slice); }
  };
#endif
};

}  // namespace opkg

#endif  // OPKG_COLUMNS_KEPT_H_
