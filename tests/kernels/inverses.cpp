// Inverses of numbers of a row (opkg/hvx_inverse.h) beside those of double, over all exponents.
#include <cstdio>
#include <limits>
#include <random>

#include "opkg/hvx_inverse.h"

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
    exact = worst(opkg::hvx::exact_inverse(x), 1.0 / x, exact);
    root = worst(opkg::hvx::inverse_root(x), 1.0 / std::sqrt(x), root);
  };
  for (int i = 0; i < 1000000; ++i) one(std::ldexp(1.0 + static_cast<double>(random() >> 12) * 0x1p-52, static_cast<int>(random() % 1800) - 900));
  for (int power = -960; power <= 960; ++power) {
    for (const double x : {std::ldexp(1.0, power), std::nextafter(std::ldexp(1.0, power), 0.0)}) one(x);
  }
  for (int n = 1; n < 70000; ++n) one(n);
  const bool special = opkg::hvx::inverse(-4.0) == -0.25 && std::isinf(opkg::hvx::inverse(0.0)) && std::isnan(opkg::hvx::inverse_root(-1.0)) &&
                       opkg::hvx::inverse(std::numeric_limits<double>::infinity()) == 0.0;
  std::printf("2^%.2f 2^%.2f 2^%.2f %d\n", std::log2(near), std::log2(exact), std::log2(root), special);
  return near < 0x1p-27 && exact < 0x1p-51 && root < 0x1p-26 && special ? 0 : 1;
}
