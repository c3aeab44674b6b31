// Guarded copies of a kernel's tensors inside a real backend.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_HTP_GUARD_H_
#define OPKG_RUNNER_HTP_GUARD_H_

#include <string>
#include <vector>

#include "guarded.h"

namespace opkg {

// The runner stands in front of the backend's qhpi_register_ops_v1, qhpi_tensor_raw_data and qhpi_tensor_block_table:
// packages resolve these names in the executable first. Registered kernels are called through it, and get the addresses of
// copies that lie between unreadable pages; what they wrote is carried back. Kernels with precomputed data, which keep
// addresses from one call to another, and those with a sync block, whose slices may talk through their outputs, get the
// backend's own memory.

// Once, before a package is registered: the backend whose functions stand behind ours. False: it lacks QHPI's functions,
// those of QNN 2.47.
bool guardBackend(void* library);

// Where copies lie in the kernel calls that follow.
void guardTensorsAt(Place place);

// What a kernel did to memory that is not its own since the last time; empty: nothing.
std::string takeGuardViolation();

// The kernels that were called since the last time, each once.
std::vector<std::string> takeKernels();

// The kernels that were registered and get no copies, in words; empty when all get them.
std::string unguardedKernels();

}  // namespace opkg

#endif  // OPKG_RUNNER_HTP_GUARD_H_
