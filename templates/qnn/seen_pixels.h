// Pixels of tensors in blocks that move: which one of an input each pixel of the result has, or none. 32 channels at a time.
#ifndef OPKG_SEEN_PIXELS_H_
#define OPKG_SEEN_PIXELS_H_

#include <initializer_list>

#include "opkg/rows_crouton.h"
#include "opkg/seen_ways.h"

namespace opkg::rowwise {

/// The pixels of a whole tensor in blocks: of each place along its dimensions a number, whose sum says block and byte of the input.
class SeenPixels {
 public:
  SeenPixels() = default;

  OPKG_SMALL SeenPixels(const SeenOperand& from, const SeenOperand& to) : bytes_(to.base.bytes) {
    const PixelWays source(from), result(to);
    fits_ = source.fits && result.fits && from.base.bytes == bytes_ && bytes_ <= 2 && from.base.rank == to.base.rank;
    if (!fits_) return;
    const uint32_t rank = to.base.rank, run = to.base.dims[rank - 1];
    uint32_t drives[3] = {4, 4, 4};  // along which dimension of the result those of the input go
    bool alone = true;               // nothing else goes along the result's depth
    size_ = 0;
    for (uint32_t c = 0; c < 4; ++c) {
      extents_[c] = c == 3 ? (to.whole[3] + kBlockDepth - 1) / kBlockDepth : to.whole[c];
      firsts_[c] = size_;
      size_ += c == 1 || c == 2 ? (extents_[c] + 7) / 8 * 8 : extents_[c];
    }
    for (uint32_t k = 0; k < rank; ++k) {
      const uint32_t c = source.along[k], own = result.along[k];
      fits_ = fits_ && from.base.dims[k] == to.base.dims[k];
      if (own == 4) fits_ = fits_ && to.base.dims[k] == 1;
      if (own == 3 && k + 1 != rank) alone = false;
      if (c > 2 || own == 4) continue;
      fits_ = fits_ && (drives[c] == 4 || drives[c] == own);
      drives[c] = own;
    }
    fits_ = fits_ && size_ <= kMost && (run % kBlockDepth == 0 || (alone && run == to.whole[3]));
    if (!fits_) return;
    for (uint32_t k = 0; k < size_; ++k) places_[k] = kNone;
    for (uint32_t c = 0; c < 4; ++c) fill(from, to, source, result, drives, c);
    for (uint32_t c = 0; c < 4; ++c) {
      uint32_t* const places = places_ + firsts_[c];
      for (uint32_t k = 0; k < extents_[c]; ++k) some_none_ |= places[k] == kNone;
      for (uint32_t k = extents_[c]; k % 8 != 0 && (c == 1 || c == 2); ++k) places[k] = places[extents_[c] - 1];
    }
    const uint32_t block[4] = {1, 8, 8 / bytes_, 1};
    for (uint32_t c = 0; c < 4; ++c) blocks_[c] = (extents_[c] + block[c] - 1) / block[c], count_ *= blocks_[c];
  }

  bool fits() const { return fits_; }
  size_t count() const { return count_; }  ///< of the result's blocks
  bool has_none() const { return some_none_; }

  /// The places of a block of the result, which go on from one to the next.
  struct Block {
    uint32_t at[4];
  };
  Block begin(size_t number) const {
    Block block;
    for (uint32_t c = 4; c-- > 0; number /= blocks_[c]) block.at[c] = static_cast<uint32_t>(number % blocks_[c]);
    return block;
  }
  void step(Block& block) const {
    for (uint32_t c = 4; c-- > 0 && ++block.at[c] == blocks_[c];) block.at[c] = 0;
  }

  /// Writes a block of the result. `none`: an aligned vector of what pixels are that the input has not.
  OPKG_RARE void write(const Block& block, uint8_t* to, void* const* table, const uint8_t* none) const {
    const Lines lines = lines_of(block);
    if (lines.nowhere) return filled(to, none);
    const bool some = some_none_ && has_none(lines);
    if (bytes_ == 2) return some ? moved<2, true>(lines, to, table, none) : moved<2, false>(lines, to, table, none);
    return some ? moved<1, true>(lines, to, table, none) : moved<1, false>(lines, to, table, none);
  }

