// AddRelu: the sum of two tensors, cut off below 0.
#include "nn_rewrites/add_relu.h"

namespace nn_rewrites {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float sum = op.a.load(i) + op.b.load(i);
    op.y.store(i, sum > 0.0f ? sum : 0.0f);
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status add_relu_f32(const AddReluArgsF32& op) { return compute(op); }
opkg::Status add_relu_u8(const AddReluArgsU8& op) { return compute(op); }

}  // namespace nn_rewrites
