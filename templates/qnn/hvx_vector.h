// Vectors of 128 bytes at any address, patterns of them, and what generated code says to the compiler.
#ifndef OPKG_HVX_VECTOR_H_
#define OPKG_HVX_VECTOR_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

// 1 where HVX intrinsics are there: in the compiler, or as functions on the host.
#ifndef OPKG_HVX
#if defined(__HVX__)
#define OPKG_HVX 1
#elif !defined(__hexagon__) && __has_include("HTP/opkg/hvx/table.h")
#define OPKG_HVX 1
#else
#define OPKG_HVX 0
#endif
#endif

// `OPKG_UNROLL(2)` before a loop: two turns of it become one; OPKG_UNROLL_WHOLE: all. OPKG_STAGED before a loop that has several steps in flight as
// it is written: the compiler must not pipeline it once more, which clang 19 does wrong where values go from turn to turn.
// OPKG_INLINE_LAMBDA after a lambda's parameters: it becomes part of the function that calls it; OPKG_INLINE: a function does.
// On the host none of them pays: emulated vectors are compiled in a third of the time as calls. OPKG_INLINE_TINY: less than a call.
#if defined(__hexagon__)
#define OPKG_PRAGMA(text) _Pragma(#text)
#define OPKG_UNROLL(turns) OPKG_PRAGMA(clang loop unroll_count(turns))
#define OPKG_UNROLL_WHOLE OPKG_PRAGMA(clang loop unroll(full))
#define OPKG_STAGED OPKG_PRAGMA(clang loop unroll(disable) pipeline(disable))
#define OPKG_INLINE_LAMBDA __attribute__((always_inline))
#define OPKG_INLINE inline __attribute__((always_inline))
#define OPKG_INLINE_TINY OPKG_INLINE
#else
#define OPKG_UNROLL(turns)
#define OPKG_UNROLL_WHOLE
#define OPKG_STAGED
#define OPKG_INLINE_LAMBDA __attribute__((noinline))
#define OPKG_INLINE inline __attribute__((noinline))
#define OPKG_INLINE_TINY inline
#endif

#if OPKG_HVX

#include "hexagon_protos.h"
#include "hexagon_types.h"
#if defined(__hexagon__)
#include "hvx_hexagon_protos.h"
#endif

namespace opkg::hvx {

constexpr size_t kBytes = 128;  ///< of a vector

/// The vector at an address that is a multiple of 128.
OPKG_INLINE HVX_Vector load(const void* at) { return *static_cast<const HVX_Vector*>(at); }
OPKG_INLINE void store(void* at, HVX_Vector v) { *static_cast<HVX_Vector*>(at) = v; }

/// Whether any lane of a predicate is true.
OPKG_INLINE bool any(HVX_VectorPred q) { return Q6_R_vextract_VR(Q6_Vb_prefixsum_Q(q), kBytes - 4) >> 24 != 0; }

#if defined(__hexagon__)

OPKG_INLINE HVX_Vector load_unaligned(const void* at) { return *static_cast<const HVX_UVector*>(at); }
OPKG_INLINE void store_unaligned(void* at, HVX_Vector v) { *static_cast<HVX_UVector*>(at) = v; }

/// The line of 128 bytes that an address is in.
OPKG_INLINE uintptr_t line(uintptr_t at) { return at & ~uintptr_t{kBytes - 1}; }

/// The first `count` (1 to 128) bytes at any address. What follows them is undefined.
OPKG_INLINE HVX_Vector load_some(const void* from, size_t count) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(from);
  const HVX_Vector low = *reinterpret_cast<const HVX_Vector*>(line(at));
  const HVX_Vector high = *reinterpret_cast<const HVX_Vector*>(line(at + count - 1));
  return Q6_V_valign_VVR(high, low, static_cast<int32_t>(at));
}

/// Writes the first `count` (1 to 128) bytes of a vector to an address that is a multiple of 128.
OPKG_INLINE void store_some_aligned(void* to, size_t count, HVX_Vector v) {
  Q6_vmem_QRIV(Q6_Q_vsetq2_R(static_cast<int32_t>(count)), static_cast<HVX_Vector*>(to), v);
}

