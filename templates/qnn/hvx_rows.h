// Rows that are reduced in vectors: lanes of the last step, joining the lanes of a vector, and the numbers between loops.
#ifndef OPKG_HVX_ROWS_H_
#define OPKG_HVX_ROWS_H_

#include "opkg/hvx.h"
#include "opkg/hvx_table.h"
#include "opkg/scalar.h"

namespace opkg::hvx {

/// Bits behind the point that leave `value` below 2^limit, with its rounding.
inline void lower_bits(int32_t& bits, int32_t limit, double value) {
  int exponent = 0;
  std::frexp(value * 1.0001, &exponent);  // value < 2^exponent
  if (bits > limit - exponent) bits = limit - exponent;
}

/// Numbers of a linear form sum(factor[i] * value[i]) + bias in steps of 2^-shift: what a loop multiplies with.
template <uint32_t kTerms>
struct Linear {
  static constexpr int32_t kFraction = 7;  ///< bits behind the point of the 16-bit lanes that become 8-bit results
  static constexpr int32_t kMost = 22;

  int32_t factor[kTerms] = {};  ///< 16 bits
  int32_t bias = 0;
  int32_t shift = 0;  ///< of the 32-bit sum to 16-bit lanes: kFraction bits remain behind the point
  bool ok = false;    ///< whether every result is within 1 step of the correctly rounded one

  /// `real`: the factors in steps of the result, `most`: the largest magnitude of each value, `blur`: by how much of a
  /// step the values themselves may be off.
  Linear(const double (&real)[kTerms], const double (&most)[kTerms], double constant, double blur) {
    double largest = 0.0;
    double reach = std::fabs(constant) + 1.0;
    double span = 0.0;
    for (uint32_t i = 0; i < kTerms; ++i) {
      const double size = std::fabs(real[i]);
      if (size > largest) largest = size;
      reach += size * most[i];
      span += most[i];
    }
    if (!(reach < 1e9)) return;  // not finite either
    int32_t bits = kMost;
    lower_bits(bits, 15, largest);
    lower_bits(bits, 30, reach);
    if (bits < kFraction) return;
    const double unit = std::ldexp(1.0, bits);
    // Half a unit for each rounded factor, half a step of the 16-bit lanes for their truncation.
    ok = (0.5 * span + 1.0) / unit + 0.5 / (1 << kFraction) + blur < 0.45;
    for (uint32_t i = 0; i < kTerms; ++i) factor[i] = static_cast<int32_t>(std::nearbyint(real[i] * unit));
    shift = bits - kFraction;
    bias = static_cast<int32_t>(std::nearbyint(constant * unit)) + (shift > 0 ? 1 << (shift - 1) : 0);
  }
};

/// The same for 16-bit results: factors of 32 bits, `low` the 16 of them behind the point.
template <uint32_t kTerms>
struct Wide {
  static constexpr int32_t kMost = 12;

  int32_t factor[kTerms] = {};
  int32_t low[kTerms] = {};
  int32_t bias = 0;
  int32_t shift = 0;  ///< of the 32-bit sum to 16-bit lanes
  bool ok = false;

  Wide(const double (&real)[kTerms], const double (&most)[kTerms], double constant, double blur) {
    double largest = 0.0;
    double reach = std::fabs(constant) + 1.0;
    double span = 0.0;
    for (uint32_t i = 0; i < kTerms; ++i) {
      const double size = std::fabs(real[i]);
      if (size > largest) largest = size;
      reach += size * most[i];
      span += most[i];
    }
    if (!(reach < 1e9)) return;
    int32_t bits = kMost;
    lower_bits(bits, 15, largest);
    lower_bits(bits, 30, reach);
    if (bits < 1) return;
    const double unit = std::ldexp(1.0, bits);
    // Half a unit of 2^-16 for each rounded factor, a unit for each sum of the low halves that is cut off.
    ok = (0.5 / 65536.0 * span + kTerms + 0.5) / unit + blur < 0.95;
    for (uint32_t i = 0; i < kTerms; ++i) {
      const int64_t fixed = static_cast<int64_t>(std::nearbyint(real[i] * unit * 65536.0));
      factor[i] = static_cast<int32_t>(fixed >> 16);
      low[i] = static_cast<int32_t>(fixed & 0xffff);
    }
    shift = bits;
    bias = static_cast<int32_t>(std::nearbyint(constant * unit));
  }
};

/// Where factor * x + constant passes `level`: the stored number x that multiplications are centered at, of low to high.
/// Factors of 16 bits are exact enough there; results far from it are saturated.
inline int32_t center(double factor, double constant, double level, int32_t low, int32_t high) {
  const double place = factor == 0.0 ? 0.0 : std::nearbyint((level - constant) / factor);
  return place > low ? (place < high ? static_cast<int32_t>(place) : high) : low;
}

/// How far from the center results are not yet saturated, at most.
inline double reach_of(double factor, double most) {
  const double reach = 300.0 / std::fabs(factor);
  return reach < most ? reach : most;
}

/// a * x * y + b * x + c * y + d as a * (x - x0) * (y - y0) + smaller terms, with x0 and y0 among the stored numbers.
struct Centered {
  int32_t x0 = 0;
  int32_t y0 = 0;
  double b = 0.0;
  double c = 0.0;
  double d = 0.0;

