// Calls of elementwise kernels over parts of tensors that a prepared graph keeps: numbers, tables, and where the rows lie.
#ifndef OPKG_ROWS_SEEN_KEPT_H_
#define OPKG_ROWS_SEEN_KEPT_H_

#include <initializer_list>

#include "opkg/kept_operand.h"
#include "opkg/rows_seen.h"

namespace opkg {

/// A call of any kernel with as many operands. Its numbers stand behind it, in a KeptSeen.
template <uint32_t kInputs, uint32_t kOutputs>
class KeptSeenRows : public KeptCall {
 protected:
  OPKG_SMALL KeptSeenRows(const rowwise::RowFunctions& functions, const void* rows, const std::initializer_list<SeenOperand>& inputs,
                          const std::initializer_list<SeenOperand>& outputs)
      : kernel_{&functions, rows, false}, rows_(functions, Operands(inputs, outputs).each) {
    uint32_t i = 0;
    for (const SeenOperand& o : inputs) handles_[i++] = o.base.data;
    for (const SeenOperand& o : outputs) handles_[i++] = o.base.data;
    const Operand& result = outputs.begin()->base;
    slices = slices_for(&result, 1);
    KeptCall::run = &KeptSeenRows::parts;
  }

  /// `vectors`: what the struct's prepare() said.
  void may_take(bool vectors) { kernel_.vectors = vectors && kernel_.functions->vector; }

 private:
  struct Operands {
    SeenOperand each[kInputs + kOutputs];

    OPKG_SMALL Operands(const std::initializer_list<SeenOperand>& inputs, const std::initializer_list<SeenOperand>& outputs) {
      SeenOperand* next = each;
      for (const SeenOperand& o : inputs) *next++ = o;
      for (const SeenOperand& o : outputs) *next++ = o;
    }
  };

  static Status parts(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptSeenRows& self = static_cast<const KeptSeenRows&>(call);
    if (!self.rows_.valid()) return Status::unsupported;
    if (self.rows_.size() == 0) return Status::ok;
    uint8_t* data[kInputs + kOutputs];
    for (uint32_t i = 0; i < kInputs + kOutputs; ++i) data[i] = static_cast<uint8_t*>(memory.data(self.handles_[i]));
    self.rows_.run(self.kernel_, data, slice);
    return Status::ok;
  }

  rowwise::KernelRows kernel_;
  const void* handles_[kInputs + kOutputs];
  rowwise::SeenRows<kInputs, kOutputs> rows_;
};

template <typename Rows>
class KeptSeen : public KeptSeenRows<Rows::kInputs, Rows::kOutputs> {
 public:
  /// `inputs`, `outputs`: as for elementwise_seen(), with handles in place of pointers.
  template <typename Args>
  OPKG_SMALL KeptSeen(const Args& op, const std::initializer_list<SeenOperand>& inputs, const std::initializer_list<SeenOperand>& outputs)
      : KeptSeenRows<Rows::kInputs, Rows::kOutputs>(rowwise::kRowFunctions<Rows>, &rows_, inputs, outputs) {
    this->may_take(rows_.prepare(op));
  }

 private:
  Rows rows_;
};

}  // namespace opkg

#endif  // OPKG_ROWS_SEEN_KEPT_H_
