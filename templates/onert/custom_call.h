// A call of a custom operator as onert hands it over, with the params and the quantization from its custom_options.
#ifndef OPKG_CUSTOM_CALL_H_
#define OPKG_CUSTOM_CALL_H_

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "opkg/custom_options.h"
#include "opkg/op_config.h"

namespace opkg {

/// The layout of nnfw_operand and nnfw_custom_kernel_params.
struct NnfwOperand {
  int32_t type;
  int32_t rank;
  int32_t dims[6];
  void* data;
};
struct NnfwCall {
  size_t input_count;
  NnfwOperand* inputs;
  size_t output_count;
  NnfwOperand* outputs;
};

/// What the spec says of a tensor or of a param.
struct TensorRow {
  const char* name;
  bool is_static;
};
struct ParamRow {
  const char* name;
  Qnn_DataType_t dtype;
  bool is_scalar;
};

/// The refusal that a check of this call logged.
inline std::string& refusal() {
  static thread_local std::string text;
  return text;
}

/// The call as an op config, which the checks read. What is wrong with it is thrown: onert ends the run with the message.
class CustomCall {
 public:
  CustomCall(const char* op, const NnfwCall& call, const char* options, size_t size, std::initializer_list<TensorRow> inputs,
             std::initializer_list<TensorRow> outputs, std::initializer_list<ParamRow> params)
      : op_(op), size_(size), options_(Option::map(options, size)), keys_(options_.count()), known_(keys_.size()) {
    for (size_t i = 0; i < keys_.size(); ++i) keys_[i] = options_.key(i);
    inputs_ = tensors(call.inputs, call.input_count, inputs, given_inputs_);
    outputs_ = tensors(call.outputs, call.output_count, outputs, given_outputs_);
    bytes_.reserve(params.size());
    for (const ParamRow& row : params) add_param(row);
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (!known_[i]) throw std::invalid_argument(std::string(op) + " has no option '" + keys_[i] + "'");
    }
    config_.version = QNN_OPCONFIG_VERSION_1;
    config_.v1.name = "custom operator";
    config_.v1.typeName = op;
    config_.v1.numOfParams = static_cast<uint32_t>(params_.size());
    config_.v1.params = params_.data();
    config_.v1.numOfInputs = static_cast<uint32_t>(inputs_.size());
    config_.v1.inputTensors = inputs_.data();
    config_.v1.numOfOutputs = static_cast<uint32_t>(outputs_.size());
    config_.v1.outputTensors = outputs_.data();
  }
  CustomCall(const CustomCall&) = delete;
  CustomCall& operator=(const CustomCall&) = delete;

  /// Runs a check of the op config; `arguments` are what it fills.
  template <typename Check, typename... Arguments>
  void check(Check check_config, Arguments&... arguments) const {
    refusal().clear();
    if (check_config(config_, arguments...) != QNN_SUCCESS) throw std::invalid_argument(refusal());
  }

  /// Whether the tensors (inputs, then outputs) have these element types; absent ones have any.
  bool has_types(std::initializer_list<Qnn_DataType_t> inputs, std::initializer_list<Qnn_DataType_t> outputs) const {
    return matches(inputs_, inputs) && matches(outputs_, outputs);
  }

  /// A tensor as a kernel sees it: a struct that begins with data, dims, rank, scale and zero point.
  template <typename View>
  View input(size_t index) const {
    return view<View>(index, given_inputs_, inputs_);
  }
  template <typename View>
  View output(size_t index) const {
    return view<View>(index, given_outputs_, outputs_);
  }

