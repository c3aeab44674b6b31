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

  FlatRows(const Rows& rows, bool vectors, const Domain<kInputs>& domain, const Plan<Rows>& plan, const Operand* inputs,
           const Operand* outputs, uint8_t* const* data)
      : domain_(domain), plan_(plan), inputs_(inputs), outputs_(outputs), data_(data), call_(rows, vectors, plan.fixed) {
    uint8_t* place = arena_;
    for (uint32_t i = 0; i < kInputs; ++i) {
      if ((plan.fixed >> i & 1) == 0) continue;
      paths_[i].cycle = plan.cycles[i];
      places_[i] = place;
      place += plan.pattern_room(i, inputs[i]);
    }
    if (plan.buffered == 0) {
      chunk_ = plan.length;
      return;
    }
    const size_t left = static_cast<size_t>(arena_ + Plan<Rows>::kArena - place);
    const size_t room = left / count_bits(plan.buffered) / kAlignment * kAlignment;
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
    size_t common = Rows::kStep;
    while (common % period != 0 && common <= most) common += Rows::kStep;
    return common <= most ? most / common * common : most / Rows::kStep * Rows::kStep;
  }

  void one_row(const Place<kInputs>& place, size_t row, size_t begin, size_t end) {
    const uint8_t* bases[kSlots] = {};
    for (uint32_t i = 0; i < kInputs; ++i) bases[i] = data_[i] + place.offset(i) * inputs_[i].bytes;
    for (size_t at = begin; at < end; at += chunk_) some(bases, row, at, end - at < chunk_ ? end - at : chunk_);
  }

  /// `count` elements of a row: those in front of a vector of results, then the others.
  void some(const uint8_t* const* bases, size_t row, size_t at, size_t count) {
    const uint8_t* in[kSlots] = {};
    uint8_t* out[Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = data_[kInputs + i] + (row + at) * outputs_[i].bytes;
    const size_t head = RowCall<Rows>::head(outputs_, out, count);
    for (uint32_t i = 0; i < kInputs; ++i) {
      in[i] = (plan_.parts[i] == Part::whole ? bases[i] + at * inputs_[i].bytes : places_[i]) + skipped(i, head);
    }
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] += head * outputs_[i].bytes;
    const uint32_t walk = call_.walk(in, out, paths_, plan_.goes_around);
    const bool in_place = walk == hvx::Walk::aligned && plan_.in_place() && head == 0;
    for (uint32_t i = 0; i < kInputs; ++i) {
      if ((plan_.buffered >> i & 1) != 0) fill(i, bases[i], at, count);
      if ((plan_.fixed >> i & 1) == 0) continue;
      paths_[i].cycle = plan_.cycles[i];
      if (in_place) {
        in[i] = bases[i];
      } else {
        fill(i, bases[i], at + head, pattern(i, walk, count - head, head));
      }
    }
    if (head != 0) {
      const uint8_t* first[kSlots] = {};
      uint8_t* to[Rows::kOutputs];
      for (uint32_t i = 0; i < kInputs; ++i) {
        first[i] = in[i] + ((plan_.fixed >> i & 1) != 0 ? plan_.cycles[i] : 0) - head * inputs_[i].bytes;
      }
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) to[i] = out[i] - head * outputs_[i].bytes;
      call_(inputs_, outputs_, first, to, head, hvx::Walk::shifted, paths_);
    }
    for (uint32_t i = 0; i < kInputs && walk == hvx::Walk::aligned; ++i) {
      paths_[i].cycle = in_place ? plan_.periods[i] * inputs_[i].bytes : 0;
    }
    call_(inputs_, outputs_, in, out, count - head, walk, paths_);
  }

  /// Bytes of an input that `head` elements have; a pattern begins behind them.
  size_t skipped(uint32_t input, size_t head) const {
    return (plan_.fixed >> input & 1) != 0 ? 0 : head * inputs_[input].bytes;
  }

  /// Elements of a pattern that a call of `count` elements reads, after one of `head`.
  size_t pattern(uint32_t input, uint32_t walk, size_t count, size_t head) const {
    const size_t all = plan_.pattern_bytes(input, inputs_[input]) / inputs_[input].bytes;
    if (head != 0) return all;  // its end is the pattern in front of the first vector
    if (walk == hvx::Walk::aligned || walk == hvx::Walk::anywhere) return Rows::kStep;
    return count < all ? count : all;
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

  const Domain<kInputs>& domain_;
  const Plan<Rows>& plan_;
  const Operand* inputs_;
  const Operand* outputs_;
  uint8_t* const* data_;  ///< of inputs, then of outputs
  RowCall<Rows> call_;
  size_t chunk_ = 0;
  Held held_[kSlots];
  hvx::Path paths_[RowCall<Rows>::kOperands] = {};
  uint8_t* places_[kSlots] = {};  ///< of patterns and copies
  alignas(kAlignment) uint8_t arena_[Plan<Rows>::kArena];
};

/// Portable code: one call per run of the innermost dimension.
template <typename Rows>
void portable_rows(const Rows& rows, const Domain<Rows::kInputs>& domain, const Operand* inputs, const Operand* outputs,
                   uint8_t* const* data, size_t first, size_t last) {
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
      in[i] = data[i] + (place.offset(i) + begin * steps[i]) * inputs[i].bytes;
    }
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = data[Rows::kInputs + i] + (row + begin) * outputs[i].bytes;
    rows.portable(in, steps, out, (last - row < length ? last - row : length) - begin);
    begin = 0;
    place.next();
  }
}

/// The elements of a slice, in rows of a plan. `data`: where the inputs and outputs are.
template <typename Rows>
Status flat_rows(const Rows& rows, bool vectors, const Domain<Rows::kInputs>& domain, const Plan<Rows>& plan,
                 const Operand* inputs, const Operand* outputs, uint8_t* const* data, Slice slice) {
  const size_t first = slice.begin(domain.size, Rows::kStep);
  const size_t last = slice.end(domain.size, Rows::kStep);
  if (first >= last) return Status::ok;
  if (vectors && HasVector<Rows>::value) {
    FlatRows<Rows>(rows, vectors, domain, plan, inputs, outputs, data).run(first, last);
    return Status::ok;
  }
  counted(false, last - first);
  portable_rows(rows, domain, inputs, outputs, data, first, last);
  return Status::ok;
}

template <typename Rows>
Status flat(const Rows& rows, bool vectors, const Operand* inputs, const Operand* outputs, Slice slice) {
  Domain<Rows::kInputs> domain;
  if (!domain.set(inputs, outputs[0])) return Status::unsupported;
  if (domain.size == 0) return Status::ok;
  uint8_t* data[RowCall<Rows>::kOperands];
  for (uint32_t i = 0; i < Rows::kInputs; ++i) data[i] = inputs[i].data;
  for (uint32_t i = 0; i < Rows::kOutputs; ++i) data[Rows::kInputs + i] = outputs[i].data;
  return flat_rows(rows, vectors, domain, make_plan<Rows>(domain, inputs), inputs, outputs, data, slice);
}

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_FLAT_H_
