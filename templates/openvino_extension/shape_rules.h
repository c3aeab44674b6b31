// Shapes and conditions of an op whose dimensions may be unknown: a number is known to lie between two others.
#ifndef OPKG_SHAPE_RULES_H_
#define OPKG_SHAPE_RULES_H_

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "openvino/op/op.hpp"

namespace opkg {

/// What is known of a condition.
struct Truth {
  Truth(bool value) : maybe(value), maybe_not(!value) {}
  Truth(bool maybe, bool maybe_not) : maybe(maybe), maybe_not(maybe_not) {}

  bool maybe;
  bool maybe_not;
};

inline Truth negated(Truth a) { return {a.maybe_not, a.maybe}; }
inline Truth both(Truth a, Truth b) { return {a.maybe && b.maybe, a.maybe_not || b.maybe_not}; }
inline Truth either(Truth a, Truth b) { return {a.maybe || b.maybe, a.maybe_not && b.maybe_not}; }

/// What is known of a number: its ends, which are included. Whole numbers up to 2^53 are exact.
struct Number {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Number() = default;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Number(T value) : low(static_cast<double>(value)), high(low) {}
  Number(double low, double high) : low(low), high(high) {}
  explicit Number(const ov::Dimension& extent)
      : low(static_cast<double>(extent.get_min_length())),
        high(extent.get_interval().has_upper_bound() ? static_cast<double>(extent.get_max_length()) : kInfinity) {}

  bool known() const { return low == high; }
  /// As a dimension. One that would be negative is said where it is used.
  ov::Dimension extent() const {
    const auto least = static_cast<ov::Dimension::value_type>(std::max(low, 0.0));
    return high < kInfinity ? ov::Dimension(least, static_cast<ov::Dimension::value_type>(high)) : ov::Dimension(least, -1);
  }

