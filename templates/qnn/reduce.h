// Runs generated kernels that reduce dimensions: which rows there are, and how elements of a row are reached. C++17.
//
// All tensors of a kernel share one frame of dimensions, aligned at the last one. The dimensions that are reduced make a
// row, the others number the rows. A tensor without the reduced dimensions is aligned with the others alone.
#ifndef OPKG_REDUCE_H_
#define OPKG_REDUCE_H_

#include <initializer_list>

#include "opkg/reduce_frame.h"
#include "opkg/rows_call.h"
#include "opkg/rows_operand.h"

namespace opkg {

/// Rows that ask for 1 / n of their n elements.
template <typename Rows, typename = void>
struct AsksForCount : std::false_type {};
template <typename Rows>
struct AsksForCount<Rows, std::void_t<decltype(Rows::inverse_of_count)>> : std::true_type {};

constexpr uint32_t kAllAxes = (1u << kMaxRank) - 1;  ///< bit k: the dimension k places before the last one

/// The bit of an axis of a tensor of some rank; negative axes count from the end. None for one that is not there.
inline uint32_t axis_bit(int64_t axis, uint32_t rank) {
  const int64_t from_end = axis < 0 ? -1 - axis : static_cast<int64_t>(rank) - 1 - axis;
  return from_end >= 0 && from_end < static_cast<int64_t>(kMaxRank) ? 1u << from_end : 0;
}

/// The bits of a tensor param with axes.
template <typename T>
inline uint32_t axes_bits(const Tensor<T>& axes, uint32_t rank) {
  uint32_t bits = 0;
  for (size_t i = 0; i < axes.size(); ++i) bits |= axis_bit(static_cast<int64_t>(axes[i]), rank);
  return bits;
}

/// The results that a call computes: the share of its slice, or those from `first` to `last` (exclusive).
class Part {
 public:
  Part(Slice slice) : slice_(slice) {}
  Part(size_t first, size_t last) : given_(true), first_(first), last_(last) {}

  size_t begin(size_t n) const { return given_ ? first_ : slice_.begin(n); }
  size_t end(size_t n) const { return given_ ? last_ : slice_.end(n); }

  /// The same results, or all of them in the first slice.
  Part undivided(size_t n) const { return given_ ? *this : Part(0, slice_.index == 0 ? n : 0); }

 private:
  Slice slice_;
  bool given_ = false;
  size_t first_ = 0;
  size_t last_ = 0;
};

namespace rowwise {

/// Inputs (bits) of which one number stands for all elements of a row.
template <typename Rows, typename = void>
struct SameInputs {
  static uint32_t of(const Rows&) { return 0; }
};
template <typename Rows>
struct SameInputs<Rows, std::void_t<decltype(Rows::same_inputs)>> {
  static uint32_t of(const Rows& rows) { return rows.same_inputs; }
};

/// Whether a struct of rows has vector code.
template <typename Rows, typename = void>
struct HasRowVector : std::false_type {};
template <typename Rows>
struct HasRowVector<Rows, std::void_t<decltype(&Rows::vector)>> : std::true_type {};

template <uint32_t kCount>
struct AllRows;

/// What calls know of a struct of rows.
template <uint32_t kOperands>
struct RowKind {
  /// Computes the row whose operands begin at `start`, of `n` elements if vector code may; 0: it may not.
  void (*one)(const AllRows<kOperands>& all, const void* rows, size_t n, uint8_t* const* start);
  bool vectors;  ///< whether there is vector code
  uint32_t inputs;
  uint32_t operands;
  uint32_t sizes[kOperands];  ///< bytes of an element, inputs first
};

/// The rows of operands in one array: inputs, then outputs. Their shapes are all that it keeps.
template <uint32_t kCount>
struct AllRows {
  static constexpr uint32_t kOperands = kCount;

  uint32_t axes = 0;
  size_t total = 1;
  Frame<kOperands> frame;
  RunOf<kOperands> run;  ///< without its start

