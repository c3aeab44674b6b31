// <stdlib.h> of our own: declarations, which the device's C library defines.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_FREESTANDING_STDLIB_H_
#define OPKG_FREESTANDING_STDLIB_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void* malloc(size_t size);
void* calloc(size_t count, size_t size);
void* realloc(void* block, size_t size);
void free(void* block);
__attribute__((noreturn)) void abort(void);
int abs(int value);
long labs(long value);
long long llabs(long long value);
#ifdef __cplusplus
}
#endif

#endif  // OPKG_FREESTANDING_STDLIB_H_
