// The building part of optimization rules: new ops, constants, slices, and the loop of a split.
#ifndef OPKG_REWRITE_BUILD_H_
#define OPKG_REWRITE_BUILD_H_

#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#include "opkg/rewrite.h"

namespace opkg {

constexpr uint32_t kMostOperands = 256;
constexpr uint32_t kMostResults = 8;

/// Operands of an op under construction. With a null one among them, or too many, no op is built.
class Operands {
 public:
  Operands() = default;
  Operands(std::initializer_list<QHPI_OpRef> operands) {
    for (QHPI_OpRef operand : operands) add(operand);
  }
  /// The inputs of an existing op.
  explicit Operands(QHPI_OpRef x) : complete_(x.op != nullptr) {
    for (uint32_t i = 0; i < num_inputs(x); ++i) add(input(x, i));
  }
  void add(QHPI_OpRef operand) {
    complete_ = complete_ && operand.op != nullptr && count_ < kMostOperands;
    if (complete_) refs_[count_++] = operand;
  }
  bool complete() const { return complete_; }
  uint32_t count() const { return count_; }
  const QHPI_OpRef* refs() const { return refs_; }

 private:
  QHPI_OpRef refs_[kMostOperands];
  uint32_t count_ = 0;
  bool complete_ = true;
};

template <typename... Dims>
inline QHPI_Shape shape_of(Dims... dims) {
  static_assert(sizeof...(dims) <= QHPI_MAX_RANK, "too many dimensions");
  return {sizeof...(dims), {static_cast<uint32_t>(dims)...}};
}

/// In four dimensions at least, as all tensors arrive: leading 1s are added.
inline QHPI_Shape padded(const QHPI_Shape& shape) {
  QHPI_Shape full = shape_of(1, 1, 1, 1);
  if (shape.rank >= 4) return shape;
  for (uint32_t i = 0; i < shape.rank; ++i) full.dims[4 - shape.rank + i] = shape.dims[i];
  return full;
}

inline QHPI_OutputDef with_size(QHPI_OutputDef output, const QHPI_Shape& shape) {
  output.shape = shape;
  return output;
}

inline QHPI_OutputDef with_type(QHPI_OutputDef output, uint32_t type, int32_t zero_offset, float stepsize) {
  output.type = type;
  output.quant_parameters = {zero_offset, stepsize};
  return output;
}

inline QHPI_OutputDef with_type_of(const QHPI_OutputDef& output, QHPI_OpRef x) {
  return with_size(output_of(x), output.shape);
}

inline QHPI_OutputDef resized(QHPI_OutputDef output, uint32_t dim, uint32_t extent) {
  if (dim < output.shape.rank && dim < QHPI_MAX_RANK) output.shape.dims[dim] = extent;
  return output;
}

/// One attempt of a rule at an op: makes what is to take the op's place.
class Rewrite {
 public:
  explicit Rewrite(const QHPI_Op* op) : op_(op) {}

  /// What the op is described by; new ops are described alike unless the rule says otherwise.
  QHPI_OutputDef output() const { return output_of({op_, 0}); }

  /// The size of the parts of a dimension that give each HVX thread one.
  int64_t chunk_for_threads(const QHPI_OutputDef& whole, int64_t dim) const {
    if (dim < 0 || dim >= static_cast<int64_t>(whole.shape.rank) || dim >= QHPI_MAX_RANK) return 0;
    return ceil_div<int64_t>(whole.shape.dims[dim], std::max(option(op_, "hvx_threads"), 1));
  }

  /// A divisor, 1 for 0: then the rule does not fire.
  template <typename T>
  T divisor(T value) {
    failed_ = failed_ || value == 0;
    return value == 0 ? T{1} : value;
  }
  bool failed() const { return failed_; }

  QHPI_OpRef create(const char* name, const Operands& inputs, const QHPI_OutputDef& output) {
    return create(name, inputs, 1, &output);
  }

  /// Output `index` of a new op with `count` outputs, which are all described alike.
  QHPI_OpRef create_one_of(const char* name, const Operands& inputs, uint32_t count, uint32_t index,
                           const QHPI_OutputDef& output) {
    QHPI_OutputDef outputs[kMostResults];
    if (count > kMostResults || index >= count) return kNull;
    for (QHPI_OutputDef& each : outputs) each = output;
    const QHPI_OpRef made = create(name, inputs, count, outputs);
    return made.op != nullptr ? QHPI_OpRef{made.op, index} : kNull;
  }

