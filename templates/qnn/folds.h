// Runs generated kernels that reduce the last dimensions: rows are folded many at a time, lanes being results. C++17.
//
// What this cannot take (sums that 32 bits do not hold, results that span too many steps) goes row by row: opkg::reduce.
#ifndef OPKG_FOLDS_H_
#define OPKG_FOLDS_H_

#include "opkg/columns.h"
#include "opkg/hvx_folds.h"

namespace opkg {
namespace folds {

#if OPKG_HVX

/// A row by itself, of `count` elements.
template <typename Rows>
OPKG_RARE void one_row(const Rows& rows, const uint8_t* in, uint8_t* out, size_t row, size_t count) {
  in += row * count * Rows::kInputBytes[0], out += row * Rows::kOutputBytes[0];
  const void* const from[] = {in};
  void* const to[] = {out};
  if (rowwise::counted(rows.vector(from, to, count), count)) return;
  Run<2> run;
  run.rank = 1;
  run.extents[0] = count;
  run.steps[0][0] = Rows::kInputBytes[0];
  run.start[0] = const_cast<uint8_t*>(in);
  run.start[1] = out;
  rows.row(run);
}

/// One call: rows of a tensor, and the output.
template <typename Rows>
class Call {
  using Found = typename Rows::Found;
  static constexpr size_t kLanes = Found::kLanes, kElement = hvx::kBytes / kLanes;
  /// Whether bytes are made of an extreme of bytes.
  static constexpr bool kBytes = Rows::kResults == hvx::Results::line && Found::kShort && !Found::kAdds[0] && sizeof(typename Rows::Result) == 1;

 public:
  Call(const Rows& rows, const hvx::AllFoldedRows<Found>& slots, const uint8_t* in, uint8_t* out, size_t count, size_t total) : rows_(rows), slots_(slots), in_(in), out_{out}, count_(count), total_(total) {}

  /// False: not for vectors, whatever the slice.
  bool run(Slice slice) const {
    if constexpr (Rows::kResults == hvx::Results::line) {
      if (!rows_.line.is_line) return false;
    }
    const size_t blocks = (total_ + kLanes - 1) / kLanes, end = slice.end(blocks);
    size_t block = slice.begin(blocks);
    if constexpr (kBytes) {
      const bool aligned = rowwise::kTellsAlignment && reinterpret_cast<uintptr_t>(in_) % hvx::kBytes == 0;
      if (count_ == kMany) block = aligned ? many<rowwise::kTellsAlignment>(block, end) : many<false>(block, end);
    }
    if (block < end) rest(block, end);
    return true;
  }

 private:
  static constexpr size_t kMany = 32;  ///< bytes of a row that many() takes

  /// Extremes of bytes, rows being a fourth of a vector, kLanes of them at a time: results of a block while the next one is
  /// folded. Where the tensor's last one is not whole, it begins earlier, behind others of the slice. Which block follows.
  template <bool kAligned>
  size_t many(size_t block, size_t end) const {
    const size_t whole = total_ / kLanes < end ? total_ / kLanes : end;
    if (block >= whole || !rows_.line.is_short) return block;
    constexpr size_t bytes = kLanes * kMany;
    const uint8_t* at = in_ + block * bytes;
    uint8_t* to = out_[0] + block * kLanes;
    rowwise::counted(true, (whole - block) * bytes);
    HVX_Vector now = hvx::AllFoldedRows<Found>::template many<kAligned>(at);
    for (; ++block < whole; to += kLanes) {
      at += bytes;
      const HVX_Vector next = hvx::AllFoldedRows<Found>::template many<kAligned>(at);
      hvx::store_unaligned(to, result(rows_.line, now));
      now = next;
    }
    hvx::store_unaligned(to, result(rows_.line, now));
    if (block < end) last_many(), ++block;
    return block;
  }

  /// The last kLanes rows of the tensor.
  OPKG_APART void last_many() const {
    const size_t first = total_ - kLanes;
    rowwise::counted(true, total_ % kLanes * kMany);
    hvx::store_unaligned(out_[0] + first, result(rows_.line, hvx::AllFoldedRows<Found>::template many<false>(in_ + first * kMany)));
  }

  template <typename Line>
  static OPKG_INLINE HVX_Vector result(const Line& line, HVX_Vector extremes) {
    Found found;
    found.one(extremes);
    return line.template of_shorts<typename Rows::Result>(found.shorts());
  }

  __attribute__((noinline)) void rest(size_t block, size_t end) const {
    const hvx::Finish<Rows> finish(rows_, count_);
    for (; block < end; ++block) {
      const size_t first = block * kLanes, rows = total_ - first < kLanes ? total_ - first : kLanes;
      if (some(finish, first, rows)) {
        rowwise::counted(true, rows * count_);
        continue;
      }
      for (size_t row = first; row < first + rows; ++row) one_row(rows_, in_, out_[0], row, count_);
    }
  }

