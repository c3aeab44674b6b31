// Numbers of 32 rows (opkg/hvx_numbers.h) beside double: how far inverses, roots, sums, products and variances are off.
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "opkg/hvx_numbers.h"
#include "opkg/hvx_sum_lines.h"

using opkg::hvx::Numbers;

namespace {

std::vector<double> values(const Numbers& numbers) {
  int32_t mantissa[32], exponent[32];
  memcpy(mantissa, &numbers.mantissa, sizeof mantissa);
  memcpy(exponent, &numbers.exponent, sizeof exponent);
  std::vector<double> found;
  for (int i = 0; i < 32; ++i) found.push_back(std::ldexp(static_cast<double>(mantissa[i]), exponent[i]));
  return found;
}

HVX_Vector vector(const std::vector<int32_t>& words) {
  HVX_Vector v;
  memcpy(&v, words.data(), sizeof v);
  return v;
}

double worst[8] = {};  // inverse, root, product, sum (of the larger part), variance, whole numbers and numbers of a call, of 16 bits: variance, mean

void put(int place, double found, double exact, double unit) {
  const double off = std::fabs(found - exact) / unit;
  if (off > worst[place] || off != off) worst[place] = off;
}

/// Numbers of one row, which are in registers: as far off as those of 32.
using One = opkg::hvx::NumbersOf<int32_t>;

double value(const One& number) { return std::ldexp(static_cast<double>(number.mantissa), number.exponent); }

bool one_row(int32_t word, int32_t power, int32_t other) {
  const One x(word, power), y(other);
  const double in = value(x), by = other, larger = std::fmax(in, std::fabs(by));
  put(0, value(opkg::hvx::inverse(x)), 1.0 / in, 1.0 / in);
  put(0, value(opkg::hvx::inverse(-x)), -1.0 / in, 1.0 / in);
  put(1, value(opkg::hvx::inverse_root(x)), 1.0 / std::sqrt(in), 1.0 / std::sqrt(in));
  if (other != 0) put(2, value(x * y), in * by, in * std::fabs(by));
  put(3, value(x + y), in + by, larger);
  put(3, value(x - y), in - by, larger);
  put(5, value(y), by, other == 0 ? 1.0 : std::fabs(by));
  const double above = value(opkg::hvx::above_root(x));
  return above >= (1.0 - 0x1p-30) * std::sqrt(in) && above < 1.061 * std::sqrt(in) && (other != 0 || value(x * y) == 0.0);
}

/// What 0 divides is no number, whatever is added to it: its results are turned down.
bool nothing_divides() {
  const One one = opkg::hvx::inverse(One(int32_t{0})), root = opkg::hvx::inverse_root(One(int32_t{0}));
  bool far = true;
  for (const One& each : {one, root}) {
    far = far && each.exponent >= One::kBeyond / 2 && (each * One(-2.5) + One(3.0)).exponent >= One::kBeyond / 2;
  }
  const Numbers none = Numbers(Q6_V_vzero());
  for (const Numbers& each : {opkg::hvx::inverse(none), opkg::hvx::inverse_root(none)}) {
    const Numbers more = each * Numbers(-2.5) + Numbers(3.0);
    int32_t exponents[32];
    memcpy(exponents, &more.exponent, sizeof exponents);
    for (const int32_t exponent : exponents) far = far && exponent >= Numbers::kBeyond / 2;
  }
  return far;
}

/// Sums of products of bytes, and of 16 bits, less their zero points: any, and all at one end.
bool products_are_exact(std::mt19937_64& random) {
  for (int turn = 0; turn < 200; ++turn) {
    const bool halves = turn % 2 != 0, ends = turn % 4 < 2;
    const int64_t most = halves ? 65535 : 255;
    const size_t n = turn < 40 ? static_cast<size_t>(turn) + 1 : 1 + random() % (halves ? 8191 : 32767);
    const int64_t x_zero = ends ? most * (turn / 4 % 2) : random() % (most + 1), y_zero = ends ? most * (turn / 8 % 2) : random() % (most + 1);
    std::vector<int32_t> x(32), y(32), high(32), low(32);
    std::vector<double> exact(32);
    for (int i = 0; i < 32; ++i) {
      int64_t sum = 0;
      for (size_t k = 0; k < n; ++k) {
        const int64_t a = i < 4 ? most * (i % 2) : random() % (most + 1), b = i < 4 ? most * (i / 2) : random() % (most + 1);
        const uint32_t product = static_cast<uint32_t>(a * b);
        sum += (a - x_zero) * (b - y_zero);
        x[i] += static_cast<int32_t>(a - (halves ? 32768 : 0)), y[i] += static_cast<int32_t>(b - (halves ? 32768 : 0));
        high[i] += static_cast<int32_t>(product >> 16), low[i] += static_cast<int32_t>(halves ? product & 0xffff : product);
      }
      exact[i] = static_cast<double>(sum);
    }
    const auto found = values(halves ? opkg::hvx::products_less_zeros(vector(high), vector(low), vector(x), x_zero, vector(y), y_zero, n)
                                     : Numbers(opkg::hvx::products_less_zeros(vector(low), vector(x), x_zero, vector(y), y_zero, n)));
    for (int i = 0; i < 32; ++i) {
      if (std::fabs(found[i] - exact[i]) > std::ldexp(std::fabs(exact[i]), -27)) return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  if (!nothing_divides()) return 5;
  std::mt19937_64 random(5);
  for (int turn = 0; turn < 20000; ++turn) {
    std::vector<int32_t> words(32), powers(32), others(32);
    for (int i = 0; i < 32; ++i) {
      const int size = static_cast<int>(random() % 31) + 1;
      words[i] = static_cast<int32_t>(random() & 0x7fffffff) >> (31 - size) | 1;
      others[i] = static_cast<int32_t>(random()) >> (random() % 31);
      powers[i] = static_cast<int32_t>(random() % 400) - 200;
      if (turn < 32) words[i] = i == 31 ? INT32_MAX : (1 << i) - (i == 0 ? 0 : turn % 2);
    }
    const Numbers x(vector(words), vector(powers)), y(vector(others));
    const auto in = values(x), other = values(y), inverse = values(opkg::hvx::inverse(x)), below = values(opkg::hvx::inverse(-x)), root = values(opkg::hvx::inverse_root(x)), above = values(opkg::hvx::above_root(x)),
               product = values(x * y), sum = values(x + y), less = values(x - y);
    for (int i = 0; i < 32; ++i) {
      if (!one_row(words[i], powers[i], others[i])) return 4;
      put(0, inverse[i], 1.0 / in[i], 1.0 / in[i]);
      put(0, below[i], -1.0 / in[i], 1.0 / in[i]);
      put(1, root[i], 1.0 / std::sqrt(in[i]), 1.0 / std::sqrt(in[i]));
      if (!(above[i] >= (1.0 - 0x1p-30) * std::sqrt(in[i]) && above[i] < 1.061 * std::sqrt(in[i]))) return 3;
      if (others[i] != 0) put(2, product[i], in[i] * other[i], in[i] * std::fabs(other[i]));
      if (others[i] == 0 && product[i] != 0.0) return 2;
      const double larger = std::fmax(in[i], std::fabs(other[i]));
      put(3, sum[i], in[i] + other[i], larger);
      put(3, less[i], in[i] - other[i], larger);
      put(5, other[i], others[i], others[i] == 0 ? 1.0 : std::fabs(static_cast<double>(others[i])));
    }
    const double any = std::ldexp(static_cast<double>(random() | 1), static_cast<int>(random() % 600) - 300) * (random() % 2 == 0 ? 1 : -1);
    put(5, values(Numbers(any))[0], any, std::fabs(any));
  }
  for (int turn = 0; turn < 600; ++turn) {
    const size_t n = turn < 40 ? static_cast<size_t>(turn) + 1 : 1 + random() % 32767;
    std::vector<int32_t> total(32), squares(32);
    std::vector<double> exact(32);
    for (int i = 0; i < 32; ++i) {
      const int64_t base = static_cast<int64_t>(random() % 384) - 128, width = int64_t{1} << random() % 8;
      int64_t sum = 0, square = 0;
      for (size_t k = 0; k < n; ++k) {
        const int64_t q = std::min<int64_t>(std::max<int64_t>(base + static_cast<int64_t>(random()) % width, base < 0 ? -128 : 0), base < 0 ? 127 : 255);
        sum += q, square += q * q;
      }
      total[i] = static_cast<int32_t>(sum), squares[i] = static_cast<int32_t>(square);
      const __int128 whole = static_cast<__int128>(square) * static_cast<int64_t>(n) - static_cast<__int128>(sum) * sum;
      exact[i] = static_cast<double>(whole) / (static_cast<double>(n) * static_cast<double>(n));
    }
    const Numbers share = opkg::hvx::inverse(Numbers(static_cast<double>(n)));
    const auto found = values(opkg::hvx::variance(vector(total), vector(squares), n, share));
    const One one_share(1.0 / static_cast<double>(n));  // as rows have it
    for (int i = 0; i < 32; ++i) {
      put(4, found[i], exact[i], exact[i] == 0.0 ? 1.0 : exact[i]);
      put(4, value(opkg::hvx::variance(total[i], squares[i], n, one_share)), exact[i], exact[i] == 0.0 ? 1.0 : exact[i]);
    }
  }
  for (int turn = 0; turn < 300; ++turn) {
    const size_t n = turn < 40 ? static_cast<size_t>(turn) + 1 : 1 + random() % 32767;
    std::vector<int32_t> total(32), high(32), low(32);
    std::vector<double> exact(32), mean(32);
    for (int i = 0; i < 32; ++i) {
      const int64_t base = static_cast<int64_t>(random() % 65536), width = int64_t{1} << random() % 17;
      int64_t sum = 0, square = 0;
      high[i] = low[i] = 0;
      for (size_t k = 0; k < n; ++k) {
        const int64_t q = std::min<int64_t>(base + static_cast<int64_t>(random()) % width, 65535), positive = q < 0 ? 0 : q;
        const uint32_t squared = static_cast<uint32_t>(positive * positive);
        sum += positive, square += squared;
        high[i] += static_cast<int32_t>(squared >> 16), low[i] += static_cast<int32_t>(squared & 0xffff);
      }
      total[i] = static_cast<int32_t>(sum);
      const __int128 whole = static_cast<__int128>(square) * static_cast<int64_t>(n) - static_cast<__int128>(sum) * sum;
      exact[i] = static_cast<double>(whole) / (static_cast<double>(n) * static_cast<double>(n));
      mean[i] = static_cast<double>(sum) / static_cast<double>(n);
    }
    const Numbers share = opkg::hvx::inverse(Numbers(static_cast<double>(n)));
    const opkg::hvx::AboutMeans about(vector(total), vector(high), vector(low), n, share);
    const auto found = values(about.variance), at = values(Numbers(about.at)), rest = values(about.rest);
    for (int i = 0; i < 32; ++i) put(6, found[i], exact[i], exact[i] == 0.0 ? 1.0 : exact[i]);
    for (int i = 0; i < 32; ++i) put(7, at[i] + rest[i], mean[i], 1.0);
  }
  if (!products_are_exact(random)) return 3;
  for (const double off : worst) std::printf("%.2f ", std::log2(off));
  const double most[8] = {-28, -27, -29, -28, -27, -30, -27, -28};
  for (int i = 0; i < 8; ++i) {
    if (!(worst[i] <= std::ldexp(1.0, static_cast<int>(most[i])))) return 1;
  }
  return 0;
}
