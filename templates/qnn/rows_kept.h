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
    slices = slices_for(operands_, kOperands);
    for (uint32_t i = 0; i < kInputs && status_ == Status::ok; ++i) {
      const size_t step = Rows::kStep * operands_[i].bytes;
      if (operands_[i].in_ddr && operands_[i].size() == domain_.size) add({operands_[i].data, domain_.size * operands_[i].bytes, step});
    }
    one_row_ = status_ == Status::ok && !crouton_ && vectors_ && plan_.first == 0 && plan_.buffered == 0;
    strips_ = rowwise::StripCall<Rows>(plan_.strips, plan_.length, plan_.fixed, plan_.periods, operands_, operands_ + kInputs);
    if (crouton_ && !kBlocks) status_ = Status::unsupported;
    uint32_t patterns = 0;
    blocks_ = status_ == Status::ok && crouton_ && kOperands <= rowwise::BlockRows::kMostOperands && rowwise::by_blocks(kInputs, Rows::kOutputs, Rows::kMayBroadcast, operands_, &patterns) && patterns == 0;
#if OPKG_HVX
    if constexpr (rowwise::HasVector<Rows>::value) {
      aligned_ = rowwise::walking<Rows>(hvx::Walk::aligned, 0);
      anywhere_ = rowwise::walking<Rows>(Rows::kOutputs > 1 ? hvx::Walk::anywhere : hvx::Walk::shifted, 0);
      if constexpr (kBlocks && rowwise::kTellsAlignment) in_blocks_ = rowwise::walking<Rows>(hvx::Walk::blocks, 0);
    }
#endif
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
    return rowwise::make_plan<Rows>(domain_, outputs.begin()->bytes);
  }

  static Status run_kept(const KeptCall& call, const Memory& memory, Slice slice) {
    const auto& self = static_cast<const KeptElementwise&>(call);
    if (self.one_row_) return self.one_row(memory, slice);
    if constexpr (kBlocks) {
      if (self.blocks_) return self.blocks(memory, slice);
      if (self.crouton_) return self.croutons(memory, slice);
    }
    return self.flat(memory, slice);
  }

  /// Everything is one row.
  Status one_row(const Memory& memory, Slice slice) const {
    const size_t first = slice.begin(domain_.size, Rows::kStep);
    const size_t last = slice.end(domain_.size, Rows::kStep);
    if (first >= last) return Status::ok;
    const void* in[kSlots] = {};
    void* out[Rows::kOutputs];
    for (uint32_t i = 0; i < kInputs; ++i) in[i] = memory.data(operands_[i].data);
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = memory.data(operands_[kInputs + i].data);
    if (plan_.fixed == 0) {
      rows_at(in, out, first, last - first);
    } else if (plan_.strips.twice(Rows::kStep) && rowwise::in_place<Rows>(operands_, operands_ + kInputs, in, out)) {
      return flat(memory, slice);
    } else {
      if (first != 0) on(in, out, first);
      rowwise::counted(true, last - first);
      strips_(rows_, in, out, first, last - first);
    }
    return Status::ok;
  }

  /// `n` elements from the element `first` on: those in front of a vector of results, then the others.
  /// What vector code of elementwise kernels returns is not asked for: it refuses operands in prepare() only.
  void rows_at([[maybe_unused]] const void** in, [[maybe_unused]] void** out, [[maybe_unused]] size_t first,
               [[maybe_unused]] size_t n) const {
#if OPKG_HVX
    if constexpr (rowwise::HasVector<Rows>::value) {
      bool aligned = on(in, out, first);
      rowwise::counted(true, n);
      if (!aligned && Rows::kOutputs == 1) {
        size_t head = (0 - reinterpret_cast<uintptr_t>(out[0])) % rowwise::kAlignment >> __builtin_ctz(operands_[kInputs].bytes);
        if (head > n) head = n;
        if (head != 0) anywhere_(rows_, in, out, head, hvx::kNoPaths);
        aligned = on(in, out, head);
        n -= head;
      }
      if (n != 0) (aligned ? aligned_ : anywhere_)(rows_, in, out, n, hvx::kNoPaths);
    }
#endif
  }

  /// Moves the pointers on by some elements, patterns excepted. Whether they lead to multiples of 128 then.
  bool on(const void** in, void** out, size_t elements) const {
    uintptr_t places = 0;
    for (uint32_t i = 0; i < kInputs; ++i) {
      if ((plan_.fixed >> i & 1) != 0) continue;
      in[i] = static_cast<const uint8_t*>(in[i]) + elements * operands_[i].bytes;
      places |= reinterpret_cast<uintptr_t>(in[i]);
    }
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) {
      out[i] = static_cast<uint8_t*>(out[i]) + elements * operands_[kInputs + i].bytes;
      places |= reinterpret_cast<uintptr_t>(out[i]);
    }
    return rowwise::kTellsAlignment && places % rowwise::kAlignment == 0;
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
    const size_t count = operands_[kInputs].num_blocks;
    const size_t first = slice.begin(count);
    const size_t last = slice.end(count);
    if (first >= last) return Status::ok;
    void* const* tables[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) tables[i] = memory.blocks(operands_[i].blocks);
    if (vectors_ && rowwise::kTellsAlignment) {
      blocks_at(tables, first, last - first);
    } else {
      rowwise::BlockRows(rowwise::any_rows(rows_, vectors_), operands_, 0, tables).run(first, last);
    }
    return Status::ok;
  }

  void blocks_at([[maybe_unused]] void* const* const* tables, [[maybe_unused]] size_t first, [[maybe_unused]] size_t count) const {
#if OPKG_HVX
    if constexpr (rowwise::HasVector<Rows>::value && rowwise::kTellsAlignment) {
      hvx::Path paths[kOperands];
      const void* in[kSlots] = {};
      void* out[Rows::kOutputs];
      for (uint32_t i = 0; i < kOperands; ++i) {
        void* const* const blocks = tables[i] + first;
        paths[i] = {blocks, -reinterpret_cast<intptr_t>(blocks[0]), 0, 0};
        if (i < kInputs) in[i] = blocks[0];
        if (i >= kInputs) out[i - kInputs] = blocks[0];
      }
      const size_t n = (count * rowwise::kBlockBytes) >> __builtin_ctz(operands_[kInputs].bytes);
      rowwise::counted(true, n);
      in_blocks_(rows_, in, out, n, paths);
    }
#endif
  }

  Status croutons(const Memory& memory, Slice slice) const {
    if (status_ != Status::ok) return status_;
    Operand now[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) {
      now[i] = operands_[i];
      place(now[i], memory);
    }
    return rowwise::croutons(rowwise::any_rows(rows_, vectors_), now, slice);
  }

  Rows rows_;
  Operand operands_[kOperands];
  Status status_ = Status::ok;
  bool crouton_ = false;
  bool vectors_;
  bool one_row_ = false;
  bool blocks_ = false;
#if OPKG_HVX
  rowwise::VectorFunction<Rows> aligned_ = nullptr;
  rowwise::VectorFunction<Rows> anywhere_ = nullptr;
  rowwise::VectorFunction<Rows> in_blocks_ = nullptr;
#endif
  rowwise::Domain<kInputs> domain_;
  rowwise::Plan<Rows> plan_;
  rowwise::StripCall<Rows> strips_;
};

}  // namespace opkg

#endif  // OPKG_ROWS_KEPT_H_
