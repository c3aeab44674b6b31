// How the intrinsics of this folder are written: one line each, an expression over the lanes of the operands.
// SPDX-License-Identifier: Apache-2.0
//
// In an expression, a, b and c are the lane of the first, second and third operand, i its number and r the
// scalar operand. Names of pair lanes follow the HVX convention: even lanes are in the low vector, odd ones
// in the high one.
#ifndef OPKG_HVX_DEFINE_H_
#define OPKG_HVX_DEFINE_H_

#include "../../../hexagon_types.h"

namespace opkg_hvx {

template <typename T>
inline T saturate(int64_t value) {
  const int64_t low = T(-1) > T(0) ? 0 : -(int64_t(1) << (8 * sizeof(T) - 1));
  const int64_t high = T(-1) > T(0) ? (int64_t(1) << 8 * sizeof(T)) - 1 : -(low + 1);
  return T(value < low ? low : value > high ? high : value);
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

// Byte, half or word number `n` of a scalar register.
template <typename T>
inline T part(uint32_t r, int n) {
  return T(r >> 8 * int(sizeof(T)) * (n % (4 / int(sizeof(T)))));
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

#define OPKG_HVX_LOOP(T, EXPR)                                             \
  opkg_hvx::Lanes<T> out;                                                  \
  for (int i = 0; i < opkg_hvx::Lanes<T>::count; i++) out.at[i] = T(EXPR); \
  return out.vector();

// T name(A), T name(A, B), T name(A, scalar), T name(A, B, scalar): lanes of one width.
#define OPKG_HVX_V(NAME, T, A, EXPR)                                  \
  inline HVX_Vector NAME(HVX_Vector va) {                             \
    const opkg_hvx::Lanes<A> la(va);                                  \
    OPKG_HVX_LOOP(T, ([](A a) -> int64_t { return EXPR; })(la.at[i])) \
  }
#define OPKG_HVX_VV(NAME, T, A, B, EXPR)                                             \
  inline HVX_Vector NAME(HVX_Vector va, HVX_Vector vb) {                             \
    const opkg_hvx::Lanes<A> la(va);                                                 \
    const opkg_hvx::Lanes<B> lb(vb);                                                 \
    OPKG_HVX_LOOP(T, ([](A a, B b) -> int64_t { return EXPR; })(la.at[i], lb.at[i])) \
  }
#define OPKG_HVX_VR(NAME, T, A, EXPR)                         \
  inline HVX_Vector NAME(HVX_Vector va, int32_t scalar) {     \
    const opkg_hvx::Lanes<A> la(va);                          \
    const uint32_t r = uint32_t(scalar);                      \
    OPKG_HVX_LOOP(T, ([](A a, uint32_t r, int i) -> int64_t { \
                    (void)i;                                  \
                    return EXPR;                              \
                  })(la.at[i], r, i))                         \
  }
// T name(accumulator, A, B) and T name(accumulator, A, scalar): x is the accumulator's lane.
#define OPKG_HVX_XVV(NAME, T, A, B, EXPR)                                                           \
  inline HVX_Vector NAME(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {                             \
    const opkg_hvx::Lanes<T> lx(vx);                                                                \
    const opkg_hvx::Lanes<A> la(va);                                                                \
    const opkg_hvx::Lanes<B> lb(vb);                                                                \
    OPKG_HVX_LOOP(T, ([](T x, A a, B b) -> int64_t { return EXPR; })(lx.at[i], la.at[i], lb.at[i])) \
  }

// Wide results: T is twice as wide as A and B.
#define OPKG_HVX_WV(NAME, T, A, EXPR)                                 \
  inline HVX_VectorPair NAME(HVX_Vector va) {                         \
    const opkg_hvx::Lanes<A> la(va);                                  \
    opkg_hvx::WidePair<T> out;                                        \
    for (int i = 0; i < opkg_hvx::Lanes<A>::count; i++)               \
      out.at(i) = T(([](A a) -> int64_t { return EXPR; })(la.at[i])); \
    return out.pair();                                                \
  }
#define OPKG_HVX_WVV(NAME, T, A, B, EXPR)                                            \
  inline HVX_VectorPair NAME(HVX_Vector va, HVX_Vector vb) {                         \
    const opkg_hvx::Lanes<A> la(va);                                                 \
    const opkg_hvx::Lanes<B> lb(vb);                                                 \
    opkg_hvx::WidePair<T> out;                                                       \
    for (int i = 0; i < opkg_hvx::Lanes<A>::count; i++)                              \
      out.at(i) = T(([](A a, B b) -> int64_t { return EXPR; })(la.at[i], lb.at[i])); \
    return out.pair();                                                               \
  }
#define OPKG_HVX_WXVV(NAME, T, A, B, EXPR)                                                           \
  inline HVX_VectorPair NAME(HVX_VectorPair wx, HVX_Vector va, HVX_Vector vb) {                      \
    const opkg_hvx::Lanes<A> la(va);                                                                 \
    const opkg_hvx::Lanes<B> lb(vb);                                                                 \
    opkg_hvx::WidePair<T> out(wx);                                                                   \
    for (int i = 0; i < opkg_hvx::Lanes<A>::count; i++)                                              \
      out.at(i) = T(([](T x, A a, B b) -> int64_t { return EXPR; })(out.at(i), la.at[i], lb.at[i])); \
    return out.pair();                                                                               \
  }
#define OPKG_HVX_WVR(NAME, T, A, B, EXPR)                                                                  \
  inline HVX_VectorPair NAME(HVX_Vector va, int32_t scalar) {                                              \
    const opkg_hvx::Lanes<A> la(va);                                                                       \
    opkg_hvx::WidePair<T> out;                                                                             \
    for (int i = 0; i < opkg_hvx::Lanes<A>::count; i++)                                                    \
      out.at(i) =                                                                                          \
          T(([](A a, B b) -> int64_t { return EXPR; })(la.at[i], opkg_hvx::part<B>(uint32_t(scalar), i))); \
    return out.pair();                                                                                     \
  }
#define OPKG_HVX_WXVR(NAME, T, A, B, EXPR)                                       \
  inline HVX_VectorPair NAME(HVX_VectorPair wx, HVX_Vector va, int32_t scalar) { \
    const opkg_hvx::Lanes<A> la(va);                                             \
    opkg_hvx::WidePair<T> out(wx);                                               \
    for (int i = 0; i < opkg_hvx::Lanes<A>::count; i++)                          \
      out.at(i) = T(([](T x, A a, B b) -> int64_t { return EXPR; })(             \
          out.at(i), la.at[i], opkg_hvx::part<B>(uint32_t(scalar), i)));         \
    return out.pair();                                                           \
  }

// A vector operation on both vectors of pairs.
#define OPKG_HVX_WW(NAME, OF)                                                                              \
  inline HVX_VectorPair NAME(HVX_VectorPair wa, HVX_VectorPair wb) {                                       \
    return opkg_hvx::pair(OF(opkg_hvx::hi(wa), opkg_hvx::hi(wb)), OF(opkg_hvx::lo(wa), opkg_hvx::lo(wb))); \
  }

#endif  // OPKG_HVX_DEFINE_H_
