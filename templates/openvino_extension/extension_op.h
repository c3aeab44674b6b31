// What extension ops share beside their shapes: element types, views of tensors, scales.
#ifndef OPKG_EXTENSION_OP_H_
#define OPKG_EXTENSION_OP_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "openvino/core/attribute_visitor.hpp"
#include "openvino/core/type/float16.hpp"
#include "openvino/runtime/tensor.hpp"
#include "opkg/shape_rules.h"

namespace opkg {

/// What the numbers of a quantized tensor stand for: (stored - zero_point) * scale.
struct Scale {
  float scale = 1.0f;
  int32_t zero_point = 0;
};

/// Element types of a call, inputs and then outputs, one row for each that has a kernel.
using Types = std::vector<std::vector<ov::element::Type>>;

/// What OpenVINO's CPU device computes with in place of a type, in the whole of a model.
inline ov::element::Type device_type(ov::element::Type type) {
  switch (type) {
    case ov::element::Type_t::f16:
      return ov::element::f32;
    case ov::element::Type_t::boolean:
      return ov::element::u8;
    case ov::element::Type_t::i16:
    case ov::element::Type_t::i64:
    case ov::element::Type_t::u16:
    case ov::element::Type_t::u32:
    case ov::element::Type_t::u64:
      return ov::element::i32;
    default:
      return type;
  }
}

constexpr size_t kNoRow = std::numeric_limits<size_t>::max();

/// Whether the device has changed whole numbers of a row's inputs to these types.
inline bool is_changed(const std::vector<ov::element::Type>& row, const std::vector<ov::element::Type>& inputs) {
  bool fits = true, other = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    fits &= inputs[i] == device_type(row[i]);
    other |= inputs[i] != row[i] && !row[i].is_real();
  }
  return fits && other;
}

/// The rows that the types of the inputs fit: as they are, else as the device has them (`devices`). `made`: the row of the types
/// that the op had before, which the device may have changed to those of another row.
inline std::vector<size_t> rows_of(const Types& rows, const std::vector<ov::element::Type>& inputs, bool& devices, size_t made = kNoRow) {
  if (made != kNoRow && is_changed(rows[made], inputs)) return {made};
  std::vector<size_t> found;
  for (const bool device : {false, true}) {
    for (size_t row = 0; row < rows.size() && (!device || devices); ++row) {
      bool fits = true;
      for (size_t i = 0; i < inputs.size(); ++i) {
        const bool same = same_type(inputs[i], rows[row][i]).maybe;
        fits &= same || (device && inputs[i] == device_type(rows[row][i]));
      }
      if (fits) found.push_back(row);
    }
    devices = device;
    if (!found.empty()) break;
    devices = true;
  }
  return found;
}

/// The types of the outputs; dynamic as long as those of the inputs allow several. Sets the row that the op is `made` with.
inline std::vector<ov::element::Type> output_types(const ov::Node* node, const Types& rows, size_t outputs, size_t* made = nullptr) {
  std::vector<ov::element::Type> inputs;
  std::string given;
  for (const auto& input : node->inputs()) {
    inputs.push_back(input.get_element_type());
    given += " " + inputs.back().to_string();
  }
  bool devices = true;
  const std::vector<size_t> fitting = rows_of(rows, inputs, devices, made == nullptr ? kNoRow : *made);
  if (made != nullptr && fitting.size() == 1) *made = fitting.front();
  NODE_VALIDATION_CHECK(node, !fitting.empty(), "no kernel for these element types:" + given);
  std::vector<ov::element::Type> found(outputs);
  for (size_t i = 0; i < outputs; ++i) {
    for (const size_t row : fitting) {
      const auto type = rows[row][rows[row].size() - outputs + i];
      const auto held = devices ? device_type(type) : type;
      found[i] = row == fitting.front() || found[i] == held ? held : ov::element::dynamic;
    }
  }
  return found;
}

/// The row of a call.
inline size_t row_of(const Types& rows, const ov::TensorVector& tensors, size_t made = kNoRow) {
  std::vector<ov::element::Type> types;
  for (const ov::Tensor& tensor : tensors) types.push_back(tensor.get_element_type());
  bool devices = true;
  const std::vector<size_t> fitting = rows_of(rows, types, devices, made);
  OPENVINO_ASSERT(!fitting.empty(), "no kernel for these element types");
  return fitting.front();
}

