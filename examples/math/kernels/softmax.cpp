// Softmax along the last dimension, one row after the other; the largest element is taken out first.
#include "nn_math/softmax.h"

namespace nn_math {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t length = op.x.dim(-1);
  const size_t count = op.x.size();
  for (size_t row = 0; row < count; row += length) {
    float largest = op.x.load(row);
    for (size_t i = 1; i < length; ++i) largest = std::fmax(largest, op.x.load(row + i));
    float sum = 0.0f;
    for (size_t i = 0; i < length; ++i) sum += std::exp(op.beta * (op.x.load(row + i) - largest));
    for (size_t i = 0; i < length; ++i) {
      op.y.store(row + i, std::exp(op.beta * (op.x.load(row + i) - largest)) / sum);
    }
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status softmax_f32(const SoftmaxArgsF32& op) { return compute(op); }
opkg::Status softmax_u8(const SoftmaxArgsU8& op) { return compute(op); }
opkg::Status softmax_u16(const SoftmaxArgsU16& op) { return compute(op); }

}  // namespace nn_math
