// Results of columns from what was found of them: lines of one number in fixed point, anything else column by column.
#ifndef OPKG_HVX_FINISH_H_
#define OPKG_HVX_FINISH_H_

#include <algorithm>

#include "opkg/hvx_column_line.h"
#include "opkg/hvx_columns.h"

namespace opkg::hvx {

#if OPKG_HVX

/// How results come of numbers: a ColumnLine of the only one, a WideLine of it or of its halves, a VarianceLine of both (opkg/hvx_variance.h), the only one itself in 32 bits, the sums of low and of high
/// halves together, saturated, those of 64-bit products, or `Rows::results` of words of all of them; of folded rows floats in their own lanes (opkg/hvx_fold_floats.h).
/// Anything else is computed column by column.
enum class Results { line,
                     wide,
                     spread,
                     whole,
                     halves,
                     product,
                     numbers,
                     floats,
                     single };

/// Element types of all outputs.
template <typename... T>
struct Types {};

/// Makes the results of a call of columns.
template <typename Rows>
class Finish {
  using Found = typename Rows::Found;
  static constexpr uint32_t kLanes = Found::kLanes, kWords = kLanes / 32, kParts = Found::kParts;
  static constexpr size_t kMostCount = 32767;  ///< of which opkg/hvx_numbers.h makes variances

 public:
  /// Whether results may come of 16 bits.
  static constexpr bool kShort = Rows::kResults == Results::line && Found::kShort && sizeof(typename Rows::Result) == 1;

  /// `count`: elements of a column.
  Finish(const Rows& rows, size_t count) : rows_(rows), count_(count) {
    for (uint32_t i = 0; i < kParts; ++i) wide_ |= Found::kAdds[i] && count > static_cast<size_t>(INT32_MAX / Found::kHigh[i]);
    const int64_t all = Found::kAdds[0] ? static_cast<int64_t>(count) : 1;
    taken_ = static_cast<int32_t>(offset(kParts - 1) + all * Rows::kBias);
  }

  /// Whether results come of 16 bits.
  bool is_short() const { return rows_.line.is_short; }
  /// Elements of a column.
  size_t count() const { return count_; }
  /// Whether vectors make all results, or may turn some of them down.
  bool fits() const {
    if constexpr (Rows::kResults == Results::line) return rows_.line.is_line;
    if constexpr (Rows::kResults == Results::wide) return rows_.wide.is_line;
    if constexpr (Rows::kResults == Results::spread) return rows_.spread.is_line;
    return true;
  }
  /// What results are of the only number; nothing where they are made otherwise.
  ColumnLine line() const {
    if constexpr (Rows::kResults == Results::line) return rows_.line;
    return ColumnLine();
  }

  /// The same of a call that fits.
  OPKG_INLINE ColumnLine fitting_line() const {
    ColumnLine found = line();
    found.is_line = true;
    return found;
  }

  /// Results of the first `n` columns of a vector but `back` ones, from number `first` on.
  OPKG_INLINE void lanes(Found& found, uint8_t* const* out, size_t first, size_t back, size_t n = kLanes) const {
    if constexpr (kShort) {
      if (rows_.line.is_short) {
        const HVX_Vector results[] = {rows_.line.template of_shorts<typename Rows::Result>(found.shorts())};
        store_columns(result(out, first), results, n, back);
        return;
      }
    }
    HVX_Vector words[kParts][kWords];
    found.words(words);
    if (in_vectors(words, line(), out, first, n, back)) return;
    alignas(128) int32_t kept[kParts][kLanes];
    for (uint32_t part = 0; part < kParts; ++part) {
      for (uint32_t i = 0; i < kWords; ++i) store(kept[part] + 32 * i, words[part][i]);
    }
    one_by_one(kept, back, n, out, first);
  }

  /// Results of the first `n` columns of vectors side by side, from number `first` on.
  template <uint32_t kVectors>
  OPKG_INLINE void beside(Found (&found)[kVectors], const ColumnLine& line, uint8_t* const* out, size_t first, size_t n) const {
    HVX_Vector words[kParts][kVectors * kWords];
    for (uint32_t i = 0; i < kVectors; ++i) {
      HVX_Vector some[kParts][kWords];
      found[i].words(some);
      for (uint32_t part = 0; part < kParts; ++part) {
        for (uint32_t k = 0; k < kWords; ++k) words[part][i * kWords + k] = some[part][k];
      }
    }
    if (in_vectors(words, line, out, first, n, 0)) return;
    alignas(128) int32_t kept[kParts][kVectors * kLanes];
    for (uint32_t part = 0; part < kParts; ++part) {
      for (uint32_t i = 0; i < kVectors * kWords; ++i) store(kept[part] + 32 * i, words[part][i]);
    }
    one_by_one(kept, 0, n, out, first);
  }

