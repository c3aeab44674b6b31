// Calls of elementwise kernels on flat tensors that a prepared graph keeps: one row, rows with inputs that repeat, or any.
#ifndef OPKG_ROWS_KEPT_FLAT_H_
#define OPKG_ROWS_KEPT_FLAT_H_

#include <initializer_list>

#include "opkg/kept_operand.h"
#include "opkg/rows.h"

namespace opkg {

/// A call of any kernel with as many operands, flat ones.
template <uint32_t kInputs, uint32_t kOutputs>
class KeptFlatRows : public KeptCall {
 protected:
  static constexpr uint32_t kOperands = kInputs + kOutputs;
  static constexpr uint32_t kSlots = rowwise::Domain<kInputs>::kSlots;

  OPKG_SMALL KeptFlatRows(const rowwise::RowFunctions& functions, const void* rows, const std::initializer_list<Operand>& ins,
                          const std::initializer_list<Operand>& outs)
      : kernel_{&functions, rows, false}, operands_(ins, outs), plan_(planned(ins.size() == kInputs && outs.size() == kOutputs)) {
    bool in_ddr = false;
    for (const Operand& o : operands_.each) in_ddr |= o.in_ddr;
    if (!in_ddr) plan_.strips.tile = plan_.length;  // no caches
    strips_ = Strips(functions, plan_.strips, plan_.length, plan_.fixed, plan_.periods, inputs(), outputs());
    shift_ = static_cast<uint32_t>(__builtin_ctz(outputs()[0].bytes));
    aligned_ = functions.walking(hvx::Walk::aligned, 0);
    anywhere_ = functions.walking(kOutputs > 1 ? hvx::Walk::anywhere : hvx::Walk::shifted, 0);
    for (uint32_t i = 0; i < kOperands; ++i) sizes_[i] = operands_.each[i].size() * operands_.each[i].bytes;
    for (uint32_t i = 0; i < kInputs; ++i) {
      if (plan_.fixed == (((1u << kInputs) - 1) ^ 1u << i)) only_ = i;
    }
    slices = slices_for(operands_.each, kOperands);
    for (uint32_t i = 0; i < kInputs && status_ == Status::ok; ++i) {
      const Operand& o = inputs()[i];
      if (o.in_ddr && o.size() == domain_.size) add({o.data, domain_.size * o.bytes, functions.step * o.bytes});
    }
  }

  /// How a call runs: what the shapes allow.
  OPKG_SMALL Run flat_call() {
    const bool row = status_ == Status::ok && kernel_.vectors && domain_.size != 0 && plan_.first == 0 && plan_.buffered == 0;
    if (!row) return &KeptFlatRows::flat;
    if (plan_.fixed == 0) return &KeptFlatRows::one_row;
    if (only_ < kInputs && kOutputs == 1 && strips_.alone(domain_.size)) {
      if (plan_.strips.twice) before_ = sizes_[only_] - 1, meet_ = before_ + sizes_[kInputs];
      const bool strip = strips_.is_strip();
      if (strip && plan_.strips.twice) return &KeptFlatRows::one_tile<true, true>;
      if (strip) return &KeptFlatRows::one_tile<false, true>;
      if (strips_.is_known()) return plan_.strips.twice ? &KeptFlatRows::one_tile<true, false> : &KeptFlatRows::one_tile<false, false>;
    }
    return &KeptFlatRows::one_row_of_strips;
  }

  const Operand* inputs() const { return operands_.each; }
  const Operand* outputs() const { return operands_.each + kInputs; }

 private:
  using Strips = rowwise::StripCall<kInputs, kOutputs>;

  OPKG_SMALL rowwise::Plan<kInputs> planned(bool complete) {
    if (!complete) status_ = Status::error;
    for (const Operand& o : operands_.each) crouton_ |= o.crouton();
    for (uint32_t i = 0; i < kOutputs; ++i) {
      if (!rowwise::same_dims(outputs()[i], outputs()[0])) status_ = Status::unsupported;
    }
    const bool fits = !crouton_ && status_ == Status::ok && domain_.set(inputs(), outputs()[0]);
    if (!crouton_ && status_ == Status::ok && !fits) status_ = Status::unsupported;
    if (!fits || domain_.size == 0) {
      domain_ = {};
      domain_.size = 0;
      domain_.extents[domain_.rank++] = 1;
    }
    return rowwise::make_plan(*kernel_.functions, domain_, outputs()[0].bytes);
  }

