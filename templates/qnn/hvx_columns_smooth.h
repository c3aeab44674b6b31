// Sums of smooth functions of 16-bit elements (silu, gelu, tanh, ...), down columns and along rows: cubics of 128 pieces, whose
// values have 32 bits.
#ifndef OPKG_HVX_COLUMNS_SMOOTH_H_
#define OPKG_HVX_COLUMNS_SMOOTH_H_

#include <cmath>

#include "opkg/hvx_columns_function.h"
#include "opkg/hvx_table.h"

namespace opkg::hvx {

/// The values of a function of 16-bit elements: low + unit * value. A piece has the value in its middle, a whole number of 32 bits, and
/// t * (slope + t * (bend + t * twist)) more, t from -1 to 1 along the 512 elements of it, with `shift` fraction bits.
template <typename T>
class Smooth {
  static constexpr size_t kPieces = 128;
  static constexpr double kHalf = 256.0;                  ///< elements of half a piece
  static constexpr double kLongest = 2.0;                 ///< half a piece, in what the argument changes: the checks are an eighth of it apart
  static constexpr double kSpan = 4.0e9, kFirst = 1.0e8;  ///< of the values that are looked at, and where they begin: pieces may reach a bit further

 public:
  double low = 0.0;
  double unit = 0.0;
  double off = 0.0;  ///< units that a value may be off

