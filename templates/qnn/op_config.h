// Checks of a QNN op config: names, counts, element types, ranks, shapes and params, with a reason for each refusal.
#ifndef OPKG_OP_CONFIG_H_
#define OPKG_OP_CONFIG_H_

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "opkg/qnn_abi.h"

namespace opkg {

/// Where refusals are reported; set by the interface, stderr until a backend gives its own sink.
void log_error(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Dimensions of a tensor, in the op's own rank.
struct Shape {
  static constexpr uint32_t kMaxRank = 8;

  int64_t dims[kMaxRank] = {};
  uint32_t rank = 0;
  bool valid = true;

  Shape() = default;
  Shape(std::initializer_list<int64_t> list) {
    for (int64_t extent : list) push(extent);
  }
  Shape& push(int64_t extent) {
    if (rank == kMaxRank) {
      valid = false;
    } else {
      dims[rank++] = extent;
    }
    return *this;
  }
  Shape& append(const Shape& other) {
    for (uint32_t i = 0; i < other.rank; ++i) push(other.dims[i]);
    return *this;
  }
  /// The dimensions from `first` on, without the last `drop` ones.
  Shape part(uint32_t first, uint32_t drop = 0) const {
    Shape result;
    for (uint32_t i = first; i + drop < rank; ++i) result.push(dims[i]);
    return result;
  }
  int64_t at(int64_t index) const {
    const int64_t i = index < 0 ? index + rank : index;
    return i >= 0 && i < rank ? dims[i] : -1;
  }
  int64_t product() const {
    int64_t result = 1;
    for (uint32_t i = 0; i < rank; ++i) result *= dims[i];
    return result;
  }
  bool operator==(const Shape& other) const {
    return valid && other.valid && rank == other.rank && std::memcmp(dims, other.dims, rank * sizeof dims[0]) == 0;
  }
};

/// numpy broadcast of two shapes; `valid` is false when they do not fit.
inline Shape broadcast(const Shape& a, const Shape& b) {
  Shape result;
  result.valid = a.valid && b.valid;
  result.rank = a.rank > b.rank ? a.rank : b.rank;
  for (uint32_t i = 1; i <= result.rank; ++i) {
    const int64_t left = i <= a.rank ? a.dims[a.rank - i] : 1;
    const int64_t right = i <= b.rank ? b.dims[b.rank - i] : 1;
    if (left != right && left != 1 && right != 1) result.valid = false;
    result.dims[result.rank - i] = left == 1 ? right : left;
  }
  return result;
}

/// The shape with the axes made 1 (`keep`) or dropped; negative axes count from the end.
template <typename Axes>
inline Shape reduce(const Shape& shape, const Axes& axes, bool keep) {
  Shape result;
  bool gone[Shape::kMaxRank] = {};
  for (int64_t axis : axes) {
    const int64_t i = axis < 0 ? axis + shape.rank : axis;
    if (i < 0 || i >= shape.rank) {
      result.valid = false;
      return result;
    }
    gone[i] = true;
  }
  for (uint32_t i = 0; i < shape.rank; ++i) {
    if (!gone[i]) result.push(shape.dims[i]);
    if (gone[i] && keep) result.push(1);
  }
  return result;
}
inline Shape reduce(const Shape& shape, int64_t axis, bool keep) {
  const int64_t axes[] = {axis};
  return reduce(shape, axes, keep);
}

/// Numbers of a QNN data type as 64-bit integers and doubles.
inline int64_t integer_at(const void* data, Qnn_DataType_t type, size_t index) {
  const uint8_t* bytes = static_cast<const uint8_t*>(data);
  const auto read = [&](auto value) {
    std::memcpy(&value, bytes + index * sizeof value, sizeof value);
    return static_cast<int64_t>(value);
  };
  switch (type) {
    case QNN_DATATYPE_INT_8:
    case QNN_DATATYPE_SFIXED_POINT_8: return read(int8_t{});
    case QNN_DATATYPE_UINT_8:
    case QNN_DATATYPE_UFIXED_POINT_8:
    case QNN_DATATYPE_BOOL_8: return read(uint8_t{});
    case QNN_DATATYPE_INT_16:
    case QNN_DATATYPE_SFIXED_POINT_16: return read(int16_t{});
    case QNN_DATATYPE_UINT_16:
    case QNN_DATATYPE_UFIXED_POINT_16: return read(uint16_t{});
    case QNN_DATATYPE_INT_32:
    case QNN_DATATYPE_SFIXED_POINT_32: return read(int32_t{});
    case QNN_DATATYPE_UINT_32:
    case QNN_DATATYPE_UFIXED_POINT_32: return read(uint32_t{});
    case QNN_DATATYPE_INT_64:
    case QNN_DATATYPE_UINT_64: return read(int64_t{});
    default: return 0;
  }
}
inline double number_at(const void* data, Qnn_DataType_t type, size_t index) {
  if (type == QNN_DATATYPE_FLOAT_32) {
    float value;
    std::memcpy(&value, static_cast<const uint8_t*>(data) + index * sizeof value, sizeof value);
    return value;
  }
  return static_cast<double>(integer_at(data, type, index));
}

/// One input or output of an op config. Absent: converts to false.
class TensorInfo {
 public:
  TensorInfo() = default;
  explicit TensorInfo(const Qnn_Tensor_t& tensor) : tensor_(&tensor.v1) {
    for (uint32_t i = 0; i < tensor_->rank; ++i) shape_.push(tensor_->dimensions[i]);
  }
  explicit operator bool() const { return tensor_ != nullptr && tensor_->type != QNN_TENSOR_TYPE_NULL; }
  const Shape& shape() const { return shape_; }
  int64_t dim(int64_t index) const { return shape_.at(index); }
  int64_t rank() const { return shape_.rank; }
  int64_t size() const { return shape_.product(); }
  Qnn_DataType_t dtype() const { return tensor_ != nullptr ? tensor_->dataType : QNN_DATATYPE_UNDEFINED; }
  bool is_static() const { return tensor_ != nullptr && tensor_->type == QNN_TENSOR_TYPE_STATIC; }
  bool is_quantized() const { return encoding() != QNN_QUANTIZATION_ENCODING_UNDEFINED; }
  bool per_tensor() const { return encoding() == QNN_QUANTIZATION_ENCODING_SCALE_OFFSET; }
  bool per_axis() const { return encoding() == QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET; }
  int64_t quantized_axis() const { return per_axis() ? tensor_->quantizeParams.axisScaleOffsetEncoding.axis : -1; }
  double scale() const { return per_tensor() ? tensor_->quantizeParams.scaleOffsetEncoding.scale : 1.0; }
  int64_t offset() const { return per_tensor() ? tensor_->quantizeParams.scaleOffsetEncoding.offset : 0; }

 private:
  Qnn_QuantizationEncoding_t encoding() const {
    return tensor_ != nullptr && tensor_->quantizeParams.encodingDefinition == QNN_DEFINITION_DEFINED
               ? tensor_->quantizeParams.quantizationEncoding
               : QNN_QUANTIZATION_ENCODING_UNDEFINED;
  }

  const Qnn_TensorV1_t* tensor_ = nullptr;
  Shape shape_;
};

/// One param of an op config. Absent: converts to false.
class ParamInfo {
 public:
  ParamInfo() = default;
  explicit ParamInfo(const Qnn_Param_t& param) : param_(&param) {}
  explicit operator bool() const { return param_ != nullptr; }
  /// The same param with values to use when it is absent (a tensor param of one dimension).
  ParamInfo or_default(const double* values, int64_t count) const {
    ParamInfo result = *this;
    if (param_ == nullptr) result.default_ = values, result.default_size_ = count;
    return result;
  }
  bool is_scalar() const { return param_ != nullptr && param_->paramType == QNN_PARAMTYPE_SCALAR; }
  Qnn_DataType_t dtype() const {
    if (param_ == nullptr) return QNN_DATATYPE_UNDEFINED;
    return is_scalar() ? param_->scalarParam.dataType : param_->tensorParam.v1.dataType;
  }
  Shape shape() const {
    return param_ == nullptr || is_scalar() ? Shape{} : TensorInfo(param_->tensorParam).shape();
  }
  int64_t size() const { return default_ != nullptr ? default_size_ : shape().product(); }
  /// Value of a scalar, or element `index` of a tensor param; 0 past the end.
  int64_t integer(int64_t index = 0) const {
    if (!readable(index)) return 0;
    return default_ != nullptr ? static_cast<int64_t>(default_[index]) : integer_at(data(), dtype(), index);
  }
  double number(int64_t index = 0) const {
    if (!readable(index)) return 0.0;
    return default_ != nullptr ? default_[index] : number_at(data(), dtype(), index);
  }
  int64_t operator[](int64_t index) const { return integer(index < 0 ? index + size() : index); }

  /// The integers of a tensor param, for a range-based for.
  struct Iterator {
    const ParamInfo* param;
    int64_t index;
    int64_t operator*() const { return param->integer(index); }
    Iterator& operator++() { return ++index, *this; }
    bool operator!=(const Iterator& other) const { return index != other.index; }
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  bool readable(int64_t index) const {
    return (default_ != nullptr || data() != nullptr) && index >= 0 && index < size();
  }
  const void* data() const {
    if (param_ == nullptr) return nullptr;
    return is_scalar() ? &param_->scalarParam.uint64Value : param_->tensorParam.v1.clientBuf.data;
  }

  const Qnn_Param_t* param_ = nullptr;
  const double* default_ = nullptr;
  int64_t default_size_ = 0;
};

/// One order of params that a positional interface can tell apart: for a row of the type table and a number of inputs.
struct ParamOrder {
  int row;
  uint32_t inputs;
  const char* names;
};

/// Integers written out in the generated code (`axes` given as a list).
using Integers = std::initializer_list<int64_t>;

inline int64_t product(const Shape& shape) { return shape.product(); }
template <typename T>
inline T min(T a, T b) { return b < a ? b : a; }
template <typename T>
inline T max(T a, T b) { return a < b ? b : a; }
template <typename T>
inline T abs(T a) { return a < 0 ? -a : a; }

/// The checks of one op config. The first failed check is logged and decides the result; later ones do nothing.
class OpCheck {
 public:
  OpCheck(const char* package, const Qnn_OpConfig_t& config) : package_(package), config_(config.v1) {}

  bool failed() const { return failed_; }
  Qnn_ErrorHandle_t result() const { return failed_ ? QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE : QNN_SUCCESS; }

  void fail(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    if (failed_) return;
    failed_ = true;
    char reason[512];
    va_list args;
    va_start(args, format);
    std::vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    log_error("%s: %s '%s': %s", package_, config_.typeName, config_.name != nullptr ? config_.name : "", reason);
  }
  void require(bool holds, const char* message) {
    if (!holds) fail("%s", message);
  }

  void count_inputs(uint32_t least, uint32_t most) { count("input", config_.numOfInputs, least, most); }
  void count_outputs(uint32_t least, uint32_t most) { count("output", config_.numOfOutputs, least, most); }
  uint32_t num_inputs() const { return config_.numOfInputs; }
  uint32_t num_outputs() const { return config_.numOfOutputs; }

  TensorInfo input(uint32_t index) const {
    return index < config_.numOfInputs ? TensorInfo(config_.inputTensors[index]) : TensorInfo();
  }
  TensorInfo output(uint32_t index) const {
    return index < config_.numOfOutputs ? TensorInfo(config_.outputTensors[index]) : TensorInfo();
  }

  /// Rank and kind of a tensor; an absent one passes (counts are checked before).
  void check_tensor(const char* name, const TensorInfo& tensor, int64_t low, int64_t high, bool must_be_static) {
    if (!tensor) return;
    if (tensor.rank() < low || tensor.rank() > high) {
      fail("'%s' has rank %d, allowed is %d to %d", name, int(tensor.rank()), int(low), int(high));
    }
    if (must_be_static && !tensor.is_static()) fail("'%s' must be a static tensor", name);
  }

  /// The row of `table` (one element type per tensor, inputs then outputs) that the tensors given match; -1: none.
  template <size_t kRows, size_t kColumns>
  int match_types(const Qnn_DataType_t (&table)[kRows][kColumns], const TensorInfo* const (&tensors)[kColumns]) {
    if (failed_) return -1;
    for (size_t row = 0; row < kRows; ++row) {
      bool matches = true;
      for (size_t i = 0; i < kColumns; ++i) matches &= !*tensors[i] || tensors[i]->dtype() == table[row][i];
      if (matches) return static_cast<int>(row);
    }
    char seen[160] = "";
    for (size_t i = 0, used = 0; i < kColumns && used < sizeof seen - 12; ++i) {
      used += std::snprintf(seen + used, sizeof seen - used, " 0x%03x", unsigned(tensors[i]->dtype()));
    }
    fail("no kernel for this combination of element types (inputs, then outputs):%s", seen);
    return -1;
  }

  void expect_shape(const char* name, const TensorInfo& tensor, const Shape& expected) {
    if (failed_ || !tensor || tensor.shape() == expected) return;
    char want[128];
    char have[128];
    fail("'%s' has shape %s, expected %s", name, print(tensor.shape(), have), print(expected, want));
  }

  void expect_dim(const char* name, const TensorInfo& tensor, int64_t index, int64_t expected) {
    if (failed_ || !tensor || tensor.dim(index) == expected) return;
    fail("dimension %d of '%s' is %lld, expected %lld", int(index), name, static_cast<long long>(tensor.dim(index)),
         static_cast<long long>(expected));
  }

  /// Finds a param by name and checks its type and kind. `shape` is null for a scalar.
  ParamInfo param(const char* name, Qnn_DataType_t type, bool mandatory, bool scalar) {
    for (uint32_t i = 0; i < config_.numOfParams; ++i) {
      if (std::strcmp(config_.params[i].name, name) != 0) continue;
      const ParamInfo found(config_.params[i]);
      if (found.is_scalar() != scalar) fail("param '%s' must be a %s", name, scalar ? "scalar" : "tensor");
      if (found.dtype() != type) {
        fail("param '%s' has element type 0x%03x, expected 0x%03x", name, unsigned(found.dtype()), unsigned(type));
      }
      return found;
    }
    if (mandatory) fail("param '%s' is missing", name);
    return ParamInfo();
  }

  /// Every param given must be one of `names`, and none may be given twice.
  void known_params(std::initializer_list<const char*> names) {
    for (uint32_t i = 0; i < config_.numOfParams; ++i) {
      int known = 0;
      for (const char* name : names) known += std::strcmp(config_.params[i].name, name) == 0 ? 1 : 0;
      if (known == 0) fail("unknown param '%s'", config_.params[i].name);
      for (uint32_t j = 0; j < i; ++j) {
        if (std::strcmp(config_.params[i].name, config_.params[j].name) == 0) {
          fail("param '%s' is given twice", config_.params[i].name);
        }
      }
    }
  }

  /// A kernel sees params by position: the names given, in order, joined by commas, must be one of `orders`.
  void param_order(std::initializer_list<const char*> orders) {
    if (failed_) return;
    char given[512];
    join_params(given);
    for (const char* order : orders) {
      if (std::strcmp(order, given) == 0) return;
    }
    fail("params (%s) can not be told apart in this number and order; give (%s)", given,
         orders.size() != 0 ? *orders.begin() : "");
  }

  /// The same for orders that depend on the element types and the number of inputs.
  template <size_t kCount>
  void param_order(const ParamOrder (&orders)[kCount], int row) {
    if (failed_) return;
    char given[512];
    join_params(given);
    const char* first = nullptr;
    for (const ParamOrder& order : orders) {
      if (order.row != row || order.inputs != config_.numOfInputs) continue;
      if (std::strcmp(order.names, given) == 0) return;
      if (first == nullptr) first = order.names;
    }
    fail("params (%s) can not be told apart in this number and order; give (%s)", given, first != nullptr ? first : "");
  }

  /// Quantization; a tensor without scale and offset passes.
  void expect_same_quantization(const char* name, const TensorInfo& tensor, const TensorInfo& other) {
    if (!tensor || !other || !tensor.per_tensor() || !other.per_tensor()) return;
    if (tensor.scale() != other.scale() || tensor.offset() != other.offset()) {
      fail("'%s' has scale %g and offset %d, must be %g and %d as its source", name, tensor.scale(),
           int(tensor.offset()), other.scale(), int(other.offset()));
    }
  }
  void expect_scale(const char* name, const TensorInfo& tensor, double scale) {
    if (!tensor || !tensor.per_tensor() || tensor.scale() == static_cast<float>(scale)) return;
    fail("'%s' has scale %g, must be %g", name, tensor.scale(), scale);
  }
  void expect_offset(const char* name, const TensorInfo& tensor, int64_t offset) {
    if (!tensor || !tensor.per_tensor() || tensor.offset() == offset) return;
    fail("'%s' has offset %d, must be %d", name, int(tensor.offset()), int(offset));
  }
  /// Zero lies in the middle of the stored range.
  void expect_symmetric(const char* name, const TensorInfo& tensor) {
    if (!tensor || !tensor.per_tensor()) return;
    const bool eight = tensor.dtype() == QNN_DATATYPE_UFIXED_POINT_8;
    const bool sixteen = tensor.dtype() == QNN_DATATYPE_UFIXED_POINT_16;
    expect_offset(name, tensor, eight ? -128 : sixteen ? -32768 : 0);
  }
  void expect_quantized_axis(const char* name, const TensorInfo& tensor, int64_t axis) {
    if (!tensor || tensor.per_tensor() || !tensor.is_quantized()) return;
    if (tensor.quantized_axis() != axis) fail("'%s' must be quantized per channel of dimension %d", name, int(axis));
  }

  /// Joined shape of `count` inputs from `first` on, along an axis.
  Shape concat(int64_t axis, uint32_t first, uint32_t count) {
    Shape result = input(first).shape();
    const int64_t at = axis < 0 ? axis + result.rank : axis;
    if (at < 0 || at >= result.rank) return fail("axis %d is outside the rank", int(axis)), result;
    for (uint32_t i = 1; i < count; ++i) {
      const Shape other = input(first + i).shape();
      for (uint32_t d = 0; d < result.rank; ++d) {
        const bool fits = other.rank == result.rank && (d == at || other.dims[d] == result.dims[d]);
        if (!fits) return fail("inputs differ outside the axis they are joined along"), result;
      }
      result.dims[at] += other.dims[at];
    }
    return result;
  }

  /// Integer division and remainder of the spec: rounded down, remainder with the sign of the divisor.
  int64_t floor_div(int64_t a, int64_t b) {
    if (b == 0) return fail("division by zero"), 0;
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  }
  int64_t floor_mod(int64_t a, int64_t b) {
    if (b == 0) return fail("division by zero"), 0;
    const int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  double divide(double a, double b) {
    if (b == 0) return fail("division by zero"), 0.0;
    return a / b;
  }
  int64_t ceil_div(int64_t a, int64_t b) { return -floor_div(-a, b); }
  int64_t round_up(int64_t a, int64_t b) { return ceil_div(a, b) * b; }

 private:
  template <size_t kSize>
  void join_params(char (&text)[kSize]) const {
    text[0] = 0;
    for (size_t i = 0, used = 0; i < config_.numOfParams && used < kSize; ++i) {
      used += std::snprintf(text + used, kSize - used, i == 0 ? "%s" : ",%s", config_.params[i].name);
    }
  }
  void count(const char* what, uint32_t given, uint32_t least, uint32_t most) {
    if (given >= least && given <= most) return;
    if (least == most) {
      fail("%u %ss given, expected %u", given, what, least);
    } else {
      fail("%u %ss given, expected %u to %u", given, what, least, most);
    }
  }
  template <size_t kSize>
  static const char* print(const Shape& shape, char (&text)[kSize]) {
    if (!shape.valid) return "one that fits";
    size_t used = std::snprintf(text, kSize, "[");
    for (uint32_t i = 0; i < shape.rank && used < kSize; ++i) {
      used += std::snprintf(text + used, kSize - used, i == 0 ? "%lld" : ", %lld", static_cast<long long>(shape.dims[i]));
    }
    if (used < kSize) std::snprintf(text + used, kSize - used, "]");
    return text;
  }

  const char* package_;
  const Qnn_OpConfigV1_t& config_;
  bool failed_ = false;
};

}  // namespace opkg

#endif  // OPKG_OP_CONFIG_H_
