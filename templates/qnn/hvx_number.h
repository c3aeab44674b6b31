// A number of a call as the vectors of its rows hold it (opkg/hvx_numbers.h): made once, with the call's other numbers. C++17.
#ifndef OPKG_HVX_NUMBER_H_
#define OPKG_HVX_NUMBER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "opkg/small.h"

namespace opkg::hvx {

/// mantissa * 2^exponent. The mantissa has 31 bits and a sign; that of zero is zero, with a very small exponent.
struct Number {
  static constexpr int32_t kNothing = -(1 << 20);  ///< exponent of zero

  int32_t mantissa = 0;
  int32_t exponent = kNothing;
  double value = 0.0;  ///< for rows by themselves

  Number() = default;
  OPKG_SMALL explicit Number(double of) : value(of) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    word += uint64_t{1} << 21;
    const int32_t field = static_cast<int32_t>(word >> 52 & 0x7ff);
    const int32_t size = static_cast<int32_t>(word >> 22 & 0x3fffffff) | 1 << 30;
    if (field == 0) return;
    mantissa = word >> 63 != 0 ? -size : size;
    exponent = field - 1053;
  }
};

/// Several, for what runs once.
OPKG_RARE inline void set_numbers(Number* to, std::initializer_list<double> values) {
  for (const double value : values) *to++ = Number(value);
}

/// How many elements a row has, and 1 / that.
class RowCount {
 public:
  RowCount() = default;
  OPKG_RARE explicit RowCount(size_t n) : length_(n) { set_numbers(numbers_, {static_cast<double>(n), 1.0 / static_cast<double>(n)}); }

  size_t length() const { return length_; }
  const Number& count() const { return numbers_[0]; }
  const Number& share() const { return numbers_[1]; }

 private:
  size_t length_ = 0;
  Number numbers_[2];
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX_NUMBER_H_
