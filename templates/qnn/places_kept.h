// Calls of kernels that find places, as a prepared graph keeps them.
#ifndef OPKG_PLACES_KEPT_H_
#define OPKG_PLACES_KEPT_H_

#include "opkg/places.h"
#include "opkg/reduce_kept.h"

namespace opkg {

/// Places in vectors where that goes, else rows.
struct ByPlaces : ByRows {
  template <typename>
  static constexpr bool kInSlots = false;

#if OPKG_HVX
  template <typename Rows, bool = places::HasPlaces<Rows>::value>
  class Made : public ByRows::Made<Rows> {
   public:
    using ByRows::Made<Rows>::Made;
  };
  template <typename Rows>
  class Made<Rows, true> : public OneWay<places::Shared<Rows>> {
   public:
    using OneWay<places::Shared<Rows>>::OneWay;

    template <uint32_t, typename Rest>
    Status run(const Rows&, const Operand* operands, const Memory& memory, Slice slice, const Rest&) const {
      places::run(this->shared_, static_cast<const uint8_t*>(memory.data(operands[0].data)), static_cast<uint8_t*>(memory.data(operands[1].data)), slice);
      return Status::ok;
    }

    bool run_at(const Rows&, uint8_t* const* data) const { return places::run(this->shared_, data[0], data[1], Slice{}); }
  };
#endif
};

}  // namespace opkg

#endif  // OPKG_PLACES_KEPT_H_
