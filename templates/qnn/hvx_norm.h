// Lines of columns that all their elements go through: factor * (x - center) + bias, in fixed point, a factor for each column.
#ifndef OPKG_HVX_NORM_H_
#define OPKG_HVX_NORM_H_

#include "opkg/hvx_columns.h"
#include "opkg/hvx_numbers.h"

#if OPKG_HVX

namespace opkg::hvx {

/// n times what numbers are more than the mean of n, whose sum is `total`. They have 16 bits, beyond 32767 of them a sign, too.
OPKG_INLINE Numbers from_mean(HVX_Vector middle, HVX_Vector total, size_t n) {
  const int32_t count = static_cast<int32_t>(n);
  const HVX_Vector all = count <= INT16_MAX ? times_upper(middle, Q6_V_vsplat_R(count << 16)) : times_upper(Q6_V_vsplat_R(count), Q6_Vw_vasl_VwR(middle, 16));
  return Numbers(Q6_Vw_vsub_VwVw(all, total));
}

/// Lines of 32 columns: ((x - center) * factor >> shift) + bias in 16ths of steps, the product without its lowest 17 bits.
struct LineWords {
  HVX_Vector center, factor, shift, bias;

  /// From steps that each x adds, and those at the center. `varies`: 0 where all x are alike. False: some of the `live` first are
  /// too many for this.
  OPKG_INLINE bool set(HVX_Vector middle, const Numbers& by, const Numbers& at_center, HVX_Vector varies, size_t live) {
    const HVX_Vector room = from(-21, by.exponent);
    center = middle, factor = by.mantissa, shift = at_most(at_least(room, 0), 31), bias = at_center.whole(Q6_V_vsplat_R(4));
    const HVX_VectorPred fits = Q6_Q_or_QQ(Q6_Q_vcmp_gt_VwVw(room, Q6_V_vsplat_R(-1)), Q6_Q_vcmp_eq_VwVw(varies, Q6_V_vzero()));
    return all_words(Q6_Q_and_QQ(fits, Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R(26), at_center.size())), live);
  }

  /// Keeps them, from a column on, and gives those that are kept.
  template <size_t kRoom>
  OPKG_INLINE void put(int32_t (&to)[4][kRoom], size_t column) const {
    store_unaligned(to[0] + column, center), store_unaligned(to[1] + column, factor);
    store_unaligned(to[2] + column, shift), store_unaligned(to[3] + column, bias);
  }
  template <size_t kRoom>
  static OPKG_INLINE LineWords at(const int32_t (&from)[4][kRoom], size_t column) {
    return {load_unaligned(from[0] + column), load_unaligned(from[1] + column), load_unaligned(from[2] + column), load_unaligned(from[3] + column)};
  }
};

/// Stored numbers that results are clamped with.
template <typename Result>
struct Limits {
  int32_t least, most;

  OPKG_INLINE HVX_Vector of(HVX_Vector x) const { return smaller(Result{}, larger(Result{}, x, all(least)), all(most)); }

 private:
  static OPKG_INLINE HVX_Vector all(int32_t x) { return sizeof(Result) == 1 ? Q6_Vb_vsplat_R(x) : Q6_Vh_vsplat_R(x); }
};
struct NoLimits {
  OPKG_INLINE HVX_Vector of(HVX_Vector x) const { return x; }
};

/// Those of a struct that says some.
template <typename Rows>
OPKG_INLINE auto limits_of(const Rows& rows, int) -> decltype(rows.limits()) {
  return rows.limits();
}
template <typename Rows>
OPKG_INLINE NoLimits limits_of(const Rows&, long) {
  return {};
}

/// What results of a vector of elements are made of: lines of its columns, in the order of memory, and what clamps them.
template <typename Rows>
struct LineSource {
  const LineWords (&words)[4 / sizeof(typename Rows::Element)];
  const Rows& rows;
};

/// Results of the elements of a vector, as many bits as they have: 8 or 16.
template <typename Rows>
class LaneLines {
  using T = typename Rows::Element;
  using Result = typename Rows::Result;
  using Clamp = decltype(limits_of(*static_cast<const Rows*>(nullptr), 0));
  static constexpr uint32_t kWords = 4 / sizeof(T);

 public:
  OPKG_INLINE explicit LaneLines(const LineSource<Rows>& source) : clamp_(limits_of(source.rows, 0)) {
    const LineWords(&words)[kWords] = source.words;
    HVX_Vector all[4][kWords];
    for (uint32_t k = 0; k < kWords; ++k) all[0][k] = words[k].center, all[1][k] = words[k].factor, all[2][k] = words[k].shift, all[3][k] = words[k].bias;
    for (HVX_Vector(&each)[kWords] : all) apart(each);
    for (uint32_t k = 0; k < kWords; ++k) lines_[k] = {all[0][k], all[1][k], all[2][k], all[3][k]};
  }