  /// Writes only those pixels.
  OPKG_RARE void write_around(const Block& block, uint8_t* to, const uint8_t* none) const {
    const Lines lines = lines_of(block);
    if (lines.nowhere) return filled(to, none);
    if (!has_none(lines)) return;
    return bytes_ == 2 ? around<2>(lines, to, none) : around<1>(lines, to, none);
  }

 private:
  static constexpr uint32_t kMost = 512, kNone = ~0u, kBits = 11;  // a block has 2048 bytes

  /// The numbers of places along one dimension of the result.
  OPKG_SMALL void fill(const SeenOperand& from, const SeenOperand& to, const PixelWays& source, const PixelWays& result, const uint32_t* drives,
                       uint32_t c) {
    const uint32_t rank = to.base.rank;
    uint32_t at[kMaxRank] = {};
    for (;;) {
      int64_t own = result.start[c], there[4] = {0, 0, 0, 0};
      for (uint32_t k = 0; k < rank; ++k) {
        if (result.along[k] != c) continue;
        own += static_cast<int64_t>(at[k]) * result.steps[k];
        if (source.along[k] != 4) there[source.along[k]] += static_cast<int64_t>(at[k]) * source.steps[k];
      }
      uint32_t number = 0;
      for (uint32_t d = 0; d < 4; ++d) {
        const bool mine = d < 3 && (drives[d] == c || (drives[d] == 4 && c == 0));
        const bool first = d == 3 && c == 3;
        const int64_t place = there[d] + (mine || first ? source.start[d] : 0);
        number += packed(from, d, static_cast<uint32_t>(place));
      }
      places_[firsts_[c] + static_cast<uint32_t>(own) / (c == 3 ? kBlockDepth : 1)] = number;
      uint32_t k = rank;
      while (k-- > 0) {
        if (result.along[k] != c) continue;
        at[k] += k + 1 == rank ? kBlockDepth : 1;
        if (at[k] < to.base.dims[k]) break;
        at[k] = 0;
      }
      if (k == ~0u) return;
    }
  }

  uint32_t packed(const SeenOperand& from, uint32_t c, uint32_t place) const {
    const uint32_t width = 8 / bytes_, deep = from.base.padded[3] / kBlockDepth, broad = from.base.padded[2] / width;
    if (c == 3) return place / kBlockDepth << kBits;
    if (c == 2) {
      const uint32_t w = place % width;
      return (place / width * deep << kBits) + (bytes_ == 2 ? w / 2 * 128 + w % 2 * 2 : w * kBlockDepth);
    }
    if (c == 1) return (place / 8 * broad * deep << kBits) + place % 8 * 256;
    return place * (from.base.padded[1] / 8) * broad * deep << kBits;
  }

  /// A vector, and the byte of it where the pixel begins, but for multiples of 128.
  struct Pixel {
    const uint8_t* line;
    uint32_t at;
  };

  static OPKG_INLINE_TINY Pixel pixel(void* const* table, uint32_t number) {
    constexpr uint32_t kLines = (1u << kBits) - kAlignment;
    return {static_cast<const uint8_t*>(table[number >> kBits]) + (number & kLines), number};
  }

  /// Numbers of the rows and columns of a block, and what all of its pixels have in common.
  struct Lines {
    const uint32_t* rows;
    const uint32_t* columns;
    uint32_t high, wide, base;
    bool nowhere;
  };

  Lines lines_of(const Block& block) const {
    const uint32_t batch = places_[firsts_[0] + block.at[0]], deep = places_[firsts_[3] + block.at[3]], width = 8 / bytes_;
    const uint32_t row = block.at[1] * 8, column = block.at[2] * width, high = extents_[1] - row, wide = extents_[2] - column;
    return {places_ + firsts_[1] + row, places_ + firsts_[2] + column, high < 8 ? high : 8, wide < width ? wide : width, batch + deep,
            batch == kNone || deep == kNone};
  }

