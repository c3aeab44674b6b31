// Copies of elements that lie otherwise in the result, by vectors: rows of any length and step, and transposed tiles. C++17.
#ifndef OPKG_HVX_MOVE_H_
#define OPKG_HVX_MOVE_H_

#include <utility>

#include "opkg/hvx_route.h"

namespace opkg {

/// Copies that are alike but for where they begin: so many bytes further on.
struct Origins {
  size_t n;
  const intptr_t* to;
  const intptr_t* from;
};

}  // namespace opkg

#if OPKG_HVX

namespace opkg::hvx {

/// n elements in the result and in what is copied, so many bytes apart.
struct Along {
  intptr_t n = 1, to = 0, from = 0;
};

/// A vector whose first `count` (1 to 128) bytes are not 0.
inline HVX_Vector bytes_below(intptr_t count) { return Q6_V_vand_QR(Q6_Q_vsetq2_R(static_cast<int32_t>(count)), -1); }

/// A step of a copy: `rows` times `elements` elements, whose bytes lie within one vector here and one there. What is loaded
/// goes through a network of seven stages, which swap bytes that are 64 (32, ..., 1) apart or 1 (2, ..., 64) where the control says so.
struct Window {
  enum Net { none,
             falling,
             rising };
  intptr_t elements, rows, length = 0, reach = 0;  ///< bytes of the result from the first to the last one, and of the source
  intptr_t low = 0;                                ///< the first byte in the source, from the first element on
  Net net = none;
  bool whole = true;  ///< all bytes of the length are written
  HVX_Vector control = {}, bytes = {};

  /// False: no network does it.
  inline bool make(const Along& inner, const Along& outer, intptr_t size);
};

inline bool Window::make(const Along& inner, const Along& outer, intptr_t size) {
  constexpr intptr_t kMost = kBytes;
  const intptr_t step = inner.from < 0 ? -inner.from : inner.from, stride = outer.from < 0 ? -outer.from : outer.from;
  const auto fitting = [](intptr_t n, intptr_t room, intptr_t apart) {
    return room < 0 ? 0 : apart == 0 || room / apart >= n ? n
                                                          : room / apart + 1;
  };
  const auto both = [&](const Along& a, intptr_t apart, intptr_t here, intptr_t there) {
    const intptr_t n = fitting(a.n, kMost - here, a.to), m = fitting(a.n, kMost - there, apart);
    return n < m ? n : m;
  };
  elements = both(inner, step, size, size);
  length = (elements - 1) * inner.to + size;
  reach = (elements - 1) * step + size;
  rows = elements == inner.n ? both(outer, stride, length, reach) : 1;
  length += (rows - 1) * outer.to;
  reach += (rows - 1) * stride;
  low = (inner.from < 0 ? (elements - 1) * inner.from : 0) + (outer.from < 0 ? (rows - 1) * outer.from : 0);
  if (rows == 1 && inner.to == size && inner.from == size) {  // bytes as they are
    net = none, whole = true;
    bytes = bytes_below(length);
    return true;
  }
  alignas(kBytes) uint8_t from[kBytes];
  store(from, Q6_Vb_vsplat_R(-1));
  bool same = true;
  for (intptr_t row = 0; row < rows; ++row) {
    for (intptr_t k = 0; k < elements; ++k) {
      const intptr_t y = row * outer.to + k * inner.to, x = row * outer.from + k * inner.from - low;
      same &= x == y;
      for (intptr_t byte = 0; byte < size; ++byte) from[y + byte] = static_cast<uint8_t>(x + byte);
    }
  }
  whole = rows * elements * size == length;
  bytes = load(from);
  net = same ? none : falling;
  if (!same && !route(bytes, false, &control)) {
    net = rising;
    if (!route(bytes, true, &control)) return false;
  }
  bytes = Q6_V_vand_QR(Q6_Q_vcmp_gt_VbVb(bytes, Q6_Vb_vsplat_R(-1)), -1);
  return true;
}

template <Window::Net kNet>
OPKG_INLINE_TINY HVX_Vector routed(HVX_Vector v, HVX_Vector control) {
  return kNet == Window::none ? v : kNet == Window::falling ? Q6_V_vdelta_VV(v, control)
                                                            : Q6_V_vrdelta_VV(v, control);
}

/// Steps that may load and store whole vectors.
template <Window::Net kNet, bool kWhole>
__attribute__((noinline)) void steps(uint8_t* y, const uint8_t* __restrict x, intptr_t n, intptr_t to, intptr_t from, HVX_Vector control, HVX_Vector bytes) {
  const HVX_VectorPred mine = Q6_Q_vcmp_gt_VubVub(bytes, Q6_V_vzero());
  OPKG_UNROLL(1)
  for (; n > 0; --n, y += to, x += from) {
    const HVX_Vector v = routed<kNet>(load_unaligned(x), control);
    store_unaligned(y, kWhole ? v : Q6_V_vmux_QVV(mine, v, load_unaligned(y)));
  }
}

/// Copies lines of elements in steps of windows; a window that does not fit begins earlier.
class LinesOfWindows {
 public:
  bool make(const Along& inner, const Along& outer, intptr_t size) {
    if (!window_.make(inner, outer, size)) {
      const Along one = {1, outer.to, outer.from};
      if (!window_.make(inner, one, size)) return false;
    }
    const bool within = window_.elements < inner.n || outer.n == 1;
    line_ = within ? inner : outer;
    more_ = within ? outer : Along();
    const intptr_t unit = within ? window_.elements : window_.rows, wide = kBytes;
    to_ = unit * line_.to;
    from_ = unit * line_.from;
    window_.whole &= window_.length == wide || window_.length == to_;  // what follows it is written later
    count_ = line_.n / unit;
    rest_ = line_.n % unit == 0 ? 0 : line_.n - unit;
    const intptr_t room = (line_.n - unit) * line_.to + window_.length - wide;  // of stores
    const intptr_t left = (line_.n - unit) * line_.from + window_.reach - wide;
    last_ = room < 0 ? 0 : room / to_ + 1;
    if (from_ < 0) first_ = (wide - window_.reach - from_ - 1) / -from_;
    if (from_ > 0 && left < 0) last_ = 0;
    if (from_ > 0 && left >= 0 && left / from_ < last_) last_ = left / from_ + 1;
    if (last_ > count_) last_ = count_;
    if (first_ > last_) first_ = last_;
    return true;
  }

