// Numbers of rows in two floats (opkg/hvx_slot_floats.h) beside double: logarithms, the larger and the smaller of two, sizes.
#include "opkg/kernel.h"

#include "opkg/hvx.h"
#include "opkg/hvx_slot_floats.h"

#include <cmath>
#include <cstdio>
#include <random>

using opkg::hvx::Sum2;

namespace {

double value(const Sum2& number) {
  float high[32], low[32];
  opkg::hvx::store_unaligned(high, number.high), opkg::hvx::store_unaligned(low, number.low);
  return static_cast<double>(high[31]) + static_cast<double>(low[31]);
}

/// How far a logarithm is off: of itself, in units of 2^-44.
double off_by(double x) {
  const Sum2 number = opkg::hvx::two_of(x);
  const double exact = std::log(value(number)), found = value(opkg::hvx::logarithm(number));
  return found == exact ? 0.0 : std::fabs(found - exact) / std::fabs(exact) * 0x1p44;
}

bool ordered(double x, double y) {
  const Sum2 a = opkg::hvx::two_of(x), b = opkg::hvx::two_of(y);
  const double first = value(a), second = value(b);
  return value(opkg::hvx::larger(a, b)) == std::fmax(first, second) && value(opkg::hvx::smaller(a, b)) == std::fmin(first, second) &&
         value(opkg::hvx::magnitude(a)) == std::fabs(first);
}

bool is_nan(const Sum2& number) { return std::isnan(value(number)); }

}  // namespace

int main() {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> places(-99.9, 99.9), parts(-1.0, 1.0);
  double worst = 0.0;
  bool right = true;
  for (int i = 0; i < 100000; ++i) {
    const double x = std::exp2(places(random)), near = parts(random) * std::exp2(places(random) * 0.3);
    worst = std::fmax(worst, std::fmax(off_by(x), off_by(1.0 + std::fabs(near))));
    const double beside = x * (1.0 + std::exp2(-20.0 - std::fabs(places(random)) * 0.25) * parts(random));
    right = right && ordered(x, beside) && ordered(-x, -beside) && ordered(near, x) && ordered(near, -near);
  }
  for (const double x : {1.0, 2.0, 0.5, 1.4142135, 1.4142136, 0.70710675, 0.7071068}) worst = std::fmax(worst, off_by(x));
  const Sum2 none = opkg::hvx::two_of(std::nan("")), one = opkg::hvx::two_of(1.0);
  right = right && is_nan(opkg::hvx::larger(none, one)) && is_nan(opkg::hvx::larger(one, none)) && is_nan(opkg::hvx::smaller(one, none));
  for (const double x : {0.0, -0.0, -1.0, 1e-38, 1e38, static_cast<double>(INFINITY), -static_cast<double>(INFINITY)}) {
    right = right && is_nan(opkg::hvx::logarithm(opkg::hvx::two_of(x)));
  }
  std::printf("logarithms are off by %.3f x 2^-44; the rest is %s\n", worst, right ? "right" : "wrong");
  return worst <= 1.0 && right ? 0 : 1;
}
