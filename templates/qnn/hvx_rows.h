// Rows that are reduced in vectors: joining the lanes of a vector, and the numbers between loops.
#ifndef OPKG_HVX_ROWS_H_
#define OPKG_HVX_ROWS_H_

#include "opkg/hvx.h"
#include "opkg/hvx_linear.h"
#include "opkg/hvx_row_steps.h"
#include "opkg/hvx_table.h"
#include "opkg/scalar.h"
#include "opkg/small.h"

namespace opkg::hvx {

/// 16 bits in both halves of a word, as multiplications by a scalar take them.
inline int32_t both_halves(int32_t half) { return static_cast<int32_t>((static_cast<uint32_t>(half) & 0xffffu) * 0x10001u); }

#if OPKG_HVX
/// Writes one number to all of a row.
template <typename T>
OPKG_RARE bool fill(void* row, size_t n, T value) {
  uint8_t* to = static_cast<uint8_t*>(row);
  const HVX_Vector all = sizeof(T) == 1 ? Q6_Vb_vsplat_R(value) : Q6_Vh_vsplat_R(value);
  size_t bytes = n * sizeof(T);
  for (; bytes > kBytes; bytes -= kBytes, to += kBytes) store_unaligned(to, all);
  store_some(to, bytes, all);
  return true;
}
#endif  // OPKG_HVX

/// 256 numbers as low + unit * (entry + fraction / 65536): entries of 16 bits, the nearest ones, and what they miss.
struct Spread {
  double low = 0.0;
  double unit = 0.0;
  int64_t first = 0;           ///< the first entry, in units of 2^-16 entries
  int64_t first_fraction = 0;  ///< what it misses

  /// Fills the tables in the order that lookups read. `beside`: another value that an entry of 0 or more may stand for. False
  /// when some number is not finite.
  OPKG_SMALL bool set(const double (&values)[256], uint16_t (&entries)[256], uint16_t (&fractions)[256]) {
    return set(values, entries, fractions, values[0]);
  }

  OPKG_SMALL bool set(const double (&values)[256], uint16_t (&entries)[256], uint16_t (&fractions)[256], double beside) {
    double high = low = beside;
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
      if (i == 0) first = entry << 16;
      if (i == 0) first_fraction = fixed - first;
    }
    return true;
  }
};

/// 1 / x as the product of two floats: what is multiplied with one after the other neither overflows nor vanishes between.
struct Inverse {
  float first, second;

  explicit Inverse(double x) {
    const double whole = 1.0 / x, size = std::fabs(whole);
    const double far = size > 0x1p100 ? 0x1p100 : size < 0x1p-100 ? 0x1p-100
                                                                  : 1.0;
    first = static_cast<float>(whole / far);
    second = static_cast<float>(far);
  }
};

/// Lanes of the last step that have no element.
inline int64_t missing(size_t n, size_t step) { return n % step == 0 ? 0 : static_cast<int64_t>(step - n % step); }

#if OPKG_HVX

/// Sums and products of 16-bit lanes by factors: those of each word, or one in both halves of a scalar.
OPKG_INLINE HVX_VectorPair add_products(HVX_VectorPair sums, HVX_Vector v, HVX_Vector factors) { return Q6_Ww_vmpyacc_WwVhVh(sums, v, factors); }
OPKG_INLINE HVX_VectorPair add_products(HVX_VectorPair sums, HVX_Vector v, int32_t factors) { return Q6_Ww_vmpyacc_WwVhRh(sums, v, factors); }

/// An input of n elements at `data`, or one number for all of them: a vector of it at a multiple of 128.
template <typename T, uint32_t kStep>
class InOrSame {
 public:
  OPKG_INLINE_TINY InOrSame(const void* data, size_t n, bool same)
      : in_(data, n), data_(static_cast<const uint8_t*>(data)), same_(same), bytes_(same ? 0 : kBytes) {}

  template <typename Lanes>
  OPKG_INLINE HVX_Vector at(const Lanes& lanes, size_t step, uint32_t part) const {
    if (!lanes.whole()) return same_ ? load_unaligned(data_) : in_.tail(part);
    return load_unaligned(data_ + (step * (kStep * sizeof(T) / kBytes) + part) * bytes_);
  }

