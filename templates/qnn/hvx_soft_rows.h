// Softmax of up to 32 rows at a time in fixed point: of 16 bits, of what a mask chooses of them, and of sums of two tensors. C++17.
//
// Elements are halves without sign, turned over where the smallest one counts. Exponentials are words in units of 2^-30; that of
// the row's largest element is 1. A sum of n of them is within n / 2 units; results are within a quarter of a step of what it says.
#ifndef OPKG_HVX_SOFT_ROWS_H_
#define OPKG_HVX_SOFT_ROWS_H_

#include "opkg/hvx_exponential.h"
#include "opkg/hvx_numbers.h"
#include "opkg/hvx_soft_in.h"
#include "opkg/hvx_units.h"

namespace opkg::hvx {

/// Numbers of a call.
class SoftNumbers {
 public:
  /// `steps`: of the result, in 1; `zero`: its zero point.
  OPKG_SMALL void set_result(double steps, int32_t zero) { steps_ = Number(steps), zero_ = zero; }
  /// exp(factor * x) of the largest elements; of the smallest ones (`turned`) exp(-factor * x).
  OPKG_SMALL void set(double factor, bool turned) { ok_ = values_.set(factor), turned_[0] = turned ? -1 : 0; }
  /// exp() of the sum of two tensors, each in steps times a factor. `most`: the largest number of steps, of either.
  OPKG_SMALL void set_sum(double first, double second, double most) {
    constexpr double kNothing = 40.0;  // powers of two, below which exp() is nothing beside 1
    const double factors[] = {first * 1.4426950408889634, second * 1.4426950408889634};
    far_ = std::fabs(factors[0]) > std::fabs(factors[1]) ? 0 : 1;
    for (uint32_t i = 0; i < 2; ++i) turned_[i] = factors[i] < 0.0 ? -1 : 0;
    const double near = std::fabs(factors[1 - far_]), reach = near * most, limit = reach + kNothing;
    const double step = std::fmin(std::fabs(factors[far_]), limit), count = std::fmin(most, std::ceil(limit / std::fmax(step, 1e-9)));
    int size = 0;
    (void)std::frexp(reach + step * count + 1.0, &size);
    ok_ = std::isfinite(first) && std::isfinite(second) && size <= 10;
    if (!ok_) return;
    point_ = 30 - size;
    steps_of_[0] = Multiple(step, count, point_), steps_of_[1] = Multiple(near, most, point_);
  }

#if OPKG_HVX
  bool ok() const { return ok_; }
  uint32_t far() const { return far_; }  ///< which tensor of two reaches farther
  int32_t point() const { return point_; }
  const Exponential& values() const { return values_; }
  const Multiple& steps_of_far() const { return steps_of_[0]; }
  const Multiple& steps_of_near() const { return steps_of_[1]; }
  const Number& steps() const { return steps_; }
  int32_t zero() const { return zero_; }
  /// What makes numbers without sign of those of an input, which the largest one counts of.
  template <typename T>
  OPKG_INLINE HVX_Vector turn(uint32_t input) const {
    constexpr int32_t kSign = std::is_signed_v<T> ? (sizeof(T) == 1 ? INT32_C(-0x7f7f7f80) : INT32_C(-0x7fff8000)) : 0;
    return Q6_V_vsplat_R(turned_[input] ^ kSign);
  }
#endif

 private:
  Exponential values_;
  Multiple steps_of_[2];
  Number steps_;
  int32_t zero_ = 0, point_ = 0;
  int32_t turned_[2] = {};
  uint32_t far_ = 0;
  bool ok_ = false;
};

#if OPKG_HVX

/// Words of all elements of some rows, kept from one pass to the next, and what sums of them are.
template <bool kOne, uint32_t kHalves>
class SoftKept {
 public:
  static constexpr size_t kVectors = 64 / kHalves;  ///< of all rows together, if they have more than one each

