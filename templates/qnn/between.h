// Numbers between the passes of a kernel: tensors that no one else sees. C++17.
#ifndef OPKG_BETWEEN_H_
#define OPKG_BETWEEN_H_

#include <cstdlib>
#include <initializer_list>
#include <limits>

#include "opkg/kernel.h"
#include "opkg/small.h"
#include "opkg/spans.h"

namespace opkg {

/// The dimensions of a value.
struct ValueShape {
  uint32_t rank = 0;
  uint32_t dims[kMaxRank] = {};

  /// With 1 in the place of some dimensions. Bit k: the one k places before the last one.
  OPKG_SMALL ValueShape reduced(uint32_t axes) const {
    ValueShape left = *this;
    for (uint32_t k = 0; k < rank; ++k) {
      if ((axes >> k & 1) != 0) left.dims[rank - 1 - k] = 1;
    }
    return left;
  }

  /// Without some dimensions.
  OPKG_SMALL ValueShape without(uint32_t axes) const {
    ValueShape left;
    for (uint32_t i = 0; i < rank; ++i) {
      if ((axes >> (rank - 1 - i) & 1) == 0) left.dims[left.rank++] = dims[i];
    }
    return left;
  }

  /// With the dimensions of places instead of one dimension (take).
  OPKG_SMALL ValueShape taken(int64_t axis, const ValueShape& places) const {
    const uint32_t at = static_cast<uint32_t>(axis < 0 ? axis + rank : axis);
    ValueShape to;
    for (uint32_t i = 0; i < rank; ++i) {
      if (i != at) {
        to.add(dims[i]);
        continue;
      }
      for (uint32_t k = 0; k < places.rank; ++k) to.add(places.dims[k]);
    }
    return to;
  }

  /// Each dimension several times; numbers of the last ones.
  OPKG_SMALL ValueShape tiled(std::initializer_list<int64_t> times) const {
    ValueShape to = *this;
    uint32_t left = static_cast<uint32_t>(times.size());
    for (const int64_t n : times) {
      if (--left < rank) to.dims[rank - 1 - left] *= static_cast<uint32_t>(n);
    }
    return to;
  }

  /// With elements in front of each dimension and behind it.
  OPKG_SMALL ValueShape padded(std::initializer_list<int64_t> ends) const {
    ValueShape to = *this;
    uint32_t left = static_cast<uint32_t>(ends.size());
    for (const int64_t n : ends) {
      if (--left / 2 < rank) to.dims[rank - 1 - left / 2] += static_cast<uint32_t>(n);
    }
    return to;
  }

 private:
  void add(uint32_t extent) {
    if (rank < kMaxRank) dims[rank++] = extent;
  }
};

/// The shape of a view (opkg/view.h).
template <typename View>
OPKG_SMALL auto shape_of(const View& view) -> decltype(view.extents[0], ValueShape()) {
  ValueShape shape;
  shape.rank = view.valid ? view.rank : 0;
  for (uint32_t i = 0; i < shape.rank; ++i) shape.dims[i] = static_cast<uint32_t>(view.extents[i]);
  return shape;
}

template <typename T>
OPKG_SMALL ValueShape shape_of(const Tensor<T>& tensor) {
  ValueShape shape;
  shape.rank = tensor.rank;
  for (uint32_t i = 0; i < tensor.rank; ++i) shape.dims[i] = tensor.dims[i];
  return shape;
}

/// The shape to which some are broadcast.
OPKG_SMALL inline ValueShape together(std::initializer_list<ValueShape> shapes) {
  ValueShape to;
  for (const ValueShape& shape : shapes) to.rank = shape.rank > to.rank ? shape.rank : to.rank;
  for (uint32_t i = 0; i < to.rank; ++i) to.dims[i] = 1;
  for (const ValueShape& shape : shapes) {
    for (uint32_t i = 0; i < shape.rank; ++i) {
      if (shape.dims[i] != 1) to.dims[to.rank - shape.rank + i] = shape.dims[i];
    }
  }
  return to;
}

/// Where numbers between passes lie.
OPKG_SMALL inline Span span_of(const Tensor<float>& numbers) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  bool known = true;
  for (size_t i = 0; i < numbers.size(); ++i) {
    known &= numbers[i] == numbers[i];
    low = numbers[i] < low ? numbers[i] : low;
    high = numbers[i] > high ? numbers[i] : high;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  return known ? Span(low, high) : Span(-infinity, infinity);
}

/// Memory of numbers between passes: on the stack what fits, else from the allocator, until the call returns.
class Room {
 public:
  Room() = default;
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  OPKG_SMALL ~Room() {
    for (uint32_t i = 0; i < count_; ++i) std::free(blocks_[i]);
  }

  /// Makes a tensor.
  template <typename T>
  OPKG_SMALL void take(Tensor<T>& tensor, const ValueShape& shape) {
    tensor.rank = shape.rank;
    for (uint32_t i = 0; i < shape.rank; ++i) tensor.dims[i] = shape.dims[i];
    tensor.data = static_cast<T*>(bytes(tensor.size() * sizeof(T)));
  }

  /// The same, for elements of another tensor.
  template <typename T, typename Of>
  OPKG_SMALL void take(Tensor<T>& tensor, const ValueShape& shape, const Tensor<Of>& of) {
    take(tensor, shape);
    tensor.scale = of.scale;
    tensor.zero = of.zero;
  }

  /// Elements of a tensor as they are stored there, in the place of a result that has as many of the same size.
  template <typename T>
  OPKG_SMALL static void share(Tensor<T>& tensor, const Tensor<T>& result, const Tensor<const T>& of) {
    tensor = result;
    tensor.scale = of.scale;
    tensor.zero = of.zero;
  }

  /// A tensor in other dimensions, where it lies.
  template <typename T>
  OPKG_SMALL void alias(Tensor<T>& tensor, const ValueShape& shape, const Tensor<T>& of) {
    tensor = of;
    tensor.rank = shape.rank;
    for (uint32_t i = 0; i < shape.rank; ++i) tensor.dims[i] = shape.dims[i];
    fits_ &= tensor.size() == of.size();
  }

  /// Whether there was memory for all tensors, and other dimensions fit.
  Status status() const { return !enough_ ? Status::error : fits_ ? Status::ok
                                                                  : Status::unsupported; }

 private:
  static constexpr size_t kNear = 8192, kLine = 128;
  static constexpr uint32_t kMost = 16;

  OPKG_SMALL void* bytes(size_t wanted) {
    const size_t lines = (wanted + kLine - 1) / kLine * kLine;
    if (lines <= kNear - used_) {
      void* const place = near_ + used_;
      used_ += lines;
      return place;
    }
    void* const block = count_ < kMost ? std::malloc(lines + kLine) : nullptr;
    if (block == nullptr) {
      enough_ = false;
      return nullptr;
    }
    blocks_[count_++] = block;
    const uintptr_t first = (reinterpret_cast<uintptr_t>(block) + kLine - 1) & ~static_cast<uintptr_t>(kLine - 1);
    return reinterpret_cast<void*>(first);
  }

  alignas(kLine) uint8_t near_[kNear];
  size_t used_ = 0;
  bool enough_ = true, fits_ = true;
  uint32_t count_ = 0;
  void* blocks_[kMost] = {};
};

}  // namespace opkg

#endif  // OPKG_BETWEEN_H_
