// Split: two outputs, each a part of the last dimension.
#include "nn_layout/split.h"

namespace nn_layout {
namespace {

template <typename Args>
opkg::Status move(const Args& op) {
  const size_t channels = op.x.dim(-1);
  const size_t left = op.first.dim(-1);
  const size_t right = op.second.dim(-1);
  if (left + right != channels) return opkg::Status::error;
  for (size_t row = 0; row < op.x.size() / channels; ++row) {
    const auto* from = &op.x[row * channels];
    for (size_t i = 0; i < left; ++i) op.first[row * left + i] = from[i];
    for (size_t i = 0; i < right; ++i) op.second[row * right + i] = from[left + i];
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status split_u8(const SplitArgsU8& op) { return move(op); }
opkg::Status split_f32(const SplitArgsF32& op) { return move(op); }

}  // namespace nn_layout
