// Frame of a program that measures one kernel in qemu-hexagon; program.py puts the kernel in.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_BENCH_FRAME_H_
#define OPKG_BENCH_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "opkg/kernel.h"

extern "C" int opkg_write_all(int, const void*, size_t);

namespace opkg::bench {

constexpr size_t kMost = 16384 + 128;  ///< elements of a row
constexpr size_t kWidest = 8;          ///< bytes of an element

/// Packets, instructions and HVX instructions so far: control registers that assemblers have no names for.
struct Counts {
  uint32_t packets;
  uint32_t instructions;
  uint32_t vectors;
};

template <int kRegister>
inline __attribute__((always_inline)) uint32_t counter() {
  register uint32_t value __asm__("r0");
  if constexpr (kRegister == 20) __asm__ volatile(".word 0x6a14c000" : "=r"(value)::"memory");
  if constexpr (kRegister == 21) __asm__ volatile(".word 0x6a15c000" : "=r"(value)::"memory");
  if constexpr (kRegister == 22) __asm__ volatile(".word 0x6a16c000" : "=r"(value)::"memory");
  return value;
}

inline __attribute__((always_inline)) Counts counts() { return {counter<20>(), counter<21>(), counter<22>()}; }

inline Counts minus(const Counts& a, const Counts& b) {
  return {a.packets - b.packets, a.instructions - b.instructions, a.vectors - b.vectors};
}

/// One operand: room for a row, aligned.
struct Room {
  alignas(128) uint8_t bytes[kMost * kWidest];
};

inline uint32_t next_random(uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

/// Any bytes; for floats, numbers between -4 and 4.
inline void fill(Room& room, size_t n, size_t size, bool floats, uint32_t seed) {
  uint32_t state = seed * 2654435761u + 1;
  const size_t words = (n * size + 3) / 4;
  for (size_t i = 0; i < words; ++i) {
    const uint32_t word = next_random(state);
    const float real = static_cast<float>(static_cast<int32_t>(word)) * (4.0f / 2147483648.0f);
    memcpy(room.bytes + 4 * i, floats ? static_cast<const void*>(&real) : &word, 4);
  }
}

template <typename T>
inline void tensor(Tensor<T>& view, Room& room, size_t n, float scale, int32_t zero) {
  view.data = reinterpret_cast<T*>(room.bytes);
  view.rank = 1;
  view.dims[0] = static_cast<uint32_t>(n);
  view.scale = scale;
  view.zero = zero;
}

/// A stored element in steps; of a half, how many lie between it and 0, of any NaN one number.
template <typename T>
inline double steps_of(T x) {
  return static_cast<double>(x);
}
inline double steps_of(Float16 x) {
  const int32_t size = x.bits() & 0x7fff;
  return size > 0x7c00 ? 0x7fff : (x.bits() & 0x8000) != 0 ? -size : size;
}

/// How two rows of stored elements differ: how many elements do, and by how many steps at most.
struct Difference {
  uint32_t elements;
  uint32_t most;
};

template <typename T>
inline Difference difference(const Room& a, const Room& b, size_t n) {
  Difference found = {0, 0};
  for (size_t i = 0; i < n; ++i) {
    T x;
    T y;
    memcpy(&x, a.bytes + i * sizeof(T), sizeof(T));
    memcpy(&y, b.bytes + i * sizeof(T), sizeof(T));
    if (memcmp(&x, &y, sizeof(T)) == 0) continue;
    const double apart = steps_of(x) - steps_of(y);
    if (apart == 0) continue;
    ++found.elements;
    const double size = apart < 0 ? -apart : apart;
    const uint32_t steps = size > 4e9 ? 4000000000u : static_cast<uint32_t>(size);
    if (steps > found.most) found.most = steps;
  }
  return found;
}

inline size_t number(const char* text) {
  size_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + static_cast<size_t>(*text - '0');
  return value;
}

/// What the program writes.
struct Report {
  uint32_t status;  ///< 0 measured, 1 prepare() refused, 2 vector() refused
  Counts counts;
  Difference difference;
};

}  // namespace opkg::bench

#endif  // OPKG_BENCH_FRAME_H_
