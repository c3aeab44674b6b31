// Views of tensors: some of their elements in some order, cut, transposed, reshaped. C++17.
#ifndef OPKG_VIEW_H_
#define OPKG_VIEW_H_

#include <initializer_list>
#include <limits>

#include "opkg/kernel.h"

namespace opkg {

constexpr int64_t kOpen = std::numeric_limits<int64_t>::min();  ///< the end of a range that is not said

/// Numbers of dimensions: sizes, of which one may be -1, or how often, or pairs of before and behind.
struct Counts {
  int64_t n = 0, each[2 * kMaxRank] = {};

  Counts(std::initializer_list<int64_t> numbers) { take(numbers.begin(), numbers.size()); }
  template <typename P>
  explicit Counts(const Tensor<P>& numbers) {
    take(numbers.data, numbers.size());
  }

 private:
  template <typename P>
  void take(const P* numbers, size_t count) {
    if (count > 2 * kMaxRank) return;
    for (; n < static_cast<int64_t>(count); ++n) each[n] = static_cast<int64_t>(numbers[n]);
  }
};

/// Some elements of a tensor in some order: for each dimension how many, and how far apart (elements).
template <typename T>
struct View {
  T* data = nullptr;
  uint32_t rank = 0;
  int64_t extents[kMaxRank] = {};
  int64_t steps[kMaxRank] = {};
  bool valid = true;  ///< false: a dimension or place was asked for that is not there

  /// The place of a dimension; those below 0 count from the end, of `count` dimensions.
  uint32_t dim(int64_t axis, uint32_t count) {
    if (axis < 0) axis += count;
    valid &= axis >= 0 && axis < static_cast<int64_t>(count) && count <= kMaxRank;
    return valid ? static_cast<uint32_t>(axis) : 0;
  }

  /// The dimensions in another order: the first one is order[0].
  template <typename Order>
  View ordered(const Order* order, size_t count, bool back) const {
    View to = *this;
    to.valid &= count == rank;
    uint32_t seen = 0;
    for (uint32_t k = 0; to.valid && k < rank; ++k) {
      const uint32_t from = to.dim(static_cast<int64_t>(order[k]), rank);
      seen |= 1u << from;
      to.extents[back ? from : k] = extents[back ? k : from];
      to.steps[back ? from : k] = steps[back ? k : from];
    }
    to.valid &= seen == (1u << rank) - 1;
    return to;
  }

  View transposed(std::initializer_list<int> order) const { return ordered(order.begin(), order.size(), false); }
  View back(std::initializer_list<int> order) const { return ordered(order.begin(), order.size(), true); }
  template <typename P>
  View transposed(const Tensor<P>& order) const {
    return ordered(order.data, order.size(), false);
  }
  template <typename P>
  View back(const Tensor<P>& order) const {
    return ordered(order.data, order.size(), true);
  }
  View transposed() const {
    int order[kMaxRank] = {};
    for (uint32_t k = 0; k < rank; ++k) order[k] = static_cast<int>(rank - 1 - k);
    return ordered(order, rank, false);
  }
  View back() const { return transposed(); }

  /// start:stop:step of a dimension, as in Python.
  View range(int64_t axis, int64_t start, int64_t stop, int64_t step) const {
    View to = *this;
    const uint32_t k = to.dim(axis, rank);
    to.valid &= step != 0;
    if (!to.valid) return to;
    const int64_t n = extents[k], low = step < 0 ? -1 : 0, high = step < 0 ? n - 1 : n;
    const int64_t from = start == kOpen ? (step < 0 ? high : low) : within(start < 0 ? start + n : start, low, high);
    const int64_t end = stop == kOpen ? (step < 0 ? low : high) : within(stop < 0 ? stop + n : stop, low, high);
    const int64_t reach = step < 0 ? from - end : end - from;
    to.extents[k] = reach <= 0 ? 0 : (reach - 1) / (step < 0 ? -step : step) + 1;
    if (to.extents[k] != 0) to.data += from * steps[k];
    to.steps[k] = steps[k] * step;
    return to;
  }

  /// One place of a dimension, which goes.
  View place(int64_t axis, int64_t index) const {
    View to = *this;
    const uint32_t k = to.dim(axis, rank);
    if (index < 0) index += extents[k];
    to.valid &= index >= 0 && index < extents[k];
    if (!to.valid) return to;
    to.data += index * steps[k];
    --to.rank;
    for (uint32_t i = k; i < to.rank; ++i) to.extents[i] = extents[i + 1], to.steps[i] = steps[i + 1];
    return to;
  }

