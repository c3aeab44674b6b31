// Rows of floats in slots (opkg/hvx_slots.h): their sums and extremes, two floats of each row, and results of which rows have one. C++17.
//
// What a loop finds of a unit it finds in single precision, of 64 numbers in a lane at most; lanes are joined with what their
// sum rounds off.
#ifndef OPKG_HVX_SLOT_FLOATS_H_
#define OPKG_HVX_SLOT_FLOATS_H_

#include "opkg/hvx_float_sums.h"
#include "opkg/hvx_units.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg::hvx {

struct LargestFloat {
  static constexpr size_t kLane = 4;
  static OPKG_INLINE HVX_Vector join(HVX_Vector a, HVX_Vector b) { return max_sf(a, b); }
};
struct SmallestFloat {
  static constexpr size_t kLane = 4;
  static OPKG_INLINE HVX_Vector join(HVX_Vector a, HVX_Vector b) { return min_sf(a, b); }
};
struct FloatSums {};
struct FloatMeans {};

template <>
class Units<FloatSums> {
 public:
  OPKG_INLINE void put(size_t unit, HVX_Vector v) { put(unit, Sum2{v}); }
  OPKG_INLINE void put(size_t unit, HVX_Vector even, HVX_Vector odd) {
    Sum2 sum{even};
    sum.add(odd);
    put(unit, sum);
  }

  __attribute__((noinline)) Sum2 rows(const Slots& slots) {
    Sum2 sum = folded(slots);
    sum.settle();
    return sum;
  }

 protected:
  /// A word for each row; what units find that have no rows is not defined.
  __attribute__((noinline)) Sum2 folded(const Slots& slots) {
    size_t units = slots.units();
    OPKG_UNROLL(1)
    for (uint32_t level = 0; level < slots.levels(); ++level, units = (units + 1) / 2) {
      OPKG_UNROLL(1)
      for (size_t i = 0; 2 * i < units; i += 2) {  // two sums at a time, as each takes long
        const Sum2 first = joined(2 * i), second = joined(2 * i + 2);
        high_[i] = first.high, low_[i] = first.low;
        high_[i + 1] = second.high, low_[i + 1] = second.low;
      }
    }
    return {high_[0], low_[0]};
  }

 private:
  OPKG_INLINE void put(size_t unit, const Sum2& sum) { high_[unit] = sum.high, low_[unit] = sum.low; }
  OPKG_INLINE Sum2 joined(size_t unit) const {
    const HVX_VectorPair high = Q6_W_vdeal_VVR(high_[unit + 1], high_[unit], -4), low = Q6_W_vdeal_VVR(low_[unit + 1], low_[unit], -4);
    Sum2 sum{Q6_V_lo_W(high), Q6_V_lo_W(low)};
    sum.join(Sum2{Q6_V_hi_W(high), Q6_V_hi_W(low)});
    return sum;
  }

  HVX_Vector high_[kSlotRows + 2], low_[kSlotRows + 2];
};

/// The sum divided by the number of elements, which a float holds.
template <>
class Units<FloatMeans> : public Units<FloatSums> {
 public:
  __attribute__((noinline)) Sum2 rows(const Slots& slots) {
    const Sum2 sum = folded(slots);
    const HVX_Vector n = splat_sf(static_cast<float>(slots.length())), share = splat_sf(static_cast<float>(slots.share().value));
    Sum2 mean{mul_sf(sum.high, share)};
    const Sum2 product = product_of(mean.high, n);
    mean.low = mul_sf(add_sf(sub_sf(sub_sf(sum.high, product.high), product.low), sum.low), share);
    mean.settle();
    return mean;
  }
};

