// The dimensions that parts of tensors have in common: how many places, and how far each operand goes on along them.
#ifndef OPKG_SEEN_DIMS_H_
#define OPKG_SEEN_DIMS_H_

#include <utility>

#include "opkg/seen.h"

namespace opkg::rowwise {

/// Some places of the last of those dimensions that operands have in common, of so many.
struct Cut {
  size_t begin, end, of;
};

/// The dimensions of a result, neighbours joined where all operands go on alike. The first one is the last of the tensors': elements of
/// a row; rows follow one another along the second one.
template <uint32_t kInputs, uint32_t kOutputs>
class SeenDims {
 public:
  static constexpr uint32_t kOperands = kInputs + kOutputs;

  /// `runs`: whether parts that lie alike stay in this order (opkg/seen_run.h).
  OPKG_SMALL SeenDims(const SeenOperand* operands, size_t step, bool runs) : step_(step) {
    const SeenOperand& result = operands[kInputs];
    for (uint32_t k = 2; k < kDims; ++k) extents_[k] = 1;
    extents_[0] = extents_[1] = 1;
    for (uint32_t i = 0; i < kOperands; ++i) {
      const SeenOperand& o = operands[i];
      bytes_[i] = o.base.bytes;
      valid_ &= o.valid;
      for (uint32_t k = result.base.rank; k < o.base.rank; ++k) valid_ &= o.base.extent(k) == 1;
      for (uint32_t k = 0; k < result.base.rank; ++k) {
        const uint32_t own = o.base.extent(k);
        valid_ &= own == result.base.extent(k) || (own == 1 && i < kInputs);
      }
      firsts_[i] = o.first;
    }
    if (!valid_) return;
    for (uint32_t k = 0; k < result.base.rank; ++k) add(operands, k);  // from the last one
    for (uint32_t k = 0; k < kDims; ++k) size_ *= extents_[k];
    if (size_ == 0) return;
    if (runs) find_alike();
    if (pitch_ == 0) take_longest();
    if (rank_ > 1) rows_ = size_ / extents_[0], each_ = rows_ / extents_[rank_ - 1];
  }

  bool valid() const { return valid_; }
  size_t size() const { return size_; }

  /// What a slice has of the last dimension; rows may be cut anywhere, but for cut_last().
  Cut cut(Slice slice) const {
    const uint32_t last = rank_ < 2 ? 0 : rank_ - 1;
    const size_t unit = last == 0 ? step_ : 1;
    return {slice.begin(extents_[last], unit), slice.end(extents_[last], unit), extents_[last]};
  }
  void cut_last() { ordered_ = false; }

 protected:
  static constexpr uint32_t kDims = kMaxRank + 2;

  /// Whether an operand's elements lie side by side along the first so many dimensions.
  bool together(uint32_t i, uint32_t dims) const {
    intptr_t size = bytes_[i];
    for (uint32_t k = 0; k < dims; ++k) {
      if (extents_[k] != 1 && steps_[i][k] != size) return false;
      size *= static_cast<intptr_t>(extents_[k]);
    }
    return true;
  }

  /// Goes to a row.
  OPKG_RARE void begin(size_t row, size_t* at, uint8_t** from) const {
    for (uint32_t k = 1; k < rank_; ++k) {
      at[k] = row % extents_[k];
      row /= extents_[k];
      for (uint32_t i = 0; i < kOperands; ++i) from[i] += static_cast<intptr_t>(at[k]) * steps_[i][k];
    }
  }

  size_t step_;
  bool valid_ = true;
  bool ordered_ = true;  ///< rows lie one after another in results, and slices may end with any
  uint32_t rank_ = 0;
  size_t size_ = 1;
  size_t rows_ = 1;  ///< of all dimensions but the first,
  size_t each_ = 1;  ///< and at each place of the last one
  size_t extents_[kDims];
  intptr_t steps_[kOperands][kDims] = {};
  intptr_t firsts_[kOperands];
  uint32_t bytes_[kOperands];
  size_t stride_ = 1, pitch_ = 0;  ///< of parts that lie alike: elements from one to the next, and from a row to the next; 0: they do not
  uint64_t same_rows_ = 0;         ///< and inputs that have one row for all of them

 private:
  /// Whether all operands go on alike along rows and from row to row, or have one row for all. Not where what lies between their elements
  /// is more than what copies of all operands would take.
  OPKG_SMALL void find_alike() {
    const auto n = static_cast<intptr_t>(extents_[0]), size = static_cast<intptr_t>(bytes_[kInputs]);
    const intptr_t stride = steps_[kInputs][0] / size, pitch = rank_ > 1 ? steps_[kInputs][1] / size : stride * n;
    const intptr_t between = pitch - n;
    if (stride < 1 || stride > 2 || between <= 0 || 2 * between > n * static_cast<intptr_t>(kOperands)) return;
    if (stride == 1 ? extents_[0] >= step_ : pitch != stride * n) return;
    uint64_t same_rows = 0;
    for (uint32_t i = 0; i < kOperands; ++i) {
      const auto own = static_cast<intptr_t>(bytes_[i]);
      const bool each = i < kInputs && rank_ > 1 && steps_[i][1] == 0;
      if (each) same_rows |= uint64_t{1} << i;
      if (steps_[i][0] != stride * own && !(each && steps_[i][0] == own)) return;
      if (rank_ > 1 && !each && steps_[i][1] != pitch * own) return;
    }
    stride_ = static_cast<size_t>(stride), pitch_ = static_cast<size_t>(pitch), same_rows_ = same_rows;
  }

  /// A dimension of the result in front of those that are there.
  void add(const SeenOperand* operands, uint32_t from_end) {
    const size_t extent = operands[kInputs].base.extent(from_end);
    if (extent == 1) return;
    intptr_t steps[kOperands];
    bool joins = rank_ != 0;
    for (uint32_t i = 0; i < kOperands; ++i) {
      const SeenOperand& o = operands[i];
      steps[i] = o.base.extent(from_end) == 1 ? 0 : o.steps[o.base.rank - 1 - from_end];
      if (rank_ != 0) joins &= steps[i] == steps_[i][rank_ - 1] * static_cast<intptr_t>(extents_[rank_ - 1]);
    }
    if (joins) {
      extents_[rank_ - 1] *= extent;
      return;
    }
    extents_[rank_] = extent;
    for (uint32_t i = 0; i < kOperands; ++i) steps_[i][rank_] = steps[i];
    ++rank_;
  }

  /// Rows follow one another along a dimension with many, where the second one has few. Slices are cut along the last one.
  void take_longest() {
    uint32_t found = 1;
    for (uint32_t k = 2; k + 1 < rank_; ++k) found = extents_[1] < 8 && extents_[k] > 2 * extents_[found] ? k : found;
    if (found == 1) return;
    ordered_ = false;
    std::swap(extents_[1], extents_[found]);
    for (uint32_t i = 0; i < kOperands; ++i) std::swap(steps_[i][1], steps_[i][found]);
  }
};

}  // namespace opkg::rowwise

#endif  // OPKG_SEEN_DIMS_H_
