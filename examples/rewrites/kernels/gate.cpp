// Gate: x * sigmoid(x).
#include "nn_rewrites/gate.h"

#include <cmath>

namespace nn_rewrites {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float x = op.x.load(i);
    op.y.store(i, x / (1.0f + std::exp(-x)));
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status gate_f32(const GateArgsF32& op) { return compute(op); }
opkg::Status gate_u8(const GateArgsU8& op) { return compute(op); }

}  // namespace nn_rewrites
