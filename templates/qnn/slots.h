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

/// Those whose rows may be pixels as they lie in blocks.
template <typename Rows, typename = void>
constexpr bool kPixels = false;
template <typename Rows>
constexpr bool kPixels<Rows, std::void_t<decltype(Rows::kPixels)>> = Rows::kPixels;

#if OPKG_HVX

// v66 multiplies doubles by calls: there even the numbers of one row take less as vectors, unless loops of one row make them
// in registers (kOneRow of a struct of rows).
#if defined(__HVX_ARCH__) && __HVX_ARCH__ < 68
constexpr size_t kFewestInVectors = 1;
#else
constexpr size_t kFewestInVectors = 2;
#endif
template <typename Rows, typename = void>
struct InRegisters : std::false_type {};
template <typename Rows>
struct InRegisters<Rows, std::void_t<decltype(Rows::kOneRow)>> : std::true_type {};
/// Inputs (bits) that may go on more slowly than results do: each row of them for several rows, or all of them again and again.
template <typename Rows, typename = void>
constexpr uint32_t kMasks = 0;
template <typename Rows>
constexpr uint32_t kMasks<Rows, std::void_t<decltype(Rows::kMasks)>> = Rows::kMasks;

/// Outputs (bits) that have one element for each row.
template <typename Rows, typename = void>
constexpr uint32_t kReduced = 0;
template <typename Rows>
constexpr uint32_t kReduced<Rows, std::void_t<decltype(Rows::kReduced)>> = Rows::kReduced;

/// Rows of a call that are taken so, at least: what a struct says, if it does.
template <typename Rows, typename = void>
constexpr size_t kFewestRows = kReduced<Rows> != 0 ? 1 : InRegisters<Rows>::value ? 2
                                                                                  : kFewestInVectors;
template <typename Rows>
constexpr size_t kFewestRows<Rows, std::void_t<decltype(Rows::kFewest)>> = Rows::kFewest;

/// Rows that a call takes together at least which is not prepared: to find out where they are takes longer than one by itself.
template <typename Rows, typename = void>
constexpr size_t kFewestUnkept = 0;
template <typename Rows>
constexpr size_t kFewestUnkept<Rows, std::void_t<decltype(Rows::kFewestUnkept)>> = Rows::kFewestUnkept;

/// What is known of a struct of rows.
struct SlotKind {
  size_t lane;          ///< bytes of the smallest element
  size_t most_count;    ///< elements of a row, at most
  size_t vectors_kept;  ///< of all rows together, or 0
  uint32_t patterns;    ///< inputs (bits) that are the same for all rows
  uint32_t masks;       ///< kMasks
  uint32_t reduced;     ///< operands (bits) that have one element for each row
  size_t fewest;        ///< rows of a call
};
template <typename Rows>
constexpr SlotKind kSlotKind = {hvx::kBytes / Rows::kStep, Rows::kMostCount, Rows::kVectorsKept, Rows::kPatterns, kMasks<Rows>, kReduced<Rows> << Rows::kInputs, kFewestRows<Rows>};

/// Some rows that are pixels as they lie in blocks, one by one: of n elements for vectors, of 0 for the portable code.
template <uint32_t kCount>
OPKG_RARE void pixels_one_by_one(const rowwise::RowKind<kCount>& kind, const rowwise::AllRows<kCount>& all, const void* rows, const hvx::Slots& slots, uint8_t* const* at, size_t n) {
  constexpr size_t kRow = kStagedBytes / 4 + hvx::kBytes;
  alignas(hvx::kBytes) uint8_t held[kCount][kRow];
  const size_t pixel = slots.slot(), each = hvx::kBytes / pixel, bytes = slots.bytes();
  for (size_t row = 0; row < slots.rows(); ++row) {
    const size_t place = row / each * slots.step() + row % each * pixel;
    uint8_t* start[kCount] = {};
    for (uint32_t i = 0; i < kind.operands; ++i) start[i] = held[i];
    for (uint32_t i = 0; i < kind.inputs; ++i) {
      for (size_t k = 0; k < bytes; k += pixel) memcpy(held[i] + k, at[i] + place + k * each, pixel);
    }
    kind.one(all, rows, n, start);
    for (uint32_t i = kind.inputs; i < kind.operands; ++i) {
      for (size_t k = 0; k < bytes; k += pixel) memcpy(at[i] + place + k * each, held[i] + k, pixel);
    }
  }
}

