// Runs kernels that reduce dimensions along which elements lie apart, by the vector code for rows: some rows at a time are brought
// into a panel, where the elements of each lie one after another, computed there, and brought back. C++17.
#ifndef OPKG_PANELS_H_
#define OPKG_PANELS_H_

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "opkg/hvx_move.h"
#include "opkg/reduce.h"

namespace opkg {
namespace panels {

/// Rows one after another. Other ways have the same function.
struct Rows {
  template <typename R>
  static Status run(const R& rows, const Operand* const* operands) {
    return rowwise::reduce_rows(rowwise::kRowKind<R>, &rows, true, rowwise::SameInputs<R>::of(rows), 1, 0, operands, Slice{});
  }
};

#if OPKG_HVX

// Bytes of a panel: what stays in a cache; of long rows, of which there are kFewest or one, at most.
constexpr size_t kRoom = 65536, kMost = size_t{4} << 20;
constexpr size_t kFewest = 8, kLine = 128;

/// Where elements of one operand are: in its tensor and in a panel.
struct Part {
  uint32_t bytes = 1;    ///< of an element
  bool in_rows = false;  ///< a panel has its elements; else one number stands for each row, which stays where it is
  bool once = false;     ///< all rows have the same elements
  uint32_t rank = 0;     ///< dimensions of a row that it goes along, the last one first
  hvx::Along along[kMaxRank + 1];
  size_t step = 0;  ///< bytes in the tensor from a row to the next one

  size_t rows(size_t some) const { return once ? 1 : some; }
};

/// Copies elements along dimensions in any order.
OPKG_RARE inline void copy(uint8_t* to, const uint8_t* from, const hvx::Along* dims, uint32_t rank, size_t bytes) {
  const intptr_t size = static_cast<intptr_t>(bytes);
  hvx::Along given[kMaxRank + 2];
  for (uint32_t n = 0; n < rank; ++n) {  // the smallest step in the result first
    uint32_t k = n;
    for (; k > 0 && given[k - 1].to > dims[n].to; --k) given[k] = given[k - 1];
    given[k] = dims[n];
  }
  if (rank == 0) given[rank++] = {1, size, size};
  if (hvx::copied(to, from, given, rank, size)) return;
  struct One {
    size_t bytes;
    void copy(uint8_t* y, const uint8_t* x) const { std::memcpy(y, x, bytes); }
  };
  hvx::everywhere(One{bytes}, to, from, dims, rank);
}

/// The panels of a call, from the shapes of its operands: inputs, then outputs.
template <uint32_t kOperands>
class Plan {
 public:
  /// `same`: inputs (bits) of which one number stands for all elements; `reduced`: outputs (bits) with one element for each row.
  OPKG_RARE Plan(const rowwise::RowKind<kOperands>& kind, uint32_t same, uint32_t reduced, const rowwise::AllRows<kOperands>& all) : kind_(kind) {
    uint32_t inner = 0;  // the dimension along which rows of a panel follow each other
    while (inner < all.frame.rank && ((all.axes >> inner & 1) != 0 || all.frame.extents[inner] == 1)) ++inner;
    if (inner < all.frame.rank) rows_ = all.frame.extents[inner];
    for (uint32_t k = 0; k < all.frame.rank; ++k) {
      if ((all.axes >> k & 1) != 0) count_ *= all.frame.extents[k];
    }
    size_t each = 0, shared = 0;  // bytes of a row, and of what all rows have
    for (uint32_t i = 0; i < kind.operands; ++i) {
      Part& part = parts_[i];
      part.bytes = kind.sizes[i];
      part.step = inner < all.frame.rank ? all.frame.steps[i][inner] : 0;
      part.once = part.step == 0 && rows_ != 1 && i < kind.inputs;
      part.in_rows = i < kind.inputs && (same >> i & 1) == 0;
      size_t to = part.bytes;
      bool whole = true;  // it has all that is reduced
      for (uint32_t k = 0; k < all.frame.rank; ++k) {
        if ((all.axes >> k & 1) == 0 || all.frame.extents[k] == 1) continue;
        part.in_rows |= all.frame.steps[i][k] != 0;
        whole = whole && all.frame.steps[i][k] != 0;
        part.along[part.rank++] = {static_cast<intptr_t>(all.frame.extents[k]), static_cast<intptr_t>(to), static_cast<intptr_t>(all.frame.steps[i][k])};
        to *= all.frame.extents[k];
      }
      const bool full = i >= kind.inputs && (reduced >> (i - kind.inputs) & 1) == 0;
      if (i >= kind.inputs && full != part.in_rows && (part.in_rows || count_ != 1)) fits_ = false;
      if (i >= kind.inputs && part.in_rows && !whole) fits_ = false;
      for (uint32_t k = 0; k < all.frame.rank; ++k) {
        outer_[i][k] = (all.axes >> k & 1) != 0 || k == inner ? 0 : all.frame.steps[i][k];
      }
      if (!part.in_rows) {
        fits_ = fits_ && (part.step == part.bytes || part.step == 0 || rows_ == 1);
        continue;
      }
      (part.once ? shared : each) += count_ * part.bytes;
    }
    for (uint32_t k = 0; k < all.frame.rank; ++k) {
      extents_[k] = (all.axes >> k & 1) != 0 || k == inner ? 1 : all.frame.extents[k];
      if (extents_[k] != 1) outside_ *= extents_[k];
    }
    rank_ = all.frame.rank;
    if (each == 0 || shared + each > kMost || all.frame.shares_results(kind.inputs, kind.operands, all.axes)) fits_ = false;
    at_once_ = fits_ ? std::max((kRoom - std::min(shared, kRoom)) / each, std::min(kFewest, (kMost - shared) / each)) : 1;
    if (at_once_ > kLine) at_once_ -= at_once_ % kLine;
    at_once_ = std::min(at_once_, rows_);
    for (uint32_t i = 0; i < kind.operands; ++i) {
      places_[i] = bytes_;
      if (parts_[i].in_rows) bytes_ += (parts_[i].rows(at_once_) * count_ * parts_[i].bytes + kLine - 1) / kLine * kLine;
      dims_[i] = parts_[i].in_rows ? count_ : 1;
    }
  }