  static const KeptFlatRows& of(const KeptCall& call) { return static_cast<const KeptFlatRows&>(call); }

  __attribute__((always_inline)) void pointers(const Memory& memory, const void** in, void** out) const {
    const Memory now = memory;  // no call changes it
    for (uint32_t i = 0; i < kInputs; ++i) in[i] = now.data(inputs()[i].data);
    for (uint32_t i = 0; i < kOutputs; ++i) out[i] = now.data(outputs()[i].data);
  }

  /// Everything is one row, without patterns.
  static Status one_row(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptFlatRows& self = of(call);
    if (slice.count != 1) return part_of_row(call, memory, slice);
    const void* in[kSlots] = {};
    void* out[kOutputs];
    self.pointers(memory, in, out);
    self.rows_at(in, out, self.domain_.size);
    return Status::ok;
  }
  OPKG_RARE static Status part_of_row(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptFlatRows& self = of(call);
    const size_t first = slice.begin(self.domain_.size, self.kernel_.functions->step);
    const size_t last = slice.end(self.domain_.size, self.kernel_.functions->step);
    if (first >= last) return Status::ok;
    const uint8_t* in[kSlots] = {};
    uint8_t* out[kOutputs];
    for (uint32_t i = 0; i < kInputs; ++i) in[i] = data_of(self.inputs()[i], memory) + first * self.inputs()[i].bytes;
    for (uint32_t i = 0; i < kOutputs; ++i) out[i] = data_of(self.outputs()[i], memory) + first * self.outputs()[i].bytes;
    rowwise::RowCall<kInputs, kOutputs>(self.kernel_, 0).whole(self.inputs(), self.outputs(), in, out, last - first);
    return Status::ok;
  }

  /// One row with inputs that repeat, but for one of them, in one strip (`kStrip`) or in several that are all known. `kTwice`: as
  /// Strips::twice.
  template <bool kTwice, bool kStrip>
  static Status one_tile(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptFlatRows& self = of(call);
    if (slice.count != 1) return one_row_of_strips(call, memory, slice);
    const void* in[kSlots] = {};
    void* out[kOutputs];
    self.pointers(memory, in, out);
    if (kTwice && self.lies_in_place(in[self.only_], out[0])) return flat(call, memory, slice);
    rowwise::counted(true, self.domain_.size);
    const auto vectors = self.strips_.template vectors<kTwice>(in[self.only_], out[0]);
    if (kStrip) {
      self.strips_.strip(vectors, self.kernel_.rows, in, out);
    } else {
      self.strips_.known(vectors, self.kernel_.rows, in, out, 0);
    }
    return Status::ok;
  }

  /// One row with inputs that repeat. It is a call, so that others need no room for its variables.
  OPKG_RARE static Status one_row_of_strips(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptFlatRows& self = of(call);
    const size_t first = slice.begin(self.domain_.size, self.kernel_.functions->step);
    const size_t last = slice.end(self.domain_.size, self.kernel_.functions->step);
    if (first >= last) return Status::ok;
    const void* in[kSlots] = {};
    void* out[kOutputs];
    self.pointers(memory, in, out);
    if (self.plan_.strips.twice && self.some_lies_in_place(in, out)) return flat(call, memory, slice);
    if (first != 0) self.on(in, out, first, self.plan_.fixed);
    rowwise::counted(true, last - first);
    self.strips_(self.kernel_.rows, in, out, first, last - first);
    return Status::ok;
  }

  /// Whether the only output lies where the only input does that does not repeat, and elements would be computed twice.
  bool lies_in_place(const void* in, void* out) const {
    return reinterpret_cast<uintptr_t>(in) - reinterpret_cast<uintptr_t>(out) + before_ < meet_;
  }