  /// `argument`: what the function takes sigmoid, tanh, exp and so on of. False: pieces are too long to show all of the function, or too steep, or it is not finite.
  template <typename Function, typename Argument>
  OPKG_SMALL bool set(const Function& function, const Argument& argument, double scale, int64_t zero) {
    const auto result = [&](double element) { return function((std::numeric_limits<T>::min() + element - static_cast<double>(zero)) * scale); };
    if (!(std::fabs(argument(kHalf * scale) - argument(0.0)) <= kLongest)) return false;
    double high = low = result(0.0), rise = 0.0;
    for (size_t i = 0; i < kPieces; ++i) {
      const Piece piece(result, i);
      for (const double value : piece.values) {
        if (!(std::fabs(value) < 1e300)) return false;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      const double reach = std::fabs(piece.slope) + std::fabs(piece.bend) + std::fabs(piece.twist);
      if (reach > rise) rise = reach;
    }
    unit = (high - low) / kSpan + 1e-18 * std::fabs(high + low) + 1e-300;
    low -= kFirst * unit;
    int32_t fraction = 16;
    while (fraction >= -15 && !(std::ldexp(rise / unit, fraction) < 32700.0)) --fraction;
    if (fraction < -15) return false;
    shift_ = 15 + fraction;
    off = 0.0;
    for (size_t i = 0; i < kPieces; ++i) put(i, Piece(result, i), fraction);
    return true;
  }

#if OPKG_HVX
  /// Of a vector of elements: the values in the middle of their pieces, in halves, and what is more than that and -2^31, of elements at even places and at odd ones.
  struct Values {
    HVX_Vector lower, upper;
    HVX_Vector even, odd;

    /// Zeros where `live`, a number for each element, is not -1.
    OPKG_INLINE Values masked(HVX_Vector live) const {
      const HVX_Vector evens = Q6_Vw_vasr_VwR(Q6_Vw_vasl_VwR(live, 16), 16), odds = Q6_Vw_vasr_VwR(live, 16);
      return {Q6_V_vand_VV(lower, live), Q6_V_vand_VV(upper, live), Q6_V_vand_VV(even, evens), Q6_V_vand_VV(odd, odds)};
    }
  };

  /// Of two vectors of elements.
  OPKG_INLINE void values(HVX_Vector a, HVX_Vector b, Values& x, Values& y) const {
    const HVX_Vector top = Q6_V_vsplat_R(both_halves(0x8000));
    if (std::is_signed_v<T>) a = Q6_V_vxor_VV(a, top), b = Q6_V_vxor_VV(b, top);
    const HVX_Vector piece = Q6_Vub_vlsr_VubR(Q6_Vb_vshuffo_VbVb(b, a), 1);
    const HVX_VectorPair twist = found(twist_, piece), bend = found(bend_, piece), slope = found(slope_, piece);
    const HVX_VectorPair lower = found(lower_, piece), upper = found(upper_, piece);
    const auto more = [&](HVX_Vector element, HVX_Vector first, HVX_Vector second, HVX_Vector third, Values& to) OPKG_INLINE_LAMBDA {
      const HVX_Vector t = Q6_V_vxor_VV(Q6_Vh_vasl_VhR(element, 7), top), every = Q6_V_vsplat_R(INT32_MIN);
      second = Q6_Vh_vadd_VhVh_sat(second, Q6_Vh_vmpy_VhVh_s1_rnd_sat(third, t));
      first = Q6_Vh_vadd_VhVh_sat(first, Q6_Vh_vmpy_VhVh_s1_rnd_sat(second, t));
      const HVX_VectorPair product = Q6_Ww_vmpy_VhVh(first, t);
      to.even = Q6_V_vxor_VV(Q6_Vw_vasr_VwR(Q6_V_lo_W(product), shift_), every);
      to.odd = Q6_V_vxor_VV(Q6_Vw_vasr_VwR(Q6_V_hi_W(product), shift_), every);
    };
    x.lower = Q6_V_lo_W(lower), x.upper = Q6_V_lo_W(upper);
    y.lower = Q6_V_hi_W(lower), y.upper = Q6_V_hi_W(upper);
    more(a, Q6_V_lo_W(slope), Q6_V_lo_W(bend), Q6_V_lo_W(twist), x);
    more(b, Q6_V_hi_W(slope), Q6_V_hi_W(bend), Q6_V_hi_W(twist), y);
  }

  /// Sums of the low halves and of the high halves of neighbours' values, moved up by 2^31, of elements for which `live` is -1.
  OPKG_INLINE HVX_VectorPair sums(HVX_Vector a, HVX_Vector live) const {
    Values all, other;
    values(a, a, all, other);
    const Values x = all.masked(live);
    const auto add = [](HVX_VectorPair pair) OPKG_INLINE_LAMBDA { return Q6_Vw_vadd_VwVw(Q6_V_lo_W(pair), Q6_V_hi_W(pair)); };
    const HVX_VectorPair more = Q6_Ww_vadd_VuhVuh(x.even, x.odd);
    return Q6_W_vcombine_VV(Q6_Vw_vadd_VwVw(add(Q6_Wuw_vzxt_Vuh(x.upper)), Q6_V_hi_W(more)), Q6_Vw_vadd_VwVw(add(Q6_Wuw_vzxt_Vuh(x.lower)), Q6_V_lo_W(more)));
  }
#endif

 private:
  /// The cubic through the values at -1, -1/2, 1/2 and 1, less the one in the middle.
  struct Piece {
    static constexpr int32_t kPlaces = 16;
    double values[kPlaces + 1];  ///< from -1 to 1
    double slope, bend, twist;

    template <typename Result>
    Piece(const Result& result, size_t number) {
      for (size_t i = 0; i <= kPlaces; ++i) values[i] = result(2 * kHalf * (static_cast<double>(number) + static_cast<double>(i) / kPlaces));
      const double odd = (values[16] - values[0]) / 2, even = (values[16] + values[0]) / 2 - values[8];
      const double near_odd = (values[12] - values[4]) / 2, near_even = (values[12] + values[4]) / 2 - values[8];
      slope = (8 * near_odd - odd) / 3;
      twist = odd - slope;
      bend = (even + near_even / 4) / 1.0625;
    }
  };

  /// Sets the entries of a piece. Each product's rounding adds half of the last bit, cutting off a unit, the value in the middle half of one; between two of the
  /// places here the coefficients' rounding adds a fifth of their last bit at most.
  void put(size_t number, const Piece& piece, int32_t fraction) {
    const auto fixed = [&](double coefficient) { return std::floor(std::ldexp(coefficient / unit, fraction) + 0.5); };
    const double value = std::floor((piece.values[8] - low) / unit + 0.5), s = fixed(piece.slope), b = fixed(piece.bend), w = fixed(piece.twist);
    for (int32_t place = 0; place <= Piece::kPlaces; ++place) {
      const double t = place / 8.0 - 1.0;
      const double made = value + std::ldexp(t * (s + t * (b + t * w)), -fraction);
      const double far = std::fabs(made - (piece.values[place] - low) / unit);
      const double all = 1.1 * far + std::ldexp(0.2 + (std::fabs(t) + t * t) / 2, -fraction) + 1.5;
      if (!(all <= off)) off = all;
    }
    const size_t at = table_place<uint16_t>(number);
    const uint32_t bits = static_cast<uint32_t>(value);
    const auto entry = [](double coefficient) { return static_cast<uint16_t>(static_cast<int32_t>(coefficient)); };
    lower_[at] = static_cast<uint16_t>(bits);
    upper_[at] = static_cast<uint16_t>(bits >> 16);
    slope_[at] = entry(s);
    bend_[at] = entry(b);
    twist_[at] = entry(w);
  }

#if OPKG_HVX
  /// Entries of even places and of odd ones of 128.
  static OPKG_INLINE HVX_VectorPair found(const uint16_t* table, HVX_Vector index) {
    const HVX_Vector first = load(table), second = load(table + 64);
    HVX_VectorPair entries = Q6_Wh_vlut16_VbVhI(index, first, 0);
    entries = Q6_Wh_vlut16or_WhVbVhI(entries, index, first, 1);
    entries = Q6_Wh_vlut16or_WhVbVhI(entries, index, first, 2);
    entries = Q6_Wh_vlut16or_WhVbVhI(entries, index, first, 3);
    entries = Q6_Wh_vlut16or_WhVbVhI(entries, index, second, 4);
    entries = Q6_Wh_vlut16or_WhVbVhI(entries, index, second, 5);
    entries = Q6_Wh_vlut16or_WhVbVhI(entries, index, second, 6);
    return Q6_Wh_vlut16or_WhVbVhI(entries, index, second, 7);
  }
#endif

  alignas(128) uint16_t lower_[kPieces];
  alignas(128) uint16_t upper_[kPieces];
  alignas(128) uint16_t slope_[kPieces];
  alignas(128) uint16_t bend_[kPieces];
  alignas(128) uint16_t twist_[kPieces];
  int32_t shift_ = 0;
};

#if OPKG_HVX

/// Sums of the low halves of values, and beside them those of the high ones.
template <typename T>
class SmoothLow {
 public:
  using Of = Smooth<T>;
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr size_t kLanes = 64, kBlock = kNoBlock, kHeld = 0x7fffffff / 131070;
  static constexpr int32_t kLow = 0, kHigh = 131070, kOffset = 0;