  bool has_none(const Lines& lines) const {
    bool some = false;
    for (uint32_t k = 0; k < 8; ++k) some |= lines.rows[k] == kNone;  // those behind the last one are like it
    for (uint32_t k = 0; k < 8 / bytes_; ++k) some |= lines.columns[k] == kNone;
    return some;
  }

  static void filled(uint8_t* to, const uint8_t* none) {
    for (uint32_t at = 0; at < kBlockBytes; at += kAlignment) memcpy(to + at, none, kAlignment);
  }

  /// The pixels of a block, `kSome` of which the input may not have.
  template <uint32_t kBytes, bool kSome>
  static __attribute__((noinline)) void moved(const Lines& lines, uint8_t* __restrict to, void* const* table, const uint8_t* none) {
    constexpr uint32_t kCount = 4 / kBytes;
    for (uint32_t w = 0; w < lines.wide; w += kCount, to += kAlignment) {
      uint32_t columns[kCount];
      bool gone[kCount];
      for (uint32_t i = 0; i < kCount; ++i) {
        columns[i] = lines.columns[w + i];
        gone[i] = kSome && columns[i] == kNone;
        if (gone[i]) columns[i] = 0;  // any one
      }
      uint8_t* y = to;
#if OPKG_HVX
      if (follow<kBytes>(lines.columns + w)) {
        straight<kSome>(lines, y, table, columns[0], columns[kCount - 1], none);
        continue;
      }
#endif
      OPKG_UNROLL(1)
      for (uint32_t h = 0; h < lines.high; ++h, y += 2 * kAlignment) {
        const uint32_t row = kSome && lines.rows[h] == kNone ? 0 : lines.rows[h];
        const uint32_t base = row + lines.base;
        Pixel from[kCount];
        OPKG_UNROLL_WHOLE
        for (uint32_t i = 0; i < kCount; ++i) {
          from[i] = pixel(table, base + columns[i]);
          if (kSome && (gone[i] || lines.rows[h] == kNone)) from[i].line = none;
        }
        vector<kBytes>(y, from);
      }
    }
  }

  /// Those that the input has not.
  template <uint32_t kBytes>
  static void around(const Lines& lines, uint8_t* to, const uint8_t* none) {
    constexpr uint32_t kWidth = 8 / kBytes, kPixels = 4 / kBytes;
    for (uint32_t h = 0; h < lines.high; ++h) {
      for (uint32_t w = 0; w < kWidth; ++w) {
        if (lines.rows[h] != kNone && lines.columns[w] != kNone) continue;
        stored<kBytes>(to + (h * 2 + w / kPixels) * kAlignment, w % kPixels, none);
      }
    }
  }

#if OPKG_HVX
  static OPKG_INLINE_TINY HVX_Vector loaded(const uint8_t* line) { return kTellsAlignment ? hvx::load(line) : hvx::load_unaligned(line); }

  /// Whether the pixels of a vector lie one behind another in one of the input, or in two.
  template <uint32_t kBytes>
  static bool follow(const uint32_t* columns) {
    constexpr uint32_t kCount = 4 / kBytes, kApart = kBytes == 2 ? 2 : kBlockDepth, kIn = kAlignment - 1;
    const uint32_t first = columns[0] & kIn;
    bool all = (kBytes == 1 || first == 0) && columns[0] != kNone;
    for (uint32_t i = 1; i < kCount; ++i) {
      const uint32_t there = first + i * kApart;
      all &= columns[i] == (there <= kIn ? columns[0] + i * kApart : (columns[kCount - 1] & ~kIn) + (there & kIn));
    }
    return all;
  }

  template <bool kSome>
  static void straight(const Lines& lines, uint8_t* __restrict to, void* const* table, uint32_t first, uint32_t last, const uint8_t* none) {
    OPKG_UNROLL(1)
    for (uint32_t h = 0; h < lines.high; ++h, to += 2 * kAlignment) {
      if (kSome && lines.rows[h] == kNone) {
        kTellsAlignment ? hvx::store(to, hvx::load(none)) : hvx::store_unaligned(to, hvx::load(none));
        continue;
      }
      const uint32_t base = lines.rows[h] + lines.base;
      const Pixel low = pixel(table, base + first), high = pixel(table, base + last);
      const HVX_Vector v = Q6_V_valign_VVR(loaded(high.line), loaded(low.line), static_cast<int32_t>(low.at % kAlignment));
      kTellsAlignment ? hvx::store(to, v) : hvx::store_unaligned(to, v);
    }
  }

