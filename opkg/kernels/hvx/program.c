// Frame of the program that runs HVX intrinsics; opkg/kernels/hvx/program.py puts the tests in.
// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <hexagon_types.h>
#include <hexagon_protos.h>
#ifdef __hexagon__
#include <hvx_hexagon_protos.h>
void *memcpy(void *to, const void *from, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *memset(void *to, int value, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) ((volatile char *)to)[i] = (char)value;
  return to;
}
static int call(int number, int a, int b, int c) {
  register int r6 __asm__("r6") = number;
  register int r0 __asm__("r0") = a;
  register int r1 __asm__("r1") = b;
  register int r2 __asm__("r2") = c;
  __asm__ volatile("trap0(#1)" : "+r"(r0) : "r"(r6), "r"(r1), "r"(r2) : "memory");
  return r0;
}
static void emit(const void *bytes, int n) {
  while (n > 0) {
    int done = call(64, 1, (int)bytes, n);
    bytes = (const char *)bytes + done;
    n -= done;
  }
}
#else
#include <unistd.h>
static void emit(const void *bytes, int n) {
  while (n > 0) {
    int done = (int)write(1, bytes, (size_t)n);
    bytes = (const char *)bytes + done;
    n -= done;
  }
}
#endif

static uint32_t state = 1;
static uint32_t next(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}
static const uint32_t extremes[] = {0, 1, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0x80808080u, 0x7f7f7f7fu,
                                    0x80008000u, 0x7fff7fffu, 0x00ff00ffu, 0xff00ff00u, 0x01010101u,
                                    0x0000ffffu, 0x8000ffffu, 0x00010001u, 0x80007fffu};
static int32_t scalar(int round) {
  if (round % 3 == 0) return (int32_t)(next() & 127);
  return (int32_t)(round % 3 == 1 ? extremes[next() % 16] : next());
}
static uint32_t before[32];
// Gather and scatter: its address has to fit in 32 bits, so a program for the host is linked without PIE.
static unsigned char region[4096] __attribute__((aligned(4096)));
static void fill(void) {
  for (int i = 0; i < 4096; i++) region[i] = (unsigned char)next();
}
static void begin(uint32_t seed) {
  state = seed;
  for (int i = 0; i < 32; i++) before[i] = 0;
}
static HVX_Vector vector(int round) {
  union { HVX_Vector v; uint32_t words[32]; } u;
  for (int i = 0; i < 32; i++) {
    u.words[i] = round % 2 ? next() : extremes[next() % 16];
    if (round % 4 >= 2) {  // some bytes, halfwords and words equal those of the vector before
      uint32_t same = extremes[next() % 16];
      u.words[i] = (u.words[i] & ~same) | (before[i] & same);
    }
    before[i] = u.words[i];
  }
  return u.v;
}
static HVX_VectorPair two(int round) {
  HVX_Vector high = vector(round);
  return Q6_W_vcombine_VV(high, vector(round + 1));
}
static HVX_VectorPred predicate(int round) { return Q6_Q_vand_VR(vector(round), 0x04042010); }
static union { HVX_Vector v; char bytes[128]; } V;
static union { HVX_VectorPair w; char bytes[256]; } W;
static int32_t R;
// THE TESTS
#ifdef __hexagon__
void _start(void) { run(); call(94, 0, 0, 0); }
#else
int main() { run(); }
#endif