inline std::vector<ov::PartialShape> shapes_of(const ov::Node& node) {
  std::vector<ov::PartialShape> shapes;
  for (const auto& input : node.inputs()) shapes.push_back(input.get_partial_shape());
  return shapes;
}

inline std::vector<ov::PartialShape> shapes_of(const ov::TensorVector& tensors) {
  std::vector<ov::PartialShape> shapes;
  for (const ov::Tensor& tensor : tensors) shapes.emplace_back(tensor.get_shape());
  return shapes;
}

/// The whole number of type To that is nearest.
template <typename To, typename From>
To nearest(From value) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_signed_v<From>) {
    if (static_cast<int64_t>(value) < 0) {
      const auto low = std::is_signed_v<To> ? static_cast<int64_t>(Limits::lowest()) : 0;
      return static_cast<To>(std::max(static_cast<int64_t>(value), low));
    }
  }
  return static_cast<To>(std::min(static_cast<uint64_t>(value), static_cast<uint64_t>(Limits::max())));
}

template <typename From, typename To>
void convert(const ov::Tensor& from, ov::Tensor& to) {
  const auto* source = static_cast<const From*>(from.data());
  auto* target = static_cast<To*>(to.data());
  for (size_t i = 0; i < from.get_size(); ++i) {
    if constexpr (std::is_integral_v<To>) {
      target[i] = nearest<To>(source[i]);
    } else {
      target[i] = static_cast<To>(source[i]);
    }
  }
}

/// The numbers of a tensor as a tensor of another type; whole numbers that it has not become its nearest.
inline void convert(const ov::Tensor& from, ov::Tensor& to) {
  const auto whole = [&](auto other) {
    using T = decltype(other);
    from.get_element_type() == ov::element::i32 ? convert<int32_t, T>(from, to) : convert<T, int32_t>(from, to);
  };
  const auto device = device_type(from.get_element_type()) == to.get_element_type();
  switch (device ? from.get_element_type() : to.get_element_type()) {
    case ov::element::Type_t::f16:
      return device ? convert<ov::float16, float>(from, to) : convert<float, ov::float16>(from, to);
    case ov::element::Type_t::i16:
      return whole(int16_t{});
    case ov::element::Type_t::i64:
      return whole(int64_t{});
    case ov::element::Type_t::u16:
      return whole(uint16_t{});
    case ov::element::Type_t::u32:
      return whole(uint32_t{});
    case ov::element::Type_t::u64:
      return whole(uint64_t{});
    default:
      from.copy_to(to);  // truth values, which are bytes there
  }
}

/// A tensor as kernels see it: a copy where the device holds another type; without data where the call has none there.
class View {
 public:
  View(const ov::TensorVector& tensors, size_t place, ov::element::Type type, Scale scale = {}) : scale_(scale) {
    if (place >= tensors.size()) return;
    held_ = seen_ = tensors[place];
    for (const size_t extent : held_.get_shape()) dims_.push_back(static_cast<int32_t>(extent));
    if (held_.get_element_type() == type || type == ov::element::boolean) return;
    seen_ = ov::Tensor(type, held_.get_shape());
    convert(held_, seen_);
  }

  template <typename Tensor>
  Tensor as() const {
    const auto data = seen_ ? static_cast<decltype(Tensor::data)>(const_cast<void*>(seen_.data())) : nullptr;
    return {data, dims_.data(), static_cast<int32_t>(dims_.size()), scale_.scale, scale_.zero_point};
  }

  /// After the kernel has written an output.
  void finish() {
    if (seen_.get_element_type() != held_.get_element_type()) convert(seen_, held_);
  }

 private:
  ov::Tensor held_;
  ov::Tensor seen_;
  std::vector<int32_t> dims_;
  Scale scale_;
};

/// A list as an attribute: OpenVINO reads no files with lists of other whole numbers than these.
template <typename T>
void visit(ov::AttributeVisitor& visitor, const std::string& name, std::vector<T>& values) {
  std::vector<int64_t> held(values.begin(), values.end());
  visitor.on_attribute(name, held);
  values.assign(held.begin(), held.end());
}

/// The value of a computed default, once it is known.
template <typename T>
void settle(T& param, Number value) {
  if (value.known()) param = static_cast<T>(value.low);
}
template <typename T>
void settle(std::vector<T>& param, const Numbers& values) {
  param.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) settle(param[i], values[i]);
}

}  // namespace opkg

#endif  // OPKG_EXTENSION_OP_H_