  bool fits() const { return fits_ && count_ != 0 && rows_ != 0; }
  size_t count() const { return count_; }

  /// The rows of a slice: whole panels, where there are any.
  OPKG_RARE opkg::Part results(const opkg::Part& part) const {
    if (!fits()) return part;
    return {row_of(part.begin(panels())), row_of(part.end(panels()))};
  }

  /// Computes the panels of a slice. `data`: where the tensors begin. False: there is no memory for a panel.
  template <typename Way, typename R>
  bool run(const R& rows, uint8_t* const* data, const opkg::Part& part) const {
    const size_t across = (rows_ + at_once_ - 1) / at_once_, first = part.begin(panels()), last = part.end(panels());
    if (first >= last) return true;
    void* const room = std::malloc(bytes_ + kLine);
    if (room == nullptr) return false;
    uint8_t* const arena = reinterpret_cast<uint8_t*>((reinterpret_cast<uintptr_t>(room) + kLine - 1) & ~static_cast<uintptr_t>(kLine - 1));
    for (size_t panel = first; panel < last; ++panel) {
      const size_t row = panel % across * at_once_, some = std::min(at_once_, rows_ - row);
      Operand now[kOperands];
      const Operand* each[kOperands];
      uint8_t* there[kOperands];
      for (uint32_t i = 0; i < kind_.operands; ++i) {
        there[i] = data[i] + outside(i, panel / across) + row * parts_[i].step;
        now[i] = operand(i, some, parts_[i].in_rows ? arena + places_[i] : there[i]);
        each[i] = &now[i];
        if (parts_[i].in_rows && i < kind_.inputs) move(i, some, now[i].data, there[i], false);
      }
      Way::run(rows, each);
      for (uint32_t i = kind_.inputs; i < kind_.operands; ++i) {
        if (parts_[i].in_rows) move(i, some, there[i], now[i].data, true);
      }
    }
    std::free(room);
    return true;
  }

 private:
  size_t panels() const { return (rows_ + at_once_ - 1) / at_once_ * outside_; }

  /// The number of the first row of a panel, of all.
  size_t row_of(size_t panel) const {
    const size_t across = (rows_ + at_once_ - 1) / at_once_;
    return panel / across * rows_ + panel % across * at_once_;
  }

