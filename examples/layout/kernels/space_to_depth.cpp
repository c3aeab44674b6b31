// SpaceToDepth: one run of C elements after the other.
#include "nn_layout/space_to_depth.h"

namespace nn_layout {
namespace {

template <typename Args>
opkg::Status move(const Args& op) {
  const size_t height = op.x.dim(1), width = op.x.dim(2), depth = op.x.dim(3);
  const size_t rows = op.block[0], columns = op.block[1];
  auto* to = op.y.data;
  for (size_t b = 0; b < op.x.dim(0); ++b) {
    for (size_t h = 0; h < height; h += rows) {
      for (size_t w = 0; w < width; w += columns) {
        for (size_t cell = 0; cell < rows * columns; ++cell) {
          const size_t row = h + cell / columns, column = w + cell % columns;
          const auto* from = &op.x[((b * height + row) * width + column) * depth];
          for (size_t d = 0; d < depth; ++d) *to++ = from[d];
        }
      }
    }
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status space_to_depth_u8(const SpaceToDepthArgsU8& op) { return move(op); }
opkg::Status space_to_depth_f32(const SpaceToDepthArgsF32& op) { return move(op); }
opkg::Status space_to_depth_u16(const SpaceToDepthArgsU16& op) { return move(op); }

}  // namespace nn_layout
