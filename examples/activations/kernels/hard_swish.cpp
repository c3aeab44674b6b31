// HardSwish: flat kernels element by element, and an 8-bit one that works in crouton blocks through a table.
#include "nn_activations/hard_swish.h"

namespace nn_activations {
namespace {

float hard_swish(float x) {
  const float gate = x + 3.0f;
  return x * (gate < 0.0f ? 0.0f : gate > 6.0f ? 6.0f : gate) / 6.0f;
}

template <typename Args>
opkg::Status compute(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y.store(i, hard_swish(op.x.load(i)));
  return opkg::Status::ok;
}

}  // namespace

opkg::Status hard_swish_f32(const HardSwishArgsF32& op) { return compute(op); }
opkg::Status hard_swish_f16(const HardSwishArgsF16& op) { return compute(op); }
opkg::Status hard_swish_u16(const HardSwishArgsU16& op) { return compute(op); }

/// Any function of one 8-bit operand is a table of 256 results. The padding of a block is computed along: nobody reads it.
opkg::Status hard_swish_u8_crouton(const HardSwishArgsU8Crouton& op) {
  uint8_t table[256];
  for (int q = 0; q < 256; ++q) {
    const float x = opkg::dequantize(static_cast<uint8_t>(q), op.x.scale, op.x.zero);
    table[q] = opkg::quantize<uint8_t>(hard_swish(x), op.y.scale, op.y.zero);
  }
  for (uint32_t block = 0; block < op.y.num_blocks; ++block) {
    const uint8_t* x = op.x.blocks[block];
    uint8_t* y = op.y.blocks[block];
    for (uint32_t i = 0; i < op.x.kBlockSize; ++i) y[i] = table[x[i]];
  }
  return opkg::Status::ok;
}

}  // namespace nn_activations
