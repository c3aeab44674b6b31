// Running sums against exact ones: rows and columns of many lengths, steps whose quotients have ties, both ends, with and without the element.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "opkg/hvx_float_scans.h"
#include "opkg/hvx_scans.h"
#include "opkg/hvx_word_scans.h"
#include "opkg/scalar.h"

namespace {

uint32_t state = 12345;
uint32_t next() { return state = state * 1664525u + 1013904223u; }
uint32_t drawn() { return next() >> 8; }

int failures = 0, cases = 0;

template <typename Y>
void compare(const std::vector<Y>& wanted, const std::vector<Y>& found, const char* what, size_t count, size_t inside) {
  ++cases;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto a = static_cast<double>(wanted[i]), b = static_cast<double>(found[i]);
    if (memcmp(&wanted[i], &found[i], sizeof(Y)) == 0 || (a != a && b != b)) continue;
    if (++failures < 20) std::printf("%s of %zu x %zu: element %zu is %g, not %g\n", what, count, inside, i, static_cast<double>(found[i]), static_cast<double>(wanted[i]));
    return;
  }
}

/// So many columns and more are rows: those of which a vector has several go together.
constexpr size_t kShortRows = 1000;

/// Where element i of sum k of `width` is.
size_t place(size_t i, size_t k, size_t count, size_t inside, size_t width) { return inside > kShortRows ? k * count + i : i * width + k; }

template <typename Scan, typename X, typename Y>
void run(const Scan& scan, const std::vector<X>& x, std::vector<Y>& found, size_t count, size_t inside) {
  const auto* from = reinterpret_cast<const uint8_t*>(x.data());
  auto* result = reinterpret_cast<uint8_t*>(found.data() + 1);
  if (inside == 0) {
    scan.row(from, result, count);
  } else if (inside > kShortRows && scan.rows_at_once() != 0) {
    opkg::hvx::short_rows(scan, from, result, inside - kShortRows, count, x.size() * sizeof(X));
  } else if (inside > kShortRows) {
    for (size_t i = 0; i < x.size(); i += count) scan.row(from + i * sizeof(X), result + i * sizeof(X), count);
  } else {
    const size_t stride = inside * sizeof(X);
    for (size_t at = 0; at < stride; at += 128) {
      if (stride - at >= 128) {
        scan.template columns<true>(from + at, result + at, stride, count, 128);
      } else {
        scan.template columns<false>(from + at, result + at, stride, count, stride - at);
      }
    }
  }
  if (found.front() != Y(77) || found.back() != Y(77)) ++failures, std::printf("written outside of the tensor\n");
  found = std::vector<Y>(found.begin() + 1, found.end() - 1);
}

/// One shape, `inside` columns; 0: a row, kShortRows and more: rows.
template <typename X, typename Y>
void integers(const opkg::ScanNumbers& numbers, size_t count, size_t inside, bool small) {
  using Scan = opkg::hvx::IntegerScan<X, Y>;
  const Scan scan(numbers, count);
  if (!scan.taken()) {
    ++failures, std::printf("not taken: %g %g, %zu\n", numbers.in, numbers.out, count);
    return;
  }
  const size_t width = inside == 0 ? 1 : inside > kShortRows ? inside - kShortRows : inside;
  std::vector<X> x(count * width);
  for (auto& each : x) each = static_cast<X>(small ? numbers.in_zero + static_cast<int64_t>(drawn() % 7) - 3 : drawn());
  std::vector<Y> wanted(x.size()), found(x.size() + 2, Y{77});
  opkg::Steps to;
  to.scale = numbers.out, to.zero = numbers.out_zero;
  for (size_t k = 0; k < width; ++k) {
    int64_t all = 0, sum = 0;
    for (size_t i = 0; i < count; ++i) all += x[place(i, k, count, inside, width)] - numbers.in_zero;
    for (size_t i = 0; i < count; ++i) {
      const int64_t own = x[place(i, k, count, inside, width)] - numbers.in_zero;
      sum += own;
      int64_t result = numbers.reverse ? all - sum + own : sum;
      if (numbers.exclusive) result -= own;
      wanted[place(i, k, count, inside, width)] = to.nearest<Y>(static_cast<double>(result) * numbers.in);
    }
  }
  run(scan, x, found, count, inside);
  compare(wanted, found, sizeof(X) == 1 ? "bytes" : "halves", count, inside);
}

