// What portable kernel code computes with: real values of stored elements, integers that wrap, rounding and saturation.
#ifndef OPKG_SCALAR_H_
#define OPKG_SCALAR_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "opkg/kernel.h"

namespace opkg {

/// Smallest and largest numbers of T, NaN as 0, towards zero.
template <typename T>
inline int64_t saturate(double x) {
  constexpr double kEnd = static_cast<double>(std::numeric_limits<T>::max());
  if (!(x == x)) return 0;
  if (x <= static_cast<double>(std::numeric_limits<T>::min())) return static_cast<int64_t>(std::numeric_limits<T>::min());
  if (x >= kEnd) return static_cast<int64_t>(std::numeric_limits<T>::max());
  return static_cast<int64_t>(x);
}

template <typename T>
inline int64_t saturate(int64_t x) {
  if constexpr (sizeof(T) == sizeof(int64_t)) {
    return std::is_signed_v<T> || x > 0 ? x : 0;
  } else {
    constexpr int64_t kLow = std::numeric_limits<T>::min();
    constexpr int64_t kHigh = std::numeric_limits<T>::max();
    return x < kLow ? kLow : x > kHigh ? kHigh
                                       : x;
  }
}

/// x rounded to half precision, ties to even; what is too large is infinite.
inline double round_to_half(double x) {
  const double magnitude = std::fabs(x);
  if (!(magnitude < 65520.0)) return x == x ? std::copysign(std::numeric_limits<double>::infinity(), x) : x;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent, f in [0.5, 1): 11 significant bits
  const int last = (exponent < -13 ? -13 : exponent) - 11;
  return std::ldexp(std::nearbyint(std::ldexp(x, -last)), last);
}

/// How the stored numbers of a tensor count: real = (stored - zero) * scale. Plain integers are stored - zero.
struct Steps {
  double scale = 1.0;
  int64_t zero = 0;

  template <typename View>
  explicit Steps(const View& tensor) : scale(static_cast<double>(tensor.scale)), zero(tensor.zero) {}
  Steps() = default;

  template <typename T>
  double real(T stored) const {
    return static_cast<double>(static_cast<int64_t>(stored) - zero) * scale;
  }

  template <typename T>
  int64_t integer(T stored) const {
    return static_cast<int64_t>(stored) - zero;
  }

  /// The nearest stored number, ties to even, saturated; NaN is the zero point.
  template <typename T>
  T nearest(double real) const {
    const double q = std::nearbyint(real / scale) + static_cast<double>(zero);
    if (!(q == q)) return static_cast<T>(saturate<T>(zero));
    return static_cast<T>(saturate<T>(q));
  }

  template <typename T>
  T store(int64_t value) const {
    constexpr int64_t kRoom = int64_t{1} << 48;  // more than any element holds: adding the zero point must not overflow
    return static_cast<T>(saturate<T>((value < -kRoom ? -kRoom : value > kRoom ? kRoom
                                                                               : value) +
                                      zero));
  }
};

/// The same of floats, which stand for themselves.
struct Plain {
  template <typename T>
  static double real(T stored) {
    return static_cast<double>(stored);
  }
  template <typename T>
  static T nearest(double real) {
    return static_cast<T>(real);
  }
};

// Integers of 64 bits that wrap; x / 0 and x % 0 are 0.
inline int64_t wrap_add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
inline int64_t wrap_sub(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)); }
inline int64_t wrap_mul(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }
inline int64_t wrap_neg(int64_t a) { return wrap_sub(0, a); }
inline int64_t wrap_abs(int64_t a) { return a < 0 ? wrap_neg(a) : a; }

inline int64_t wrap_pow(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = wrap_mul(result, base);
    base = wrap_mul(base, base);
  }
  return result;
}

inline int64_t quotient(int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return wrap_neg(a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

inline int64_t modulo(int64_t a, int64_t b) {
  if (b == 0 || b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// a 2^count, of which 64 bits are kept, and a / 2^count rounded down; a count below 0 is 0.
inline int64_t shift_left(int64_t a, int64_t count) {
  return count > 63 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) << (count > 0 ? count : 0));
}
inline int64_t shift_right(int64_t a, int64_t count) {
  if (count < 0) count = 0;
  return a >> (count > 63 ? 63 : count);
}

/// The rest of a / b with the sign of b.
inline double modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  if (b == 0.0 || rest == 0.0) return b == 0.0 ? rest : std::copysign(0.0, b);
  return (rest < 0.0) != (b < 0.0) ? rest + b : rest;
}

/// a / b rounded down, computed from the rest so that it agrees with modulo().
inline double quotient(double a, double b) {
  if (b == 0.0) return a / b;
  const double rest = std::fmod(a, b);
  double whole = (a - rest) / b;
  if (rest != 0.0 && (rest < 0.0) != (b < 0.0)) whole -= 1.0;
  if (whole == 0.0) return std::copysign(0.0, a / b);
  const double down = std::floor(whole);
  return whole - down > 0.5 ? down + 1.0 : down;
}

/// The number itself. clang for Hexagon makes dfmax and dfmin of `a > b ? a : b` and the like, also of those that have to keep a
/// NaN; a number that it cannot see is compared as written.
inline double opaque(double x) {
#if defined(__hexagon__)
  __asm__("" : "+r"(x));
#endif
  return x;
}

// NaN when an operand is.
inline double minimum(double a, double b) {
  b = opaque(b);
  return a < b || !(a == a) ? a : b;
}
inline double maximum(double a, double b) {
  b = opaque(b);
  return a > b || !(a == a) ? a : b;
}
inline int64_t minimum(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t maximum(int64_t a, int64_t b) { return a > b ? a : b; }

inline double sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0
                                                              : x; }
inline int64_t sign(int64_t x) { return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0); }

/// The place of the first largest, or smallest, of the elements that come; of NaN where there is one.
template <typename T>
struct Leader {
  int64_t place = 0;

  void largest(T x) { take(x, x > best_); }
  void smallest(T x) { take(x, x < best_); }

 private:
  void take(T x, bool better) {
    if (next_ == 0 || (best_ == best_ && (better || !(x == x)))) {
      best_ = x;
      place = next_;
    }
    ++next_;
  }

  T best_{};
  int64_t next_ = 0;
};

inline double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

}  // namespace opkg

#endif  // OPKG_SCALAR_H_
