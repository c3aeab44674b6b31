// One kernel call, or several at once for multithreaded kernels.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_QHPI_LAUNCH_H_
#define OPKG_RUNNER_QHPI_LAUNCH_H_

#include <functional>
#include <vector>

#include "qhpi_tensor.h"

namespace opkg {

struct Launch {
  const QHPI_Kernel_v1* kernel;
  std::vector<QHPI_Tensor*> out;
  std::vector<const QHPI_Tensor*> in;
  const void* data;  // precomputed
};

// The kernel's status; of several slices the first that failed. 100: the kernel has no function. `concurrently`: slices
// run in threads that start together; else one after the other, the last one first, with `after` called behind each,
// which ends the call by returning false.
uint32_t launchKernel(const Launch& launch, uint32_t slices, bool concurrently,
                      const std::function<bool(uint32_t slice)>& after);

}  // namespace opkg

#endif  // OPKG_RUNNER_QHPI_LAUNCH_H_
