// Elementwise kernels on flat tensors: row by row over the output's dimensions.
#ifndef OPKG_ROWS_FLAT_H_
#define OPKG_ROWS_FLAT_H_

#include "opkg/rows_plan.h"

namespace opkg::rowwise {

/// Portable code: one call per run of the innermost dimension.
template <uint32_t kInputs, uint32_t kOutputs>
OPKG_SMALL void portable_rows(const KernelRows& kernel, const Domain<kInputs>& domain, const Operand* inputs, const Operand* outputs,
                              uint8_t* const* data, size_t first, size_t last) {
  constexpr uint32_t kSlots = Domain<kInputs>::kSlots;
  const uint32_t inner = domain.rank - 1;
  const size_t length = domain.extents[inner];
  uint32_t steps[kSlots] = {};
  for (uint32_t i = 0; i < kInputs; ++i) steps[i] = 1 - (domain.broadcast[inner] >> i & 1);
  Place<kInputs> place(domain, 0, inner, first / length);
  size_t begin = first % length;
  for (size_t row = first - begin; row < last; row += length) {
    const void* in[kSlots] = {};
    void* out[kOutputs];
    for (uint32_t i = 0; i < kInputs; ++i) {
      in[i] = data[i] + (place.offset(i) + begin * steps[i]) * inputs[i].bytes;
    }
    for (uint32_t i = 0; i < kOutputs; ++i) out[i] = data[kInputs + i] + (row + begin) * outputs[i].bytes;
    kernel.functions->portable(kernel.rows, in, steps, out, (last - row < length ? last - row : length) - begin);
    begin = 0;
    place.next();
  }
}

/// Rows of flat tensors under one plan. Copies of inputs lie in buffers of their own, on the stack.
template <uint32_t kInputs, uint32_t kOutputs>
class FlatRows {
 public:
  static constexpr uint32_t kSlots = Domain<kInputs>::kSlots;

  OPKG_SMALL FlatRows(const KernelRows& kernel, const Domain<kInputs>& domain, const Plan<kInputs>& plan, const Operand* inputs,
                      const Operand* outputs, uint8_t* const* data)
      : kernel_(kernel), domain_(domain), plan_(plan), inputs_(inputs), outputs_(outputs), data_(data), call_(kernel, 0), strips_(*kernel.functions, plan.strips, plan.length, plan.fixed, plan.periods, inputs, outputs) {
    if (plan.buffered == 0) {
      chunk_ = plan.length;
      return;
    }
    uint8_t* place = arena_;
    const size_t room = Plan<kInputs>::kArena / count_bits(plan.buffered) / kAlignment * kAlignment;
    for (uint32_t i = 0; i < kInputs; ++i) {
      if ((plan.buffered >> i & 1) == 0) continue;
      places_[i] = place;
      place += room;
    }
    chunk_ = chunk(room - kAlignment);  // copies write up to a vector more
  }

  /// The elements first <= i < last of the output.
  void run(size_t first, size_t last) {
    Place<kInputs> place(domain_, 0, plan_.first, first / plan_.length);
    size_t begin = first % plan_.length;
    for (size_t row = first - begin; row < last; row += plan_.length) {
      const size_t end = last - row < plan_.length ? last - row : plan_.length;
      one_row(place, row, begin, end);
      begin = 0;
      place.next();
    }
  }

 private:
  /// Elements that are copied and computed at a time: whole steps, and whole periods where both fit.
  size_t chunk(size_t room) const {
    size_t widest = 1;
    size_t period = 1;
    for (uint32_t i = 0; i < kInputs; ++i) {
      if ((plan_.buffered >> i & 1) == 0) continue;
      if (inputs_[i].bytes > widest) widest = inputs_[i].bytes;
      if (plan_.parts[i] == Part::repeat && plan_.periods[i] > period) period = plan_.periods[i];
    }
    const size_t most = room / widest;
    const size_t step = kernel_.functions->step;
    size_t common = step;
    while (common % period != 0 && common <= most) common += step;
    return common <= most ? most / common * common : most / step * step;
  }

  void one_row(const Place<kInputs>& place, size_t row, size_t begin, size_t end) {
    const uint8_t* bases[kSlots] = {};
    for (uint32_t i = 0; i < kInputs; ++i) bases[i] = data_[i] + place.offset(i) * inputs_[i].bytes;
    for (size_t at = begin; at < end; at += chunk_) some(bases, row, at, end - at < chunk_ ? end - at : chunk_);
  }

