// Rows of floats that are folded: numbers of all kinds, in rows of many lengths, beside the largest, the smallest and the sum by themselves.
#include "opkg/hvx_fold_floats.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "opkg/folds_sums.h"

namespace {

using opkg::hvx::ExtremeOfFloats;

struct NoFunction {};

/// Elements that one vector has.
template <typename T>
constexpr size_t kVector = 128 / sizeof(T);

float of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

/// A half or a float as it is stored, widened.
float wide(uint16_t half) {
  const uint32_t size = half & 0x7fff, sign = static_cast<uint32_t>(half & 0x8000) << 16;
  if (size >= 0x7c00) return of_bits(sign | 0x7f800000 | size << 13);
  return std::copysign(std::ldexp(size < 1024 ? size : 1024 + size % 1024, (size < 1024 ? 1 : static_cast<int>(size >> 10)) - 25), of_bits(sign | 0x3f800000));
}
float wide(uint32_t bits) { return of_bits(bits); }
float wide(float value) { return value; }

template <typename T>
T some(std::mt19937& random, bool special) {
  const uint32_t bits = random();
  const uint32_t top = sizeof(T) == 2 ? 0x8000 : 0x80000000, infinity = sizeof(T) == 2 ? 0x7c00 : 0x7f800000;
  if (special && bits % 8 == 0) return static_cast<T>((random() & top) | infinity | (random() % 3 == 0 ? 1 + random() % 7 : 0));
  if (bits % 16 == 1) return static_cast<T>(random() & top);  // zeros
  if (bits % 16 == 2) return static_cast<T>((random() & top) | random() % 9);
  const T any = static_cast<T>(random());
  return (any & infinity) == infinity ? static_cast<T>(any ^ (infinity & (infinity >> 1))) : any;
}

template <typename T, bool kLargest>
bool same(size_t count, size_t rows, std::mt19937& random) {
  using Found = opkg::hvx::Found<ExtremeOfFloats<sizeof(T), kLargest>>;
  std::vector<T> in(count * rows);
  for (size_t i = 0; i < in.size(); ++i) in[i] = some<T>(random, i / count % 3 == 0);
  const opkg::hvx::AllFoldedRows<Found> folded(count * sizeof(T));
  HVX_Vector found[1][Found::kLanes / 32];
  const auto* at = reinterpret_cast<const uint8_t*>(in.data());
  folded.fold(NoFunction(), at, at + in.size() * sizeof(T), rows, found);
  T made[Found::kLanes];
  const HVX_Vector floats = Found::floats(found[0][0]);
  memcpy(made, &floats, sizeof(made));
  for (size_t row = 0; row < rows; ++row) {
    float expected = wide(in[row * count]);
    for (size_t i = 1; i < count; ++i) {
      const float next = wide(in[row * count + i]);
      if (std::isnan(next) || (kLargest ? next > expected : next < expected)) expected = next;
      if (std::isnan(expected)) break;
    }
    const float got = wide(made[row]);
    if (got == expected || (std::isnan(got) && std::isnan(expected))) continue;
    printf("%zu bytes, %s, %zu of %zu rows of %zu: %g, not %g\n", sizeof(T), kLargest ? "largest" : "smallest", row, rows, count, got, expected);
    return false;
  }
  return true;
}

/// A kernel of sums or means of T into floats; a row by itself is made in double.
template <typename T, bool kMean>
struct TotalRows {
  static constexpr uint32_t kInputs = 1, kOutputs = 1, kInputBytes[] = {sizeof(T)}, kOutputBytes[] = {4};
  using Element = T;
  using Found = opkg::hvx::FloatFound<T, opkg::hvx::FloatSum<T, true>>;
  using Outputs = opkg::hvx::Types<float>;
  static constexpr bool kAgain = false, kDirect = true;
  static constexpr uint32_t kMade = 0, kInverses = 0;
  static constexpr opkg::hvx::FloatResult kFloats[] = {{0, true, kMean, false}};

  bool column(const double (&found)[2], size_t n, uint8_t* const* out, size_t at) const {
    const double result = (found[0] + found[1]) / (kMean ? static_cast<double>(n) : 1.0);
    reinterpret_cast<float*>(out[0])[at] = static_cast<float>(result);
    return std::fabs(result) <= 3.4e38;
  }
  bool vector(const void* const* in, void* const* out, size_t n) const {
    double found = 0;
    for (size_t i = 0; i < n; ++i) found += static_cast<double>(wide(static_cast<const T*>(in[0])[i]));
    *static_cast<float*>(out[0]) = static_cast<float>(found / (kMean ? static_cast<double>(n) : 1.0));
    ++alone;
    return true;
  }
  void row(const opkg::Run<2>&) const {}