  OPKG_RARE Status set(const Operand* const* all, uint32_t count, uint32_t reduced, uint32_t dropped) {
    for (uint32_t i = 0; i < count; ++i) {
      if (all[i]->crouton()) return Status::unsupported;
    }
    if (!frame.set(all, count, reduced, dropped)) return Status::unsupported;
    axes = reduced;
    run = run_of(frame, axes);
    for (uint32_t k = 0; k < frame.rank; ++k) {
      if ((axes >> k & 1) == 0) total *= frame.extents[k];
    }
    return Status::ok;
  }

  /// Rows, from the first one on, that are `step` bytes from each other in an operand.
  size_t in_one_piece(uint32_t operand, size_t step) const {
    size_t rows = 1;
    for (uint32_t k = 0; k < frame.rank; ++k) {
      if ((axes >> k & 1) != 0 || frame.extents[k] == 1) continue;
      if (frame.steps[operand][k] != step * rows) return rows;
      rows *= frame.extents[k];
    }
    return total;
  }

  /// Whether vectors can take a row: the elements of every operand lie one after another. `same`: inputs (bits) of which one number
  /// stands for all elements.
  OPKG_RARE bool in_vectors(const RowKind<kOperands>& kind, uint32_t same) const {
    const size_t n = length();
    if (!kind.vectors || run.rank > 1 || n == 0) return false;
    for (uint32_t i = 0; i < kind.operands && n != 1; ++i) {
      const size_t step = run.steps[i][0];
      if (step != ((same >> i & 1) != 0 ? 0 : kind.sizes[i]) && (i < kind.inputs || step != 0)) return false;
    }
    return true;
  }

  /// Computes rows [first, last) of operands whose data is here. `vectors`: they can take them.
  OPKG_RARE void some(const RowKind<kOperands>& kind, const void* rows, bool vectors, uint8_t* const* data, size_t first, size_t last) const {
    if (first >= last) return;
    uint8_t* start[kOperands] = {};
    for (uint32_t i = 0; i < kind.operands; ++i) start[i] = data[i];
    size_t left = last - first, at[kMaxRank] = {};
    const size_t n = vectors ? length() : 0;
    if (first != 0) move(start, first, at);
    for (;;) {
      kind.one(*this, rows, n, start);
      if (--left == 0) return;
      next(start, at);
    }
  }

  /// Moves from the first row to another one, and says where that is along each dimension.
  OPKG_RARE void move(uint8_t** start, size_t row, size_t* at) const {
    for (uint32_t k = 0; k < frame.rank && row != 0; ++k) {
      if ((axes >> k & 1) != 0) continue;
      at[k] = row % frame.extents[k];
      row /= frame.extents[k];
      for (uint32_t i = 0; i < kOperands; ++i) start[i] += at[k] * frame.steps[i][k];
    }
  }

  /// Bytes from a row of an operand to the one behind it; 0 of one row.
  size_t row_step(uint32_t operand) const {
    for (uint32_t k = 0; k < frame.rank; ++k) {
      if ((axes >> k & 1) == 0 && frame.extents[k] != 1) return frame.steps[operand][k];
    }
    return 0;
  }

  /// Elements of a row.
  size_t length() const { return run.rank == 0 ? 1 : run.extents[0]; }