/// Which rows are taken together, in calls on tensors of the same shapes. `all` is set; `same`: as for AllRows::in_vectors().
/// A stretch is as many rows as all masks have one after another, or one row for: the rows of several are not taken together.
template <uint32_t kCount>
class Places {
 public:
  OPKG_RARE Places(const SlotKind& slots, const rowwise::RowKind<kCount>& kind, uint32_t same, const rowwise::AllRows<kCount>& all, bool in_blocks)
      : count_(all.run.rank == 0 ? 1 : all.run.extents[0]),
        total_(stretch_of(slots, kind, all)),
        pixel_(in_blocks ? hvx::kPixelDepth * slots.lane : 0),
        at_once_(hvx::Slots::rows_for(count_ * slots.lane, slots.vectors_kept, pixel_)),
        in_slots_(!in_blocks && slots.reduced == 0 && all.row_step(kind.operands - 1) > count_ * kind.sizes[kind.operands - 1]),
        whole_(count_ * slots.lane, at_once_, count_, in_slots_, total_ == 1, pixel_),
        last_(count_ * slots.lane, at_once_ == 0 || total_ % at_once_ == 0 ? at_once_ : total_ % at_once_, count_, in_slots_, total_ == 1, pixel_),
        stretches_(total_ == 0 ? 0 : all.total / total_) {
    const auto& run = all.run;
    uint32_t same_rows = 0;
    const size_t row = in_blocks ? whole_.vectors() * hvx::kPixelDepth : count_;
    fits_ = run.rank <= 1 && count_ != 0 && count_ <= slots.most_count && at_once_ != 0 && total_ >= slots.fewest;
    for (uint32_t i = 0; i < kind.operands && fits_; ++i) {
      const uint32_t bytes = kind.sizes[i];
      const bool pattern = (slots.patterns >> i & 1) != 0;
      const bool reduced = (slots.reduced >> i & 1) != 0;
      size_t step = pattern ? 0 : reduced ? bytes
                                          : (in_slots_ ? whole_.slot() / slots.lane : row) * bytes;
      if ((slots.masks >> i & 1) != 0 && all.in_one_piece(i, 0) >= total_) step = 0, same_rows |= 1u << i;
      fits_ = (count_ == 1 || run.steps[i][0] == (reduced || (same >> i & 1) != 0 ? 0 : bytes)) && all.in_one_piece(i, step) >= ((slots.masks >> i & 1) != 0 ? total_ : all.total);
      steps_[i] = step * at_once_;
    }
    whole_.set_same(same_rows);
    last_.set_same(same_rows);
    groups_ = fits_ ? (total_ + at_once_ - 1) / at_once_ : 0;
  }

  bool fits() const { return fits_; }

  bool one_vector() const { return whole_.one_vector(); }
  bool in_blocks() const { return pixel_ != 0; }

  /// All rows of pixels as they lie in blocks by the portable code.
  OPKG_RARE void pixels(const rowwise::RowKind<kCount>& kind, const rowwise::AllRows<kCount>& all, const void* rows, uint8_t* const* data) const {
    uint8_t* at[kCount] = {};
    for (size_t group = 0; group < groups_; ++group) {
      for (uint32_t i = 0; i < kind.operands; ++i) at[i] = data[i] + group * steps_[i];
      pixels_one_by_one(kind, all, rows, group + 1 == groups_ ? last_ : whole_, at, 0);
    }
  }

