// ReluMinMax: clips to two params.
#include "nn_activations/relu_min_max.h"

namespace nn_activations {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float x = op.x.load(i);
    const float low = x < op.min_value ? op.min_value : x;
    op.y.store(i, low > op.max_value ? op.max_value : low);
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status relu_min_max_f32(const ReluMinMaxArgsF32& op) { return compute(op); }
opkg::Status relu_min_max_u8(const ReluMinMaxArgsU8& op) { return compute(op); }
opkg::Status relu_min_max_u16(const ReluMinMaxArgsU16& op) { return compute(op); }

}  // namespace nn_activations
