// Running sums of 32-bit integers, which are exact in 64 bits and saturated as results. C++17.
#ifndef OPKG_HVX_WORD_SCANS_H_
#define OPKG_HVX_WORD_SCANS_H_

#include "opkg/hvx_scans.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Numbers of 64 bits.
struct LongSum {
  HVX_Vector low = Q6_V_vzero(), high = Q6_V_vzero();

  static OPKG_INLINE LongSum of(HVX_Vector words) {
    LongSum made;
    made.low = words, made.high = Q6_Vw_vasr_VwR(words, 31);
    return made;
  }
  /// What `each` makes of both parts.
  template <typename Each>
  OPKG_INLINE LongSum moved(const Each& each) const {
    LongSum made;
    made.low = each(low), made.high = each(high);
    return made;
  }
  OPKG_INLINE void add(const LongSum& other) {
    HVX_VectorPred carry = Q6_Q_vsetq_R(0);
    low = Q6_Vw_vadd_VwVwQ_carry(low, other.low, &carry);
    high = Q6_Vw_vadd_VwVwQ_carry(high, other.high, &carry);
  }
  OPKG_INLINE void take(const LongSum& other) {
    HVX_VectorPred kept = Q6_Q_not_Q(Q6_Q_vsetq_R(0));  // set where nothing was borrowed
    low = Q6_Vw_vsub_VwVwQ_carry(low, other.low, &kept);
    high = Q6_Vw_vsub_VwVwQ_carry(high, other.high, &kept);
  }
  OPKG_INLINE HVX_Vector saturated() const {
    const HVX_VectorPred held = Q6_Q_vcmp_eq_VwVw(high, Q6_Vw_vasr_VwR(low, 31));
    return Q6_V_vmux_QVV(held, low, Q6_V_vxor_VV(Q6_Vw_vasr_VwR(high, 31), Q6_V_vsplat_R(INT32_MAX)));
  }
};

/// As IntegerScan, of int32_t.
class WordScan {
 public:
  static constexpr uint32_t kSize = 4, kLanes = kBytes / kSize;

  OPKG_SMALL WordScan(const ScanNumbers& numbers, size_t count) : short_(count, numbers.reverse), exclusive_(numbers.exclusive), reverse_(numbers.reverse), taken_(count <= INT32_MAX) {}

  bool taken() const { return taken_; }

  template <bool kWhole>
  OPKG_INLINE void columns(const uint8_t* at, uint8_t* to, size_t stride, size_t count, size_t bytes) const {
    const HVX_Vector own = Q6_V_vsplat_R(exclusive_ ? -1 : 0);
    intptr_t step = static_cast<intptr_t>(stride);
    if (reverse_) at += (count - 1) * stride, to += (count - 1) * stride, step = -step;
    LongSum sums;
    for (size_t i = 0; i < count; ++i, at += step, to += step) {
      const HVX_Vector x = got<kWhole>(at, bytes);
      sums.add(LongSum::of(x));
      LongSum now = sums;
      if (exclusive_) now.take(LongSum::of(Q6_V_vand_VV(x, own)));
      put<kWhole>(to, bytes, now.saturated());
    }
  }

  OPKG_INLINE void row(const uint8_t* at, uint8_t* to, size_t count) const {
    LongSum before = reverse_ ? total(at, count) : LongSum();
    const HVX_Vector own = Q6_V_vsplat_R(exclusive_ != reverse_ ? -1 : 0);
    for (; count >= kLanes; count -= kLanes, at += kBytes, to += kBytes) store_unaligned(to, along(load_unaligned(at), own, before));
    if (count != 0) store_some(to, count * kSize, along(load_some(at, count * kSize), own, before));
  }

  size_t rows_at_once() const { return short_.rows(); }
  OPKG_INLINE HVX_Vector short_ones(HVX_Vector x) const {
    LongSum sums[] = {LongSum::of(x)};
    const auto moved = [](const LongSum& sum, const auto& each) OPKG_INLINE_LAMBDA { return sum.moved(each); };
    short_.scan(sums, moved, [](LongSum& a, const LongSum& b) OPKG_INLINE_LAMBDA { a.add(b); });
    sums[0].take(LongSum::of(Q6_V_vand_VV(x, Q6_V_vsplat_R(exclusive_ ? -1 : 0))));
    return sums[0].saturated();
  }

 private:
  OPKG_INLINE HVX_Vector along(HVX_Vector x, HVX_Vector own, LongSum& before) const {
    LongSum here = LongSum::of(x), sums = before;
    for (int32_t at = kSize; at < static_cast<int32_t>(kBytes); at *= 2) {
      here.add(here.moved([&](HVX_Vector v) OPKG_INLINE_LAMBDA { return Q6_V_vlalign_VVR(v, Q6_V_vzero(), at); }));
    }
    const LongSum all = here.moved([](HVX_Vector v) OPKG_INLINE_LAMBDA { return last_lane<4>(v); });
    here.take(LongSum::of(Q6_V_vand_VV(x, own)));
    if (reverse_) {
      sums.take(here), before.take(all);
    } else {
      sums.add(here), before.add(all);
    }
    return sums.saturated();
  }

  OPKG_INLINE LongSum total(const uint8_t* at, size_t count) const {
    LongSum sums;
    for (; count >= kLanes; count -= kLanes, at += kBytes) sums.add(LongSum::of(load_unaligned(at)));
    if (count != 0) {
      const HVX_VectorPred live = Q6_Q_vsetq_R(static_cast<int32_t>(count * kSize));
      sums.add(LongSum::of(Q6_V_vmux_QVV(live, load_some(at, count * kSize), Q6_V_vzero())));
    }
    for (int32_t by = kSize; by < static_cast<int32_t>(kBytes); by *= 2) {
      sums.add(sums.moved([&](HVX_Vector v) OPKG_INLINE_LAMBDA { return Q6_V_vror_VR(v, by); }));
    }
    return sums;
  }

  ShortRows<kSize, 1> short_;
  bool exclusive_, reverse_, taken_;
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_WORD_SCANS_H_
