// Inverses of numbers of a row (opkg/hvx_inverse.h) beside those of double, over all exponents; limits of roots; whole numbers
// of them (opkg/hvx_linear.h).
#include <cstdio>
#include <limits>
#include <random>

#include "opkg/hvx_linear.h"

namespace {

double worst(double found, double exact, double so_far) {
  const double off = std::fabs(found / exact - 1.0);
  return off > so_far || off != off ? off : so_far;
}

}  // namespace

int main() {
  std::mt19937_64 random(7);
  double near = 0.0, exact = 0.0, root = 0.0;
  const auto one = [&](double x) {
    near = worst(opkg::hvx::inverse(x), 1.0 / x, near);
    root = worst(opkg::hvx::inverse_root(x), 1.0 / std::sqrt(x), root);
  };
  for (int i = 0; i < 1000000; ++i) one(std::ldexp(1.0 + static_cast<double>(random() >> 12) * 0x1p-52, static_cast<int>(random() % 1800) - 900));
  for (int power = -960; power <= 960; ++power) {
    for (const double x : {std::ldexp(1.0, power), std::nextafter(std::ldexp(1.0, power), 0.0)}) one(x);
  }
  float least = 2.0f, most = 0.0f;  // of its root
  const auto count = [&](double n) {
    one(n);
    exact = worst(opkg::hvx::exact_inverse(n), 1.0 / n, exact);
  };
  for (int n = 1; n < 70000; ++n) count(n);
  for (int i = 0; i < 1000000; ++i) {
    count(static_cast<double>((random() >> random() % 32 & 0xffffffff) + 1));
    const float x = std::ldexp(1.0f + static_cast<float>(random() >> 41) * 0x1p-23f, static_cast<int>(random() % 250) - 125);
    const double above = static_cast<double>(opkg::hvx::above_root(x)) / std::sqrt(static_cast<double>(x));
    least = std::fmin(least, static_cast<float>(above)), most = std::fmax(most, static_cast<float>(above));
  }
  bool whole = opkg::hvx::scaled(0.0, 40, 9) == 0 && opkg::hvx::scaled(1e300, 0, 9) == 9 && opkg::hvx::scaled(-1e-300, 60, 9) == 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = std::ldexp(static_cast<double>(static_cast<int64_t>(random())) * 0x1p-63, static_cast<int>(random() % 80) - 60);
    const int bits = static_cast<int>(random() % 60) - 18;
    const int64_t limit = static_cast<int64_t>(random() >> (3 + random() % 50));
    const double near_whole = std::nearbyint(std::ldexp(x, bits));
    const int64_t exact_whole = std::fabs(near_whole) < static_cast<double>(limit) ? static_cast<int64_t>(near_whole) : x < 0.0 ? -limit
                                                                                                                                : limit;
    whole = whole && opkg::hvx::scaled(x, bits, limit) == (near_whole == 0.0 ? 0 : exact_whole);
  }
  const bool special = opkg::hvx::inverse(-4.0) == -0.25 && std::isinf(opkg::hvx::inverse(0.0)) && std::isnan(opkg::hvx::inverse_root(-1.0)) &&
                       opkg::hvx::inverse(std::numeric_limits<double>::infinity()) == 0.0;
  std::printf("2^%.2f 2^%.2f 2^%.2f %.4f %.4f %d %d\n", std::log2(near), std::log2(exact), std::log2(root), static_cast<double>(least), static_cast<double>(most), special, whole);
  return near < 0x1p-27 && exact < 0x1p-51 && root < 0x1p-26 && least >= 1.0f && most < 1.062f && special && whole ? 0 : 1;
}
