// Tensor: any tensor, with its element type, layout and dimensions known at run time.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_TENSOR_BASE_H_
#define OPKG_HTP_TENSOR_BASE_H_

#include "element.h"
#include "layout.h"
#include "sdk.h"

using Idx = size_t;

namespace opkg_sim {

// What t(b, h, w, d) of a tensor that can be written gives: reads as float, quantizes what is assigned.
class ElementRef {
 public:
  ElementRef(void* element, const ElementOps& ops, const OpkgTensor& tensor)
      : element_(element), ops_(ops), tensor_(tensor) {}
  ElementRef(const ElementRef&) = default;
  operator float() const { return ops_.load(element_, tensor_); }
  const ElementRef& operator=(float real) const {
    ops_.store(element_, real, tensor_);
    return *this;
  }
  const ElementRef& operator=(const ElementRef& other) const { return *this = float(other); }
  const ElementRef& operator+=(float real) const { return *this = *this + real; }
  const ElementRef& operator-=(float real) const { return *this = *this - real; }
  const ElementRef& operator*=(float real) const { return *this = *this * real; }
  const ElementRef& operator/=(float real) const { return *this = *this / real; }

 private:
  void* element_;
  const ElementOps& ops_;
  const OpkgTensor& tensor_;
};

// Coordinates as b, h, w, d. Fewer than four name the last dimensions: p(0) is p(0, 0, 0, 0).
struct Coordinates {
  template <typename... I>
  explicit Coordinates(I... index) {
    static_assert(sizeof...(I) <= kOpkgRank, "an HTP tensor has four dimensions: (b, h, w, d)");
    size_t i = kOpkgRank - sizeof...(I);
    ((at[i++] = size_t(index)), ...);
  }
  // As a number of coordinates and an array of them.
  template <typename N, typename I>
  Coordinates(N count, I* index) {
    for (size_t i = 0; i < size_t(count); i++) at[4 - size_t(count) + i] = size_t(index[i]);
  }
  size_t at[kOpkgRank] = {0, 0, 0, 0};
};

}  // namespace opkg_sim

class Tensor {
 public:
  explicit Tensor(OpkgTensor* record) : record_(record), ops_(&opkg_sim::element_ops(record->dtype)) {}
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  size_t rank() const { return kOpkgRank; }
  size_t dim(size_t i) const { return i < kOpkgRank ? record_->dims[i] : 0; }
  std::array<size_t, kOpkgRank> dims() const {
    return {{record_->dims[0], record_->dims[1], record_->dims[2], record_->dims[3]}};
  }

  // False, and no change, when the storage has no room for these dimensions. The runner reports that as an
  // error.
  bool set_dims(const size_t* dims) {
    uint64_t wanted[kOpkgRank];
    for (size_t i = 0; i < kOpkgRank; i++) wanted[i] = dims[i];
    if (opkg_sim::storage_elements(record_->layout, ops_->bytes, wanted) > record_->capacity) {
      record_->refused++;
      return false;
    }
    for (size_t i = 0; i < kOpkgRank; i++) record_->dims[i] = wanted[i];
    return true;
  }
  bool set_dims(const Tensor& like) { return set_dims(like.dims().data()); }

  DType get_dtype() const { return static_cast<DType>(record_->dtype); }
  DTypeScaleOff get_dtype_intfc() const { return {get_dtype(), record_->stepsize, record_->zero_offset}; }
#if OPKG_SIM_HAS_225
  float get_interface_scale() const { return record_->stepsize; }
  int32_t get_interface_offset() const { return record_->zero_offset; }
#endif
#if OPKG_SIM_HAS_243
  float interface_scale() const { return record_->stepsize; }
  int32_t interface_offset() const { return record_->zero_offset; }
  float interface_scale_recip() const { return 1.0f / record_->stepsize; }
#endif

  // The elements of a flat tensor, row by row; null for a crouton tensor.
  void* raw_data() { return record_->data; }
  const void* raw_data() const { return record_->data; }
  const void* raw_data_const() const { return record_->data; }

  // The blocks of a crouton tensor, in order (b, h / 8, w / block width, d / 32); a flat tensor has none.
  void** blocktab_ptr() { return record_->blocks; }
  void* const* blocktab_ptr() const { return record_->blocks; }
  size_t blocktab_len() const { return record_->block_count; }

  size_t total_storage_elements() const {
    return opkg_sim::storage_elements(record_->layout, ops_->bytes, record_->dims);
  }
  size_t total_storage_bytes() const { return total_storage_elements() * ops_->bytes; }

  template <typename... I>
  float operator()(I... index) const {
    return ops_->load(address(opkg_sim::Coordinates(index...)), *record_);
  }
  template <typename... I>
  opkg_sim::ElementRef operator()(I... index) {
    return {address(opkg_sim::Coordinates(index...)), *ops_, *record_};
  }

  template <typename... I>
  void* get_raw_addr(I... index) {
    return address(opkg_sim::Coordinates(index...));
  }
  template <typename... I>
  const void* get_raw_addr(I... index) const {
    return address(opkg_sim::Coordinates(index...));
  }
  template <typename... I>
  void* element_ptr(I... index) {
    return address(opkg_sim::Coordinates(index...));
  }
  template <typename... I>
  const void* element_ptr(I... index) const {
    return address(opkg_sim::Coordinates(index...));
  }

 protected:
  char* address(const opkg_sim::Coordinates& c) const {
    opkg_sim::check_index(*record_, c.at);
    return opkg_sim::element_address(*record_, ops_->bytes, c.at[0], c.at[1], c.at[2], c.at[3]);
  }
  OpkgTensor* record_;
  const opkg_sim::ElementOps* ops_;
};

#endif  // OPKG_HTP_TENSOR_BASE_H_
