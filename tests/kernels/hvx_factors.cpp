// Products of rows and columns against those of long double: many lengths, numbers about 1 and of all sizes, infinity and NaN.
#include "opkg/hvx_factors.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "opkg/scalar.h"

namespace {

uint32_t state = 12345;
uint32_t drawn() { return (state = state * 1664525u + 1013904223u) >> 8; }

int failures = 0;

void differ(const char* what, size_t count, size_t width, size_t at, double found, double wanted) {
  if (++failures < 20) std::printf("%s of %zu x %zu: element %zu is %.9g, not %.9g\n", what, count, width, at, found, wanted);
}

/// `width` columns; 0: rows.
template <typename Product, typename T>
std::vector<T> run(const Product& product, const std::vector<T>& x, size_t count, size_t width, size_t results) {
  std::vector<T> found(results + 2, T(77));
  const auto* from = reinterpret_cast<const uint8_t*>(x.data());
  auto* to = reinterpret_cast<uint8_t*>(found.data() + 1);
  const size_t stride = width * sizeof(T);
  if (width == 0) product.rows(from, to, results, count);
  for (size_t at = 0; at < stride; at += 128) {
    if (stride - at >= 128) {
      product.template columns<true>(from + at, to + at, stride, count, 128);
    } else {
      product.template columns<false>(from + at, to + at, stride, count, stride - at);
    }
  }
  if (memcmp(&found.front(), &found.back(), sizeof(T)) != 0) ++failures, std::printf("written outside of the tensor\n");
  return std::vector<T>(found.begin() + 1, found.end() - 1);
}

size_t place(size_t i, size_t k, size_t count, size_t width) { return width == 0 ? k * count + i : i * width + k; }

template <typename T>
void integers(size_t count, size_t width, size_t results, uint32_t kind) {
  constexpr long double kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  const int32_t range = static_cast<int32_t>(kHigh - kLow), room = sizeof(T) == 1 ? 40 : 3000;
  opkg::ScanNumbers numbers;
  numbers.in_zero = static_cast<int64_t>(kLow) + static_cast<int64_t>(drawn() % static_cast<uint32_t>(range));
  numbers.out_zero = static_cast<int64_t>(kLow) + static_cast<int64_t>(drawn() % static_cast<uint32_t>(range));
  const double size = kind == 0 ? range / 2.0 : range / 4.0 + 1.0;
  numbers.in = static_cast<float>(1.0 / size * (kind == 0 ? 1.0 : 1.05)), numbers.out = static_cast<float>(3.0 / range);
  const opkg::hvx::ElementProducts<T, T, opkg::hvx::StoredMantissas<T>> product(numbers, count);
  if (!product.taken()) ++failures, std::printf("not taken\n");
  std::vector<T> x(count * results);
  for (auto& each : x) {  // about as far from the zero point as makes 1, on either side
    const auto near = static_cast<int64_t>((1.0 / numbers.in) + static_cast<double>(drawn() % static_cast<uint32_t>(room)) - room / 2);
    int64_t stored = kind == 2 ? static_cast<int64_t>(drawn()) % range : numbers.in_zero + near;
    if (stored > static_cast<int64_t>(kHigh)) stored = numbers.in_zero - near;
    each = static_cast<T>(stored < static_cast<int64_t>(kLow) ? static_cast<int64_t>(kLow) : stored);
  }
  const std::vector<T> found = run(product, x, count, width, results);
  for (size_t k = 0; k < results; ++k) {
    long double all = 1.0L;
    for (size_t i = 0; i < count; ++i) all *= static_cast<long double>(x[place(i, k, count, width)] - numbers.in_zero) * numbers.in;
    const long double steps = std::nearbyint(all / numbers.out) + numbers.out_zero;
    const long double wanted = steps < kLow ? kLow : steps > kHigh ? kHigh
                                                                   : steps;
    if (std::fabs(wanted - static_cast<long double>(found[k])) > 1.0L) {
      differ(sizeof(T) == 1 ? "bytes" : "halves", count, width, k, static_cast<double>(found[k]), static_cast<double>(wanted));
    }
  }
}

/// As bits, from numbers.
template <typename T>
T bits_of(double x) {
  if constexpr (sizeof(T) == 4) return static_cast<float>(x);
  return opkg::Float16(static_cast<float>(opkg::round_to_half(x)));
}

template <typename T, typename Stored, uint32_t kMantissa>
void floats(size_t count, size_t width, size_t results, uint32_t kind) {
  const opkg::hvx::ElementProducts<Stored, Stored, opkg::hvx::FloatMantissas<kMantissa>> product(opkg::ScanNumbers(), count);
  std::vector<T> x(count * results);
  const double some[] = {0.0, -0.0, static_cast<double>(INFINITY), -static_cast<double>(INFINITY), static_cast<double>(NAN)};
  for (auto& each : x) {
    const double number = (1.0 + drawn() / 16777216.0) * ((drawn() & 1) != 0 ? 1.0 : -1.0);
    const int power = kind == 1 ? static_cast<int>(drawn() % (kMantissa + 3)) - 12 : -static_cast<int>(drawn() & 1);
    each = bits_of<T>(kind == 2 && drawn() % (2 * count) == 0 ? some[drawn() % 5] : std::ldexp(number, power));
  }
  std::vector<Stored> stored(x.size());
  memcpy(stored.data(), x.data(), x.size() * sizeof(T));
  const std::vector<Stored> found = run(product, stored, count, width, results);
  for (size_t k = 0; k < results; ++k) {
    long double all = 1.0L;
    for (size_t i = 0; i < count; ++i) all *= static_cast<long double>(static_cast<float>(x[place(i, k, count, width)]));
    T result;
    memcpy(static_cast<void*>(&result), &found[k], sizeof(T));
    const auto a = static_cast<double>(static_cast<float>(result)), b = static_cast<double>(static_cast<float>(bits_of<T>(static_cast<double>(all))));
    int power = 0;
    std::frexp(b, &power);
    const int least = kMantissa == 23 ? -149 : -24, last = power - static_cast<int>(kMantissa) - 1;
    const double ulp = std::ldexp(1.0, last < least ? least : last);
    const bool near = std::fabs(a - b) <= ulp * (1.0 + static_cast<double>(count) / (kMantissa == 23 ? 64.0 : 4096.0));
    const bool same = (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
    if (!same && !(near && std::signbit(a) == std::signbit(b))) differ(kMantissa == 23 ? "float" : "half", count, width, k, a, b);
  }
}

void all_kinds(size_t count, size_t width, size_t results) {
  for (uint32_t kind = 0; kind < 3; ++kind) {
    integers<uint8_t>(count, width, results, kind);
    integers<int8_t>(count, width, results, kind);
    integers<uint16_t>(count, width, results, kind);
    integers<int16_t>(count, width, results, kind);
    floats<float, float, 23>(count, width, results, kind);
    floats<opkg::Float16, uint16_t, 10>(count, width, results, kind);
  }
}

}  // namespace

int main(int given, char**) {
  const size_t turns = given > 1 ? 40 : 1;
  for (size_t turn = 0; turn < turns; ++turn) {
    for (const size_t count : {1, 2, 3, 17, 32, 33, 100, 131, 1000}) {
      if (count == 1000 && turns == 1) continue;
      all_kinds(count, 0, count < 33 ? 7 : 2);
      all_kinds(count, count < 100 ? 131 : 5, count < 100 ? 131 : 5);
    }
  }
  return failures == 0 ? 0 : 1;
}
