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
    static constexpr uint32_t kWays = columns::Few<Rows>::kWays;

    Made(const Rows& rows, const Operand* operands, uint32_t axes, uint32_t dropped)
        : OneWay<columns::Shared<Rows>>(rows, operands, axes, dropped), few_(rows, this->shared_) {}

    uint32_t way() const { return static_cast<uint32_t>(few_.way()); }

    template <uint32_t kWay, typename Rest>
    Status run(const Rows& rows, const Operand* operands, const Memory& memory, Slice slice, const Rest& rest) const {
      uint8_t* places[Rows::kInputs + Rows::kOutputs];
      for (uint32_t i = 0; i < Rows::kInputs + Rows::kOutputs; ++i) places[i] = static_cast<uint8_t*>(memory.data(operands[i].data));
      return columns::run<static_cast<columns::Way>(kWay)>(rows, this->shared_, few_, places, slice) ? Status::ok : rest();
    }

    Part rest(Slice slice) const { return this->shared_.results(slice); }

   private:
    columns::Few<Rows> few_;
  };
#endif
};

}  // namespace opkg

#endif  // OPKG_COLUMNS_KEPT_H_
