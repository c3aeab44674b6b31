// Greater: a boolean output, one byte an element.
#include "nn_math/greater.h"

namespace nn_math {
namespace {

/// A real value without rounding: two quantized tensors may mean the same number by different steps.
template <typename T>
double exact(const opkg::Tensor<const T>& x, size_t index) {
  return (static_cast<double>(x[index]) - x.zero) * x.scale;
}

template <typename Args>
opkg::Status compute(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) {
    const double a = exact(op.a, opkg::broadcast_index(op.a, op.y, i));
    const double b = exact(op.b, opkg::broadcast_index(op.b, op.y, i));
    op.y[i] = a > b ? 1 : 0;
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status greater_f32(const GreaterArgsF32& op) { return compute(op); }
opkg::Status greater_u8(const GreaterArgsU8& op) { return compute(op); }
opkg::Status greater_i32(const GreaterArgsI32& op) { return compute(op); }

}  // namespace nn_math
