// Measures functions of opkg/hvx_float.h against exact results; scripts/hvx_float_accuracy.py compiles and runs it.
// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "HTP/opkg/float16.h"
#include "opkg/hvx_float.h"

// What is exact: long double, double for all 2^32 inputs (2^-29 ulp of single precision).
#ifdef ALL_INPUTS
using Real = double;
#else
using Real = long double;
#endif

namespace {

using namespace opkg::hvx;

uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// Formats: how lanes become numbers, and the unit of the last place of a magnitude.
struct Single {
  static constexpr int lanes = 32;
  static constexpr uint32_t count_bits = 32, sign = 0x80000000u, infinity = 0x7f800000u;
  static constexpr double smallest = 0x1p-126, unit = 0x1p-149, beyond = 0x1p128;
  static constexpr int digits = 24;
  using Storage = uint32_t;
  static float load(uint32_t x) { return float_of(x); }
  static uint32_t store(float x) { return bits_of(x); }
};
struct Half {
  static constexpr int lanes = 64;
  static constexpr uint32_t count_bits = 16, sign = 0x8000u, infinity = 0x7c00u;
  static constexpr double smallest = 0x1p-14, unit = 0x1p-24, beyond = 0x1p16;
  static constexpr int digits = 11;
  using Storage = uint16_t;
  static float load(uint32_t x) { return opkg_sim::half_to_float(uint16_t(x)); }
  static uint16_t store(float x) { return opkg_sim::float_to_half(x); }
};

struct Options {
  uint64_t count = 10000000;
  uint64_t seed = 1;
  bool all = false, flush = true;
  bool redo = false;  // what is too large for the kernel's check (2^127, NaN) is not measured
  double least = 0;   // errors are in units of the last place of this at least
  float low = -INFINITY, high = INFINITY;  // of the first operand
};

// What a function was seen to do. Classes: `wrong` counts results that are not numbers where they should be, or the
// other way round; those of too large and subnormal numbers are apart.
struct Tally {
  double worst = 0, absolute = 0, sum = 0;
  uint64_t measured = 0, above_one = 0;
  float at[3] = {}, got = 0;
  Real wanted = 0;
  uint64_t special = 0, nan = 0, overflow = 0, underflow = 0, subnormal = 0, zero_sign = 0, redone = 0;
  float special_at[3] = {}, nan_at[3] = {}, overflow_at[3] = {}, underflow_at[3] = {}, subnormal_at[3] = {};
  float sign_at[3] = {}, redone_at[3] = {};
};

void note(uint64_t* count, float (*where)[3], const float (&x)[3]) {
  if ((*count)++ == 0) memcpy(*where, x, sizeof x);
}

template <typename P>
double ulp_of(double magnitude) {
  uint64_t bits;
  memcpy(&bits, &magnitude, sizeof bits);
  const uint64_t field = bits >> 52;  // of the exponent
  const uint64_t unit_bits = (field > P::digits ? field - (P::digits - 1) : 1) << 52;
  double unit;
  memcpy(&unit, &unit_bits, sizeof unit);
  return unit > P::unit ? unit : P::unit;
}

bool same_special(float got, Real wanted) {
  if (got != got || wanted != wanted) return got != got && wanted != wanted;
  return float(wanted) == got || std::fabs(wanted - Real(got)) < Real(1e-6) * std::fabs(wanted);
}

// One result against `wanted`, the exact one. Errors are in units of the last place of `size` at least.
template <typename P>
void judge(Tally* tally, const float (&x)[3], int operands, float got, Real wanted, double least,
           const Options& options) {
  const bool flush = options.flush;
  if (options.redo) {
    bool large = !(fabsf(got) < 0x1p127f);
    for (int i = 0; i < operands; i++) large = large || !(fabsf(x[i]) < 0x1p127f);
    if (large) return note(&tally->redone, &tally->redone_at, x);
  }
  for (int i = 0; i < operands; i++) {
    if (!(fabsf(x[i]) <= 0x1.fffffep127f)) {
      if (!same_special(got, wanted)) note(&tally->special, &tally->special_at, x);
      return;
    }
  }
  for (int i = 0; i < operands; i++) {
    if (x[i] != 0 && fabsf(x[i]) < float(P::smallest)) {  // a subnormal operand may count as 0: only that it is no noise
      if (flush || got != got) {
        if ((got != got) != (wanted != wanted)) note(&tally->subnormal, &tally->subnormal_at, x);
        return;
      }
    }
  }
  if (wanted != wanted) {
    if (got == got) note(&tally->nan, &tally->nan_at, x);
    return;
  }
  if (got != got) {
    note(&tally->nan, &tally->nan_at, x);
    return;
  }
  const Real size = std::fabs(wanted);
  const Real limit = Real(P::beyond * (1 - ldexp(0.5, -P::digits)));  // rounds to infinity from here on
  if (size >= limit || std::isinf(got)) {
    const bool near = size > Real(P::beyond * (1 - ldexp(8.0, -P::digits)));
    const bool same = std::isinf(got) && (got > 0) == (wanted > 0);
    if (!(size >= limit && same) && !near) note(&tally->overflow, &tally->overflow_at, x);
    return;
  }
  if (size < P::smallest) {
    if (flush && wanted != 0 && fabsf(got) <= float(P::smallest)) return;
    if (flush && wanted != 0) note(&tally->underflow, &tally->underflow_at, x);
  }
  if (wanted == 0 && got == 0 && std::signbit(got) != std::signbit(wanted)) note(&tally->zero_sign, &tally->sign_at, x);
  const double error = double(std::fabs(Real(got) - wanted));
  const double ulps = error / ulp_of<P>(fmax(double(size), least));
  tally->measured++;
  tally->sum += ulps;
  tally->above_one += ulps > 1.0;
  if (error > tally->absolute) tally->absolute = error;
  if (ulps > tally->worst) {
    tally->worst = ulps;
    memcpy(tally->at, x, sizeof x);
    tally->got = got;
    tally->wanted = wanted;
  }
}

// Inputs: all patterns, or specials crossed and random ones of several kinds.
struct Random {
  uint64_t state;
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  }
  double unit() { return double(next() >> 11) * 0x1p-53; }
};