  OPKG_INLINE explicit SoftKept(const Slots& slots) : vectors_(slots.vectors()) {}
  OPKG_INLINE HVX_VectorPair* at(size_t unit, size_t i) { return held_ + (kOne ? unit : unit * vectors_ + i) * kHalves; }

 private:
  size_t vectors_;
  HVX_VectorPair held_[kOne ? 32 * kHalves : 64];
};

/// Sums of exponentials of a unit, of their lower and of their upper halves.
class SoftSums {
 public:
  template <uint32_t kHalves>
  OPKG_INLINE void add(const HVX_VectorPair (&values)[kHalves]) {
    HVX_Vector low[2] = {}, high[2] = {};
    low[1] = high[1] = Q6_V_vzero();
    for (uint32_t k = 0; k < kHalves; ++k) {
      const HVX_Vector even = Q6_V_lo_W(values[k]), odd = Q6_V_hi_W(values[k]);
      low[k] = Q6_Vh_vshuffe_VhVh(odd, even), high[k] = Q6_Vh_vshuffo_VhVh(odd, even);
    }
    low_ = Q6_Ww_vaddacc_WwVuhVuh(low_, low[0], low[1]), high_ = Q6_Ww_vaddacc_WwVuhVuh(high_, high[0], high[1]);
  }
  HVX_VectorPair low() const { return low_; }
  HVX_VectorPair high() const { return high_; }

 private:
  HVX_VectorPair low_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero()), high_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
};

/// What exponentials of rows are multiplied with, shifted down by, and what is added then; 4 bits behind the point.
struct SoftLines {
  HVX_Vector factor, shift, bias;
  HVX_VectorPred held;

  /// `low`, `high`: sums of rows; `least`: what the upper one is above at least; `or_one`: rows of nothing have n results alike.
  __attribute__((noinline)) SoftLines(const SoftNumbers& soft, const Slots& slots, HVX_Vector low, HVX_Vector high, size_t n, int32_t least, bool or_one) {
    constexpr int32_t kPoint = 4, kMost = 30;
    const Numbers sum = Numbers(high, Q6_V_vsplat_R(16)) + Numbers(plus(low, static_cast<int32_t>(n / 2)));
    const Numbers by = inverse(sum) * Numbers(soft.steps());
    const HVX_Vector zero = Q6_V_vzero(), whole = from(-31 - kPoint, by.exponent);
    const HVX_Vector over = at_most(at_least(plus(whole, -kMost), 0), 31);
    factor = Q6_Vw_vasr_VwVw(by.mantissa, over);
    shift = at_most(at_least(whole, 0), kMost);
    held = Q6_Q_and_QQ(Q6_Q_vcmp_gt_VwVw(whole, Q6_V_vsplat_R(-1)), Q6_Q_vcmp_gt_VwVw(high, Q6_V_vsplat_R(least)));
    bias = Q6_V_vsplat_R(soft.zero() << kPoint);
    if (!or_one) return;
    const HVX_VectorPred none = Q6_Q_vcmp_eq_VwVw(high, zero);
    const HVX_Vector share = at_most((Numbers(slots.share()) * Numbers(soft.steps())).whole(Q6_V_vsplat_R(kPoint)), 1 << 20);
    factor = Q6_V_vmux_QVV(none, zero, factor), shift = Q6_V_vmux_QVV(none, zero, shift);
    bias = Q6_Vw_vadd_VwVw(bias, Q6_V_vmux_QVV(none, share, zero));
    held = Q6_Q_or_QQ(held, none);
  }
};

/// Results of 8 or 16 bits.
template <bool kOne, typename T, uint32_t kHalves>
class SoftOut {
 public:
  OPKG_INLINE SoftOut(const Slots& slots, void* data) : out_(slots, data) {}