  mutable size_t alone = 0;
};

uint32_t stored(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}

/// Numbers that cancel, many of them far apart; some of the first rows are beyond floats on the way, or no number at all.
template <typename T>
T summand(std::mt19937& random, size_t row, size_t i) {
  if constexpr (sizeof(T) == 2) {
    const T any = static_cast<T>(random());
    if (row < 20 && row % 9 == 4 && i == 1) return 0x7c00;
    return (any & 0x7c00) == 0x7c00 ? static_cast<T>(any & 0xbfff) : any;
  } else {
    if (row < 20 && row % 9 == 4 && i < 3) return stored(i == 1 ? -3e38f : 3e38f);
    if (row < 20 && row % 9 == 5 && i == 0) return 0x7fc00000;
    const float size = std::ldexp(static_cast<float>(random() % 65536), static_cast<int>(random() % 24) - 12);
    return stored(random() % 2 == 0 ? size : -size);
  }
}

template <typename T, bool kMean>
bool sums(size_t count, size_t rows, std::mt19937& random) {
  using Rows = TotalRows<std::conditional_t<sizeof(T) == 2, T, float>, kMean>;
  std::vector<T> in(count * rows);
  for (size_t i = 0; i < in.size(); ++i) in[i] = summand<T>(random, i / count, i % count);
  std::vector<float> out(rows + 1, -7.0f);
  opkg::Operand operands[2];
  operands[0].rank = operands[1].rank = 2;
  operands[0].dims[0] = operands[1].dims[0] = static_cast<uint32_t>(rows);
  operands[0].dims[1] = static_cast<uint32_t>(count), operands[1].dims[1] = 1;
  const opkg::folds::Shared<Rows> shared(operands, 1);
  const Rows kernel{};
  if (!opkg::folds::run(kernel, shared, reinterpret_cast<const uint8_t*>(in.data()), reinterpret_cast<uint8_t*>(out.data()), opkg::Slice{})) return printf("rows of %zu are not folded\n", count), false;
  for (size_t row = 0; row < rows; ++row) {
    double sizes = 0;
    double expected = 0;
    for (size_t i = 0; i < count; ++i) {
      const double value = static_cast<double>(wide(in[row * count + i]));
      expected += value, sizes += std::fabs(value);
    }
    if (kMean) expected /= static_cast<double>(count), sizes /= static_cast<double>(count);
    const double in_single = count > kVector<T> ? static_cast<double>(count / 32 + 1) : 0.0;  // a lane
    const double bound = std::ldexp(std::fabs(expected), -24) + std::ldexp(sizes, -44) + std::ldexp(sizes * in_single, -24);
    const double got = static_cast<double>(out[row]);
    if (std::fabs(got - expected) <= bound || (std::isnan(got) && std::isnan(expected)) || got == expected) continue;
    printf("%zu bytes, %s, %zu of %zu rows of %zu: %.9g, not %.9g\n", sizeof(T), kMean ? "mean" : "sum", row, rows, count, got, expected);
    return false;
  }
  if (out[rows] != -7.0f) return printf("more than %zu rows are written\n", rows), false;
  if (kernel.alone == rows && rows > 64) return printf("all rows of %zu by themselves\n", count), false;
  return true;
}

}  // namespace

int main() {
  std::mt19937 random(7);
  for (const size_t count : {1, 2, 3, 5, 8, 17, 31, 32, 33, 63, 64, 65, 100, 129, 1000}) {
    for (const size_t rows : {1, 31, 64, 99}) {
      if (!sums<uint32_t, false>(count, rows, random) || !sums<uint32_t, true>(count, rows, random)) return 1;
      if (!sums<uint16_t, false>(count, rows, random) || !sums<uint16_t, true>(count, rows, random)) return 1;
    }
    for (const size_t rows : {1, 5, 31, 32}) {
      if (!same<uint32_t, true>(count, rows, random) || !same<uint32_t, false>(count, rows, random)) return 1;
      if (!same<uint16_t, true>(count, 2 * rows, random) || !same<uint16_t, false>(count, 2 * rows - 1, random)) return 1;
    }
  }
  return 0;
}