 private:
  [[noreturn]] void fail(const std::string& key, const char* what) const {
    throw std::invalid_argument(std::string(op_) + ": option '" + key + "' " + what);
  }
  const Option* find(const std::string& key, Option& found) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] != key) continue;
      known_[i] = true;
      found = options_.element(i);
      return &found;
    }
    return nullptr;
  }

  /// The tensors in the spec's order; `given` gets their operands, null for those that the options call absent.
  std::vector<Qnn_Tensor_t> tensors(const NnfwOperand* operands, size_t count, std::initializer_list<TensorRow> rows, std::vector<const NnfwOperand*>& given) {
    std::vector<Qnn_Tensor_t> found;
    for (size_t i = 0; i < count;) {
      const TensorRow row = found.size() < rows.size() ? rows.begin()[found.size()] : TensorRow{"", false};
      Qnn_Tensor_t tensor{};
      tensor.version = QNN_TENSOR_VERSION_1;
      tensor.v1.name = row.name;
      tensor.v1.type = QNN_TENSOR_TYPE_NULL;
      given.push_back(nullptr);
      if (!is_absent(row.name)) {
        const NnfwOperand& operand = operands[i++];
        if (operand.rank < 0 || operand.rank > 6) throw std::invalid_argument(std::string(op_) + ": a tensor of rank " + std::to_string(operand.rank));
        given.back() = &operand;
        tensor.v1.type = row.is_static ? QNN_TENSOR_TYPE_STATIC : QNN_TENSOR_TYPE_NATIVE;
        tensor.v1.rank = static_cast<uint32_t>(operand.rank);
        dims_.emplace_back(operand.dims, operand.dims + operand.rank);
        tensor.v1.dimensions = dims_.back().data();
        tensor.v1.dataType = dtype(operand, row.name, tensor.v1.quantizeParams);
      }
      found.push_back(tensor);
    }
    return found;
  }
  bool is_absent(const std::string& name) {
    Option option;
    if (name.empty() || find(name + ".absent", option) == nullptr) return false;
    if (!option.is_integer()) fail(name + ".absent", "is no bool");
    return option.integer() != 0;
  }

  /// Numbers of 8 bits are quantized when the options say how.
  Qnn_DataType_t dtype(const NnfwOperand& operand, const std::string& name, Qnn_QuantizeParams_t& quantization) {
    switch (operand.type) {
      case 0:
        return QNN_DATATYPE_FLOAT_32;
      case 1:
        return QNN_DATATYPE_INT_32;
      case 2:
        break;
      case 3:
        return QNN_DATATYPE_BOOL_8;
      default:
        return QNN_DATATYPE_UNDEFINED;
    }
    Option scale, zero_point;
    if (find(name + ".scale", scale) == nullptr) return QNN_DATATYPE_UINT_8;
    if (!scale.is_number()) fail(name + ".scale", "is no number");
    quantization.encodingDefinition = QNN_DEFINITION_DEFINED;
    quantization.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
    quantization.scaleOffsetEncoding.scale = static_cast<float>(scale.number());
    if (find(name + ".zero_point", zero_point) != nullptr) {
      if (!zero_point.is_integer()) fail(name + ".zero_point", "is no whole number");
      quantization.scaleOffsetEncoding.offset = static_cast<int32_t>(-zero_point.integer());
    }
    return QNN_DATATYPE_UFIXED_POINT_8;
  }

  void add_param(const ParamRow& row) {
    Option option;
    if (find(row.name, option) == nullptr) return;
    Qnn_Param_t param{};
    param.name = row.name;
    std::vector<uint8_t> bytes;
    std::vector<uint32_t> dims;
    add(row, option, 0, dims, bytes);
    bytes_.push_back(std::move(bytes));
    if (dims.empty() != row.is_scalar) fail(row.name, row.is_scalar ? "is a list" : "is no list");
    if (row.is_scalar) {
      param.paramType = QNN_PARAMTYPE_SCALAR;
      param.scalarParam.dataType = row.dtype;
      std::memcpy(&param.scalarParam.uint64Value, bytes_.back().data(), bytes_.back().size());
    } else {
      dims_.push_back(std::move(dims));
      param.paramType = QNN_PARAMTYPE_TENSOR;
      param.tensorParam.version = QNN_TENSOR_VERSION_1;
      param.tensorParam.v1.type = QNN_TENSOR_TYPE_STATIC;
      param.tensorParam.v1.dataType = row.dtype;
      param.tensorParam.v1.rank = static_cast<uint32_t>(dims_.back().size());
      param.tensorParam.v1.dimensions = dims_.back().data();
      param.tensorParam.v1.clientBuf = {bytes_.back().data(), static_cast<uint32_t>(bytes_.back().size())};
    }
    params_.push_back(param);
  }

  /// Adds the numbers of an option, row by row; nested lists are further dimensions.
  void add(const ParamRow& row, const Option& option, size_t depth, std::vector<uint32_t>& dims, std::vector<uint8_t>& bytes) {
    if (!option.is_list()) return add_number(row, option, bytes);
    const size_t count = option.count();
    if (depth == dims.size()) dims.push_back(static_cast<uint32_t>(count));
    if (depth > 3 || dims[depth] != count) fail(row.name, "is no regular list");
    if (bytes.size() > 8 * size_) fail(row.name, "holds itself");
    for (size_t i = 0; i < count; ++i) add(row, option.element(i), depth + 1, dims, bytes);
  }
  void add_number(const ParamRow& row, const Option& option, std::vector<uint8_t>& bytes) {
    if (row.dtype == QNN_DATATYPE_FLOAT_32) {
      if (!option.is_number()) fail(row.name, "is no number");
      return put(static_cast<float>(option.number()), bytes);
    }
    if (!option.is_integer()) fail(row.name, row.dtype == QNN_DATATYPE_BOOL_8 ? "is no bool" : "is no whole number");
    switch (row.dtype) {
      case QNN_DATATYPE_BOOL_8:
        return put(static_cast<uint8_t>(option.integer() != 0), bytes);
      case QNN_DATATYPE_INT_8:
        return put_whole<int8_t>(row, option, bytes);
      case QNN_DATATYPE_UINT_8:
        return put_whole<uint8_t>(row, option, bytes);
      case QNN_DATATYPE_INT_16:
        return put_whole<int16_t>(row, option, bytes);
      case QNN_DATATYPE_UINT_16:
        return put_whole<uint16_t>(row, option, bytes);
      case QNN_DATATYPE_INT_32:
        return put_whole<int32_t>(row, option, bytes);
      case QNN_DATATYPE_UINT_32:
        return put_whole<uint32_t>(row, option, bytes);
      default:
        return put(option.integer(), bytes);
    }
  }
  template <typename T>
  void put_whole(const ParamRow& row, const Option& option, std::vector<uint8_t>& bytes) const {
    const int64_t value = option.integer();
    if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) fail(row.name, "is out of range");
    put(static_cast<T>(value), bytes);
  }
  template <typename T>
  static void put(T value, std::vector<uint8_t>& bytes) {
    const uint8_t* first = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
  }

  static bool matches(const std::vector<Qnn_Tensor_t>& tensors, std::initializer_list<Qnn_DataType_t> types) {
    for (size_t i = 0; i < tensors.size() && i < types.size(); ++i) {
      if (tensors[i].v1.type != QNN_TENSOR_TYPE_NULL && tensors[i].v1.dataType != types.begin()[i]) return false;
    }
    return true;
  }

  template <typename View>
  static View view(size_t index, const std::vector<const NnfwOperand*>& given, const std::vector<Qnn_Tensor_t>& tensors) {
    static constexpr int32_t kNone[] = {0};
    if (index >= given.size() || given[index] == nullptr) return View{nullptr, kNone, 0, 1.0f, 0};
    const NnfwOperand& operand = *given[index];
    const Qnn_Tensor_t& tensor = tensors[index];
    const bool quantized = tensor.v1.quantizeParams.encodingDefinition == QNN_DEFINITION_DEFINED;
    const Qnn_ScaleOffset_t& how = tensor.v1.quantizeParams.scaleOffsetEncoding;
    return View{static_cast<decltype(View::data)>(operand.data), operand.dims, operand.rank, quantized ? how.scale : 1.0f, quantized ? -how.offset : 0};
  }

  const char* op_;
  size_t size_;  // of the options
  Option options_;
  std::vector<std::string> keys_;
  std::vector<bool> known_;
  std::vector<std::vector<uint32_t>> dims_;  // vectors keep their memory when this one grows
  std::vector<std::vector<uint8_t>> bytes_;
  std::vector<const NnfwOperand*> given_inputs_;
  std::vector<const NnfwOperand*> given_outputs_;
  std::vector<Qnn_Tensor_t> inputs_;
  std::vector<Qnn_Tensor_t> outputs_;
  std::vector<Qnn_Param_t> params_;
  Qnn_OpConfig_t config_{};
};

/// All numbers of a tensor param.
template <typename T>
std::vector<T> elements(const ParamInfo& param) {
  std::vector<T> found;
  for (int64_t i = 0; i < param.size(); ++i) {
    found.push_back(std::is_floating_point_v<T> ? static_cast<T>(param.number(i)) : static_cast<T>(param.integer(i)));
  }
  return found;
}

}  // namespace opkg

#endif  // OPKG_CUSTOM_CALL_H_
