// Tensors as kernels see them: a definition, a layout, guarded memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_QHPI_TENSOR_H_
#define OPKG_RUNNER_QHPI_TENSOR_H_

#include <memory>
#include <string>
#include <vector>

#include "interface.h"
#include "qhpi_layout.h"
#include "qhpi_types.h"

struct QHPI_Tensor {
  QHPI_OutputDef def = {};
  uint32_t layout = QHPI_Layout_Flat4;
  uint32_t storage = QHPI_Storage_Direct;  // as it is, never "either"
  uint32_t placement = QHPI_MemLoc_TCM_Only;
  std::shared_ptr<opkg::GuardedBuffer> memory;  // none while kernels are being chosen
  std::vector<void*> table;

  // A tensor that satisfies `signature`.
  QHPI_Tensor(const QHPI_OutputDef& definition, const QHPI_Tensor_Signature_v1& signature);

  void allocate(const std::string& name, const opkg::CallStyle& style);
  void shareMemoryOf(const QHPI_Tensor& other);  // source_destructive
  uint64_t storedBytes() const;                  // with padding

  void write(const std::vector<uint8_t>& dense);
  std::vector<uint8_t> read() const;
};

struct QHPI_RuntimeHandle {
  uint32_t slices = 1;
  uint32_t slice = 0;
  void* sync_block = nullptr;
  void* srm_context = nullptr;
};

namespace opkg {

// An optional input that was left out: a shape of zeros.
bool isAbsent(const QHPI_OutputDef& def);

// The layout that a signature means for a tensor of this definition, or why it does not fit.
// `layout` is set on success. Layout "any" keeps flat.
bool signatureFits(const QHPI_OutputDef& def, const QHPI_Tensor_Signature_v1& signature, uint32_t* layout,
                   std::string* why);

}  // namespace opkg

#endif  // OPKG_RUNNER_QHPI_TENSOR_H_
