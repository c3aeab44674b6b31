// Exponentials of distances of 16 bits (opkg/hvx_columns_exponential.h) and logarithms of numbers (opkg/hvx_numbers_gates.h) beside double:
// of all distances how far they are off in units of 2^-30 beyond 2^-23 of themselves, the value of no distance, and logarithms in 2^-26.
#include "opkg/kernel.h"

#include "opkg/hvx.h"
#include "opkg/hvx_columns_exponential.h"
#include "opkg/hvx_numbers_gates.h"

#include <cstdio>

namespace {

void exponentials(double factor) {
  opkg::hvx::Exponential exponential;
  if (!exponential.set(factor)) {
    std::printf("refused 0\n");
    return;
  }
  double worst = 0.0, first = 0.0;
  for (int32_t i = 0; i < 65536; i += 64) {
    uint16_t distances[64];
    for (int32_t k = 0; k < 64; ++k) distances[k] = static_cast<uint16_t>(i + k);
    int32_t words[2][32];
    const HVX_VectorPair found = exponential.of(opkg::hvx::load_unaligned(distances));
    opkg::hvx::store_unaligned(words[0], Q6_V_lo_W(found)), opkg::hvx::store_unaligned(words[1], Q6_V_hi_W(found));
    if (i == 0) first = words[0][0];
    for (int32_t k = 0; k < 64; ++k) {
      const double exact = std::ldexp(std::exp(-factor * (i + k)), 30);
      const double off = std::fabs(words[k % 2][k / 2] + 0.5 - exact) - exact * std::exp2(-23.0);
      if (!(off <= worst)) worst = off;
    }
  }
  std::printf("%.3f %.0f\n", worst, first - 0x1p30);
}

/// How many units of 2^-26, or of 2^-26 of the logarithm, it is off.
double logarithm(double x) {
  const opkg::hvx::Numbers found = opkg::hvx::logarithm(opkg::hvx::Numbers(x));
  int32_t mantissa[32], exponent[32];
  opkg::hvx::store_unaligned(mantissa, found.mantissa), opkg::hvx::store_unaligned(exponent, found.exponent);
  if (!(x > 0.0)) return exponent[0] > 1000 ? 0.0 : 1e9;
  const double exact = std::log(x), off = std::fabs(std::ldexp(mantissa[0], exponent[0]) - exact);
  return off * 0x1p26 / (std::fabs(exact) > 1.0 ? std::fabs(exact) : 1.0);
}

}  // namespace

int main() {
  for (double factor = 1e-13; factor < 1e4; factor *= 2.9) exponentials(factor);
  exponentials(0.0);
  exponentials(std::log(2.0));
  exponentials(-1.0);
  exponentials(std::nan(""));
  double worst = 0.0;
  for (double x = 1e-9; x < 1e9; x *= 1.037) worst = std::fmax(worst, logarithm(x));
  for (const double x : {1.0, 2.0, 1.0 + 0x1p-29, 1.0 - 0x1p-29, 0.0, -1.0}) worst = std::fmax(worst, logarithm(x));
  std::printf("logarithm %.3f\n", worst);
}
