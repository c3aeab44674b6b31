// QNN tensors as kernels of the classic interface see them: HTP element type, rank 4, zero offset and step.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_CLASSIC_TYPES_H_
#define OPKG_RUNNER_CLASSIC_TYPES_H_

#include <string>
#include <vector>

#include "HTP/opkg/classic_abi.h"
#include "case_file.h"

namespace opkg {

// HTP DType number of a QNN data type; 0 where HTP has none. Signed types stay signed.
uint32_t htpType(uint32_t qnn_dtype);
uint32_t htpTypeSize(uint32_t htp_dtype);
const char* htpTypeName(uint32_t htp_dtype);
const char* graphStatusName(int status);

// One value of the graph: its dense bytes and how they are read.
struct ClassicValue {
  std::string name;
  uint32_t dtype = 0;  // HTP
  uint64_t dims[kOpkgRank] = {1, 1, 1, 1};
  uint32_t rank = 0;  // in the case; dims are padded in front
  float stepsize = 1.0f;
  int32_t zero_offset = 0;
  bool known = false;  // has its bytes
  std::vector<uint8_t> bytes;

  uint64_t elements() const { return dims[0] * dims[1] * dims[2] * dims[3]; }
  uint64_t size() const { return elements() * htpTypeSize(dtype); }
};

// False, and why, for tensors a backend does not take.
bool makeValue(const TensorSpec& tensor, ClassicValue* value, std::string* error);

// A scalar param as a constant of dimensions [1,1,1,1]. BOOL_8 arrives typed Float32 with the integer's bits,
// as measured in the real backend (through QHPI).
bool makeScalar(const std::string& name, uint32_t qnn_dtype, uint64_t bits, ClassicValue* value,
                std::string* error);

std::string dimsText(const uint64_t* dims);

}  // namespace opkg

#endif  // OPKG_RUNNER_CLASSIC_TYPES_H_
