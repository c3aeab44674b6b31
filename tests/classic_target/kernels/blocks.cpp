// Blocks: -x or -2x, element by element in crouton blocks.
#include "odd_ops/blocks.h"

namespace odd_ops {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  const float factor = op.twice ? -2.0f : -1.0f;
  for (uint32_t b = 0; b < op.x.dim(0); ++b) {
    for (uint32_t h = 0; h < op.x.dim(1); ++h) {
      for (uint32_t w = 0; w < op.x.dim(2); ++w) {
        for (uint32_t d = 0; d < op.x.dim(3); ++d) op.y.store(b, h, w, d, op.x.load(b, h, w, d) * factor);
      }
    }
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status blocks_u8_crouton(const BlocksArgsU8Crouton& op) { return compute(op); }
opkg::Status blocks_s8_crouton(const BlocksArgsS8Crouton& op) { return compute(op); }
opkg::Status blocks_u16_crouton(const BlocksArgsU16Crouton& op) { return compute(op); }
opkg::Status blocks_f16_crouton(const BlocksArgsF16Crouton& op) { return compute(op); }

}  // namespace odd_ops