  OPKG_INLINE void bind(const Of& function) { function_ = &function; }
  OPKG_INLINE void one(HVX_Vector a) { some(a, Q6_V_vsplat_R(-1)); }
  OPKG_INLINE void one_where(HVX_VectorPred with, HVX_Vector a) { some(a, Q6_V_vand_QR(with, -1)); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) {
    Values x, y;
    function_->values(a, b, x, y);
    add(x, y);
  }
  OPKG_INLINE void two_where(HVX_VectorPred with, HVX_Vector a, HVX_Vector b) {
    Values x, y;
    function_->values(a, b, x, y);
    add(x, y.masked(Q6_V_vand_QR(with, -1)));
  }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void keep(HVX_VectorPred) {  // one pixel of two
    const HVX_Vector none = Q6_V_vzero();
    lower_ = Q6_W_vcombine_VV(none, Q6_V_lo_W(lower_)), upper_ = Q6_W_vcombine_VV(none, Q6_V_lo_W(upper_));
    odd_ = Q6_W_vcombine_VV(none, none);
  }
  OPKG_INLINE void words(HVX_Vector* to) {
    join();
    interleave(Q6_V_lo_W(lower_), Q6_V_hi_W(lower_), to);
  }
  OPKG_INLINE void upper_words(HVX_Vector* to) const { interleave(Q6_V_lo_W(upper_), Q6_V_hi_W(upper_), to); }

  static OPKG_INLINE HVX_Vector begin(const Of& function, HVX_Vector a) { return Q6_V_lo_W(function.sums(a, Q6_V_vsplat_R(-1))); }
  static OPKG_INLINE HVX_Vector begin(const Of& function, HVX_VectorPred with, HVX_Vector a) { return Q6_V_lo_W(function.sums(a, Q6_V_vand_QR(with, -1))); }

