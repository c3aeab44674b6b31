// The table of layout descriptors, and mixed-radix addressing by them.
// SPDX-License-Identifier: Apache-2.0
#include "qhpi_layout.h"

#include <cstring>

#include "qhpi_types.h"

namespace opkg {
namespace {

struct Row {
  const char* name;
  QHPI_ChunkedMemoryLayout descriptor;
};

// Slowest entry first; chunk 0 is the rest of the dimension.
const Row kRows[] = {
    {"any", {0, 0, {}}},
    {"shape only", {0, 0, {}}},
    {"Flat4", {4, 4, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}}},
    {"Flat5", {5, 5, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}}}},
    {"Flat6", {6, 6, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}}}},
    {"singular", {0, 0, {}}},
    {"NCHW", {4, 4, {{0, 0}, {3, 0}, {2, 0}, {1, 0}}}},
    {"Depth32", {4, 6, {{0, 0}, {1, 0}, {3, 0}, {2, 0}, {2, 4}, {3, 32}}}},
    {"Weights8x4", {4, 9, {{0, 0}, {1, 0}, {3, 0}, {2, 0}, {0, 8}, {1, 4}, {2, 16}, {3, 32}, {2, 2}}}},
    {"Crouton8", {4, 7, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 8}, {2, 8}, {3, 32}}}},
    {"Crouton16", {4, 8, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 8}, {2, 2}, {3, 32}, {2, 2}}}},
    {"Crouton32", {4, 7, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 8}, {2, 2}, {3, 32}}}},
    {"Crouton4x1", {4, 8, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 8}, {2, 2}, {3, 32}, {2, 4}}}},
    {"Crouton2x2", {4, 9, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 4}, {2, 4}, {3, 32}, {1, 2}, {2, 2}}}},
    {"WideCrouton8", {4, 7, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 2}, {2, 32}, {3, 32}}}},
    {"WideCrouton32", {4, 7, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 2}, {2, 8}, {3, 32}}}},
    {"WideCrouton2x2", {4, 8, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {2, 16}, {3, 32}, {1, 2}, {2, 2}}}},
};
constexpr uint32_t kRowCount = sizeof kRows / sizeof kRows[0];

}  // namespace

const QHPI_ChunkedMemoryLayout* layoutDescriptor(uint32_t layout) {
  if (layout >= kRowCount || kRows[layout].descriptor.rank == 0) return nullptr;
  return &kRows[layout].descriptor;
}

const char* layoutName(uint32_t layout) { return layout < kRowCount ? kRows[layout].name : "no layout"; }

bool isFlat(uint32_t layout) { return layout >= QHPI_Layout_Flat4 && layout <= QHPI_Layout_Flat6; }

bool isCrouton(uint32_t layout) {
  return layout == QHPI_Layout_Crouton_8 || layout == QHPI_Layout_Crouton_16 ||
         layout == QHPI_Layout_Crouton_32;
}

Placement::Placement(uint32_t layout, const QHPI_Shape& shape) : shape_(shape), padded_(shape) {
  const QHPI_ChunkedMemoryLayout* known = layoutDescriptor(layout);
  const QHPI_ChunkedMemoryLayout& descriptor =
      known != nullptr ? *known : *layoutDescriptor(QHPI_Layout_Flat4);
  uint32_t chunk_product[QHPI_MAX_RANK], outermost_chunk[QHPI_MAX_RANK];
  for (uint32_t d = 0; d < QHPI_MAX_RANK; ++d) chunk_product[d] = outermost_chunk[d] = 1;
  for (uint32_t i = 0; i < descriptor.dim_info_size; ++i) {
    const QHPI_DimInfo& entry = descriptor.dim_info[i];
    if (entry.chunk == 0) continue;
    if (chunk_product[entry.dim] == 1) outermost_chunk[entry.dim] = entry.chunk;
    chunk_product[entry.dim] *= entry.chunk;
  }
  bool chunked = false;
  for (uint32_t d = 0; d < shape.rank; ++d) {
    const uint32_t chunk = chunk_product[d];
    padded_.dims[d] = (shape.dims[d] + chunk - 1) / chunk * chunk;
    chunked = chunked || chunk > 1;
  }
  if (chunked) block_.rank = shape.rank;
  for (uint32_t d = 0; d < block_.rank; ++d) block_.dims[d] = outermost_chunk[d];

  digit_count_ = descriptor.dim_info_size;
  size_t stride = 1;
  for (uint32_t i = digit_count_; i-- > 0;) {
    const QHPI_DimInfo& entry = descriptor.dim_info[i];
    uint32_t divisor = 1;  // the faster entries of the same dimension
    for (uint32_t k = i + 1; k < digit_count_; ++k) {
      if (descriptor.dim_info[k].dim == entry.dim) divisor *= descriptor.dim_info[k].chunk;
    }
    const uint32_t extent = entry.chunk != 0 ? entry.chunk : padded_.dims[entry.dim] / divisor;
    digits_[i] = {entry.dim, divisor, extent, stride};
    stride *= extent;
    if (entry.chunk != 0) block_elements_ *= extent;
    if (entry.chunk == 0 && chunked) blocks_ *= extent;
  }
  if (!chunked) block_elements_ = stride;
}

size_t Placement::position(const uint32_t* index) const {
  size_t at = 0;
  for (uint32_t i = 0; i < digit_count_; ++i) {
    const Digit& digit = digits_[i];
    at += (index[digit.dim] / digit.divisor % digit.extent) * digit.stride;
  }
  return at;
}

template <typename Copy>
void Placement::forEach(Copy copy) const {
  uint32_t index[QHPI_MAX_RANK] = {};
  const uint64_t elements = shapeElements(shape_);
  for (uint64_t i = 0; i < elements; ++i) {
    const size_t at = position(index);
    copy(i, at / block_elements_, at % block_elements_);
    for (uint32_t d = shape_.rank; d-- > 0;) {
      if (++index[d] < shape_.dims[d]) break;
      index[d] = 0;
    }
  }
}

void Placement::scatter(const uint8_t* dense, size_t size, uint8_t* const* blocks) const {
  if (block_.rank == 0) {
    memcpy(blocks[0], dense, shapeElements(shape_) * size);
    return;
  }
  forEach([&](uint64_t i, size_t block, size_t at) {
    memcpy(blocks[block] + at * size, dense + i * size, size);
  });
}

void Placement::gather(uint8_t* dense, size_t size, uint8_t* const* blocks) const {
  if (block_.rank == 0) {
    memcpy(dense, blocks[0], shapeElements(shape_) * size);
    return;
  }
  forEach([&](uint64_t i, size_t block, size_t at) {
    memcpy(dense + i * size, blocks[block] + at * size, size);
  });
}

}  // namespace opkg
