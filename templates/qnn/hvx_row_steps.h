// The steps of a row: whole ones, and lanes of the one that is not.
#ifndef OPKG_HVX_ROW_STEPS_H_
#define OPKG_HVX_ROW_STEPS_H_

#include "opkg/hvx.h"

namespace opkg::hvx {

#if OPKG_HVX

/// Lanes of a step that is not whole, of `count` elements: others take a number that changes nothing.
class SomeLanes {
 public:
  OPKG_INLINE explicit SomeLanes(size_t count) : count_(static_cast<int32_t>(count)) {}
  OPKG_INLINE HVX_Vector keep8(HVX_Vector v, HVX_Vector other, uint32_t part) const { return keep(v, other, part, 1); }
  OPKG_INLINE HVX_Vector keep16(HVX_Vector v, HVX_Vector other, uint32_t part) const { return keep(v, other, part, 2); }
  OPKG_INLINE HVX_Vector keep32(HVX_Vector v, HVX_Vector other, uint32_t part) const { return keep(v, other, part, 4); }
  OPKG_INLINE_TINY bool whole() const { return count_ >= kWhole; }
  static OPKG_INLINE SomeLanes all() { return SomeLanes(kWhole); }

 protected:
  static constexpr int32_t kWhole = 128;  // more than any step that is not whole has

 private:
  OPKG_INLINE HVX_Vector keep(HVX_Vector v, HVX_Vector other, uint32_t part, int32_t bytes) const {
    const int32_t live = count_ * bytes - static_cast<int32_t>(part) * 128;
    if (live >= 128 || whole()) return v;
    return live <= 0 ? other : Q6_V_vmux_QVV(Q6_Q_vsetq2_R(live), v, other);
  }

  int32_t count_;
};

/// All lanes of a whole step hold elements.
struct AllLanes {
  OPKG_INLINE HVX_Vector keep8(HVX_Vector v, HVX_Vector, uint32_t) const { return v; }
  OPKG_INLINE HVX_Vector keep16(HVX_Vector v, HVX_Vector, uint32_t) const { return v; }
  OPKG_INLINE HVX_Vector keep_apart(HVX_Vector v, HVX_Vector, uint32_t) const { return v; }
  OPKG_INLINE HVX_Vector keep_wide(HVX_Vector v, HVX_Vector, uint32_t) const { return v; }
  OPKG_INLINE HVX_Vector keep32(HVX_Vector v, HVX_Vector, uint32_t) const { return v; }
  static constexpr bool whole() { return true; }
};

/// The lanes of whole steps. Hosts take those of any step, so that they have one copy of what is done in it.
#if defined(__hexagon__)
OPKG_INLINE AllLanes all_lanes() { return {}; }
#else
OPKG_INLINE SomeLanes all_lanes() { return SomeLanes::all(); }
#endif

/// Calls turn(lanes, i) for the step of a row of n elements that is not whole, then for those in front of it.
template <uint32_t kStep, uint32_t kUnroll, typename Turn>
OPKG_INLINE void rest_and_steps(size_t n, const Turn& turn) {
  if (n % kStep != 0) turn(SomeLanes(n % kStep), n / kStep);
  OPKG_UNROLL(kUnroll)
  for (size_t i = 0; i < n / kStep; ++i) turn(all_lanes(), i);
}

/// A row of n elements in parts of kMost whole steps: as many as 32 bits hold the sums of.
template <uint32_t kStep, size_t kMost>
struct Part {
  size_t n, first = 0, end = 0;
  bool more = true;

  OPKG_INLINE explicit Part(size_t n) : n(n) { reach(); }
  OPKG_INLINE explicit operator bool() const { return more; }
  OPKG_INLINE void operator++() {
    first = end;
    more = first < n / kStep;
    reach();
  }

 private:
  OPKG_INLINE void reach() { end = n / kStep - first < kMost ? n / kStep : first + kMost; }
};

/// The same of the steps of a part; that which is not whole is in the first one.
template <uint32_t kUnroll, uint32_t kStep, size_t kMost, typename Turn>
OPKG_INLINE void rest_and_steps(const Part<kStep, kMost>& part, const Turn& turn) {
  if (part.first == 0 && part.n % kStep != 0) turn(SomeLanes(part.n % kStep), part.n / kStep);
  OPKG_UNROLL(kUnroll)
  for (size_t i = part.first; i < part.end; ++i) turn(all_lanes(), i);
}

/// The same of all steps, that which is not whole being the last one.
template <uint32_t kStep, uint32_t kUnroll, typename Turn>
OPKG_INLINE void steps_and_rest(size_t n, const Turn& turn) {
  OPKG_UNROLL(kUnroll)
  for (size_t i = 0; i < n / kStep; ++i) turn(all_lanes(), i);
  if (n % kStep != 0) turn(SomeLanes(n % kStep), n / kStep);
}

/// The same, all steps being one copy of the code.
template <uint32_t kStep, typename Turn>
OPKG_INLINE void all_steps(size_t n, const Turn& turn) {
  OPKG_UNROLL(1)
  for (size_t i = 0; i * kStep < n; ++i) turn(i < n / kStep ? SomeLanes::all() : SomeLanes(n % kStep), i);
}

/// The same of the steps of a part; that which is not whole is in the first one.
template <uint32_t kStep, size_t kMost, typename Turn>
OPKG_INLINE void all_steps(const Part<kStep, kMost>& part, const Turn& turn) {
  const size_t rest = part.first == 0 ? part.n % kStep : 0;
  size_t i = rest != 0 ? part.n / kStep : part.first;
  OPKG_UNROLL(1)
  for (size_t left = part.end - part.first + (rest != 0 ? 1 : 0); left != 0; --left) {
    const bool whole = i < part.end;
    turn(whole ? SomeLanes::all() : SomeLanes(rest), i);
    i = whole ? i + 1 : part.first;
  }
}

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_ROW_STEPS_H_