  /// A tensor of the rows of a panel.
  OPKG_SMALL Operand operand(uint32_t i, size_t some, uint8_t* data) const {
    Operand o;
    o.data = data;
    o.bytes = parts_[i].bytes;
    o.rank = 2;
    o.dims[0] = static_cast<uint32_t>(parts_[i].rows(some));
    o.dims[1] = static_cast<uint32_t>(dims_[i]);
    return o;
  }

  /// Bytes to what is computed outside of panels, number `at`.
  OPKG_SMALL size_t outside(uint32_t i, size_t at) const {
    size_t found = 0;
    for (uint32_t k = 0; k < rank_; ++k) {
      if (extents_[k] == 1) continue;
      found += at % extents_[k] * outer_[i][k];
      at /= extents_[k];
    }
    return found;
  }

  /// Brings some rows of an operand into its panel, or back.
  OPKG_RARE void move(uint32_t i, size_t some, uint8_t* to, const uint8_t* from, bool back) const {
    const Part& part = parts_[i];
    hvx::Along dims[kMaxRank + 1];
    uint32_t rank = part.rank;
    for (uint32_t k = 0; k < rank; ++k) dims[k] = part.along[k];
    if (part.rows(some) != 1) dims[rank++] = {static_cast<intptr_t>(some), static_cast<intptr_t>(count_ * part.bytes), static_cast<intptr_t>(part.step)};
    for (uint32_t k = 0; k < rank && back; ++k) std::swap(dims[k].to, dims[k].from);
    copy(to, from, dims, rank, part.bytes);
  }

  const rowwise::RowKind<kOperands>& kind_;
  Part parts_[kOperands];
  size_t outer_[kOperands][kMaxRank] = {};  ///< bytes along dimensions outside of panels
  size_t extents_[kMaxRank] = {};           ///< of these
  size_t places_[kOperands] = {};           ///< of operands in a panel
  size_t dims_[kOperands] = {};             ///< elements of a row
  size_t rows_ = 1;                         ///< that follow each other in tensors
  size_t at_once_ = 1;                      ///< rows of a panel
  size_t count_ = 1;                        ///< elements of a row
  size_t outside_ = 1;
  size_t bytes_ = 0;
  uint32_t rank_ = 0;
  bool fits_ = true;
};

#endif  // OPKG_HVX

/// reduce_panels() of operands in one array.
template <typename Way, typename R>
Status run(const R& rows, [[maybe_unused]] bool vectors, uint32_t axes, uint32_t dropped, const Operand* const* operands, const opkg::Part& part) {
  constexpr uint32_t kOperands = rowwise::AllRowsOf<R>::kOperands;
#if OPKG_HVX
  if constexpr (rowwise::HasRowVector<R>::value) {
    rowwise::AllRowsOf<R> all;
    const Status status = all.set(operands, R::kInputs + R::kOutputs, axes, dropped);
    if (status != Status::ok) return status;
    const Plan<kOperands> plan(rowwise::kRowKind<R>, rowwise::SameInputs<R>::of(rows), R::kReduced, all);
    uint8_t* data[kOperands];
    for (uint32_t i = 0; i < R::kInputs + R::kOutputs; ++i) data[i] = operands[i]->data;
    if (vectors && plan.fits()) {
      if (plan.template run<Way>(rows, data, part)) return Status::ok;
      return rowwise::reduce_rows(rowwise::kRowKind<R>, &rows, false, 0, axes, dropped, operands, plan.results(part));
    }
  }
#endif
  return rowwise::reduce_rows(rowwise::kRowKind<R>, &rows, false, 0, axes, dropped, operands, part);
}

}  // namespace panels

/// As opkg::reduce, in panels where vectors can take them.
template <typename Way, typename R>
Status reduce_panels(const R& rows, bool vectors, uint32_t axes, uint32_t dropped, std::initializer_list<Operand> inputs,
                     std::initializer_list<Operand> outputs, const Part& part = Slice{}) {
  const Operand* operands[R::kInputs + R::kOutputs];
  if (!rowwise::in_one_array<R>(inputs, outputs, operands)) return Status::error;
  return panels::run<Way>(rows, vectors, axes, dropped, operands, part);
}

}  // namespace opkg

#endif  // OPKG_PANELS_H_
