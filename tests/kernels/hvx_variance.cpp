// Variances and standard deviations of columns (opkg/hvx_variance.h) beside long double: steps that results are off, at most,
// and lines that were refused.
#include "opkg/hvx_variance.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

HVX_Vector vector(const std::vector<int64_t>& numbers, int shift = 0) {
  int32_t words[32];
  for (int i = 0; i < 32; ++i) words[i] = static_cast<int32_t>(static_cast<uint64_t>(numbers[i] >> shift));
  HVX_Vector v;
  memcpy(&v, words, sizeof v);
  return v;
}

std::mt19937_64 random_bits(7);
uint64_t below(uint64_t n) { return random_bits() % n; }
double real(double low, double high) { return low + (high - low) * static_cast<double>(below(1 << 20)) / (1 << 20); }

/// 32 columns of n elements: anywhere, near each other, alike but for one, at both ends.
template <typename T>
std::vector<std::vector<T>> columns(size_t n) {
  constexpr int64_t kLow = std::numeric_limits<T>::min(), kAll = int64_t{1} << (8 * sizeof(T));
  std::vector<std::vector<T>> found(32, std::vector<T>(n));
  for (auto& column : found) {
    const int64_t spread = int64_t{1} << below(8 * sizeof(T) + 1), first = kLow + static_cast<int64_t>(below(kAll - spread + 1));
    const uint64_t kind = below(4);
    for (auto& x : column) {
      const int64_t at = kind == 0 ? static_cast<int64_t>(below(2)) * (spread - 1) : kind == 1 ? 0
                                                                                               : static_cast<int64_t>(below(spread));
      x = static_cast<T>(first + at);
    }
    if (kind == 1) column[below(n)] = static_cast<T>(first + spread - 1);
  }
  return found;
}

template <typename T, typename Result, bool kRoot>
void judge(const char* name) {
  constexpr double kLow = std::numeric_limits<Result>::min(), kHigh = std::numeric_limits<Result>::max();
  constexpr int64_t kOffset = std::is_same_v<T, int16_t> ? int64_t{1} << (8 * sizeof(T) - 1) : 0;
  double worst = 0.0;
  int refused = 0, turns = 0;
  for (const size_t n : {1, 2, 3, 4, 5, 7, 16, 17, 49, 100, 255, 256, 257, 1000, 1024, 4133, 8192, 32767}) {
    const auto all = columns<T>(n);
    std::vector<int64_t> totals, squares;
    std::vector<long double> exact;
    for (const auto& column : all) {
      int64_t total = 0, square = 0;
      for (const int64_t x : column) total += x, square += x * x;
      const __int128 of = static_cast<__int128>(square) * static_cast<int64_t>(n) - static_cast<__int128>(total) * total;
      const long double variance = static_cast<long double>(of) / (static_cast<long double>(n) * n);
      exact.push_back(kRoot ? std::sqrt(variance) : variance);
      totals.push_back(total + kOffset * static_cast<int64_t>(n)), squares.push_back(square);
    }
    for (int turn = 0; turn < 60; ++turn, ++turns) {
      const double most = std::pow(std::ldexp(1.0, 8 * sizeof(T) - 1), kRoot ? 1 : 2);
      const double unit = (turn % 2 ? 1 : -1) * (kHigh - kLow) / std::pow(most, real(0, 1)) * std::exp2(real(-4, 2));
      const double none = real(kLow - 5, kHigh + 5);
      const opkg::hvx::VarianceLine<T, Result, kRoot> line(n, none, unit);
      refused += !line.is_line;
      if (!line.is_line) continue;
      HVX_Vector steps;
      if constexpr (sizeof(T) == 1) {
        steps = line.of(vector(totals), vector(squares));
      } else {  // each half by itself, as columns are summed up
        std::vector<int64_t> low(32), high(32);
        for (int i = 0; i < 32; ++i) {
          for (const int64_t x : all[i]) low[i] += (x * x) & 0xffff, high[i] += (x * x) >> 16;
        }
        steps = line.of(vector(totals), vector(low), vector(high));
      }
      int32_t words[32];
      memcpy(words, &steps, sizeof words);
      for (int i = 0; i < 32; ++i) {
        const double expected = std::fmin(std::fmax(none + unit * static_cast<double>(exact[i]), kLow), kHigh);
        const double found = std::fmin(std::fmax(words[i], kLow), kHigh), off = std::fabs(found - expected);
        if (off > worst) worst = off;
      }
    }
  }
  std::printf("%s %.3f %d %d\n", name, worst, refused, turns);
}

}  // namespace

int main() {
  judge<uint8_t, uint8_t, false>("u8");
  judge<int8_t, uint16_t, false>("s8_u16");
  judge<uint16_t, uint16_t, false>("u16");
  judge<int16_t, int16_t, false>("s16");
  judge<uint16_t, int8_t, false>("u16_s8");
  judge<uint8_t, uint8_t, true>("root_u8");
  judge<int8_t, uint16_t, true>("root_s8_u16");
  judge<uint16_t, uint16_t, true>("root_u16");
  judge<int16_t, int16_t, true>("root_s16");
  judge<uint16_t, uint8_t, true>("root_u16_u8");
}
