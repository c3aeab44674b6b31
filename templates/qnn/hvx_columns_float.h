// What is found of columns of floats: sums of twice the digits, extremes, sums of squares about a mean, and results of them.
//
// A sum is `high + low` in each lane. Rows are added up in single precision in blocks of a 32nd of them, at most 64, as lanes
// of a row are (opkg/hvx_rows.h); blocks are joined with what the sum rounds off. kExact: every row is a block.
#ifndef OPKG_HVX_COLUMNS_FLOAT_H_
#define OPKG_HVX_COLUMNS_FLOAT_H_

#include "opkg/hvx_finish.h"
#include "opkg/hvx_float.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg::hvx {

/// A rounded sum and what it is off.
struct Sum2 {
  HVX_Vector high = Q6_V_vzero(), low = Q6_V_vzero();

  OPKG_INLINE void add(HVX_Vector x) {
    const HVX_Vector sum = add_sf(high, x), part = sub_sf(sum, high);
    low = add_sf(low, add_sf(sub_sf(high, sub_sf(sum, part)), sub_sf(x, part)));
    high = sum;
  }
  OPKG_INLINE void join(const Sum2& other) {
    add(other.high);
    low = add_sf(low, other.low);
  }
  /// `low` becomes less than half a unit of `high`.
  OPKG_INLINE void settle() {
    const HVX_Vector sum = add_sf(high, low);
    low = sub_sf(low, sub_sf(sum, high));
    high = sum;
  }
};

/// The product of floats of moderate size, and what it is off.
OPKG_INLINE Sum2 product_of(HVX_Vector a, HVX_Vector b) {
  const HVX_Vector by = splat_sf(4097.0f), x = mul_sf(a, by), y = mul_sf(b, by);
  const HVX_Vector a1 = sub_sf(x, sub_sf(x, a)), a2 = sub_sf(a, a1), b1 = sub_sf(y, sub_sf(y, b)), b2 = sub_sf(b, b1);
  Sum2 found;
  found.high = mul_sf(a, b);
  const HVX_Vector rest = sub_sf(mul_sf(a1, b1), found.high);
  found.low = add_sf(add_sf(add_sf(rest, mul_sf(a1, b2)), mul_sf(a2, b1)), mul_sf(a2, b2));
  return found;
}

/// Widens the elements of a vector: kGroups vectors of floats, of halves those at even places first.
template <typename T>
OPKG_INLINE void floats_of(HVX_Vector v, HVX_Vector* to) {
  if constexpr (sizeof(T) == 2) {
    const HVX_VectorPair wide = sf_from_hf(v);
    to[0] = Q6_V_lo_W(wide);
    to[1] = Q6_V_hi_W(wide);
  } else {
    to[0] = v;
  }
}

/// Groups in the order of memory.
template <typename T>
OPKG_INLINE void in_order(const HVX_Vector* groups, HVX_Vector* to) {
  if constexpr (sizeof(T) == 2) {
    interleave(groups[0], groups[1], to);
  } else {
    to[0] = groups[0];
  }
}

/// Sums of elements, or of their squares about numbers. T: float, or uint16_t for halves.
template <typename T, bool kExact, bool kSquares>
class FloatTotal {
  static constexpr uint32_t kGroups = 4 / sizeof(T);

 public:
  static constexpr uint32_t kNumbers = 2;
  static constexpr bool kAdds = true;