 protected:
  OPKG_RARE static size_t stretch_of(const SlotKind& slots, const rowwise::RowKind<kCount>& kind, const rowwise::AllRows<kCount>& all) {
    size_t rows = all.total;
    for (uint32_t i = 0; i < kind.inputs; ++i) {
      if ((slots.masks >> i & 1) != 0) rows = std::min(rows, std::max(all.in_one_piece(i, 0), all.in_one_piece(i, all.row_step(i))));
    }
    return rows;
  }

  size_t count_, total_;
  size_t pixel_;  ///< bytes of a row in each vector, where rows are pixels as they lie in blocks; else 0
  size_t at_once_, groups_;
  bool in_slots_;              ///< whether rows are as far from each other as slots
  size_t steps_[kCount] = {};  ///< bytes from the rows that are taken together to the next ones
  hvx::Slots whole_, last_;
  size_t stretches_;
  bool fits_;
};

/// The same of a struct of rows, whose numbers are set.
template <typename Rows>
class Plan : public Places<rowwise::AllRowsOf<Rows>::kOperands> {
  using Base = Places<rowwise::AllRowsOf<Rows>::kOperands>;
  using Base::count_, Base::groups_, Base::last_, Base::steps_, Base::stretches_, Base::total_, Base::whole_;
  static constexpr uint32_t kOperands = Rows::kInputs + Rows::kOutputs;

 public:
  Plan(const Rows& rows, const rowwise::AllRowsOf<Rows>& all, bool in_blocks = false)
      : Base(kSlotKind<Rows>, rowwise::kRowKind<Rows>, rowwise::SameInputs<Rows>::of(rows), all, in_blocks) {}

  /// The rows of a slice. `at`: the data of all operands, inputs first; it moves on.
  template <bool kOne>
  __attribute__((noinline)) void groups(const Rows& rows, const rowwise::AllRowsOf<Rows>& all, uint8_t** at, Slice slice) const {
    if constexpr (kMasks<Rows> != 0) {
      if (stretches_ != 1) return stretches<kOne>(rows, all, at, slice);
    }
    size_t left = groups_;
    const hvx::Slots* last = &last_;
    if (__builtin_expect(slice.count != 1, 0)) {
      const size_t first = slice.begin(groups_), end = slice.end(groups_);
      if (first == end) return;
      left = end - first;
      if (end != groups_) last = &whole_;
      for (uint32_t i = 0; i < kOperands; ++i) at[i] += first * steps_[i];
    }
    several<kOne>(rows, all, at, left, last);
  }

 private:
  /// The same in stretches.
  template <bool kOne>
  OPKG_RARE void stretches(const Rows& rows, const rowwise::AllRowsOf<Rows>& all, uint8_t* const* data, Slice slice) const {
    const size_t total = groups_ * stretches_, end = slice.end(total);
    for (size_t group = slice.begin(total), some; group < end; group += some) {
      const size_t first = group % groups_;
      some = std::min(groups_ - first, end - group);
      uint8_t* at[rowwise::AllRowsOf<Rows>::kOperands] = {};
      for (uint32_t i = 0; i < kOperands; ++i) at[i] = data[i] + first * steps_[i];
      size_t place[kMaxRank] = {};
      all.move(at, group / groups_ * total_, place);
      several<kOne>(rows, all, at, some, first + some == groups_ ? &last_ : &whole_);
    }
  }