  /// Whether a step is one element: without vectors it takes less.
  bool one_by_one() const { return window_.elements * window_.rows == 1; }

  void copy(uint8_t* y, const uint8_t* x) const {
    x += window_.low;
    switch (window_.net) {
      case Window::none:
        return window_.whole ? lines<Window::none, true>(y, x) : lines<Window::none, false>(y, x);
      case Window::falling:
        return window_.whole ? lines<Window::falling, true>(y, x) : lines<Window::falling, false>(y, x);
      case Window::rising:
        return window_.whole ? lines<Window::rising, true>(y, x) : lines<Window::rising, false>(y, x);
    }
  }

 private:
  template <Window::Net kNet, bool kWhole>
  __attribute__((noinline)) void lines(uint8_t* y, const uint8_t* x) const {
    const intptr_t to = to_, from = from_, first = first_, last = last_, rest_to = rest_ * line_.to, rest_from = rest_ * line_.from;
    const bool ends = window_.length == window_.reach && window_.length == static_cast<intptr_t>(kBytes);
    if (first == 0 && last == count_ && from != 0 && (rest_to == 0 || ends)) return straight<kNet, kWhole>(y, x);
    alignas(kBytes) uint8_t again[kBytes];
    for (intptr_t k = more_.n; k > 0; --k, y += more_.to, x += more_.from) {
      for (intptr_t i = 0; i < first; ++i) one(y + i * to, x + i * from);
      const uint8_t* source = x + first * from;
      if (from == 0) {  // the same again and again
        store(again, load_some(x, static_cast<size_t>(window_.reach)));
        source = again;
      }
      steps<kNet, kWhole>(y + first * to, source, last - first, to, from, window_.control, window_.bytes);
      for (intptr_t i = last; i < count_; ++i) one(y + i * to, x + i * from);
      if (rest_to != 0) one(y + rest_to, x + rest_from);
    }
  }

  /// Lines in whose steps all vectors are whole ones.
  template <Window::Net kNet, bool kWhole>
  void straight(uint8_t* y, const uint8_t* __restrict x) const {
    const HVX_Vector control = window_.control;
    const HVX_VectorPred mine = Q6_Q_vcmp_gt_VubVub(window_.bytes, Q6_V_vzero());
    const auto step = [&](uint8_t* to, const uint8_t* from) OPKG_INLINE_LAMBDA {
      const HVX_Vector v = routed<kNet>(load_unaligned(from), control);
      store_unaligned(to, kWhole ? v : Q6_V_vmux_QVV(mine, v, load_unaligned(to)));
    };
    const intptr_t to = to_, from = from_, count = count_, rest_to = rest_ * line_.to, rest_from = rest_ * line_.from;
    const intptr_t next_to = more_.to, next_from = more_.from;
    for (intptr_t k = more_.n; k > 0; --k, y += next_to, x += next_from) {
      uint8_t* b = y;
      const uint8_t* a = x;
      OPKG_UNROLL(1)
      for (intptr_t n = count; n > 0; --n, b += to, a += from) step(b, a);
      if (rest_to != 0) step(y + rest_to, x + rest_from);
    }
  }