  /// The numbers, in the order of memory.
  OPKG_INLINE void set(const HVX_Vector* numbers) {
    if constexpr (kGroups == 2) {
      const HVX_VectorPair apart = Q6_W_vdeal_VVR(numbers[1], numbers[0], -4);
      about_[0] = Q6_V_lo_W(apart);
      about_[1] = Q6_V_hi_W(apart);
    } else {
      about_[0] = numbers[0];
    }
  }
  /// The same, of a vector whose lanes are two pixels of 32 columns, which alternate.
  OPKG_INLINE void set_pixels(HVX_Vector numbers) {
    for (uint32_t i = 0; i < kGroups; ++i) about_[i] = numbers;
  }
  OPKG_INLINE void one(HVX_Vector a) { some(a, Q6_Q_vsetq2_R(kBytes)); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) {
    HVX_Vector x[kGroups], y[kGroups];
    values(a, x);
    values(b, y);
    for (uint32_t i = 0; i < kGroups; ++i) {
      if constexpr (kExact) {
        sums_[i].add(x[i]);
        sums_[i].add(y[i]);
      } else {
        block_[i] = add_sf(block_[i], add_sf(x[i], y[i]));
      }
    }
  }
  /// A row of which only some bytes are elements.
  OPKG_INLINE void some(HVX_Vector a, HVX_VectorPred live) {
    HVX_Vector x[kGroups], on[kGroups];
    values(a, x);
    if constexpr (kGroups == 2) {
      const HVX_VectorPair lanes = Q6_Ww_vunpack_Vh(Q6_V_vand_QR(live, -1));
      const HVX_VectorPair apart = Q6_W_vdeal_VVR(Q6_V_hi_W(lanes), Q6_V_lo_W(lanes), -4);
      on[0] = Q6_V_lo_W(apart);
      on[1] = Q6_V_hi_W(apart);
    } else {
      on[0] = Q6_V_vand_QR(live, -1);
    }
    for (uint32_t i = 0; i < kGroups; ++i) {
      const HVX_Vector value = Q6_V_vand_VV(x[i], on[i]);
      if constexpr (kExact) {
        sums_[i].add(value);
      } else {
        block_[i] = add_sf(block_[i], value);
      }
    }
  }
  OPKG_INLINE void empty() {
    if constexpr (!kExact) {
      for (uint32_t i = 0; i < kGroups; ++i) {
        sums_[i].add(block_[i]);
        block_[i] = Q6_V_vzero();
      }
    }
  }
  OPKG_INLINE void words(HVX_Vector (*to)[kGroups]) {
    empty();
    HVX_Vector high[kGroups], low[kGroups];
    for (uint32_t i = 0; i < kGroups; ++i) {
      high[i] = sums_[i].high;
      low[i] = sums_[i].low;
    }
    in_order<T>(high, to[0]);
    in_order<T>(low, to[1]);
  }
  static OPKG_INLINE void joined(HVX_Vector* to, const HVX_Vector* from) {
    Sum2 sum{to[0], to[1]};
    sum.join(Sum2{from[0], from[1]});
    to[0] = sum.high;
    to[1] = sum.low;
  }

 private:
  OPKG_INLINE void values(HVX_Vector a, HVX_Vector* to) const {
    floats_of<T>(a, to);
    if constexpr (kSquares) {
      for (uint32_t i = 0; i < kGroups; ++i) {
        const HVX_Vector d = sub_sf(to[i], about_[i]);
        to[i] = mul_sf(d, d);
      }
    }
  }

  Sum2 sums_[kGroups];
  HVX_Vector block_[kGroups] = {};
  HVX_Vector about_[kGroups] = {};
};
template <typename T, bool kExact>
using FloatSum = FloatTotal<T, kExact, false>;
template <typename T, bool kExact>
using SquaresAbout = FloatTotal<T, kExact, true>;

/// The largest or smallest element of every lane, NaN where one is.
template <typename T, bool kLargest>
class FloatExtreme {
  static constexpr uint32_t kGroups = 4 / sizeof(T);

 public:
  static constexpr uint32_t kNumbers = 1;
  static constexpr bool kAdds = false;

