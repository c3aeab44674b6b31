// Calls of elementwise kernels that a prepared graph keeps: numbers, tables, and which elements form rows.
#ifndef OPKG_ROWS_KEPT_H_
#define OPKG_ROWS_KEPT_H_

#include <initializer_list>

#include "opkg/kept_operand.h"
#include "opkg/rows.h"

namespace opkg {

template <typename Rows>
class KeptElementwise : public KeptCall {
 public:
  /// `inputs`, `outputs`: as for elementwise(), with handles in place of pointers.
  template <typename Args>
  KeptElementwise(const Args& op, const std::initializer_list<Operand>& inputs, const std::initializer_list<Operand>& outputs)
      : plan_(planned(inputs, outputs)) {
    vectors_ = rows_.prepare(op) && rowwise::HasVector<Rows>::value;
    uint32_t count = 0;
    for (const Operand& o : inputs) operands_[count++] = o;
    for (const Operand& o : outputs) operands_[count++] = o;
    single_ = status_ == Status::ok && !crouton_ && vectors_ && plan_.first == 0 && plan_.buffered == 0 && plan_.fixed == 0;
    if (crouton_ && !kBlocks) status_ = Status::unsupported;
    uint32_t fixed = 0;
    blocks_ = status_ == Status::ok && crouton_ && rowwise::by_blocks<Rows>(operands_, operands_ + kInputs, &fixed) && fixed == 0;
    KeptCall::run = &KeptElementwise::run_kept;
  }

 private:
  static constexpr uint32_t kInputs = Rows::kInputs;
  static constexpr uint32_t kOperands = kInputs + Rows::kOutputs;
  static constexpr uint32_t kSlots = rowwise::Domain<kInputs>::kSlots;
  static constexpr bool kBlocks = rowwise::TakesBlocks<Rows>::value;

  rowwise::Plan<Rows> planned(const std::initializer_list<Operand>& inputs, const std::initializer_list<Operand>& outputs) {
    if (inputs.size() != kInputs || outputs.size() != Rows::kOutputs) status_ = Status::error;
    for (const Operand& o : inputs) crouton_ |= o.crouton();
    for (const Operand& o : outputs) {
      if (!rowwise::same_dims(o, *outputs.begin())) status_ = Status::unsupported;
      crouton_ |= o.crouton();
    }
    const bool fits = !crouton_ && status_ == Status::ok && domain_.set(inputs.begin(), *outputs.begin());
    if (!crouton_ && status_ == Status::ok && !fits) status_ = Status::unsupported;
    if (!fits || domain_.size == 0) {
      domain_ = {};
      domain_.size = 0;
      domain_.extents[domain_.rank++] = 1;
    }
    return rowwise::make_plan<Rows>(domain_, inputs.begin());
  }

  static Status run_kept(const KeptCall& call, const Memory& memory, Slice slice) {
    const auto& self = static_cast<const KeptElementwise&>(call);
    if (self.single_) return self.single(memory, slice);
    if constexpr (kBlocks) {
      if (self.blocks_) return self.blocks(memory, slice);
      if (self.crouton_) return self.croutons(memory, slice);
    }
    return self.flat(memory, slice);
  }

  /// Everything is one row.
  Status single(const Memory& memory, Slice slice) const {
    const size_t first = slice.begin(domain_.size, Rows::kStep);
    const size_t last = slice.end(domain_.size, Rows::kStep);
    if (first >= last) return Status::ok;
    const uint8_t* in[kSlots] = {};
    uint8_t* out[Rows::kOutputs];
    for (uint32_t i = 0; i < kInputs; ++i) {
      in[i] = static_cast<const uint8_t*>(memory.data(operands_[i].data)) + first * operands_[i].bytes;
    }
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) {
      const Operand& o = operands_[kInputs + i];
      out[i] = static_cast<uint8_t*>(memory.data(o.data)) + first * o.bytes;
    }
    rowwise::RowCall<Rows>(rows_, true, 0).whole(operands_, operands_ + kInputs, in, out, last - first);
    return Status::ok;
  }

  /// Several rows, or patterns.
  Status flat(const Memory& memory, Slice slice) const {
    if (status_ != Status::ok) return status_;
    uint8_t* data[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) data[i] = static_cast<uint8_t*>(memory.data(operands_[i].data));
    return rowwise::flat_rows(rows_, vectors_, domain_, plan_, operands_, operands_ + kInputs, data, slice);
  }

  /// All operands have the same blocks.
  Status blocks(const Memory& memory, Slice slice) const {
    void* const* tables[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) tables[i] = memory.blocks(operands_[i].blocks);
    const size_t count = operands_[kInputs].num_blocks;
    rowwise::BlockRows<Rows>(rows_, vectors_, operands_, operands_ + kInputs, 0, tables).run(slice.begin(count), slice.end(count));
    return Status::ok;
  }

  Status croutons(const Memory& memory, Slice slice) const {
    if (status_ != Status::ok) return status_;
    Operand now[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) {
      now[i] = operands_[i];
      place(now[i], memory);
    }
    return rowwise::croutons(rows_, vectors_, now, now + kInputs, slice);
  }

  Rows rows_;
  Operand operands_[kOperands];
  Status status_ = Status::ok;
  bool crouton_ = false;
  bool vectors_;
  bool single_ = false;
  bool blocks_ = false;
  rowwise::Domain<kInputs> domain_;
  rowwise::Plan<Rows> plan_;
};

}  // namespace opkg

#endif  // OPKG_ROWS_KEPT_H_