  /// A vector of the result: four pixels of bytes, or two whose channels take turns.
  template <uint32_t kBytes>
  static OPKG_INLINE void vector(uint8_t* to, const Pixel* from) {
    constexpr uint32_t kCount = 4 / kBytes, kApart = kBytes == 2 ? 2 : kBlockDepth;
    HVX_Vector v = Q6_V_vzero();
    OPKG_UNROLL_WHOLE
    for (uint32_t i = 0; i < kCount; ++i) {
      const HVX_Vector turned = Q6_V_vror_VR(loaded(from[i].line), static_cast<int32_t>(from[i].at - i * kApart));
      const HVX_VectorPred before = kBytes == 2 ? Q6_Q_vcmp_gt_VubVub(Q6_V_vsplat_R(65535), Q6_V_vzero()) : Q6_Q_vsetq_R(static_cast<int32_t>(kBlockDepth * i));
      v = i == 0 ? turned : Q6_V_vmux_QVV(before, v, turned);
    }
    kTellsAlignment ? hvx::store(to, v) : hvx::store_unaligned(to, v);
  }

  /// Pixel `place` of a vector.
  template <uint32_t kBytes>
  static OPKG_INLINE void stored(uint8_t* to, uint32_t place, const uint8_t* none) {
    const HVX_VectorPred before = Q6_Q_vsetq_R(static_cast<int32_t>(kBlockDepth * place));
    const HVX_VectorPred until = Q6_Q_vsetq2_R(static_cast<int32_t>(kBlockDepth * (place + 1)));
    const HVX_VectorPred mine = kBytes == 2 ? Q6_Q_vcmp_gt_VubVub(Q6_V_vsplat_R(place == 0 ? 65535 : -65536), Q6_V_vzero()) : Q6_Q_and_QQn(until, before);
    const HVX_Vector v = Q6_V_vmux_QVV(mine, hvx::load(none), loaded(to));
    kTellsAlignment ? hvx::store(to, v) : hvx::store_unaligned(to, v);
  }
#else
  template <uint32_t kBytes>
  static void stored(uint8_t* to, uint32_t place, const uint8_t* none) {
    uint8_t* const first = to + place * (kBytes == 2 ? 2 : kBlockDepth);
    for (uint32_t d = 0; d < kBlockDepth; ++d) memcpy(first + d * (kBytes == 2 ? 4 : 1), none, kBytes);
  }

  template <uint32_t kBytes>
  static void vector(uint8_t* to, const Pixel* from) {
    constexpr uint32_t kCount = 4 / kBytes, kApart = kBytes == 2 ? 2 : kBlockDepth, kStep = kBytes == 2 ? 4 : 1;
    for (uint32_t i = 0; i < kCount; ++i) {
      for (uint32_t d = 0; d < kBlockDepth; ++d) memcpy(to + i * kApart + d * kStep, from[i].line + from[i].at % kAlignment + d * kStep, kBytes);
    }
  }
#endif

  uint32_t bytes_ = 1;
  bool fits_ = false, some_none_ = false;
  uint32_t size_ = 0, firsts_[4] = {}, extents_[4] = {}, blocks_[4] = {};
  size_t count_ = 1;
  uint32_t places_[kMost];
};

}  // namespace opkg::rowwise

namespace opkg {

/// Whether kernels in blocks find the pixels of a call. Only shapes are looked at.
OPKG_SMALL inline bool pixels_in_blocks(const std::initializer_list<SeenOperand>& inputs, const std::initializer_list<SeenOperand>& outputs) {
  return rowwise::SeenPixels(*inputs.begin(), *outputs.begin()).fits();
}

}  // namespace opkg

#endif  // OPKG_SEEN_PIXELS_H_
