// What a kernel sees of its op: tensors as plain pointers with dimensions and quantization. C++17, no SDK header needed.
//
// The same kernel file serves every interface: the generated code around it builds these views from the backend's
// tensors. Shapes of rank below 4 reach a kernel padded with leading 1s, unless the spec fixes the rank.
#ifndef OPKG_KERNEL_H_
#define OPKG_KERNEL_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

// Signed elements of 8 and 16 bits come as QHPI hands them over, unless the interface has a header that says otherwise.
// Unsigned storage has its zero point moved with it (that of plain integers is 0, their scale 1), so (q - zero) * scale,
// which load() and store() use, is right.
#if __has_include("opkg/signed.h")
#include "opkg/signed.h"
#else
namespace opkg {
using SFixed8 = uint8_t;
using SFixed16 = uint16_t;
using Int8 = uint8_t;
using Int16 = uint16_t;
}  // namespace opkg
#endif

namespace opkg {

/// What a kernel returns. Anything but `ok` makes the execution of the graph fail.
enum class Status : uint32_t {
  ok = 0,
  unsupported = 1,
  error = 2
};

/// IEEE half precision: 16 stored bits, computed in float.
class Float16 {
 public:
  Float16() = default;
  Float16(float value) : bits_(encode(value)) {}  // NOLINT: converts like a built-in number
  operator float() const { return decode(bits_); }
  static Float16 from_bits(uint16_t bits) {
    Float16 half;
    half.bits_ = bits;
    return half;
  }
  uint16_t bits() const { return bits_; }

 private:
  static float decode(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
    const uint32_t exponent = (half >> 10) & 0x1fu;
    const uint32_t mantissa = half & 0x3ffu;
    if (exponent == 0) {
      const float tiny = static_cast<float>(mantissa) * 5.9604644775390625e-8f;  // 2^-24
      return sign != 0 ? -tiny : tiny;
    }
    const uint32_t wide = exponent == 31 ? 0x7f800000u : (exponent + 112u) << 23;
    const uint32_t bits = sign | wide | (mantissa << 13);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  static uint16_t encode(float value) {  // rounds to nearest, ties to even
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);   // NaN
    if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);  // overflows to infinity
    // A subnormal half: let the FPU round.
    if (magnitude < 0x38800000u) {
      float scaled;
      std::memcpy(&scaled, &magnitude, sizeof scaled);
      return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(scaled * 16777216.0f)));
    }
    const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
  }

  uint16_t bits_;
};

/// Real value of a stored number: (q - zero) * scale; floats stand for themselves.
template <typename T>
inline float dequantize(T stored, float scale, int32_t zero) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, Float16>) {
    return stored;
  } else {
    return static_cast<float>(static_cast<double>(stored) - zero) * scale;
  }
}

/// Nearest stored number of a real value (ties to even), saturated to the type; NaN becomes the zero point.
template <typename T>
inline T quantize(float real, float scale, int32_t zero) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, Float16>) {
    return real;
  } else {
    const double low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = static_cast<double>(std::numeric_limits<T>::max());
    const double q = std::nearbyint(static_cast<double>(real) / scale) + zero;
    if (!(q == q)) return static_cast<T>(zero);
    if (q <= low) return std::numeric_limits<T>::min();
    if (q >= high) return std::numeric_limits<T>::max();
    return static_cast<T>(q);
  }
}

constexpr uint32_t kMaxRank = 6;

/// What is said of a tensor, whatever its elements are.
struct AnyTensor {
  uint32_t rank = 0;
  uint32_t dims[kMaxRank] = {};
  float scale = 1.0f;  ///< real = (q - zero) * scale
  int32_t zero = 0;
  bool in_blocks = false;  ///< only where prepared graphs keep it (opkg/kept.h): the tensor lies in blocks, as a Crouton does
  bool in_ddr = false;     ///< likewise: not in the memory beside the vector unit
  bool is_number = false;  ///< stands for an absent tensor (opkg/filled.h)
};

/// A flat tensor: row-major elements without gaps. An absent optional tensor converts to false.
template <typename T>
struct Tensor : AnyTensor {
  using Element = std::remove_const_t<T>;

  T* data = nullptr;

  explicit operator bool() const { return data != nullptr; }

  /// Extent of a dimension; negative numbers count from the end.
  uint32_t dim(int index) const { return dims[index < 0 ? static_cast<int>(rank) + index : index]; }

  /// Number of elements.
  size_t size() const { return span(0, rank); }

  /// Product of the dimensions first <= i < last.
  size_t span(uint32_t first, uint32_t last) const {
    size_t product = 1;
    for (uint32_t i = first; i < last; ++i) product *= dims[i];
    return product;
  }

  T& operator[](size_t index) const { return data[index]; }

  /// Element `index` as a real value.
  float load(size_t index) const { return dequantize<Element>(data[index], scale, zero); }

  /// Stores a real value: rounded to nearest, saturated.
  void store(size_t index, float real) const { data[index] = quantize<Element>(real, scale, zero); }
};

