// Operators of the spec's expressions, over the shapes and values of an op config.
#ifndef OPKG_OP_VALUES_H_
#define OPKG_OP_VALUES_H_

#include "opkg/op_info.h"
#include "opkg/small.h"

namespace opkg {

OPKG_SMALL_BEGIN

/// What has no value (division by zero, an index out of range, shapes that do not fit) leaves a mark, at which the check
/// that uses the value looks.
class Values {
 public:
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

  /// The joined shape where only one tensor is given.
  Shape concat(int64_t axis, const TensorInfo& tensor) {
    const bool inside = axis >= -tensor.rank() && axis < tensor.rank();
    return inside ? tensor.shape() : (no_value("axis outside the rank"), Shape());
  }

 protected:
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
  bool marked() const { return mark_ != Mark::none; }
  const char* why() const { return why_; }

 private:
  Mark mark_ = Mark::none;
  const char* why_ = "";
};

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_OP_VALUES_H_