 private:
  template <typename>
  friend struct Gather;
  using Values = typename Of::Values;

  OPKG_INLINE void some(HVX_Vector a, HVX_Vector live) {
    Values x, y;
    function_->values(a, a, x, y);
    add(x.masked(live), y.masked(Q6_V_vzero()));
  }
  OPKG_INLINE void add(const Values& x, const Values& y) {
    lower_ = Q6_Ww_vaddacc_WwVuhVuh(lower_, x.lower, y.lower);
    upper_ = Q6_Ww_vaddacc_WwVuhVuh(upper_, x.upper, y.upper);
    even_ = Q6_Ww_vaddacc_WwVuhVuh(even_, x.even, y.even);
    odd_ = Q6_Ww_vaddacc_WwVuhVuh(odd_, x.odd, y.odd);
  }

  /// Elements at even places before those at odd ones, of low halves and of high halves.
  OPKG_INLINE void join() {
    const HVX_VectorPair none = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
    lower_ = Q6_Ww_vadd_WwWw(lower_, Q6_W_vcombine_VV(Q6_V_lo_W(odd_), Q6_V_lo_W(even_)));
    upper_ = Q6_Ww_vadd_WwWw(upper_, Q6_W_vcombine_VV(Q6_V_hi_W(odd_), Q6_V_hi_W(even_)));
    even_ = odd_ = none;
  }

  const Of* function_ = nullptr;
  HVX_VectorPair lower_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  HVX_VectorPair upper_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  HVX_VectorPair even_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
  HVX_VectorPair odd_ = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero());
};

/// Sums of their high halves, which SmoothLow has found.
template <typename T>
class SmoothTop {
 public:
  using Of = Smooth<T>;
  using Other = SmoothLow<T>;
  static constexpr bool kAdds = true, kLargestOne = false, kShort = false;
  static constexpr size_t kLanes = 64, kBlock = kNoBlock, kHeld = Other::kHeld;
  static constexpr int32_t kLow = 0, kHigh = 131070, kOffset = 32768;

  OPKG_INLINE void one(HVX_Vector) {}
  OPKG_INLINE void one_where(HVX_VectorPred, HVX_Vector) {}
  OPKG_INLINE void two(HVX_Vector, HVX_Vector) {}
  OPKG_INLINE void two_where(HVX_VectorPred, HVX_Vector, HVX_Vector) {}
  OPKG_INLINE void empty() {}
  OPKG_INLINE void keep(HVX_VectorPred) {}
  static OPKG_INLINE void words(HVX_Vector* to, const Other& low) { low.upper_words(to); }

  static OPKG_INLINE HVX_Vector begin(const Of& function, HVX_Vector a) { return Q6_V_hi_W(function.sums(a, Q6_V_vsplat_R(-1))); }
  static OPKG_INLINE HVX_Vector begin(const Of& function, HVX_VectorPred with, HVX_Vector a) { return Q6_V_hi_W(function.sums(a, Q6_V_vand_QR(with, -1))); }
};

template <typename T>
struct Gather<SmoothLow<T>> {
  template <uint32_t kUnits, bool, typename Units>
  OPKG_INLINE static void set(SmoothLow<T>& to, Units& units) {
    for (uint32_t i = 0; i < kUnits; ++i) static_cast<SmoothLow<T>&>(units[i]).join();
    const auto of = [&](uint32_t i, bool upper) OPKG_INLINE_LAMBDA {
      const SmoothLow<T>& unit = units[i];
      const HVX_VectorPair pair = upper ? unit.upper_ : unit.lower_;
      return Q6_Vw_vadd_VwVw(Q6_V_lo_W(pair), Q6_V_hi_W(pair));
    };
    to.lower_ = Q6_W_vdeal_VVR(of(kUnits - 1, false), of(0, false), -4);
    to.upper_ = Q6_W_vdeal_VVR(of(kUnits - 1, true), of(0, true), -4);
  }
};

template <typename T>
struct Gather<SmoothTop<T>> {
  template <uint32_t, bool, typename Units>
  OPKG_INLINE static void set(SmoothTop<T>&, Units&) {}
};

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_COLUMNS_SMOOTH_H_
