// Smooth functions of 16-bit elements in pieces (opkg/hvx_columns_smooth.h) beside double: of all elements, units that a value is off,
// the bound, and the bound in steps of 16 bits over the whole range.
#include "opkg/kernel.h"

#include "opkg/hvx.h"
#include "opkg/hvx_columns_smooth.h"

#include <cstdio>

namespace {

template <typename T, typename Function, typename Argument>
void judge(const char* name, const Function& function, const Argument& argument, double scale, int64_t zero) {
  static opkg::hvx::Smooth<T> smooth;
  if (!smooth.set(function, argument, scale, zero)) {
    std::printf("%s refused\n", name);
    return;
  }
  double worst = 0.0;
  for (int32_t i = 0; i < 65536; i += 64) {
    T elements[64];
    for (int32_t k = 0; k < 64; ++k) elements[k] = static_cast<T>(i + k);
    typename opkg::hvx::Smooth<T>::Values found, other;
    smooth.values(opkg::hvx::load_unaligned(elements), opkg::hvx::load_unaligned(elements), found, other);
    uint16_t lower[64], upper[64];
    uint32_t more[2][32];
    opkg::hvx::store_unaligned(lower, found.lower), opkg::hvx::store_unaligned(upper, found.upper);
    opkg::hvx::store_unaligned(more[0], found.even), opkg::hvx::store_unaligned(more[1], found.odd);
    for (int32_t k = 0; k < 64; ++k) {
      const double value = 65536.0 * upper[k] + lower[k] + more[k % 2][k / 2] - 0x1p31;
      const double exact = function((static_cast<double>(elements[k]) - static_cast<double>(zero)) * scale);
      const double off = std::fabs(smooth.low + smooth.unit * value - exact) / smooth.unit;
      if (!(off <= worst)) worst = off;
    }
  }
  std::printf("%s %.1f %.1f %.4f\n", name, worst, smooth.off, smooth.off / 4e9 * 65536.0);
}

}  // namespace

int main() {
  const auto same = [](double x) { return x; };
  const auto silu = [](double x) { return x / (1.0 + std::exp(-x)); };
  const auto power = [](double x) { return std::exp(x); };
  judge<uint16_t>("silu", silu, same, 16 / 65535.0, 32768);
  judge<int16_t>("silu_signed", silu, same, 16 / 65535.0, 100);
  judge<uint16_t>("silu_wide", silu, same, 200 / 65535.0, 32768);
  judge<uint16_t>("tanh", [](double x) { return std::tanh(x); }, same, 8 / 65535.0, 32768);
  judge<uint16_t>("exp", power, same, 20 / 65535.0, 65535);
  judge<uint16_t>("gelu", [](double x) { return x * 0.5 * (1.0 + std::erf(x * std::sqrt(0.5))); }, same, 12 / 65535.0, 0);
  judge<int16_t>("constant", [](double x) { return 0.3 + 0 * x; }, same, 12 / 65535.0, -32768);
  judge<uint16_t>("far", power, same, 1.0, 0);
  judge<uint16_t>("steep", power, same, 0.007, 0);
}
