// Running sums of floats with twice the digits of single precision. C++17.
#ifndef OPKG_HVX_FLOAT_SCANS_H_
#define OPKG_HVX_FLOAT_SCANS_H_

#include "opkg/hvx_columns_float.h"
#include "opkg/hvx_scans.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg::hvx {

/// A sum that was infinite or NaN once stays so, whatever is lost of it then.
OPKG_INLINE HVX_Vector infinite_or(HVX_Vector sum, HVX_Vector value) {
  return Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(magnitude_sf(sum), splat_w(kInfinity - 1)), sum, value);
}

/// The nearest float.
OPKG_INLINE HVX_Vector nearest_sf(const Sum2& sum) { return infinite_or(sum.high, add_sf(sum.high, sum.low)); }

/// A float whose nearest half is that of the sum: what is between two floats becomes the odd one.
OPKG_INLINE HVX_Vector odd_sf(Sum2 sum) {
  const HVX_Vector first = sum.high;
  sum.settle();
  const HVX_Vector one = Q6_V_vsplat_R(1), side = Q6_V_vor_VV(Q6_Vw_vasr_VwR(Q6_V_vxor_VV(sum.high, sum.low), 31), one);
  const HVX_VectorPred whole = Q6_Q_vcmp_eq_VwVw(magnitude_sf(sum.low), Q6_V_vzero());
  const HVX_VectorPred odd = Q6_Q_vcmp_eq_VwVw(Q6_V_vand_VV(sum.high, one), one);
  return infinite_or(first, Q6_Vw_condnac_QVwVw(Q6_Q_or_QQ(whole, odd), Q6_Vw_vadd_VwVw(sum.high, side), side));
}

/// As IntegerScan, of floats or (uint16_t) halves: sums are those of single precision with twice its digits.
template <typename T>
class FloatScan {
  static constexpr uint32_t kGroups = 4 / sizeof(T);

 public:
  static constexpr uint32_t kSize = sizeof(T), kLanes = kBytes / kSize;

  OPKG_SMALL FloatScan(const ScanNumbers& numbers, size_t count) : short_(count, false), exclusive_(numbers.exclusive), reverse_(numbers.reverse) {}

  static constexpr bool taken() { return true; }

  template <bool kWhole>
  OPKG_INLINE void columns(const uint8_t* at, uint8_t* to, size_t stride, size_t count, size_t bytes) const {
    Sums sums, all;
    for (size_t i = 0; reverse_ && i < count; ++i) all.add(Elements(got<kWhole>(at + i * stride, bytes)));
    for (size_t i = 0; i < count; ++i, at += stride, to += stride) {
      const Elements x(got<kWhole>(at, bytes));
      sums.add(x);
      put<kWhole>(to, bytes, stored(sums, all, x));
    }
  }

  OPKG_INLINE void row(const uint8_t* at, uint8_t* to, size_t count) const {
    Sum2 before;
    Sums all;
    if (reverse_) all = total(at, count);
    for (; count >= kLanes; count -= kLanes, at += kBytes, to += kBytes) store_unaligned(to, along(load_unaligned(at), before, all));
    if (count != 0) store_some(to, count * kSize, along(load_some(at, count * kSize), before, all));
  }

  /// From the end sums are made of those of whole rows.
  size_t rows_at_once() const { return reverse_ ? 0 : short_.rows(); }
  OPKG_INLINE HVX_Vector short_ones(HVX_Vector v) const {
    const Elements x(v);
    Sums sums;
    for (uint32_t i = 0; i < kGroups; ++i) sums.of[i].high = x.of[i];
    const auto moves = [](const Sum2& sum, const auto& each) OPKG_INLINE_LAMBDA { return moved(sum, each); };
    short_.scan(sums.of, moves, [](Sum2& a, const Sum2& b) OPKG_INLINE_LAMBDA { a.join(b); });
    return stored(sums, Sums(), x);
  }

 private:
  /// Of halves those at even places first.
  struct Elements {
    HVX_Vector of[kGroups];
    OPKG_INLINE explicit Elements(HVX_Vector v) { floats_of<T>(v, of); }
  };
  struct Sums {
    Sum2 of[kGroups];
    OPKG_INLINE void add(const Elements& x) {
      for (uint32_t i = 0; i < kGroups; ++i) of[i].add(x.of[i]);
    }
  };

  template <typename Each>
  static OPKG_INLINE Sum2 moved(const Sum2& sum, const Each& each) {
    Sum2 made;
    made.high = each(sum.high), made.low = each(sum.low);
    return made;
  }

  /// Results of sums up to elements and of all of them.
  OPKG_INLINE HVX_Vector stored(const Sums& sums, const Sums& all, const Elements& x) const {
    HVX_Vector results[kGroups];
    for (uint32_t i = 0; i < kGroups; ++i) {
      Sum2 sum = sums.of[i];
      if (reverse_) {
        sum = all.of[i];
        sum.join(moved(sums.of[i], neg_sf));
      }
      if (exclusive_ != reverse_) sum.add(reverse_ ? x.of[i] : neg_sf(x.of[i]));
      results[i] = kGroups == 2 ? odd_sf(sum) : nearest_sf(sum);
    }
    if constexpr (kGroups == 2) return hf_from_sf(results[1], results[0]);
    return results[0];
  }

  OPKG_INLINE HVX_Vector along(HVX_Vector v, Sum2& before, const Sums& all) const {
    const Elements x(v);
    Sum2 here;
    here.high = x.of[0];
    if constexpr (kGroups == 2) here.add(x.of[1]);
    for (int32_t at = 4; at < static_cast<int32_t>(kBytes); at *= 2) here.join(earlier(here, at));
    Sums sums;
    if constexpr (kGroups == 2) {
      sums.of[0] = before;
      sums.of[0].join(earlier(here, 4));
      sums.of[0].add(x.of[0]);
    }
    sums.of[kGroups - 1] = before;
    sums.of[kGroups - 1].join(here);
    before = moved(sums.of[kGroups - 1], last_lane<4>);
    return stored(sums, all, x);
  }
  static OPKG_INLINE Sum2 earlier(const Sum2& sum, int32_t at) {
    return moved(sum, [&](HVX_Vector v) OPKG_INLINE_LAMBDA { return Q6_V_vlalign_VVR(v, Q6_V_vzero(), at); });
  }

  /// The sum of a row, in all lanes.
  OPKG_INLINE Sums total(const uint8_t* at, size_t count) const {
    Sums sums;
    for (; count >= kLanes; count -= kLanes, at += kBytes) sums.add(Elements(load_unaligned(at)));
    if (count != 0) {
      const HVX_VectorPred live = Q6_Q_vsetq_R(static_cast<int32_t>(count * kSize));
      sums.add(Elements(Q6_V_vmux_QVV(live, load_some(at, count * kSize), Q6_V_vzero())));
    }
    if constexpr (kGroups == 2) sums.of[0].join(sums.of[1]);
    for (int32_t by = 4; by < static_cast<int32_t>(kBytes); by *= 2) {
      sums.of[0].join(moved(sums.of[0], [&](HVX_Vector v) OPKG_INLINE_LAMBDA { return Q6_V_vror_VR(v, by); }));
    }
    for (uint32_t i = 1; i < kGroups; ++i) sums.of[i] = sums.of[0];
    return sums;
  }

  ShortRows<kSize, kGroups> short_;
  bool exclusive_, reverse_;
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX && OPKG_HVX_FLOAT
#endif  // OPKG_HVX_FLOAT_SCANS_H_