/// A rank 4 tensor (batch, height, width, depth) in blocks of 2 KB, reached through a table of block pointers.
template <typename T>
struct Crouton {
  using Element = std::remove_const_t<T>;
  static constexpr uint32_t kHeight = 8;
  static constexpr uint32_t kWidth = 8 / sizeof(T);
  static constexpr uint32_t kDepth = 32;
  static constexpr uint32_t kBlockSize = kHeight * kWidth * kDepth;  ///< elements of one block

  T* const* blocks = nullptr;
  uint32_t num_blocks = 0;
  uint32_t rank = 4;
  uint32_t dims[4] = {};    ///< logical extents
  uint32_t padded[4] = {};  ///< extents rounded up to whole blocks
  float scale = 1.0f;
  int32_t zero = 0;

  explicit operator bool() const { return blocks != nullptr; }
  uint32_t dim(int index) const { return dims[index < 0 ? 4 + index : index]; }
  size_t size() const { return static_cast<size_t>(dims[0]) * dims[1] * dims[2] * dims[3]; }

  /// Place of an element inside its block. 16-bit elements interleave pairs of columns.
  static constexpr uint32_t offset(uint32_t h, uint32_t w, uint32_t d) {
    if constexpr (sizeof(T) == 2) {
      return ((h * 2 + w / 2) * kDepth + d) * 2 + w % 2;
    } else {
      return (h * kWidth + w) * kDepth + d;
    }
  }

  T& at(uint32_t b, uint32_t h, uint32_t w, uint32_t d) const {
    const uint32_t row = b * (padded[1] / kHeight) + h / kHeight;
    const uint32_t column = row * (padded[2] / kWidth) + w / kWidth;
    const uint32_t block = column * (padded[3] / kDepth) + d / kDepth;
    return blocks[block][offset(h % kHeight, w % kWidth, d % kDepth)];
  }

  float load(uint32_t b, uint32_t h, uint32_t w, uint32_t d) const {
    return dequantize<Element>(at(b, h, w, d), scale, zero);
  }
  void store(uint32_t b, uint32_t h, uint32_t w, uint32_t d, float real) const {
    at(b, h, w, d) = quantize<Element>(real, scale, zero);
  }
};

constexpr size_t kStagedBytes = 8192;  ///< of all tensors in blocks that are brought into flat memory together, for rows of theirs
constexpr size_t kStagedLine = 128;    ///< of blocks: its pixels are brought together

/// The tensors of a variadic input or output.
template <typename View, uint32_t Capacity>
struct List {
  View items[Capacity];
  uint32_t count = 0;

  const View& operator[](uint32_t index) const { return items[index]; }
  const View* begin() const { return items; }
  const View* end() const { return items + count; }
};

/// Which part of the work a call of a multithreaded kernel does: part `index` of `count`.
struct Slice {
  uint32_t index = 0;
  uint32_t count = 1;

  /// First and last (exclusive) of `n` items that belong to this slice; boundaries are multiples of `align`.
  size_t begin(size_t n, size_t align = 1) const { return count == 1 ? 0 : cut(n, align, index); }  // mostly no division
  size_t end(size_t n, size_t align = 1) const { return count == 1 ? n : cut(n, align, index + 1); }

 private:
  __attribute__((noinline)) size_t cut(size_t n, size_t align, uint32_t part) const {
    const size_t units = (align & (align - 1)) == 0 ? (n + align - 1) >> __builtin_ctz(align) : (n + align - 1) / align;
    const size_t each = (count & (count - 1)) == 0 ? units >> __builtin_ctz(count) : units / count;
    const size_t more = units - each * count;  // slices in front have one more
    const size_t edge = (each * part + (part < more ? part : more)) * align;
    return edge < n ? edge : n;
  }
};

/// Offset in `from` of the element that broadcasting pairs with flat index `index` of the output `to`.
template <typename A, typename B>
inline size_t broadcast_index(const Tensor<A>& from, const Tensor<B>& to, size_t index) {
  size_t offset = 0;
  size_t stride = 1;
  for (uint32_t i = 1; i <= to.rank; ++i) {
    const uint32_t extent = to.dims[to.rank - i];
    const size_t coordinate = index % extent;
    index /= extent;
    if (i > from.rank) continue;
    const uint32_t own = from.dims[from.rank - i];
    if (own != 1) offset += coordinate * stride;
    stride *= own;
  }
  return offset;
}

// Arithmetic of the spec's expressions, for the generated wrappers: quotients round down.
inline int64_t floor_div(int64_t a, int64_t b) {
  return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
inline int64_t floor_mod(int64_t a, int64_t b) { return a - floor_div(a, b) * b; }
inline int64_t ceil_div(int64_t a, int64_t b) { return -floor_div(-a, b); }
inline int64_t round_up(int64_t a, int64_t b) { return ceil_div(a, b) * b; }
inline double divide(double a, double b) { return a / b; }

}  // namespace opkg

#endif  // OPKG_KERNEL_H_
