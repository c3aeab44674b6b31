// The numbers of fixed-point kernels against the arithmetic that they stand for, lane by lane. Prints what is wrong.
#include <cstdio>
#include <cstdlib>

#include "opkg/hvx_fixed.h"
#include "opkg/hvx_fixed_parts.h"
#include "opkg/hvx_fixed_sum.h"

using namespace opkg::fixed;

static int failures = 0;
#define EXPECT(test, ...)                                \
  do {                                                   \
    if (!(test) && ++failures <= 20) {                   \
      std::printf("line %d: %s: ", __LINE__, #test);     \
      std::printf(__VA_ARGS__);                          \
      std::printf("\n");                                 \
    }                                                    \
  } while (false)

static uint64_t state = 1;
static double uniform() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(state >> 11) / 9007199254740992.0;
}
static float scale() { return static_cast<float>(std::exp(8.0 * uniform() - 4.0)); }
static int32_t half_of(int32_t word) { return static_cast<int16_t>(word & 0xffff); }
static int32_t byte_of(int32_t word, int32_t index) { return static_cast<int8_t>(word >> (8 * index) & 0xff); }

/// What the instructions make of bytes: the coefficients of byte i are in word i / 2.
static int32_t sum_of_bytes(const Sum& sum, const int32_t* bytes, int32_t count) {
  int32_t high = 0;
  int32_t low = 0;
  for (int32_t i = 0; i < count; ++i) {
    high += byte_of(sum.high[i / 2], i % 2) * bytes[i];
    low += byte_of(sum.low[i / 2], i % 2) * bytes[i];
  }
  EXPECT(low >= -32768 && low <= 32767, "%d", low);
  return static_cast<int16_t>(high + (static_cast<int16_t>(low) >> sum.low_shift));
}

static void sums_of_two_bytes() {
  int taken = 0;
  for (int turn = 0; turn < 300; ++turn) {
    const Lanes a = stored<uint8_t>(scale(), static_cast<int32_t>(255.99 * uniform()));
    const Lanes b = stored<int8_t>(scale(), static_cast<int32_t>(255.99 * uniform()) - 128);
    const double p = 4.0 * uniform() - 2.0;
    const double constant = 20.0 * uniform() - 10.0;
    Sum sum;
    if (!sum.fit({{a, p}, {b, -1.0}}, constant)) continue;
    ++taken;
    for (int32_t x = 0; x < 256; x += 5) {
      for (int32_t y = 0; y < 256; y += 3) {
        const int32_t bytes[] = {x, y};
        const int32_t lane = sum_of_bytes(sum, bytes, 2) + half_of(sum.start);
        const double exact = p * (x + a.offset) * a.unit - (y + b.offset) * b.unit + constant;
        EXPECT(std::abs(lane) <= 32767, "%d", lane);
        EXPECT(std::fabs(lane * sum.lanes.unit - exact) <= sum.lanes.error * (1 + 1e-6), "%d %g", lane, exact);
        EXPECT(exact >= sum.lanes.low - 1e-9 && exact <= sum.lanes.high + 1e-9, "%g", exact);
      }
    }
    EXPECT(sum.lanes.error < 8.0 * sum.lanes.unit, "%g", sum.lanes.error / sum.lanes.unit);
  }
  EXPECT(taken > 250, "%d", taken);
}

static void starts_in_a_constant_byte() {
  for (int turn = 0; turn < 300; ++turn) {
    const Lanes a = stored<uint8_t>(scale(), static_cast<int32_t>(255.99 * uniform()));
    const double constant = (20.0 * uniform() - 10.0) * a.unit;
    Sum sum;
    sum.start_in_bytes = true;
    if (!sum.fit({{a, 1.0}}, constant)) continue;
    for (int32_t x = 0; x < 256; ++x) {
      const int32_t bytes[] = {x, Sum::kByte};
      const double exact = (x + a.offset) * a.unit + constant;
      const double lane = sum_of_bytes(sum, bytes, 2) * sum.lanes.unit;
      EXPECT(std::fabs(lane - exact) <= sum.lanes.error * (1 + 1e-6), "%g %g", lane, exact);
    }
  }
}

