// Checks of the tensors of an op config: element types, ranks, shapes and quantization.
#ifndef OPKG_OP_TENSORS_H_
#define OPKG_OP_TENSORS_H_

#include "opkg/op_call.h"

namespace opkg {

OPKG_SMALL_BEGIN

/// What the spec says of the tensors of a call.
class TensorCheck : public OpCall {
 public:
  using OpCall::OpCall;

  /// Presence, rank and extents of a tensor.
  void check_tensor(const char* name, const TensorInfo& tensor, int64_t low, int64_t high) {
    if (!tensor) return fail("'%s' is missing", name);
    check_optional(name, tensor, low, high);
  }
  /// The same for one that may be absent.
  void check_optional(const char* name, const TensorInfo& tensor, int64_t low, int64_t high) {
    if (!tensor) return;
    if (tensor.rank() < low || tensor.rank() > high || !tensor.shape().valid) {
      const char* remedy = tensor.rank() == 0 ? "; give it the shape [1]" : "";
      fail("'%s' has rank %d, allowed is %d to %d%s", name, int(tensor.rank()), int(low), int(high), remedy);
    }
    if (tensor.is_static() && tensor.rank() == 5 && has_32_bits(tensor.dtype())) {
      fail("'%s' is a constant of rank 5 with elements of 32 bits, whose graph HTP does not prepare", name);
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
    return match_types(table[0], kRows, tensors, kColumns);
  }
  int match_types(const Qnn_DataType_t* table, size_t rows, const TensorInfo* const* tensors, size_t columns) {
    if (failed()) return -1;
    for (size_t row = 0; row < rows; ++row) {
      bool matches = true;
      for (size_t i = 0; i < columns; ++i) matches &= !*tensors[i] || tensors[i]->dtype() == table[row * columns + i];
      if (matches) return static_cast<int>(row);
    }
    char seen[160] = "";
    char name[12];
    for (size_t i = 0, used = 0; i < columns && used < sizeof seen - sizeof name; ++i) {
      const char* type = *tensors[i] ? print(tensors[i]->dtype(), name) : "none";
      used += std::snprintf(seen + used, sizeof seen - used, " %s", type);
    }
    fail("no kernel for this combination of element types (inputs, then outputs):%s", seen);
    return -1;
  }

  /// The shape of an input; an expected one that the call does not determine fits anything.
  void expect_shape(const char* name, const TensorInfo& tensor, const Shape& expected) {
    const Mark mark = take_mark();
    if (failed() || !tensor || mark == Mark::unknown) return;
    if (mark == Mark::error) return fail("shape of '%s': %s", name, why());
    if (fits(tensor.shape(), expected)) return;
    char want[128];
    char have[128];
    fail("'%s' has shape %s, expected %s", name, print(tensor.shape(), have), print(expected, want));
  }
  void expect_dim(const char* name, const TensorInfo& tensor, int64_t index, int64_t expected) {
    const Mark mark = take_mark();
    if (failed() || !tensor || mark == Mark::unknown) return;
    if (mark == Mark::error) return fail("dimension %d of '%s': %s", int(index), name, why());
    if (tensor.dim(index) == expected) return;
    fail("dimension %d of '%s' is %lld, expected %lld", int(index), name, static_cast<long long>(tensor.dim(index)),
         static_cast<long long>(expected));
  }
  /// The same for an output, whose shape every call determines.
  void expect_output(const char* name, const TensorInfo& tensor, const Shape& expected) {
    if (marked()) return settle_shape(name);
    expect_shape(name, tensor, expected);
  }
  void expect_output_dim(const char* name, const TensorInfo& tensor, int64_t index, int64_t expected) {
    if (marked()) return settle_shape(name);
    expect_dim(name, tensor, index, expected);
  }

  /// Quantization. Tensors that are not of a fixed-point type pass everywhere.
  void expect_per_tensor(const char* name, const TensorInfo& tensor, bool is_input) {
    if (failed() || !tensor || !tensor.is_fixed_point()) return;
    if (tensor.per_axis()) return fail("'%s' must be quantized per tensor, not per channel", name);
    if (!tensor.per_tensor()) {
      if (is_input || tensor.is_quantized()) fail("'%s' has no scale and offset", name);
    } else if (!(tensor.scale() > 0.0) || tensor.scale() - tensor.scale() != 0.0) {
      fail("'%s' has scale %g, it must be positive", name, tensor.scale());
    }
  }
  void expect_per_axis(const char* name, const TensorInfo& tensor, int64_t axis, bool is_input, bool symmetric) {
    if (failed() || !tensor || !tensor.is_fixed_point()) return;
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

 protected:
  /// Whether a shape is what is expected. Callers write what has no dimensions as [1]: HTP prepares only inputs without.
  static bool fits(const Shape& shape, const Shape& expected) {
    return shape == expected || (expected.valid && expected.rank == 0 && shape == Shape{1});
  }

 private:
  void settle_shape(const char* name) {
    take_mark();
    fail("shape of '%s': %s", name, why());
  }
  static bool has_scale(const TensorInfo& tensor) {
    return tensor && tensor.is_fixed_point() && tensor.per_tensor();
  }
};

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_OP_TENSORS_H_
