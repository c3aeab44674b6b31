// Where an element is: flat tensors row by row, croutons in 2048-byte blocks reached through a block table.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_LAYOUT_H_
#define OPKG_HTP_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#ifdef OPKG_SIM_CHECK_INDEX
#include <stdexcept>
#include <string>
#endif

#include "classic_abi.h"

namespace opkg_sim {

inline constexpr size_t kCroutonBytes = 2048;
inline constexpr size_t kCroutonHeight = 8;
inline constexpr size_t kCroutonDepth = 32;

// Width of a block: 8, 4 and 2 elements of 1, 2 and 4 bytes. 16-bit croutons interleave pairs of width
// neighbours.
constexpr size_t crouton_width(size_t element_bytes) { return 8 / element_bytes; }

struct Place {
  size_t block;   // index into the block table; 0 for flat
  size_t offset;  // in elements, within the block or the whole flat tensor
};

constexpr size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }

constexpr size_t flat_offset(const uint64_t* dims, size_t b, size_t h, size_t w, size_t d) {
  return ((b * dims[1] + h) * dims[2] + w) * dims[3] + d;
}

constexpr Place crouton_place(size_t bytes, const uint64_t* dims, size_t b, size_t h, size_t w, size_t d) {
  const size_t width = crouton_width(bytes);
  const size_t rows = ceil_div(dims[1], kCroutonHeight), columns = ceil_div(dims[2], width);
  const size_t slabs = ceil_div(dims[3], kCroutonDepth);
  const size_t block = ((b * rows + h / kCroutonHeight) * columns + w / width) * slabs + d / kCroutonDepth;
  const size_t row = h % kCroutonHeight, column = w % width, lane = d % kCroutonDepth;
  if (bytes == 2) return {block, ((row * (width / 2) + column / 2) * kCroutonDepth + lane) * 2 + column % 2};
  return {block, (row * width + column) * kCroutonDepth + lane};
}

constexpr size_t crouton_blocks(size_t bytes, const uint64_t* dims) {
  return dims[0] * ceil_div(dims[1], kCroutonHeight) * ceil_div(dims[2], crouton_width(bytes)) *
         ceil_div(dims[3], kCroutonDepth);
}

// Elements of storage that a tensor of these dims takes.
constexpr size_t storage_elements(uint32_t layout, size_t bytes, const uint64_t* dims) {
  if (layout == kOpkgCrouton) return crouton_blocks(bytes, dims) * (kCroutonBytes / bytes);
  return dims[0] * dims[1] * dims[2] * dims[3];
}

// With -DOPKG_SIM_CHECK_INDEX, access beyond a dimension throws, which the runner reports. The real headers
// never check.
inline void check_index([[maybe_unused]] const OpkgTensor& t, [[maybe_unused]] const size_t* at) {
#ifdef OPKG_SIM_CHECK_INDEX
  for (uint32_t i = 0; i < kOpkgRank; i++) {
    if (at[i] < t.dims[i]) continue;
    throw std::out_of_range("index " + std::to_string(at[i]) + " in dimension " + std::to_string(i) +
                            " of a tensor with " + std::to_string(t.dims[i]));
  }
#endif
}

// Address of an element, for either layout.
inline char* element_address(const OpkgTensor& t, size_t bytes, size_t b, size_t h, size_t w, size_t d) {
  if (t.layout == kOpkgFlat) return static_cast<char*>(t.data) + flat_offset(t.dims, b, h, w, d) * bytes;
  const Place place = crouton_place(bytes, t.dims, b, h, w, d);
  return static_cast<char*>(t.blocks[place.block]) + place.offset * bytes;
}

}  // namespace opkg_sim

#endif  // OPKG_HTP_LAYOUT_H_
