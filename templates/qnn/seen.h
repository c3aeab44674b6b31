// Parts of tensors as operands of kernels: views (opkg/view.h) with the scale of their tensor, and what is joined of several.
#ifndef OPKG_SEEN_H_
#define OPKG_SEEN_H_

#include <initializer_list>

#include "opkg/move.h"
#include "opkg/rows_operand.h"

namespace opkg {

/// A tensor of which a kernel sees some elements, in some order. `data` is that of the whole tensor, and may be a handle: then
/// the view's pointer only tells how far behind it the first element lies.
template <typename T>
struct Seen : Tensor<T> {
  View<T> part;
  Tensor<T> whole;

  Seen() = default;
  Seen(const Tensor<T>& tensor, const View<T>& seen) : Tensor<T>(tensor), part(seen), whole(tensor) {
    this->rank = seen.rank;
    for (uint32_t k = 0; k < seen.rank; ++k) this->dims[k] = static_cast<uint32_t>(seen.extents[k]);
  }
};

/// The shape to which values are broadcast.
struct Extents {
  uint32_t rank = 0;
  int64_t each[kMaxRank] = {};
  bool valid = true;

  /// The extent `from_end` dimensions before the last one.
  int64_t of(uint32_t from_end) const { return from_end < rank ? each[rank - 1 - from_end] : 1; }
};

template <typename... Views>
OPKG_SMALL Extents together(const Views&... views) {
  Extents to;
  ((to.rank = views.rank > to.rank ? views.rank : to.rank, to.valid &= views.valid), ...);
  for (uint32_t k = 0; k < to.rank; ++k) to.each[k] = 1;
  const auto add = [&](uint32_t rank, const int64_t* extents) {
    for (uint32_t k = 0; k < rank; ++k) {
      int64_t& n = to.each[to.rank - rank + k];
      to.valid &= extents[k] == 1 || n == 1 || n == extents[k];
      if (n == 1) n = extents[k];
    }
  };
  (add(views.rank, views.extents), ...);
  return to;
}

/// A view in the shape to which it is broadcast with others: what repeats has steps of 0.
template <typename T>
OPKG_SMALL View<T> spread(const View<T>& of, const Extents& to) {
  View<T> found = of;
  found.rank = to.rank;
  found.valid &= to.valid && of.rank <= to.rank;
  for (uint32_t k = 0; found.valid && k < to.rank; ++k) {
    const bool there = k + of.rank >= to.rank;
    const uint32_t from = there ? k + of.rank - to.rank : 0;
    const int64_t own = there ? of.extents[from] : 1;
    found.valid &= own == 1 || own == to.each[k];
    found.extents[k] = to.each[k];
    found.steps[k] = own == 1 ? 0 : of.steps[from];
  }
  return found;
}

/// Values of some shapes one after another along a dimension.
class Joint {
 public:
  static constexpr uint32_t kMost = 64;

  OPKG_SMALL Joint(int64_t axis, std::initializer_list<Extents> shapes) {
    const uint32_t rank = shapes.begin()->rank;
    const int64_t place = axis < 0 ? axis + rank : axis;
    valid_ = place >= 0 && place < rank && shapes.size() <= kMost;
    if (!valid_) return;
    from_end_ = rank - 1 - static_cast<uint32_t>(place);
    for (const Extents& shape : shapes) {
      valid_ &= shape.valid && shape.rank == rank;
      first_[count_ + 1] = first_[count_] + shape.of(from_end_);
      ++count_;
    }
  }

  /// What one of them meets of a view that is broadcast to all of them, or of the result.
  template <typename T>
  OPKG_SMALL View<T> part(uint32_t number, const View<T>& of) const {
    View<T> found = of;
    found.valid &= valid_;
    if (!found.valid || from_end_ >= of.rank) return found;
    const uint32_t axis = of.rank - 1 - from_end_;
    if (of.extents[axis] == 1 && first_[count_] != 1) return found;
    found.valid &= of.extents[axis] == first_[count_];
    return found.range(axis, first_[number], first_[number + 1], 1);
  }

 private:
  bool valid_;
  uint32_t from_end_ = 0;
  uint32_t count_ = 0;
  int64_t first_[kMost + 1] = {};
};

/// An operand whose elements are some bytes apart along its dimensions: those of `base`, which has the tensor's data.
struct SeenOperand {
  Operand base;
  intptr_t first = 0;  ///< bytes to the first element
  intptr_t steps[kMaxRank] = {};
  uint32_t whole[4] = {};  ///< of a tensor in blocks, its dimensions
  bool valid = true;
};

template <typename T>
OPKG_SMALL SeenOperand seen_operand(const Tensor<T>& tensor, const View<T>& part) {
  SeenOperand o;
  o.base = operand(tensor);
  for (uint32_t k = 0; k < 4; ++k) o.whole[k] = o.base.dims[k];
  o.valid = part.valid;
  o.base.rank = part.rank;
  o.first = reinterpret_cast<intptr_t>(part.data) - reinterpret_cast<intptr_t>(tensor.data);
  for (uint32_t k = 0; k < part.rank; ++k) {
    o.base.dims[k] = static_cast<uint32_t>(part.extents[k]);
    o.steps[k] = static_cast<intptr_t>(part.steps[k] * static_cast<int64_t>(sizeof(T)));
  }
  return o;
}
template <typename T>
inline SeenOperand seen_operand(const Seen<T>& seen) {
  return seen_operand(seen.whole, seen.part);
}
template <typename T>
inline SeenOperand seen_operand(const Tensor<T>& tensor) {
  return seen_operand(tensor, view(tensor));
}

}  // namespace opkg

#endif  // OPKG_SEEN_H_
