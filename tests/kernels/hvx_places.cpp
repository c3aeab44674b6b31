// Places of extremes (opkg/hvx_places.h, opkg/hvx_row_places.h) beside the elements compared one by one: rows and columns of many lengths, with equal
// elements, both zeros, infinity and NaN. Memory ends with the tensor. Prints how many places were compared, or the first wrong one.
#include "opkg/hvx_row_places.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "opkg/scalar.h"

namespace {

std::mt19937_64 random_bits(5);
size_t below(size_t n) { return random_bits() % n; }
size_t compared = 0;

template <typename T>
double number(T x) {
  return static_cast<double>(x);
}

/// An element of few different ones, or of all.
template <typename T>
T element(size_t kind) {
  const uint64_t bits = random_bits();
  T x;
  memcpy(&x, &bits, sizeof x);
  if (kind == 0) return x;
  if constexpr (std::is_integral_v<T>) {
    return kind == 1 ? static_cast<T>(below(3)) : below(2) != 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  } else {
    const T some[] = {T(0), T(-0.0), T(1), T(-1), T(INFINITY), T(-INFINITY), T(NAN), -T(NAN)};
    return kind == 1 ? some[below(4)] : some[below(8)];
  }
}

template <typename T>
size_t place(const T* at, size_t stride, size_t count, bool largest) {
  opkg::Leader<double> found;
  for (size_t i = 0; i < count; ++i) largest ? found.largest(number(at[i * stride])) : found.smallest(number(at[i * stride]));
  return static_cast<size_t>(found.place);
}

void check(int32_t got, size_t wanted, const char* what, size_t size, size_t count, size_t inside, size_t at) {
  ++compared;
  if (static_cast<size_t>(got) == wanted) return;
  printf("%s of %zu bytes, %zu elements, %zu inside, number %zu: %d in place of %zu\n", what, size, count, inside, at, got, wanted);
  exit(1);
}

template <typename T, typename Order, bool kLargest>
void rows(size_t count, size_t around) {
  std::vector<T> x(count * around);
  const size_t kind = below(3);
  for (T& each : x) each = element<T>(kind);
  std::vector<int32_t> got(around, -1);
  const opkg::hvx::RowPlaces<Order> places(count);
  const auto* const bytes = reinterpret_cast<const uint8_t*>(x.data());
  for (size_t first = 0; first < around; first += places.group()) {
    places.run(bytes + first * count * sizeof(T), bytes + x.size() * sizeof(T), std::min(around - first, places.group()), got.data() + first);
  }
  for (size_t i = 0; i < around; ++i) check(got[i], place(&x[i * count], 1, count, kLargest), "rows", sizeof(T), count, 1, i);
}

template <typename T, typename Order, bool kLargest>
void columns(size_t count, size_t inside) {
  std::vector<T> x(count * inside);
  const size_t kind = below(3);
  for (T& each : x) each = element<T>(kind);
  std::vector<int32_t> got(inside, -1);
  const opkg::hvx::ColumnPlaces<Order> places(inside, count);
  const auto* const bytes = reinterpret_cast<const uint8_t*>(x.data());
  for (size_t first = 0; first < inside; first += Order::kLanes) {
    places.run(bytes + first * sizeof(T), bytes + x.size() * sizeof(T), std::min(inside - first, Order::kLanes), got.data() + first);
  }
  for (size_t i = 0; i < inside; ++i) check(got[i], place(&x[i], inside, count, kLargest), "columns", sizeof(T), count, inside, i);
}

template <typename T, typename Order, bool kLargest>
void all() {
  for (const size_t count : {2, 3, 4, 5, 7, 8, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000}) {
    for (const size_t around : {1, 2, 33, 70, 131}) rows<T, Order, kLargest>(count, around);
    for (const size_t inside : {2, 3, 17, 32, 100, 128, 130, 300}) columns<T, Order, kLargest>(count, inside);
  }
  rows<T, Order, kLargest>(40000, 3);
  rows<T, Order, kLargest>(140001, 1);
  columns<T, Order, kLargest>(1, 77);
  columns<T, Order, kLargest>(70001, 3);
  columns<T, Order, kLargest>(600, 129);
}

template <typename T>
void both() {
  if constexpr (std::is_integral_v<T>) {
    all<T, opkg::hvx::Order<T, true>, true>();
    all<T, opkg::hvx::Order<T, false>, false>();
  } else {
    all<T, opkg::hvx::FloatOrder<sizeof(T), true>, true>();
    all<T, opkg::hvx::FloatOrder<sizeof(T), false>, false>();
  }
}

}  // namespace

int main() {
  both<uint8_t>(), both<int8_t>(), both<uint16_t>(), both<int16_t>(), both<int32_t>();
  both<_Float16>(), both<float>();
  printf("%zu places\n", compared);
}