 private:
  /// Moves from a row to the one behind it.
  void next(uint8_t** start, size_t* at) const {
    for (uint32_t k = 0; k < frame.rank; ++k) {
      if ((axes >> k & 1) != 0) continue;
      for (uint32_t i = 0; i < kOperands; ++i) start[i] += frame.steps[i][k];
      if (++at[k] < frame.extents[k]) return;
      for (uint32_t i = 0; i < kOperands; ++i) start[i] -= frame.steps[i][k] * frame.extents[k];
      at[k] = 0;
    }
  }
};

template <typename Rows>
using AllRowsOf = AllRows<room_for(Rows::kInputs + Rows::kOutputs)>;

/// A row in vectors. False: the portable code has to.
template <typename Rows>
bool vector_row([[maybe_unused]] const Rows& rows, [[maybe_unused]] size_t n, [[maybe_unused]] uint8_t* const* start) {
#if OPKG_HVX
  if constexpr (HasRowVector<Rows>::value) {
    const void* in[Domain<Rows::kInputs>::kSlots] = {};
    void* out[Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kInputs; ++i) in[i] = start[i];
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = start[Rows::kInputs + i];
    return rows.vector(in, out, n);
  }
#endif
  return false;
}

template <typename Rows>
OPKG_RARE void portable_row(const Rows& rows, const AllRowsOf<Rows>& all, uint8_t* const* start) {
  auto here = all.run;
  for (uint32_t i = 0; i < Rows::kInputs + Rows::kOutputs; ++i) here.start[i] = start[i];
  counted_row(false, here);
  rows.row(here);
}

template <typename Rows>
void one_row(const AllRowsOf<Rows>& all, const void* any_rows, size_t n, uint8_t* const* start) {
  const Rows& rows = *static_cast<const Rows*>(any_rows);
  if (n == 0 || !vector_row(rows, n, start)) return portable_row(rows, all, start);
  counted_row(true, all.run);
}

template <typename Rows>
constexpr RowKind<room_for(Rows::kInputs + Rows::kOutputs)> row_kind() {
  static_assert(sizeof(Rows::kInputBytes) >= Rows::kInputs * sizeof(uint32_t) && sizeof(Rows::kOutputBytes) >= Rows::kOutputs * sizeof(uint32_t), "a size for each operand");
  RowKind<room_for(Rows::kInputs + Rows::kOutputs)> kind = {&one_row<Rows>, HasRowVector<Rows>::value, Rows::kInputs, Rows::kInputs + Rows::kOutputs, {}};
  for (uint32_t i = 0; i < Rows::kInputs; ++i) kind.sizes[i] = Rows::kInputBytes[i];
  for (uint32_t i = 0; i < Rows::kOutputs; ++i) kind.sizes[Rows::kInputs + i] = Rows::kOutputBytes[i];
  return kind;
}
template <typename Rows>
constexpr auto kRowKind = row_kind<Rows>();

/// reduce() of operands in one array. `rows`: a struct of this kind; `same`: as for AllRows::in_vectors().
template <uint32_t kOperands>
OPKG_RARE Status reduce_rows(const RowKind<kOperands>& kind, const void* rows, bool vectors, uint32_t same, uint32_t axes, uint32_t dropped, const Operand* const* operands, const opkg::Part& part) {
  AllRows<kOperands> all;
  const Status status = all.set(operands, kind.operands, axes, dropped);
  if (status != Status::ok) return status;
  uint8_t* data[kOperands];
  for (uint32_t i = 0; i < kind.operands; ++i) data[i] = operands[i]->data;
  const bool shared = kind.operands - kind.inputs > 1 && all.frame.shares_results(kind.inputs, kind.operands, axes);
  const opkg::Part now = shared ? part.undivided(all.total) : part;
  all.some(kind, rows, vectors && all.in_vectors(kind, same), data, now.begin(all.total), now.end(all.total));
  return status;
}

/// Operands in one array. False: not as many as the rows have.
template <typename Rows>
bool in_one_array(const std::initializer_list<Operand>& inputs, const std::initializer_list<Operand>& outputs, const Operand** operands) {
  if (inputs.size() != Rows::kInputs || outputs.size() != Rows::kOutputs) return false;
  for (const Operand& o : inputs) *operands++ = &o;
  for (const Operand& o : outputs) *operands++ = &o;
  return true;
}

}  // namespace rowwise

/// Computes all outputs row by row. `axes`: bits of the reduced dimensions; `dropped`: bits of operands (inputs, then
/// outputs) whose shapes are without them.
template <typename Rows>
Status reduce(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, std::initializer_list<Operand> inputs, std::initializer_list<Operand> outputs, const Part& part = Slice{}) {
  const Operand* operands[Rows::kInputs + Rows::kOutputs];
  if (!rowwise::in_one_array<Rows>(inputs, outputs, operands)) return Status::error;
  return rowwise::reduce_rows(rowwise::kRowKind<Rows>, &rows, vectors, rowwise::SameInputs<Rows>::of(rows), axes, dropped, operands, part);
}

}  // namespace opkg

#endif  // OPKG_REDUCE_H_