/// The same of 32-bit integers, and of floats that have few digits: their sums are exact. `kind`: some are infinite or NaN.
template <typename T, typename Scan>
void numbers(size_t count, size_t inside, uint32_t way) {
  opkg::ScanNumbers numbers;
  numbers.exclusive = (way & 1) != 0, numbers.reverse = (way & 2) != 0;
  const Scan scan(numbers, count);
  const size_t width = inside == 0 ? 1 : inside > kShortRows ? inside - kShortRows : inside;
  constexpr bool kInteger = std::is_same_v<T, int32_t>;
  using Sum = std::conditional_t<kInteger, int64_t, double>;
  std::vector<T> x(count * width);
  for (auto& each : x) {
    const int32_t any = static_cast<int32_t>(next());
    const double some[] = {-0.0, static_cast<double>(INFINITY), -static_cast<double>(INFINITY), static_cast<double>(NAN)};
    const double number = std::ldexp(any >> 20, static_cast<int>(drawn() % 8) - 9);
    each = kInteger ? static_cast<T>((way & 4) != 0 ? any : any >> 20) : static_cast<T>((way & 4) != 0 && drawn() % 97 == 0 ? some[drawn() % 4] : number);
  }
  std::vector<T> wanted(x.size()), found(x.size() + 2, T(77));
  for (size_t k = 0; k < width; ++k) {
    Sum all = 0, sum = 0;
    for (size_t i = 0; i < count; ++i) all += static_cast<Sum>(x[place(i, k, count, inside, width)]);
    for (size_t i = 0; i < count; ++i) {
      const Sum own = static_cast<Sum>(x[place(i, k, count, inside, width)]);
      sum += own;
      Sum result = numbers.reverse ? all - sum + own : sum;
      if (numbers.exclusive) result -= own;
      if constexpr (kInteger) {
        wanted[place(i, k, count, inside, width)] = static_cast<T>(opkg::saturate<int32_t>(result));
      } else if constexpr (sizeof(T) == 4) {
        wanted[place(i, k, count, inside, width)] = static_cast<float>(result);
      } else {
        wanted[place(i, k, count, inside, width)] = T(static_cast<float>(opkg::round_to_half(result)));
      }
    }
  }
  run(scan, x, found, count, inside);
  compare(wanted, found, kInteger ? "words" : sizeof(T) == 4 ? "floats" : "half floats", count, inside);
}

template <typename X, typename Y>
void all_of(bool many) {
  const size_t counts[] = {1, 2, 3, 17, 31, 64, 100, 128, 129, 1000};
  const float steps[][2] = {{0.1f, 0.1f}, {0.1f, 0.2f}, {0.1f, 0.3f}, {0.3f, 1.0f}, {1.0f, 10.0f}, {0.007f, 2.1f}, {1.0f, 128.0f}, {5.0f, 0.01f}, {0.75f, 3e-4f}, {0.013f, 0.0471f}};
  for (const size_t count : counts) {
    for (const size_t inside : {size_t{0}, size_t{1}, size_t{5}, size_t{64}, size_t{131}, size_t{300}, kShortRows + 1, kShortRows + 50}) {
      if ((!many && inside == 300) || (inside > kShortRows && count > 64)) continue;
      for (const auto& pair : steps) {
        if (!many && drawn() % 4 != 0) continue;
        opkg::ScanNumbers numbers;
        numbers.in = static_cast<double>(pair[0]), numbers.out = static_cast<double>(pair[1]);
        const int64_t low = std::numeric_limits<X>::min(), back = std::numeric_limits<Y>::min();
        const uint32_t size = 1u << (8 * sizeof(X));
        const uint32_t way = drawn();
        numbers.exclusive = (way & 1) != 0, numbers.reverse = (way & 2) != 0;
        numbers.in_zero = low + ((way >> 2 & 3) == 0 ? 0 : (way >> 2 & 3) == 1 ? size - 1 : drawn() % size);
        numbers.out_zero = back + ((way >> 4 & 3) == 0 ? 0 : drawn() % size);
        integers<X, Y>(numbers, count, inside, (way >> 6 & 1) != 0);
      }
    }
  }
}

/// `float` and `opkg::Float16` by their own scans, words by theirs.
void others() {
  for (const size_t count : {size_t{1}, size_t{2}, size_t{3}, size_t{17}, size_t{100}, size_t{1000}}) {
    for (const size_t inside : {size_t{0}, size_t{5}, size_t{33}, size_t{131}, kShortRows + 50}) {
      for (uint32_t way = 0; way < 8; ++way) {
        numbers<int32_t, opkg::hvx::WordScan>(count, inside, way);
        numbers<float, opkg::hvx::FloatScan<float>>(count, inside, way);
        numbers<opkg::Float16, opkg::hvx::FloatScan<uint16_t>>(count, inside, way);
      }
    }
  }
}

}  // namespace

int main(int argc, char**) {
  const bool many = argc > 1;
  all_of<uint8_t, uint8_t>(many);
  all_of<int16_t, int16_t>(many);
  if (many) {
    all_of<int8_t, int8_t>(many), all_of<uint8_t, int8_t>(many), all_of<int8_t, uint8_t>(many);
    all_of<uint16_t, uint16_t>(many), all_of<uint16_t, int16_t>(many);
  } else {
    all_of<int8_t, uint8_t>(many), all_of<uint16_t, uint16_t>(many);
  }
  others();
  std::printf("%d cases, %d failures\n", cases, failures);
  return failures == 0 ? 0 : 1;
}
