// Transposes in squares of vectors, whose elements change places. C++17.
#ifndef OPKG_HVX_TILES_H_
#define OPKG_HVX_TILES_H_

#include "opkg/hvx_windows.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Where 2^kBits vectors lie `step` bytes apart, and those `next` bytes: lines of a square at multiples of 128, or anywhere.
struct Lie {
  intptr_t step, next;
};

/// `n` times 2^kBits vectors: of each two that are 1 (2, 4, ...) apart, elements that are as many times `apart` bytes apart change places.
template <uint32_t kBits, bool kFrom, bool kTo>
OPKG_INLINE void crossed_vectors(uint8_t* to, Lie there, const uint8_t* from, Lie here, intptr_t n, intptr_t apart) {
  constexpr uint32_t kRows = 1u << kBits;
  OPKG_UNROLL(1)
  for (; n > 0; --n, to += there.next, from += here.next) {
    HVX_Vector v[kRows];
    const uint8_t* x = from;
    OPKG_UNROLL_WHOLE
    for (uint32_t k = 0; k < kRows; ++k, x += here.step) v[k] = kFrom ? load_unaligned(x) : load(x);
    OPKG_UNROLL_WHOLE
    for (uint32_t bit = 1; bit < kRows; bit *= 2) {
      OPKG_UNROLL_WHOLE
      for (uint32_t k = 0; k < kRows; ++k) {
        if ((k & bit) != 0) continue;
        const HVX_VectorPair pair = Q6_W_vshuff_VVR(v[k | bit], v[k], static_cast<int32_t>(apart * bit));
        v[k] = Q6_V_lo_W(pair);
        v[k | bit] = Q6_V_hi_W(pair);
      }
    }
    uint8_t* y = to;
    OPKG_UNROLL_WHOLE
    for (uint32_t k = 0; k < kRows; ++k, y += there.step) {
      if (kTo) {
        store_unaligned(y, v[k]);
      } else {
        store(y, v[k]);
      }
    }
  }
}

template <uint32_t kBits, bool kFrom, bool kTo>
__attribute__((noinline)) void crossed(uint8_t* __restrict to, Lie there, const uint8_t* __restrict from, Lie here, intptr_t n, intptr_t apart) {
  crossed_vectors<kBits, kFrom, kTo>(to, there, from, here, n, apart);
}

/// The same in a square.
template <uint32_t kBits>
__attribute__((noinline)) void crossed_here(uint8_t* square, Lie lines, intptr_t n, intptr_t apart) {
  crossed_vectors<kBits, false, false>(square, lines, square, lines, n, apart);
}

/// The second half of a square's way, of `side` (16 to 128) lines: to somewhere else, or in the square.
inline void crossed_again(uint8_t* to, intptr_t step, const uint8_t* square, intptr_t side, intptr_t size) {
  const Lie there = {8 * step, step}, here = {8 * kBytes, kBytes};
  if (side == 32) return crossed<2, false, true>(to, there, square, here, 8, 8 * size);
  if (side == 64) return crossed<3, false, true>(to, there, square, here, 8, 8 * size);
  crossed<4, false, true>(to, there, square, here, 8, 8 * size);
}
inline void crossed_again(uint8_t* square, intptr_t side, intptr_t size) {
  const Lie lines = {8 * kBytes, kBytes};
  if (side == 16) return crossed_here<1>(square, lines, 8, 8 * size);
  if (side == 32) return crossed_here<2>(square, lines, 8, 8 * size);
  if (side == 64) return crossed_here<3>(square, lines, 8, 8 * size);
  if (side == 128) crossed_here<4>(square, lines, 8, 8 * size);
}

/// Transposes `rows.n` rows of `columns.n` elements of 1 to 16 bytes: an element moves on by rows.from and columns.from (its size), and by
/// rows.to (its size) and columns.to.
class Tiles {
 public:
  Tiles(const Along& rows, const Along& columns, intptr_t size) : rows_(rows), columns_(columns), size_(size) {
    const intptr_t wide = static_cast<intptr_t>(kBytes) / size, least = rows.n < columns.n ? rows.n : columns.n;
    side_ = 8;
    while (side_ < wide && side_ < least) side_ *= 2;
    high_ = rows.n <= columns.n && side_ < wide ? side_ : wide;
    broad_ = rows.n > columns.n && side_ < wide ? side_ : wide;
  }