  /// A new dimension of 1, which is `axis` then.
  View added(int64_t axis) const {
    View to = *this;
    const uint32_t k = to.dim(axis, rank + 1);
    if (!to.valid) return to;
    ++to.rank;
    for (uint32_t i = to.rank - 1; i > k; --i) to.extents[i] = extents[i - 1], to.steps[i] = steps[i - 1];
    to.extents[k] = 1;
    to.steps[k] = 0;
    return to;
  }

  /// A whole tensor in other dimensions: those that are said, or those of another view.
  View reshaped(const Counts& sizes) const {
    View to = *this;
    to.rank = static_cast<uint32_t>(sizes.n);
    to.valid &= sizes.n > 0 && to.rank <= kMaxRank;
    if (!to.valid) return to;
    int64_t rest = size();
    bool open = false;
    for (uint32_t k = 0; k < to.rank; ++k) {
      const int64_t n = sizes.each[k];
      to.valid &= n > 0 || (n == -1 && !open);
      open |= n < 0;
      if (n <= 0) continue;
      to.valid &= rest % n == 0;
      rest /= n;
    }
    if (!to.valid) return to;
    for (uint32_t k = 0; k < to.rank; ++k) to.extents[k] = sizes.each[k] > 0 ? sizes.each[k] : rest;
    return to.packed(size());
  }
  template <typename P>
  View shaped(const View<P>& like) const {
    View to = *this;
    to.rank = like.rank;
    to.valid &= like.valid;
    for (uint32_t k = 0; k < to.rank; ++k) to.extents[k] = like.extents[k];
    return to.packed(size());
  }

  /// Again and again along its last dimensions: each that is not 1 has one more in front of it, with a step of 0.
  View tiled(const Counts& times) const {
    View to = *this;
    to.rank = 0;
    to.valid &= times.n <= rank;
    for (uint32_t k = 0; to.valid && k < rank; ++k) {
      const int64_t at = times.n + k - rank, again = at < 0 ? 1 : times.each[at];
      if (again != 1) to.push(again, 0);
      if (again == 1 || extents[k] != 1) to.push(extents[k], steps[k]);
    }
    return to;
  }
  /// A whole tensor that has the elements of `from` again and again, with the dimensions of from.tiled().
  template <typename P>
  View again(const View<P>& from, const Counts& times) const {
    View to = shaped(from.tiled(times));
    for (uint32_t k = 0; to.valid && (k < rank || k < from.rank); ++k) {
      const int64_t own = k < rank ? extents[rank - 1 - k] : 1, one = k < from.rank ? from.extents[from.rank - 1 - k] : 1;
      to.valid &= own == (k < times.n ? one * times.each[times.n - 1 - k] : one);
    }
    return to;
  }

  /// Amid so many before and behind it along its last dimensions: the part of a tensor that has something around it.
  View amid(const Counts& ends) const {
    View to = *this;
    to.valid &= ends.n % 2 == 0 && ends.n <= 2 * rank;
    for (uint32_t k = 0; to.valid && k < rank; ++k) {
      const int64_t at = ends.n / 2 + k - rank, before = at < 0 ? 0 : ends.each[2 * at], behind = at < 0 ? 0 : ends.each[2 * at + 1];
      to.valid &= before >= 0 && behind >= 0 && before + behind <= extents[k];
      if (to.valid) to = to.range(k, before, extents[k] - behind, 1);
    }
    return to;
  }

  int64_t size() const {
    int64_t product = 1;
    for (uint32_t k = 0; k < rank; ++k) product *= extents[k];
    return product;
  }

 private:
  void push(int64_t extent, int64_t step) {
    valid &= rank < kMaxRank;
    if (!valid) return;
    extents[rank] = extent;
    steps[rank++] = step;
  }

  View packed(int64_t count) const {
    View to = *this;
    int64_t step = 1;
    for (uint32_t k = rank; k-- > 0; step *= extents[k]) to.steps[k] = step;
    to.valid &= step == count;
    return to;
  }

  static int64_t within(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high
                                                                                                : x; }
};

/// A whole tensor.
template <typename T>
View<T> view(const Tensor<T>& tensor) {
  View<T> to;
  to.data = tensor.data;
  to.rank = tensor.rank;
  int64_t step = 1;
  for (uint32_t k = tensor.rank; k-- > 0;) {
    to.extents[k] = tensor.dims[k];
    to.steps[k] = step;
    step *= tensor.dims[k];
  }
  return to;
}

}  // namespace opkg

#endif  // OPKG_VIEW_H_
