// Builds the QNN records of a case.
// SPDX-License-Identifier: Apache-2.0
#include "qnn_config.h"

#include <cstring>

namespace opkg {
namespace {

Qnn_TensorType_t tensorType(TensorKind kind) {
  switch (kind) {
    case TensorKind::kInput:
      return QNN_TENSOR_TYPE_APP_WRITE;
    case TensorKind::kOutput:
      return QNN_TENSOR_TYPE_APP_READ;
    case TensorKind::kNative:
      return QNN_TENSOR_TYPE_NATIVE;
    case TensorKind::kStatic:
      return QNN_TENSOR_TYPE_STATIC;
    case TensorKind::kNull:
      return QNN_TENSOR_TYPE_NULL;
  }
  return QNN_TENSOR_TYPE_UNDEFINED;
}

}  // namespace

QnnConfig::QnnConfig(const Case& test) : test_(test), nodes_(test.nodes.size()) {
  dims_.reserve(test.tensors.size());
  scales_.reserve(test.tensors.size());
  for (const TensorSpec& spec : test.tensors) tensors_.push_back(makeTensor(spec));
}

Qnn_Tensor_t QnnConfig::makeTensor(const TensorSpec& spec) {
  dims_.push_back(spec.dims);
  scales_.emplace_back();
  for (const ScaleOffset& value : spec.quant.values) scales_.back().push_back({value.scale, value.offset});
  Qnn_Tensor_t tensor;
  memset(&tensor, 0, sizeof tensor);
  tensor.version = QNN_TENSOR_VERSION_1;
  Qnn_TensorV1_t& record = tensor.v1;
  record.name = spec.name.c_str();
  record.type = tensorType(spec.kind);
  record.dataType = static_cast<Qnn_DataType_t>(spec.dtype);
  record.rank = static_cast<uint32_t>(spec.dims.size());
  record.dimensions = dims_.back().data();
  record.memType = QNN_TENSORMEMTYPE_RAW;
  record.quantizeParams.encodingDefinition = QNN_DEFINITION_UNDEFINED;
  record.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_UNDEFINED;
  if (spec.quant.kind != QuantKind::kNone) record.quantizeParams.encodingDefinition = QNN_DEFINITION_DEFINED;
  if (spec.quant.kind == QuantKind::kScaleOffset) {
    record.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
    record.quantizeParams.scaleOffsetEncoding = scales_.back()[0];
  } else if (spec.quant.kind == QuantKind::kAxis) {
    record.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
    record.quantizeParams.axisScaleOffsetEncoding.axis = spec.quant.axis;
    record.quantizeParams.axisScaleOffsetEncoding.numScaleOffsets =
        static_cast<uint32_t>(scales_.back().size());
    record.quantizeParams.axisScaleOffsetEncoding.scaleOffset = scales_.back().data();
  }
  if (spec.kind == TensorKind::kStatic) {
    record.clientBuf.data = const_cast<uint8_t*>(spec.data);
    record.clientBuf.dataSize = static_cast<uint32_t>(spec.size);
  }
  return tensor;
}

Qnn_Tensor_t* QnnConfig::tensor(const std::string& name) {
  for (size_t i = 0; i < tensors_.size(); ++i) {
    if (test_.tensors[i].name == name) return &tensors_[i];
  }
  return nullptr;
}

Qnn_Param_t QnnConfig::makeParam(const ParamSpec& spec) {
  Qnn_Param_t param;
  memset(&param, 0, sizeof param);
  param.name = spec.name.c_str();
  if (spec.scalar) {
    param.paramType = QNN_PARAMTYPE_SCALAR;
    param.scalarParam.dataType = static_cast<Qnn_DataType_t>(spec.dtype);
    param.scalarParam.uint64Value = spec.bits;
  } else {
    param.paramType = QNN_PARAMTYPE_TENSOR;
    param.tensorParam = *tensor(spec.tensor);
  }
  return param;
}

Qnn_OpConfig_t QnnConfig::node(size_t index) {
  const NodeSpec& spec = test_.nodes[index];
  NodeStorage& storage = nodes_[index];
  storage = NodeStorage();
  for (const std::string& name : spec.inputs) storage.inputs.push_back(*tensor(name));
  for (const std::string& name : spec.outputs) storage.outputs.push_back(*tensor(name));
  for (const ParamSpec& param : spec.params) storage.params.push_back(makeParam(param));
  Qnn_OpConfig_t config;
  memset(&config, 0, sizeof config);
  config.version = QNN_OPCONFIG_VERSION_1;
  config.v1.name = spec.name.c_str();
  config.v1.packageName = spec.package.c_str();
  config.v1.typeName = spec.type.c_str();
  config.v1.numOfParams = static_cast<uint32_t>(storage.params.size());
  config.v1.params = storage.params.data();
  config.v1.numOfInputs = static_cast<uint32_t>(storage.inputs.size());
  config.v1.inputTensors = storage.inputs.data();
  config.v1.numOfOutputs = static_cast<uint32_t>(storage.outputs.size());
  config.v1.outputTensors = storage.outputs.data();
  return config;
}

}  // namespace opkg
