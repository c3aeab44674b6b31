// Prelu: one slope a channel, the channel being the last dimension.
#include "nn_activations/prelu.h"

namespace nn_activations {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t channels = op.alpha.size();
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float x = op.x.load(i);
    op.y.store(i, x > 0.0f ? x : op.alpha.load(i % channels) * x);
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status prelu_f32(const PreluArgsF32& op) { return compute(op); }
opkg::Status prelu_u8(const PreluArgsU8& op) { return compute(op); }
opkg::Status prelu_s8(const PreluArgsS8& op) { return compute(op); }

}  // namespace nn_activations