  /// A step that touches no line of 128 bytes without an element of it.
  __attribute__((noinline)) void one(uint8_t* y, const uint8_t* x) const {
    HVX_Vector v = load_some(x, static_cast<size_t>(window_.reach));
    if (window_.net == Window::falling) v = Q6_V_vdelta_VV(v, window_.control);
    if (window_.net == Window::rising) v = Q6_V_vrdelta_VV(v, window_.control);
    const size_t length = static_cast<size_t>(window_.length);
    if (!window_.whole) v = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VubVub(window_.bytes, Q6_V_vzero()), v, load_some(y, length));
    store_some(y, length, v);
  }

  Window window_;
  Along line_, more_;                                         // what the steps go along, and how often
  intptr_t to_, from_, count_, rest_, first_ = 0, last_ = 0;  // whole steps, those from first_ to last_ with whole vectors
};

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

/// Calls `copy` for every place of dimensions.
template <typename T>
inline void everywhere(const T& copy, uint8_t* y, const uint8_t* x, const Along* dims, uint32_t rank) {
  if (rank == 0) return copy.copy(y, x);
  --rank;
  for (intptr_t k = 0; k < dims[rank].n; ++k) everywhere(copy, y + k * dims[rank].to, x + k * dims[rank].from, dims, rank);
}

/// The dimension to go along in the place of a short one, which `first` is if it is not the longest.
inline uint32_t longest(const Along* dims, uint32_t first, uint32_t end) {
  uint32_t found = first;
  for (uint32_t k = first + 1; k < end; ++k) found = dims[first].n < 8 && dims[k].n > 2 * dims[found].n ? k : found;
  return found;
}

/// The same for every one of several copies.
template <typename T>
inline void everywhere(const T& copy, uint8_t* y, const uint8_t* x, const Along* dims, uint32_t rank, const Origins& origins) {
  for (size_t k = 0; k < origins.n; ++k) everywhere(copy, y + origins.to[k], x + origins.from[k], dims, rank);
}

/// Bytes as they are. Nothing behind them is written.
struct OnePiece {
  size_t bytes;

  OPKG_INLINE_TINY void copy(uint8_t* y, const uint8_t* __restrict x) const {
    size_t n = bytes;
    OPKG_UNROLL(1)
    for (; n >= kBytes; n -= kBytes, y += kBytes, x += kBytes) store_unaligned(y, load_unaligned(x));
    if (n != 0) store_some(y, n, load_some(x, n));
  }
};

/// Copies elements of `size` bytes. `dims`: their steps in the result are above 0, the smallest first. `singly`: by vectors even where each
/// element goes by itself. False: no vectors do it.
inline bool copied(uint8_t* y, const uint8_t* x, Along* dims, uint32_t rank, intptr_t size, const Origins& origins, bool singly) {
  const auto joins = [&] { return dims[0].to == size && dims[0].from == size && size * dims[0].n <= 16 && 16 % (size * dims[0].n) == 0; };
  while (rank > 1 && joins()) {
    size *= dims[0].n;
    for (uint32_t k = 1; k < rank; ++k) dims[k - 1] = dims[k];
    dims[--rank] = Along();
  }
  if (rank == 1 && dims[0].to == size && dims[0].from == size) {
    everywhere(OnePiece{static_cast<size_t>(dims[0].n * size)}, y, x, dims, 0, origins);
    return true;
  }
  uint32_t along = 0;  // the dimension whose elements lie together in the source
  while (along < rank && dims[along].from != size) ++along;
  uint32_t inner = 0;
  if (along != 0 && along < rank && dims[0].from != 0) {
    const Tiles tiles(dims[0], dims[along], size);
    const intptr_t room = static_cast<intptr_t>(kBytes) - size, area = tiles.height() * tiles.width();
    const intptr_t gathered = room / (dims[0].from < 0 ? -dims[0].from : dims[0].from) + 1, scattered = room / dims[along].to + 1;
    if (size <= 16 && dims[0].from > 0 && dims[0].to == size && tiles.cost() * gathered < 3 * area && 2 * tiles.cost() * scattered < 9 * area) {
      dims[along] = dims[--rank];
      everywhere(tiles, y, x, dims + 1, rank - 1, origins);
      return true;
    }
    if (2 * scattered > 3 * gathered) inner = along;
  }
  std::swap(dims[0], dims[inner]);
  if (rank > 2) std::swap(dims[1], dims[longest(dims, 1, rank)]);  // a line takes some 80 packets besides its steps
  if (rank < 2) rank = 2;
  LinesOfWindows lines;
  if (!lines.make(dims[0], dims[1], size) || (!singly && lines.one_by_one())) return false;
  everywhere(lines, y, x, dims + 2, rank - 2, origins);
  return true;
}

inline bool copied(uint8_t* y, const uint8_t* x, Along* dims, uint32_t rank, intptr_t size) {
  const intptr_t here = 0;
  return copied(y, x, dims, rank, size, {1, &here, &here}, true);
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_MOVE_H_
