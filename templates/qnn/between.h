// Numbers between the passes of a kernel: float tensors that no one else sees. C++17.
#ifndef OPKG_BETWEEN_H_
#define OPKG_BETWEEN_H_

#include <cstdlib>
#include <initializer_list>

#include "opkg/kernel.h"
#include "opkg/small.h"

namespace opkg {

/// The dimensions of a value.
struct Shape {
  uint32_t rank = 0;
  uint32_t dims[kMaxRank] = {};

  /// With 1 in the place of some dimensions. Bit k: the one k places before the last one.
  OPKG_SMALL Shape reduced(uint32_t axes) const {
    Shape left = *this;
    for (uint32_t k = 0; k < rank; ++k) {
      if ((axes >> k & 1) != 0) left.dims[rank - 1 - k] = 1;
    }
    return left;
  }

  /// Without some dimensions.
  OPKG_SMALL Shape without(uint32_t axes) const {
    Shape left;
    for (uint32_t i = 0; i < rank; ++i) {
      if ((axes >> (rank - 1 - i) & 1) == 0) left.dims[left.rank++] = dims[i];
    }
    return left;
  }
};

template <typename T>
OPKG_SMALL Shape shape_of(const Tensor<T>& tensor) {
  Shape shape;
  shape.rank = tensor.rank;
  for (uint32_t i = 0; i < tensor.rank; ++i) shape.dims[i] = tensor.dims[i];
  return shape;
}

/// The shape to which some are broadcast.
OPKG_SMALL inline Shape together(std::initializer_list<Shape> shapes) {
  Shape to;
  for (const Shape& shape : shapes) to.rank = shape.rank > to.rank ? shape.rank : to.rank;
  for (uint32_t i = 0; i < to.rank; ++i) to.dims[i] = 1;
  for (const Shape& shape : shapes) {
    for (uint32_t i = 0; i < shape.rank; ++i) {
      if (shape.dims[i] != 1) to.dims[to.rank - shape.rank + i] = shape.dims[i];
    }
  }
  return to;
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
  OPKG_SMALL void take(Tensor<float>& tensor, const Shape& shape) {
    tensor.rank = shape.rank;
    for (uint32_t i = 0; i < shape.rank; ++i) tensor.dims[i] = shape.dims[i];
    tensor.data = static_cast<float*>(bytes(tensor.size() * sizeof(float)));
  }

  /// Whether there was memory for all tensors.
  bool enough() const { return enough_; }

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
  bool enough_ = true;
  uint32_t count_ = 0;
  void* blocks_[kMost] = {};
};

}  // namespace opkg

#endif  // OPKG_BETWEEN_H_
