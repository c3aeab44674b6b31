// The tensor classes of HTP's C++ interface over the views that kernels take here: imported kernels are compiled with them.
//
// Made by `opkg import`, and yours from now on. Messages of kernels (errlog and the like) go nowhere. set_dims changes what a
// kernel sees; a result that then has other dimensions than the graph gave it is an error.
#ifndef HTP_TENSORS_H_
#define HTP_TENSORS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

#include "opkg/kernel.h"

using Idx = size_t;

namespace htp {

/// What a kernel returns; numbers, so that one which returns int may write GraphStatus::Success too.
class GraphStatus {
 public:
  enum GraphErrorCode : int {
    Success = 0,
    ErrorFatal = -1,
    ErrorDimensions = 2,
    ErrorPrecision = 3,
    ErrorNAN = 4,
    ErrorNoTCM = 5,
    ErrorNoSpace = 6,
    ErrorUnsupported = 7,
    ErrorSequence = 8,
    ErrorBadID = 9,
    ErrorBadInput = 10,
    ErrorRank = 31,
  };
  constexpr GraphStatus(GraphErrorCode code = Success) : code_(code) {}
  constexpr operator GraphErrorCode() const { return code_; }

 private:
  GraphErrorCode code_;
};

enum class DType : uint32_t { UNKNOWN, QUInt8, QUInt16, QInt16, Float32, Int32, QInt32, QInt8, Float16, Int64 };

struct DTypeScaleOff {
  DType dtype;
  float scale;
  int32_t offset;
};

/// One element of 16 bits, computed in float.
class Float16 : public opkg::Float16 {
 public:
  Float16() = default;
  Float16(float value) : opkg::Float16(value) {}
  static Float16 from_raw(uint16_t bits) { return Float16(float(opkg::Float16::from_bits(bits))); }
  uint16_t raw() const { return bits(); }
};
#if !defined(__clang__) && !defined(__ARM_FP16_FORMAT_IEEE)
using __fp16 = Float16;
#endif

/// Rounds to nearest, ties to even, and saturates; NaN becomes `when_nan`.
template <typename T>
inline T saturate_round(float value, T when_nan = T(0)) {
  if (value != value) return when_nan;
  if (value <= float(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (value >= float(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return T(std::nearbyint(value));
}

/// How the elements of one type are stored, read as float and written from float. real = (stored - zero) * scale
template <DType D, typename T, bool Quantized>
struct ElementType {
  using Storage = T;
  static constexpr DType dtype = D;
  static constexpr bool quantized = Quantized;
  static float load(const void* at, float scale, int32_t zero) {
    const T stored = *static_cast<const T*>(at);
    if constexpr (Quantized) {
      return float(int64_t{stored} - zero) * scale;
    } else {
      return float(stored);
    }
  }
  static void store(void* at, float real, float scale, int32_t zero) {
    if constexpr (Quantized) {
      *static_cast<T*>(at) = saturate_round<T>(real / scale + float(zero), T(zero));
    } else if constexpr (std::is_integral_v<T>) {
      *static_cast<T*>(at) = saturate_round<T>(real);
    } else {
      *static_cast<T*>(at) = T(real);
    }
  }
};

namespace Tdefs {
using QuantUint8 = ElementType<DType::QUInt8, uint8_t, true>;
using QuantInt8 = ElementType<DType::QInt8, opkg::SFixed8, true>;
using QuantUint16 = ElementType<DType::QUInt16, uint16_t, true>;
using QuantInt16 = ElementType<DType::QInt16, opkg::SFixed16, true>;
using QuantInt32 = ElementType<DType::QInt32, int32_t, true>;
using Int32 = ElementType<DType::Int32, int32_t, false>;
using Int64 = ElementType<DType::Int64, int64_t, false>;
using PlainFloat = ElementType<DType::Float32, float, false>;
using PlainFloat16 = ElementType<DType::Float16, Float16, false>;
}  // namespace Tdefs

/// Element access of a tensor whose type is known at run time only.
struct ElementOps {
  DType dtype;
  size_t bytes;
  float (*load)(const void*, float, int32_t);
  void (*store)(void*, float, float, int32_t);
};
template <typename E>
inline constexpr ElementOps kElementOps = {E::dtype, sizeof(typename E::Storage), E::load, E::store};

/// The element type of a view of `T`. Where stored signed numbers arrive as unsigned ones, both have that one.
template <typename T>
constexpr const ElementOps* ops_of() {
  if constexpr (std::is_same_v<T, float>) return &kElementOps<Tdefs::PlainFloat>;
  if constexpr (std::is_same_v<T, opkg::Float16>) return &kElementOps<Tdefs::PlainFloat16>;
  if constexpr (std::is_same_v<T, uint8_t>) return &kElementOps<Tdefs::QuantUint8>;
  if constexpr (std::is_same_v<T, int8_t>) return &kElementOps<Tdefs::QuantInt8>;
  if constexpr (std::is_same_v<T, uint16_t>) return &kElementOps<Tdefs::QuantUint16>;
  if constexpr (std::is_same_v<T, int16_t>) return &kElementOps<Tdefs::QuantInt16>;
  if constexpr (std::is_same_v<T, int64_t>) return &kElementOps<Tdefs::Int64>;
  return &kElementOps<Tdefs::Int32>;
}

/// Coordinates (b, h, w, d). Fewer than four name the last dimensions: p(0) is p(0, 0, 0, 0).
struct Coordinates {
  template <typename... I>
  explicit Coordinates(I... index) {
    static_assert(sizeof...(I) <= 4, "a tensor has four dimensions here: (b, h, w, d)");
    size_t i = 4 - sizeof...(I);
    ((at[i++] = size_t(index)), ...);
  }
  /// As a number of coordinates and an array of them.
  template <typename N, typename I>
  Coordinates(N count, I* index) {
    for (size_t i = 0; i < size_t(count); ++i) at[4 - size_t(count) + i] = size_t(index[i]);
  }
  size_t at[4] = {0, 0, 0, 0};
};

struct Dims {
  size_t b, h, w, d;
  size_t operator[](size_t i) const { return i == 0 ? b : i == 1 ? h : i == 2 ? w : d; }
};

/// Any tensor, of four dimensions (lower ranks have 1s in front), or a param, which is a tensor of one element.
class Tensor {
 public:
  template <typename T>
  explicit Tensor(const opkg::Tensor<T>& view)
      : ops_(ops_of<std::remove_const_t<T>>()), data_((void*)(view.data)), scale_(view.scale), zero_(view.zero) {
    for (uint32_t i = 0; i < 4; ++i) given_[i] = dims_[i] = i + view.rank < 4 ? 1 : view.dims[i + view.rank - 4];
    room_ = storage(dims_);
  }
  template <typename T>
  explicit Tensor(const opkg::Crouton<T>& view)
      : ops_(ops_of<std::remove_const_t<T>>()), blocks_((void**)(view.blocks)), block_count_(view.num_blocks), scale_(view.scale), zero_(view.zero) {
    for (uint32_t i = 0; i < 4; ++i) given_[i] = dims_[i] = view.dims[i];
    room_ = storage(dims_);
  }
  explicit Tensor(float value) : ops_(&kElementOps<Tdefs::PlainFloat>), data_(&value_) { std::memcpy(&value_, &value, sizeof value); }
  explicit Tensor(int32_t value) : ops_(&kElementOps<Tdefs::Int32>), value_(value), data_(&value_) {}
  explicit Tensor(uint32_t value) : Tensor(int32_t(value)) {}
  explicit Tensor(bool value) : Tensor(int32_t(value)) {}
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  size_t rank() const { return 4; }
  size_t dim(size_t i) const { return i < 4 ? dims_[i] : 0; }
  Dims dims() const { return {dims_[0], dims_[1], dims_[2], dims_[3]}; }

  /// False, and no change, when there is no room for these dimensions.
  bool set_dims(const size_t* dims) {
    if (storage(dims) > room_) return false;
    for (size_t i = 0; i < 4; ++i) dims_[i] = dims[i];
    return true;
  }
  bool set_dims(const Tensor& like) { return set_dims(like.dims_); }
  /// Whether the dimensions are those that the graph gave.
  bool as_given() const { return std::memcmp(dims_, given_, sizeof dims_) == 0; }

  DType get_dtype() const { return ops_->dtype; }
  DTypeScaleOff get_dtype_intfc() const { return {ops_->dtype, scale_, zero_}; }
  float interface_scale() const { return scale_; }
  int32_t interface_offset() const { return zero_; }
  float interface_scale_recip() const { return 1.0f / scale_; }
  float get_interface_scale() const { return scale_; }
  int32_t get_interface_offset() const { return zero_; }

  /// The elements of a flat tensor, row by row; null for one in blocks.
  void* raw_data() { return data_; }
  const void* raw_data() const { return data_; }
  const void* raw_data_const() const { return data_; }
  /// The blocks of a tensor in blocks; a flat one has none.
  void** blocktab_ptr() { return blocks_; }
  void* const* blocktab_ptr() const { return blocks_; }
  size_t blocktab_len() const { return block_count_; }
  size_t total_storage_elements() const { return storage(dims_); }
  size_t total_storage_bytes() const { return storage(dims_) * ops_->bytes; }

  /// What t(b, h, w, d) of a tensor that can be written gives: reads as float, stores what is assigned.
  class Element {
   public:
    Element(Tensor& tensor, const Coordinates& at) : tensor_(tensor), at_(tensor.address(at)) {}
    operator float() const { return tensor_.ops_->load(at_, tensor_.scale_, tensor_.zero_); }
    const Element& operator=(float real) const {
      tensor_.ops_->store(at_, real, tensor_.scale_, tensor_.zero_);
      return *this;
    }
    const Element& operator=(const Element& other) const { return *this = float(other); }
    const Element& operator+=(float real) const { return *this = *this + real; }
    const Element& operator-=(float real) const { return *this = *this - real; }
    const Element& operator*=(float real) const { return *this = *this * real; }
    const Element& operator/=(float real) const { return *this = *this / real; }

   private:
    Tensor& tensor_;
    void* at_;
  };
  template <typename... I>
  float operator()(I... index) const {
    return ops_->load(address(Coordinates(index...)), scale_, zero_);
  }
  template <typename... I>
  Element operator()(I... index) {
    return Element(*this, Coordinates(index...));
  }
  template <typename... I>
  void* get_raw_addr(I... index) {
    return address(Coordinates(index...));
  }
  template <typename... I>
  const void* get_raw_addr(I... index) const {
    return address(Coordinates(index...));
  }
  template <typename... I>
  void* element_ptr(I... index) {
    return address(Coordinates(index...));
  }
  template <typename... I>
  const void* element_ptr(I... index) const {
    return address(Coordinates(index...));
  }

 protected:
  size_t width() const { return 8 / ops_->bytes; }  ///< of a block
  static size_t up(size_t n, size_t unit) { return (n + unit - 1) / unit; }
  size_t storage(const size_t* dims) const {
    if (blocks_ == nullptr) return dims[0] * dims[1] * dims[2] * dims[3];
    return dims[0] * up(dims[1], 8) * up(dims[2], width()) * up(dims[3], 32) * (2048 / ops_->bytes);
  }
  void* block(const Coordinates& c) const {
    const size_t row = c.at[0] * up(dims_[1], 8) + c.at[1] / 8;
    return blocks_[(row * up(dims_[2], width()) + c.at[2] / width()) * up(dims_[3], 32) + c.at[3] / 32];
  }
  char* address(const Coordinates& c) const {
    const size_t* at = c.at;
    if (blocks_ == nullptr) {
      return static_cast<char*>(data_) + (((at[0] * dims_[1] + at[1]) * dims_[2] + at[2]) * dims_[3] + at[3]) * ops_->bytes;
    }
    const size_t h = at[1] % 8, w = at[2] % width(), d = at[3] % 32;
    const size_t place = ops_->bytes == 2 ? ((h * 2 + w / 2) * 32 + d) * 2 + w % 2 : (h * width() + w) * 32 + d;
    return static_cast<char*>(block(c)) + place * ops_->bytes;
  }

  const ElementOps* ops_;
  int32_t value_ = 0;  ///< of a param
  void* data_ = nullptr;
  void** blocks_ = nullptr;
  size_t block_count_ = 0;
  float scale_ = 1.0f;
  int32_t zero_ = 0;
  size_t dims_[4] = {1, 1, 1, 1};
  size_t given_[4] = {1, 1, 1, 1};
  size_t room_ = 1;
};

/// Dimensions only.
template <unsigned Rank>
class TensorShape : public Tensor {
 public:
  using Tensor::Tensor;
};

// Base classes by which a kernel asks for a layout.
template <size_t Bits, bool Blocks>
struct Layout {};
using LayoutFlat_8 = Layout<8, false>;
using LayoutFlat_16 = Layout<16, false>;
using LayoutFlat_32 = Layout<32, false>;
using LayoutCrouton_8 = Layout<8, true>;
using LayoutCrouton_16 = Layout<16, true>;
using LayoutCrouton_32 = Layout<32, true>;

/// A tensor whose element type and layout are known.
template <typename E, bool Blocks>
class TypedTensor : public Tensor, public Layout<8 * sizeof(typename E::Storage), Blocks> {
 public:
  using element_type = typename E::Storage;
  static constexpr DType dtype = E::dtype;
  using Tensor::Tensor;

  template <typename... I>
  decltype(auto) operator()(I... index) {
    if constexpr (E::quantized) {
      return Element(*this, Coordinates(index...));
    } else {
      return *element_ptr(index...);
    }
  }
  template <typename... I>
  decltype(auto) operator()(I... index) const {
    if constexpr (E::quantized) {
      return E::load(address(Coordinates(index...)), scale_, zero_);
    } else {
      return *element_ptr(index...);
    }
  }
  template <typename... I>
  element_type& get_raw(I... index) {
    return *element_ptr(index...);
  }
  template <typename... I>
  const element_type& get_raw(I... index) const {
    return *element_ptr(index...);
  }
  template <typename... I>
  element_type* get_raw_addr(I... index) {
    return element_ptr(index...);
  }
  template <typename... I>
  const element_type* get_raw_addr(I... index) const {
    return element_ptr(index...);
  }
  template <typename... I>
  element_type* element_ptr(I... index) {
    return reinterpret_cast<element_type*>(address(Coordinates(index...)));
  }
  template <typename... I>
  const element_type* element_ptr(I... index) const {
    return reinterpret_cast<const element_type*>(address(Coordinates(index...)));
  }
  /// The first element of the block that holds (b, h, w, d).
  template <typename... I>
  element_type* block_ptr(I... index) {
    return static_cast<element_type*>(block(Coordinates(index...)));
  }
  template <typename... I>
  const element_type* block_ptr(I... index) const {
    return static_cast<const element_type*>(block(Coordinates(index...)));
  }
};

template <typename E, bool Blocks, bool Tcm>
class PlacedTensor : public TypedTensor<E, Blocks> {
 public:
  using TypedTensor<E, Blocks>::TypedTensor;
};

template <typename E>
using TensorContiguous = TypedTensor<E, false>;

#define HTP_NAMES(NAME, ELEMENT, BLOCKS)                 \
  using NAME = PlacedTensor<Tdefs::ELEMENT, BLOCKS, false>; \
  using NAME##_TCM = PlacedTensor<Tdefs::ELEMENT, BLOCKS, true>;
HTP_NAMES(PlainFloatTensor, PlainFloat, false)
HTP_NAMES(PlainFloat16Tensor, PlainFloat16, false)
HTP_NAMES(Int32Tensor, Int32, false)
HTP_NAMES(Int64Tensor, Int64, false)
HTP_NAMES(QInt32Tensor, QuantInt32, false)
HTP_NAMES(QuantInt32Tensor, QuantInt32, false)
HTP_NAMES(QuantUint8Tensor, QuantUint8, false)
HTP_NAMES(QuantInt8Tensor, QuantInt8, false)
HTP_NAMES(QuantUint16Tensor, QuantUint16, false)
HTP_NAMES(QuantInt16Tensor, QuantInt16, false)
HTP_NAMES(F32CroutonTensor, PlainFloat, true)
HTP_NAMES(F16CroutonTensor, PlainFloat16, true)
HTP_NAMES(Int32CroutonTensor, Int32, true)
HTP_NAMES(QInt32CroutonTensor, QuantInt32, true)
HTP_NAMES(QUint8CroutonTensor, QuantUint8, true)
HTP_NAMES(QInt8CroutonTensor, QuantInt8, true)
HTP_NAMES(QUint16CroutonTensor, QuantUint16, true)
HTP_NAMES(QInt16CroutonTensor, QuantInt16, true)
#undef HTP_NAMES

/// A flat tensor as one in blocks, for kernels that take some tensors so and others flat: copied into blocks, and a result back
/// at the end.
template <typename Class, typename T>
class Blocked : public Class {
 public:
  explicit Blocked(const opkg::Tensor<T>& view) : Class(view), flat_(static_cast<char*>(this->data_)) {
    const size_t count = this->dims_[0] * Class::up(this->dims_[1], 8) * Class::up(this->dims_[2], this->width()) * Class::up(this->dims_[3], 32);
    memory_ = static_cast<char*>(std::calloc(count, 2048));
    this->blocks_ = static_cast<void**>(std::malloc(count * sizeof(void*)));
    for (size_t i = 0; i < count; ++i) this->blocks_[i] = memory_ + 2048 * i;
    this->block_count_ = count;
    this->data_ = nullptr;
    this->room_ = this->storage(this->dims_);
    copy(true);
  }
  ~Blocked() {
    if (!std::is_const_v<T>) copy(false);
    std::free(this->blocks_);
    std::free(memory_);
  }

 private:
  void copy(bool in) {
    const size_t* dims = this->given_;
    const size_t bytes = this->ops_->bytes;
    char* flat = flat_;
    for (size_t b = 0; b < dims[0]; ++b) {
      for (size_t h = 0; h < dims[1]; ++h) {
        for (size_t w = 0; w < dims[2]; ++w) {
          for (size_t d = 0; d < dims[3]; ++d, flat += bytes) {
            char* block = this->address(Coordinates(b, h, w, d));
            std::memcpy(in ? block : flat, in ? flat : block, bytes);
          }
        }
      }
    }
  }
  char* flat_;
  char* memory_;
};

inline int errlog(const char*, ...) { return -1; }
inline int warnlog(const char*, ...) { return -1; }
inline int infolog(const char*, ...) { return -1; }
inline int debuglog(const char*, ...) { return -1; }

/// The status of a finished kernel, which has given its results the dimensions of the graph.
template <typename... Result>
inline opkg::Status finished(int status, const Result&... results) {
  if (status == GraphStatus::ErrorUnsupported) return opkg::Status::unsupported;
  return status == GraphStatus::Success && (results.as_given() && ...) ? opkg::Status::ok : opkg::Status::error;
}

}  // namespace htp

#ifndef FARF
#define FARF(LEVEL, ...) ((void)0)
#endif

#endif  // HTP_TENSORS_H_
