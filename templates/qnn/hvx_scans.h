// Running sums down columns and along rows: of integers exactly, of floats with twice their digits (opkg/hvx_float_scans.h). C++17.
//
// Down columns each lane has a sum. Along a row the lanes of a vector are added up in steps of 1, 2, 4 and so on, and what came
// before is added to all of them: sums of integers do not ask in which order that is.
#ifndef OPKG_HVX_SCANS_H_
#define OPKG_HVX_SCANS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "opkg/hvx.h"
#include "opkg/hvx_short_scans.h"
#include "opkg/small.h"

namespace opkg {

/// What a call says of its running sums: steps and zero points of both tensors, whether an element's own sum is without it,
/// and whether sums begin at the end.
struct ScanNumbers {
  double in = 1.0, out = 1.0;
  int64_t in_zero = 0, out_zero = 0;
  bool exclusive = false, reverse = false;

  template <typename X, typename Y>
  OPKG_SMALL void steps(const X& x, const Y& y) {
    in = static_cast<double>(x.scale), in_zero = x.zero;
    out = static_cast<double>(y.scale), out_zero = y.zero;
  }
};

#if OPKG_HVX

namespace hvx {

/// Sums times in / out, rounded to even: whole numbers that are those of exact arithmetic.
///
/// The quotient has 61 bits. A product of it and a sum has no fraction that is nearer to a half than what is cut off, unless it is one: steps are
/// floats, whose quotients are far enough apart.
class ScanSteps {
 public:
  static constexpr int64_t kMost = 1 << 29;  ///< of a sum

  /// `largest`: of sums; `bits`: of results. False: the numbers are not for vectors.
  OPKG_SMALL bool set(double in, double out, int64_t largest, uint32_t bits) {
    if (!(in > 0.0) || !(out > 0.0) || std::isinf(in) || std::isinf(out) || largest >= kMost) return false;
    int top = 0, under = 0;
    const double digits = std::ldexp(std::frexp(in, &top), 24), parts = std::ldexp(std::frexp(out, &under), 24);
    if (std::floor(digits) != digits || std::floor(parts) != parts) return false;
    const auto a = static_cast<uint64_t>(digits), b = static_cast<uint64_t>(parts);
    const uint64_t quotient = (((a << 39) / b) << 22) + (((a << 39) % b << 22) / b);
    const double far = std::ceil(std::ldexp(4.0, static_cast<int>(bits)) * (out / in));
    limit_ = static_cast<int32_t>(far < static_cast<double>(largest) ? far : static_cast<double>(largest));
    for (up_ = 0; up_ < 28 && (int64_t{limit_} << (up_ + 1)) < kMost && 31 - (top - under) + up_ <= 60;) ++up_;
    const int fraction = 30 - (top - under) + up_;
    high_ = static_cast<int32_t>((quotient + (uint64_t{1} << 30)) >> 31);
    low_ = static_cast<int32_t>(static_cast<int64_t>(quotient) - (int64_t{high_} << 31));
    down_ = fraction - 32;
    return down_ >= 1 && fraction <= 60;
  }

  /// The nearest whole numbers, of 32 sums.
  OPKG_INLINE HVX_Vector nearest(HVX_Vector sums) const {
    const HVX_Vector most = Q6_V_vsplat_R(limit_), least = Q6_V_vsplat_R(-limit_);
    const HVX_Vector x = Q6_Vw_vasl_VwR(Q6_Vw_vmin_VwVw(Q6_Vw_vmax_VwVw(sums, least), most), up_);
    const HVX_Vector high = Q6_V_vsplat_R(high_), low = Q6_V_vsplat_R(low_);
    const HVX_VectorPair product = Q6_W_vmpyoacc_WVwVh(Q6_W_vmpye_VwVuh(x, high), x, high);
    const HVX_Vector less = Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(Q6_Vw_vmpye_VwVuh(x, low), x, low);
    const HVX_Vector rest = Q6_Vw_vadd_VwVw(less, Q6_V_vsplat_R(kOff));
    HVX_VectorPred carry = Q6_Q_vsetq_R(0);
    const HVX_Vector bottom = Q6_Vw_vadd_VwVwQ_carry(Q6_V_lo_W(product), rest, &carry);
    HVX_Vector top = Q6_Vw_vadd_VwVwQ_carry(Q6_V_hi_W(product), Q6_Vw_vasr_VwR(rest, 31), &carry);
    top = Q6_Vw_vadd_VwVw(top, Q6_V_vsplat_R(1 << (down_ - 1)));
    const HVX_Vector part = Q6_V_vand_VV(top, Q6_V_vsplat_R((2 << down_) - 1));
    const HVX_VectorPred odd = Q6_Q_vcmp_eq_VwVw(part, Q6_V_vsplat_R(1 << down_));
    const HVX_VectorPred tie = Q6_Q_vcmp_gtand_QVuwVuw(odd, Q6_V_vsplat_R(2 * kOff), bottom);
    return Q6_Vw_condnac_QVwVw(tie, Q6_Vw_vasr_VwR(top, down_), Q6_V_vsplat_R(1));
  }

