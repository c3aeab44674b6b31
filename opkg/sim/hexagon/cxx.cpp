// What C++ code calls without naming it: new and delete, destructors of globals (never run), pure virtual functions.
// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>
#include <stdlib.h>

extern "C" {
void* __dso_handle = nullptr;
int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
int atexit(void (*)(void)) { return 0; }
void __cxa_pure_virtual() { __builtin_trap(); }
}

void* operator new(size_t size) {
  void* block = malloc(size);
  if (block == nullptr) __builtin_trap();
  return block;
}
void* operator new[](size_t size) { return operator new(size); }
void operator delete(void* block) noexcept { free(block); }
void operator delete[](void* block) noexcept { free(block); }
void operator delete(void* block, size_t) noexcept { free(block); }
void operator delete[](void* block, size_t) noexcept { free(block); }