  /// A new op with all the outputs of the one it takes the place of.
  QHPI_OpRef create_alike(const char* name, const Operands& inputs) {
    QHPI_OutputDef outputs[kMostResults];
    const uint32_t count = qhpi_op_num_outputs(op_);
    if (count > kMostResults) return kNull;
    for (uint32_t i = 0; i < count; ++i) outputs[i] = output_of({op_, i});
    return create(name, inputs, count, outputs);
  }

  /// The op once more: what replaces it cannot have it as an input.
  QHPI_OpRef again() { return create_alike(qhpi_op_name(op_), Operands(QHPI_OpRef{op_, 0})); }

  /// `name` on an operand, described as it.
  QHPI_OpRef wrap(const char* name, QHPI_OpRef inner) { return create(name, {inner}, output_of(inner)); }

  QHPI_OpRef constant(float value) { return filled(value, 1, QHPI_FLOAT32); }
  QHPI_OpRef constant(int32_t value) { return filled(value, 1, QHPI_INT32); }
  QHPI_OpRef constants(float value, int64_t count) { return filled(value, count, QHPI_FLOAT32); }
  QHPI_OpRef constants(int32_t value, int64_t count) { return filled(value, count, QHPI_INT32); }

  /// The values in rows of `values.size() / width` each, `width` of them.
  QHPI_OpRef constants(std::initializer_list<int32_t> values, int64_t width = 1) {
    const int64_t count = static_cast<int64_t>(values.size());
    if (width < 1 || count % width != 0) return kNull;
    const QHPI_OutputDef def = {QHPI_INT32, {0, 1.0f}, shape_of(1, 1, width, count / width)};
    return constant(def, static_cast<uint32_t>(count * 4), values.begin());
  }

  QHPI_OpRef shape(const QHPI_Shape& shape) { return made(qhpi_op_create_shape(op_, &shape)); }

  /// [start, start + extent) of an operand; null where it has no such part.
  QHPI_OpRef slice(QHPI_OpRef x, const QHPI_Shape& start, const QHPI_Shape& extent) {
    x = converted(x);
    const QHPI_Shape whole = output_of(x).shape;
    if (x.op == nullptr || start.rank != whole.rank || extent.rank != whole.rank) return kNull;
    for (uint32_t i = 0; i < whole.rank; ++i) {
      if (extent.dims[i] == 0 || extent.dims[i] > whole.dims[i]) return kNull;
      if (start.dims[i] > whole.dims[i] - extent.dims[i]) return kNull;
    }
    return made(qhpi_op_slice(x, &start, &extent));
  }

  QHPI_OpRef concat(int64_t axis, const Operands& parts) {
    if (!parts.complete() || parts.count() == 0) return kNull;
    if (axis < 0 || static_cast<uint64_t>(axis) >= rank(parts.refs()[0])) return kNull;
    return made(qhpi_op_concat(static_cast<uint32_t>(axis), parts.count(), parts.refs()));
  }

  /// The end of a rule: the op that takes the place, null where the rule cannot be applied after all.
  const QHPI_Op* finish(QHPI_OpRef result) {
    if (failed_ || result.op == nullptr) return nullptr;
    if (result.output_number == 0) return result.op;
    // A returned op stands for its output 0. A slice of the whole stands for any other.
    QHPI_Shape start = output_of(result).shape;
    for (uint32_t i = 0; i < start.rank; ++i) start.dims[i] = 0;
    return slice(result, start, output_of(result).shape).op;
  }

 private:
  static QHPI_OpRef made(QHPI_OpRef ref) { return ref.op == nullptr || qhpi_op_is_error(ref.op) != 0 ? kNull : ref; }
  static QHPI_OpRef made(const QHPI_Op* op) { return made(QHPI_OpRef{op, 0}); }

  QHPI_OpRef create(const char* name, const Operands& inputs, uint32_t count, const QHPI_OutputDef* outputs) {
    if (!inputs.complete()) return kNull;
    QHPI_OutputDef defs[kMostResults];
    for (uint32_t i = 0; i < count; ++i) defs[i] = with_size(as_unsigned(outputs[i]), padded(outputs[i].shape));
    return made(qhpi_op_create(op_, name, inputs.count(), inputs.refs(), count, defs));
  }

  QHPI_OpRef constant(const QHPI_OutputDef& def, uint32_t size, const void* data) {
    return made(qhpi_op_create_constant(op_, &def, size, data));
  }

