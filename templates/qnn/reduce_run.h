// One row of kernels that reduce dimensions, and a walk through its elements. C++17.
#ifndef OPKG_REDUCE_RUN_H_
#define OPKG_REDUCE_RUN_H_

#include "opkg/kernel.h"
#include "opkg/small.h"

namespace opkg {

/// How many operands there is room for: kernels of up to four share the code around their rows.
constexpr uint32_t room_for(uint32_t operands) { return operands <= 4 ? 4 : operands; }

/// One row: where its elements are in every operand (inputs, then outputs). Dimensions innermost first, steps in bytes.
template <uint32_t kOperands>
struct RunOf {
  uint32_t rank = 0;
  size_t extents[kMaxRank] = {};
  size_t steps[kOperands][kMaxRank] = {};  ///< 0 along what an operand does not have
  uint8_t* start[kOperands] = {};

  /// Whether one of the operands (bits) goes on along a dimension.
  bool moves(uint32_t operands, uint32_t dim) const {
    for (uint32_t i = 0; i < kOperands; ++i) {
      if ((operands >> i & 1) != 0 && steps[i][dim] != 0) return true;
    }
    return false;
  }

  /// Number of elements of some operands together.
  OPKG_SMALL size_t count(uint32_t operands) const {
    size_t product = 1;
    for (uint32_t k = 0; k < rank; ++k) product *= moves(operands, k) ? extents[k] : 1;
    return product;
  }
};

template <uint32_t kOperands>
using Run = RunOf<room_for(kOperands)>;

/// Goes through the elements that some operands of a row have together: `for (opkg::Walk at(run, 0b01); at; ++at)`.
template <uint32_t kOperands>
class Walk {
 public:
  OPKG_SMALL Walk(const RunOf<kOperands>& run, uint32_t operands) : run_(run), left_(run.count(operands)) {
    for (uint32_t k = 0; k < run.rank; ++k) {
      if (run.moves(operands, k)) dims_[rank_++] = k;
    }
    for (uint32_t i = 0; i < kOperands; ++i) at_[i] = run.start[i];
  }

  explicit operator bool() const { return left_ != 0; }

  Walk& operator++() {
    --left_;
    for (uint32_t d = 0; d < rank_; ++d) {
      const uint32_t k = dims_[d];
      for (uint32_t i = 0; i < kOperands; ++i) at_[i] += run_.steps[i][k];
      if (++index_[d] < run_.extents[k]) break;
      for (uint32_t i = 0; i < kOperands; ++i) at_[i] -= run_.steps[i][k] * run_.extents[k];
      index_[d] = 0;
    }
    return *this;
  }

  /// The element of an operand here.
  template <typename T>
  T& get(uint32_t operand) const {
    return *reinterpret_cast<T*>(at_[operand]);
  }

 private:
  const RunOf<kOperands>& run_;
  size_t left_;
  uint32_t rank_ = 0;
  uint32_t dims_[kMaxRank] = {};
  size_t index_[kMaxRank] = {};
  uint8_t* at_[kOperands] = {};
};

}  // namespace opkg

#endif  // OPKG_REDUCE_RUN_H_
