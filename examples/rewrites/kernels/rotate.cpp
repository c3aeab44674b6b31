// Rotate: channel c goes to c + steps, the last ones to the front.
#include "nn_rewrites/rotate.h"

namespace nn_rewrites {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t channels = op.x.dims[op.x.rank - 1];
  const size_t steps = static_cast<size_t>(op.steps);
  for (size_t i = 0; i < op.x.size(); ++i) {
    const size_t channel = i % channels;
    op.y.data[i - channel + (channel + steps) % channels] = op.x.data[i];
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status rotate_f32(const RotateArgsF32& op) { return compute(op); }
opkg::Status rotate_u8(const RotateArgsU8& op) { return compute(op); }

}  // namespace nn_rewrites
