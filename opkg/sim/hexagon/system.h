// What the emulated Linux gives a program: files, memory, an end.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_SIM_HEXAGON_SYSTEM_H_
#define OPKG_SIM_HEXAGON_SYSTEM_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Numbers of the generic Linux system call table, and the flags that are used.
enum {
  kCallOpenAt = 56,
  kCallClose = 57,
  kCallRead = 63,
  kCallWrite = 64,
  kCallExitGroup = 94,
  kCallAction = 134,
  kCallUnmap = 215,
  kCallMap = 222,
  kCallProtect = 226,
  kHere = -100,
  kReadWrite = 3,
  kPrivateAnonymous = 0x22,
  kOpenRead = 0,
  kOpenAppend = 01 | 0100 | 02000,
};

long opkg_system_call(long number, long a, long b, long c, long d, long e, long f);
void opkg_exit(int status) __attribute__((noreturn));

/// Bytes read, 0 at the end, negative: an error.
long opkg_read(int file, void* data, size_t size);

/// 1 when everything was written.
int opkg_write_all(int file, const void* data, size_t size);

/// A file descriptor, or a negative error number.
int opkg_open(const char* path, int flags);

/// Zeroed pages, or null.
void* opkg_map(size_t size);

#ifdef __cplusplus
}
#endif

#endif  // OPKG_SIM_HEXAGON_SYSTEM_H_
