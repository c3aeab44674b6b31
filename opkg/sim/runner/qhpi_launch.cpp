// Calls kernels; a multithreaded one runs in settings().slices threads that share a zeroed sync block.
// SPDX-License-Identifier: Apache-2.0
#include "qhpi_launch.h"

#include <pthread.h>

#include "interface.h"
#include "results.h"

namespace opkg {
namespace {

struct Slice {
  const Launch* launch;
  QHPI_RuntimeHandle handle;
  uint32_t status;
  pthread_t thread;
};

void runSlice(Slice* slice) {
  const Launch& launch = *slice->launch;
  const QHPI_Kernel_v1& kernel = *launch.kernel;
  if (kernel.function_with_precomputed_data != nullptr) {
    slice->status = kernel.function_with_precomputed_data(&slice->handle, launch.data);
    return;
  }
  if (kernel.function == nullptr) {
    slice->status = 100;
    return;
  }
  std::vector<QHPI_Tensor*> out = launch.out;  // the arrays are the callee's to look at, not to keep
  slice->status = kernel.function(&slice->handle, static_cast<uint32_t>(out.size()), out.data(),
                                  static_cast<uint32_t>(launch.in.size()), launch.in.data());
}

void* runThread(void* slice) {
  runSlice(static_cast<Slice*>(slice));
  return nullptr;
}

// Some backends ask a kernel for its cost with the tensors that it runs on (docs/measured-qhpi.md, "Cost functions").
bool asksCost(const Launch& launch, QHPI_RuntimeHandle* handle) {
  const QHPI_CostFunc cost = launch.kernel->cost_function;
  if (cost == nullptr) return true;
  const float cycles = cost(handle, static_cast<uint32_t>(launch.in.size()), launch.in.data());
  if (cycles >= 0.0f) return true;
  LogCapture::add(1, "the cost function gives no number of cycles");
  return false;
}

}  // namespace

uint32_t launchKernel(const Launch& launch) {
  const uint32_t count = launch.kernel->multithreaded ? settings().slices : 1;
  std::vector<uint64_t> sync((launch.kernel->sync_block_size + 7) / 8 + 8, 0);
  static char srm_context[64];
  std::vector<Slice> slices(count);
  for (uint32_t i = 0; i < count; ++i) {
    slices[i] = {
        &launch, {count, i, launch.kernel->sync_block_size > 0 ? sync.data() : nullptr, srm_context}, 0, 0};
  }
  if (!asksCost(launch, &slices[0].handle)) return 100;
  if (count == 1) {
    runSlice(&slices[0]);
    return slices[0].status;
  }
  for (Slice& slice : slices) pthread_create(&slice.thread, nullptr, runThread, &slice);
  for (Slice& slice : slices) pthread_join(slice.thread, nullptr);
  for (const Slice& slice : slices) {
    if (slice.status != 0) return slice.status;
  }
  return 0;
}

}  // namespace opkg