  /// `x_low`, `y_low`: the smallest stored numbers.
  Centered(double a, double of_x, double of_y, double rest, int32_t x_low, int32_t y_low) {
    x0 = nearest(a, of_y, x_low);
    y0 = nearest(a, of_x, y_low);
    b = of_x + a * y0;
    c = of_y + a * x0;
    d = rest + a * x0 * y0 + of_x * x0 + of_y * y0;
  }

 private:
  static int32_t nearest(double a, double slope, int32_t low) {
    const double place = a == 0.0 ? 0.0 : std::nearbyint(-slope / a);
    return place > low ? (place < low + 255 ? static_cast<int32_t>(place) : low + 255) : low;
  }
};

/// 16 bits in both halves of a word, as multiplications by a scalar take them.
inline int32_t both_halves(int32_t half) { return static_cast<int32_t>((static_cast<uint32_t>(half) & 0xffffu) * 0x10001u); }

/// 256 numbers as low + unit * (entry + fraction / 65536): entries of 16 bits, the nearest ones, and what they miss.
struct Spread {
  double low = 0.0;
  double unit = 0.0;
  int64_t first = 0;  ///< the first number, in units of 2^-16 entries

  /// Fills the tables in the order that lookups read. False when some number is not finite.
  bool set(const double (&values)[256], uint16_t (&entries)[256], uint16_t (&fractions)[256]) {
    double high = low = values[0];
    for (const double value : values) {
      if (!(std::fabs(value) < 1e300)) return false;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    unit = (high - low) / 65535.0;
    for (uint32_t i = 0; i < 256; ++i) {
      const double exact = unit == 0.0 ? 0.0 : (values[i] - low) / unit;
      const int64_t fixed = static_cast<int64_t>(std::nearbyint(exact * 65536.0));
      const int64_t entry = (fixed + 32768) >> 16;
      put_entry(entries, i, static_cast<uint16_t>(entry));
      put_entry(fractions, i, static_cast<uint16_t>(fixed - (entry << 16)));
      if (i == 0) first = fixed;
    }
    return true;
  }
};

#if OPKG_HVX

/// All lanes of a whole step hold elements.
struct Whole {
  OPKG_INLINE HVX_Vector keep8(HVX_Vector v, HVX_Vector, uint32_t) const { return v; }
  OPKG_INLINE HVX_Vector keep16(HVX_Vector v, HVX_Vector, uint32_t) const { return v; }
  OPKG_INLINE HVX_Vector keep32(HVX_Vector v, HVX_Vector, uint32_t) const { return v; }
};

/// The last step has `count` elements: other lanes take a number that changes nothing.
class Rest {
 public:
  OPKG_INLINE explicit Rest(size_t count) : count_(static_cast<int32_t>(count)) {}
  OPKG_INLINE HVX_Vector keep8(HVX_Vector v, HVX_Vector other, uint32_t part) const { return keep(v, other, part, 1); }
  OPKG_INLINE HVX_Vector keep16(HVX_Vector v, HVX_Vector other, uint32_t part) const { return keep(v, other, part, 2); }
  OPKG_INLINE HVX_Vector keep32(HVX_Vector v, HVX_Vector other, uint32_t part) const { return keep(v, other, part, 4); }

