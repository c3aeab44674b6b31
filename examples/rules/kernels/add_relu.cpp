// AddRelu: max(a + b, 0), element by element, on real values.
#include <algorithm>

#include "nn_fused/add_relu.h"

namespace nn_fused {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y.store(i, std::max(op.a.load(i) + op.b.load(i), 0.0f));
  return opkg::Status::ok;
}

}  // namespace

opkg::Status add_relu_f32(const AddReluArgsF32& op) { return compute(op); }
opkg::Status add_relu_u8(const AddReluArgsU8& op) { return compute(op); }

}  // namespace nn_fused