  /// Of 32 columns, in vectors of tensors in blocks: words of each pixel are theirs, one after another of bytes, alternating of 16 bits.
  OPKG_INLINE static LaneLines of_pixels(const LineWords& line, const Rows& rows) {
    if constexpr (kWords == 4) return LaneLines(LineSource<Rows>{{line, line, line, line}, rows});
    LaneLines found(rows);
    for (LineWords& each : found.lines_) each = line;
    return found;
  }

  OPKG_INLINE HVX_Vector of(HVX_Vector x) const { return clamp_.of(stored(x)); }

  /// Results of 16 bits of numbers in words, of elements at even places first, which are shifted up by 14 bits.
  OPKG_INLINE HVX_Vector of_words(HVX_VectorPair x) const {
    const HVX_Vector even = scaled(0, Q6_V_lo_W(x)), odd = scaled(1, Q6_V_hi_W(x));
    return std::is_signed_v<Result> ? Q6_Vh_vasr_VwVwR_rnd_sat(odd, even, 4) : Q6_Vuh_vasr_VwVwR_rnd_sat(odd, even, 4);
  }

  /// Results of 8 bits of what stands for a vector of bytes: numbers in halves, those at even places first, with the sign of Half.
  template <typename Half>
  OPKG_INLINE HVX_Vector of_halves(HVX_VectorPair halves) const {
    const HVX_VectorPair a = widened<Half>(Q6_V_lo_W(halves)), b = widened<Half>(Q6_V_hi_W(halves));
    const HVX_Vector even = Q6_Vh_vasr_VwVwR_sat(steps(1, Q6_V_hi_W(a)), steps(0, Q6_V_lo_W(a)), 0);
    const HVX_Vector odd = Q6_Vh_vasr_VwVwR_sat(steps(3, Q6_V_hi_W(b)), steps(2, Q6_V_lo_W(b)), 0);
    return std::is_signed_v<Result> ? Q6_Vb_vasr_VhVhR_rnd_sat(odd, even, 4) : Q6_Vub_vasr_VhVhR_rnd_sat(odd, even, 4);
  }

 private:
  OPKG_INLINE explicit LaneLines(const Rows& rows) : clamp_(limits_of(rows, 0)) {}

  OPKG_INLINE HVX_Vector stored(HVX_Vector x) const {
    if constexpr (sizeof(T) == 2) {
      const HVX_VectorPair words = widened<T>(x);
      const HVX_Vector even = steps(0, Q6_V_lo_W(words)), odd = steps(1, Q6_V_hi_W(words));
      return std::is_signed_v<Result> ? Q6_Vh_vasr_VwVwR_rnd_sat(odd, even, 4) : Q6_Vuh_vasr_VwVwR_rnd_sat(odd, even, 4);
    } else {
      return of_halves<T>(std::is_signed_v<T> ? Q6_Wh_vsxt_Vb(x) : Q6_Wuh_vzxt_Vub(x));
    }
  }

  template <typename Half>
  static OPKG_INLINE HVX_VectorPair widened(HVX_Vector x) { return std::is_signed_v<Half> ? Q6_Ww_vsxt_Vh(x) : Q6_Wuw_vzxt_Vuh(x); }

  /// Words of elements at even places first, and so on, as widening has them.
  static OPKG_INLINE void apart(HVX_Vector (&words)[kWords]) {
    const HVX_VectorPair first = Q6_W_vdeal_VVR(words[1], words[0], -4);
    if constexpr (kWords == 2) {
      words[0] = Q6_V_lo_W(first), words[1] = Q6_V_hi_W(first);
    } else {
      const HVX_VectorPair last = Q6_W_vdeal_VVR(words[3], words[2], -4);
      const HVX_VectorPair even = Q6_W_vdeal_VVR(Q6_V_lo_W(last), Q6_V_lo_W(first), -4), odd = Q6_W_vdeal_VVR(Q6_V_hi_W(last), Q6_V_hi_W(first), -4);
      words[0] = Q6_V_lo_W(even), words[1] = Q6_V_hi_W(even), words[2] = Q6_V_lo_W(odd), words[3] = Q6_V_hi_W(odd);
    }
  }

  OPKG_INLINE HVX_Vector steps(uint32_t k, HVX_Vector x) const {
    return scaled(k, Q6_Vw_vasl_VwR(Q6_Vw_vsub_VwVw(x, lines_[k].center), 14));
  }
  OPKG_INLINE HVX_Vector scaled(uint32_t k, HVX_Vector x) const {
    const LineWords& line = lines_[k];
    return Q6_Vw_vadd_VwVw_sat(Q6_Vw_vasr_VwVw(product31(x, line.factor), line.shift), line.bias);
  }

  LineWords lines_[kWords];
  Clamp clamp_;
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_NORM_H_