const float kSpecials[] = {
    0.0f, -0.0f, 1.0f, -1.0f, 2.0f, -2.0f, 0.5f, -0.5f, 3.0f, 1.5f, 10.0f, -10.0f, 0x1p-126f, -0x1p-126f, 0x1.fffffep-127f,
    0x1p-149f, -0x1p-149f, 0x1p-100f, 0x1p100f, -0x1p100f, 0x1p126f, 0x1p127f, -0x1p127f, 0x1.fffffep126f, 0x1.fffffep127f,
    -0x1.fffffep127f, INFINITY, -INFINITY, NAN, -NAN, 0x1.000002p0f, 0x1.fffffep-1f, -0x1.000002p0f, -0x1.fffffep-1f,
    88.72283f, 88.72284f, -87.33654f, -87.33655f, -103.9f, -104.5f, 0.70710677f, 0.70710683f, 1.41421354f, 16777216.0f,
    16777215.0f, 8388608.5f, 2147483648.0f, -2147483648.0f, 65504.0f, 65520.0f, 0x1p-14f, 0x1p-24f, 0x1p-25f, 9.0f, 17.0f};
constexpr int kSpecialCount = int(sizeof kSpecials / sizeof *kSpecials);

// `low`, `high`: where the function does something.
float random_number(Random* random, float low, float high) {
  const uint64_t r = random->next();
  switch (r & 7) {
    case 0: case 1: case 2: return float(low + (high - low) * random->unit());
    case 3: {  // of the size of the range, any sign that it has
      const float edge = fabsf(low) > fabsf(high) ? low : high;
      const float size = float(double(edge) * exp2(-24 * random->unit()));
      return low < 0 && high > 0 && (r >> 8 & 1) ? -size : size;
    }
    case 4: return kSpecials[(r >> 8) % kSpecialCount];
    case 5: return float_of(bits_of(kSpecials[(r >> 8) % kSpecialCount]) + uint32_t(int32_t(r >> 40 & 63) - 32));
    case 6: return float(int32_t(r >> 32) % 1024) * (r >> 8 & 1 ? 0.125f : 1.0f);
    default: return float_of(uint32_t(r >> 32));
  }
}

