// The tensor classes of known element type, layout and placement, under the names kernels use.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_TENSOR_TYPES_H_
#define OPKG_HTP_TENSOR_TYPES_H_

#include "tensor_base.h"

// Base classes by which a kernel asks for a layout: std::is_base_of<LayoutCrouton_8, T>.
struct LayoutFlat_8 {};
struct LayoutFlat_16 {};
struct LayoutFlat_32 {};
struct LayoutFlat_64 {};
struct LayoutCrouton_8 {};
struct LayoutCrouton_16 {};
struct LayoutCrouton_32 {};

namespace opkg_sim {

template <OpkgLayout L, size_t Bytes>
struct LayoutOf;
template <>
struct LayoutOf<kOpkgFlat, 1> : LayoutFlat_8 {};
template <>
struct LayoutOf<kOpkgFlat, 2> : LayoutFlat_16 {};
template <>
struct LayoutOf<kOpkgFlat, 4> : LayoutFlat_32 {};
template <>
struct LayoutOf<kOpkgFlat, 8> : LayoutFlat_64 {};
template <>
struct LayoutOf<kOpkgCrouton, 1> : LayoutCrouton_8 {};
template <>
struct LayoutOf<kOpkgCrouton, 2> : LayoutCrouton_16 {};
template <>
struct LayoutOf<kOpkgCrouton, 4> : LayoutCrouton_32 {};

// What t(b, h, w, d) gives when the element type is known and quantized.
template <DType D>
class QuantRef {
 public:
  using Element = ElementOf<D>;
  using Storage = typename Element::Storage;
  QuantRef(Storage* element, const OpkgTensor& tensor) : element_(element), tensor_(tensor) {}
  QuantRef(const QuantRef&) = default;
  operator float() const { return Element::load(*element_, tensor_); }
  const QuantRef& operator=(float real) const {
    *element_ = Element::store(real, tensor_);
    return *this;
  }
  const QuantRef& operator=(const QuantRef& other) const { return *this = float(other); }
  const QuantRef& operator+=(float real) const { return *this = *this + real; }
  const QuantRef& operator-=(float real) const { return *this = *this - real; }
  const QuantRef& operator*=(float real) const { return *this = *this * real; }
  const QuantRef& operator/=(float real) const { return *this = *this / real; }

 private:
  Storage* element_;
  const OpkgTensor& tensor_;
};

// Element type and layout known at compile time, in main memory or TCM.
template <DType D, OpkgLayout L>
class TypedTensor : public Tensor, public LayoutOf<L, sizeof(typename ElementOf<D>::Storage)> {
 public:
  using element_type = typename ElementOf<D>::Storage;
  static constexpr DType dtype = D;
  static constexpr OpkgLayout layout = L;

  explicit TypedTensor(OpkgTensor* record) : Tensor(record) {}

  float interface_scale() const { return record_->stepsize; }
  int32_t interface_offset() const { return record_->zero_offset; }
  float interface_scale_recip() const { return 1.0f / record_->stepsize; }

  // Quantized: reads as float, quantizes what is assigned. Else: a reference to the element.
  template <typename... I>
  decltype(auto) operator()(I... index) {
    if constexpr (ElementOf<D>::quantized) {
      return QuantRef<D>(at(Coordinates(index...)), *record_);
    } else {
      return static_cast<element_type&>(*at(Coordinates(index...)));
    }
  }
  template <typename... I>
  decltype(auto) operator()(I... index) const {
    if constexpr (ElementOf<D>::quantized) {
      return ElementOf<D>::load(*at(Coordinates(index...)), *record_);
    } else {
      return static_cast<const element_type&>(*at(Coordinates(index...)));
    }
  }

  // The stored numbers.
  template <typename... I>
  element_type& get_raw(I... index) {
    return *at(Coordinates(index...));
  }
  template <typename... I>
  const element_type& get_raw(I... index) const {
    return *at(Coordinates(index...));
  }
  template <typename... I>
  element_type* get_raw_addr(I... index) {
    return at(Coordinates(index...));
  }
  template <typename... I>
  const element_type* get_raw_addr(I... index) const {
    return at(Coordinates(index...));
  }
  template <typename... I>
  element_type* element_ptr(I... index) {
    return at(Coordinates(index...));
  }
  template <typename... I>
  const element_type* element_ptr(I... index) const {
    return at(Coordinates(index...));
  }

  // The first element of the block that holds (b, h, w, d); croutons only.
  template <typename... I>
  element_type* block_ptr(I... index) {
    return block(Coordinates(index...));
  }
  template <typename... I>
  const element_type* block_ptr(I... index) const {
    return block(Coordinates(index...));
  }

