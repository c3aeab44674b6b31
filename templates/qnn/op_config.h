// Checks of a QNN op config: names, counts, element types, ranks, shapes and params, with a reason for each refusal.
#ifndef OPKG_OP_CONFIG_H_
#define OPKG_OP_CONFIG_H_

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <limits>

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
  int64_t size() const { return rank; }
  int64_t operator[](int64_t index) const { return index >= 0 && index < rank ? dims[index] : -1; }
  const int64_t* begin() const { return dims; }
  const int64_t* end() const { return dims + rank; }
  /// A run of dimensions that no tensor of the call gives.
  static Shape unbound() {
    Shape result;
    result.valid = false;
    return result;
  }
  int64_t product() const {
    int64_t result = 1;
    for (uint32_t i = 0; i < rank; ++i) result *= dims[i];
    return result;
  }
  bool operator==(const Shape& other) const {
    return valid && other.valid && rank == other.rank && std::memcmp(dims, other.dims, rank * sizeof dims[0]) == 0;
  }
  bool operator!=(const Shape& other) const { return !(*this == other); }
};

/// Whether a data type is fixed point, and QNN's offset of a symmetric quantization of it.
inline bool is_fixed_point(Qnn_DataType_t type) {
  const unsigned kind = static_cast<unsigned>(type) >> 8;
  return kind == 3 || kind == 4;
}
inline int64_t symmetric_offset(Qnn_DataType_t type) {
  switch (type) {
    case QNN_DATATYPE_UFIXED_POINT_4:
      return -8;
    case QNN_DATATYPE_UFIXED_POINT_8:
      return -128;
    case QNN_DATATYPE_UFIXED_POINT_16:
      return -32768;
    case QNN_DATATYPE_UFIXED_POINT_32:
      return -2147483648LL;
    default:
      return 0;
  }
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
    case QNN_DATATYPE_SFIXED_POINT_8:
      return read(int8_t{});
    case QNN_DATATYPE_UINT_8:
    case QNN_DATATYPE_UFIXED_POINT_8:
    case QNN_DATATYPE_BOOL_8:
      return read(uint8_t{});
    case QNN_DATATYPE_INT_16:
    case QNN_DATATYPE_SFIXED_POINT_16:
      return read(int16_t{});
    case QNN_DATATYPE_UINT_16:
    case QNN_DATATYPE_UFIXED_POINT_16:
      return read(uint16_t{});
    case QNN_DATATYPE_INT_32:
    case QNN_DATATYPE_SFIXED_POINT_32:
      return read(int32_t{});
    case QNN_DATATYPE_UINT_32:
    case QNN_DATATYPE_UFIXED_POINT_32:
      return read(uint32_t{});
    case QNN_DATATYPE_INT_64:
    case QNN_DATATYPE_UINT_64:
      return read(int64_t{});
    default:
      return 0;
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
  int64_t dim(int64_t index) const { return shape_[index < 0 ? index + shape_.rank : index]; }
  int64_t rank() const { return shape_.rank; }
  int64_t size() const { return shape_.product(); }
  Qnn_DataType_t dtype() const { return tensor_ != nullptr ? tensor_->dataType : QNN_DATATYPE_UNDEFINED; }
  bool is_static() const { return tensor_ != nullptr && tensor_->type == QNN_TENSOR_TYPE_STATIC; }
  bool is_quantized() const { return encoding() != QNN_QUANTIZATION_ENCODING_UNDEFINED; }
  bool is_fixed_point() const { return opkg::is_fixed_point(dtype()); }
  bool per_tensor() const { return encoding() == QNN_QUANTIZATION_ENCODING_SCALE_OFFSET; }
  bool per_axis() const { return encoding() == QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET; }
  const Qnn_AxisScaleOffset_t& channels() const { return tensor_->quantizeParams.axisScaleOffsetEncoding; }
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
  /// The same param with values to use when it is absent: row by row, alive as long as the param.
  ParamInfo or_default(const double* values, int64_t count) const {
    ParamInfo result = *this;
    if (param_ == nullptr) result.default_ = values, result.default_size_ = count;
    return result;
  }
  ParamInfo or_default(const Shape& values) const {
    ParamInfo result = *this;
    if (param_ == nullptr) result.default_shape_ = values, result.default_size_ = values.rank;
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
  int64_t size() const { return is_default() ? default_size_ : shape().product(); }
  /// Value of a scalar, or element `index` of a tensor param; 0 past the end.
  int64_t integer(int64_t index = 0) const {
    if (!readable(index)) return 0;
    if (default_ != nullptr) return static_cast<int64_t>(default_[index]);
    return is_default() ? default_shape_[index] : integer_at(data(), dtype(), index);
  }
  double number(int64_t index = 0) const {
    if (!readable(index)) return 0.0;
    if (default_ != nullptr) return default_[index];
    return is_default() ? static_cast<double>(default_shape_[index]) : number_at(data(), dtype(), index);
  }
  int64_t operator[](int64_t index) const { return integer(index); }
  /// The integers of a tensor param as a shape.
  Shape elements() const {
    Shape result;
    for (int64_t i = 0; i < size() && result.valid; ++i) result.push(integer(i));
    return result;
  }

 private:
  bool is_default() const { return param_ == nullptr && default_size_ >= 0; }
  bool readable(int64_t index) const {
    return (is_default() || data() != nullptr) && index >= 0 && index < size();
  }
  const void* data() const {
    if (param_ == nullptr) return nullptr;
    return is_scalar() ? &param_->scalarParam.uint64Value : param_->tensorParam.v1.clientBuf.data;
  }

  const Qnn_Param_t* param_ = nullptr;
  const double* default_ = nullptr;
  Shape default_shape_;
  int64_t default_size_ = -1;
};

/// One order of params that a positional interface can tell apart: for a row of the type table and a number of inputs.
struct ParamOrder {
  int row;
  uint32_t inputs;
  const char* names;
};

/// A computed number as a float32 param would hold it.
inline float to_float(double value) { return static_cast<float>(value); }

/// Integers written out in the generated code (`axes` given as a list).
using Integers = std::initializer_list<int64_t>;

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
  /// A condition of the spec. One that reads what the call does not have is not checked; one without a value fails.
  void require(bool holds, const char* message) {
    const Mark mark = take_mark();
    if (mark == Mark::error) fail("%s (%s)", message, why_);
    if (mark == Mark::none && !holds) fail("%s", message);
  }
  /// After a value was computed: `what` has none when its expression has none.
  void settle(const char* what) {
    if (take_mark() != Mark::none) fail("%s: %s", what, why_);
  }

  void count_inputs(uint32_t least, uint32_t most) { count("input", config_.numOfInputs, least, most); }
  void count_outputs(uint32_t least, uint32_t most) { count("output", config_.numOfOutputs, least, most); }
  /// Kernels see inputs by position: absent ones at the end are left out.
  void no_null_at_end() {
    if (config_.numOfInputs != 0 && !input(config_.numOfInputs - 1)) {
      fail("the last input is null; leave absent inputs at the end out");
    }
  }
  /// How many tensors a variadic input or output has, beside `others`.
  uint32_t more_inputs(uint32_t others) const {
    return config_.numOfInputs > others ? config_.numOfInputs - others : 0;
  }
  uint32_t more_outputs(uint32_t others) const {
    return config_.numOfOutputs > others ? config_.numOfOutputs - others : 0;
  }

  TensorInfo input(uint32_t index) const {
    return index < config_.numOfInputs ? TensorInfo(config_.inputTensors[index]) : TensorInfo();
  }
  TensorInfo output(uint32_t index) const {
    return index < config_.numOfOutputs ? TensorInfo(config_.outputTensors[index]) : TensorInfo();
  }

  /// Presence, rank and extents of a tensor.
  void check_tensor(const char* name, const TensorInfo& tensor, int64_t low, int64_t high) {
    if (!tensor) return fail("'%s' is missing", name);
    check_optional(name, tensor, low, high);
  }
  /// The same for one that may be absent.
  void check_optional(const char* name, const TensorInfo& tensor, int64_t low, int64_t high) {
    if (!tensor) return;
    if (tensor.rank() < low || tensor.rank() > high || !tensor.shape().valid) {
      fail("'%s' has rank %d, allowed is %d to %d", name, int(tensor.rank()), int(low), int(high));
    }
    for (int64_t extent : tensor.shape()) {
      if (extent < 1) fail("'%s' has a dimension of extent 0", name);
    }
  }
  void expect_static(const char* name, const TensorInfo& tensor) {
    if (tensor && !tensor.is_static()) fail("'%s' must be a static tensor", name);
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

  /// The shape of an input; an expected one that the call does not determine fits anything.
  void expect_shape(const char* name, const TensorInfo& tensor, const Shape& expected) {
    const Mark mark = take_mark();
    if (failed_ || !tensor || mark == Mark::unknown) return;
    if (mark == Mark::error) return fail("shape of '%s': %s", name, why_);
    if (tensor.shape() == expected) return;
    char want[128];
    char have[128];
    fail("'%s' has shape %s, expected %s", name, print(tensor.shape(), have), print(expected, want));
  }
  void expect_dim(const char* name, const TensorInfo& tensor, int64_t index, int64_t expected) {
    const Mark mark = take_mark();
    if (failed_ || !tensor || mark == Mark::unknown) return;
    if (mark == Mark::error) return fail("dimension %d of '%s': %s", int(index), name, why_);
    if (tensor.dim(index) == expected) return;
    fail("dimension %d of '%s' is %lld, expected %lld", int(index), name, static_cast<long long>(tensor.dim(index)),
         static_cast<long long>(expected));
  }
  /// The same for an output, whose shape every call determines.
  void expect_output(const char* name, const TensorInfo& tensor, const Shape& expected) {
    if (mark_ != Mark::none) return settle_shape(name);
    expect_shape(name, tensor, expected);
  }
  void expect_output_dim(const char* name, const TensorInfo& tensor, int64_t index, int64_t expected) {
    if (mark_ != Mark::none) return settle_shape(name);
    expect_dim(name, tensor, index, expected);
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
      if (!failed_ && type == QNN_DATATYPE_FLOAT_32) expect_finite(name, found);
      return found;
    }
    if (mandatory) fail("param '%s' is missing", name);
    return ParamInfo();
  }

  /// Whether a computed default fits the param's element type.
  void expect_limits(const char* name, int64_t value, int64_t low, int64_t high) {
    if (value < low || value > high) fail("param '%s' is %lld by default", name, static_cast<long long>(value));
  }
  void expect_limits(const char* name, const ParamInfo& param, int64_t low, int64_t high) {
    for (int64_t i = 0; i < param.size(); ++i) expect_limits(name, param.integer(i), low, high);
  }
  void expect_finite(const char* name, double value) {
    if (value - value != 0.0) fail("param '%s' is not finite", name);
  }
  void expect_finite(const char* name, const ParamInfo& param) {
    for (int64_t i = 0; i < param.size(); ++i) expect_finite(name, param.number(i));
  }
  /// The extent that the number of elements of a tensor param leaves for its one open dimension; -1: none.
  int64_t open_dim(const ParamInfo& param, const Shape& others) {
    const int64_t rest = others.product();
    const bool known = take_mark() == Mark::none && rest > 0 && param.size() % rest == 0;
    return known ? param.size() / rest : -1;
  }
  /// The shape of a tensor param; defaults have a number of elements only.
  void expect_param_shape(const char* name, const ParamInfo& param, const Shape& expected) {
    const Mark mark = take_mark();
    if (failed_ || mark == Mark::unknown) return;
    if (mark == Mark::error) return fail("shape of param '%s': %s", name, why_);
    if (param ? param.shape() == expected : expected.valid && param.size() == expected.product()) return;
    char want[128];
    fail("param '%s' has %lld elements, its shape must be %s", name, static_cast<long long>(param.size()),
         print(expected, want));
  }
  /// A param that numbers a dimension of a tensor, from the end when negative.
  void expect_axis(const char* name, int64_t axis, const TensorInfo& tensor, bool from_end) {
    if (!tensor || (axis < tensor.rank() && axis >= (from_end ? -tensor.rank() : 0))) return;
    fail("param '%s' is %lld, which numbers no dimension of a tensor of rank %d", name, static_cast<long long>(axis),
         int(tensor.rank()));
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

  /// Quantization. Tensors that are not of a fixed-point type pass everywhere.
  void expect_per_tensor(const char* name, const TensorInfo& tensor, bool is_input) {
    if (failed_ || !tensor || !tensor.is_fixed_point()) return;
    if (tensor.per_axis()) return fail("'%s' must be quantized per tensor, not per channel", name);
    if (!tensor.per_tensor()) {
      if (is_input || tensor.is_quantized()) fail("'%s' has no scale and offset", name);
    } else if (!(tensor.scale() > 0.0) || tensor.scale() - tensor.scale() != 0.0) {
      fail("'%s' has scale %g, it must be positive", name, tensor.scale());
    }
  }
  void expect_per_axis(const char* name, const TensorInfo& tensor, int64_t axis, bool is_input, bool symmetric) {
    if (failed_ || !tensor || !tensor.is_fixed_point()) return;
    if (!tensor.is_quantized() && !is_input) return;
    const int64_t wanted = axis < 0 ? axis + tensor.rank() : axis;
    if (!tensor.per_axis() || tensor.channels().axis != wanted) {
      return fail("'%s' must be quantized per channel of dimension %d", name, int(wanted));
    }
    const Qnn_AxisScaleOffset_t& channels = tensor.channels();
    if (tensor.dim(wanted) != channels.numScaleOffsets) {
      return fail("'%s' has %u scales for %d channels", name, channels.numScaleOffsets, int(tensor.dim(wanted)));
    }
    for (uint32_t i = 0; symmetric && i < channels.numScaleOffsets; ++i) {
      if (channels.scaleOffset[i].offset != symmetric_offset(tensor.dtype())) {
        return fail("'%s' must have offset %d in every channel", name, int(symmetric_offset(tensor.dtype())));
      }
    }
  }
  void expect_same_quantization(const char* name, const TensorInfo& tensor, const TensorInfo& other) {
    if (!has_scale(tensor) || !has_scale(other)) return;
    if (tensor.scale() != other.scale() || tensor.offset() != other.offset()) {
      fail("'%s' has scale %g and offset %d, must be %g and %d as its source", name, tensor.scale(),
           int(tensor.offset()), other.scale(), int(other.offset()));
    }
  }
  void expect_scale(const char* name, const TensorInfo& tensor, double scale) {
    if (!has_scale(tensor) || tensor.scale() == static_cast<float>(scale)) return;
    fail("'%s' has scale %g, must be %g", name, tensor.scale(), scale);
  }
  void expect_offset(const char* name, const TensorInfo& tensor, int64_t offset) {
    if (!has_scale(tensor) || tensor.offset() == offset) return;
    fail("'%s' has offset %d, must be %d", name, int(tensor.offset()), int(offset));
  }
  /// Zero lies in the middle of the stored range.
  void expect_symmetric(const char* name, const TensorInfo& tensor) {
    expect_offset(name, tensor, symmetric_offset(tensor.dtype()));
  }

  // Operators of the spec's expressions. What has no value (division by zero, an index out of range, shapes that do
  // not fit) leaves a mark, at which the check that uses the value looks.

  double scale(const TensorInfo& tensor) { return tensor.per_tensor() ? tensor.scale() : (unknown(), 0.0); }
  int64_t offset(const TensorInfo& tensor) { return tensor.per_tensor() ? tensor.offset() : (unknown(), 0); }

  /// An element of a shape or of an int tensor param, from the end when `index` is negative.
  template <typename List>
  int64_t at(const List& list, int64_t index) {
    const int64_t i = index < 0 ? index + list.size() : index;
    return i >= 0 && i < list.size() ? list[i] : (no_value("index out of range"), 0);
  }
  double number_at(const ParamInfo& param, int64_t index) {
    const int64_t i = index < 0 ? index + param.size() : index;
    return i >= 0 && i < param.size() ? param.number(i) : (no_value("index out of range"), 0.0);
  }

  /// Rounded down; the remainder has the sign of the divisor.
  int64_t floor_div(int64_t a, int64_t b) {
    if (b == 0) return no_value("division by zero"), 0;
    if (b == -1) return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  }
  int64_t floor_mod(int64_t a, int64_t b) {
    if (b == 0) return no_value("division by zero"), 0;
    const int64_t rest = b == -1 ? 0 : a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  double divide(double a, double b) {
    if (b == 0) return no_value("division by zero"), 0.0;
    return a / b;
  }
  int64_t ceil_div(int64_t a, int64_t b) { return -floor_div(-a, b); }
  int64_t round_up(int64_t a, int64_t b) { return ceil_div(a, b) * b; }

  /// numpy broadcast of two shapes.
  Shape broadcast(const Shape& a, const Shape& b) {
    Shape result;
    result.rank = a.rank > b.rank ? a.rank : b.rank;
    for (uint32_t i = 1; i <= result.rank; ++i) {
      const int64_t left = i <= a.rank ? a.dims[a.rank - i] : 1;
      const int64_t right = i <= b.rank ? b.dims[b.rank - i] : 1;
      if (left != right && left != 1 && right != 1) no_value("the shapes do not broadcast");
      result.dims[result.rank - i] = left == 1 ? right : left;
    }
    return result;
  }

  /// The shape with the axes made 1 (`keep`) or dropped; at least one dimension stays.
  template <typename Axes>
  Shape reduce(const Shape& shape, const Axes& axes, bool keep) {
    Shape result;
    bool gone[Shape::kMaxRank] = {};
    for (int64_t axis : axes) {
      const int64_t i = axis < 0 ? axis + shape.rank : axis;
      if (i < 0 || i >= shape.rank) return no_value("axis outside the rank"), result;
      gone[i] = true;
    }
    for (uint32_t i = 0; i < shape.rank; ++i) {
      if (!gone[i]) result.push(shape.dims[i]);
      if (gone[i] && keep) result.push(1);
    }
    return result.rank == 0 ? result.push(1) : result;
  }

  /// Joined shape of `count` inputs from `first` on, along an axis.
  Shape concat(int64_t axis, uint32_t first, uint32_t count) {
    Shape result = input(first).shape();
    const int64_t at = axis < 0 ? axis + result.rank : axis;
    if (at < 0 || at >= result.rank) return no_value("axis outside the rank"), result;
    for (uint32_t i = 1; i < count; ++i) {
      const Shape other = input(first + i).shape();
      for (uint32_t d = 0; d < result.rank; ++d) {
        const bool fits = other.rank == result.rank && (d == at || other.dims[d] == result.dims[d]);
        if (!fits) return no_value("inputs differ outside the axis they are joined along"), result;
      }
      result.dims[at] += other.dims[at];
    }
    return result;
  }
  Shape concat(int64_t axis, const TensorInfo& tensor) {
    const bool inside = axis >= -tensor.rank() && axis < tensor.rank();
    return inside ? tensor.shape() : (no_value("axis outside the rank"), Shape());
  }

 private:
  enum class Mark {
    none,
    unknown,
    error
  };

  Mark take_mark() {
    const Mark mark = mark_;
    mark_ = Mark::none;
    return mark;
  }
  void no_value(const char* why) {
    if (mark_ == Mark::none) mark_ = Mark::error, why_ = why;
  }
  void unknown() {
    if (mark_ == Mark::none) mark_ = Mark::unknown, why_ = "a tensor has no scale and offset";
  }
  void settle_shape(const char* name) {
    take_mark();
    fail("shape of '%s': %s", name, why_);
  }
  static bool has_scale(const TensorInfo& tensor) {
    return tensor && tensor.is_fixed_point() && tensor.per_tensor();
  }
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
  Mark mark_ = Mark::none;
  const char* why_ = "";
};

}  // namespace opkg

#endif  // OPKG_OP_CONFIG_H_
