// Scale: x * factor + shift, where either may be absent.
#include "odd_ops/scale.h"

namespace odd_ops {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t channels = op.x.dim(-1);
  for (size_t i = 0; i < op.y.size(); ++i) {
    double y = op.x.load(i);
    if (op.factor) y *= op.factor.load(i % channels);
    if (op.shift) y += op.shift.load(i % channels);
    op.y.store(i, static_cast<float>(op.mode == Args::ModeValue::negated ? -y : y));
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status scale_f32(const ScaleArgsF32& op) { return compute(op); }
opkg::Status scale_s16(const ScaleArgsS16& op) { return compute(op); }

}  // namespace odd_ops
