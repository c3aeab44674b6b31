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

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_WINDOWS_H_