static void products_of_bytes() {
  for (int32_t za = 0; za < 256; ++za) {
    for (int32_t zb = 0; zb < 256; ++zb) {
      ByteProduct product;
      product.set(stored<uint8_t>(1.0f, za), stored<uint8_t>(1.0f, zb));
      const int32_t ends[] = {0, za, 255};
      for (const int32_t x : ends) {
        for (const int32_t y : {0, zb, 255}) {
          const int32_t zeros = (product.zeros & 0xff) * x + (product.zeros >> 8 & 0xff) * y;
          const int32_t lane = static_cast<int16_t>(half_of(product.start) - zeros + x * y);
          EXPECT(lane + product.lanes.offset == (x - za) * (y - zb), "%d %d: %d %d", za, zb, x, y);
        }
      }
    }
  }
}

static void products_of_halves() {
  const int32_t zeros[] = {0, 1, 255, 32767, 32768, 40000, 65535};
  for (const int32_t za : zeros) {
    for (const int32_t zb : zeros) {
      HalfProduct product;
      product.set(stored<uint16_t>(1.0f, za), stored<uint16_t>(1.0f, zb));
      for (const int64_t x : zeros) {
        for (const int64_t y : zeros) {
          const int64_t a = x - 32768;
          const int64_t b = y - 32768;
          const int64_t rest = product.start - a * half_of(product.zero_b) - b * half_of(product.zero_a);
          const int32_t lane = static_cast<int32_t>(static_cast<uint32_t>(rest + a * b));
          EXPECT(lane + product.lanes.offset == static_cast<double>((x - za) * (y - zb)), "%d %d", za, zb);
        }
      }
    }
  }
}

static void wide_sums() {
  for (int turn = 0; turn < 300; ++turn) {
    const Lanes a = stored<uint16_t>(scale(), static_cast<int32_t>(65535.99 * uniform()));
    const double unit = a.unit / 4096.0 * (1.0 + uniform());
    WideSum sum;
    if (!sum.fit({{a, 1.0, Enters::halves}}, 1.0, unit)) continue;
    for (int32_t x = -32768; x <= 32767; x += 257) {
      const int64_t high = static_cast<int64_t>(half_of(sum.high[0])) * x + sum.start;
      const int64_t lane = high + (half_of(sum.low[0]) * x >> WideSum::kLowShift);
      EXPECT(lane == static_cast<int32_t>(lane), "%lld", static_cast<long long>(lane));
      const double exact = (x + a.offset) * a.unit + 1.0;
      EXPECT(std::fabs(static_cast<double>(lane) * unit - exact) <= sum.lanes.error * (1 + 1e-6), "%g", exact);
    }
  }
}

static void bounds_and_quantizations() {
  EXPECT(legal<uint8_t>(0.5f, 255) && legal<int8_t>(1e-30f, -128), "usual ones");
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT(!legal<uint8_t>(0.0f, 0) && !legal<uint8_t>(-1.0f, 0) && !legal<uint8_t>(infinite, 0), "scales");
  EXPECT(!legal<uint8_t>(std::nanf(""), 0) && !legal<uint8_t>(1.0f, 256) && !legal<int8_t>(1.0f, 128), "zero points");
  EXPECT(stored_bound<uint8_t>(1.25, 0.5f, 10) == 12, "half to even");
  EXPECT(stored_bound<uint8_t>(1e30, 0.5f, 10) == 255 && stored_bound<int8_t>(-infinite, 0.5f, 10) == -128, "ends");
  int16_t entries[256];
  Lanes lanes;
  EXPECT(!tabulate<uint8_t>([](double x) { return std::log(x); }, 1.0f, 0, entries, lanes), "log(0)");
  EXPECT(tabulate<int8_t>([](double x) { return std::exp(x); }, 0.05f, 3, entries, lanes), "exp");
  for (int32_t q = 0; q < 256; ++q) {
    const double exact = std::exp((static_cast<int8_t>(q) - 3) * static_cast<double>(0.05f));
    EXPECT(std::fabs(entries[q] * lanes.unit - exact) <= lanes.error * (1 + 1e-6), "%d", q);
  }
}

int main() {
  sums_of_two_bytes();
  starts_in_a_constant_byte();
  products_of_bytes();
  products_of_halves();
  wide_sums();
  bounds_and_quantizations();
  return failures == 0 ? 0 : 1;
}
