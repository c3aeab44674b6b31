// Runs generated kernels that reduce the last dimensions and have results for each element: up to 32 rows at a time. C++17.
//
// Numbers of rows are made in vectors then, a word for each row. What this cannot take (operands whose rows do not lie one
// after another, results that are not exact enough in some row) goes row by row: opkg::reduce.
#ifndef OPKG_SLOTS_H_
#define OPKG_SLOTS_H_

#include "opkg/hvx_slots.h"
#include "opkg/reduce.h"

namespace opkg {
namespace slots {

#if OPKG_HVX

/// One call: all operands, inputs first.
template <typename Rows>
class Call {
  static constexpr uint32_t kOperands = Rows::kInputs + Rows::kOutputs;

 public:
  Call(const Rows& rows, const rowwise::AllRows<Rows>& all) : rows_(rows), all_(all) {
    const Run<kOperands>& run = all.run;
    count_ = run.rank == 0 ? 1 : run.extents[0];
    at_once_ = hvx::Slots::rows_for(count_ * Rows::kOutputBytes[0], Rows::kVectorsKept, Rows::kUnits);
    fits_ = run.rank <= 1 && count_ != 0 && count_ <= Rows::kMostCount && at_once_ != 0 && all.total > 1;
    const uint32_t same = rowwise::SameInputs<Rows>::of(rows);
    for (uint32_t i = 0; i < kOperands && fits_; ++i) {
      const uint32_t bytes = i < Rows::kInputs ? Rows::kInputBytes[i] : Rows::kOutputBytes[i - Rows::kInputs];
      const bool pattern = (Rows::kPatterns >> i & 1) != 0;
      fits_ = (count_ == 1 || run.steps[i][0] == ((same >> i & 1) != 0 ? 0 : bytes)) && all.in_one_piece(i, pattern ? 0 : count_ * bytes);
    }
  }

  /// False: not for vectors, whatever the slice.
  bool run(Slice slice) const {
    if (!fits_) return false;
    const size_t groups = (all_.total + at_once_ - 1) / at_once_, end = slice.end(groups);
    for (size_t group = slice.begin(groups); group < end; ++group) {
      const size_t first = group * at_once_, rows = all_.total - first < at_once_ ? all_.total - first : at_once_;
      if (some(first, rows)) {
        rowwise::counted(true, rows * count_);
      } else {
        all_.some(rows_, true, first, first + rows);
      }
    }
    return true;
  }

 private:
  bool some(size_t first, size_t rows) const {
    const void* in[Rows::kInputs];
    void* out[Rows::kOutputs];
    for (uint32_t i = 0; i < kOperands; ++i) {
      const bool pattern = (Rows::kPatterns >> i & 1) != 0;
      uint8_t* const at = all_.operands[i]->data + (pattern ? 0 : first * count_ * all_.operands[i]->bytes);
      if (i < Rows::kInputs) {
        in[i] = at;
      } else {
        out[i - Rows::kInputs] = at;
      }
    }
    const hvx::Slots slots(count_ * Rows::kOutputBytes[0], rows);
    return slots.one_vector() ? rows_.template several<true>(slots, in, out, count_) : rows_.template several<false>(slots, in, out, count_);
  }

  const Rows& rows_;
  const rowwise::AllRows<Rows>& all_;
  size_t count_, at_once_;
  bool fits_;
};

#endif  // OPKG_HVX

/// Rows that have vector code for several at a time.
template <typename Rows, typename = void>
struct HasSlots : std::false_type {};
template <typename Rows>
struct HasSlots<Rows, std::void_t<decltype(Rows::kVectorsKept)>> : std::true_type {};

/// reduce_slots() of operands in one array.
template <typename Rows>
Status run(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, const Operand* const* operands, Slice slice) {
  rowwise::AllRows<Rows> all;
  const Status status = all.set(operands, axes, dropped);
  if (status != Status::ok) return status;
#if OPKG_HVX
  if constexpr (HasSlots<Rows>::value) {
    if (vectors && Call<Rows>(rows, all).run(slice)) return Status::ok;
  }
#endif
  all.some(rows, vectors, slice.begin(all.total), slice.end(all.total));
  return Status::ok;
}

}  // namespace slots

/// As opkg::reduce, up to 32 rows at a time where that goes.
template <typename Rows>
Status reduce_slots(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, std::initializer_list<Operand> inputs,
                    std::initializer_list<Operand> outputs, Slice slice = Slice{}) {
  const Operand* operands[Rows::kInputs + Rows::kOutputs];
  if (!rowwise::in_one_array<Rows>(inputs, outputs, operands)) return Status::error;
  return slots::run(rows, vectors, axes, dropped, operands, slice);
}

}  // namespace opkg

#endif  // OPKG_SLOTS_H_