  OPKG_INLINE void one(HVX_Vector a) { found_ = of(found_, a); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { found_ = of(of(found_, a), b); }
  OPKG_INLINE void some(HVX_Vector a, HVX_VectorPred live) { one(Q6_V_vmux_QVV(live, a, none())); }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void words(HVX_Vector (*to)[kGroups]) {
    HVX_Vector groups[kGroups];
    floats_of<T>(found_, groups);
    in_order<T>(groups, to[0]);
  }
  static OPKG_INLINE void joined(HVX_Vector* to, const HVX_Vector* from) {
    to[0] = kLargest ? max_sf(to[0], from[0]) : min_sf(to[0], from[0]);
  }

 private:
  static OPKG_INLINE HVX_Vector none() {
    if constexpr (sizeof(T) == 2) return splat_hf(kLargest ? 0xfc00 : 0x7c00);
    return splat_w(kLargest ? 0xff800000u : kInfinity);
  }
  static OPKG_INLINE HVX_Vector of(HVX_Vector a, HVX_Vector b) {
    if constexpr (sizeof(T) == 2) return kLargest ? max_hf(a, b) : min_hf(a, b);
    return kLargest ? max_sf(a, b) : min_sf(a, b);
  }

  HVX_Vector found_ = none();
};
template <typename T>
using FloatLargest = FloatExtreme<T, true>;
template <typename T>
using FloatSmallest = FloatExtreme<T, false>;

/// Some parts that see the same elements, as opkg::hvx::Found.
template <typename T, typename... Parts>
struct FloatFound : Parts... {
  static constexpr uint32_t kParts = (Parts::kNumbers + ...), kLanes = kBytes / sizeof(T);
  static constexpr size_t kBlock = 0, kHeld = SIZE_MAX;

  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { (Parts::two(a, b), ...); }
  OPKG_INLINE void one(HVX_Vector a) { (Parts::one(a), ...); }
  OPKG_INLINE void empty() { (Parts::empty(), ...); }
  OPKG_INLINE void some(HVX_Vector a, size_t live) {
    const HVX_VectorPred with = live < kBytes ? Q6_Q_vsetq_R(static_cast<int32_t>(live)) : Q6_Q_vsetq2_R(kBytes);
    one_where(with, a);
  }
  /// The same of elements in a set of lanes; of `a`, and of `b` there.
  OPKG_INLINE void one_where(HVX_VectorPred with, HVX_Vector a) { (Parts::some(a, with), ...); }
  OPKG_INLINE void two_where(HVX_VectorPred with, HVX_Vector a, HVX_Vector b) {
    one(a);
    one_where(with, b);
  }
  OPKG_INLINE void words(HVX_Vector (*to)[kLanes / 32]) { ((Parts::words(to), to += Parts::kNumbers), ...); }

  /// Joins what was found of two columns.
  static OPKG_INLINE void joined(HVX_Vector* to, const HVX_Vector* from) {
    ((Parts::joined(to, from), to += Parts::kNumbers, from += Parts::kNumbers), ...);
  }
};

/// A result that is a number itself (of the first pass, then the second one), or a sum divided by the number of elements.
struct FloatResult {
  uint32_t number;
  bool adds;
  bool mean;
};

/// Makes the results of a call of columns of floats.
template <typename Rows, typename Found>
class FloatFinish {
  static constexpr uint32_t kLanes = Found::kLanes, kWords = kLanes / 32, kParts = Found::kParts;
  static constexpr uint32_t kAll = kParts + (Rows::kAgain ? 2 : 0);

 public:
  FloatFinish(const Rows& rows, size_t count) : rows_(rows), count_(count) {}

  /// False: some result was not for vectors.
  bool held() const { return held_; }
  void hold() const { held_ = true; }  ///< they were computed elsewhere

  /// Means, in the order of memory.
  OPKG_INLINE void means(const HVX_Vector (&words)[kParts][kWords], HVX_Vector* to) const {
    for (uint32_t k = 0; k < kWords; ++k) to[k] = mean(Sum2{words[0][k], words[1][k]}).high;
  }

