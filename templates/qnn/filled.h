// A number in the place of an absent tensor, so that one kernel serves calls with and without it. C++17.
#ifndef OPKG_FILLED_H_
#define OPKG_FILLED_H_

#include "opkg/kernel.h"
#include "opkg/small.h"

namespace opkg {

/// 128 bytes of one element: what a vector of it is loaded from.
template <typename T>
struct OneElement {
  alignas(128) T each[128 / sizeof(T)];

  OPKG_SMALL explicit OneElement(T element) {
    for (T& place : each) place = element;
  }
};

OPKG_RARE inline void describe_number(float scale, AnyTensor& view) {
  view = {};
  view.scale = scale;
  view.is_number = true;
}

/// Puts `element` in the place of an absent tensor, as one of rank 0: a number for all elements.
template <typename T>
OPKG_SMALL inline void fill(Tensor<const T>& tensor, const OneElement<T>& element, float scale) {
  if (tensor) return;
  describe_number(scale, tensor);
  tensor.data = element.each;
}

/// The number 1. Quantized elements reach as far beyond it as below, so that factors of it keep their bits.
template <typename T>
OPKG_SMALL inline void fill_ones(Tensor<const T>& tensor) {
  if constexpr (std::is_integral_v<T>) {
    constexpr int32_t kHalf = 1 << (8 * sizeof(T) - 1);
    static const OneElement<T> kOne(static_cast<T>(kHalf));
    fill(tensor, kOne, 1.0f / static_cast<float>(kHalf));
  } else {
    static const OneElement<T> kOne(1.0f);
    fill(tensor, kOne, 1.0f);
  }
}

/// Zero, with the sign that changes no sum. Quantized elements have the smallest of steps, so that sums keep their bits.
template <typename T>
OPKG_SMALL inline void fill_zeros(Tensor<const T>& tensor) {
  if constexpr (std::is_integral_v<T>) {
    static const OneElement<T> kZero(T{0});
    fill(tensor, kZero, 0x1p-64f);
  } else {
    static const OneElement<T> kZero(-0.0f);
    fill(tensor, kZero, 1.0f);
  }
}

}  // namespace opkg

#endif  // OPKG_FILLED_H_
