// Calls of kernels that find running sums, as a prepared graph keeps them.
#ifndef OPKG_SCANS_KEPT_H_
#define OPKG_SCANS_KEPT_H_

#include "opkg/reduce_kept.h"
#include "opkg/scans.h"

namespace opkg {

/// Running sums in vectors where that goes, else rows.
struct ByScans : ByRows {
  template <typename>
  static constexpr bool kInSlots = false;

#if OPKG_HVX
  template <typename Rows, bool = scans::HasScans<Rows>::value>
  class Made : public ByRows::Made<Rows> {
   public:
    using ByRows::Made<Rows>::Made;
  };
  template <typename Rows>
  class Made<Rows, true> : public OneWay<scans::Shared<Rows>> {
   public:
    Made(const Rows& rows, const Operand* operands, uint32_t axes, uint32_t) : OneWay<scans::Shared<Rows>>(scans::Shared<Rows>(rows, operands, axes)) {}

    template <uint32_t, typename Rest>
    Status run(const Rows&, const Operand* operands, const Memory& memory, Slice slice, const Rest&) const {
      scans::run(this->shared_, static_cast<const uint8_t*>(memory.data(operands[0].data)), static_cast<uint8_t*>(memory.data(operands[1].data)), slice);
      return Status::ok;
    }

    bool run_at(const Rows&, uint8_t* const* data) const { return scans::run(this->shared_, data[0], data[1], Slice{}); }
  };
#endif
};

}  // namespace opkg

#endif  // OPKG_SCANS_KEPT_H_
