// Calls of kernels that compute rows in panels, as a prepared graph keeps them.
#ifndef OPKG_PANELS_KEPT_H_
#define OPKG_PANELS_KEPT_H_

#include "opkg/panels.h"
#include "opkg/reduce_kept.h"

namespace opkg {

/// Rows in panels where that goes, else one after another.
template <typename Way>
struct ByPanels : ByRows {
#if OPKG_HVX
  template <typename Rows, bool = rowwise::HasRowVector<Rows>::value>
  class Made : public ByRows::Made<Rows> {
   public:
    using ByRows::Made<Rows>::Made;
  };
  template <typename Rows>
  class Made<Rows, true> {
   public:
    static constexpr uint32_t kWays = 1;

    OPKG_RARE Made(const Rows& rows, const Operand* operands, uint32_t axes, uint32_t dropped) : Made(rows, Shapes(operands, axes, dropped)) {}

    bool fits() const { return fits_; }
    size_t length() const { return plan_.count(); }
    uint32_t way() const { return 0; }
    opkg::Part rest(Slice slice) const { return plan_.results(slice); }

    template <uint32_t, typename Rest>
    Status run(const Rows& rows, const Operand* operands, const Memory& memory, Slice slice, const Rest& rest) const {
      uint8_t* data[kOperands];
      for (uint32_t i = 0; i < kCount; ++i) data[i] = data_of(operands[i], memory);
      return plan_.template run<Way>(rows, data, slice) ? Status::ok : rest();
    }

   private:
    static constexpr uint32_t kCount = Rows::kInputs + Rows::kOutputs, kOperands = rowwise::AllRowsOf<Rows>::kOperands;

    struct Shapes {
      const Operand* each[kCount];
      rowwise::AllRowsOf<Rows> all;
      bool fit;

      Shapes(const Operand* operands, uint32_t axes, uint32_t dropped) {
        for (uint32_t i = 0; i < kCount; ++i) each[i] = &operands[i];
        fit = all.set(each, kCount, axes, dropped) == Status::ok;
      }
    };
    Made(const Rows& rows, const Shapes& shapes) : plan_(rowwise::kRowKind<Rows>, rowwise::SameInputs<Rows>::of(rows), Rows::kReduced, shapes.all), fits_(shapes.fit && plan_.fits()) {}

    panels::Plan<kOperands> plan_;
    bool fits_;
  };
#endif
};

}  // namespace opkg

#endif  // OPKG_PANELS_KEPT_H_