 private:
  static constexpr int32_t kOff = 4;  ///< what a product may be off, in its last place

  int32_t high_ = 0, low_ = 0, limit_ = 0, up_ = 0, down_ = 0;
};

/// A vector of a panel of columns, which has `bytes` bytes if it is not whole.
template <bool kWhole>
OPKG_INLINE HVX_Vector got(const uint8_t* at, size_t bytes) {
  return kWhole ? load_unaligned(at) : load_some(at, bytes);
}
template <bool kWhole>
OPKG_INLINE void put(uint8_t* to, size_t bytes, HVX_Vector v) {
  if constexpr (kWhole) return store_unaligned(to, v);
  store_some(to, bytes, v);
}

/// The last lane of kSize bytes in all lanes.
template <uint32_t kSize>
OPKG_INLINE HVX_Vector last_lane(HVX_Vector v) {
  alignas(kBytes) static constexpr auto kControl = [] {
    struct {
      uint8_t lanes[kBytes];
    } made{};
    for (uint32_t k = 0; k < kBytes; ++k) made.lanes[k] = static_cast<uint8_t>((k ^ (kBytes - 1)) & ~(kSize - 1));
    return made;
  }();
  return Q6_V_vdelta_VV(v, load(kControl.lanes));
}

/// Sums of all lanes in each lane.
OPKG_INLINE HVX_Vector sum_of_words(HVX_Vector v) {
  for (int32_t at = 4; at < static_cast<int32_t>(kBytes); at *= 2) v = Q6_Vw_vadd_VwVw(v, Q6_V_vror_VR(v, at));
  return v;
}

/// Sums of each lane and those before it, kSize bytes wide.
template <uint32_t kSize>
OPKG_INLINE HVX_Vector scanned(HVX_Vector v) {
  for (int32_t at = kSize; at < static_cast<int32_t>(kBytes); at *= 2) {
    const HVX_Vector before = Q6_V_vlalign_VVR(v, Q6_V_vzero(), at);
    v = kSize == 2 ? Q6_Vh_vadd_VhVh(v, before) : Q6_Vw_vadd_VwVw(v, before);
  }
  return v;
}

/// Running sums of elements X as elements Y of the same size, which has 8 or 16 bits.
template <typename X, typename Y>
class IntegerScan {
  static_assert(sizeof(X) == sizeof(Y) && sizeof(X) <= 2, "bytes or halves");

 public:
  static constexpr uint32_t kSize = sizeof(X), kLanes = kBytes / kSize, kPairs = 2 / kSize;

  /// `count`: elements of a sum.
  OPKG_SMALL IntegerScan(const ScanNumbers& numbers, size_t count) : short_(count, numbers.reverse), exclusive_(numbers.exclusive), reverse_(numbers.reverse) {
    using From = std::numeric_limits<X>;
    using To = std::numeric_limits<Y>;
    const int64_t zero = numbers.in_zero, back = numbers.out_zero;
    if (zero < From::min() || zero > From::max() || back < To::min() || back > To::max() || count >= static_cast<size_t>(ScanSteps::kMost)) return;
    const int64_t farthest = std::max(From::max() - zero, zero - From::min());
    taken_ = steps_.set(numbers.in, numbers.out, static_cast<int64_t>(count) * farthest, 8 * kSize);
    const auto stored_zero = static_cast<uint32_t>(kSize == 1 && std::is_signed_v<X> ? zero + 128 : zero);
    zero_ = static_cast<int32_t>(kSize == 1 ? stored_zero * 0x01010101 : (stored_zero & 0xffff) * 0x00010001);
    constexpr int32_t kOffset = kSize == 1 ? (std::is_signed_v<Y> ? 128 : 0) : (std::is_signed_v<Y> ? 0 : -32768);
    out_zero_ = static_cast<int32_t>(back) + kOffset;
  }

  bool taken() const { return taken_; }

