// Extremes of rows of floats that are folded: numbers of all kinds, in rows of many lengths, beside the largest and smallest by themselves.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "opkg/folds.h"
#include "opkg/hvx_fold_floats.h"

namespace {

using opkg::hvx::ExtremeOfFloats;

struct NoFunction {};

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

}  // namespace

int main() {
  std::mt19937 random(7);
  for (const size_t count : {1, 2, 3, 5, 8, 17, 31, 32, 33, 63, 64, 65, 100, 129, 1000}) {
    for (const size_t rows : {1, 5, 31, 32}) {
      if (!same<uint32_t, true>(count, rows, random) || !same<uint32_t, false>(count, rows, random)) return 1;
      if (!same<uint16_t, true>(count, 2 * rows, random) || !same<uint16_t, false>(count, 2 * rows - 1, random)) return 1;
    }
  }
  return 0;
}