  /// Results of up to kLanes rows. False: they are for one row after another.
  bool some(const hvx::Finish<Rows>& finish, size_t first, size_t rows) const {
    HVX_Vector numbers[Found::kParts][kLanes / 32];
    slots_.fold(rows_, in_ + first * count_ * kElement, in_ + total_ * count_ * kElement, rows, numbers);
    if constexpr (Rows::kResults == hvx::Results::floats) {
      const HVX_Vector floats[] = {Found::floats(numbers[0][0])};
      hvx::store_columns(reinterpret_cast<typename Rows::Result*>(out_[0]) + first, floats, rows, 0);
      return true;
    } else if constexpr (!Found::kAdds[0]) {
      Found found;
      found.each(numbers);
      if (finish.bytes(found, out_, first, rows)) return true;
      found.words(numbers);
    }
    return finish.words(numbers, out_, first, rows);
  }

  const Rows& rows_;
  const hvx::AllFoldedRows<Found>& slots_;
  const uint8_t* in_;
  uint8_t* out_[1];
  size_t count_;
  size_t total_;
};

#endif  // OPKG_HVX

/// Whether rows lie one after another in a tensor: the last dimensions are reduced.
inline bool in_rows(const Operand& in, uint32_t axes) {
  bool inside = true;
  for (uint32_t k = 0; k < in.rank; ++k) {
    if (in.extent(k) == 1) continue;
    const bool reduced = (axes >> k & 1) != 0;
    if (reduced && !inside) return false;
    inside = reduced;
  }
  return true;
}

#if OPKG_HVX

/// How many rows a call has, and whether they can be folded. `operands`: the input and the output.
struct Counted {
  size_t count;      ///< elements of a row
  size_t total = 1;  ///< rows
  bool taken;        ///< whether vectors can take them

  Counted(const Operand* operands, uint32_t axes) : count(columns::count(operands[0], axes)) {
    const Operand& in = operands[0];
    for (uint32_t k = 0; k < in.rank; ++k) total *= (axes >> k & 1) != 0 ? 1 : in.extent(k);
    taken = !in.crouton() && !operands[1].crouton() && in_rows(in, axes) && count != 0 && total != 0;
  }
};

/// What calls on tensors of the same shapes share. Sums of floats have their own (opkg/folds_floats.h).
template <typename Rows, typename = void>
struct Shared : Counted {
  using Slots = hvx::AllFoldedRows<typename Rows::Found>;
  static constexpr size_t kLeast = Slots::kLeast;  ///< rows that take less together

  Slots slots;

  Shared(const Operand* operands, uint32_t axes) : Counted(operands, axes), slots(count * (hvx::kBytes / Rows::Found::kLanes)) {
    for (uint32_t i = 0; i < Rows::Found::kParts; ++i) {
      taken = taken && !(Rows::Found::kAdds[i] && count > static_cast<size_t>(INT32_MAX / Rows::Found::kHigh[i]));
    }
  }

  bool run(const Rows& rows, const uint8_t* in, uint8_t* out, Slice slice) const {
    return Call<Rows>(rows, slots, in, out, count, total).run(slice);
  }
};

/// Whether vector code computed the rows of a slice.
template <typename Rows>
bool run(const Rows& rows, const Shared<Rows>& shared, const uint8_t* in, uint8_t* out, Slice slice) {
  return shared.taken && shared.run(rows, in, out, slice);
}

#endif  // OPKG_HVX

}  // namespace folds

/// As opkg::reduce, rows being folded many at a time where they can be.
template <typename Rows>
Status reduce_folds(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, std::initializer_list<Operand> inputs,
                    std::initializer_list<Operand> outputs, Slice slice = Slice{}) {
  static_assert(Rows::kInputs == 1 && Rows::kOutputs == 1, "rows of one tensor, one result for each");
  if (inputs.size() != 1 || outputs.size() != 1) return Status::error;
#if OPKG_HVX
  if constexpr (columns::HasColumns<Rows>::value) {
    const Operand operands[] = {*inputs.begin(), *outputs.begin()};
    const folds::Shared<Rows> shared(operands, axes);
    if (vectors && shared.total >= folds::Shared<Rows>::kLeast && folds::run(rows, shared, operands[0].data, operands[1].data, slice)) return Status::ok;
  }
#endif
  return reduce(rows, vectors, axes, dropped, inputs, outputs, slice);
}

}  // namespace opkg

#endif  // OPKG_FOLDS_H_