 private:
  element_type* at(const Coordinates& c) const {
    check_index(*record_, c.at);
    if constexpr (L == kOpkgFlat) {
      const size_t offset = flat_offset(record_->dims, c.at[0], c.at[1], c.at[2], c.at[3]);
      return static_cast<element_type*>(record_->data) + offset;
    } else {
      const Place place = place_of(c);
      return static_cast<element_type*>(record_->blocks[place.block]) + place.offset;
    }
  }
  element_type* block(const Coordinates& c) const {
    static_assert(L == kOpkgCrouton, "only a crouton tensor has blocks");
    return static_cast<element_type*>(record_->blocks[place_of(c).block]);
  }
  Place place_of(const Coordinates& c) const {
    return crouton_place(sizeof(element_type), record_->dims, c.at[0], c.at[1], c.at[2], c.at[3]);
  }
};

template <DType D, OpkgLayout L, OpkgPlacement P>
class PlacedTensor : public TypedTensor<D, L> {
 public:
  static constexpr OpkgPlacement placement = P;
  explicit PlacedTensor(OpkgTensor* record) : TypedTensor<D, L>(record) {}
};

template <DType D>
using FlatMain = PlacedTensor<D, kOpkgFlat, kOpkgMain>;
template <DType D>
using FlatTcm = PlacedTensor<D, kOpkgFlat, kOpkgTcm>;
template <DType D>
using CroutonMain = PlacedTensor<D, kOpkgCrouton, kOpkgMain>;
template <DType D>
using CroutonTcm = PlacedTensor<D, kOpkgCrouton, kOpkgTcm>;

template <DType D>
struct Tdef {
  static constexpr DType dtype = D;
};

}  // namespace opkg_sim

// One row for each element type: its tag and its flat and crouton classes.
namespace Tdefs {
using QuantUint8 = opkg_sim::Tdef<DType::QUInt8>;
using QuantInt8 = opkg_sim::Tdef<DType::QInt8>;
using QuantUint16 = opkg_sim::Tdef<DType::QUInt16>;
using QuantInt16 = opkg_sim::Tdef<DType::QInt16>;
using QuantInt32 = opkg_sim::Tdef<DType::QInt32>;
using Int32 = opkg_sim::Tdef<DType::Int32>;
using Int64 = opkg_sim::Tdef<DType::Int64>;
using PlainFloat = opkg_sim::Tdef<DType::Float32>;
using PlainFloat16 = opkg_sim::Tdef<DType::Float16>;
}  // namespace Tdefs

// Flat, wherever it is placed.
template <typename T>
using TensorContiguous = opkg_sim::TypedTensor<T::dtype, kOpkgFlat>;

// An operand that is dimensions only, whatever its elements are.
template <unsigned Rank>
class TensorShape : public Tensor {
 public:
  static_assert(Rank == kOpkgRank, "an HTP tensor has four dimensions");
  explicit TensorShape(OpkgTensor* record) : Tensor(record) {}
};

#define OPKG_SIM_FLAT_NAMES(NAME, DTYPE)         \
  using NAME = opkg_sim::FlatMain<DType::DTYPE>; \
  using NAME##_TCM = opkg_sim::FlatTcm<DType::DTYPE>;
#define OPKG_SIM_CROUTON_NAMES(NAME, DTYPE)         \
  using NAME = opkg_sim::CroutonMain<DType::DTYPE>; \
  using NAME##_TCM = opkg_sim::CroutonTcm<DType::DTYPE>;
OPKG_SIM_FLAT_NAMES(PlainFloatTensor, Float32)
OPKG_SIM_FLAT_NAMES(PlainFloat16Tensor, Float16)
OPKG_SIM_FLAT_NAMES(Int32Tensor, Int32)
OPKG_SIM_FLAT_NAMES(Int64Tensor, Int64)
OPKG_SIM_FLAT_NAMES(QInt32Tensor, QInt32)
OPKG_SIM_FLAT_NAMES(QuantInt32Tensor, QInt32)
OPKG_SIM_FLAT_NAMES(QuantUint8Tensor, QUInt8)
OPKG_SIM_FLAT_NAMES(QuantInt8Tensor, QInt8)
OPKG_SIM_FLAT_NAMES(QuantUint16Tensor, QUInt16)
OPKG_SIM_FLAT_NAMES(QuantInt16Tensor, QInt16)
OPKG_SIM_CROUTON_NAMES(F32CroutonTensor, Float32)
OPKG_SIM_CROUTON_NAMES(F16CroutonTensor, Float16)
OPKG_SIM_CROUTON_NAMES(Int32CroutonTensor, Int32)
OPKG_SIM_CROUTON_NAMES(QInt32CroutonTensor, QInt32)
OPKG_SIM_CROUTON_NAMES(QUint8CroutonTensor, QUInt8)
OPKG_SIM_CROUTON_NAMES(QInt8CroutonTensor, QInt8)
OPKG_SIM_CROUTON_NAMES(QUint16CroutonTensor, QUInt16)
OPKG_SIM_CROUTON_NAMES(QInt16CroutonTensor, QInt16)
#undef OPKG_SIM_FLAT_NAMES
#undef OPKG_SIM_CROUTON_NAMES

#endif  // OPKG_HTP_TENSOR_TYPES_H_
