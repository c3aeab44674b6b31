// Reads the custom_options of an operator: a flexbuffer map. Every offset is checked; what does not fit throws.
#ifndef OPKG_CUSTOM_OPTIONS_H_
#define OPKG_CUSTOM_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace opkg {

/// A value somewhere in a flexbuffer. Numbers are stored in 1, 2, 4 or 8 bytes, in place or behind an offset.
class Option {
 public:
  Option() = default;
  Option(const uint8_t* data, size_t size, size_t at, size_t width, uint8_t packed)
      : data_(data), size_(size), at_(at), width_(width), type_(packed >> 2), child_width_(size_t{1} << (packed & 3)) {}

  /// The map that a flexbuffer of custom_options is.
  static Option map(const void* data, size_t size) {
    const uint8_t* bytes = static_cast<const uint8_t*>(data);
    if (bytes == nullptr || size < 3) throw std::invalid_argument("the custom_options are empty");
    const size_t width = bytes[size - 1];
    if ((width != 1 && width != 2 && width != 4 && width != 8) || size < width + 2) broken();
    const Option root(bytes, size, size - 2 - width, width, bytes[size - 2]);
    if (root.type_ != kMap) throw std::invalid_argument("the custom_options are no flexbuffer map");
    return root;
  }

  bool is_bool() const { return type_ == kBool; }
  bool is_integer() const {
    return type_ == kInt || type_ == kUint || type_ == kBool || type_ == kIndirectInt || type_ == kIndirectUint;
  }
  bool is_number() const { return is_integer() || type_ == kFloat || type_ == kIndirectFloat; }
  bool is_list() const {
    return type_ == kVector || type_ == kVectorBool || (type_ >= kVectorInt && type_ <= kVectorFloat) ||
           (type_ >= kVectorInt2 && type_ < kBlob);
  }

  int64_t integer() const {
    if (type_ == kInt || type_ == kIndirectInt) return signed_at(place(), bytes());
    if (is_integer()) return static_cast<int64_t>(unsigned_at(place(), bytes()));
    throw std::invalid_argument("no whole number");
  }
  double number() const {
    if (type_ != kFloat && type_ != kIndirectFloat) return static_cast<double>(integer());
    const uint64_t bits = unsigned_at(place(), bytes());
    if (bytes() == 8) return as<double>(bits);
    if (bytes() != 4) throw std::invalid_argument("a float of less than 4 bytes");
    return as<float>(static_cast<uint32_t>(bits));
  }

  /// Elements of a list, or entries of a map.
  size_t count() const {
    if (type_ >= kVectorInt2 && type_ < kBlob) return (type_ - kVectorInt2) / 3 + 2;
    const size_t start = target();
    if (start < child_width_) broken();
    return unsigned_at(start - child_width_, child_width_);
  }
  Option element(size_t index) const {
    const size_t start = target(), length = count();
    if (index >= length || length > size_) broken();
    if (type_ == kVector || type_ == kMap) {
      const size_t types = start + length * child_width_;
      return Option(data_, size_, start + index * child_width_, child_width_, byte(types + index));
    }
    uint8_t type = kBool;
    if (type_ >= kVectorInt && type_ <= kVectorFloat) type = static_cast<uint8_t>(type_ - kVectorInt + kInt);
    if (type_ >= kVectorInt2) type = type_ == kVectorBool ? uint8_t{kBool} : static_cast<uint8_t>((type_ - kVectorInt2) % 3 + kInt);
    return Option(data_, size_, start + index * child_width_, child_width_, static_cast<uint8_t>(type << 2));
  }
  /// The name of a map's entry.
  std::string key(size_t index) const {
    const size_t start = target();
    if (type_ != kMap || start < 3 * child_width_) broken();
    const size_t keys = back(start - 3 * child_width_, child_width_);
    const size_t width = unsigned_at(start - 2 * child_width_, child_width_);
    if (index > size_ || width > 8) broken();
    const size_t at = keys + index * width;
    const size_t text = back(at, width);
    const void* end = std::memchr(data_ + text, 0, size_ - text);
    if (end == nullptr) broken();
    return std::string(reinterpret_cast<const char*>(data_ + text));
  }

 private:
  enum Type : uint8_t {
    kInt = 1,
    kUint = 2,
    kFloat = 3,
    kIndirectInt = 6,
    kIndirectUint = 7,
    kIndirectFloat = 8,
    kMap = 9,
    kVector = 10,
    kVectorInt = 11,
    kVectorFloat = 13,
    kVectorInt2 = 16,
    kBlob = 25,
    kBool = 26,
    kVectorBool = 36
  };

  [[noreturn]] static void broken() { throw std::invalid_argument("the custom_options are damaged"); }
  template <typename T, typename Bits>
  static T as(Bits bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  bool indirect() const { return type_ >= kIndirectInt && type_ <= kIndirectFloat; }
  size_t bytes() const { return indirect() ? child_width_ : width_; }
  size_t place() const { return indirect() ? target() : at_; }
  size_t target() const { return back(at_, width_); }

  uint8_t byte(size_t at) const {
    if (at >= size_) broken();
    return data_[at];
  }
  uint64_t unsigned_at(size_t at, size_t width) const {
    if (width > 8 || at > size_ || width > size_ - at) broken();
    uint64_t value = 0;
    std::memcpy(&value, data_ + at, width);
    return value;
  }
  int64_t signed_at(size_t at, size_t width) const {
    const unsigned unused = static_cast<unsigned>(64 - 8 * width);
    return static_cast<int64_t>(unsigned_at(at, width) << unused) >> unused;
  }
  /// Where an offset leads: offsets count back from their own place.
  size_t back(size_t at, size_t width) const {
    const uint64_t offset = unsigned_at(at, width);
    if (offset > at) broken();
    return at - static_cast<size_t>(offset);
  }

  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t at_ = 0;
  size_t width_ = 1;
  uint8_t type_ = 0;
  size_t child_width_ = 1;
};

}  // namespace opkg

#endif  // OPKG_CUSTOM_OPTIONS_H_
