// Rows that are reduced in vectors: lanes of the last step, joining the lanes of a vector, and the numbers between loops.
#ifndef OPKG_HVX_ROWS_H_
#define OPKG_HVX_ROWS_H_

#include "opkg/hvx.h"
#include "opkg/scalar.h"

namespace opkg::hvx {

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
    lower(bits, 15, largest);
    lower(bits, 31, reach);
    if (bits < kFraction) return;
    const double unit = std::ldexp(1.0, bits);
    // Half a unit for each rounded factor, half a step of the 16-bit lanes for their truncation.
    ok = (0.5 * span + 1.0) / unit + 0.5 / (1 << kFraction) + blur < 0.45;
    for (uint32_t i = 0; i < kTerms; ++i) factor[i] = static_cast<int32_t>(std::nearbyint(real[i] * unit));
    shift = bits - kFraction;
    bias = static_cast<int32_t>(std::nearbyint(constant * unit)) + (shift > 0 ? 1 << (shift - 1) : 0);
  }

 private:
  /// Bits behind the point that leave `value` below 2^limit, with its rounding.
  static void lower(int32_t& bits, int32_t limit, double value) {
    int exponent = 0;
    std::frexp(value * 1.0001, &exponent);  // value < 2^exponent
    if (bits > limit - exponent) bits = limit - exponent;
  }
};

/// a * x * y + b * x + c * y + d as a * (x - x0) * (y - y0) + smaller terms, with whole x0 and y0 of 0 to 255.
struct Centered {
  int32_t x0 = 0;
  int32_t y0 = 0;
  double b = 0.0;
  double c = 0.0;
  double d = 0.0;

  Centered(double a, double b_, double c_, double d_, int32_t low) : b(b_), c(c_), d(d_) {
    x0 = nearest(a, c_, low);
    y0 = nearest(a, b_, low);
    b += a * y0;
    c += a * x0;
    d += a * x0 * y0 + b_ * x0 + c_ * y0;
  }

 private:
  static int32_t nearest(double a, double slope, int32_t low) {
    const double place = a == 0.0 ? 0.0 : std::nearbyint(-slope / a);
    return place > low ? (place < low + 255 ? static_cast<int32_t>(place) : low + 255) : low;
  }
};

/// 16 bits in both halves of a word, as multiplications by a scalar take them.
inline int32_t both_halves(int32_t half) { return static_cast<int32_t>((static_cast<uint32_t>(half) & 0xffffu) * 0x10001u); }

/// A table of 256 numbers as low + unit * (entry + fraction / 65536): 16-bit entries and the 16 bits behind their point.
struct Spread {
  double low = 0.0;
  double unit = 0.0;
  bool positive = false;  ///< all numbers are >= 0 and the first one is the largest
  bool ok = false;        ///< all numbers are finite

  explicit Spread(const double (&values)[256]) {
    double high = low = values[0];
    for (const double value : values) {
      if (!(std::fabs(value) < 1e300)) return;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    ok = true;
    positive = low >= 0.0 && values[0] == high;
    unit = (high - low) / 65535.0;
  }
  Spread() = default;

  /// The number in units of 2^-16 entries.
  uint32_t fixed(double value) const {
    return unit == 0.0 ? 0 : static_cast<uint32_t>(std::nearbyint((value - low) / unit * 65536.0));
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

/// All lanes of kLane bytes joined: their result is in each.
template <int32_t kLane, typename Join>
OPKG_INLINE HVX_Vector join_lanes(HVX_Vector v, const Join& join) {
  for (int32_t turn = 64; turn >= kLane; turn /= 2) v = join(v, Q6_V_vror_VR(v, turn));
  return v;
}

/// The first lane.
template <typename T>
OPKG_INLINE int64_t first(HVX_Vector v) {
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
OPKG_INLINE int64_t largest(HVX_Vector v) {
  return first<T>(join_lanes<sizeof(T)>(v, [](HVX_Vector a, HVX_Vector b) OPKG_INLINE_LAMBDA { return larger(T{}, a, b); }));
}
template <typename T>
OPKG_INLINE int64_t smallest(HVX_Vector v) {
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
