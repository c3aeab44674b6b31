// Elementwise kernels on flat tensors: row by row over the output's dimensions.
#ifndef OPKG_ROWS_FLAT_H_
#define OPKG_ROWS_FLAT_H_

#include "opkg/rows_plan.h"

namespace opkg::rowwise {

/// Rows of flat tensors under one plan. Patterns and copies of inputs lie in buffers of their own, on the stack.
template <typename Rows>
class FlatRows {
 public:
  static constexpr uint32_t kInputs = Rows::kInputs;
  static constexpr uint32_t kSlots = Domain<kInputs>::kSlots;
  // Holds a step of the widest elements. Few inputs get more: longer chunks.
  static constexpr size_t kBufferBytes = kInputs <= 2 ? 2048 : 1024;
  static_assert(Rows::kStep * 8 <= kBufferBytes, "a buffer holds a pattern");

  FlatRows(const Rows& rows, bool vectors, const Domain<kInputs>& domain, const Plan<Rows>& plan, const Operand* inputs,
           const Operand* outputs)
      : domain_(domain), plan_(plan), inputs_(inputs), outputs_(outputs), call_(rows, vectors, plan.fixed) {
    chunk_ = plan.buffered == 0 ? plan.length : chunk();
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
  static constexpr size_t kNowhere = ~size_t{0};

  /// Elements that are copied and computed at a time: whole steps, and whole periods where both fit.
  size_t chunk() const {
    size_t widest = 1;
    size_t period = 1;
    for (uint32_t i = 0; i < kInputs; ++i) {
      if ((plan_.buffered >> i & 1) == 0) continue;
      if (inputs_[i].bytes > widest) widest = inputs_[i].bytes;
      if (plan_.parts[i] == Part::repeat && plan_.periods[i] > period) period = plan_.periods[i];
    }
    const size_t most = kBufferBytes / widest;
    size_t common = Rows::kStep;
    while (common % period != 0 && common <= most) common += Rows::kStep;
    if (common <= most) return most / common * common;
    return period <= most && plan_.fixed == 0 ? most / period * period : most / Rows::kStep * Rows::kStep;
  }

  void one_row(const Place<kInputs>& place, size_t row, size_t begin, size_t end) {
    const uint8_t* bases[kSlots] = {};
    for (uint32_t i = 0; i < kInputs; ++i) {
      bases[i] = inputs_[i].data + place.offset(i) * inputs_[i].bytes;
      if (plan_.parts[i] == Part::pattern) fill(i, bases[i], 0, Rows::kStep);
    }
    for (size_t at = begin; at < end; at += chunk_) {
      const size_t count = end - at < chunk_ ? end - at : chunk_;
      const uint8_t* in[kSlots] = {};
      uint8_t* out[Rows::kOutputs];
      for (uint32_t i = 0; i < kInputs; ++i) {
        if ((plan_.buffered >> i & 1) != 0) fill(i, bases[i], at, count);
        in[i] = plan_.parts[i] == Part::whole ? bases[i] + at * inputs_[i].bytes : buffers_[i];
      }
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = outputs_[i].data + (row + at) * outputs_[i].bytes;
      call_(inputs_, outputs_, in, out, count);
    }
  }

  /// Puts an input's elements from `at` on into its buffer, unless they are there. A buffer has to be filled no longer
  /// than its chunk: the rest of it stays as it was.
  void fill(uint32_t input, const uint8_t* base, size_t at, size_t count) {
    const size_t bytes = inputs_[input].bytes;
    uint8_t* const to = buffers_[input];
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

  const Domain<kInputs>& domain_;
  const Plan<Rows>& plan_;
  const Operand* inputs_;
  const Operand* outputs_;
  RowCall<Rows> call_;
  size_t chunk_ = 0;
  Held held_[kSlots];
  alignas(kAlignment) uint8_t buffers_[kSlots][kBufferBytes];
};

/// Portable code: one call per run of the innermost dimension.
template <typename Rows>
void portable_rows(const Rows& rows, const Domain<Rows::kInputs>& domain, const Operand* inputs, const Operand* outputs,
                   size_t first, size_t last) {
  constexpr uint32_t kSlots = Domain<Rows::kInputs>::kSlots;
  const uint32_t inner = domain.rank - 1;
  const size_t length = domain.extents[inner];
  uint32_t steps[kSlots] = {};
  for (uint32_t i = 0; i < Rows::kInputs; ++i) steps[i] = 1 - (domain.broadcast[inner] >> i & 1);
  Place<Rows::kInputs> place(domain, 0, inner, first / length);
  size_t begin = first % length;
  for (size_t row = first - begin; row < last; row += length) {
    const void* in[kSlots] = {};
    void* out[Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kInputs; ++i) {
      in[i] = inputs[i].data + (place.offset(i) + begin * steps[i]) * inputs[i].bytes;
    }
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = outputs[i].data + (row + begin) * outputs[i].bytes;
    rows.portable(in, steps, out, (last - row < length ? last - row : length) - begin);
    begin = 0;
    place.next();
  }
}

/// The elements of a slice, in rows of a plan.
template <typename Rows>
Status flat_rows(const Rows& rows, bool vectors, const Domain<Rows::kInputs>& domain, const Plan<Rows>& plan,
                 const Operand* inputs, const Operand* outputs, Slice slice) {
  const size_t first = slice.begin(domain.size, Rows::kStep);
  const size_t last = slice.end(domain.size, Rows::kStep);
  if (first >= last) return Status::ok;
  if (vectors && HasVector<Rows>::value) {
    FlatRows<Rows>(rows, vectors, domain, plan, inputs, outputs).run(first, last);
    return Status::ok;
  }
  counted(false, last - first);
  portable_rows(rows, domain, inputs, outputs, first, last);
  return Status::ok;
}

template <typename Rows>
Status flat(const Rows& rows, bool vectors, const Operand* inputs, const Operand* outputs, Slice slice) {
  Domain<Rows::kInputs> domain;
  if (!domain.set(inputs, outputs[0])) return Status::unsupported;
  if (domain.size == 0) return Status::ok;
  return flat_rows(rows, vectors, domain, make_plan<Rows>(domain), inputs, outputs, slice);
}

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_FLAT_H_
