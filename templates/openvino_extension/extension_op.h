// What extension ops share beside their shapes: element types, views of tensors, scales.
#ifndef OPKG_EXTENSION_OP_H_
#define OPKG_EXTENSION_OP_H_

#include <cmath>
#include <cstdint>
#include <vector>

#include "opkg/shape_rules.h"

namespace opkg {

/// What the numbers of a quantized tensor stand for: (stored - zero_point) * scale.
struct Scale {
  float scale = 1.0f;
  int32_t zero_point = 0;
};

/// Element types of a call, inputs and then outputs, one row for each that has a kernel.
using Types = std::vector<std::vector<ov::element::Type>>;

/// The types of the outputs; dynamic as long as those of the inputs allow several.
inline std::vector<ov::element::Type> output_types(const ov::Node* node, const Types& rows, size_t outputs) {
  std::vector<ov::element::Type> found;
  for (const auto& row : rows) {
    bool fits = true;
    for (size_t i = 0; i < node->get_input_size(); ++i) fits &= same_type(node->get_input_element_type(i), row[i]).maybe;
    if (!fits) continue;
    const std::vector<ov::element::Type> types(row.end() - static_cast<std::ptrdiff_t>(outputs), row.end());
    if (found.empty()) found = types;
    for (size_t i = 0; i < outputs; ++i) {
      if (found[i] != types[i]) found[i] = ov::element::dynamic;
    }
  }
  std::string given;
  for (const auto& input : node->inputs()) given += " " + input.get_element_type().to_string();
  NODE_VALIDATION_CHECK(node, !found.empty(), "no kernel for these element types:" + given);
  return found;
}

inline bool has_types(const ov::TensorVector& inputs, const ov::TensorVector& outputs, const std::vector<ov::element::Type>& row) {
  bool fits = true;
  for (size_t i = 0; i < inputs.size(); ++i) fits &= inputs[i].get_element_type() == row[i];
  for (size_t i = 0; i < outputs.size(); ++i) fits &= outputs[i].get_element_type() == row[row.size() - outputs.size() + i];
  return fits;
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

/// A tensor as kernels see it; without data where the call has none at that place.
class View {
 public:
  View(const ov::TensorVector& tensors, size_t place, Scale scale = {}) : scale_(scale) {
    if (place >= tensors.size()) return;
    data_ = const_cast<void*>(tensors[place].data());
    for (const size_t extent : tensors[place].get_shape()) dims_.push_back(static_cast<int32_t>(extent));
  }

  template <typename Tensor>
  Tensor as() const {
    const auto data = static_cast<decltype(Tensor::data)>(data_);
    return {data, dims_.data(), static_cast<int32_t>(dims_.size()), scale_.scale, scale_.zero_point};
  }

 private:
  void* data_ = nullptr;
  std::vector<int32_t> dims_;
  Scale scale_;
};

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
