// Operands of elementwise kernels: any tensor as bytes with dimensions, and the loops that its broadcasting leaves.
#ifndef OPKG_ROWS_OPERAND_H_
#define OPKG_ROWS_OPERAND_H_

#include "opkg/kernel.h"
#include "opkg/small.h"

namespace opkg {

/// A tensor without its element type. Flat: `data`. Crouton: `blocks`, with `padded` extents.
struct Operand {
  uint8_t* data = nullptr;
  void* const* blocks = nullptr;
  uint32_t num_blocks = 0;
  uint32_t bytes = 1;  ///< of an element
  uint32_t rank = 0;
  uint32_t dims[kMaxRank] = {};
  uint32_t padded[4] = {};
  bool in_ddr = false;
  bool is_number = false;  ///< that stands for an absent tensor: kept operands have its place, not a handle

  bool crouton() const { return blocks != nullptr; }

  /// Extent of the dimension `from_end` before the last one; 1 for those that are not there.
  uint32_t extent(uint32_t from_end) const { return from_end < rank ? dims[rank - 1 - from_end] : 1; }

  OPKG_SMALL size_t size() const {
    size_t product = 1;
    for (uint32_t i = 0; i < rank; ++i) product *= dims[i];
    return product;
  }
};

/// Makes of a flat operand of up to four dimensions one in blocks, with the handle of the table in place of that of the data.
OPKG_SMALL inline void lay_in_blocks(Operand& o) {
  const uint32_t last[4] = {0, 7, 8 / o.bytes - 1, 31};  // of a block: its extents less 1
  o.blocks = reinterpret_cast<void* const*>(o.data);
  o.data = nullptr;
  o.num_blocks = 1;
  for (uint32_t i = 4; i-- > 0;) {
    o.dims[i] = i + o.rank >= 4 ? o.dims[i + o.rank - 4] : 1;
    o.padded[i] = (o.dims[i] + last[i]) & ~last[i];
    o.num_blocks *= o.padded[i] >> __builtin_popcount(last[i]);
  }
  o.rank = 4;
}

OPKG_RARE inline Operand operand(const AnyTensor& tensor, const void* data, uint32_t bytes) {
  Operand o;
  o.data = static_cast<uint8_t*>(const_cast<void*>(data));
  o.bytes = bytes;
  o.in_ddr = tensor.in_ddr && !tensor.in_blocks;
  o.is_number = tensor.is_number;
  o.rank = tensor.rank;
  for (uint32_t i = 0; i < tensor.rank; ++i) o.dims[i] = tensor.dims[i];
  if (tensor.in_blocks) lay_in_blocks(o);
  return o;
}
template <typename T>
OPKG_SMALL inline Operand operand(const Tensor<T>& tensor) {
  return operand(tensor, tensor.data, sizeof(T));
}

template <typename T>
inline Operand operand(const Crouton<T>& tensor) {
  Operand o;
  // The table holds object pointers; only their value is used.
  o.blocks = reinterpret_cast<void* const*>(const_cast<std::remove_const_t<T>* const*>(tensor.blocks));
  o.num_blocks = tensor.num_blocks;
  o.bytes = sizeof(T);
  o.rank = 4;
  for (uint32_t i = 0; i < 4; ++i) o.dims[i] = tensor.dims[i], o.padded[i] = tensor.padded[i];
  return o;
}

namespace rowwise {

/// The output's dimensions with neighbours merged wherever every input goes on alike. Extents of 1 are gone.
template <uint32_t kInputs>
struct Domain {
  static constexpr uint32_t kSlots = kInputs != 0 ? kInputs : 1;

  uint32_t rank = 0;
  size_t size = 1;
  size_t extents[kMaxRank] = {};
  uint32_t broadcast[kMaxRank] = {};      ///< bit i: input i has one element along this dimension
  size_t strides[kSlots][kMaxRank] = {};  ///< elements; 0 where broadcast

  /// False when an input does not broadcast to the output's shape.
  OPKG_SMALL bool set(const Operand* inputs, const Operand& output) {
    for (uint32_t i = 0; i < kInputs; ++i) {
      for (uint32_t k = output.rank; k < inputs[i].rank; ++k) {
        if (inputs[i].extent(k) != 1) return false;
      }
    }
    for (uint32_t k = output.rank; k-- > 0;) {  // from the outermost
      const uint32_t extent = output.extent(k);
      uint32_t mask = 0;
      for (uint32_t i = 0; i < kInputs; ++i) {
        const uint32_t own = inputs[i].extent(k);
        if (own != extent && own != 1) return false;
        if (own != extent) mask |= 1u << i;
      }
      add(extent, mask);
    }
    if (rank == 0) extents[rank++] = 1;
    for (uint32_t i = 0; i < kInputs; ++i) set_strides(i);
    return true;
  }

 private:
  void add(uint32_t extent, uint32_t mask) {
    size *= extent;
    if (extent == 1) return;
    if (rank != 0 && broadcast[rank - 1] == mask) {
      extents[rank - 1] *= extent;
      return;
    }
    extents[rank] = extent;
    broadcast[rank++] = mask;
  }

  void set_strides(uint32_t input) {
    size_t stride = 1;
    for (uint32_t k = rank; k-- > 0;) {
      if ((broadcast[k] >> input & 1) != 0) continue;
      strides[input][k] = stride;
      stride *= extents[k];
    }
  }
};

/// A place among the dimensions [first, last) of a domain, with every input's offset (in elements) there.
template <uint32_t kInputs>
class Place {
 public:
  OPKG_RARE Place(const Domain<kInputs>& domain, uint32_t first, uint32_t last, size_t index)
      : domain_(domain), first_(first), last_(last) {
    for (uint32_t k = last; k-- > first;) {
      at_[k] = index % domain.extents[k];
      index /= domain.extents[k];
      for (uint32_t i = 0; i < kInputs; ++i) offsets_[i] += at_[k] * domain.strides[i][k];
    }
  }

  size_t offset(uint32_t input) const { return offsets_[input]; }
  size_t coordinate(uint32_t dim) const { return at_[dim]; }

  void next() {
    for (uint32_t k = last_; k-- > first_;) {
      for (uint32_t i = 0; i < kInputs; ++i) offsets_[i] += domain_.strides[i][k];
      if (++at_[k] < domain_.extents[k]) return;
      for (uint32_t i = 0; i < kInputs; ++i) offsets_[i] -= domain_.strides[i][k] * domain_.extents[k];
      at_[k] = 0;
    }
  }

 private:
  const Domain<kInputs>& domain_;
  uint32_t first_;
  uint32_t last_;
  size_t at_[kMaxRank] = {};
  size_t offsets_[Domain<kInputs>::kSlots] = {};
};

}  // namespace rowwise
}  // namespace opkg

#endif  // OPKG_ROWS_OPERAND_H_
