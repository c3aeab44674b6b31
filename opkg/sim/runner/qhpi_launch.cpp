// Calls kernels; the slices of a multithreaded one share a zeroed sync block.
// SPDX-License-Identifier: Apache-2.0
#include "qhpi_launch.h"

#include <pthread.h>

#include "leaks.h"
#include "results.h"

namespace opkg {
namespace {

struct Slice {
  const Launch* launch;
  QHPI_RuntimeHandle handle;
  uint32_t status;
  pthread_t thread;
  pthread_barrier_t* start;
};

void runSlice(Slice* slice) {
  const Launch& launch = *slice->launch;
  std::vector<QHPI_Tensor*> out = launch.out;  // the arrays are the callee's to look at, not to keep
  const KernelScope scope;
  const QHPI_Kernel_v1& kernel = *launch.kernel;
  if (kernel.function_with_precomputed_data != nullptr) {
    slice->status = kernel.function_with_precomputed_data(&slice->handle, launch.data);
    return;
  }
  if (kernel.function == nullptr) {
    slice->status = 100;
    return;
  }
  slice->status = kernel.function(&slice->handle, static_cast<uint32_t>(out.size()), out.data(),
                                  static_cast<uint32_t>(launch.in.size()), launch.in.data());
}

void* runThread(void* argument) {
  Slice* const slice = static_cast<Slice*>(argument);
  ignoreOwnLeaks();
  pthread_barrier_wait(slice->start);
  runSlice(slice);
  return nullptr;
}

void runTogether(std::vector<Slice>* slices) {
  pthread_barrier_t start;
  pthread_barrier_init(&start, nullptr, static_cast<unsigned>(slices->size()));
  for (Slice& slice : *slices) {
    slice.start = &start;
    pthread_create(&slice.thread, nullptr, runThread, &slice);
  }
  for (Slice& slice : *slices) pthread_join(slice.thread, nullptr);
  pthread_barrier_destroy(&start);
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

uint32_t launchKernel(const Launch& launch, uint32_t slices, bool concurrently,
                      const std::function<bool(uint32_t slice)>& after) {
  const uint32_t count = launch.kernel->multithreaded ? slices : 1;
  std::vector<uint64_t> sync((launch.kernel->sync_block_size + 7) / 8 + 8, 0);
  static char srm_context[64];
  std::vector<Slice> calls(count);
  for (uint32_t i = 0; i < count; ++i) {
    void* const block = launch.kernel->sync_block_size > 0 ? sync.data() : nullptr;
    calls[i] = {&launch, {count, i, block, srm_context}, 0, {}, nullptr};
  }
  if (!asksCost(launch, &calls[0].handle)) return 100;
  if (concurrently && count > 1) {
    runTogether(&calls);
  } else {
    for (uint32_t i = count; i-- > 0;) {
      runSlice(&calls[i]);
      if (calls[i].status != 0 || !after(i)) return calls[i].status;
    }
  }
  for (const Slice& slice : calls) {
    if (slice.status != 0) return slice.status;
  }
  return 0;
}

}  // namespace opkg
