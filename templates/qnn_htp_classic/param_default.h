// Defaults of params: the objects that DEF_PACKAGE_PARAM_ORDER points to.
#ifndef OPKG_PARAM_DEFAULT_H_
#define OPKG_PARAM_DEFAULT_H_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "QnnOpPackage.h"

namespace opkg {

/// A scalar: `T` is float, bool, int32_t or uint32_t.
template <typename T>
inline Qnn_Param_t scalar_default(const char* name, Qnn_DataType_t type, T value) {
  Qnn_Param_t param = {};
  param.paramType = QNN_PARAMTYPE_SCALAR;
  param.name = name;
  param.scalarParam.dataType = type;
  if constexpr (std::is_same_v<T, float>) {
    param.scalarParam.floatValue = value;
  } else if constexpr (std::is_same_v<T, bool>) {
    param.scalarParam.bool8Value = value ? 1 : 0;
  } else if constexpr (std::is_same_v<T, int32_t>) {
    param.scalarParam.int32Value = value;
  } else {
    param.scalarParam.uint32Value = value;
  }
  return param;
}

/// A tensor over arrays that live as long as the package.
template <typename T, uint32_t kCount, uint32_t kRank>
inline Qnn_Param_t tensor_default(const char* name, Qnn_DataType_t type, T (&values)[kCount], uint32_t (&dims)[kRank]) {
  Qnn_Param_t param = {};
  param.paramType = QNN_PARAMTYPE_TENSOR;
  param.name = name;
  param.tensorParam.version = QNN_TENSOR_VERSION_1;
  param.tensorParam.v1.name = name;
  param.tensorParam.v1.type = QNN_TENSOR_TYPE_STATIC;
  param.tensorParam.v1.dataType = type;
  param.tensorParam.v1.quantizeParams.encodingDefinition = QNN_DEFINITION_UNDEFINED;
  param.tensorParam.v1.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_UNDEFINED;
  param.tensorParam.v1.rank = kRank;
  param.tensorParam.v1.dimensions = dims;
  param.tensorParam.v1.memType = QNN_TENSORMEMTYPE_RAW;
  param.tensorParam.v1.clientBuf.data = values;
  param.tensorParam.v1.clientBuf.dataSize = sizeof values;
  return param;
}

}  // namespace opkg

#endif  // OPKG_PARAM_DEFAULT_H_