  /// Whether an output lies where some input does.
  bool some_lies_in_place(const void* const* in, void* const* out) const {
    bool found = false;
    for (uint32_t i = 0; i < kInputs; ++i) {
      for (uint32_t k = 0; k < kOutputs; ++k) found |= meet(in[i], sizes_[i], out[k], sizes_[kInputs + k]);
    }
    return found;
  }
  static bool meet(const void* a, size_t a_bytes, const void* b, size_t b_bytes) {
    const auto from = reinterpret_cast<uintptr_t>(a), to = reinterpret_cast<uintptr_t>(b);
    return from < to + b_bytes && to < from + a_bytes;
  }

  /// `n` elements, at least one: those in front of a vector of results, then the others.
  /// What vector code of elementwise kernels returns is not asked for: it refuses operands in prepare() only.
  __attribute__((always_inline)) void rows_at(const void** in, void** out, size_t n) const {
    rowwise::counted(true, n);
    rowwise::VectorFunction vectors = aligned_;
    if (!in_lines(in, out)) {
      vectors = anywhere_;
      const size_t head = kOutputs == 1 ? (0 - reinterpret_cast<uintptr_t>(out[0])) % rowwise::kAlignment >> shift_ : 0;
      if (head != 0 && head < n) {
        vectors(kernel_.rows, in, out, head, hvx::kNoPaths<kOperands>);
        on(in, out, head, 0);
        n -= head;
        if (in_lines(in, out)) vectors = aligned_;
      }
    }
    vectors(kernel_.rows, in, out, n, hvx::kNoPaths<kOperands>);
  }

  /// Moves the pointers on by some elements, but those of the inputs in the set `fixed`.
  void on(const void** in, void** out, size_t elements, uint32_t fixed) const {
    for (uint32_t i = 0; i < kInputs; ++i) {
      if ((fixed >> i & 1) == 0) in[i] = static_cast<const uint8_t*>(in[i]) + elements * inputs()[i].bytes;
    }
    for (uint32_t i = 0; i < kOutputs; ++i) out[i] = static_cast<uint8_t*>(out[i]) + elements * outputs()[i].bytes;
  }

  /// Whether all pointers lead to multiples of 128.
  static bool in_lines(const void* const* in, void* const* out) {
    uintptr_t places = 0;
    for (uint32_t i = 0; i < kInputs; ++i) places |= reinterpret_cast<uintptr_t>(in[i]);
    for (uint32_t i = 0; i < kOutputs; ++i) places |= reinterpret_cast<uintptr_t>(out[i]);
    return rowwise::kTellsAlignment && places % rowwise::kAlignment == 0;
  }

  /// Several rows, or patterns.
  OPKG_RARE static Status flat(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptFlatRows& self = of(call);
    if (self.status_ != Status::ok) return self.status_;
    uint8_t* data[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) data[i] = static_cast<uint8_t*>(memory.data(self.operands_.each[i].data));
    return rowwise::flat_rows<kInputs, kOutputs>(self.kernel_, self.domain_, self.plan_, self.inputs(), self.outputs(), data, slice);
  }

 protected:
  rowwise::KernelRows kernel_;
  KeptOperands<kOperands> operands_;
  size_t sizes_[kOperands];  ///< bytes
  uintptr_t before_ = 0;     ///< bytes of `only_` but one,
  uintptr_t meet_ = 0;       ///< and those of the output; 0: nothing is computed twice
  uint32_t only_ = kInputs;  ///< the input that does not repeat, if it is the only such one: no output takes the place of the others
  uint32_t shift_;           ///< of elements of the first output to bytes
  Status status_ = Status::ok;
  bool crouton_ = false;
  rowwise::VectorFunction aligned_;
  rowwise::VectorFunction anywhere_;
  rowwise::Domain<kInputs> domain_;
  rowwise::Plan<kInputs> plan_;
  Strips strips_;
};

}  // namespace opkg

#endif  // OPKG_ROWS_KEPT_FLAT_H_
