// Results of columns that are lines of one number, in fixed point of 32 or 64 bits, and how results are stored.
#ifndef OPKG_HVX_COLUMN_LINE_H_
#define OPKG_HVX_COLUMN_LINE_H_

#include <algorithm>
#include <cmath>

#include "opkg/hvx_rows.h"

namespace opkg::hvx {

/// factor * number + constant in whole steps, for numbers of columns: within 2^-4 steps before it is rounded.
///
/// Numbers have 32 bits; those without sign that 16 bits hold can become results of 8 bits by fewer instructions.
struct ColumnLine {
  bool is_line = false;   ///< otherwise results span too many steps, or numbers too many bits
  bool is_short = false;  ///< whether of_shorts() may be used
  int32_t lift = 0;       ///< of the numbers, to fill 32 bits
  int32_t factor = 0;
  int32_t bias = 0;
  int32_t shift = 0;  ///< bits behind the point
  int32_t short_lift = 0;
  int32_t short_factor = 0;  ///< in both halves
  int32_t short_bias = 0;    ///< in both halves
  int32_t short_shift = 0;   ///< bits behind the point of 16-bit lanes

  ColumnLine() = default;

  /// Numbers of low to high become `at_low` to `at_high` steps. `held`: whether 16 bits hold `number - low` all the way.
  ColumnLine(int64_t low, int64_t high, double at_low, double at_high, bool held) {
    if (low < -INT32_MAX || high > INT32_MAX) return;
    const double slope = (at_high - at_low) / static_cast<double>(high - low);
    const double constant = at_low - slope * static_cast<double>(low);
    int32_t reach = exponent(constant);
    for (const double end : {at_low, at_high}) reach = std::max(reach, exponent(end));
    if (reach > 25) return;
    is_line = true;
    const int64_t most = std::max(-low, high);
    while ((most << (lift + 1)) <= INT32_MAX) ++lift;
    shift = reach < 14 ? 15 : 29 - reach;
    factor = static_cast<int32_t>(scaled(slope, shift + 31 - lift, 0x7fffffff));
    bias = static_cast<int32_t>(scaled(constant, shift, 0x3fffffff)) + (1 << (shift - 1));
    reach = std::max(reach, exponent(at_high - at_low));
    if (!held || high - low > 0xffff || reach > 11) return;
    while (((high - low) << (short_lift + 1)) <= 0xffff) ++short_lift;
    short_shift = reach < 9 ? 6 : 15 - reach;
    const int64_t by = scaled(slope, 16 + short_shift - short_lift, 0xfffff);
    is_short = by >= 1 << 11 && by <= 0xffff;
    short_factor = both_halves(static_cast<int32_t>(by));
    short_bias = both_halves(static_cast<int32_t>((scaled(at_low, short_shift + 1, 0xffff) + 1) >> 1));
  }

#if OPKG_HVX
  OPKG_INLINE HVX_Vector of_words(HVX_Vector number) const {
    const HVX_Vector by = Q6_V_vsplat_R(factor), a = Q6_Vw_vasl_VwR(number, lift);
    const HVX_Vector product = Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(Q6_Vw_vmpye_VwVuh(a, by), a, by);
    return Q6_Vw_vasr_VwR(Q6_Vw_vadd_VwVw_sat(product, Q6_V_vsplat_R(bias)), shift);
  }

  /// Of `number - low` in lanes at even places and at odd places, to 8-bit results in the order of memory.
  template <typename T>
  OPKG_INLINE HVX_Vector of_shorts(HVX_VectorPair numbers) const {
    const HVX_Vector even = half(Q6_V_lo_W(numbers)), odd = half(Q6_V_hi_W(numbers));
    return std::is_signed_v<T> ? Q6_Vb_vasr_VhVhR_rnd_sat(odd, even, short_shift)
                               : Q6_Vub_vasr_VhVhR_rnd_sat(odd, even, short_shift);
  }

