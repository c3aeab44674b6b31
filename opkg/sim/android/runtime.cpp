// What a C++ library would give the half of a package that Android loads, which is linked without one: memory, locks of static
// variables inside functions, and the name by which destructors are ordered. Everything else is the C library's.
// Compiled with -fvisibility=hidden -fvisibility-global-new-delete=force-hidden: a process has others of these names.
// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

extern "C" int sched_yield(void);
extern "C" __attribute__((weak)) void* __dso_handle;  // start-up files may bring their own
void* __dso_handle = &__dso_handle;

// The first byte of a guard says that the variable is filled (the compiler reads it), the second that a thread fills it.
enum : uint8_t { kFree, kTaken };

extern "C" int __cxa_guard_acquire(uint64_t* guard) {
  auto* const bytes = reinterpret_cast<uint8_t*>(guard);
  while (__atomic_exchange_n(&bytes[1], kTaken, __ATOMIC_ACQUIRE) == kTaken) sched_yield();
  if (__atomic_load_n(&bytes[0], __ATOMIC_RELAXED) == 0) return 1;
  __atomic_store_n(&bytes[1], kFree, __ATOMIC_RELEASE);
  return 0;
}

extern "C" void __cxa_guard_release(uint64_t* guard) {
  auto* const bytes = reinterpret_cast<uint8_t*>(guard);
  __atomic_store_n(&bytes[0], uint8_t{1}, __ATOMIC_RELEASE);
  __atomic_store_n(&bytes[1], kFree, __ATOMIC_RELEASE);
}

extern "C" [[noreturn]] void __cxa_pure_virtual() { abort(); }

// There are no exceptions: without memory the process ends.
void* operator new(size_t size) {
  void* const block = malloc(size == 0 ? 1 : size);
  if (block == nullptr) abort();
  return block;
}
void* operator new[](size_t size) { return operator new(size); }
void operator delete(void* block) noexcept { free(block); }
void operator delete[](void* block) noexcept { free(block); }
void operator delete(void* block, size_t) noexcept { free(block); }
void operator delete[](void* block, size_t) noexcept { free(block); }