 private:
  In<T, kStep, Walk::anywhere> in_;
  const uint8_t* data_;
  bool same_;
  size_t bytes_;  ///< from vector to vector
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

/// Entries of 16 bits for 128 indices: those of even and those of odd places. The table's 256 are in four vectors.
OPKG_INLINE HVX_VectorPair lookup16(HVX_Vector index, HVX_Vector first, HVX_Vector second, HVX_Vector third, HVX_Vector fourth) {
  HVX_VectorPair found = Q6_Wh_vlut16_VbVhI(index, first, 0);
  found = Q6_Wh_vlut16or_WhVbVhI(found, index, first, 1);
  found = Q6_Wh_vlut16or_WhVbVhI(found, index, first, 2);
  found = Q6_Wh_vlut16or_WhVbVhI(found, index, first, 3);
  found = Q6_Wh_vlut16or_WhVbVhI(found, index, second, 4);
  found = Q6_Wh_vlut16or_WhVbVhI(found, index, second, 5);
  found = Q6_Wh_vlut16or_WhVbVhI(found, index, second, 6);
  found = Q6_Wh_vlut16or_WhVbVhI(found, index, second, 7);
  found = Q6_Wh_vlut16or_WhVbVhR(found, index, third, 8);
  found = Q6_Wh_vlut16or_WhVbVhR(found, index, third, 9);
  found = Q6_Wh_vlut16or_WhVbVhR(found, index, third, 10);
  found = Q6_Wh_vlut16or_WhVbVhR(found, index, third, 11);
  found = Q6_Wh_vlut16or_WhVbVhR(found, index, fourth, 12);
  found = Q6_Wh_vlut16or_WhVbVhR(found, index, fourth, 13);
  found = Q6_Wh_vlut16or_WhVbVhR(found, index, fourth, 14);
  return Q6_Wh_vlut16or_WhVbVhR(found, index, fourth, 15);
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

/// Element `index` of a row.
template <typename T>
OPKG_INLINE int32_t element(const void* row, size_t index) {
  T value;
  memcpy(&value, static_cast<const uint8_t*>(row) + index * sizeof(T), sizeof value);
  return static_cast<int32_t>(value);
}

/// An input with one element for each row.
template <typename T>
class InSame {
 public:
  OPKG_INLINE explicit InSame(const void* data) : all_(splat(data)) {}

  template <typename Lanes>
  OPKG_INLINE HVX_Vector at(const Lanes&, size_t, uint32_t) const { return all_; }

 private:
  static OPKG_INLINE HVX_Vector splat(const void* data) {
    if constexpr (sizeof(T) == 1) return Q6_Vb_vsplat_R(element<uint8_t>(data, 0));
    if constexpr (sizeof(T) == 2) return Q6_Vh_vsplat_R(element<uint16_t>(data, 0));
    if constexpr (sizeof(T) == 4) return Q6_V_vsplat_R(element<int32_t>(data, 0));
  }

  HVX_Vector all_;
};

/// All lanes as floats, joined in double.
template <typename Join>
OPKG_INLINE double fold_sf(HVX_Vector v, const Join& join) {
  alignas(128) float lanes[32];
  memcpy(lanes, &v, sizeof lanes);
  double found = static_cast<double>(lanes[0]);
  OPKG_UNROLL(1)
  for (uint32_t i = 1; i < 32; ++i) found = join(found, static_cast<double>(lanes[i]));
  return found;
}
OPKG_INLINE double total_sf(HVX_Vector v) {
  return fold_sf(v, [](double a, double b) { return a + b; });
}
OPKG_INLINE double largest_sf(HVX_Vector v) {
  return fold_sf(v, [](double a, double b) { return maximum(a, b); });
}
OPKG_INLINE double smallest_sf(HVX_Vector v) {
  return fold_sf(v, [](double a, double b) { return minimum(a, b); });
}

/// The sum of all 32-bit lanes, which 32 bits hold as a T.
template <typename T>
OPKG_INLINE T total(HVX_Vector v) {
  return first<T>(join_lanes<4>(v, [](HVX_Vector a, HVX_Vector b) OPKG_INLINE_LAMBDA { return Q6_Vw_vadd_VwVw(a, b); }));
}
template <typename T>
OPKG_INLINE T total(HVX_VectorPair w) {
  return total<T>(Q6_Vw_vadd_VwVw(Q6_V_lo_W(w), Q6_V_hi_W(w)));
}

/// The same of two vectors, added to numbers: half as many turns.
template <typename A, typename B>
OPKG_INLINE void add_totals(HVX_Vector a, int64_t& to_a, HVX_Vector b, int64_t& to_b) {
  const HVX_VectorPair apart = Q6_W_vdeal_VVR(b, a, -4);
  HVX_Vector v = Q6_Vw_vadd_VwVw(Q6_V_lo_W(apart), Q6_V_hi_W(apart));  // words of a, then as many of b
  for (const int32_t turn : {16, 4}) {
    const HVX_Vector half = Q6_Vw_vadd_VwVw(v, Q6_V_vror_VR(v, turn));
    v = Q6_Vw_vadd_VwVw(Q6_Vw_vadd_VwVw(half, Q6_V_vror_VR(v, 2 * turn)), Q6_V_vror_VR(v, 3 * turn));
  }
  to_a += first<A>(v);
  to_b += static_cast<B>(static_cast<uint32_t>(Q6_R_vextract_VR(v, kBytes / 2)));
}

/// The sum of numbers whose lower and upper halves a pair has sums of.
OPKG_INLINE int64_t total_of_halves(HVX_VectorPair sums) {
  int64_t high = 0, low = 0;
  add_totals<uint32_t, uint32_t>(Q6_V_hi_W(sums), high, Q6_V_lo_W(sums), low);
  return high * 65536 + low;
}

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_ROWS_H_
