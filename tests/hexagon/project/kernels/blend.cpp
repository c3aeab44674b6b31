// Blend in every layout: flat tensors by slices of elements, blocks by slices of blocks.
#include "mixed_bag/blend.h"

#include <algorithm>
#include <limits>

namespace mixed_bag {
namespace {

template <typename Args>
float blended(const Args& op, float x) {
  const float y = x * op.gain + op.table[static_cast<uint32_t>(op.mode)];
  return op.negate ? -y : y;
}

template <typename Args>
opkg::Status flat(const Args& op) {
  if (op.table.rank != 1 && op.table.rank != 4) return opkg::Status::error;
  const size_t end = op.slice.end(op.y.size(), 4);
  for (size_t i = op.slice.begin(op.y.size(), 4); i < end; ++i) op.y.store(i, blended(op, op.x.load(i)));
  return opkg::Status::ok;
}

template <typename Args, typename Function>
void each(const Args& op, Function function) {
  const uint32_t rows = op.x.dims[0] * op.x.dims[1];
  for (uint32_t row = op.slice.begin(rows, 8); row < op.slice.end(rows, 8); ++row) {
    const uint32_t b = row / op.x.dims[1], h = row % op.x.dims[1];
    for (uint32_t w = 0; w < op.x.dims[2]; ++w) {
      for (uint32_t d = 0; d < op.x.dims[3]; ++d) function(b, h, w, d);
    }
  }
}

template <typename Args>
opkg::Status blocks(const Args& op) {
  each(op, [&](uint32_t b, uint32_t h, uint32_t w, uint32_t d) { op.y.store(b, h, w, d, blended(op, op.x.load(b, h, w, d))); });
  return opkg::Status::ok;
}

int32_t shifted(int32_t x, int32_t by) {
  using Limits = std::numeric_limits<int32_t>;
  return static_cast<int32_t>(std::clamp(int64_t{x} + by, int64_t{Limits::min()}, int64_t{Limits::max()}));
}

}  // namespace

opkg::Status blend_f32(const BlendArgsF32& op) { return flat(op); }
opkg::Status blend_f16(const BlendArgsF16& op) { return flat(op); }
opkg::Status blend_u8(const BlendArgsU8& op) { return flat(op); }
opkg::Status blend_s8(const BlendArgsS8& op) { return flat(op); }
opkg::Status blend_u16(const BlendArgsU16& op) { return flat(op); }
opkg::Status blend_s16(const BlendArgsS16& op) { return flat(op); }
opkg::Status blend_i32(const BlendArgsI32& op) {
  const size_t end = op.slice.end(op.y.size());
  for (size_t i = op.slice.begin(op.y.size()); i < end; ++i) op.y[i] = shifted(op.x[i], op.shift);
  return opkg::Status::ok;
}
opkg::Status blend_u8_crouton(const BlendArgsU8Crouton& op) { return blocks(op); }
opkg::Status blend_s8_crouton(const BlendArgsS8Crouton& op) { return blocks(op); }
opkg::Status blend_f16_crouton(const BlendArgsF16Crouton& op) { return blocks(op); }
opkg::Status blend_s16_crouton(const BlendArgsS16Crouton& op) { return blocks(op); }
opkg::Status blend_i32_crouton(const BlendArgsI32Crouton& op) {
  each(op, [&](uint32_t b, uint32_t h, uint32_t w, uint32_t d) { op.y.at(b, h, w, d) = shifted(op.x.at(b, h, w, d), op.shift); });
  return opkg::Status::ok;
}

}  // namespace mixed_bag