  /// The sums of `count` rows of `bytes` bytes, at most a vector, that lie `stride` bytes apart.
  template <bool kWhole>
  OPKG_INLINE void columns(const uint8_t* at, uint8_t* to, size_t stride, size_t count, size_t bytes) const {
    const HVX_Vector own = Q6_V_vsplat_R(exclusive_ ? -1 : 0);
    intptr_t step = static_cast<intptr_t>(stride);
    if (reverse_) at += (count - 1) * stride, to += (count - 1) * stride, step = -step;
    Words sums;
    for (size_t i = 0; i < count; ++i, at += step, to += step) {
      const Elements x = elements(got<kWhole>(at, bytes));
      add(sums, x);
      Words now = sums;
      if (exclusive_) take(now, x, own);
      put<kWhole>(to, bytes, stored(now));
    }
  }

  /// The sums along a row of `count` elements.
  OPKG_INLINE void row(const uint8_t* at, uint8_t* to, size_t count) const {
    HVX_Vector before = reverse_ ? total(at, count) : Q6_V_vzero();
    const HVX_Vector own = Q6_V_vsplat_R(exclusive_ != reverse_ ? -1 : 0);
    for (; count >= kLanes; count -= kLanes, at += kBytes, to += kBytes) store_unaligned(to, along(load_unaligned(at), own, before));
    if (count != 0) store_some(to, count * kSize, along(load_some(at, count * kSize), own, before));
  }

  /// Rows that short_ones() takes: none, or several.
  size_t rows_at_once() const { return short_.rows(); }
  OPKG_INLINE HVX_Vector short_ones(HVX_Vector v) const {
    const Elements x = elements(v);
    const HVX_Vector own = Q6_V_vsplat_R(exclusive_ ? -1 : 0);
    HVX_Vector here[] = {Q6_V_lo_W(x), Q6_V_hi_W(x)};
    const auto moved = [](HVX_Vector sum, const auto& each) OPKG_INLINE_LAMBDA { return each(sum); };
    short_.scan(here, moved, [](HVX_Vector& a, HVX_Vector b) OPKG_INLINE_LAMBDA { a = kSize == 1 ? Q6_Vh_vadd_VhVh(a, b) : Q6_Vw_vadd_VwVw(a, b); });
    Words sums;
    add(sums, Q6_W_vcombine_VV(here[1], here[0]));
    take(sums, x, own);
    return stored(sums);
  }

 private:
  /// Elements less their zero point, those at even places first: halves of bytes, else words.
  using Elements = HVX_VectorPair;

  /// Words of all elements: those of even ones, then of odd ones; of halves they are one pair.
  struct Words {
    HVX_VectorPair of[kPairs];
    OPKG_INLINE Words() {
      for (auto& each : of) each = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
    }
  };

  OPKG_INLINE Elements elements(HVX_Vector v) const {
    const HVX_Vector zero = Q6_V_vsplat_R(zero_);
    if constexpr (kSize == 2) return std::is_signed_v<X> ? Q6_Ww_vsub_VhVh(v, zero) : Q6_Ww_vsub_VuhVuh(v, zero);
    return Q6_Wh_vsub_VubVub(std::is_signed_v<X> ? Q6_V_vxor_VV(v, Q6_V_vsplat_R(static_cast<int32_t>(0x80808080))) : v, zero);
  }

  static OPKG_INLINE void add(Words& sums, Elements x, int32_t factor = 0x10001) {
    if constexpr (kSize == 2) {
      sums.of[0] = Q6_Ww_vadd_WwWw(sums.of[0], x);
    } else {
      sums.of[0] = Q6_Ww_vmpyacc_WwVhRh(sums.of[0], Q6_V_lo_W(x), factor);
      sums.of[1] = Q6_Ww_vmpyacc_WwVhRh(sums.of[1], Q6_V_hi_W(x), factor);
    }
  }

  static OPKG_INLINE void take(Words& sums, Elements x, HVX_Vector own) {
    const HVX_VectorPair kept = Q6_W_vcombine_VV(Q6_V_vand_VV(Q6_V_hi_W(x), own), Q6_V_vand_VV(Q6_V_lo_W(x), own));
    if constexpr (kSize == 2) {
      sums.of[0] = Q6_Ww_vsub_WwWw(sums.of[0], kept);
    } else {
      add(sums, kept, -1);
    }
  }

