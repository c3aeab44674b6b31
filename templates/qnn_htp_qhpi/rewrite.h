// Optimization rules over QHPI's graph: what a rule asks of operands, and how it builds what takes an op's place.
#ifndef OPKG_REWRITE_H_
#define OPKG_REWRITE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "opkg/qhpi_abi.h"

namespace opkg {

// An operand is one output of an op. A null operand stands for one that does not exist or could not be made: whatever is
// built with it is null too, and a rule that ends with it does not fire.
constexpr QHPI_OpRef kNull = {nullptr, 0};

// ---- What operands are

/// Graph inputs, and from the late rewrite on core ops, are hidden: only their outputs can be read.
inline bool is_hidden(const QHPI_Op* op) { return std::strcmp(qhpi_op_name(op), "<internal>") == 0; }

/// A definition as kernels see it: graph inputs of signed types show these until they are converted.
inline QHPI_OutputDef as_unsigned(QHPI_OutputDef output) {
  if (output.type != QHPI_QINT8 && output.type != QHPI_QINT16) return output;
  output.quant_parameters.zero_offset += output.type == QHPI_QINT8 ? 128 : 32768;
  output.type = output.type == QHPI_QINT8 ? QHPI_QUINT8 : QHPI_QUINT16;
  return output;
}

inline QHPI_OutputDef output_of(QHPI_OpRef x) {
  if (x.op == nullptr) return {QHPI_UNKNOWN, {0, 1.0f}, {0, {}}};
  return as_unsigned(qhpi_op_output(x.op, x.output_number));
}

inline uint64_t rank(QHPI_OpRef x) { return output_of(x).shape.rank; }

/// An extent; 0 for a dimension that the operand does not have.
inline uint64_t dim(QHPI_OpRef x, uint32_t index) {
  const QHPI_Shape shape = output_of(x).shape;
  return index < shape.rank && index < QHPI_MAX_RANK ? shape.dims[index] : 0;
}

inline uint32_t type(QHPI_OpRef x) { return output_of(x).type; }
inline float stepsize(QHPI_OpRef x) { return output_of(x).quant_parameters.stepsize; }
inline int32_t zero_offset(QHPI_OpRef x) { return output_of(x).quant_parameters.zero_offset; }
inline uint64_t element_size(QHPI_OpRef x) { return qhpi_element_type_size(type(x)); }

inline int64_t num_elements(const QHPI_Shape& shape) {
  int64_t count = 1;
  for (uint32_t i = 0; i < shape.rank && i < QHPI_MAX_RANK; ++i) count *= shape.dims[i];
  return count;
}

inline int64_t data_size(QHPI_OpRef x) {
  return num_elements(output_of(x).shape) * static_cast<int64_t>(element_size(x));
}

inline uint64_t num_inputs(QHPI_OpRef x) {
  return x.op == nullptr || is_hidden(x.op) ? 0 : qhpi_op_num_inputs(x.op);
}

inline int32_t num_outputs(QHPI_OpRef x) {
  if (x.op == nullptr) return 0;
  return is_hidden(x.op) ? 1 : static_cast<int32_t>(qhpi_op_num_outputs(x.op));
}

inline QHPI_OpRef input(QHPI_OpRef x, int64_t index) {
  if (index < 0 || static_cast<uint64_t>(index) >= num_inputs(x)) return kNull;
  return qhpi_op_input(x.op, static_cast<uint32_t>(index));
}

/// Another output of the operand's op.
inline QHPI_OpRef output(QHPI_OpRef x, int64_t index) {
  if (index < 0 || index >= num_outputs(x)) return kNull;
  return is_hidden(x.op) ? x : QHPI_OpRef{x.op, static_cast<uint32_t>(index)};
}

inline const char* name_of(QHPI_OpRef x) { return x.op == nullptr ? "" : qhpi_op_name(x.op); }

inline bool is_named(QHPI_OpRef x, const char* name) {
  return x.op != nullptr && std::strcmp(qhpi_op_name(x.op), name) == 0;
}

/// An op of that name with these many inputs and one output.
inline bool is_op(QHPI_OpRef x, const char* name, uint64_t inputs) {
  return is_named(x, name) && num_outputs(x) == 1 && num_inputs(x) == inputs;
}

/// An op of that name with at least these inputs.
inline bool is_open_op(QHPI_OpRef x, const char* name, uint64_t inputs) {
  return is_named(x, name) && num_outputs(x) == 1 && num_inputs(x) >= inputs;
}

inline bool same(QHPI_OpRef x, QHPI_OpRef y) { return x.op == y.op && x.output_number == y.output_number; }

/// Whether some consumer of the operand's op has that name.
inline bool is_producer_for(QHPI_OpRef x, const char* name) {
  return x.op != nullptr && qhpi_op_producer_for(x.op, name) != 0;
}

inline bool same_shape(QHPI_OpRef x, QHPI_OpRef y) {
  if (rank(x) != rank(y)) return false;
  for (uint32_t i = 0; i < rank(x); ++i) {
    if (dim(x, i) != dim(y, i)) return false;
  }
  return true;
}

inline bool is_quantized(uint32_t type) {
  return type == QHPI_QUINT8 || type == QHPI_QUINT16 || type == QHPI_QINT8 || type == QHPI_QINT16 || type == QHPI_QINT32;
}

/// The same element type and, where it is quantized, the same quantization.
inline bool same_encoding(QHPI_OpRef x, QHPI_OpRef y) {
  if (type(x) != type(y)) return false;
  return !is_quantized(type(x)) || (zero_offset(x) == zero_offset(y) && stepsize(x) == stepsize(y));
}

/// A graph option; 0 where it cannot be read.
inline int32_t option(const QHPI_Op* op, const char* name) {
  int32_t value = 0;
  return qhpi_option_int(op, name, &value) == QHPI_SUCCESS ? value : 0;
}

// ---- Elements of constants

template <typename T>
inline double element_at(const void* data, uint64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + index * sizeof value, sizeof value);
  return static_cast<double>(value);
}