  template <typename Lanes>
  OPKG_INLINE void put(const Lanes& lanes, size_t unit, size_t i, const HVX_Vector (&v)[kHalves]) const {
    if constexpr (kHalves == 1) out_.put(lanes, unit, i, v[0]);
    if constexpr (kHalves == 2 && sizeof(T) == 1) out_.put(lanes, unit, i, std::is_signed_v<T> ? Q6_Vb_vasr_VhVhR_rnd_sat(v[1], v[0], 4) : Q6_Vub_vasr_VhVhR_rnd_sat(v[1], v[0], 4));
    if constexpr (kHalves == 2 && sizeof(T) == 2) {
      const HVX_VectorPair both = Q6_W_vshuff_VVR(v[1], v[0], -2);
      out_.put(lanes, unit, i, 0, Q6_V_lo_W(both)), out_.put(lanes, unit, i, 1, Q6_V_hi_W(both));
    }
  }
  /// Words with 4 bits behind the point as halves: of bytes with these bits.
  static OPKG_INLINE HVX_Vector halves(HVX_Vector odd, HVX_Vector even) {
    if constexpr (sizeof(T) == 1) return Q6_Vh_vasr_VwVwR_sat(odd, even, 0);
    return std::is_signed_v<T> ? Q6_Vh_vasr_VwVwR_rnd_sat(odd, even, 4) : Q6_Vuh_vasr_VwVwR_rnd_sat(odd, even, 4);
  }
  OPKG_INLINE void finish(const Slots& slots) const { out_.finish(slots); }

 private:
  SlotsOut<kOne, sizeof(T) * kHalves / 2 == 0 ? 1 : sizeof(T) * kHalves / 2> out_;
};

/// The last pass: exponentials over their sums.
template <bool kOne, typename T, uint32_t kHalves>
OPKG_INLINE void soft_results(const Slots& slots, const LiveLanes& last, SoftKept<kOne, kHalves>& kept, const SoftLines& lines, void* y) {
  const SoftOut<kOne, T, kHalves> out(slots, y);
  const Spread32<true> factors(slots, lines.factor), shifts(slots, lines.shift), biases(slots, lines.bias);
  OPKG_UNROLL(1)
  for (size_t unit = 0; unit < slots.units(); ++unit) {
    const HVX_Vector factor = factors.at(unit), shift = shifts.at(unit), bias = biases.at(unit);
    const auto line = [&](HVX_Vector x) OPKG_INLINE_LAMBDA { return Q6_Vw_vadd_VwVw(Q6_Vw_vasr_VwVw(product31(x, factor), shift), bias); };
    each_vector<kOne, 1>(slots, last, [&](const auto& lanes, size_t i) OPKG_INLINE_LAMBDA {
      const HVX_VectorPair* const values = kept.at(unit, i);
      HVX_Vector found[kHalves];
      for (uint32_t k = 0; k < kHalves; ++k) found[k] = out.halves(line(Q6_V_hi_W(values[k])), line(Q6_V_lo_W(values[k])));
      out.put(lanes, unit, i, found);
    });
  }
  out.finish(slots);
}