// A block of inputs, operand by operand. Two operands: one in four pairs is related (equal but for a few units, or a
// small multiple), where sums cancel and quotients are whole.
struct Inputs {
  Random random;
  Options options;
  float low[3], high[3];
  bool power;
  uint64_t at = 0;
  void fill(float (*x)[3], int n, int operands) {
    for (int i = 0; i < n; i++, at++) {
      if (at < uint64_t(kSpecialCount) * kSpecialCount) {
        for (int k = 0; k < operands; k++) x[i][k] = kSpecials[k == 0 ? at % kSpecialCount : at / kSpecialCount];
        continue;
      }
      for (int k = 0; k < operands; k++) x[i][k] = random_number(&random, low[k], high[k]);
      if (operands == 1) continue;
      const uint64_t r = random.next();
      if (power && (r & 3) != 0) {  // a result within the range
        x[i][0] = fabsf(x[i][0]);
        const double limit = 128 / fabs(log2(double(x[i][0])));
        x[i][1] = limit < 1e30 && limit > 0 ? float(limit * (2 * random.unit() - 1)) : x[i][1];
      } else if ((r & 3) == 1) {
        x[i][1] = float_of(bits_of(x[i][0]) + uint32_t(int32_t(r >> 8 & 15) - 8));
      } else if ((r & 3) == 2) {
        x[i][1] = x[i][0] * float(int(r >> 8 & 15) - 7);
      }
    }
  }
};

HVX_Vector apply(HVX_Vector (*f)(HVX_Vector), const HVX_Vector* v) { return f(v[0]); }
HVX_Vector apply(HVX_Vector (*f)(HVX_Vector, HVX_Vector), const HVX_Vector* v) { return f(v[0], v[1]); }
HVX_Vector apply(HVX_Vector (*f)(HVX_Vector, HVX_Vector, HVX_Vector), const HVX_Vector* v) { return f(v[0], v[1], v[2]); }
constexpr int arity(HVX_Vector (*)(HVX_Vector)) { return 1; }
constexpr int arity(HVX_Vector (*)(HVX_Vector, HVX_Vector)) { return 2; }
constexpr int arity(HVX_Vector (*)(HVX_Vector, HVX_Vector, HVX_Vector)) { return 3; }

// Halves through single precision: as kernels compute those that have no function of halves.
template <auto f>
HVX_Vector through_sf(HVX_Vector x) {
  const HVX_VectorPair wide = sf_from_hf(x);
  return hf_from_sf(f(Q6_V_hi_W(wide)), f(Q6_V_lo_W(wide)));
}
template <auto f>
HVX_Vector through_sf2(HVX_Vector x, HVX_Vector y) {
  const HVX_VectorPair a = sf_from_hf(x), b = sf_from_hf(y);
  return hf_from_sf(f(Q6_V_hi_W(a), Q6_V_hi_W(b)), f(Q6_V_lo_W(a), Q6_V_lo_W(b)));
}

template <auto f>
constexpr auto through() {
  if constexpr (arity(f) == 1) {
    return &through_sf<f>;
  } else {
    return &through_sf2<f>;
  }
}

void show(const char* what, uint64_t count, const float (&x)[3], int operands) {
  if (count == 0) return;
  printf("; %" PRIu64 " %s, first at", count, what);
  for (int i = 0; i < operands; i++) printf("%s %.9g", i ? "," : "", double(x[i]));
}