/// Writes the first `count` (1 to 128) bytes of a vector to any address: in one line, or in the two that they reach.
OPKG_INLINE void store_some(void* to, size_t count, HVX_Vector v) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(to);
  const uintptr_t last = at + count - 1;
  const HVX_Vector turned = Q6_V_vlalign_VVR(v, v, static_cast<int32_t>(at));
  const HVX_VectorPred before = Q6_Q_vsetq_R(static_cast<int32_t>(at));        // bytes of the first line in front of us
  const HVX_VectorPred until = Q6_Q_vsetq2_R(static_cast<int32_t>(last + 1));  // bytes of the last line up to our end
  HVX_Vector* const first_line = reinterpret_cast<HVX_Vector*>(line(at));
  HVX_Vector* const last_line = reinterpret_cast<HVX_Vector*>(line(last));
  if (first_line == last_line) {
    Q6_vmem_QRIV(Q6_Q_and_QQn(until, before), first_line, turned);
  } else {
    Q6_vmem_QnRIV(before, first_line, turned);
    Q6_vmem_QRIV(until, last_line, turned);
  }
}

#else

// On the host only the bytes themselves are touched, so that tools which look for reads over the end stay silent.
OPKG_INLINE HVX_Vector load_some(const void* from, size_t count) {
  HVX_Vector v = {};
  memcpy(&v, from, count);
  return v;
}
OPKG_INLINE HVX_Vector load_unaligned(const void* at) { return load_some(at, kBytes); }
OPKG_INLINE void store_some(void* to, size_t count, HVX_Vector v) { memcpy(to, &v, count); }
OPKG_INLINE void store_some_aligned(void* to, size_t count, HVX_Vector v) { memcpy(to, &v, count); }
OPKG_INLINE void store_unaligned(void* at, HVX_Vector v) { memcpy(at, &v, kBytes); }

#endif

/// A vector of one element.
template <typename T>
OPKG_INLINE HVX_Vector splat(const void* at) {
  static_assert(sizeof(T) <= 4, "no lanes of 8 bytes");
  if (sizeof(T) == 1) return Q6_Vb_vsplat_R(*static_cast<const uint8_t*>(at));
  uint32_t bits = 0;
  memcpy(&bits, static_cast<const T*>(at), sizeof(T));  // which tells how it is aligned
  return sizeof(T) == 2 ? Q6_Vh_vsplat_R(static_cast<int32_t>(bits)) : Q6_V_vsplat_R(static_cast<int32_t>(bits));
}

/// 128 bytes of a run of `period` bytes, at most 128, again and again, from its byte `at` (below `period`) on.
OPKG_INLINE HVX_Vector repeated_short(const uint8_t* run, size_t period, size_t at) {
  HVX_Vector v = load_some(run + at, period - at);
  if (at != 0) {
    const auto there = static_cast<int32_t>(period - at);
    v = Q6_V_vmux_QVV(Q6_Q_vsetq_R(there), v, Q6_V_vror_VR(load_some(run, at), -there));
  }
  OPKG_UNROLL(1)
  for (size_t valid = period; valid < kBytes; valid *= 2) {  // what is there comes again
    const auto from = static_cast<int32_t>(valid);
    v = Q6_V_vmux_QVV(Q6_Q_vsetq_R(from), v, Q6_V_vror_VR(v, -from));
  }
  return v;
}

/// The same of any period.
inline __attribute__((noinline)) HVX_Vector repeated(const uint8_t* run, size_t period, size_t at) {
  if (period <= kBytes) return repeated_short(run, period, at);
  if (period - at >= kBytes) return load_unaligned(run + at);
  const auto there = static_cast<int32_t>(period - at);
  return Q6_V_vmux_QVV(Q6_Q_vsetq_R(there), load_some(run + at, period - at), Q6_V_vror_VR(load_some(run, kBytes), -there));
}

/// What follows a vector of a run of at most 128 bytes. `on`: 128 % period.
OPKG_INLINE HVX_Vector following(HVX_Vector v, int32_t period, int32_t on) {
  return Q6_V_vmux_QVV(Q6_Q_vsetq2_R(static_cast<int32_t>(kBytes) - on), Q6_V_vror_VR(v, on), Q6_V_vror_VR(v, on - period));
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_VECTOR_H_
