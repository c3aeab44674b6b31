// Relu. Where input and output share their quantization, 8-bit elements go through HVX, 128 at a time.
#include "nn_activations/relu.h"

#include <hexagon_protos.h>
#include <hexagon_types.h>

namespace nn_activations {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float x = op.x.load(i);
    op.y.store(i, x > 0.0f ? x : 0.0f);
  }
  return opkg::Status::ok;
}

/// max(x, zero) of stored numbers is max(x, 0) of real ones when both sides count in the same steps.
void relu_hvx(uint8_t* y, const uint8_t* x, size_t count, uint8_t zero) {
  const HVX_Vector floor = Q6_V_vsplat_R(0x01010101 * zero);
  size_t i = 0;
  for (; i + sizeof(HVX_Vector) <= count; i += sizeof(HVX_Vector)) {
    const HVX_Vector in = *reinterpret_cast<const HVX_UVector*>(x + i);
    *reinterpret_cast<HVX_UVector*>(y + i) = Q6_Vub_vmax_VubVub(in, floor);
  }
  for (; i < count; ++i) y[i] = x[i] > zero ? x[i] : zero;
}

}  // namespace

opkg::Status relu_f32(const ReluArgsF32& op) { return compute(op); }
opkg::Status relu_s8(const ReluArgsS8& op) { return compute(op); }
opkg::Status relu_u16(const ReluArgsU16& op) { return compute(op); }

opkg::Status relu_u8(const ReluArgsU8& op) {
  const bool same_steps = op.x.scale == op.y.scale && op.x.zero == op.y.zero;
  if (!same_steps || op.x.zero < 0 || op.x.zero > 255) return compute(op);
  relu_hvx(op.y.data, op.x.data, op.y.size(), static_cast<uint8_t>(op.x.zero));
  return opkg::Status::ok;
}

}  // namespace nn_activations
