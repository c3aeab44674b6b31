// Inputs that are broadcast along any dimensions, as blocks of the output would have them.
#ifndef OPKG_ROWS_SPREAD_H_
#define OPKG_ROWS_SPREAD_H_

#include "opkg/hvx_channels.h"
#include "opkg/rows_plan.h"

namespace opkg::rowwise {

constexpr uint32_t kBlockHeight = 8, kBlockDepth = 32;

/// Address of an element by its coordinates (batch, height, width, depth); those of broadcast dimensions are not looked at.
OPKG_SMALL inline uint8_t* element(const Operand& o, const uint32_t* at) {
  uint32_t own[4];
  for (uint32_t k = 0; k < 4; ++k) own[k] = o.extent(3 - k) == 1 ? 0 : at[k];
  if (!o.crouton()) {
    size_t index = 0;
    for (uint32_t k = 0; k < 4; ++k) index = index * o.extent(3 - k) + own[k];
    return o.data + index * o.bytes;
  }
  const uint32_t width = 8 / o.bytes;
  size_t block = own[0] * (o.padded[1] / kBlockHeight) + own[1] / kBlockHeight;
  block = block * (o.padded[2] / width) + own[2] / width;
  block = block * (o.padded[3] / kBlockDepth) + own[3] / kBlockDepth;
  const uint32_t h = own[1] % kBlockHeight, w = own[2] % width, d = own[3] % kBlockDepth;
  const uint32_t inside =
      o.bytes == 2 ? ((h * 2 + w / 2) * kBlockDepth + d) * 2 + w % 2 : (h * width + w) * kBlockDepth + d;
  return static_cast<uint8_t*>(o.blocks[block]) + inside * o.bytes;
}

/// The elements of an input in one block of the output. What lies beyond the input repeats its last ones.
class Spread {
 public:
  /// `at`: coordinates of the block's first element.
  OPKG_SMALL Spread(const Operand& input, const uint32_t* at)
      : from_(element(input, at)), bytes_(input.bytes), in_block_(input.crouton()), rows_(there(input, 2, at[1], kBlockHeight)), columns_(there(input, 1, at[2], 8 / bytes_)), depths_(there(input, 0, at[3], kBlockDepth)) {
    row_ = in_block_ ? 2 * kAlignment : size_t{input.extent(1)} * input.extent(0) * bytes_;
    column_ = in_block_ ? kBlockDepth * bytes_ : input.extent(0) * bytes_;
#if OPKG_HVX
    if (bytes_ != 1) return;
    const HVX_VectorPred half = Q6_Q_vsetq_R(64);
    const HVX_VectorPred odd = Q6_Q_or_QQn(Q6_Q_xor_QQ(Q6_Q_vsetq_R(32), half), Q6_Q_vsetq_R(96));
    const HVX_Vector column = Q6_V_vor_VV(Q6_V_vand_QnR(half, 0x02020202), Q6_V_vand_QR(odd, 0x01010101));
    control_ = Q6_V_vxor_VV(Q6_V_vsplat_R(0x03020100), column);
#endif
  }

  /// Two lines are a row of a block.
  OPKG_RARE void fill(uint8_t* to) const {
    if (depths_ == 1) return repeated(to);
    const uint32_t step = 4 / bytes_;  // columns of a line
    for (uint32_t h = 0; h < kBlockHeight; ++h, to += 2 * kAlignment) {
      if (h >= rows_) {
        copy_over(to, to - 2 * kAlignment, 2 * kAlignment);
        continue;
      }
      line(to, h, 0);
      if (step < columns_) {
        line(to + kAlignment, h, step);
      } else {
        copy_over(to + kAlignment, to, kAlignment);
      }
    }
  }

 private:
  OPKG_SMALL static uint32_t there(const Operand& o, uint32_t dim, uint32_t at, uint32_t most) {
    const uint32_t left = o.extent(dim) == 1 ? 1 : o.extent(dim) - at;
    return left < most ? left : most;
  }

  const uint8_t* pixel(uint32_t h, uint32_t w) const {
    if (w >= columns_) w = columns_ - 1;
    return from_ + h * row_ + (in_block_ && bytes_ == 2 ? w / 2 * kAlignment + w % 2 * 2 : w * column_);
  }

  /// The columns from `w` on.
  OPKG_SMALL void line(uint8_t* to, uint32_t h, uint32_t w) const {
    if (in_block_ && columns_ != 1) return copy_over(to, pixel(h, w), kAlignment);
#if OPKG_HVX
    if (columns_ == 1) {
      const void* const blocks[1] = {pixel(h, w)};
      const void* places[1];
      return hvx::put_channels(to, places, pixel(h, w), in_block_ ? blocks : nullptr, depths_ * bytes_, 1, {kBlockDepth * bytes_, 1, bytes_ == 2});
    }
#endif
    const uint32_t pairs = bytes_ == 2 ? 2 : 1, apart = (in_block_ ? pairs : 1) * bytes_;
    for (uint32_t column = 0; column < 4 / bytes_; ++column) {
      const uint8_t* from = pixel(h, w + column);
      uint8_t* into = to + column * (pairs == 2 ? 2 : kBlockDepth * bytes_);
      for (uint32_t d = 0; d < kBlockDepth; ++d, into += pairs * bytes_) {
        for (uint32_t byte = 0; byte < bytes_; ++byte) into[byte] = from[byte];
        if (d + 1 < depths_) from += apart;
      }
    }
  }

  /// One number for all channels of each pixel.
  inline __attribute__((noinline)) void repeated(uint8_t* to) const {
    uint32_t places[8];  // of the bytes of a row's columns, one column after another
    OPKG_UNROLL(1)
    for (uint32_t byte = 0; byte < 8; ++byte) places[byte] = static_cast<uint32_t>(pixel(0, byte / bytes_) - from_) + byte % bytes_;
    const uint8_t* from = from_;
    OPKG_UNROLL(1)
    for (uint32_t h = 0; h < kBlockHeight; ++h, to += 2 * kAlignment) {
      put(to, from, places);
      put(to + kAlignment, from, places + 4);
      if (h + 1 < rows_) from += row_;
    }
  }

  __attribute__((always_inline)) void put(uint8_t* to, const uint8_t* from, const uint32_t* places) const {
    const uint32_t low = from[places[0]] | from[places[1]] << 8, high = from[places[2]] | from[places[3]] << 8;
    const uint32_t word = low | high << 16;
#if OPKG_HVX
    hvx::store(to, Q6_V_vdelta_VV(Q6_V_vsplat_R(static_cast<int32_t>(word)), control_));
#else
    for (uint32_t i = 0; i < kAlignment; ++i) to[i] = static_cast<uint8_t>(word >> (bytes_ == 1 ? i / kBlockDepth : i % 4) * 8);
#endif
  }

  const uint8_t* from_;
  uint32_t bytes_;
  bool in_block_;
  uint32_t rows_, columns_, depths_;  ///< that are there
  size_t row_, column_;               ///< bytes from one to the next
#if OPKG_HVX
  HVX_Vector control_ = Q6_V_vzero();  ///< of vdelta: of a word again and again, each byte 32 times
#endif
};

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_SPREAD_H_
