// Checks of a QNN op config: names, counts, element types, ranks, shapes and params, with a reason for each refusal.
#ifndef OPKG_OP_CONFIG_H_
#define OPKG_OP_CONFIG_H_

#include "opkg/op_pieces.h"

namespace opkg {

OPKG_SMALL_BEGIN

/// The checks of one op config: those of its params, beside those of its tensors.
class OpCheck : public PieceCheck {
 public:
  using PieceCheck::PieceCheck;

  /// ONNX has no bool attributes: kernels take int32 for all bools of a call, where it gives all params in the spec's order.
  template <uint32_t kNames>
  void bools_as_ints(const char* const (&names)[kNames]) {
    int_bools_ = names_ != nullptr || config_.numOfParams == kNames;
    for (uint32_t i = 0; i < config_.numOfParams && i < kNames; ++i) {
      int_bools_ &= std::strcmp(config_.params[i].name, names[i]) == 0;
    }
  }

  /// Finds a param by name and checks its type and kind. ONNX has no unsigned attributes: int32 stands for uint32.
  ParamInfo param(const char* name, Qnn_DataType_t type, bool mandatory, bool scalar) {
    const ParamInfo found = find(name);
    if (!found) {
      if (mandatory) fail("param '%s' is missing", name);
      return found;
    }
    const bool is_scalar = found.is_scalar() || (names_ != nullptr && scalar && found.size() == 1);
    if (is_scalar != scalar) fail("param '%s' must be a %s", name, scalar ? "scalar" : "tensor");
    if (!found.is_scalar() && found.shape().rank == 0) fail("param '%s' has rank 0; give it the shape [1]", name);
    const bool is_bool = type == QNN_DATATYPE_BOOL_8 && scalar;
    const bool is_int = found.dtype() == QNN_DATATYPE_INT_32;
    if (found.dtype() != type && !(is_int && (type == QNN_DATATYPE_UINT_32 || (is_bool && int_bools_)))) {
      char have[12];
      char want[12];
      fail("param '%s' has element type %s, expected %s", name, print(found.dtype(), have), print(type, want));
    } else if (found.dtype() != type && !failed()) {
      expect_limits(name, found, 0, is_bool ? 1 : std::numeric_limits<int32_t>::max());
    }
    if (is_bool) bools_seen_ |= is_int ? 2 : 1;
    if (bools_seen_ == 3 || (bools_seen_ == 1 && names_ != nullptr)) {
      fail("param '%s': the bools of a call are all int32 or none is, and as inputs they are", name);
    }
    if (!failed() && type == QNN_DATATYPE_FLOAT_32) expect_finite(name, found);
    return found;
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
    if (failed() || mark == Mark::unknown) return;
    if (mark == Mark::error) return fail("shape of param '%s': %s", name, why());
    if (param ? fits(param.shape(), expected) : expected.valid && param.size() == expected.product()) return;
    char want[128];
    fail("param '%s' has %lld elements, its shape must be %s", name, static_cast<long long>(param.size()),
         print(expected, want));
  }
  /// A param with named values: `known` says whether it is one of them, `names` is all of them, "nearest (0), linear (1)".
  void expect_named(const char* name, int64_t value, bool known, const char* names) {
    if (!known) fail("param '%s' is %lld, which is none of %s", name, static_cast<long long>(value), names);
  }
  /// A param that numbers a dimension of a tensor, from the end when negative.
  void expect_axis(const char* name, int64_t axis, const TensorInfo& tensor, bool from_end) {
    if (!tensor || (axis < tensor.rank() && axis >= (from_end ? -tensor.rank() : 0))) return;
    fail("param '%s' is %lld, which numbers no dimension of a tensor of rank %d", name, static_cast<long long>(axis),
         int(tensor.rank()));
  }

  /// One whose tensor may have fewer dimensions than the four that kernels see: they find it from the end alone.
  void expect_axis_from_end(const char* name, int64_t axis, const TensorInfo& tensor) {
    expect_axis(name, axis, tensor, true);
    if (failed() || !tensor || axis < 0) return;
    fail("param '%s' is %lld; kernels see ranks below 4 padded in front: count from the end, %lld", name,
         static_cast<long long>(axis), static_cast<long long>(axis) - tensor.rank());
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
    if (failed()) return;
    char given[512];
    join_params(given);
    for (const char* order : orders) {
      if (std::strcmp(order, given) == 0) return;
    }
    fail("params (%s) can not be told apart in this number and order; give (%s)", given,
         orders.size() != 0 ? *orders.begin() : "");
  }

  /// The same for orders that depend on the element types and on which inputs are given.
  template <size_t kCount>
  void param_order(const ParamOrder (&orders)[kCount], int row) {
    if (failed()) return;
    char given[512];
    join_params(given);
    const char* first = nullptr;
    for (const ParamOrder& order : orders) {
      if (order.row != row || order.inputs != inputs_ || order.nulls != null_inputs()) continue;
      if (std::strcmp(order.names, given) == 0) return;
      if (first == nullptr) first = order.names;
    }
    fail("params (%s) can not be told apart in this number and order; give (%s)", given, first != nullptr ? first : "");
  }

 private:
  bool int_bools_ = false;
  int bools_seen_ = 0;  // 1: of their own type, 2: as int32
};

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_OP_CONFIG_H_
