// The measured table of types and the conversions.
// SPDX-License-Identifier: Apache-2.0
#include "qhpi_types.h"

#include <cstring>

#include "opkg/qnn_abi.h"

namespace opkg {

Arrival arrival(uint32_t dtype) {
  switch (dtype) {
    case QNN_DATATYPE_INT_8:
    case QNN_DATATYPE_SFIXED_POINT_8:
      return {QHPI_QUInt8, QHPI_QInt8, 128};
    case QNN_DATATYPE_INT_16:
    case QNN_DATATYPE_SFIXED_POINT_16:
      return {QHPI_QUInt16, QHPI_QInt16, 32768};
    case QNN_DATATYPE_UINT_8:
    case QNN_DATATYPE_UFIXED_POINT_8:
    case QNN_DATATYPE_BOOL_8:
      return {QHPI_QUInt8, QHPI_QUInt8, 0};
    case QNN_DATATYPE_UINT_16:
    case QNN_DATATYPE_UFIXED_POINT_16:
      return {QHPI_QUInt16, QHPI_QUInt16, 0};
    case QNN_DATATYPE_INT_32:
    case QNN_DATATYPE_UINT_32:
      return {QHPI_Int32, QHPI_Int32, 0};
    case QNN_DATATYPE_SFIXED_POINT_32:
    case QNN_DATATYPE_UFIXED_POINT_32:
      return {QHPI_QInt32, QHPI_QInt32, 0};
    case QNN_DATATYPE_INT_64:
      return {QHPI_Int64, QHPI_Int64, 0};
    case QNN_DATATYPE_FLOAT_16:
      return {QHPI_Float16, QHPI_Float16, 0};
    case QNN_DATATYPE_FLOAT_32:
      return {QHPI_Float32, QHPI_Float32, 0};
    default:
      return {QHPI_Unknown, QHPI_Unknown, 0};
  }
}

uint32_t elementSize(uint32_t qhpi_type) {
  static const uint8_t kSizes[] = {0, 1, 2, 2, 4, 4, 4, 1, 2, 8};
  return qhpi_type < sizeof kSizes ? kSizes[qhpi_type] : 0;
}

const char* typeName(uint32_t qhpi_type) {
  static const char* const kNames[] = {"Unknown", "QUInt8", "QUInt16", "QInt16",  "Float32",
                                       "Int32",   "QInt32", "QInt8",   "Float16", "Int64"};
  if (qhpi_type < sizeof kNames / sizeof kNames[0]) return kNames[qhpi_type];
  return qhpi_type == QHPI_Any_Element_Type ? "any" : "no type";
}

QHPI_Quant_Parameters quantOf(const TensorSpec& tensor, int32_t zero_shift) {
  QHPI_Quant_Parameters quant = {zero_shift, 1.0f};
  if (!tensor.quant.values.empty()) {
    quant.zero_offset = zero_shift - tensor.quant.values[0].offset;
    quant.stepsize = tensor.quant.values[0].scale;
  }
  return quant;
}

QHPI_Shape paddedRank(const std::vector<uint32_t>& dims) {
  QHPI_Shape shape = {};
  const size_t rank = dims.size() < QHPI_MAX_RANK ? dims.size() : QHPI_MAX_RANK;
  shape.rank = static_cast<uint32_t>(rank < 4 ? 4 : rank);
  for (size_t i = 0; i < shape.rank; ++i) {
    const size_t lead = shape.rank - rank;
    shape.dims[i] = i < lead ? 1 : dims[i - lead];
  }
  return shape;
}

uint64_t shapeElements(const QHPI_Shape& shape) {
  if (shape.rank > QHPI_MAX_RANK) return 0;
  uint64_t elements = 1;
  for (uint32_t i = 0; i < shape.rank; ++i) elements *= shape.dims[i];
  return elements;
}

std::string shapeText(const QHPI_Shape& shape) {
  if (shape.rank > QHPI_MAX_RANK) return "[invalid]";
  std::string text = "[";
  for (uint32_t i = 0; i < shape.rank; ++i) text += (i == 0 ? "" : ",") + std::to_string(shape.dims[i]);
  return text + "]";
}

QHPI_Shape noShape() {
  QHPI_Shape shape = {};
  shape.rank = QHPI_INVALID_RANK;
  return shape;
}

void shiftElements(std::vector<uint8_t>* bytes, uint32_t element_size, int32_t zero_shift) {
  if (zero_shift == 0) return;
  for (size_t i = element_size - 1; i < bytes->size(); i += element_size)
    (*bytes)[i] ^= 0x80;  // + half the range
}

bool scalarConstant(const ParamSpec& param, QHPI_OutputDef* def, std::vector<uint8_t>* bytes) {
  const Arrival kind = arrival(param.dtype);
  const bool plain = param.dtype == QNN_DATATYPE_INT_8 || param.dtype == QNN_DATATYPE_INT_16 ||
                     param.dtype == QNN_DATATYPE_INT_32 || param.dtype == QNN_DATATYPE_UINT_8 ||
                     param.dtype == QNN_DATATYPE_UINT_16 || param.dtype == QNN_DATATYPE_UINT_32 ||
                     param.dtype == QNN_DATATYPE_FLOAT_32 || param.dtype == QNN_DATATYPE_BOOL_8;
  if (!plain) return false;
  uint8_t value[8];
  memcpy(value, &param.bits, sizeof value);
  *def = {kind.type, {kind.zero_shift, 1.0f}, {4, {1, 1, 1, 1, 0, 0, 0, 0}}};
  bytes->assign(value, value + elementSize(kind.type));
  if (param.dtype == QNN_DATATYPE_BOOL_8) {  // typed Float32, one byte of truth, three of whatever was there
    def->type = QHPI_Float32;
    *bytes = {value[0], 0x55, 0x7A, 0xC3};
    return true;
  }
  shiftElements(bytes, elementSize(kind.type), kind.zero_shift);
  return true;
}

}  // namespace opkg
