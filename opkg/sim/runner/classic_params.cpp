// Params of a node: named in the graph, by order in the kernel.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "classic_registry.h"

namespace opkg {
namespace {

const ParamSpec* findParam(const NodeSpec& node, const std::string& name) {
  for (const ParamSpec& param : node.params) {
    if (param.name == name) return &param;
  }
  return nullptr;
}

bool fromGraph(const Case& test, const ParamSpec& param, ClassicValue* value, std::string* error) {
  if (param.scalar) return makeScalar(param.name, param.dtype, param.bits, value, error);
  const TensorSpec* tensor = test.find(param.tensor);
  if (tensor == nullptr) {
    *error = "param " + param.name + ": no tensor " + param.tensor;
    return false;
  }
  return makeValue(*tensor, value, error);
}

// A default: a scalar, or a tensor with its data in memory.
bool fromDefault(const OpkgParam& param, ClassicValue* value, std::string* error) {
  const Qnn_Param_t& fallback = *param.fallback;
  if (fallback.paramType == QNN_PARAMTYPE_SCALAR) {
    uint64_t bits;
    memcpy(&bits, &fallback.scalarParam.uint64Value, sizeof bits);
    return makeScalar(param.name, fallback.scalarParam.dataType, bits, value, error);
  }
  const Qnn_TensorV1_t& tensor = fallback.tensorParam.v1;
  TensorSpec spec;
  spec.name = param.name;
  spec.kind = TensorKind::kStatic;
  spec.dtype = tensor.dataType;
  spec.dims.assign(tensor.dimensions, tensor.dimensions + tensor.rank);
  const Qnn_QuantizeParams_t& quant = tensor.quantizeParams;
  if (quant.encodingDefinition == QNN_DEFINITION_DEFINED &&
      quant.quantizationEncoding == QNN_QUANTIZATION_ENCODING_SCALE_OFFSET) {
    spec.quant.values.push_back({quant.scaleOffsetEncoding.scale, quant.scaleOffsetEncoding.offset});
  }
  spec.data = static_cast<const uint8_t*>(tensor.clientBuf.data);
  spec.size = tensor.clientBuf.dataSize;
  return makeValue(spec, value, error);
}

// Rank 4 puts 4 - rank dimensions in front, so an axis that counts from the front moves by as many.
void moveAxis(ClassicValue* value, uint32_t input_rank) {
  if (input_rank == 0 || input_rank >= kOpkgRank || htpTypeSize(value->dtype) != sizeof(int32_t)) return;
  for (size_t i = 0; i + sizeof(int32_t) <= value->bytes.size(); i += sizeof(int32_t)) {
    int32_t axis;
    memcpy(&axis, &value->bytes[i], sizeof axis);
    if (axis >= 0) axis += int32_t(kOpkgRank - input_rank);
    memcpy(&value->bytes[i], &axis, sizeof axis);
  }
}

bool inGraphOrder(const Case& test, const NodeSpec& node, std::vector<ClassicValue>* out,
                  std::string* error) {
  for (const ParamSpec& param : node.params) {
    out->emplace_back();
    if (!fromGraph(test, param, &out->back(), error)) return false;
    out->back().name = param.name;
  }
  return true;
}

bool inDeclaredOrder(const OpkgParamOrder& order, const Case& test, const NodeSpec& node,
                     std::vector<ClassicValue>* out, std::string* error) {
  for (uint32_t i = 0; i < order.count; i++) {
    const OpkgParam& declared = order.params[i];
    const ParamSpec* given = findParam(node, declared.name);
    if (given == nullptr && declared.mandatory) {
      *error = std::string("param ") + declared.name + " is mandatory";
      return false;
    }
    if (given == nullptr && declared.fallback == nullptr)
      continue;  // left out: the kernel has no such operand
    out->emplace_back();
    const bool made = given != nullptr ? fromGraph(test, *given, &out->back(), error)
                                       : fromDefault(declared, &out->back(), error);
    if (!made) return false;
    out->back().name = declared.name;
  }
  return true;
}

void warnOfUnlisted(const OpkgParamOrder& order, const NodeSpec& node) {
  for (const ParamSpec& param : node.params) {
    bool listed = false;
    for (uint32_t i = 0; i < order.count; i++) listed |= param.name == order.params[i].name;
    if (!listed)
      LogCapture::add(2, node.name + ": param " + param.name + " is not in the op's param order: dropped");
  }
}

}  // namespace

bool resolveParams(const ClassicRegistry& registry, const ClassicOp& op, const Case& test,
                   const NodeSpec& node, uint32_t input_rank, std::vector<ClassicValue>* out,
                   std::string* error) {
  if (op.params != nullptr) warnOfUnlisted(*op.params, node);
  const bool made = op.params != nullptr ? inDeclaredOrder(*op.params, test, node, out, error)
                                         : inGraphOrder(test, node, out, error);
  if (!made) return false;
  for (ClassicValue& value : *out) {
    if (registry.isAxisParam(value.name)) moveAxis(&value, input_rank);
  }
  return true;
}

}  // namespace opkg