/// Puts exponentials of a pass in their places and sums them up: `turn(lanes, unit, i, values)` makes those of a vector, from what is kept
/// in their place; those of lanes without elements, or that are not chosen, are left out. Then makes the results.
template <bool kOne, typename T, uint32_t kHalves, typename Chosen, typename Begin, typename Turn>
OPKG_INLINE bool soft_sums(const SoftNumbers& soft, const Slots& slots, const LiveLanes& last, SoftKept<kOne, kHalves>& kept, const Chosen& chosen, void* y, size_t n, const Begin& begin, const Turn& turn) {
  Units<SumOf> lows, highs;
  OPKG_UNROLL(1)
  for (size_t unit = 0; unit < slots.units(); ++unit) {
    const HVX_Vector of_unit = begin(unit);
    SoftSums sums;
    each_vector<kOne, 1>(slots, last, [&](const auto& lanes, size_t i) OPKG_INLINE_LAMBDA {
      HVX_VectorPair* const to = kept.at(unit, i);
      HVX_VectorPair values[kHalves];
      turn(of_unit, lanes, unit, i, to, values);
      if (Chosen::kSome || !lanes.whole()) {
        HVX_Vector live[kHalves];
        chosen.get(lanes, unit, i, live);
        for (uint32_t k = 0; k < kHalves; ++k) {
          const HVX_VectorPair words = Q6_Ww_vsxt_Vh(live[k]);
          values[k] = Q6_W_vcombine_VV(Q6_V_vand_VV(Q6_V_hi_W(values[k]), Q6_V_hi_W(words)), Q6_V_vand_VV(Q6_V_lo_W(values[k]), Q6_V_lo_W(words)));
        }
      }
      for (uint32_t k = 0; k < kHalves; ++k) to[k] = values[k];
      sums.add(values);
    });
    lows.put(unit, sums.low()), highs.put(unit, sums.high());
  }
  const HVX_Vector low = lows.rows(slots), high = highs.rows(slots);
  const SoftLines lines(soft, slots, low, high, n, Chosen::kOfAll ? static_cast<int32_t>(n) << 3 : 0, Chosen::kSome && !Chosen::kOfAll);
  if (!for_all(slots, lines.held)) return false;
  soft_results<kOne, T>(slots, last, kept, lines, y);
  return true;
}

/// Rows of the exponentials of elements of T, results of Y. False: row by row.
template <bool kOne, typename T, typename Y, uint32_t kHalves, typename Chosen>
__attribute__((noinline)) bool soft_rows(const SoftNumbers& soft, const Slots& slots, const void* const* in, void* y, size_t n) {
  if (!soft.ok()) return false;
  const HalvesIn<kOne, T, kHalves> x_in(slots, in[0], soft.template turn<T>(0));
  const Chosen chosen(slots, in);
  SoftKept<kOne, kHalves> kept(slots);
  const LiveLanes last(slots);
  Units<LargestOf<uint16_t>> most;
  OPKG_UNROLL(1)
  for (size_t unit = 0; unit < slots.units(); ++unit) {
    HVX_Vector largest = Q6_V_vzero();
    each_vector<kOne, 1>(slots, last, [&](const auto& lanes, size_t i) OPKG_INLINE_LAMBDA {
      HVX_Vector x[kHalves], live[kHalves];
      x_in.get(lanes, unit, i, x);
      if (!Chosen::kOfAll) chosen.get(lanes, unit, i, live);
      for (uint32_t k = 0; k < kHalves; ++k) {
        largest = Q6_Vuh_vmax_VuhVuh(largest, Chosen::kOfAll ? live_halves<kHalves>(lanes, x[k], Q6_V_vzero(), k) : Q6_V_vand_VV(x[k], live[k]));
      }
    });
    most.put(unit, largest);
  }
  const Spread32<true> all_most(slots, word::in_both_halves(most.rows(slots)));
  const Exponential values = soft.values();
  return soft_sums<kOne, Y, kHalves>(
      soft, slots, last, kept, chosen, y, n, [&](size_t unit) OPKG_INLINE_LAMBDA { return all_most.at(unit); },
      [&](HVX_Vector largest, const auto& lanes, size_t unit, size_t i, const HVX_VectorPair*, HVX_VectorPair(&to)[kHalves]) OPKG_INLINE_LAMBDA {
        HVX_Vector x[kHalves];
        x_in.get(lanes, unit, i, x);
        for (uint32_t k = 0; k < kHalves; ++k) to[k] = values.of(Q6_Vh_vsub_VhVh(largest, x[k]));
      });
}

