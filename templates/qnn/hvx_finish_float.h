// Results of columns of floats from what was found of them.
#ifndef OPKG_HVX_FINISH_FLOAT_H_
#define OPKG_HVX_FINISH_FLOAT_H_

#include "opkg/hvx_columns_float.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg::hvx {

/// A number (of the first pass, then the second one), or a sum divided by the number of elements. `odd`: it becomes a half.
struct FloatResult {
  uint32_t number;
  bool adds;
  bool mean;
  bool odd;
};

/// Makes the results of a call of columns of floats.
template <typename Rows, typename Found>
class FloatFinish {
  static constexpr uint32_t kLanes = Found::kLanes, kWords = kLanes / 32, kParts = Found::kParts;
  static constexpr uint32_t kAll = kParts + (Rows::kAgain ? 2 : 0);
  static constexpr bool kMeans = Rows::kAgain && Again<Rows, true>::kMeans;

 public:
  FloatFinish(const Rows& rows, size_t count) : rows_(rows), count_(count) {}

  /// False: some result was not for vectors.
  bool held() const { return held_; }
  void hold() const { held_ = true; }  ///< they were computed elsewhere

  /// What sums of the second pass are about, in the order of memory.
  OPKG_INLINE void about(const HVX_Vector (&words)[kParts][kWords], HVX_Vector* to) const {
    for (uint32_t k = 0; k < kWords; ++k) {
      if constexpr (kMeans) {
        to[k] = mean(Sum2{words[0][k], words[1][k]}).high;
      } else {
        to[k] = words[Rows::kAbout][k];
      }
    }
  }

  /// Results of n columns but the first `back`, from number `first` on. `again`: what the second pass found.
  OPKG_INLINE void write_all(const HVX_Vector (&words)[kParts][kWords], const HVX_Vector (*again)[kWords], uint8_t* const* out, size_t first,
                             size_t n, size_t back) const {
    HVX_Vector all[kWords][kAll];
    bool plain = true;
    for (uint32_t k = 0; k < kWords && 32 * k < n; ++k) {
      for (uint32_t part = 0; part < kAll; ++part) all[k][part] = part < kParts ? words[part][k] : again[part - kParts][k];
      plain = plain && moderate(all[k], n - 32 * k);
      if (kMeans && !holds(fits(all[k][0]), n - 32 * k)) held_ = false;  // its mean has lost digits
    }
    if constexpr (Rows::kDirect || Rows::kMade != 0) {
      if (plain && each_output(all, out, first, n, back, typename Rows::Outputs())) return;
    }
    one_by_one(all, out, first, n, back);
  }

  /// Joins the words of columns that stand side by side for each of `width`.
  template <typename From, size_t kRoom>
  static void fold(int32_t (*kept)[kRoom], size_t pieces, size_t width) {
    for (; pieces > 1; pieces = (pieces + 1) / 2) {
      const size_t from = (pieces + 1) / 2, n = (pieces - from) * width;
      for (size_t i = 0; i < n; i += 32) {
        const HVX_VectorPred live = Q6_Q_vsetq2_R(static_cast<int32_t>(n - i < 32 ? (n - i) * sizeof(int32_t) : kBytes));
        HVX_Vector to[From::kParts], other[From::kParts];
        for (uint32_t part = 0; part < From::kParts; ++part) {
          to[part] = load(kept[part] + i);
          other[part] = load_unaligned(kept[part] + from * width + i);
        }
        From::joined(to, other);
        for (uint32_t part = 0; part < From::kParts; ++part) {
          store(kept[part] + i, Q6_V_vmux_QVV(live, to[part], load(kept[part] + i)));
        }
      }
    }
  }

  /// The same of several panels, one after another, whose lanes have numbers in `places`: the first columns of each are what was found.
  template <typename From, size_t kRoom>
  static void fold_panels(int32_t (*kept)[kRoom], const int32_t* places, size_t panels, size_t pieces, size_t width) {
    const size_t n = panels * pieces * width;
    for (size_t left = pieces; left > 1; left = (left + 1) / 2) {
      const size_t from = (left + 1) / 2 * width;
      const HVX_Vector end = splat_w(static_cast<uint32_t>(left * width - from));
      for (size_t i = 0; i < n; i += 32) {
        const HVX_VectorPred live = Q6_Q_vcmp_gt_VwVw(end, load(places + i));
        HVX_Vector to[From::kParts], other[From::kParts];
        for (uint32_t part = 0; part < From::kParts; ++part) {
          to[part] = load(kept[part] + i);
          other[part] = load_unaligned(kept[part] + from + i);
        }
        From::joined(to, other);
        for (uint32_t part = 0; part < From::kParts; ++part) store(kept[part] + i, Q6_V_vmux_QVV(live, to[part], load(kept[part] + i)));
      }
    }
  }

 private:
  /// A sum divided by the number of elements.
  OPKG_INLINE Sum2 mean(Sum2 sum) const {
    const float n = static_cast<float>(count_), share = 1.0f / n;
    const HVX_Vector by = splat_sf(n), inverse = splat_sf(share);
    Sum2 found;
    found.high = mul_sf(sum.high, inverse);
    const Sum2 product = product_of(found.high, by);
    found.low = mul_sf(add_sf(sub_sf(sub_sf(sum.high, product.high), product.low), sum.low), inverse);
    found.settle();
    return found;
  }