 private:
  OPKG_INLINE HVX_Vector half(HVX_Vector numbers) const {
    const HVX_VectorPair product = Q6_Wuw_vmpy_VuhRuh(Q6_Vh_vasl_VhR(numbers, short_lift), short_factor);
    const HVX_Vector high = Q6_Vh_vshuffo_VhVh(Q6_V_hi_W(product), Q6_V_lo_W(product));
    return Q6_Vh_vadd_VhVh_sat(high, Q6_V_vsplat_R(short_bias));
  }
#endif
};

/// The same where elements or results have 32 bits, in 64 bits: numbers are words, or sums of words, high * 65536 + low: within 2^-28 of the product itself.
struct WideLine {
  bool is_line = false;
  int32_t factor = 0;    ///< of the high halves
  int32_t rest = 0;      ///< of the factor, in units of 2^-31
  int64_t constant = 0;  ///< with half a step more
  int32_t shift = 0;     ///< bits behind the point
  int32_t lift = 0;      ///< of single words, to fill 31 bits
  bool itself = false;   ///< single words are their own results: they are in the result's steps

  WideLine() = default;

  /// `most`: the size of single words.
  OPKG_SMALL WideLine(double slope, double at_none, int64_t most = INT32_MAX) {
    while (most > 0 && (most << (lift + 1)) <= INT32_MAX) ++lift;
    int32_t reach = 0;
    const double upper = ldexp(slope, 16 - lift);
    frexp(upper, &reach);
    shift = std::min(30 - reach, 62);
    const double by = ldexp(upper, shift), whole = nearbyint(by), from = ldexp(at_none, shift);
    if (shift < 1 || !(fabs(from) < 0x1p61)) return;
    is_line = true;
    itself = fabs(slope - 1.0) * 0x1p31 + fabs(at_none) < 0.25;  // nearer than half a step to any of 32 bits
    factor = static_cast<int32_t>(whole), rest = static_cast<int32_t>(nearbyint((by - whole) * 0x1p31));
    constant = static_cast<int64_t>(from) + (int64_t{1} << (shift - 1));
  }

#if OPKG_HVX
  OPKG_INLINE HVX_Vector of(HVX_Vector number) const {
    if (itself) return number;
    const HVX_Vector lifted = Q6_Vw_vasl_VwR(number, lift);
    return of(Q6_Vw_vasr_VwR(lifted, 16), Q6_V_vand_VV(lifted, Q6_V_vsplat_R(0xffff)));
  }
  OPKG_INLINE HVX_Vector of(HVX_Vector high, HVX_Vector low) const {
    const HVX_Vector by = Q6_V_vsplat_R(factor), bits = Q6_V_vand_VV(low, Q6_V_vsplat_R(0xffff));
    high = Q6_Vw_vadd_VwVw(high, Q6_Vuw_vlsr_VuwR(low, 16));
    const HVX_VectorPair product = Q6_W_vmpyoacc_WVwVh(Q6_W_vmpye_VwVuh(high, by), high, by);
    const HVX_Vector more = Q6_Vw_vadd_VwVw(upper(high, Q6_V_vsplat_R(rest)), upper(Q6_Vw_vasl_VwR(bits, 15), by));
    HVX_VectorPair sum = plus(product, more, Q6_Vw_vasr_VwR(more, 31));
    sum = plus(sum, Q6_V_vsplat_R(static_cast<int32_t>(constant)), Q6_V_vsplat_R(static_cast<int32_t>(constant >> 32)));
    if (shift >= 32) return Q6_Vw_vasr_VwR(Q6_V_hi_W(sum), shift - 32);
    const HVX_Vector top = Q6_V_hi_W(sum), most = Q6_V_vsplat_R(INT32_MAX), end = Q6_V_vsplat_R((1 << (shift - 1)) - 1);
    const HVX_Vector steps = Q6_V_vor_VV(Q6_Vw_vasl_VwR(top, 32 - shift), Q6_Vuw_vlsr_VuwR(Q6_V_lo_W(sum), shift));
    const HVX_Vector held = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(top, end), most, steps);
    return Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(Q6_V_vnot_V(end), top), Q6_V_vnot_V(most), held);
  }

 private:
  /// a * b in units of 2^31.
  static OPKG_INLINE HVX_Vector upper(HVX_Vector a, HVX_Vector b) {
    return Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(Q6_Vw_vmpye_VwVuh(a, b), a, b);
  }

  static OPKG_INLINE HVX_VectorPair plus(HVX_VectorPair a, HVX_Vector low, HVX_Vector high) {
    HVX_VectorPred carry = Q6_Q_vcmp_gt_VwVw(low, low);
    const HVX_Vector lower = Q6_Vw_vadd_VwVwQ_carry(Q6_V_lo_W(a), low, &carry);
    return Q6_W_vcombine_VV(Q6_Vw_vadd_VwVwQ_carry(Q6_V_hi_W(a), high, &carry), lower);
  }
