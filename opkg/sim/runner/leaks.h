// Memory that kernels leave behind, in a runner built with AddressSanitizer; nothing in others.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_LEAKS_H_
#define OPKG_RUNNER_LEAKS_H_

extern "C" {
void __lsan_disable() __attribute__((weak));
void __lsan_enable() __attribute__((weak));
int __lsan_do_recoverable_leak_check() __attribute__((weak));
}

namespace opkg {

// From here on this thread's allocations are the runner's: it ends without freeing them.
inline void ignoreOwnLeaks() {
  if (__lsan_disable != nullptr) __lsan_disable();
}

// What this thread allocates while one lives is a kernel's.
class KernelScope {
 public:
  KernelScope() {
    if (__lsan_enable != nullptr) __lsan_enable();
  }
  ~KernelScope() { ignoreOwnLeaks(); }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;
};

// Writes a report of blocks that nothing refers to any more.
inline void reportLeaks() {
  if (__lsan_do_recoverable_leak_check != nullptr) __lsan_do_recoverable_leak_check();
}

}  // namespace opkg

#endif  // OPKG_RUNNER_LEAKS_H_