  /// The same of vectors of elements as large as the results, which are lines of the only number.
  template <uint32_t kVectors>
  OPKG_INLINE void in_lines(Found (&found)[kVectors], const ColumnLine& line, HVX_Vector (&to)[kVectors]) const {
    for (uint32_t i = 0; i < kVectors; ++i) {
      HVX_Vector words[kParts][kWords], packed[1];
      found[i].words(words);
      for (HVX_Vector& word : words[0]) word = line.of_words(word);
      pack<typename Rows::Result>(words[0], packed);
      to[i] = packed[0];
    }
  }

  /// Results of `n` numbers in the order of memory, from number `first` on. False: they are not for vectors.
  OPKG_INLINE bool words(HVX_Vector (&numbers)[kParts][kWords], uint8_t* const* out, size_t first, size_t n) const {
    return in_vectors(numbers, line(), out, first, n, 0);
  }

  /// The same of one part's numbers of 8 bits. False: results need more bits.
  OPKG_INLINE bool bytes(const Found& found, uint8_t* const* out, size_t first, size_t n) const {
    if constexpr (kShort) {
      if (!rows_.line.is_short) return false;
      const HVX_Vector results[] = {rows_.line.template of_shorts<typename Rows::Result>(found.shorts())};
      store_columns(result(out, first), results, n, 0);
      return true;
    }
    return false;
  }

  /// Results of up to 32 columns of one vector, as folded. They fit.
  OPKG_INLINE void folded_few(Found& found, const ColumnLine& line, const Fold& fold, uint8_t* const* out, size_t first) const {
    HVX_Vector words[kParts][kWords], now[kParts][1];
    found.words(words);
    alignas(128) int32_t kept[kParts][kLanes + 32];
    for (uint32_t part = 0; part < kParts; ++part) {
      for (uint32_t i = 0; i < kWords; ++i) store(kept[part] + 32 * i, words[part][i]);
    }
    Found::fold_few(kept, fold, now);
    few(now, line, out, first, fold.width);
  }

  /// Results of `n` columns, of words of each. They fit.
  template <uint32_t kAll>
  OPKG_INLINE void few(HVX_Vector (&words)[kParts][kAll], const ColumnLine& line, uint8_t* const* out, size_t first, size_t n) const {
    const bool taken = in_vectors(words, line, out, first, n, 0);
    if constexpr (Rows::kResults == Results::numbers || Rows::kResults == Results::single) {
      if (taken) return;
      alignas(128) int32_t kept[kParts][32 * kAll];
      for (uint32_t part = 0; part < kParts; ++part) {
        for (uint32_t i = 0; i < kAll; ++i) store(kept[part] + 32 * i, words[part][i]);
      }
      one_by_one(kept, 0, n, out, first);
    }
  }

  /// Whether 32 bits do not hold the sums of joined columns.
  bool is_wide() const { return wide_; }

  /// Results of columns of which `pieces` numbers stand side by side for each.
  template <size_t kRoom>
  void folded(int32_t (&kept)[kParts][kRoom], size_t pieces, const Fold& fold, uint8_t* const* out, size_t first) const {
    const size_t width = fold.width;
    if (wide_) {
      for (size_t i = 0; i < width; ++i) {
        int64_t numbers[kParts];
        for (uint32_t part = 0; part < kParts; ++part) numbers[part] = fold_wide(part, kept[part] + i, pieces, width);
        column(numbers, out, first + i);
      }
      return;
    }
    if (pieces > 1) fold_columns<Found>(kept, fold);
    if (kWords == 1 || width > 32) return kept_words<kWords>(kept, width, out, first);
    kept_words<1>(kept, width, out, first);
  }

 private:
  static typename Rows::Result* result(uint8_t* const* out, size_t at) { return reinterpret_cast<typename Rows::Result*>(out[0]) + at; }

  /// Results of columns in memory, from number `first` on, kAll vectors of words at a time.
  template <uint32_t kAll, size_t kRoom>
  OPKG_INLINE void kept_words(const int32_t (&kept)[kParts][kRoom], size_t width, uint8_t* const* out, size_t first) const {
    for (size_t i = 0; i < width; i += 32 * kAll) {
      HVX_Vector words[kParts][kAll];
      for (uint32_t part = 0; part < kParts; ++part) {
        for (uint32_t k = 0; k < kAll; ++k) words[part][k] = load_unaligned(kept[part] + i + 32 * k);
      }
      if (!in_vectors(words, line(), out, first + i, width - i < 32 * kAll ? width - i : 32 * kAll, 0)) {
        return one_by_one(kept, 0, width, out, first);
      }
    }
  }