  /// Results in the order of memory.
  OPKG_INLINE HVX_Vector stored(const Words& sums) const {
    const HVX_Vector zero = Q6_V_vsplat_R(out_zero_);
    HVX_Vector halves[kPairs];
    for (uint32_t i = 0; i < kPairs; ++i) {
      const HVX_Vector even = Q6_Vw_vadd_VwVw(steps_.nearest(Q6_V_lo_W(sums.of[i])), zero), odd = Q6_Vw_vadd_VwVw(steps_.nearest(Q6_V_hi_W(sums.of[i])), zero);
      halves[i] = Q6_Vh_vsat_VwVw(odd, even);
    }
    if constexpr (kSize == 2) return std::is_signed_v<Y> ? halves[0] : Q6_V_vxor_VV(halves[0], Q6_V_vsplat_R(static_cast<int32_t>(0x80008000)));
    const HVX_Vector bytes = Q6_Vub_vsat_VhVh(halves[kPairs - 1], halves[0]);
    return std::is_signed_v<Y> ? Q6_V_vxor_VV(bytes, Q6_V_vsplat_R(static_cast<int32_t>(0x80808080))) : bytes;
  }

  /// Results of a vector of a row. `before`: the sum in front of it, in all words; then the one in front of the next.
  OPKG_INLINE HVX_Vector along(HVX_Vector v, HVX_Vector own, HVX_Vector& before) const {
    const Elements x = elements(v);
    const HVX_Vector even = Q6_V_lo_W(x), odd = Q6_V_hi_W(x);
    Words sums;
    for (auto& each : sums.of) each = Q6_W_vcombine_VV(before, before);
    if constexpr (kSize == 1) {
      const int32_t factor = reverse_ ? -1 : 0x10001;
      const HVX_Vector here = scanned<2>(Q6_Vh_vadd_VhVh(even, odd)), first = Q6_Vh_vsub_VhVh(here, odd);
      const HVX_Vector less = Q6_Vh_vsub_VhVh(first, Q6_V_vand_VV(even, own)), last = Q6_Vh_vsub_VhVh(here, Q6_V_vand_VV(odd, own));
      before = Q6_V_lo_W(Q6_Ww_vmpyacc_WwVhRh(sums.of[0], last_lane<2>(here), factor));
      add(sums, Q6_W_vcombine_VV(last, less), factor);
    } else {
      const HVX_Vector turn = Q6_V_vsplat_R(reverse_ ? -1 : 0);
      const auto turned = [&](HVX_Vector w) OPKG_INLINE_LAMBDA { return Q6_Vw_vsub_VwVw(Q6_V_vxor_VV(w, turn), turn); };
      const HVX_Vector here = scanned<4>(Q6_Vw_vadd_VwVw(even, odd)), first = Q6_Vw_vsub_VwVw(here, odd);
      const HVX_Vector less = Q6_Vw_vsub_VwVw(first, Q6_V_vand_VV(even, own)), last = Q6_Vw_vsub_VwVw(here, Q6_V_vand_VV(odd, own));
      before = Q6_Vw_vadd_VwVw(before, turned(last_lane<4>(here)));
      add(sums, Q6_W_vcombine_VV(turned(last), turned(less)));
    }
    return stored(sums);
  }

  /// The sum of a row, in all words.
  OPKG_INLINE HVX_Vector total(const uint8_t* at, size_t count) const {
    Words sums;
    for (; count >= kLanes; count -= kLanes, at += kBytes) add(sums, elements(load_unaligned(at)));
    if (count != 0) {
      const HVX_Vector v = load_some(at, count * kSize), none = Q6_V_vxor_VV(Q6_V_vsplat_R(zero_), Q6_V_vsplat_R(std::is_signed_v<X> && kSize == 1 ? static_cast<int32_t>(0x80808080) : 0));
      add(sums, elements(Q6_V_vmux_QVV(Q6_Q_vsetq2_R(static_cast<int32_t>(count * kSize)), v, none)));
    }
    HVX_Vector found = Q6_Vw_vadd_VwVw(Q6_V_lo_W(sums.of[0]), Q6_V_hi_W(sums.of[0]));
    if constexpr (kPairs == 2) found = Q6_Vw_vadd_VwVw(found, Q6_Vw_vadd_VwVw(Q6_V_lo_W(sums.of[1]), Q6_V_hi_W(sums.of[1])));
    return sum_of_words(found);
  }

  ScanSteps steps_;
  ShortRows<kSize, 2> short_;
  int32_t zero_ = 0, out_zero_ = 0;
  bool exclusive_, reverse_, taken_ = false;
};

}  // namespace hvx

#endif  // OPKG_HVX

}  // namespace opkg

#endif  // OPKG_HVX_SCANS_H_
