// QNN data types as QHPI kernels see them, and the conversions a backend inserts (docs/measured-qhpi.md).
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_QHPI_TYPES_H_
#define OPKG_RUNNER_QHPI_TYPES_H_

#include "case_file.h"
#include "opkg/qhpi_abi.h"

namespace opkg {

// How one QNN data type arrives.
struct Arrival {
  uint32_t
      type;  // QHPI element type of the tensor a kernel gets; QHPI_Unknown: the backend takes no such tensor
  uint32_t early_type;  // what early_rewrite sees on a graph input, before the conversion is inserted
  int32_t zero_shift;   // added to the stored integers and to the zero offset (signed types become unsigned)
};
Arrival arrival(uint32_t dtype);

uint32_t elementSize(uint32_t qhpi_type);
const char* typeName(uint32_t qhpi_type);

// Quantization of a tensor as QHPI shows it: zero_offset = -offset (+ shift), step 1 for plain types.
QHPI_Quant_Parameters quantOf(const TensorSpec& tensor, int32_t zero_shift);

// Rank < 4 is padded with leading ones to rank 4.
QHPI_Shape paddedRank(const std::vector<uint32_t>& dims);
uint64_t shapeElements(const QHPI_Shape& shape);
std::string shapeText(const QHPI_Shape& shape);
QHPI_Shape noShape();

// Adds the shift to every element, modulo its width (the same bytes flip back with the same call).
void shiftElements(std::vector<uint8_t>* bytes, uint32_t element_size, int32_t zero_shift);

// The definition and bytes of a scalar param; false for data types that a backend refuses.
bool scalarConstant(const ParamSpec& param, QHPI_OutputDef* def, std::vector<uint8_t>* bytes);

}  // namespace opkg

#endif  // OPKG_RUNNER_QHPI_TYPES_H_
