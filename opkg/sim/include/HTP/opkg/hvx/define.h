// HVX on a host: halves of pairs, saturation.
// SPDX-License-Identifier: Apache-2.0
//
// Names of pair lanes follow the HVX convention: even lanes are in the low vector, odd ones in the high one.
#ifndef OPKG_HVX_DEFINE_H_
#define OPKG_HVX_DEFINE_H_

#include <type_traits>

#include "../../../hexagon_types.h"

// An intrinsic on a host is a function that is called: copies in place of the calls took a quarter of the compiler's time, and
// kernels are no slower.
#define OPKG_HVX_CALL inline __attribute__((noinline))

namespace opkg_hvx {

// The nearest T. Lanes narrower than a word need no 64-bit arithmetic, which halves what a loop does at once.
template <typename T, typename V>
inline T saturate(V value) {
  constexpr bool fits = sizeof(T) < 4 && (std::is_same<V, int32_t>::value || sizeof(V) < 4);
  using Wide = typename std::conditional<fits, int32_t, int64_t>::type;
  const Wide low = T(-1) > T(0) ? 0 : -(Wide(1) << (8 * sizeof(T) - 1));
  const Wide high = T(-1) > T(0) ? (Wide(1) << 8 * sizeof(T)) - 1 : -(low + 1);
  const Wide wide = Wide(value);
  return T(wide < low ? low : wide > high ? high : wide);
}

inline HVX_Vector lo(HVX_VectorPair w) {
  HVX_Vector v;
  memcpy(&v, &w, sizeof v);
  return v;
}
inline HVX_Vector hi(HVX_VectorPair w) {
  HVX_Vector v;
  memcpy(&v, reinterpret_cast<const char*>(&w) + sizeof v, sizeof v);
  return v;
}
inline HVX_VectorPair pair(HVX_Vector high, HVX_Vector low) {
  HVX_VectorPair w;
  memcpy(&w, &low, sizeof low);
  memcpy(reinterpret_cast<char*>(&w) + sizeof low, &high, sizeof high);
  return w;
}

// The lanes of vectors whose results are twice as wide: even lanes go to the low vector.
template <typename T>
struct WidePair {
  Lanes<T> even, odd;
  WidePair() = default;
  explicit WidePair(HVX_VectorPair w) : even(lo(w)), odd(hi(w)) {}
  T& at(int i) { return i % 2 ? odd.at[i / 2] : even.at[i / 2]; }
  HVX_VectorPair pair() const { return opkg_hvx::pair(odd.vector(), even.vector()); }
};

}  // namespace opkg_hvx

#endif  // OPKG_HVX_DEFINE_H_
