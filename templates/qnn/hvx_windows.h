// Lines of elements that are copied in steps of windows: bytes within one vector here and one there. C++17.
#ifndef OPKG_HVX_WINDOWS_H_
#define OPKG_HVX_WINDOWS_H_

#include "opkg/hvx_route.h"

#if OPKG_HVX

namespace opkg::hvx {

/// n elements in the result and in what is copied, so many bytes apart.
struct Along {
  intptr_t n = 1, to = 0, from = 0;
};

/// Writes those of the first `length` bytes of a vector to any address whose mask is not 0. What lies between them may be another
/// thread's to write.
OPKG_INLINE void store_where(void* to, HVX_Vector mask, intptr_t length, HVX_Vector v) {
#if defined(__hexagon__)
  const uintptr_t at = reinterpret_cast<uintptr_t>(to);
  const int32_t turn = -static_cast<int32_t>(at);
  const HVX_Vector turned = Q6_V_vror_VR(v, turn);
  const HVX_VectorPred mine = Q6_Q_vcmp_gt_VubVub(Q6_V_vror_VR(mask, turn), Q6_V_vzero()), before = Q6_Q_vsetq_R(static_cast<int32_t>(at));
  Q6_vmem_QRIV(Q6_Q_and_QQn(mine, before), reinterpret_cast<HVX_Vector*>(line(at)), turned);
  Q6_vmem_QRIV(Q6_Q_and_QQ(mine, before), reinterpret_cast<HVX_Vector*>(line(at + static_cast<uintptr_t>(length) - 1)), turned);
#else
  alignas(kBytes) uint8_t bytes[kBytes], masks[kBytes];
  store(bytes, v);
  store(masks, mask);
  for (intptr_t k = 0; k < length; ++k) {
    if (masks[k] != 0) static_cast<uint8_t*>(to)[k] = bytes[k];
  }
#endif
}

/// A vector whose first `count` (1 to 128) bytes are not 0.
inline HVX_Vector bytes_below(intptr_t count) { return Q6_V_vand_QR(Q6_Q_vsetq2_R(static_cast<int32_t>(count)), -1); }

/// A step of a copy: `rows` times `elements` elements, whose bytes lie within one vector here and one there. What is loaded
/// goes through a network of seven stages, which swap bytes that are 64 (32, ..., 1) apart or 1 (2, ..., 64) where the control says so.
struct Window {
  enum Net { none,
             falling,
             rising };
  intptr_t elements = 0, rows = 0, length = 0, reach = 0;  ///< bytes of the result from the first to the last one, and of the source
  intptr_t low = 0;                                        ///< the first byte in the source, from the first element on
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

template <bool kWhole>
OPKG_INLINE_TINY void stored(uint8_t* y, HVX_Vector v, HVX_Vector bytes) {
  kWhole ? store_unaligned(y, v) : store_where(y, bytes, kBytes, v);
}

/// Steps that may load and store whole vectors.
template <Window::Net kNet, bool kWhole>
__attribute__((noinline)) void steps(uint8_t* y, const uint8_t* __restrict x, intptr_t n, intptr_t to, intptr_t from, HVX_Vector control, HVX_Vector bytes) {
  OPKG_UNROLL(1)
  for (; n > 0; --n, y += to, x += from) stored<kWhole>(y, routed<kNet>(load_unaligned(x), control), bytes);
}

/// Rows of up to a vector, with other distances between them in the result than in what is copied: some rows in each step.
class RowWindows {
 public:
  RowWindows() = default;

  /// Where a whole vector may be read or written behind rows.
  enum Room { nowhere,
              in_source,
              in_result };

  /// Rows of so many bytes that begin `to` and `from` bytes apart.
  OPKG_RARE RowWindows(intptr_t bytes, intptr_t to, intptr_t from, Room room) : bytes_(bytes), to_(to), from_(from) {
    const intptr_t wide = kBytes, nearer = to < from ? to : from;
    if (bytes > wide || nearer < bytes || !window_.make({1, bytes, bytes}, {wide, to, from}, bytes)) return;
    together_ = to == bytes;
    inverse_ = (uint64_t{1} << 32) / static_cast<uint64_t>(window_.rows) + 1;
    const intptr_t least = room == in_source ? to : room == in_result ? from
                                                                      : nearer;
    least_ = (wide - bytes + least - 1) / least + 1;
    if (least_ <= window_.rows) least_ = window_.rows + 1;
  }

  bool fits() const { return least_ != 0; }

  void copy(uint8_t* y, const uint8_t* x, intptr_t rows) const {
    if (window_.net == Window::rising) return copy<Window::rising>(y, x, rows);
    return window_.net == Window::none ? copy<Window::none>(y, x, rows) : copy<Window::falling>(y, x, rows);
  }

 private:
  template <Window::Net kNet>
  void copy(uint8_t* y, const uint8_t* x, intptr_t rows) const {
    return together_ ? steps<kNet, true>(y, x, rows) : steps<kNet, false>(y, x, rows);
  }

  /// Whole vectors where the rows that are left reach as far, then no byte in front of or behind rows but between them.
  template <Window::Net kNet, bool kTogether>
  __attribute__((noinline)) void steps(uint8_t* y, const uint8_t* __restrict x, intptr_t rows) const {
    const HVX_Vector control = window_.control;
    const HVX_Vector bytes = window_.bytes;
    const intptr_t some = window_.rows, to = some * to_, from = some * from_, least = least_;
    const intptr_t count = rows < least ? 0 : steps_in(rows - least) + 1;
    rows -= count * some;
    OPKG_UNROLL(1)
    for (intptr_t n = count; n > 0; --n, y += to, x += from) stored<kTogether>(y, routed<kNet>(load_unaligned(x), control), bytes);
    OPKG_UNROLL(1)
    for (; rows > 0; rows -= some, y += to, x += from) {
      const intptr_t behind = (rows < some ? rows : some) - 1;
      const size_t length = static_cast<size_t>(behind * to_ + bytes_), reach = static_cast<size_t>(behind * from_ + bytes_);
      const HVX_Vector v = routed<kNet>(load_some(x, reach), control);
      kTogether ? store_some(y, length, v) : store_where(y, Q6_V_vand_VV(bytes, bytes_below(static_cast<intptr_t>(length))), static_cast<intptr_t>(length), v);
    }
  }

  /// Whole steps in so many rows. By the inverse that is exact below 2^32 / 128: a division is a call.
  intptr_t steps_in(intptr_t rows) const {
    if ((rows >> 25) != 0) return rows / window_.rows;
    return static_cast<intptr_t>((static_cast<uint64_t>(rows) * inverse_) >> 32);
  }

  Window window_;
  uint64_t inverse_ = 0;  ///< of the rows of a step
  intptr_t bytes_ = 0, to_ = 0, from_ = 0;
  intptr_t least_ = 0;     ///< rows that reach as far as a vector, and one more than a step has; 0: nothing is copied so
  bool together_ = false;  ///< in the result nothing lies between rows
};

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
    const HVX_Vector control = window_.control, bytes = window_.bytes;
    const auto step = [&](uint8_t* to, const uint8_t* from) OPKG_INLINE_LAMBDA {
      stored<kWhole>(to, routed<kNet>(load_unaligned(from), control), bytes);
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
    if (!window_.whole) return store_where(y, window_.bytes, window_.length, v);
    store_some(y, static_cast<size_t>(window_.length), v);
  }

  Window window_;
  Along line_, more_;                                         // what the steps go along, and how often
  intptr_t to_, from_, count_, rest_, first_ = 0, last_ = 0;  // whole steps, those from first_ to last_ with whole vectors
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_WINDOWS_H_
