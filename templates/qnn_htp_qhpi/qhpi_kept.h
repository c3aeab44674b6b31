// Kernels that get nothing but what precomputation left: a view of tensors in blocks, and the function that runs them.
#ifndef OPKG_QHPI_KEPT_H_
#define OPKG_QHPI_KEPT_H_

#include "opkg/kept.h"
#include "opkg/qhpi_tensor.h"
#include "opkg/small.h"

namespace opkg {

/// A tensor in crouton blocks with its handle in place of the table of them (opkg/kept.h).
template <typename T>
inline void keep(const QHPI_Tensor* tensor, Crouton<T>& view) {
  take(tensor, view);
  view.blocks = reinterpret_cast<T* const*>(tensor);
}

/// The arguments of a function that fills what a prepared graph keeps of a call.
template <typename Args>
Args args_of(void (*)(const Args&, void*));
/// Such arguments before anything is known of them.
template <auto kKernel>
OPKG_RARE decltype(args_of(kKernel)) no_args() {
  return {};
}

constexpr Memory kMemory = {qhpi_tensor_raw_data, qhpi_tensor_block_table};

/// Of several slices, and of a buffer that somebody moved.
OPKG_RARE inline uint32_t run_in_slices(QHPI_RuntimeHandle* handle, const KeptCall* call, uint32_t slices) {
  return static_cast<uint32_t>(run(call, kMemory, {qhpi_slice_number(handle), slices}));
}

/// The function of every kernel that gets nothing but what precomputation left. `kSlices`: of one that runs in slices.
template <bool kSlices>
inline uint32_t run_kept([[maybe_unused]] QHPI_RuntimeHandle* handle, const void* data) {
  const KeptCall* const call = kept_call(data);
  if constexpr (kSlices) {
    const uint32_t slices = qhpi_num_slices(handle);
    if (__builtin_expect(slices > 1 || call->self != call, 0)) return run_in_slices(handle, call, slices);
    return static_cast<uint32_t>(call->run(*call, kMemory, Slice{}));
  }
  return static_cast<uint32_t>(run(call, kMemory));
}

}  // namespace opkg

#endif  // OPKG_QHPI_KEPT_H_
