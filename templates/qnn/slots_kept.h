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
  static constexpr bool kInSlots = slots::kReduced<Rows> == 0;  // single results lie one behind the other

  template <typename Rows>
  static constexpr bool kPixels = slots::kPixels<Rows>;

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
    using Base = ByRows::Made<Rows>;

   public:
    static constexpr uint32_t kWays = Base::kWays + 1;

    Made(const Rows& rows, const Operand* operands, uint32_t axes, uint32_t dropped, bool in_blocks = false)
        : Base(rows, operands, axes, dropped), plan_(rows, this->all_, in_blocks), slotted_(this->fits_ && plan_.fits()) {}

    uint32_t way() const { return slotted_ ? Base::kWays : Base::way(); }

    template <uint32_t kWay, typename Rest>
    Status run(const Rows& rows, const Operand* operands, const Memory& memory, Slice slice, const Rest& rest) const {
      if constexpr (kWay < Base::kWays) return Base::template run<kWay>(rows, operands, memory, slice, rest);
      uint8_t* data[kOperands];
      this->find(kOperands, operands, memory, data);
      groups(rows, data, slice);
      return Status::ok;
    }

    bool run_at(const Rows& rows, uint8_t* const* data) const {
      if (!slotted_) return !plan_.in_blocks() && Base::run_at(rows, data);
      uint8_t* at[kOperands];
      for (uint32_t i = 0; i < kOperands; ++i) at[i] = data[i];
      groups(rows, at, Slice{});
      return true;
    }
    void pixels_one_by_one(const Rows& rows, uint8_t* const* data) const { plan_.pixels(*this->kind_, this->all_, &rows, data); }

   private:
    static constexpr uint32_t kOperands = Rows::kInputs + Rows::kOutputs;

    void groups(const Rows& rows, uint8_t** data, Slice slice) const {
      plan_.one_vector() ? plan_.template groups<true>(rows, this->all_, data, slice) : plan_.template groups<false>(rows, this->all_, data, slice);
    }

    slots::Plan<Rows> plan_;
    bool slotted_;
  };
#endif
};

}  // namespace opkg

#endif  // OPKG_SLOTS_KEPT_H_
