// Stand-in for the compiler header of this name: HVX vector types on a host without HVX.
// SPDX-License-Identifier: Apache-2.0
//
// Native vector types of 128 bytes, like those of clang for Hexagon: v[i] is a 32-bit lane, + - & | ^ work
// lane by lane, and they may live in unions. A predicate is a vector whose bytes are 0xff (true) or 0
// (false). Lanes of other widths: opkg_hvx::Lanes<uint8_t>(v).at[i]. On Hexagon itself the compiler's own
// header is used.
#ifndef OPKG_HEXAGON_TYPES_H_
#define OPKG_HEXAGON_TYPES_H_

#ifdef __hexagon__
#include_next <hexagon_types.h>
#else

#include <stdint.h>
#include <string.h>

// These types are passed within one package only, so how a CPU without 1024-bit registers passes them does
// not matter.
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wignored-attributes"

#define HEXAGON_HVX_VECTOR_BYTES 128

// What a sanitizer compares addresses with. Otherwise the compiler's own 16 bytes will do, and stacks stay as they are.
#if defined(__SANITIZE_ADDRESS__)
#define OPKG_HVX_ALIGNED , aligned(128)
#else
#define OPKG_HVX_ALIGNED
#endif

typedef int32_t HVX_Vector __attribute__((vector_size(128), may_alias OPKG_HVX_ALIGNED));
typedef int32_t HVX_VectorPred __attribute__((vector_size(128), may_alias OPKG_HVX_ALIGNED));
#undef OPKG_HVX_ALIGNED
typedef int32_t HVX_VectorPair __attribute__((vector_size(256), may_alias, aligned(128)));
// The SDK says 4 bytes, which vmemu does not ask for.
typedef int32_t HVX_UVector __attribute__((vector_size(128), may_alias, aligned(1)));
typedef int32_t HVX_UVectorPred __attribute__((vector_size(128), may_alias, aligned(1)));
typedef int32_t HVX_UVectorPair __attribute__((vector_size(256), may_alias, aligned(1)));

namespace opkg_hvx {

// The lanes of a vector as an array of T; lane 0 is at the lowest address.
template <typename T>
struct Lanes {
  static constexpr int count = 128 / int(sizeof(T));
  alignas(128) T at[count];
  Lanes() = default;
  explicit Lanes(HVX_Vector v) { memcpy(at, &v, sizeof at); }
  HVX_Vector vector() const {
    HVX_Vector v;
    memcpy(&v, at, sizeof at);
    return v;
  }
};

// The same of a pair: lanes of the low vector first.
template <typename T>
struct PairLanes {
  static constexpr int count = 256 / int(sizeof(T));
  alignas(128) T at[count];
  PairLanes() = default;
  explicit PairLanes(HVX_VectorPair w) { memcpy(at, &w, sizeof at); }
  HVX_VectorPair pair() const {
    HVX_VectorPair w;
    memcpy(&w, at, sizeof at);
    return w;
  }
};

}  // namespace opkg_hvx

#endif  // __hexagon__
#endif  // OPKG_HEXAGON_TYPES_H_