  double low = -kInfinity;
  double high = kInfinity;
};

inline const Number kExtent{0.0, Number::kInfinity};

inline Number operator-(Number a) { return {-a.high, -a.low}; }
inline Number operator+(Number a, Number b) { return {a.low + b.low, a.high + b.high}; }
inline Number operator-(Number a, Number b) { return a + -b; }
inline Number operator*(Number a, Number b) {
  const auto times = [](double x, double y) { return x == 0.0 || y == 0.0 ? 0.0 : x * y; };
  const double ends[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

inline Truth operator<(Number a, Number b) { return {a.low < b.high, a.high >= b.low}; }
inline Truth operator>(Number a, Number b) { return b < a; }
inline Truth operator<=(Number a, Number b) { return negated(b < a); }
inline Truth operator>=(Number a, Number b) { return negated(a < b); }
inline Truth operator==(Number a, Number b) {
  return {a.low <= b.high && b.low <= a.high, !(a.known() && b.known() && a.low == b.low)};
}
inline Truth operator!=(Number a, Number b) { return negated(a == b); }
inline Truth operator==(Truth a, Truth b) { return either(both(a, b), both(negated(a), negated(b))); }
inline Truth operator!=(Truth a, Truth b) { return negated(a == b); }

inline Number least(Number a, Number b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }
inline Number most(Number a, Number b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }
inline Number magnitude(Number a) { return a.low >= 0.0 ? a : a.high <= 0.0 ? -a
                                                                            : Number{0.0, std::max(-a.low, a.high)}; }
inline Number select(Truth test, Number a, Number b) {
  if (!test.maybe_not) return a;
  return test.maybe ? Number{std::min(a.low, b.low), std::max(a.high, b.high)} : b;
}

/// a / b. Nothing is known of it where b may be 0; b that is 0 is refused.
inline Number divide(Number a, Number b) {
  OPENVINO_ASSERT(!(b.low == 0.0 && b.high == 0.0), "division by 0");
  if (b.low <= 0.0 && b.high >= 0.0) return {};
  const auto over = [](double x, double y) { return std::isinf(y) ? 0.0 : x / y; };
  const double ends[] = {over(a.low, b.low), over(a.low, b.high), over(a.high, b.low), over(a.high, b.high)};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}
inline Number floor_div(Number a, Number b) {
  const Number quotient = divide(a, b);
  return {std::floor(quotient.low), std::floor(quotient.high)};
}
inline Number floor_mod(Number a, Number b) {
  const Number quotient = floor_div(a, b);
  if (a.known() && b.known()) return a - quotient * b;
  return {std::min(b.low, 0.0), std::max(b.high, 0.0)};
}
inline Number ceil_div(Number a, Number b) { return -floor_div(-a, b); }
inline Number round_up(Number a, Number b) { return ceil_div(a, b) * b; }

using Numbers = std::vector<Number>;

template <typename T>
Numbers numbers(const std::vector<T>& values) {
  return Numbers(values.begin(), values.end());
}

/// A shape; nothing is known of one whose rank is unknown, or whose tensor is absent.
struct Shape {
  Shape() = default;
  explicit Shape(Numbers dims) : ranked(true), dims(std::move(dims)) {}
  explicit Shape(const ov::PartialShape& shape) : ranked(shape.rank().is_static()) {
    if (ranked) {
      for (const ov::Dimension& extent : shape) dims.emplace_back(extent);
    }
  }

  ov::PartialShape partial() const {
    if (!ranked) return ov::PartialShape::dynamic();
    ov::PartialShape shape;
    for (const Number& extent : dims) shape.push_back(extent.extent());
    return shape;
  }

  bool ranked = false;
  Numbers dims;
};

inline Number rank(const Shape& shape) { return shape.ranked ? Number(shape.dims.size()) : kExtent; }
inline Number size(const Numbers& values) { return values.size(); }
inline Number product(const Shape& shape) {
  Number result = shape.ranked ? 1 : kExtent;
  for (const Number& extent : shape.dims) result = result * extent;
  return result;
}

/// Values as a shape, in an expression that wants one.
inline const Shape& shape_of(const Shape& shape) { return shape; }
inline Shape shape_of(const Numbers& values) { return Shape(values); }

inline Number at(const Numbers& values, Number index) {
  if (!index.known()) return {};
  const double place = index.low < 0 ? index.low + static_cast<double>(values.size()) : index.low;
  OPENVINO_ASSERT(place >= 0 && place < static_cast<double>(values.size()), "element ", index.low, " of ", values.size());
  return values[static_cast<size_t>(place)];
}
inline Number at(const Shape& shape, Number index) { return shape.ranked ? at(shape.dims, index) : kExtent; }

inline Truth operator==(const Shape& a, const Shape& b) {
  if (!a.ranked || !b.ranked) return {true, true};
  if (a.dims.size() != b.dims.size()) return false;
  Truth same = true;
  for (size_t i = 0; i < a.dims.size(); ++i) same = both(same, a.dims[i] == b.dims[i]);
  return same;
}
inline Truth operator!=(const Shape& a, const Shape& b) { return negated(a == b); }

inline Truth same_type(ov::element::Type a, ov::element::Type b) {
  if (a.is_dynamic() || b.is_dynamic()) return {true, true};
  return a == b;
}

/// The shape that both become by numpy's rule.
inline Shape broadcast(const Shape& a, const Shape& b) {
  if (!a.ranked || !b.ranked) return {};
  ov::PartialShape result = a.partial();
  const bool fits = ov::PartialShape::broadcast_merge_into(result, b.partial(), ov::op::AutoBroadcastType::NUMPY);
  OPENVINO_ASSERT(fits, "shapes ", a.partial(), " and ", b.partial(), " do not broadcast");
  return Shape(result);
}

/// A shape whose dimensions `axes` are 1, or gone.
inline Shape reduce(const Shape& shape, const Numbers& axes, Truth keep) {
  if (!shape.ranked) return {};
  std::vector<bool> reduced(shape.dims.size());
  for (const Number& axis : axes) {
    if (!axis.known()) return keep.maybe_not ? Shape() : Shape(Numbers(shape.dims.size(), kExtent));
    const double place = axis.low < 0 ? axis.low + static_cast<double>(reduced.size()) : axis.low;
    OPENVINO_ASSERT(place >= 0 && place < static_cast<double>(reduced.size()), "axis ", axis.low, " of rank ", reduced.size());
    reduced[static_cast<size_t>(place)] = true;
  }
  Numbers dims;
  for (size_t i = 0; i < reduced.size(); ++i) {
    if (!reduced[i])
      dims.push_back(shape.dims[i]);
    else if (keep.maybe)
      dims.emplace_back(1);
  }
  return Shape(dims);
}

/// A named dimension: what all places say that have it.
struct Dim : Number {
  explicit Dim(const char* name) : Number(kExtent), name(name) {}
  Dim(const char* name, Number value) : Number(value), name(name) {}
  const char* name;
};

/// A named run of dimensions.
struct Run : Shape {
  explicit Run(const char* name) : name(name) {}
  const char* name;
};

/// A place in a list of dimensions: what it must be, or a name that it binds.
struct Item {
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Item(T value) : value(value) {}
  Item(Number value) : value(value) {}
  Item(Dim& dim) : value(dim), dim(&dim) {}
  Item(Run& run) : run(&run), is_run(true) {}
  struct Any {};
  Item(Any) : is_run(true) {}

  Number value;
  Dim* dim = nullptr;
  Run* run = nullptr;
  bool is_run = false;
};
inline constexpr Item::Any kAny{};

/// The shape of a list.
inline Shape joined(std::initializer_list<Item> items) {
  Shape result;
  result.ranked = true;
  for (const Item& item : items) {
    if (item.is_run && (item.run == nullptr || !item.run->ranked)) return {};
    if (item.is_run)
      result.dims.insert(result.dims.end(), item.run->dims.begin(), item.run->dims.end());
    else
      result.dims.push_back(item.value);
  }
  return result;
}

/// The checks of a call: each one that cannot hold, whatever the unknown dimensions are, is refused with its message.
class Rules {
 public:
  Rules(const ov::Node* node, std::vector<ov::PartialShape> shapes) : node_(node), shapes_(std::move(shapes)) {}

  void require(Truth condition, const std::string& message) const { NODE_VALIDATION_CHECK(node_, condition.maybe, message); }
  void count(size_t low, size_t high) const {
    const std::string range = low == high ? std::to_string(low) : std::to_string(low) + " to " + std::to_string(high);
    require(shapes_.size() >= low && shapes_.size() <= high, std::to_string(shapes_.size()) + " inputs given, expected " + range);
  }
  bool given(size_t place) const { return place < shapes_.size(); }

  /// The shape of an input, whose rank lies between two.
  Shape input(const char* name, size_t place, size_t low, size_t high) const {
    if (!given(place)) return {};
    const Shape shape(shapes_[place]);
    const std::string text = "'" + std::string(name) + "' has rank " + std::to_string(shape.dims.size());
    require(!shape.ranked || (shape.dims.size() >= low && shape.dims.size() <= high),
            text + ", allowed is " + std::to_string(low) + " to " + std::to_string(high));
    return shape;
  }

  /// Compares a shape with a list, and learns what its names are.
  void match(const char* name, const Shape& shape, std::initializer_list<Item> items) const {
    if (!shape.ranked) return;
    const size_t total = shape.dims.size();
    size_t fixed = 0;
    for (const Item& item : items) fixed += item.is_run ? 0 : 1;
    const std::string text = "'" + std::string(name) + "' has rank " + std::to_string(total);
    require(total == fixed || (total > fixed && fixed != items.size()), text + ", which does not fit");
    size_t place = 0;
    for (const Item& item : items) {
      if (!item.is_run) {
        meet(name, place, shape.dims[place], item);
        ++place;
        continue;
      }
      const size_t end = place + total - fixed;
      if (item.run != nullptr) meet(name, *item.run, Numbers(&shape.dims[0] + place, &shape.dims[0] + end));
      place = end;
    }
  }
  void same_shape(const char* name, const Shape& shape, const Shape& wanted) const {
    require(shape == wanted, "'" + std::string(name) + "' has shape " + shape.partial().to_string() + ", expected " +
                                 wanted.partial().to_string());
  }

  /// A param that numbers a dimension, from the end when negative.
  void axis(const char* name, Number value, const Shape& shape, bool from_end) const {
    const Number low = from_end ? -rank(shape) : Number(0);
    require(both(value >= low, value < rank(shape)), "param '" + std::string(name) + "' numbers no dimension");
  }

 private:
  void meet(const char* name, size_t place, Number extent, const Item& item) const {
    const std::string text = "dimension " + std::to_string(place) + " of '" + name + "' is " + to_text(extent);
    require(extent == item.value, text + ", expected " + to_text(item.value) + (item.dim ? std::string(" (") + item.dim->name + ")" : ""));
    if (item.dim == nullptr) return;
    item.dim->low = std::max(item.dim->low, extent.low);
    item.dim->high = std::min(item.dim->high, extent.high);
  }
  void meet(const char* name, Run& run, const Numbers& extents) const {
    if (!run.ranked) {
      static_cast<Shape&>(run) = Shape(extents);
      return;
    }
    require(run == Shape(extents), "'" + std::string(name) + "' differs in *" + run.name);
    for (size_t i = 0; i < extents.size(); ++i) {
      run.dims[i] = {std::max(run.dims[i].low, extents[i].low), std::min(run.dims[i].high, extents[i].high)};
    }
  }
  static std::string to_text(Number value) {
    const auto end = [](double x) { return std::isinf(x) ? std::string() : std::to_string(static_cast<long long>(x)); };
    return value.known() ? end(value.low) : end(value.low) + ".." + end(value.high);
  }

  const ov::Node* node_;
  std::vector<ov::PartialShape> shapes_;
};

}  // namespace opkg

#endif  // OPKG_SHAPE_RULES_H_