  /// Writes results of n columns but the first `back` ones. False: they are not for vectors.
  template <uint32_t kAll>
  OPKG_INLINE bool in_vectors(HVX_Vector (&words)[kParts][kAll], const ColumnLine& line, uint8_t* const* out, size_t first, size_t n, size_t back) const {
    if constexpr (Rows::kResults == Results::single) return false;
    if constexpr (Rows::kResults == Results::numbers) {
      return count_ <= kMostCount && numbers(words, out, first, n, back, typename Rows::Outputs());
    }
    for (uint32_t k = 0; k < kAll; ++k) {
      if constexpr (Rows::kResults == Results::line) {
        if (!line.is_line) return false;
        words[0][k] = line.of_words(words[0][k]);
      } else if constexpr (Rows::kResults == Results::wide) {
        if (!rows_.wide.is_line) return false;
        const HVX_Vector last = Q6_Vw_vsub_VwVw(words[kParts - 1][k], Q6_V_vsplat_R(taken_));
        words[0][k] = kParts == 1 ? rows_.wide.of(last) : rows_.wide.of(last, words[0][k]);
      } else if constexpr (Rows::kResults == Results::spread) {
        if (!rows_.spread.is_line) return false;
        if constexpr (kParts == 2) words[0][k] = rows_.spread.of(words[0][k], words[1][k]);
        if constexpr (kParts == 3) words[0][k] = rows_.spread.of(words[0][k], words[1][k], words[2][k]);
      } else if constexpr (Rows::kResults == Results::whole) {
        words[0][k] = Q6_Vw_vsub_VwVw_sat(words[0][k], Q6_V_vsplat_R(taken_));
      } else if constexpr (Rows::kResults == Results::halves) {
        words[0][k] = of_halves(words[1][k], words[0][k]);
      } else if constexpr (Rows::kResults == Results::product) {
        words[0][k] = of_product(words[1][k], words[0][k]);
      }
    }
    write(result(out, first), words[0], n, back);
    return true;
  }

  /// The same of `Rows::results`.
  template <uint32_t kAll, typename... T>
  OPKG_INLINE bool numbers(const HVX_Vector (&words)[kParts][kAll], uint8_t* const* out, size_t first, size_t n, size_t back, Types<T...>) const {
    HVX_Vector made[Rows::kOutputs][kAll];
    for (uint32_t k = 0; k < kAll && 32 * k < n; ++k) {
      HVX_Vector found[kParts], to[Rows::kOutputs];
      for (uint32_t part = 0; part < kParts; ++part) found[part] = words[part][k];
      if (!rows_.results(found, count_, n - 32 * k, to)) return false;
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) made[i][k] = to[i];
    }
    uint32_t i = 0;
    ((write(reinterpret_cast<T*>(out[i]) + first, made[i], n, back), ++i), ...);
    return true;
  }

  /// (high - taken_) * 65536 + low, saturated.
  OPKG_INLINE HVX_Vector of_halves(HVX_Vector high, HVX_Vector low) const {
    const HVX_Vector over = Q6_Vw_vsub_VwVw(high, Q6_V_vsplat_R(taken_));
    const HVX_Vector top = Q6_Vw_vadd_VwVw(over, Q6_Vuw_vlsr_VuwR(low, 16));
    const HVX_Vector most = Q6_V_vsplat_R(INT32_MAX), least = Q6_V_vsplat_R(INT32_MIN);
    const HVX_Vector bits = Q6_V_vand_VV(low, Q6_V_vsplat_R(0xffff));
    const HVX_Vector held = Q6_V_vor_VV(Q6_Vw_vasl_VwR(top, 16), bits);
    const HVX_Vector not_more = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(top, Q6_V_vsplat_R(INT16_MAX)), most, held);
    return Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R(INT16_MIN), top), least, not_more);
  }

  /// high * 2^32 + low, saturated.
  static OPKG_INLINE HVX_Vector of_product(HVX_Vector high, HVX_Vector low) {
    const HVX_VectorPred held = Q6_Q_vcmp_eq_VwVw(high, Q6_Vw_vasr_VwR(low, 31));
    return Q6_V_vmux_QVV(held, low, Q6_V_vxor_VV(Q6_Vw_vasr_VwR(high, 31), Q6_V_vsplat_R(INT32_MAX)));
  }

  /// Results of columns `begin` to `end`, from number `first` on.
  template <size_t kRoom>
  OPKG_APART void one_by_one(const int32_t (&kept)[kParts][kRoom], size_t begin, size_t end, uint8_t* const* out, size_t first) const {
    for (size_t i = begin; i < end; ++i) {
      int64_t numbers[kParts];
      for (uint32_t part = 0; part < kParts; ++part) numbers[part] = kept[part][i];
      column(numbers, out, first + i - begin);
    }
  }

  int64_t fold_wide(uint32_t part, const int32_t* at, size_t pieces, size_t width) const {
    int64_t found = *at;
    for (size_t k = 1; k < pieces; ++k) {
      const int64_t next = at[k * width];
      found = Found::kAdds[part] ? found + next : Found::kLargest[part] == (next > found) ? next
                                                                                          : found;
    }
    return found;
  }

  int64_t offset(uint32_t part) const { return static_cast<int64_t>(count_) * Found::kOffset[part]; }

  /// One result in full precision.
  void column(int64_t (&numbers)[kParts], uint8_t* const* out, size_t at) const {
    for (uint32_t part = 0; part < kParts; ++part) numbers[part] -= offset(part);
    rows_.column(numbers, count_, out, at);
  }

  const Rows& rows_;
  size_t count_;
  int32_t taken_ = 0;  ///< what is taken off the last number
  bool wide_ = false;  ///< 32 bits do not hold the sums of joined columns
};

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FINISH_H_
