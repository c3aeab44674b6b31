// Calls of kernels that reduce dimensions, as a prepared graph keeps them: numbers and tables.
#ifndef OPKG_REDUCE_KEPT_H_
#define OPKG_REDUCE_KEPT_H_

#include <initializer_list>

#include "opkg/kept_operand.h"
#include "opkg/reduce.h"

namespace opkg {

/// How the rows of kept operands (inputs, then outputs) are computed.
struct ByRows {
  /// What is made of the shapes of kept operands once. `run`: whether a call was computed with it; `rest`: what is
  /// left to do of a slice that was not.
  template <typename Rows>
  class Made {
   public:
    Made(const Operand*, uint32_t) {}
    bool run(const Rows&, const Operand*, const Memory&, Slice) const { return false; }
    Slice rest(Slice slice) const { return slice; }
  };

  template <typename Rows>
  static Status run(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, const Operand* now, const Part& part) {
    const Operand* operands[Rows::kInputs + Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kInputs + Rows::kOutputs; ++i) operands[i] = &now[i];
    return rowwise::reduce_rows(rows, vectors, axes, dropped, operands, part);
  }
};

template <typename Rows, typename Way = ByRows>
class KeptReduction : public KeptCall {
 public:
  /// Arguments as for reduce(), with handles in place of pointers.
  template <typename Args>
  OPKG_SMALL KeptReduction(const Args& op, uint32_t axes, uint32_t dropped, const std::initializer_list<Operand>& inputs,
                           const std::initializer_list<Operand>& outputs)
      : operands_(inputs, outputs), made_(operands_.each, axes), axes_(axes), dropped_(dropped) {
    vectors_ = rows_.prepare(op);
    slices = slices_for(operands_.each, kOperands);
    for (uint32_t i = 0; i < Rows::kInputs && (axes & (axes + 1)) == 0; ++i) {
      const Operand& o = operands_.each[i];
      size_t row = o.bytes;
      for (uint32_t k = 0; k < o.rank && (axes >> k & 1) != 0; ++k) row *= o.extent(k);
      if (o.in_ddr) add({o.data, o.size() * o.bytes, row});
    }
    KeptCall::run = &KeptReduction::run_kept;
  }

 private:
  static Status run_kept(const KeptCall& call, const Memory& memory, Slice slice) {
    const auto& self = static_cast<const KeptReduction&>(call);
    if (self.vectors_ && self.made_.run(self.rows_, self.operands_.each, memory, slice)) return Status::ok;
    const KeptOperands<kOperands> now = self.operands_.now(memory);
    return Way::run(self.rows_, self.vectors_, self.axes_, self.dropped_, now.each, self.made_.rest(slice));
  }

  static constexpr uint32_t kOperands = Rows::kInputs + Rows::kOutputs;

  Rows rows_;
  KeptOperands<kOperands> operands_;
  typename Way::template Made<Rows> made_;
  uint32_t axes_;
  uint32_t dropped_;
  bool vectors_;
};

}  // namespace opkg

#endif  // OPKG_REDUCE_KEPT_H_