  /// `count` elements of a row.
  void some(const uint8_t* const* bases, size_t row, size_t at, size_t count) {
    const uint8_t* in[kSlots] = {};
    uint8_t* out[kOutputs];
    for (uint32_t i = 0; i < kOutputs; ++i) out[i] = data_[kInputs + i] + (row + at) * outputs_[i].bytes;
    for (uint32_t i = 0; i < kInputs; ++i) {
      in[i] = bases[i] + (plan_.parts[i] == Part::whole ? at * inputs_[i].bytes : 0);
      if ((plan_.buffered >> i & 1) == 0) continue;
      fill(i, bases[i], at, count);
      in[i] = places_[i];
    }
    if (plan_.fixed == 0) return call_.whole(inputs_, outputs_, in, out, count);
    const void* from[kSlots] = {};
    void* to[kOutputs];
    for (uint32_t i = 0; i < kInputs; ++i) from[i] = in[i];
    for (uint32_t i = 0; i < kOutputs; ++i) to[i] = out[i];
    if (!counted(strips_(kernel_.rows, from, to, at, count), count)) {
      portable_rows<kInputs, kOutputs>(kernel_, domain_, inputs_, outputs_, data_, row + at, row + at + count);
    }
  }

  /// Puts an input's elements from `at` on into its buffer, unless they are there. A buffer has to be filled no longer
  /// than its chunk: the rest of it stays as it was.
  void fill(uint32_t input, const uint8_t* base, size_t at, size_t count) {
    const size_t bytes = inputs_[input].bytes;
    uint8_t* const to = places_[input];
    if (plan_.parts[input] == Part::walk) {
      fill_walk(to, plan_, domain_, input, base, bytes, at, count);
      return;
    }
    const size_t phase = at % plan_.periods[input];
    Held& held = held_[input];
    if (held.base == base && held.phase == phase && held.count >= count) return;
    fill_repeated(to, base, bytes, plan_.periods[input], phase, count);
    held = Held{base, phase, count};
  }

  /// What a buffer of a repeating input holds.
  struct Held {
    const uint8_t* base = nullptr;
    size_t phase = 0;
    size_t count = 0;
  };

  const KernelRows& kernel_;
  const Domain<kInputs>& domain_;
  const Plan<kInputs>& plan_;
  const Operand* inputs_;
  const Operand* outputs_;
  uint8_t* const* data_;  ///< of inputs, then of outputs
  RowCall<kInputs, kOutputs> call_;
  StripCall<kInputs, kOutputs> strips_;
  size_t chunk_ = 0;
  Held held_[kSlots];
  uint8_t* places_[kSlots] = {};  ///< of copies
  alignas(kAlignment) uint8_t arena_[Plan<kInputs>::kArena];
};

/// Whether an output lies where some input does.
template <uint32_t kInputs, uint32_t kOutputs>
OPKG_RARE bool in_place(const Operand* inputs, const Operand* outputs, const void* const* data) {
  for (uint32_t i = 0; i < kInputs; ++i) {
    const uintptr_t from = reinterpret_cast<uintptr_t>(data[i]);
    for (uint32_t k = 0; k < kOutputs; ++k) {
      const uintptr_t to = reinterpret_cast<uintptr_t>(data[kInputs + k]);
      if (from < to + outputs[k].size() * outputs[k].bytes && to < from + inputs[i].size() * inputs[i].bytes) return true;
    }
  }
  return false;
}

/// The elements of a slice, in rows of a plan. `data`: where the inputs and outputs are.
template <uint32_t kInputs, uint32_t kOutputs>
OPKG_SMALL Status flat_rows(const KernelRows& kernel, const Domain<kInputs>& domain, const Plan<kInputs>& plan, const Operand* inputs,
                            const Operand* outputs, uint8_t* const* data, Slice slice) {
  const size_t first = slice.begin(domain.size, kernel.functions->step);
  const size_t last = slice.end(domain.size, kernel.functions->step);
  if (first >= last) return Status::ok;
  if (!kernel.vectors) {
    counted(false, last - first);
    portable_rows<kInputs, kOutputs>(kernel, domain, inputs, outputs, data, first, last);
    return Status::ok;
  }
  using Rows = FlatRows<kInputs, kOutputs>;
  const void* places[kInputs + kOutputs];
  for (uint32_t i = 0; i < kInputs + kOutputs; ++i) places[i] = data[i];
  if (plan.fixed != 0 && plan.strips.twice && in_place<kInputs, kOutputs>(inputs, outputs, places)) {
    const Plan<kInputs> copying(*kernel.functions, domain, domain.rank - plan.first, outputs[0].bytes, false);
    Rows(kernel, domain, copying, inputs, outputs, data).run(first, last);
  } else {
    Rows(kernel, domain, plan, inputs, outputs, data).run(first, last);
  }
  return Status::ok;
}

template <uint32_t kInputs, uint32_t kOutputs>
Status flat(const KernelRows& kernel, const Operand* inputs, const Operand* outputs, Slice slice) {
  Domain<kInputs> domain;
  if (!domain.set(inputs, outputs[0])) return Status::unsupported;
  if (domain.size == 0) return Status::ok;
  uint8_t* data[kInputs + kOutputs];
  for (uint32_t i = 0; i < kInputs; ++i) data[i] = inputs[i].data;
  for (uint32_t i = 0; i < kOutputs; ++i) data[kInputs + i] = outputs[i].data;
  const Plan<kInputs> plan = make_plan(*kernel.functions, domain, outputs[0].bytes);
  return flat_rows<kInputs, kOutputs>(kernel, domain, plan, inputs, outputs, data, slice);
}

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_FLAT_H_