  /// Results of n columns but the first `back`, from number `first` on. `again`: what the second pass found.
  OPKG_INLINE void write_all(const HVX_Vector (&words)[kParts][kWords], const HVX_Vector (*again)[kWords], uint8_t* const* out, size_t first,
                             size_t n, size_t back) const {
    HVX_Vector all[kWords][kAll];
    bool plain = true;
    for (uint32_t k = 0; k < kWords && 32 * k < n; ++k) {
      for (uint32_t part = 0; part < kAll; ++part) all[k][part] = part < kParts ? words[part][k] : again[part - kParts][k];
      plain = plain && moderate(all[k], n - 32 * k);
      if (Rows::kAgain && !holds(fits(all[k][0]), n - 32 * k)) held_ = false;  // its mean has lost digits
    }
    if (plain && Rows::kDirect) {
      each_output(all, out, first, n, back, typename Rows::Outputs());
    } else {
      one_by_one(all, out, first, n, back);
    }
  }

  /// Joins the words of columns that stand side by side for each of `width`.
  template <typename From, size_t kRoom>
  static void fold(int32_t (*kept)[kRoom], size_t pieces, size_t width) {
    for (; pieces > 1; pieces = pieces % 2 != 0 ? pieces - 1 : pieces / 2) {
      const size_t from = pieces % 2 != 0 ? pieces - 1 : pieces / 2, n = (pieces - from) * width;
      for (size_t i = 0; i < n; i += 32) {
        HVX_Vector to[From::kParts], other[From::kParts];
        for (uint32_t part = 0; part < From::kParts; ++part) {
          to[part] = load_unaligned(kept[part] + i);
          other[part] = load_unaligned(kept[part] + from * width + i);
        }
        From::joined(to, other);
        for (uint32_t part = 0; part < From::kParts; ++part) {
          store_some(kept[part] + i, (n - i < 32 ? n - i : 32) * sizeof(int32_t), to[part]);
        }
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

  template <typename... T>
  OPKG_INLINE void each_output(const HVX_Vector (&all)[kWords][kAll], uint8_t* const* out, size_t first, size_t n, size_t back, Types<T...>) const {
    uint32_t i = 0;
    ((write_floats(reinterpret_cast<T*>(out[i]) + first, all, Rows::kFloats[i], n, back), ++i), ...);
  }

  template <typename T>
  OPKG_INLINE void write_floats(T* to, const HVX_Vector (&all)[kWords][kAll], const FloatResult& result, size_t n, size_t back) const {
    HVX_Vector values[kWords];
    for (uint32_t k = 0; k < kWords; ++k) {
      values[k] = all[k][result.number];
      if (!result.adds) continue;
      Sum2 sum{values[k], all[k][result.number + 1]};
      sum.settle();
      if (result.mean) sum = mean(sum);
      values[k] = sizeof(T) == 2 ? odd(sum) : sum.high;
    }
    if constexpr (sizeof(T) == 4) {
      store_columns(to, values, n, back);
    } else {
      HVX_Vector halves[(kWords + 1) / 2];
      const HVX_VectorPair apart = Q6_W_vdeal_VVR(values[kWords - 1], values[0], -4);
      halves[0] = hf_from_sf(Q6_V_hi_W(apart), Q6_V_lo_W(apart));
      store_columns(to, halves, n, back);
    }
  }

  /// Rounded to odd, so that rounding it again to halves is right.
  static OPKG_INLINE HVX_Vector odd(const Sum2& sum) {
    const HVX_Vector one = splat_w(1), zero = Q6_V_vzero();
    const HVX_VectorPred exact = Q6_Q_vcmp_eq_VwVw(magnitude_sf(sum.low), zero);
    const HVX_Vector last = Q6_V_vand_VV(sum.high, one);
    const HVX_VectorPred stays = Q6_Q_or_QQ(exact, Q6_Q_vcmp_eq_VwVw(last, one));
    const HVX_VectorPred less = Q6_Q_vcmp_gt_VwVw(zero, Q6_V_vxor_VV(sum.high, sum.low));
    const HVX_Vector moved = Q6_Vw_vadd_VwVw(sum.high, Q6_V_vmux_QVV(less, splat_w(0xffffffffu), one));
    return Q6_V_vmux_QVV(stays, sum.high, moved);
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
#endif  // OPKG_HVX_COLUMNS_FLOAT_H_