/// The real value of an element; NaN for what is no constant, lies outside or has a type that is not read (float16).
inline double element(QHPI_OpRef x, int64_t index) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (x.op == nullptr || is_hidden(x.op) || qhpi_op_is_constant(x.op) == 0) return none;
  const QHPI_OutputDef def = qhpi_op_output(x.op, x.output_number);
  const void* data = qhpi_op_constant_data(x.op);
  if (data == nullptr || index < 0 || index >= num_elements(def.shape)) return none;
  const uint64_t i = static_cast<uint64_t>(index);
  if (def.type == QHPI_FLOAT32) return element_at<float>(data, i);
  if (def.type == QHPI_INT32) return element_at<int32_t>(data, i);
  if (def.type == QHPI_INT64) return element_at<int64_t>(data, i);
  double stored = none;
  if (def.type == QHPI_QUINT8) stored = element_at<uint8_t>(data, i);
  if (def.type == QHPI_QINT8) stored = element_at<int8_t>(data, i);
  if (def.type == QHPI_QUINT16) stored = element_at<uint16_t>(data, i);
  if (def.type == QHPI_QINT16) stored = element_at<int16_t>(data, i);
  if (def.type == QHPI_QINT32) stored = element_at<int32_t>(data, i);
  return (stored - def.quant_parameters.zero_offset) * static_cast<double>(def.quant_parameters.stepsize);
}

/// The flat index of an element of the last two dimensions; -1 where there is no such column.
inline int64_t at(QHPI_OpRef x, int64_t row, int64_t column) {
  const int64_t width = static_cast<int64_t>(dim(x, static_cast<uint32_t>(rank(x)) - 1));
  return column >= 0 && column < width ? row * width + column : -1;
}

