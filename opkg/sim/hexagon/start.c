// Start-up and Linux system calls of a static Hexagon program: trap0(#1), the number in r6, arguments in r0 to r5.
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "system.h"

int main(int argc, char** argv);

long opkg_system_call(long number, long a, long b, long c, long d, long e, long f) {
  register long r0 __asm__("r0") = a;
  register long r1 __asm__("r1") = b;
  register long r2 __asm__("r2") = c;
  register long r3 __asm__("r3") = d;
  register long r4 __asm__("r4") = e;
  register long r5 __asm__("r5") = f;
  register long r6 __asm__("r6") = number;
  __asm__ volatile("trap0(#1)" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6) : "memory");
  return r0;
}

void opkg_exit(int status) {
  for (;;) opkg_system_call(kCallExitGroup, status, 0, 0, 0, 0, 0);
}

long opkg_read(int file, void* data, size_t size) {
  return opkg_system_call(kCallRead, file, (long)data, (long)size, 0, 0, 0);
}

int opkg_write_all(int file, const void* data, size_t size) {
  const char* from = data;
  while (size != 0) {
    const long done = opkg_system_call(kCallWrite, file, (long)from, (long)size, 0, 0, 0);
    if (done <= 0) return 0;
    from += done;
    size -= (size_t)done;
  }
  return 1;
}

int opkg_open(const char* path, int flags) {
  return (int)opkg_system_call(kCallOpenAt, kHere, (long)path, flags, 0644, 0, 0);
}

void* opkg_map(size_t size) {
  const long where = opkg_system_call(kCallMap, 0, (long)size, kReadWrite, kPrivateAnonymous, -1, 0);
  return where < 0 && where > -4096 ? (void*)0 : (void*)where;
}

void abort(void) {
  static const char kText[] = "abort\n";
  opkg_write_all(2, kText, sizeof kText - 1);
  __builtin_trap();
}

// The stack holds argc, then the pointers of argv. Constructors are not run: on the device nobody is known to do so.
__attribute__((used, noreturn)) static void started(long* stack) {
  const int argc = (int)stack[0];
  char** argv = (char**)(stack + 1);
  opkg_exit(main(argc, argv));
  for (;;) {
  }
}

__asm__(
    ".globl _start\n"
    ".type _start, @function\n"
    "_start:\n"
    "  r0 = r29\n"
    "  r29 = and(r29, #-128)\n"
    "  call started\n"
    ".size _start, .-_start\n");
