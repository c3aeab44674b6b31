// <string.h> of our own: declarations, which the device's C library defines.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_FREESTANDING_STRING_H_
#define OPKG_FREESTANDING_STRING_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void* memcpy(void* to, const void* from, size_t size);
void* memmove(void* to, const void* from, size_t size);
void* memset(void* to, int value, size_t size);
int memcmp(const void* a, const void* b, size_t size);
int strcmp(const char* a, const char* b);
int strncmp(const char* a, const char* b, size_t size);
size_t strlen(const char* text);
#ifdef __cplusplus
}
#endif

#endif  // OPKG_FREESTANDING_STRING_H_