inline bool is_const_float(QHPI_OpRef x, int64_t index) { return !std::isnan(element(x, index)); }
inline float const_float(QHPI_OpRef x, int64_t index) { return static_cast<float>(element(x, index)); }

/// Whether the element is an integer of 32 bits.
inline bool is_const_int(QHPI_OpRef x, int64_t index) {
  const double value = element(x, index);
  return value >= -2147483648.0 && value <= 2147483647.0 && value == std::floor(value);
}

inline int32_t const_int(QHPI_OpRef x, int64_t index) {
  return is_const_int(x, index) ? static_cast<int32_t>(element(x, index)) : std::numeric_limits<int32_t>::min();
}

// ---- Arithmetic that C++ has no operator for, or one that traps. Divisors are not 0.

/// a / b. The smallest integer by -1 is itself.
template <typename T>
inline T quotient(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
  }
  return a / b;
}

/// a % b: the remainder with the sign of the dividend.
template <typename T>
inline T remainder(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return a % b;
}

/// The remainder with the sign of the divisor.
template <typename T>
inline T mod(T a, T b) {
  const T rest = remainder(a, b);
  return rest != 0 && ((rest < 0) != (b < 0)) ? rest + b : rest;
}

template <typename T>
inline T magnitude(T a) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(a);
  } else {
    return a < 0 ? -a : a;
  }
}

template <typename T>
inline bool is_pow2(T a) {
  const auto bits = static_cast<std::make_unsigned_t<T>>(a);
  return (bits & (bits - 1)) == 0;
}

template <typename T>
inline T ceil_div(T a, T b) {
  const T rest = remainder(a, b);
  return quotient(a, b) + (rest != 0 && ((rest < 0) == (b < 0)) ? 1 : 0);
}

template <typename T>
inline T round_down(T a, T b) {
  return a - mod(a, b);
}

/// The next multiple; of 0 the next power of two, of a negative number 0.
template <typename T>
inline T round_up(T a, T b) {
  if (b > 0) return ceil_div(a, b) * b;
  if (b != 0 || !(a > 0)) return 0;
  T power = 1;
  while (power > 0 && power < a) power = static_cast<T>(power * 2);
  return power;
}

template <typename T>
inline T lcm(T a, T b) {
  T x = a;
  T y = b;
  while (y != 0) {
    const T rest = x % y;
    x = y;
    y = rest;
  }
  if (x == 0) return 0;
  const T multiple = a / x * b;
  return multiple < 0 ? -multiple : multiple;
}

/// A float as an integer, as x86-64 does it: the smallest signed one for what does not fit.
template <typename T>
inline T truncate(float value) {
  constexpr double kLimit = 18446744073709551616.0;
  const double whole = std::trunc(static_cast<double>(value));
  if constexpr (std::is_signed_v<T>) {
    const double limit = std::ldexp(1.0, std::numeric_limits<T>::digits);
    return whole >= -limit && whole < limit ? static_cast<T>(whole) : std::numeric_limits<T>::min();
  } else {
    if (whole >= kLimit) return 0;
    if (whole >= kLimit / 2) return static_cast<T>(whole);
    return static_cast<T>(truncate<int64_t>(value));
  }
}

// ---- Rules

struct Rule {
  const char* name;
  const QHPI_Op* (*apply)(const QHPI_Op* op);  // null: the rule does not fit
};

/// Logs `rule NAME on OP#ID`: this rule fired here.
void log_rule(const char* rule, const QHPI_Op* op);

/// What the first rule that fits makes of an op, or the op itself.
template <uint32_t kRules>
inline const QHPI_Op* apply_first(const Rule (&rules)[kRules], const QHPI_Op* op) {
  for (const Rule& rule : rules) {
    const QHPI_Op* made = rule.apply(op);
    if (made == nullptr || made == op) continue;
    log_rule(rule.name, op);
    return made;
  }
  return op;
}

}  // namespace opkg

#endif  // OPKG_REWRITE_H_
