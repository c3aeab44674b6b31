// The parts of <string.h> and <stdlib.h> that compiled code and kernels call. Compiled without builtins: a loop here must
// not become a call of the function that it is the body of.
// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"

static int aligned8(const void* a, const void* b) { return (((uintptr_t)a | (uintptr_t)b) & 7) == 0; }

void* memcpy(void* to, const void* from, size_t size) {
  char* out = to;
  const char* in = from;
  if (aligned8(out, in)) {
    for (; size >= 8; size -= 8, out += 8, in += 8) *(uint64_t*)out = *(const uint64_t*)in;
  }
  for (; size != 0; --size) *out++ = *in++;
  return to;
}

/// Called by compilers for copies whose size is a multiple of 8.
void* __hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void* to, const void* from, size_t size) {
  return memcpy(to, from, size);
}

void* memmove(void* to, const void* from, size_t size) {
  char* out = to;
  const char* in = from;
  if (out <= in || out >= in + size) return memcpy(to, from, size);
  while (size-- != 0) out[size] = in[size];
  return to;
}

void* memset(void* to, int value, size_t size) {
  unsigned char* out = to;
  const uint64_t eight = 0x0101010101010101ull * (unsigned char)value;
  for (; size != 0 && ((uintptr_t)out & 7) != 0; --size) *out++ = (unsigned char)value;
  for (; size >= 8; size -= 8, out += 8) *(uint64_t*)out = eight;
  for (; size != 0; --size) *out++ = (unsigned char)value;
  return to;
}

int memcmp(const void* a, const void* b, size_t size) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < size; ++i) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}

size_t strlen(const char* text) {
  size_t size = 0;
  while (text[size] != 0) ++size;
  return size;
}

int strncmp(const char* a, const char* b, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (a[i] != b[i]) return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : 1;
    if (a[i] == 0) break;
  }
  return 0;
}

int strcmp(const char* a, const char* b) { return strncmp(a, b, (size_t)-1); }

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }

// Blocks are powers of two with a header of one HVX vector, kept in a list a size when they are freed. Small ones are cut
// from pages of 1 MB.
enum { kHeader = 128, kClasses = 32, kChunk = 1 << 20 };

typedef struct Block {
  size_t size_class;
  struct Block* next;
} Block;

static Block* g_free[kClasses];
static char* g_chunk;
static size_t g_left;

static char* cut(size_t size) {
  if (size >= kChunk) return opkg_map(size);
  if (g_left < size) {
    g_chunk = opkg_map(kChunk);
    g_left = g_chunk != NULL ? kChunk : 0;
  }
  if (g_left < size) return NULL;
  char* block = g_chunk;
  g_chunk += size;
  g_left -= size;
  return block;
}

// The allocator has the names that a DSP exports: the linker's --wrap sends malloc here.

/// Aligned to 128 bytes.
void* __wrap_malloc(size_t size) {
  if (size > (1u << 30)) return NULL;
  unsigned size_class = 8;
  while (((size_t)1 << size_class) < size + kHeader) ++size_class;
  Block* block = g_free[size_class];
  if (block != NULL) {
    g_free[size_class] = block->next;
  } else {
    block = (Block*)cut((size_t)1 << size_class);
    if (block == NULL) return NULL;
    block->size_class = size_class;
  }
  return (char*)block + kHeader;
}

void* __wrap_calloc(size_t count, size_t size) {
  if (size != 0 && count > (1u << 30) / size) return NULL;
  void* block = __wrap_malloc(count * size);
  return block != NULL ? memset(block, 0, count * size) : NULL;
}

void __wrap_free(void* data) {
  if (data == NULL) return;
  Block* block = (Block*)((char*)data - kHeader);
  block->next = g_free[block->size_class];
  g_free[block->size_class] = block;
}

void* __wrap_realloc(void* data, size_t size) {
  if (data == NULL) return __wrap_malloc(size);
  const size_t had = ((size_t)1 << ((Block*)((char*)data - kHeader))->size_class) - kHeader;
  if (size <= had) return data;
  void* grown = __wrap_malloc(size);
  if (grown == NULL) return NULL;
  memcpy(grown, data, had);
  __wrap_free(data);
  return grown;
}

/// Alignments up to 128 bytes; larger ones end the program.
void* __wrap_memalign(size_t alignment, size_t size) {
  if (alignment > kHeader) __builtin_trap();
  return __wrap_malloc(size);
}
