// Calls of elementwise kernels over parts of tensors that a prepared graph keeps: numbers, tables, and where the rows lie.
#ifndef OPKG_ROWS_SEEN_KEPT_H_
#define OPKG_ROWS_SEEN_KEPT_H_

#include <initializer_list>

#include "opkg/kept_operand.h"
#include "opkg/rows_seen.h"
#include "opkg/seen_blocks.h"

namespace opkg {

/// A call of any kernel with as many operands. Its numbers stand behind it, in a KeptSeen.
template <uint32_t kInputs, uint32_t kOutputs>
class KeptSeenRows : public KeptCall {
 protected:
  OPKG_SMALL KeptSeenRows(const rowwise::RowFunctions& functions, const void* rows, const std::initializer_list<SeenOperand>& inputs,
                          const std::initializer_list<SeenOperand>& outputs)
      : kernel_{&functions, rows, false}, operands_(inputs, outputs), rows_(functions, operands_.each, kKeptRows) {
    const Operand& result = outputs.begin()->base;
    slices = slices_for(&result, 1);
    KeptCall::run = &KeptSeenRows::parts;
    if (!result.crouton()) return;
    blocks_ = rowwise::SeenBlocks<kInputs, kOutputs>(functions, operands_.each);
    KeptCall::run = blocks_.fits() ? &KeptSeenRows::in_blocks : &KeptSeenRows::elements;
  }

  /// `vectors`: what the struct's prepare() said.
  void may_take(bool vectors) { kernel_.vectors = vectors && kernel_.functions->vector; }

  /// `from`: of which inputs the outputs are copies; none where they are computed.
  void may_copy(const uint32_t* from) {
    copied_ = from;
    if (from != nullptr) rows_.will_copy(from);
  }

  const rowwise::SeenRows<kInputs, kOutputs>& rows() const { return rows_; }
  void cut_last() { rows_.cut_last(); }
  const void* output() const { return operands_.each[kInputs].base.data; }
  const rowwise::KernelRows& kernel() const { return kernel_; }
  const SeenOperand& operand(uint32_t i) const { return operands_.each[i]; }
  bool copies() const { return copied_ != nullptr; }
  bool whole_blocks() const { return blocks_.fits(); }

 private:
  static constexpr uint32_t kOperands = kInputs + kOutputs;
  static constexpr size_t kKeptRows = 2;  // copies of rows are prepared once

  struct Operands {
    SeenOperand each[kOperands];

    OPKG_SMALL Operands(const std::initializer_list<SeenOperand>& inputs, const std::initializer_list<SeenOperand>& outputs) {
      SeenOperand* next = each;
      for (const SeenOperand& o : inputs) *next++ = o;
      for (const SeenOperand& o : outputs) *next++ = o;
    }
  };

  static const KeptSeenRows& of(const KeptCall& call) { return static_cast<const KeptSeenRows&>(call); }

  static Status parts(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptSeenRows& self = of(call);
    if (!self.rows_.valid()) return Status::unsupported;
    if (self.rows_.size() == 0) return Status::ok;
    uint8_t* data[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) data[i] = static_cast<uint8_t*>(memory.data(self.operands_.each[i].base.data));
    if (self.copied_ != nullptr) {
      self.rows_.copy(self.copied_, data, slice);
    } else {
      self.rows_.run(self.kernel_, data, slice);
    }
    return Status::ok;
  }

  static Status in_blocks(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptSeenRows& self = of(call);
    if (self.rows_.size() == 0) return Status::ok;
    self.blocks_.run(self.kernel_, self.copied_, [&](uint32_t i) { return memory.blocks(self.operands_.each[i].base.blocks); }, slice);
    return Status::ok;
  }

  /// In blocks that do not lie beside each other.
  OPKG_RARE static Status elements(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptSeenRows& self = of(call);
    if (!self.rows_.valid()) return Status::unsupported;
    if (slice.index != 0) return Status::ok;
    Operands now = self.operands_;
    for (SeenOperand& o : now.each) place(o.base, memory);
    rowwise::seen_elements(self.kernel_, kInputs, kOutputs, now.each);
    return Status::ok;
  }

  rowwise::KernelRows kernel_;
  const uint32_t* copied_ = nullptr;
  Operands operands_;
  rowwise::SeenRows<kInputs, kOutputs> rows_;
  rowwise::SeenBlocks<kInputs, kOutputs> blocks_;
};

template <typename Rows>
class KeptSeen : public KeptSeenRows<Rows::kInputs, Rows::kOutputs> {
 public:
  static constexpr bool kAround = false;  ///< nothing lies around what is computed

  /// `inputs`, `outputs`: as for elementwise_seen(), with handles in place of pointers.
  template <typename Args>
  OPKG_SMALL KeptSeen(const Args& op, const std::initializer_list<SeenOperand>& inputs, const std::initializer_list<SeenOperand>& outputs)
      : KeptSeenRows<Rows::kInputs, Rows::kOutputs>(rowwise::kRowFunctions<Rows>, &rows_, inputs, outputs) {
    this->may_take(rows_.prepare(op));
    this->may_copy(rowwise::Copies<Rows>::of(rows_));
  }

 private:
  Rows rows_;
};

}  // namespace opkg

#endif  // OPKG_ROWS_SEEN_KEPT_H_
