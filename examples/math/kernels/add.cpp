// Add: stored numbers for int32 and equal shapes, real values with broadcasting for the rest.
#include "nn_math/add.h"

namespace nn_math {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t count = op.y.size();
  if (op.a.size() == count && op.b.size() == count) {
    for (size_t i = 0; i < count; ++i) op.y.store(i, op.a.load(i) + op.b.load(i));
    return opkg::Status::ok;
  }
  for (size_t i = 0; i < count; ++i) {
    const float a = op.a.load(opkg::broadcast_index(op.a, op.y, i));
    const float b = op.b.load(opkg::broadcast_index(op.b, op.y, i));
    op.y.store(i, a + b);
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status add_f32(const AddArgsF32& op) { return compute(op); }
opkg::Status add_u8(const AddArgsU8& op) { return compute(op); }
opkg::Status add_u16(const AddArgsU16& op) { return compute(op); }

opkg::Status add_i32(const AddArgsI32& op) {
  for (size_t i = 0; i < op.y.size(); ++i) {
    const int64_t a = op.a[opkg::broadcast_index(op.a, op.y, i)];
    const int64_t b = op.b[opkg::broadcast_index(op.b, op.y, i)];
    op.y[i] = static_cast<int32_t>(a + b);  // wraps, as two's complement does
  }
  return opkg::Status::ok;
}

}  // namespace nn_math