  template <typename T>
  QHPI_OpRef filled(T value, int64_t count, uint32_t type) {
    constexpr int64_t kMostElements = 1 << 24;
    if (count < 1 || count > kMostElements) return kNull;
    T* data = static_cast<T*>(std::malloc(static_cast<size_t>(count) * sizeof value));
    if (data == nullptr) return kNull;
    for (int64_t i = 0; i < count; ++i) data[i] = value;
    const QHPI_OutputDef def = {type, {0, 1.0f}, shape_of(1, 1, 1, count)};
    const QHPI_OpRef ref = constant(def, static_cast<uint32_t>(static_cast<size_t>(count) * sizeof value), data);
    std::free(data);
    return ref;
  }

  /// Slices of graph inputs of a signed type cannot be made before these are converted: a reshape does it.
  QHPI_OpRef converted(QHPI_OpRef x) {
    if (x.op == nullptr || qhpi_op_output(x.op, x.output_number).type == output_of(x).type) return x;
    return create("q::QNN_Reshape", {x}, output_of(x));
  }

  const QHPI_Op* op_;
  bool failed_ = false;
};

/// The parts of an output along one dimension, one after the other, and what was made for each.
///
///     opkg::Split part(rewrite, output, 1, 8);
///     while (part.next()) part.add(rewrite.create("my.pkg::Op", {part.slice(x)}, part.output()));
///     return rewrite.finish(part.joined());
class Split {
 public:
  /// Parts of `chunk`, the last one maybe smaller. None for a dimension that is not there or a chunk below 1.
  Split(Rewrite& rewrite, const QHPI_OutputDef& whole, int64_t dim, int64_t chunk)
      : rewrite_(rewrite), output_(whole), dim_(static_cast<int32_t>(dim)), chunk_(chunk) {
    const bool there = dim >= 0 && dim < static_cast<int64_t>(whole.shape.rank) && dim < QHPI_MAX_RANK;
    extent_ = there && chunk >= 1 ? whole.shape.dims[dim] : 0;
  }

  bool next() {
    start_ += size_;
    if (start_ >= extent_) return false;
    size_ = chunk_ < extent_ - start_ ? chunk_ : extent_ - start_;
    output_.shape.dims[dim_] = static_cast<uint32_t>(size_);
    return true;
  }

  int32_t dim() const { return dim_; }
  int32_t start() const { return static_cast<int32_t>(start_); }
  int32_t size() const { return static_cast<int32_t>(size_); }
  /// What the current part is described by.
  const QHPI_OutputDef& output() const { return output_; }

  /// Where the part of an operand begins that goes with the current one, along the same dimension or `dim`; `stride`: of a
  /// window that makes the parts.
  QHPI_Shape start_of(QHPI_OpRef x, int32_t dim = -1, int64_t stride = 1) const {
    QHPI_Shape shape = output_of(x).shape;
    for (uint32_t i = 0; i < shape.rank; ++i) shape.dims[i] = 0;
    return with(shape, dim, start_ * stride);
  }
  QHPI_Shape size_of(QHPI_OpRef x, int32_t dim = -1, int64_t stride = 1, int64_t window = 1) const {
    return with(output_of(x).shape, dim, stride * (size_ - 1) + window);
  }
  QHPI_OpRef slice(QHPI_OpRef x, int32_t dim = -1) { return rewrite_.slice(x, start_of(x, dim), size_of(x, dim)); }

  void add(QHPI_OpRef part) { parts_.add(part); }
  QHPI_OpRef joined() {
    if (parts_.complete() && parts_.count() == 1) return parts_.refs()[0];
    return rewrite_.concat(dim_, parts_);
  }

 private:
  QHPI_Shape with(QHPI_Shape shape, int32_t dim, int64_t value) const {
    const uint32_t i = static_cast<uint32_t>(dim < 0 ? dim_ : dim);
    if (i < shape.rank && i < QHPI_MAX_RANK) {
      shape.dims[i] = static_cast<uint32_t>(value);
    } else {
      shape.rank = 0;  // no such dimension: no slice fits
    }
    return shape;
  }

  Rewrite& rewrite_;
  QHPI_OutputDef output_;
  int32_t dim_;
  int64_t chunk_;
  int64_t extent_ = 0;
  int64_t start_ = 0;
  int64_t size_ = 0;
  Operands parts_;
};

}  // namespace opkg

#endif  // OPKG_REWRITE_BUILD_H_
