// What the package of scripts/qhpi_handles.py counts, shared with the program that drives it.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_SCRIPTS_QHPI_HANDLES_H_
#define OPKG_SCRIPTS_QHPI_HANDLES_H_

#include <cstdint>

enum Counter {
  kPrecomputed,      // calls of precomputation
  kExecuted,         // calls of a kernel
  kNoMemoryYet,      // tensors without memory in precomputation
  kMemoryMoved,      // tensors whose data (or block table) lies elsewhere than in precomputation
  kBlockMoved,       // tensors whose first block does
  kDataMoved,        // kernels whose precomputed data lies elsewhere than it was written
  kDataUnaligned,    // precomputed data not at a multiple of 128
  kTensorUnaligned,  // flat tensors not at a multiple of 128
  kShapeDiffers,     // outputs whose handle says another shape
  kSliced,           // kernel calls that were one of several slices
  kCounters
};

#endif  // OPKG_SCRIPTS_QHPI_HANDLES_H_
