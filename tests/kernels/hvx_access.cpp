// What reading and writing a row costs, and what a predicate says. test_kernels_hvx_access.py reads the output.
#include "opkg/hvx.h"

#ifdef __hexagon__
extern "C" int opkg_write_all(int, const void*, size_t);
template <int kRegister>
static inline uint32_t counter() {
  register uint32_t value __asm__("r0");
  if constexpr (kRegister == 20) __asm__ volatile(".word 0x6a14c000" : "=r"(value));
  if constexpr (kRegister == 22) __asm__ volatile(".word 0x6a16c000" : "=r"(value));
  return value;
}
#endif

struct Add {
  static constexpr uint32_t kStep = 128;

  template <uint32_t kFixed, bool kAligned>
  bool row(const void* __restrict a_data, const void* __restrict b_data, void* __restrict y_data, size_t n) const {
    const opkg::hvx::In<uint8_t, kStep, kAligned, (kFixed & 1) != 0> a(a_data, n, opkg::hvx::kNoPaths<2>);
    const opkg::hvx::In<uint8_t, kStep, kAligned, (kFixed & 2) != 0> b(b_data, n, opkg::hvx::kNoPaths<2>);
    const opkg::hvx::Out<uint8_t, kStep, kAligned> y(y_data, n);
    if (kFixed == 0) {
      OPKG_UNROLL(1)
      for (size_t i = 0; i < n / kStep; ++i) y.put(i, 0, Q6_Vub_vadd_VubVub_sat(a.at(i, 0), b.at(i, 0)));
    } else {
      OPKG_UNROLL(4)
      for (size_t i = 0; i < n / kStep; ++i) y.put(i, 0, Q6_Vub_vadd_VubVub_sat(a.at(i, 0), b.at(i, 0)));
    }
    if (n % kStep != 0) y.put_tail(0, Q6_Vub_vadd_VubVub_sat(a.tail(0), b.tail(0)));
    return true;
  }
};

[[maybe_unused]] alignas(128) static uint8_t a[8448], b[8448], y[8448];

template <uint32_t kFixed, bool kAligned>
__attribute__((noinline)) static bool call(const uint8_t* from, const uint8_t* with, uint8_t* to, size_t n) {
  return Add().row<kFixed, kAligned>(from, with, to, n);
}
[[maybe_unused]] __attribute__((noinline)) static bool nothing(const uint8_t*, const uint8_t*, uint8_t*, size_t n) {
  __asm__ volatile("" ::"r"(n));
  return true;
}

static uint32_t found[64];
static uint32_t number;

template <typename Call>
static void count([[maybe_unused]] const Call& work, [[maybe_unused]] size_t n, [[maybe_unused]] uint32_t shift) {
#ifdef __hexagon__
  const uint8_t* const from = a + shift;
  uint8_t* const to = y + shift;
  const uint32_t a0 = counter<20>(), c0 = counter<22>();
  nothing(from, from, to, n);
  const uint32_t a1 = counter<20>(), c1 = counter<22>();
  work(from, b, to, n);
  const uint32_t a2 = counter<20>(), c2 = counter<22>();
  found[number++] = (a2 - a1) - (a1 - a0);
  found[number++] = (c2 - c1) - (c1 - c0);
#endif
}

#ifndef __hexagon__
#include <unistd.h>
static int opkg_write_all(int file, const void* from, size_t n) { return write(file, from, n) == (ssize_t)n ? 0 : -1; }
#endif

int main() {
  count(call<0, true>, 8192, 0);
  count(call<0, true>, 8192 + 37, 0);
  count(call<2, true>, 8192, 0);
  count(call<0, false>, 8192, 64);
  count(call<0, false>, 8192 + 37, 64);
  uint32_t wrong = 0;
  for (int32_t i = 0; i < 128; ++i) {
    const HVX_VectorPred one = Q6_Q_and_QQn(Q6_Q_vsetq2_R(i + 1), Q6_Q_vsetq_R(i));
    wrong += opkg::hvx::any(one) ? 0 : 1;
  }
  wrong += opkg::hvx::any(Q6_Q_vsetq_R(0)) ? 1 : 0;
  found[number++] = wrong;
  opkg_write_all(1, found, number * 4);
}
