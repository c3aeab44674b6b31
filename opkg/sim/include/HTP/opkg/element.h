// Elements as real numbers: how each element type is read as float and written from float.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_ELEMENT_H_
#define OPKG_HTP_ELEMENT_H_

#include <cmath>
#include <cstdint>
#include <limits>

#include "classic_abi.h"
#include "float16.h"
#include "status.h"

namespace opkg_sim {

// Rounds to nearest, ties to even, and saturates to T. NaN becomes `when_nan`.
template <typename T>
inline T saturate_round(float value, T when_nan) {
  if (value != value) return when_nan;
  if (value <= float(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (value >= float(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return T(std::nearbyint(value));
}

// Stored and real numbers of a type that is not quantized.
template <typename T>
struct PlainElement {
  using Storage = T;
  static constexpr bool quantized = false;
  static float load(T stored, const OpkgTensor&) { return float(stored); }
  static T store(float real, const OpkgTensor&) {
    if constexpr (std::is_integral_v<T>) {
      return saturate_round<T>(real, 0);
    } else {
      return T(real);
    }
  }
};

// real = (stored - zero_offset) * stepsize
template <typename T>
struct QuantElement {
  using Storage = T;
  static constexpr bool quantized = true;
  static float load(T stored, const OpkgTensor& t) { return float(stored - t.zero_offset) * t.stepsize; }
  static T store(float real, const OpkgTensor& t) {
    return saturate_round<T>(real / t.stepsize + float(t.zero_offset), T(t.zero_offset));
  }
};

template <DType>
struct ElementOf;
template <>
struct ElementOf<DType::QUInt8> : QuantElement<uint8_t> {};
template <>
struct ElementOf<DType::QInt8> : QuantElement<int8_t> {};
template <>
struct ElementOf<DType::QUInt16> : QuantElement<uint16_t> {};
template <>
struct ElementOf<DType::QInt16> : QuantElement<int16_t> {};
template <>
struct ElementOf<DType::QInt32> : QuantElement<int32_t> {};
template <>
struct ElementOf<DType::Int32> : PlainElement<int32_t> {};
template <>
struct ElementOf<DType::Int64> : PlainElement<int64_t> {};
template <>
struct ElementOf<DType::Float32> : PlainElement<float> {};
template <>
struct ElementOf<DType::Float16> : PlainElement<Float16> {};

// Element access of a tensor whose type is known at run time only.
struct ElementOps {
  size_t bytes;
  float (*load)(const void* element, const OpkgTensor& tensor);
  void (*store)(void* element, float real, const OpkgTensor& tensor);
};

template <DType D>
inline float load_any(const void* element, const OpkgTensor& tensor) {
  using Element = ElementOf<D>;
  return Element::load(*static_cast<const typename Element::Storage*>(element), tensor);
}

template <DType D>
inline void store_any(void* element, float real, const OpkgTensor& tensor) {
  using Element = ElementOf<D>;
  *static_cast<typename Element::Storage*>(element) = Element::store(real, tensor);
}

template <DType D>
inline constexpr ElementOps kElementOps = {sizeof(typename ElementOf<D>::Storage), load_any<D>, store_any<D>};

inline const ElementOps& element_ops(uint32_t dtype) {
  switch (static_cast<DType>(dtype)) {
    case DType::QUInt8:
      return kElementOps<DType::QUInt8>;
    case DType::QInt8:
      return kElementOps<DType::QInt8>;
    case DType::QUInt16:
      return kElementOps<DType::QUInt16>;
    case DType::QInt16:
      return kElementOps<DType::QInt16>;
    case DType::QInt32:
      return kElementOps<DType::QInt32>;
    case DType::Int32:
      return kElementOps<DType::Int32>;
    case DType::Int64:
      return kElementOps<DType::Int64>;
    case DType::Float16:
      return kElementOps<DType::Float16>;
    default:
      return kElementOps<DType::Float32>;
  }
}

}  // namespace opkg_sim

// Under this name kernels round and saturate themselves.
template <typename T>
inline T saturate_round(float value) {
  return opkg_sim::saturate_round<T>(value, T(0));
}

#endif  // OPKG_HTP_ELEMENT_H_
