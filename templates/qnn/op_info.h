// What an op config says of its tensors and params: shapes, element types, quantization, values.
#ifndef OPKG_OP_INFO_H_
#define OPKG_OP_INFO_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>

// QNN's types, declared by a header of opkg's own, unless the interface has one that brings those of the SDK.
#if __has_include("opkg/qnn_types.h")
#include "opkg/qnn_types.h"
#else
#include "opkg/qnn_abi.h"
#endif
#include "opkg/small.h"

namespace opkg {

OPKG_SMALL_BEGIN

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

inline bool has_32_bits(Qnn_DataType_t type) { return (static_cast<unsigned>(type) & 0xFF) == 0x32; }
/// Bytes of an element, whose bits stand in decimal digits in the number of its type.
inline int64_t bytes_of(Qnn_DataType_t type) {
  const unsigned digits = static_cast<unsigned>(type) & 0xFF;
  return ((digits >> 4) * 10 + (digits & 0xF)) / 8;
}
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

/// One param of an op config: a param or, behind the op's own inputs, a static input. Absent: converts to false.
class ParamInfo {
 public:
  ParamInfo() = default;
  explicit ParamInfo(const Qnn_Param_t& param)
      : scalar_(param.paramType == QNN_PARAMTYPE_SCALAR ? &param.scalarParam : nullptr),
        tensor_(param.paramType == QNN_PARAMTYPE_SCALAR ? nullptr : &param.tensorParam) {}
  explicit ParamInfo(const Qnn_Tensor_t& input) : tensor_(&input) {}
  explicit operator bool() const { return scalar_ != nullptr || tensor_ != nullptr; }
  /// The same param with values to use when it is absent: row by row, alive as long as the param.
  ParamInfo or_default(const double* values, int64_t count) const {
    ParamInfo result = *this;
    if (!*this) result.default_ = values, result.default_size_ = count;
    return result;
  }
  ParamInfo or_default(const Shape& values) const {
    ParamInfo result = *this;
    if (!*this) result.default_shape_ = values, result.default_size_ = values.rank;
    return result;
  }
  bool is_scalar() const { return scalar_ != nullptr; }
  Qnn_DataType_t dtype() const {
    if (scalar_ != nullptr) return scalar_->dataType;
    return tensor_ != nullptr ? tensor_->v1.dataType : QNN_DATATYPE_UNDEFINED;
  }
  Shape shape() const { return tensor_ != nullptr ? TensorInfo(*tensor_).shape() : Shape{}; }
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
  bool is_default() const { return !*this && default_size_ >= 0; }
  bool readable(int64_t index) const {
    return (is_default() || data() != nullptr) && index >= 0 && index < size();
  }
  const void* data() const {
    if (scalar_ != nullptr) return &scalar_->uint64Value;
    return tensor_ != nullptr ? tensor_->v1.clientBuf.data : nullptr;
  }

  const Qnn_Scalar_t* scalar_ = nullptr;
  const Qnn_Tensor_t* tensor_ = nullptr;
  const double* default_ = nullptr;
  Shape default_shape_;
  int64_t default_size_ = -1;
};

/// One order of params that a positional interface can tell apart: for a row of the type table, a number of inputs, and
/// those of them that are null (bit i: input i).
struct ParamOrder {
  int row;
  uint32_t inputs;
  uint64_t nulls;
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

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_OP_INFO_H_