#endif
};

#if OPKG_HVX

/// Functions that are called seldom are kept apart: what they call would drive accumulators out of registers.
#define OPKG_APART __attribute__((noinline))

OPKG_APART inline void copy_bytes(void* to, const void* from, size_t n) { memcpy(to, from, n); }

/// Writes elements `back` to `n` of some vectors.
template <typename T, uint32_t kVectors>
OPKG_INLINE void store_columns(T* to, const HVX_Vector (&vectors)[kVectors], size_t n, size_t back) {
  if (back != 0) {
    alignas(128) uint8_t kept[kVectors * kBytes];
    for (uint32_t i = 0; i < kVectors; ++i) store(kept + i * kBytes, vectors[i]);
    copy_bytes(to, kept + back * sizeof(T), (n - back) * sizeof(T));
    return;
  }
  size_t left = n * sizeof(T);
  if (kVectors > 1 && left == kVectors * kBytes) {
    for (uint32_t i = 0; i < kVectors; ++i) store_unaligned(reinterpret_cast<uint8_t*>(to) + i * kBytes, vectors[i]);
    return;
  }
  uint8_t* at = reinterpret_cast<uint8_t*>(to);
  for (uint32_t i = 0; i < kVectors && left != 0; ++i) {
    const size_t now = left < kBytes ? left : kBytes;
    if (now == kBytes) {
      store_unaligned(at, vectors[i]);
    } else {
      store_some(at, now, vectors[i]);
    }
    at += now;
    left -= now;
  }
}

/// Vectors that the elements of kWords vectors of words take.
template <typename T, uint32_t kWords>
constexpr uint32_t kPacked = kWords * sizeof(T) < 4 ? 1 : kWords * sizeof(T) / 4;

/// 32-bit numbers as elements, saturated.
template <typename T, uint32_t kWords>
OPKG_INLINE void pack(const HVX_Vector (&words)[kWords], HVX_Vector (&packed)[kPacked<T, kWords>]) {
  constexpr uint32_t kVectors = kPacked<T, kWords>;
  if constexpr (sizeof(T) == 4) {
    for (uint32_t i = 0; i < kWords; ++i) packed[i] = words[i];
  } else {
    HVX_Vector halves[kWords > 1 ? kWords / 2 : 1];
    for (uint32_t i = 0; i < kWords; i += 2) {
      const HVX_Vector next = words[i + 1 < kWords ? i + 1 : i];
      halves[i / 2] = std::is_same_v<T, uint16_t> ? Q6_Vuh_vpack_VwVw_sat(next, words[i]) : Q6_Vh_vpack_VwVw_sat(next, words[i]);
    }
    if constexpr (sizeof(T) == 2) {
      for (uint32_t i = 0; i < kVectors; ++i) packed[i] = halves[i];
    } else {
      for (uint32_t i = 0; i < kVectors; ++i) {
        const HVX_Vector next = halves[kWords > 2 ? 2 * i + 1 : 0];
        packed[i] = std::is_signed_v<T> ? Q6_Vb_vpack_VhVh_sat(next, halves[2 * i]) : Q6_Vub_vpack_VhVh_sat(next, halves[2 * i]);
      }
    }
  }
}

/// Writes `n` 32-bit numbers, kWords vectors of them, as elements, saturated; the first `back` of them are left out.
template <typename T, uint32_t kWords>
OPKG_INLINE void write(T* to, const HVX_Vector (&words)[kWords], size_t n, size_t back = 0) {
  HVX_Vector packed[kPacked<T, kWords>];
  pack<T>(words, packed);
  store_columns(to, packed, n, back);
}

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_COLUMN_LINE_H_