/// Rows of the exponentials of sums of two tensors of T. The largest number of the tensor that reaches farther (a mask) is taken off first:
/// what lies so far below that the other one cannot reach it is limited.
template <bool kOne, typename T, typename Y, uint32_t kHalves>
__attribute__((noinline)) bool soft_sum_rows(const SoftNumbers& soft, const Slots& slots, const void* const* in, void* y, size_t n) {
  if (!soft.ok()) return false;
  const uint32_t far = soft.far(), near = 1 - far;
  const HalvesIn<kOne, T, kHalves> far_in(slots, in[far], soft.template turn<T>(far), slots.same(far)), near_in(slots, in[near], soft.template turn<T>(near), slots.same(near));
  const AllOf<kOne, kHalves> all(slots, in);
  SoftKept<kOne, kHalves> kept(slots);
  const LiveLanes last(slots);
  Units<LargestOf<uint16_t>> most;
  OPKG_UNROLL(1)
  for (size_t unit = 0; unit < slots.units(); ++unit) {
    HVX_Vector largest = Q6_V_vzero();
    each_vector<kOne, 1>(slots, last, [&](const auto& lanes, size_t i) OPKG_INLINE_LAMBDA {
      HVX_Vector x[kHalves];
      far_in.get(lanes, unit, i, x);
      for (uint32_t k = 0; k < kHalves; ++k) largest = Q6_Vuh_vmax_VuhVuh(largest, live_halves<kHalves>(lanes, x[k], Q6_V_vzero(), k));
    });
    most.put(unit, largest);
  }
  const Spread32<true> all_most(slots, word::in_both_halves(most.rows(slots)));
  const Multiple steps_of_far = soft.steps_of_far(), steps_of_near = soft.steps_of_near();
  Units<LargestOf<int32_t>> tops;
  OPKG_UNROLL(1)
  for (size_t unit = 0; unit < slots.units(); ++unit) {
    const HVX_Vector largest = all_most.at(unit), least = Q6_V_vsplat_R(INT32_MIN);
    HVX_Vector top = least;
    each_vector<kOne, 1>(slots, last, [&](const auto& lanes, size_t i) OPKG_INLINE_LAMBDA {
      HVX_VectorPair* const to = kept.at(unit, i);
      HVX_Vector x[kHalves], z[kHalves], live[kHalves];
      far_in.get(lanes, unit, i, x), near_in.get(lanes, unit, i, z);
      all.get(lanes, unit, i, live);
      for (uint32_t k = 0; k < kHalves; ++k) {
        const HVX_VectorPair sums = Q6_Ww_vsub_WwWw(steps_of_near.of(z[k]), steps_of_far.of(Q6_Vh_vsub_VhVh(largest, x[k])));
        const HVX_VectorPair words = Q6_Ww_vsxt_Vh(live[k]);
        const auto found = [&](HVX_Vector v, HVX_Vector is) OPKG_INLINE_LAMBDA { return Q6_V_vmux_QVV(Q6_Q_vand_VR(is, -1), v, least); };
        top = lanes.whole() ? Q6_Vw_vmax_VwVw(top, Q6_Vw_vmax_VwVw(Q6_V_hi_W(sums), Q6_V_lo_W(sums)))
                            : Q6_Vw_vmax_VwVw(top, Q6_Vw_vmax_VwVw(found(Q6_V_hi_W(sums), Q6_V_hi_W(words)), found(Q6_V_lo_W(sums), Q6_V_lo_W(words))));
        to[k] = sums;
      }
    });
    tops.put(unit, top);
  }
  const Spread32<true> all_tops(slots, tops.rows(slots));
  const int32_t point = soft.point();
  return soft_sums<kOne, Y, kHalves>(
      soft, slots, last, kept, all, y, n, [&](size_t unit) OPKG_INLINE_LAMBDA { return all_tops.at(unit); },
      [&](HVX_Vector top, const auto&, size_t, size_t, const HVX_VectorPair* from, HVX_VectorPair(&to)[kHalves]) OPKG_INLINE_LAMBDA {
        for (uint32_t k = 0; k < kHalves; ++k) to[k] = power_of(Q6_Ww_vsub_WwWw(Q6_W_vcombine_VV(top, top), from[k]), point);
      });
}

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_SOFT_ROWS_H_
