// <stdio.h> of our own: what formats text. There are no files; on Android, the one for errors.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_FREESTANDING_STDIO_H_
#define OPKG_FREESTANDING_STDIO_H_

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
int snprintf(char* text, size_t size, const char* format, ...) __attribute__((format(printf, 3, 4)));
int puts(const char* text);
int putchar(int c);
int vsnprintf(char* text, size_t size, const char* format, va_list args) __attribute__((format(printf, 3, 0)));
#ifdef __ANDROID__
typedef struct opkg_opaque_file FILE;
extern FILE* stderr;
int fputc(int c, FILE* file);
int fprintf(FILE* file, const char* format, ...) __attribute__((format(printf, 2, 3)));
int vfprintf(FILE* file, const char* format, va_list args) __attribute__((format(printf, 2, 0)));
#endif
#ifdef __cplusplus
}
#endif

#endif  // OPKG_FREESTANDING_STDIO_H_
