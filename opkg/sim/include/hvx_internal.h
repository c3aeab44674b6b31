// Stand-in for the vendor header of this name: loads and stores of vectors, prefetch.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_INTERNAL_H_
#define OPKG_HVX_INTERNAL_H_

#include <stddef.h>
#include <stdint.h>

#include "hexagon_protos.h"
#include "hexagon_types.h"

#ifndef VLEN
#define VLEN 128
#endif
#ifndef HVX_INLINE_ALWAYS
#define HVX_INLINE_ALWAYS inline __attribute__((unused, always_inline))
#endif
#ifndef restrict
#define restrict __restrict__
#endif

// A pair of vectors under its older name.
typedef HVX_VectorPair HVX_DV;

// Aligned and unaligned vectors in memory, to be read or assigned. Like the hardware, vmem ignores the low address bits.
#define vmem(A) (*(HVX_Vector*)((uintptr_t)(A) & ~(uintptr_t)(VLEN - 1)))
#define vmemu(A) (*(HVX_UVector*)(A))

// Stores the first `n` bytes (0 to 128) of a vector, at any address.
static inline void q6op_vstu_variable_ARV(void* address, int n, HVX_Vector v) {
  __builtin_memcpy(address, &v, (size_t)(n < 0 ? 0 : n > VLEN ? VLEN : n));
}
#define vstu_variable q6op_vstu_variable_ARV
static inline void q6op_vstu_AV(void* address, HVX_Vector v) { *(HVX_UVector*)address = v; }

// Stores the bytes whose predicate is true, or false; the address is rounded down to a whole vector.
static inline void q6op_vstcc_QAV(HVX_VectorPred q, void* address, HVX_Vector v) {
  Q6_vmem_QRIV(q, (HVX_Vector*)address, v);
}
static inline void q6op_vstcc_QnAV(HVX_VectorPred q, void* address, HVX_Vector v) {
  Q6_vmem_QnRIV(q, (HVX_Vector*)address, v);
}

// Prefetch into L2, of `height` rows; on a host it does nothing.
static inline void L2fetch(uintptr_t address, uint64_t box) {
#ifdef __hexagon__
  __asm__ __volatile__("l2fetch(%0,%1)" : : "r"(address), "r"(box));
#else
  (void)address, (void)box;
#endif
}
static inline void l2fetch(const void* address, uint32_t stride, uint32_t width, uint32_t height) {
  L2fetch((uintptr_t)address, (uint64_t)stride << 32 | (uint64_t)(width & 0xffffu) << 16 | (height & 0xffffu));
}
static inline void l2fetch(const void* address, uint32_t stride, uint32_t width, uint32_t height,
                           uint32_t direction) {
  (void)direction, l2fetch(address, stride, width, height);
}
static inline void l2pref(const void* address, uint32_t height, uint32_t width, uint32_t stride) {
  l2fetch(address, stride, width, height);
}

// Whether an address is a multiple of `alignment`, and whether `size` bytes from it on lie in one chunk of `chunk` bytes;
// both are powers of two.
static inline int32_t is_aligned(const void* address, uint32_t alignment) {
  return ((uintptr_t)address % alignment) == 0;
}
static inline int32_t is_in_one_chunk(const void* address, uint32_t size, uint32_t chunk) {
  return (uintptr_t)address % chunk + size <= chunk;
}

#endif  // OPKG_HVX_INTERNAL_H_