 private:
  OPKG_INLINE HVX_Vector keep(HVX_Vector v, HVX_Vector other, uint32_t part, int32_t bytes) const {
    const int32_t live = count_ * bytes - static_cast<int32_t>(part) * 128;
    if (live >= 128) return v;
    return live <= 0 ? other : Q6_V_vmux_QVV(Q6_Q_vsetq2_R(live), v, other);
  }

  int32_t count_;
};

/// All lanes of kLane bytes joined: their result is in each. Quarters at a time, as turning does not wait for joining.
template <int32_t kLane, typename Join>
OPKG_INLINE HVX_Vector join_lanes(HVX_Vector v, const Join& join) {
  int32_t turn = 64;
  for (; turn >= 2 * kLane; turn /= 4) {
    const HVX_Vector half = join(v, Q6_V_vror_VR(v, turn));
    v = join(join(half, Q6_V_vror_VR(v, turn / 2)), Q6_V_vror_VR(v, turn + turn / 2));
  }
  return turn >= kLane ? join(v, Q6_V_vror_VR(v, turn)) : v;
}

/// The first lane.
template <typename T>
OPKG_INLINE T first(HVX_Vector v) {
  return static_cast<T>(static_cast<uint32_t>(Q6_R_vextract_VR(v, 0)));
}

OPKG_INLINE HVX_Vector larger(uint8_t, HVX_Vector a, HVX_Vector b) { return Q6_Vub_vmax_VubVub(a, b); }
OPKG_INLINE HVX_Vector larger(int8_t, HVX_Vector a, HVX_Vector b) { return Q6_Vb_vmax_VbVb(a, b); }
OPKG_INLINE HVX_Vector larger(uint16_t, HVX_Vector a, HVX_Vector b) { return Q6_Vuh_vmax_VuhVuh(a, b); }
OPKG_INLINE HVX_Vector larger(int16_t, HVX_Vector a, HVX_Vector b) { return Q6_Vh_vmax_VhVh(a, b); }
OPKG_INLINE HVX_Vector larger(int32_t, HVX_Vector a, HVX_Vector b) { return Q6_Vw_vmax_VwVw(a, b); }
OPKG_INLINE HVX_Vector smaller(uint8_t, HVX_Vector a, HVX_Vector b) { return Q6_Vub_vmin_VubVub(a, b); }
OPKG_INLINE HVX_Vector smaller(int8_t, HVX_Vector a, HVX_Vector b) { return Q6_Vb_vmin_VbVb(a, b); }
OPKG_INLINE HVX_Vector smaller(uint16_t, HVX_Vector a, HVX_Vector b) { return Q6_Vuh_vmin_VuhVuh(a, b); }
OPKG_INLINE HVX_Vector smaller(int16_t, HVX_Vector a, HVX_Vector b) { return Q6_Vh_vmin_VhVh(a, b); }
OPKG_INLINE HVX_Vector smaller(int32_t, HVX_Vector a, HVX_Vector b) { return Q6_Vw_vmin_VwVw(a, b); }

/// The largest or smallest of all lanes.
template <typename T>
OPKG_INLINE T largest(HVX_Vector v) {
  return first<T>(join_lanes<sizeof(T)>(v, [](HVX_Vector a, HVX_Vector b) OPKG_INLINE_LAMBDA { return larger(T{}, a, b); }));
}
template <typename T>
OPKG_INLINE T smallest(HVX_Vector v) {
  return first<T>(join_lanes<sizeof(T)>(v, [](HVX_Vector a, HVX_Vector b) OPKG_INLINE_LAMBDA { return smaller(T{}, a, b); }));
}

/// The sum of all 32-bit lanes, which 32 bits hold as a T.
template <typename T>
OPKG_INLINE int64_t total(HVX_Vector v) {
  return first<T>(join_lanes<4>(v, [](HVX_Vector a, HVX_Vector b) OPKG_INLINE_LAMBDA { return Q6_Vw_vadd_VwVw(a, b); }));
}
template <typename T>
OPKG_INLINE int64_t total(HVX_VectorPair w) {
  return total<T>(Q6_Vw_vadd_VwVw(Q6_V_lo_W(w), Q6_V_hi_W(w)));
}

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_ROWS_H_
