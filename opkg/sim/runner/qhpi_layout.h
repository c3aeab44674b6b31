// Memory layouts: descriptors, padding, blocks, and copies between dense bytes and a layout's blocks.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_QHPI_LAYOUT_H_
#define OPKG_RUNNER_QHPI_LAYOUT_H_

#include <cstddef>

#include "opkg/qhpi_abi.h"

namespace opkg {

// The descriptor of a standard layout; nullptr for any, shape only, singular and unknown numbers.
const QHPI_ChunkedMemoryLayout* layoutDescriptor(uint32_t layout);
const char* layoutName(uint32_t layout);
bool isFlat(uint32_t layout);
bool isCrouton(uint32_t layout);

// A layout applied to a shape.
class Placement {
 public:
  Placement(uint32_t layout, const QHPI_Shape& shape);

  const QHPI_Shape& paddedShape() const { return padded_; }
  // What the runtime reports: the outermost chunk of each dimension (8x2x32 for a 16-bit crouton, whose width
  // has a second chunk of 2 inside); rank 0 for flat layouts.
  const QHPI_Shape& blockShape() const { return block_; }
  size_t blocks() const { return blocks_; }
  size_t blockElements() const { return block_elements_; }

  // Copies every element of `shape` between dense row-major bytes and the blocks.
  void scatter(const uint8_t* dense, size_t element_size, uint8_t* const* blocks) const;
  void gather(uint8_t* dense, size_t element_size, uint8_t* const* blocks) const;

 private:
  size_t position(const uint32_t* index) const;  // block * blockElements() + offset in the block
  template <typename Copy>
  void forEach(Copy copy) const;

  QHPI_Shape shape_, padded_ = {}, block_ = {};
  size_t blocks_ = 1, block_elements_ = 1;
  // Mixed radix: for each descriptor entry, index[dim] / divisor % extent, times stride, summed.
  struct Digit {
    uint32_t dim, divisor, extent;
    size_t stride;
  };
  Digit digits_[QHPI_MAX_MEMORY_DIM_INFO_SIZE] = {};
  uint32_t digit_count_ = 0;
};

}  // namespace opkg

#endif  // OPKG_RUNNER_QHPI_LAYOUT_H_
