// Calls of elementwise kernels that a prepared graph keeps: numbers, tables, and which elements form rows.
#ifndef OPKG_ROWS_KEPT_H_
#define OPKG_ROWS_KEPT_H_

#include "opkg/rows_blocks.h"
#include "opkg/rows_kept_flat.h"

namespace opkg {

/// A call of any kernel with as many operands. Its numbers stand behind it, in a KeptElementwise.
template <uint32_t kInputs, uint32_t kOutputs>
class KeptRows : public KeptFlatRows<kInputs, kOutputs> {
  using Flat = KeptFlatRows<kInputs, kOutputs>;
  using Flat::aligned_, Flat::crouton_, Flat::kernel_, Flat::kOperands, Flat::kSlots, Flat::operands_, Flat::shift_, Flat::status_;

 protected:
  OPKG_SMALL KeptRows(const rowwise::RowFunctions& functions, const void* rows, const std::initializer_list<Operand>& ins,
                      const std::initializer_list<Operand>& outs)
      : Flat(functions, rows, ins, outs) {
    if (!crouton_) return;
    if (!functions.blocks) status_ = Status::unsupported;
    if (status_ == Status::ok) blocks_ = Blocks(functions, this->inputs()), depths_ = Depths(functions, this->inputs());
  }

  /// `vectors`: what the struct's prepare() said.
  OPKG_SMALL void may_take(bool vectors) {
    kernel_.vectors = vectors && kernel_.functions->vector;
    KeptCall::run = crouton_ ? &KeptRows::croutons : this->flat_call();
    if (depths_.is_there() && kernel_.vectors) KeptCall::run = depths_.is_one() ? &KeptRows::one_depth : &KeptRows::depths;
    if (!blocks_.is_there() || !kernel_.vectors) return;
    KeptCall::run = &KeptRows::blocks;
    if (this->outputs()[0].num_blocks == 1) KeptCall::run = &KeptRows::one_block;
    if (!blocks_.lines().some()) return;
    KeptCall::run = this->outputs()[0].dims[0] == 1 ? &KeptRows::full_and_lines : &KeptRows::blocks_and_lines;
    if (blocks_.lines().all()) KeptCall::run = &KeptRows::lines;
  }

 private:
  using Blocks = rowwise::BlockCall<kInputs, kOutputs>;
  using Depths = rowwise::DepthCall<kInputs, kOutputs>;

  static const KeptRows& of(const KeptCall& call) { return static_cast<const KeptRows&>(call); }

  /// All operands have the same blocks, and vector code takes them.
  static Status blocks(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptRows& self = of(call);
    if (slice.count != 1) return blocks_and_lines(call, memory, slice);
    return self.template in_blocks<false>(memory, 0, self.outputs()[0].num_blocks);
  }
  /// The same of one block, which is a row.
  static Status one_block(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptRows& self = of(call);
    if (slice.count != 1) return blocks_and_lines(call, memory, slice);
    const Memory now = memory;
    const void* in[kSlots] = {};
    void* out[kOutputs];
    for (uint32_t i = 0; i < kInputs; ++i) in[i] = now.blocks(self.inputs()[i].blocks)[0];
    for (uint32_t i = 0; i < kOutputs; ++i) out[i] = now.blocks(self.outputs()[i].blocks)[0];
    const size_t n = rowwise::kBlockBytes >> self.shift_;
    rowwise::counted(true, n);
    self.aligned_(self.kernel_.rows, in, out, n, hvx::kNoPaths<kOperands>);
    return Status::ok;
  }
  /// The same of blocks of which some lines hold elements.
  static Status lines(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptRows& self = of(call);
    if (slice.count != 1) return blocks_and_lines(call, memory, slice);
    return self.template in_blocks<true>(memory, 0, self.outputs()[0].num_blocks);
  }
  /// The same of images that begin with blocks that are full.
  static Status full_and_lines(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptRows& self = of(call);
    if (slice.count != 1) return blocks_and_lines(call, memory, slice);
    const size_t count = self.outputs()[0].num_blocks, full = self.blocks_.lines().whole();
    self.template in_blocks<false>(memory, 0, full);
    return self.template in_blocks<true>(memory, full, count - full);
  }
  __attribute__((noinline)) static Status blocks_and_lines(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptRows& self = of(call);
    const size_t count = self.outputs()[0].num_blocks;
    self.blocks_.lines().each(
        slice.begin(count), slice.end(count), [&](size_t first, size_t some) { self.template in_blocks<false>(memory, first, some); },
        [&](size_t first, size_t some) { self.template in_blocks<true>(memory, first, some); });
    return Status::ok;
  }
  template <bool kLines>
  __attribute__((noinline)) Status in_blocks(const Memory& memory, size_t first, size_t count) const {
    blocks_.template run<kLines>(kernel_.rows, first, count, [&](uint32_t i) { return memory.blocks(operands_.each[i].blocks); });
    return Status::ok;
  }

  /// Blocks of one depth, with inputs that repeat.
  static Status one_depth(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptRows& self = of(call);
    if (slice.count != 1) return depths(call, memory, slice);
    const uint32_t count = self.outputs()[0].num_blocks;
    rowwise::counted(true, (count * rowwise::kBlockBytes) >> self.shift_);
    self.depths_.one(
        self.kernel_.rows, count, [&](uint32_t i) { return memory.blocks(self.operands_.each[i].blocks); },
        [&](uint32_t i) { return memory.data(self.operands_.each[i].data); });
    return Status::ok;
  }
  __attribute__((noinline)) static Status depths(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptRows& self = of(call);
    const size_t count = self.outputs()[0].num_blocks, first = slice.begin(count), last = slice.end(count);
    if (first >= last) return Status::ok;
    rowwise::counted(true, ((last - first) * rowwise::kBlockBytes) >> self.shift_);
    self.depths_.some(
        self.kernel_.rows, first, last, [&](uint32_t i) { return memory.blocks(self.operands_.each[i].blocks); },
        [&](uint32_t i) { return memory.data(self.operands_.each[i].data); });
    return Status::ok;
  }

  static Status croutons(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptRows& self = of(call);
    if (self.status_ != Status::ok) return self.status_;
    return rowwise::croutons(rowwise::any_rows<kInputs, kOutputs>(self.kernel_), self.operands_.now(memory).each, slice);
  }

  Blocks blocks_;
  Depths depths_;
};

template <typename Rows>
class KeptElementwise : public KeptRows<Rows::kInputs, Rows::kOutputs> {
 public:
  /// `inputs`, `outputs`: as for elementwise(), with handles in place of pointers.
  template <typename Args>
  OPKG_SMALL KeptElementwise(const Args& op, const std::initializer_list<Operand>& inputs, const std::initializer_list<Operand>& outputs)
      : KeptRows<Rows::kInputs, Rows::kOutputs>(rowwise::kRowFunctions<Rows>, &rows_, inputs, outputs) {
    this->may_take(rows_.prepare(op));
  }

 private:
  Rows rows_;
};

}  // namespace opkg

#endif  // OPKG_ROWS_KEPT_H_