  /// Whether sums are 0 or 2^-60 to 2^100, so that products lose nothing, and no number is missing.
  OPKG_INLINE bool moderate(const HVX_Vector* numbers, size_t n) const {
    HVX_VectorPred ok = Q6_Q_vsetq2_R(kBytes);
    for (const FloatResult& result : Rows::kFloats) {
      if (result.adds) ok = Q6_Q_and_QQ(ok, fits(numbers[result.number]));
    }
    return holds(ok, n);
  }

  static OPKG_INLINE bool holds(HVX_VectorPred q, size_t n) {
    return !any(Q6_Q_and_QQn(Q6_Q_vsetq2_R(static_cast<int32_t>(n < 32 ? 4 * n : kBytes)), q));
  }

  static OPKG_INLINE HVX_VectorPred fits(HVX_Vector sum) {
    const HVX_Vector size = magnitude_sf(sum);
    const HVX_VectorPred not_small = Q6_Q_vcmp_gt_VwVw(size, splat_w(0x21800000u)), not_large = Q6_Q_vcmp_gt_VwVw(splat_w(0x71800000u), size);
    return Q6_Q_or_QQ(Q6_Q_and_QQ(not_small, not_large), Q6_Q_vcmp_eq_VwVw(size, Q6_V_vzero()));
  }

  /// All results. False: those that are made may be no numbers.
  template <typename... T>
  OPKG_INLINE bool each_output(const HVX_Vector (&all)[kWords][kAll], uint8_t* const* out, size_t first, size_t n, size_t back, Types<T...>) const {
    HVX_Vector results[sizeof...(T)][kWords];
    uint32_t i = 0;
    if constexpr (Rows::kDirect) {
      for (const FloatResult& result : Rows::kFloats) found(all, result, results[i++]);
    } else if (!make(all, n, results)) {
      return false;
    }
    i = 0;
    ((write_floats(reinterpret_cast<T*>(out[i]) + first, results[i], n, back), ++i), ...);
    return true;
  }

  /// A sum, mean or extreme of all columns.
  OPKG_INLINE void found(const HVX_Vector (&all)[kWords][kAll], const FloatResult& result, HVX_Vector* values) const {
    for (uint32_t k = 0; k < kWords; ++k) {
      values[k] = all[k][result.number];
      if (!result.adds) continue;
      Sum2 sum{values[k], all[k][result.number + 1]};
      sum.settle();
      if (result.mean) sum = mean(sum);
      values[k] = result.odd ? sum.odd() : sum.high;
    }
  }

  /// What the struct makes of them. False: some are not finite, or divide and are far from 1.
  OPKG_INLINE bool make(const HVX_Vector (&all)[kWords][kAll], size_t n, HVX_Vector (*results)[kWords]) const {
    constexpr uint32_t kFloats = sizeof(Rows::kFloats) / sizeof(FloatResult);
    HVX_Vector leaves[kFloats][kWords];
    for (uint32_t i = 0; i < kFloats; ++i) found(all, Rows::kFloats[i], leaves[i]);
    bool ok = true;
    for (uint32_t k = 0; k < kWords && 32 * k < n; ++k) {
      HVX_Vector in[kFloats], made[Rows::kMade];
      for (uint32_t i = 0; i < kFloats; ++i) in[i] = leaves[i][k];
      rows_.numbers(in, made);
      HVX_VectorPred good = Q6_Q_vsetq2_R(kBytes);
      for (uint32_t i = 0; i < Rows::kMade; ++i) {
        const bool divides = (Rows::kInverses >> i & 1) != 0;
        const HVX_Vector size = magnitude_sf(results[i][k] = made[i]);
        good = Q6_Q_and_QQ(good, Q6_Q_vcmp_gt_VwVw(splat_w(divides ? 0x71800000u : kInfinity), size));  // 2^100
        if (divides) good = Q6_Q_and_QQ(good, Q6_Q_vcmp_gt_VwVw(size, splat_w(0x0d800000u)));           // 2^-100
      }
      ok = ok && holds(good, n - 32 * k);
    }
    return ok;
  }

  template <typename T>
  OPKG_INLINE void write_floats(T* to, const HVX_Vector (&values)[kWords], size_t n, size_t back) const {
    if constexpr (sizeof(T) == 4) {
      store_columns(to, values, n, back);
    } else {
      HVX_Vector halves[(kWords + 1) / 2];
      const HVX_VectorPair apart = Q6_W_vdeal_VVR(values[kWords - 1], values[0], -4);
      halves[0] = hf_from_sf(Q6_V_hi_W(apart), Q6_V_lo_W(apart));
      store_columns(to, halves, n, back);
    }
  }

  OPKG_APART void one_by_one(const HVX_Vector (&all)[kWords][kAll], uint8_t* const* out, size_t first, size_t n, size_t back) const {
    alignas(128) float kept[kWords][kAll][32];
    memcpy(kept, all, sizeof kept);
    for (size_t i = back; i < n; ++i) {
      double numbers[kAll];
      for (uint32_t part = 0; part < kAll; ++part) numbers[part] = static_cast<double>(kept[i / 32][part][i % 32]);
      if (!rows_.column(numbers, count_, out, first + i - back)) held_ = false;
    }
  }

  const Rows& rows_;
  size_t count_;
  mutable bool held_ = true;
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX && OPKG_HVX_FLOAT
#endif  // OPKG_HVX_FINISH_FLOAT_H_
