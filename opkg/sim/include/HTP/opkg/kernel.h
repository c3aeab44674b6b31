// From a kernel function to a record the runner can call: its signature, the classes of its operands, its
// cost. SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_KERNEL_H_
#define OPKG_HTP_KERNEL_H_

#include <new>

#include "tensor_types.h"

// What a cost function gets: the op with its operands.
class Op {
 public:
  Op(OpkgTensor* const* tensors, uint32_t outputs, uint32_t inputs) : outputs_(outputs), inputs_(inputs) {
    for (uint32_t i = 0; i < outputs + inputs && i < kMost; i++) new (at(i)) Tensor(tensors[i]);
  }
  size_t num_outputs() const { return outputs_; }
  size_t num_inputs() const { return inputs_; }
  const Tensor* get_output(size_t i) const { return i < outputs_ ? at(i) : nullptr; }
  const Tensor* get_input(size_t i) const { return i < inputs_ ? at(outputs_ + i) : nullptr; }

 private:
  static constexpr uint32_t kMost = 64;
  Tensor* at(size_t i) const { return i < kMost ? reinterpret_cast<Tensor*>(storage_) + i : nullptr; }
  alignas(Tensor) mutable char storage_[kMost * sizeof(Tensor)];
  uint32_t outputs_, inputs_;
};

namespace opkg_sim {

template <typename T>
struct ClassOf;
template <>
struct ClassOf<Tensor> {
  static constexpr OpkgTensorClass value = {"Tensor", kOpkgAnyDtype, kOpkgAnyLayout, kOpkgAnyPlacement};
};
template <unsigned Rank>
struct ClassOf<TensorShape<Rank>> {
  static constexpr OpkgTensorClass value = {"TensorShape", kOpkgAnyDtype, kOpkgAnyLayout, kOpkgAnyPlacement};
};
template <DType D, OpkgLayout L>
struct ClassOf<TypedTensor<D, L>> {
  static constexpr OpkgTensorClass value = {"TensorContiguous", uint32_t(D), L, kOpkgAnyPlacement};
};
template <DType D, OpkgLayout L, OpkgPlacement P>
struct ClassOf<PlacedTensor<D, L, P>> {
  static constexpr OpkgTensorClass value = {"", uint32_t(D), L, P};
};

// One parameter of a kernel: T& is an output, const T& an input or param.
template <typename P>
struct Operand {
  static_assert(std::is_lvalue_reference_v<P>, "a kernel takes its tensors by reference");
  using Class = std::remove_cv_t<std::remove_reference_t<P>>;
  static_assert(std::is_base_of_v<Tensor, Class>, "a kernel's parameters are tensors");
  static constexpr bool output = !std::is_const_v<std::remove_reference_t<P>>;

  explicit Operand(OpkgTensor* record) : tensor(record) {}
  P get() { return tensor; }
  Class tensor;
};

constexpr bool outputs_first(const bool* output, size_t n) {
  for (size_t i = 1; i < n; i++) {
    if (output[i] && !output[i - 1]) return false;
  }
  return true;
}

template <typename F>
struct Signature;
template <typename R, typename... P>
struct Signature<R (*)(P...) noexcept> : Signature<R (*)(P...)> {};
template <typename R, typename... P>
struct Signature<R (*)(P...)> {
  static constexpr bool output[] = {Operand<P>::output...};
  static_assert(outputs_first(output, sizeof...(P)),
                "outputs come first: T_out&..., const T_in&..., const T_param&...");
  static constexpr uint32_t outputs = (0u + ... + uint32_t(Operand<P>::output));
  static constexpr uint32_t inputs = sizeof...(P) - outputs;
  static constexpr OpkgTensorClass classes[] = {ClassOf<typename Operand<P>::Class>::value...};

  template <auto F>
  static int run(OpkgTensor* const* tensors) {
    return call<F>(tensors, std::index_sequence_for<P...>());
  }

 private:
  template <auto F, size_t... I>
  static int call(OpkgTensor* const* tensors, std::index_sequence<I...>) {
    return static_cast<int>(F(Operand<P>(tensors[I]).get()...));
  }
};

template <auto CostFunction>
float cost_of(OpkgTensor* const* tensors, uint32_t outputs, uint32_t inputs) {
  const Op op(tensors, outputs, inputs);
  return CostFunction(&op);
}

// Bit i for flag number i.
inline constexpr uint64_t flag_bits() { return 0; }
template <typename... Rest>
constexpr uint64_t flag_bits(Flags::Value first, Rest... rest) {
  return uint64_t(1) << first | flag_bits(rest...);
}

}  // namespace opkg_sim

#endif  // OPKG_HTP_KERNEL_H_
