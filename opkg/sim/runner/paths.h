// Reads how many elements a package's vector code and its portable code computed (opkg/paths.h of generated packages).
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_PATHS_H_
#define OPKG_RUNNER_PATHS_H_

#include <dlfcn.h>

#include "results.h"

namespace opkg {

class PathCounts {
 public:
  // `library`: of dlopen. A package that counts nothing has no such symbol.
  explicit PathCounts(void* library)
      : counts_(library != nullptr ? static_cast<uint64_t*>(dlsym(library, "opkg_paths")) : nullptr) {}

  void clear() const {
    for (int i = 0; counts_ != nullptr && i < 2; ++i) __atomic_store_n(&counts_[i], 0, __ATOMIC_RELAXED);
  }

  Paths get() const {
    if (counts_ == nullptr) return {};
    return {__atomic_load_n(&counts_[0], __ATOMIC_RELAXED), __atomic_load_n(&counts_[1], __ATOMIC_RELAXED)};
  }

 private:
  uint64_t* counts_;
};

}  // namespace opkg

#endif  // OPKG_RUNNER_PATHS_H_