// Numbers of rows, which are within 2^-44 of themselves if they are 0 or between 2^-100 and 2^100.
inline Sum2 two_of(double value) {
  const float high = static_cast<float>(value);
  return {splat_sf(high), splat_sf(static_cast<float>(value - static_cast<double>(high)))};
}
__attribute__((noinline)) inline Sum2 plus(Sum2 a, const Sum2& b) {
  a.join(b);
  a.settle();
  return a;
}
OPKG_INLINE Sum2 negated(const Sum2& a) { return {Q6_V_vxor_VV(a.high, splat_w(0x80000000u)), Q6_V_vxor_VV(a.low, splat_w(0x80000000u))}; }
OPKG_INLINE Sum2 minus(const Sum2& a, const Sum2& b) { return plus(a, negated(b)); }
OPKG_INLINE Sum2 magnitude(const Sum2& a) {
  const HVX_Vector sign = Q6_V_vand_VV(a.high, splat_w(0x80000000u));
  return {Q6_V_vxor_VV(a.high, sign), Q6_V_vxor_VV(a.low, sign)};
}
/// The larger of two numbers, NaN when one is: what they lack decides between equal rounded ones.
OPKG_INLINE Sum2 larger(const Sum2& a, const Sum2& b) {
  const HVX_Vector high = max_sf(a.high, b.high);
  const HVX_Vector low = Q6_V_vmux_QVV(Q6_Q_vcmp_eq_VwVw(high, b.high), max_sf(a.low, b.low), a.low);
  return {high, Q6_V_vmux_QVV(Q6_Q_vcmp_eq_VwVw(high, a.high), low, b.low)};
}
OPKG_INLINE Sum2 smaller(const Sum2& a, const Sum2& b) { return negated(larger(negated(a), negated(b))); }
__attribute__((noinline)) inline Sum2 times(const Sum2& a, const Sum2& b) {
  Sum2 product = product_of(a.high, b.high);
  product.low = add_sf(product.low, add_sf(mul_sf(a.high, b.low), mul_sf(a.low, b.high)));
  product.settle();
  return product;
}
/// What a product lacks to 1.
OPKG_INLINE HVX_Vector lack(const Sum2& a) { return sub_sf(sub_sf(splat_sf(1.0f), a.high), a.low); }
__attribute__((noinline)) inline Sum2 inverse_of(const Sum2& a) {
  Sum2 found{quotient_sf(splat_sf(1.0f), a.high)};
  found.low = mul_sf(found.high, lack(times(a, found)));
  found.settle();
  return found;
}
OPKG_INLINE Sum2 over(const Sum2& a, const Sum2& b) { return times(a, inverse_of(b)); }
__attribute__((noinline)) inline Sum2 inverse_root(const Sum2& a) {
  Sum2 found{rsqrt_sf(a.high)};
  found.low = mul_sf(mul_sf(found.high, splat_sf(0.5f)), lack(times(times(a, found), found)));
  found.settle();
  return found;
}
OPKG_INLINE Sum2 root(const Sum2& a) {
  const HVX_VectorPred none = Q6_Q_vcmp_eq_VwVw(magnitude_sf(a.high), Q6_V_vzero());
  const Sum2 found = times(a, inverse_root(a));
  return {Q6_V_vmux_QVV(none, a.high, found.high), Q6_V_vmux_QVV(none, a.low, found.low)};
}

/// Whether numbers of all rows are of such a size.
OPKG_INLINE HVX_VectorPred is_moderate(const Sum2& a) {
  const HVX_Vector size = magnitude_sf(a.high);
  const HVX_VectorPred within = Q6_Q_vcmp_gt_VuwVuw(splat_w(0x64000000u), Q6_Vw_vsub_VwVw(size, splat_w(0x0d800000u)));
  return Q6_Q_or_QQ(within, Q6_Q_vcmp_eq_VwVw(size, Q6_V_vzero()));
}
/// 2 atanh(s) + k log(2), where a = m 2^k and s = (m - 1) / (m + 1). NaN unless a is from 2^-100 to 2^100.
__attribute__((noinline)) inline Sum2 logarithm(const Sum2& a) {
  const HVX_Vector zero = Q6_V_vzero(), one = splat_sf(1.0f);
  const HVX_VectorPred known = Q6_Q_and_QQ(is_moderate(a), Q6_Q_vcmp_gt_VwVw(a.high, zero));
  const HVX_Vector places = Q6_Vw_vasr_VwR(Q6_Vw_vsub_VwVw(a.high, splat_w(0x3f3504f3u)), 23);  // m is from the root of 1/2 to that of 2
  const HVX_Vector by = Q6_Vw_vsub_VwVw(one, Q6_Vw_vasl_VwR(places, 23));
  const Sum2 m{mul_sf(a.high, by), mul_sf(a.low, by)}, unit{one};
  const Sum2 s = over(minus(m, unit), plus(m, unit)), square = times(s, s);
  HVX_Vector last = splat_sf(1.0f / 17);
  for (const float term : {1.0f / 15, 1.0f / 13, 1.0f / 11, 1.0f / 9}) last = mul_add_sf(last, square.high, splat_sf(term));
  Sum2 series{last};
  OPKG_UNROLL(1)
  for (const double term : {1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0}) series = plus(times(series, square), two_of(term));
  const Sum2 turns{sf_from_w(places)}, found = plus(times(times(s, series), Sum2{splat_sf(2.0f)}), times(turns, two_of(0.69314718055994530942)));
  return {Q6_V_vmux_QVV(known, found.high, splat_w(kNan)), found.low};
}

template <typename... Numbers>
OPKG_INLINE bool all_moderate(const Slots& slots, const Sum2& first, const Numbers&... others) {
  HVX_VectorPred all = is_moderate(first);
  ((all = Q6_Q_and_QQ(all, is_moderate(others))), ...);
  return for_all(slots, all);
}

/// Stores numbers of rows, one after another: as floats, or as halves.
OPKG_INLINE void put_floats(const Slots& slots, const Sum2& numbers, void* to) { store_some(to, slots.rows() * sizeof(float), numbers.high); }
__attribute__((noinline)) inline void put_halves(const Slots& slots, const Sum2& numbers, void* to) {
  const HVX_Vector words = numbers.odd();
  const HVX_Vector halves = hf_from_sf(words, words);
  store_some(to, slots.rows() * sizeof(uint16_t), Q6_Vh_vpacke_VwVw(halves, halves));
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX && OPKG_HVX_FLOAT
#endif  // OPKG_HVX_SLOT_FLOATS_H_