// `size`: of what the errors are units of the last place, besides the result.
template <typename P, typename F, typename R, typename S>
void measure(const char* name, F f, R reference, S size, Inputs inputs) {
  constexpr int operands = arity(F());
  const Options& options = inputs.options;
  const bool every = operands == 1 && (options.all || P::count_bits == 16);
  const bool pairs = operands == 2 && P::count_bits == 16 && options.all;
  const uint64_t total = every ? uint64_t(1) << P::count_bits : pairs ? uint64_t(1) << 32 : options.count;
  Tally tally;
  HVX_Vector v[3];
  float x[64][3] = {};
  opkg_hvx::Lanes<typename P::Storage> lanes;
  for (uint64_t at = 0; at < total; at += P::lanes) {
    if (every || pairs) {
      for (int i = 0; i < P::lanes; i++) {
        x[i][0] = P::load(uint32_t(at + i) & (pairs ? 0xffffu : 0xffffffffu));
        x[i][1] = pairs ? P::load(uint32_t((at + i) >> 16)) : 0;
      }
    } else {
      inputs.fill(x, P::lanes, operands);
    }
    for (int k = 0; k < operands; k++) {
      for (int i = 0; i < P::lanes; i++) {
        if (P::count_bits == 16) x[i][k] = P::load(P::store(x[i][k]));
        lanes.at[i] = P::store(x[i][k]);
      }
      v[k] = lanes.vector();
    }
    const opkg_hvx::Lanes<typename P::Storage> out(apply(f, v));
    for (int i = 0; i < P::lanes; i++) {
      if (!(x[i][0] >= options.low && x[i][0] <= options.high) && !(x[i][0] != x[i][0])) continue;
      const double least = fmax(options.least, double(size(x[i][0], x[i][1], x[i][2])));
      judge<P>(&tally, x[i], operands, P::load(out.at[i]), reference(x[i][0], x[i][1], x[i][2]), least, options);
    }
  }
  printf("%s: worst %.4f ulp at", name, tally.worst);
  for (int i = 0; i < operands; i++) printf("%s %.9g", i ? "," : "", double(tally.at[i]));
  printf(" (%.9g, exactly %.12g); mean %.4f, above 1 ulp %.4f %%, worst absolute %.3g; %" PRIu64 " measured",
         double(tally.got), double(tally.wanted), tally.sum / double(tally.measured ? tally.measured : 1),
         100.0 * double(tally.above_one) / double(tally.measured ? tally.measured : 1), tally.absolute, tally.measured);
  show("wrong for infinite or NaN operands", tally.special, tally.special_at, operands);
  show("NaN or none wrongly", tally.nan, tally.nan_at, operands);
  show("infinite or finite wrongly", tally.overflow, tally.overflow_at, operands);
  show("not small where the result is", tally.underflow, tally.underflow_at, operands);
  show("noise of subnormal operands", tally.subnormal, tally.subnormal_at, operands);
  show("zeros of the other sign", tally.zero_sign, tally.sign_at, operands);
  show("left to be computed again", tally.redone, tally.redone_at, operands);
  printf("\n");
  fflush(stdout);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const char* const value = argv[i + 1];
    if (!strcmp(argv[i], "count")) options.count = strtoull(value, nullptr, 10);
    if (!strcmp(argv[i], "seed")) options.seed = strtoull(value, nullptr, 10);
    if (!strcmp(argv[i], "all")) options.all = atoi(value) != 0;
    if (!strcmp(argv[i], "flush")) options.flush = atoi(value) != 0;
    if (!strcmp(argv[i], "redo")) options.redo = atoi(value) != 0;
    if (!strcmp(argv[i], "least")) options.least = atof(value);
    if (!strcmp(argv[i], "low")) options.low = strtof(value, nullptr);
    if (!strcmp(argv[i], "high")) options.high = strtof(value, nullptr);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  using L = Real;
@CALLS@
}