  /// Groups of rows that follow each other, whose last one has other slots.
  template <bool kOne>
  OPKG_INLINE void several(const Rows& rows, const rowwise::AllRowsOf<Rows>& all, uint8_t* const* at, size_t left, const hvx::Slots* last) const {
    const void* in[Rows::kInputs];
    void* out[Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kInputs; ++i) in[i] = at[i];
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = at[Rows::kInputs + i];
    const size_t count = count_;
    const hvx::Slots* slots = left == 1 ? last : &whole_;
    OPKG_UNROLL(1)
    do {
      if (slots->rows() >= (InRegisters<Rows>::value ? 2 : 1) && rows.template several<kOne>(*slots, in, out, count)) {
        rowwise::counted(true, slots->rows() * count_);
      } else {
        one_by_one(rows, all, in, out, *slots, count);
      }
      if (left == 2) slots = last;
      OPKG_UNROLL_WHOLE
      for (uint32_t i = 0; i < Rows::kInputs; ++i) {
        if ((Rows::kPatterns >> i & 1) == 0) in[i] = static_cast<const uint8_t*>(in[i]) + steps_[i];
      }
      OPKG_UNROLL_WHOLE
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = static_cast<uint8_t*>(out[i]) + steps_[Rows::kInputs + i];
    } while (--left != 0);
  }

  /// Rows that follow each other, from here on.
  OPKG_RARE static void one_by_one(const Rows& rows, const rowwise::AllRowsOf<Rows>& all, const void* const* in, void* const* out, const hvx::Slots& slots, size_t n) {
    uint8_t* data[rowwise::AllRowsOf<Rows>::kOperands] = {};
    for (uint32_t i = 0; i < Rows::kInputs; ++i) data[i] = static_cast<uint8_t*>(const_cast<void*>(in[i]));
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) data[Rows::kInputs + i] = static_cast<uint8_t*>(out[i]);
    if (kPixels<Rows> && slots.in_blocks()) return pixels_one_by_one(rowwise::kRowKind<Rows>, all, &rows, slots, data, n);
    all.some(rowwise::kRowKind<Rows>, &rows, true, data, 0, slots.rows());
  }
};

#endif  // OPKG_HVX

/// Rows that have vector code for several at a time.
template <typename Rows, typename = void>
struct HasSlots : std::false_type {};
template <typename Rows>
struct HasSlots<Rows, std::void_t<decltype(Rows::kVectorsKept)>> : std::true_type {};

/// reduce_slots() of operands in one array. What is const knows how many elements a row has.
template <typename R>
Status run(R& rows, bool vectors, uint32_t axes, uint32_t dropped, const Operand* const* operands, Slice slice) {
  using Rows = std::remove_const_t<R>;
  rowwise::AllRowsOf<Rows> all;
  constexpr uint32_t kOperands = Rows::kInputs + Rows::kOutputs;
  const Status status = all.set(operands, kOperands, axes, dropped);
  if (status != Status::ok) return status;
  if constexpr (AsksForCount<R>::value && !std::is_const_v<R>) rows.inverse_of_count = hvx::CountInverse(all.length());
  uint8_t* data[kOperands];
  for (uint32_t i = 0; i < kOperands; ++i) data[i] = operands[i]->data;
#if OPKG_HVX
  if constexpr (HasSlots<Rows>::value) {
    if (all.total >= kFewestUnkept<Rows>) {
      const Plan<Rows> plan(rows, all);
      if (vectors && plan.fits()) {
        plan.one_vector() ? plan.template groups<true>(rows, all, data, slice) : plan.template groups<false>(rows, all, data, slice);
        return Status::ok;
      }
    }
  }
#endif
  const auto& kind = rowwise::kRowKind<Rows>;
  all.some(kind, &rows, vectors && all.in_vectors(kind, rowwise::SameInputs<Rows>::of(rows)), data, slice.begin(all.total), slice.end(all.total));
  return Status::ok;
}

}  // namespace slots

/// As opkg::reduce, up to 32 rows at a time where that goes.
template <typename Rows>
Status reduce_slots(Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, std::initializer_list<Operand> inputs,
                    std::initializer_list<Operand> outputs, Slice slice = Slice{}) {
  const Operand* operands[Rows::kInputs + Rows::kOutputs];
  if (!rowwise::in_one_array<Rows>(inputs, outputs, operands)) return Status::error;
  return slots::run(rows, vectors, axes, dropped, operands, slice);
}

}  // namespace opkg

#endif  // OPKG_SLOTS_H_