  /// Packets of a tile, as far as they tell which way is the best.
  intptr_t cost() const { return 2 * height() + 4 * side_ + 3 * width(); }
  intptr_t height() const { return rows_.n < high_ ? rows_.n : high_; }
  intptr_t width() const { return columns_.n < broad_ ? columns_.n : broad_; }

  void copy(uint8_t* y, const uint8_t* x) const {
    const intptr_t high = height(), wide = width();
    for (intptr_t column = 0;; column += wide) {
      if (column + wide > columns_.n) column = columns_.n - wide;
      for (intptr_t row = 0;; row += high) {
        if (row + high > rows_.n) row = rows_.n - high;
        tile(y, x, row, column);
        if (row + high == rows_.n) break;
      }
      if (column + wide == columns_.n) break;
    }
  }

 private:
  /// Row (or column) n of a tile is line n % side_ of the square, from its element n / side_ * side_ on.
  __attribute__((noinline)) void tile(uint8_t* y, const uint8_t* x, intptr_t row, intptr_t column) const {
    alignas(kBytes) uint8_t square[kBytes * kBytes + kBytes];
    constexpr intptr_t kWide = kBytes;
    const intptr_t high = height(), wide = width(), put = high * size_;
    const uint8_t* const end = x + (rows_.n - 1) * rows_.from + columns_.n * size_ - kWide;
    const HVX_Vector part = bytes_below(side_ * size_);
    x += row * rows_.from + column * size_;
    constexpr Lie kLines = {kWide, 8 * kWide};
    const bool full = put == kWide && wide * size_ == kWide && side_ >= 32;
    if (full) {
      y += column * columns_.to + row * size_;
      crossed<3, true, false>(square, kLines, x, {rows_.from, 8 * rows_.from}, side_ / 8, size_);
      return crossed_again(y, columns_.to, square, side_, size_);
    }
    for (intptr_t first = 0; first < high; first += side_) {
      const intptr_t n = high - first < side_ ? high - first : side_;
      const uint8_t* const from = x + first * rows_.from;
      uint8_t* const to = square + first * size_;
      intptr_t fit = n;
      while (fit > 0 && from + (fit - 1) * rows_.from > end) --fit;
      if (first == 0) {
        steps<Window::none, true>(to, from, fit, kWide, rows_.from, part, part);
      } else {
        steps<Window::none, false>(to, from, fit, kWide, rows_.from, part, part);
      }
      for (; fit < n; ++fit) {
        alignas(kBytes) uint8_t line[kBytes];
        store(line, load_some(from + fit * rows_.from, static_cast<size_t>(wide * size_)));
        if (first == 0) {
          store(to + fit * kWide, load(line));
        } else {
          steps<Window::none, false>(to + fit * kWide, line, 1, 0, 0, part, part);
        }
      }
    }
    crossed_here<3>(square, kLines, side_ / 8, size_);
    crossed_again(square, side_, size_);
    uint8_t* const last = y + (columns_.n - 1) * columns_.to + rows_.n * size_ - kWide;
    y += column * columns_.to + row * size_;
    const HVX_Vector mine = bytes_below(put);
    for (intptr_t first = 0; first < wide; first += side_) {
      const intptr_t n = wide - first < side_ ? wide - first : side_;
      const uint8_t* const from = square + first * size_;
      uint8_t* const to = y + first * columns_.to;
      intptr_t fit = n;
      while (fit > 0 && to + (fit - 1) * columns_.to > last) --fit;
      if (put == kWide || columns_.to == put) {
        steps<Window::none, true>(to, from, fit, columns_.to, kWide, mine, mine);
      } else {
        steps<Window::none, false>(to, from, fit, columns_.to, kWide, mine, mine);
      }
      for (; fit < n; ++fit) store_some(to + fit * columns_.to, static_cast<size_t>(put), load_unaligned(from + fit * kWide));
    }
  }

  Along rows_, columns_;
  intptr_t size_, side_, high_, broad_;
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_TILES_H_
