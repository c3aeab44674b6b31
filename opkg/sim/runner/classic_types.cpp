// The table of element types, and values from tensors and scalars.
// SPDX-License-Identifier: Apache-2.0
#include "classic_types.h"

#include <algorithm>
#include <cstring>

#include "opkg/qnn_abi.h"

namespace opkg {
namespace {

enum HtpType : uint32_t {
  kUnknown = 0,
  kQUInt8 = 1,
  kQUInt16 = 2,
  kQInt16 = 3,
  kFloat32 = 4,
  kInt32 = 5,
  kQInt32 = 6,
  kQInt8 = 7,
  kFloat16 = 8,
  kInt64 = 9,
};

bool quantized(uint32_t htp_dtype) {
  return htp_dtype != kFloat32 && htp_dtype != kFloat16 && htp_dtype != kInt32 && htp_dtype != kInt64;
}

}  // namespace

uint32_t htpType(uint32_t qnn_dtype) {
  switch (qnn_dtype) {
    case QNN_DATATYPE_UINT_8:
    case QNN_DATATYPE_UFIXED_POINT_8:
    case QNN_DATATYPE_BOOL_8:
      return kQUInt8;
    case QNN_DATATYPE_INT_8:
    case QNN_DATATYPE_SFIXED_POINT_8:
      return kQInt8;
    case QNN_DATATYPE_UINT_16:
    case QNN_DATATYPE_UFIXED_POINT_16:
      return kQUInt16;
    case QNN_DATATYPE_INT_16:
    case QNN_DATATYPE_SFIXED_POINT_16:
      return kQInt16;
    case QNN_DATATYPE_INT_32:
    case QNN_DATATYPE_UINT_32:
      return kInt32;
    case QNN_DATATYPE_SFIXED_POINT_32:
    case QNN_DATATYPE_UFIXED_POINT_32:
      return kQInt32;
    case QNN_DATATYPE_INT_64:
      return kInt64;
    case QNN_DATATYPE_FLOAT_16:
      return kFloat16;
    case QNN_DATATYPE_FLOAT_32:
      return kFloat32;
    default:
      return kUnknown;
  }
}

uint32_t htpTypeSize(uint32_t htp_dtype) {
  static const uint8_t kSizes[] = {0, 1, 2, 2, 4, 4, 4, 1, 2, 8};
  return htp_dtype < sizeof kSizes ? kSizes[htp_dtype] : 0;
}

const char* htpTypeName(uint32_t htp_dtype) {
  static const char* const kNames[] = {"any",   "QUInt8", "QUInt16", "QInt16",  "Float32",
                                       "Int32", "QInt32", "QInt8",   "Float16", "Int64"};
  return htp_dtype < sizeof kNames / sizeof kNames[0] ? kNames[htp_dtype] : "unknown";
}

const char* graphStatusName(int status) {
  static const char* const kNames[] = {"Success",       "ErrorRank",  "ErrorDimensions", "ErrorPrecision",
                                       "ErrorNAN",      "ErrorNoTCM", "ErrorNoSpace",    "ErrorUnsupported",
                                       "ErrorSequence", "ErrorBadID", "ErrorBadInput"};
  if (status == -1) return "ErrorFatal";
  if (status == 31) return "ErrorRank";
  return status >= 0 && status <= 10 ? kNames[status] : "no GraphStatus";
}

bool makeValue(const TensorSpec& tensor, ClassicValue* value, std::string* error) {
  value->name = tensor.name;
  value->rank = static_cast<uint32_t>(tensor.dims.size());
  if (tensor.kind == TensorKind::kNull) {  // an optional input left out: no elements
    value->dtype = kQUInt8;
    std::fill(value->dims, value->dims + kOpkgRank, 0);
    value->known = true;
    return true;
  }
  value->dtype = htpType(tensor.dtype);
  if (value->dtype == kUnknown) {
    *error = tensor.name + ": HTP has no element type for this data type";
    return false;
  }
  const bool number = value->rank == 0 && tensor.kind != TensorKind::kInput;
  if (number || value->rank > kOpkgRank) {
    *error = tensor.name + ": rank " + std::to_string(value->rank) + "; HTP tensors have rank 1 to 4";
    return false;
  }
  for (uint32_t i = 0; i < value->rank; i++) value->dims[kOpkgRank - value->rank + i] = tensor.dims[i];
  if (quantized(value->dtype) && !tensor.quant.values.empty()) {
    value->stepsize = tensor.quant.values[0].scale;
    value->zero_offset = -tensor.quant.values[0].offset;
  }
  if (tensor.kind != TensorKind::kInput && tensor.kind != TensorKind::kStatic) return true;
  if (tensor.size != value->size()) {
    *error = tensor.name + ": needs " + std::to_string(value->size()) + " bytes, has " +
             std::to_string(tensor.size);
    return false;
  }
  value->bytes.assign(tensor.data, tensor.data + tensor.size);
  value->known = true;
  return true;
}

bool makeScalar(const std::string& name, uint32_t qnn_dtype, uint64_t bits, ClassicValue* value,
                std::string* error) {
  const bool truth = qnn_dtype == QNN_DATATYPE_BOOL_8;
  value->name = name;
  value->dtype = truth ? uint32_t(kFloat32) : htpType(qnn_dtype);
  if (value->dtype == kUnknown) {
    *error = "param " + name + ": HTP has no element type for this data type";
    return false;
  }
  if (truth) bits &= 0xff;
  value->bytes.resize(htpTypeSize(value->dtype));
  memcpy(value->bytes.data(), &bits, value->bytes.size());
  value->known = true;
  return true;
}

std::string dimsText(const uint64_t* dims) {
  std::string text = "[";
  for (uint32_t i = 0; i < kOpkgRank; i++) text += (i == 0 ? "" : ",") + std::to_string(dims[i]);
  return text + "]";
}

}  // namespace opkg
