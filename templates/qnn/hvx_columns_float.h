// What is found of columns of floats: sums of twice the digits, extremes, sums of squares about a mean, and results of them.
//
// A sum is `high + low` in each lane. Rows are added up in single precision in blocks of a 32nd of them, at most 64, as lanes
// of a row are (opkg/hvx_rows.h); blocks are joined with what the sum rounds off. kExact: every row is a block.
#ifndef OPKG_HVX_COLUMNS_FLOAT_H_
#define OPKG_HVX_COLUMNS_FLOAT_H_

#include "opkg/hvx_finish.h"
#include "opkg/hvx_float_sums.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg::hvx {

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

/// What is found of elements themselves; else a function of 32 of them is in its place.
struct Itself {
  static OPKG_INLINE HVX_Vector of(HVX_Vector elements) { return elements; }
};

/// The square of what elements are more than a number of their column.
struct Squared {
  static OPKG_INLINE HVX_Vector of(HVX_Vector elements, HVX_Vector about) {
    const HVX_Vector d = sub_sf(elements, about);
    return mul_sf(d, d);
  }
};

/// A function of a struct's own, of elements and of a number of their column.
template <typename Rows>
struct OfBoth {
  const Rows* rows = nullptr;
  OPKG_INLINE HVX_Vector of(HVX_Vector elements, HVX_Vector about) const { return rows->about(elements, about); }
};

/// Which lanes hold elements, in the order of groups: all bits of those.
template <typename T>
OPKG_INLINE void live_groups(HVX_VectorPred live, HVX_Vector* to) {
  to[0] = Q6_V_vand_QR(live, -1);
  if constexpr (sizeof(T) == 2) {
    const HVX_VectorPair lanes = Q6_Ww_vunpack_Vh(to[0]), apart = Q6_W_vdeal_VVR(Q6_V_hi_W(lanes), Q6_V_lo_W(lanes), -4);
    to[0] = Q6_V_lo_W(apart);
    to[1] = Q6_V_hi_W(apart);
  }
}

/// Sums of elements, or of a function of them; kAbout: and of a number of their column. T: float, or uint16_t for halves.
template <typename T, bool kExact, bool kAbout, typename Function = Itself>
class FloatTotal {
  static constexpr uint32_t kGroups = 4 / sizeof(T);

 public:
  static constexpr uint32_t kNumbers = 2;
  static constexpr bool kAdds = true;

  OPKG_INLINE void bind(const Function& function) { function_ = function; }

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
    live_groups<T>(live, on);
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
  /// Of halves in blocks, one pixel of two.
  OPKG_INLINE void keep(HVX_VectorPred) {
    sums_[kGroups - 1] = Sum2();
    block_[kGroups - 1] = Q6_V_vzero();
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
    for (uint32_t i = 0; i < kGroups; ++i) {
      if constexpr (kAbout) {
        to[i] = function_.of(to[i], about_[i]);
      } else {
        to[i] = Function::of(to[i]);
      }
    }
  }

  Sum2 sums_[kGroups];
  HVX_Vector block_[kGroups] = {};
  HVX_Vector about_[kGroups] = {};
  Function function_;
};
template <typename T, bool kExact, typename Function = Itself>
using FloatSum = FloatTotal<T, kExact, false, Function>;
template <typename T, bool kExact>
using SquaresAbout = FloatTotal<T, kExact, true, Squared>;
template <typename Rows, bool kExact>
using SumAbout = FloatTotal<typename Rows::Element, kExact, true, OfBoth<Rows>>;

/// The largest or smallest value of a function of every lane's elements, NaN where one is.
template <typename T, bool kLargest, typename Function = Itself>
class FloatExtreme {
  static constexpr uint32_t kGroups = 4 / sizeof(T);

 public:
  static constexpr uint32_t kNumbers = 1;
  static constexpr bool kAdds = false;

  OPKG_INLINE FloatExtreme() {
    for (uint32_t i = 0; i < kGroups; ++i) found_[i] = none();
  }
  OPKG_INLINE void one(HVX_Vector a) { some(a, Q6_Q_vsetq2_R(kBytes)); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { one(a), one(b); }
  OPKG_INLINE void some(HVX_Vector a, HVX_VectorPred live) {
    HVX_Vector values[kGroups], on[kGroups];
    floats_of<T>(a, values);
    live_groups<T>(live, on);
    for (uint32_t i = 0; i < kGroups; ++i) {
      const HVX_Vector value = Function::of(values[i]);
      found_[i] = of(found_[i], Q6_V_vmux_QVV(Q6_Q_vand_VR(on[i], -1), value, none()));
    }
  }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void keep(HVX_VectorPred) { found_[kGroups - 1] = none(); }
  OPKG_INLINE void words(HVX_Vector (*to)[kGroups]) { in_order<T>(found_, to[0]); }
  static OPKG_INLINE void joined(HVX_Vector* to, const HVX_Vector* from) { to[0] = of(to[0], from[0]); }

 private:
  static OPKG_INLINE HVX_Vector none() { return splat_w(kLargest ? 0xff800000u : kInfinity); }
  static OPKG_INLINE HVX_Vector of(HVX_Vector a, HVX_Vector b) { return kLargest ? max_sf(a, b) : min_sf(a, b); }

  HVX_Vector found_[kGroups];
};

/// The same of elements themselves.
template <typename T, bool kLargest>
class FloatExtreme<T, kLargest, Itself> {
  static constexpr uint32_t kGroups = 4 / sizeof(T);

 public:
  static constexpr uint32_t kNumbers = 1;
  static constexpr bool kAdds = false;

  OPKG_INLINE void one(HVX_Vector a) { found_ = of(found_, a); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { found_ = of(of(found_, a), b); }
  OPKG_INLINE void some(HVX_Vector a, HVX_VectorPred live) { one(Q6_V_vmux_QVV(live, a, none())); }
  OPKG_INLINE void empty() {}
  OPKG_INLINE void keep(HVX_VectorPred pixels) { found_ = Q6_V_vmux_QVV(pixels, found_, none()); }
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
    (Parts::some(a, with), ...);
  }
  /// As of Found.
  OPKG_INLINE void two_where(HVX_VectorPred with, HVX_Vector a, HVX_Vector b) {
    one(a);
    (Parts::some(b, with), ...);
  }
  OPKG_INLINE void keep(HVX_VectorPred pixels) { (Parts::keep(pixels), ...); }
  OPKG_INLINE void words(HVX_Vector (*to)[kLanes / 32]) { ((Parts::words(to), to += Parts::kNumbers), ...); }

  /// Joins what was found of two columns.
  static OPKG_INLINE void joined(HVX_Vector* to, const HVX_Vector* from) {
    ((Parts::joined(to, from), to += Parts::kNumbers, from += Parts::kNumbers), ...);
  }
};

/// What a second pass finds: squares about the mean, or, of structs with `about`, its sums about number kAbout, an extreme.
template <typename Rows, bool kExact, typename = void>
struct Again : FloatFound<typename Rows::Element, SquaresAbout<typename Rows::Element, kExact>> {
  static constexpr bool kMeans = true;
  OPKG_INLINE void start(const Rows&) {}
};
template <typename Rows, bool kExact>
struct Again<Rows, kExact, std::void_t<decltype(Rows::kAbout)>> : FloatFound<typename Rows::Element, SumAbout<Rows, kExact>> {
  static constexpr bool kMeans = false;
  OPKG_INLINE void start(const Rows& rows) { this->bind({&rows}); }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX && OPKG_HVX_FLOAT
#endif  // OPKG_HVX_COLUMNS_FLOAT_H_
