// Products of the elements of rows and of columns, as mantissas and exponents of 32 lanes: nothing
// overflows or vanishes on the way. Whole numbers on any architecture, of floats too. C++17.
#ifndef OPKG_HVX_FACTORS_H_
#define OPKG_HVX_FACTORS_H_

#include <cmath>
#include <type_traits>

#include "opkg/hvx_scans.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Numbers: size * 2^(exponent - 30), where size is 2^30 to 2^31, or 0. The top bit of `sign` is
/// that of the number.
struct Mantissas {
  HVX_Vector size = Q6_V_vsplat_R(1 << 30), exponent = Q6_V_vzero(), sign = Q6_V_vzero();

  OPKG_INLINE void join(const Mantissas& other) {
    size = product(size, other.size);
    exponent = Q6_Vw_vadd_VwVw(Q6_Vw_vadd_VwVw(exponent, other.exponent), Q6_V_vsplat_R(1));
    sign = Q6_V_vxor_VV(sign, other.sign);
    const HVX_VectorPred small = Q6_Q_vcmp_gt_VwVw(Q6_V_vsplat_R(1 << 30), size);
    exponent = Q6_Vw_condnac_QVwVw(small, exponent, Q6_V_vsplat_R(1));
    size = Q6_Vw_condacc_QVwVw(small, size, size);
  }
  /// a * b / 2^31, rounded.
  static OPKG_INLINE HVX_Vector product(HVX_Vector a, HVX_Vector b) { return Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(Q6_Vw_vmpye_VwVuh(a, b), a, b); }
};

/// What single elements are, and what products become. `Stored`: an integer type, of quantized
/// elements.
template <typename Stored>
class StoredMantissas {
 public:
  static constexpr size_t kMost = sizeof(Stored) == 1 ? size_t{1} << 20 : size_t{1} << 12;  ///< factors: half a step off

  OPKG_SMALL StoredMantissas(const ScanNumbers& numbers, size_t count) {
    taken_ = count <= kMost && numbers.in > 0.0 && numbers.out > 0.0 && numbers.in < 1e38 && numbers.out < 1e38 && fits(numbers.in_zero) && fits(numbers.out_zero);
    if (!taken_) return;
    zero_ = static_cast<int32_t>(numbers.in_zero), out_zero_ = static_cast<int32_t>(numbers.out_zero);
    int power = 0;
    double scale = std::frexp(numbers.in, &power),
           all = 1.0;  // all * 2^exponent_: of the powers so far
    exponent_ = 0;
    for (size_t left = count; left != 0; left >>= 1) {
      int more = 0;
      if ((left & 1) != 0) all = std::frexp(all * scale, &more), exponent_ += more + power;
      scale = std::frexp(scale * scale, &more), power = 2 * power + more;
    }
    int under = 0;
    all = std::frexp(all / std::frexp(numbers.out, &under), &power);
    exponent_ += power - under - 1;
    size_ = static_cast<int32_t>(std::nearbyint(std::ldexp(all, 31)) - (all >= 1.0 - 0x1p-33 ? 1.0 : 0.0));
  }

  bool taken() const { return taken_; }
  OPKG_INLINE HVX_Vector one() const { return Q6_V_vsplat_R(zero_ + 1); }

  OPKG_INLINE Mantissas of(HVX_Vector x) const {
    const HVX_Vector steps = Q6_Vw_vsub_VwVw(x, Q6_V_vsplat_R(zero_)), size = Q6_Vw_vabs_Vw(steps), zeros = Q6_Vuw_vcl0_Vuw(size);
    Mantissas found;
    found.size = Q6_Vw_vasl_VwVw(size, Q6_Vw_vsub_VwVw(zeros, Q6_V_vsplat_R(1)));
    found.exponent = Q6_Vw_vsub_VwVw(Q6_V_vsplat_R(31), zeros);
    found.sign = steps;
    return found;
  }

  /// Steps from the zero point as words, beyond what elements hold, too.
  OPKG_INLINE HVX_Vector result(const Mantissas& found) const {
    const HVX_Vector size = Mantissas::product(found.size, Q6_V_vsplat_R(size_)), one = Q6_V_vsplat_R(1);
    const HVX_Vector shift = Q6_Vw_vsub_VwVw(Q6_V_vsplat_R(29 - exponent_), found.exponent);
    const HVX_Vector within = Q6_Vw_vmin_VwVw(Q6_Vw_vmax_VwVw(shift, one), Q6_V_vsplat_R(31));
    const HVX_Vector half = Q6_Vw_vasl_VwVw(one, Q6_Vw_vsub_VwVw(within, one));
    HVX_Vector steps = Q6_Vw_vlsr_VwVw(Q6_Vw_vadd_VwVw(size, half), within);
    const HVX_VectorPred none = Q6_Q_or_QQ(Q6_Q_vcmp_gt_VwVw(shift, Q6_V_vsplat_R(31)), Q6_Q_vcmp_eq_VwVw(size, Q6_V_vzero()));
    steps = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VwVw(one, shift), Q6_V_vsplat_R(kFar), Q6_Vw_vmin_VwVw(steps, Q6_V_vsplat_R(kFar)));
    steps = Q6_V_vmux_QVV(none, Q6_V_vzero(), steps);
    const HVX_VectorPred minus = Q6_Q_vcmp_gt_VwVw(Q6_V_vzero(), found.sign);
    return Q6_Vw_vadd_VwVw(Q6_V_vmux_QVV(minus, Q6_Vw_vsub_VwVw(Q6_V_vzero(), steps), steps), Q6_V_vsplat_R(out_zero_));
  }

 private:
  static constexpr int32_t kFar = 1 << 20;

  static bool fits(int64_t zero) { return zero >= -65536 && zero <= 65536; }

  bool taken_;
  int32_t zero_ = 0, out_zero_ = 0;
  int32_t size_ = 0, exponent_ = 0;  ///< of the scale's power, in steps of results
};

/// Of floats with kMantissa bits behind the point.
template <uint32_t kMantissa>
class FloatMantissas {
 public:
  OPKG_SMALL FloatMantissas(const ScanNumbers&, size_t count) : taken_(count <= size_t{1} << 20) {}

  bool taken() const { return taken_; }
  OPKG_INLINE HVX_Vector one() const { return Q6_V_vsplat_R(kBias << kMantissa); }

  OPKG_INLINE Mantissas of(HVX_Vector x) const {
    const HVX_Vector bits = bits_of(x), fraction = Q6_V_vand_VV(x, Q6_V_vsplat_R((1 << kMantissa) - 1));
    const HVX_Vector power = Q6_Vuw_vlsr_VuwR(bits, kMantissa), zeros = Q6_Vuw_vcl0_Vuw(fraction), one = Q6_V_vsplat_R(1);
    const HVX_Vector whole = Q6_Vw_vasl_VwR(Q6_V_vor_VV(fraction, Q6_V_vsplat_R(1 << kMantissa)), kSpare);
    const HVX_VectorPred normal = Q6_Q_vcmp_gt_VwVw(power, Q6_V_vzero());
    Mantissas found;
    found.size = Q6_V_vmux_QVV(normal, whole, Q6_Vw_vasl_VwVw(fraction, Q6_Vw_vsub_VwVw(zeros, one)));
    found.exponent = Q6_Vw_vsub_VwVw(Q6_V_vmux_QVV(normal, power, Q6_Vw_vsub_VwVw(Q6_V_vsplat_R(kSpare + 2), zeros)), Q6_V_vsplat_R(kBias));
    found.sign = Q6_Vw_vasl_VwR(x, 8 * (4 - kBytesOf));
    return found;
  }
  static OPKG_INLINE HVX_Vector bits_of(HVX_Vector x) { return Q6_V_vand_VV(x, Q6_V_vsplat_R(kSizes)); }

  /// Bits of floats. `most`: the largest bits of all factors but the sign, which tell infinity and NaN.
  OPKG_INLINE HVX_Vector result(const Mantissas& found, HVX_Vector most) const {
    const HVX_Vector power = Q6_Vw_vadd_VwVw(found.exponent, Q6_V_vsplat_R(kBias)), one = Q6_V_vsplat_R(1), zero = Q6_V_vzero();
    const HVX_Vector above = Q6_Vw_vsub_VwVw(Q6_Vw_vmax_VwVw(power, one), one);  // 0 of subnormal numbers
    const HVX_Vector lost = Q6_Vw_vsub_VwVw(above, Q6_Vw_vsub_VwVw(power, one));
    const HVX_Vector shift = Q6_Vw_vmin_VwVw(Q6_Vw_vadd_VwVw(lost, Q6_V_vsplat_R(kSpare)), Q6_V_vsplat_R(31));
    const HVX_Vector half = Q6_Vw_vsub_VwVw(Q6_Vw_vasl_VwVw(one, Q6_Vw_vsub_VwVw(shift, one)), one);
    const HVX_Vector odd = Q6_V_vand_VV(Q6_Vw_vlsr_VwVw(found.size, shift), one);
    HVX_Vector bits = Q6_Vw_vlsr_VwVw(Q6_Vw_vadd_VwVw(found.size, Q6_Vw_vadd_VwVw(half, odd)), shift);
    bits = Q6_Vw_vadd_VwVw(bits, Q6_Vw_vasl_VwR(Q6_Vw_vmin_VwVw(above, Q6_V_vsplat_R(kTop)), kMantissa));
    const HVX_Vector infinity = Q6_V_vsplat_R(kInfinity), nan = Q6_V_vsplat_R(kSizes);
    const HVX_VectorPred none = Q6_Q_or_QQ(Q6_Q_vcmp_eq_VwVw(found.size, zero), Q6_Q_vcmp_gt_VwVw(lost, Q6_V_vsplat_R(kMantissa + 2)));
    bits = Q6_V_vmux_QVV(none, zero, Q6_Vw_vmin_VwVw(bits, infinity));
    const HVX_VectorPred infinite = Q6_Q_vcmp_eq_VwVw(most, infinity), wrong = Q6_Q_vcmp_gt_VwVw(most, infinity);
    const HVX_Vector unless = Q6_V_vmux_QVV(Q6_Q_vcmp_eq_VwVw(found.size, zero), nan, infinity);
    bits = Q6_V_vmux_QVV(wrong, nan, Q6_V_vmux_QVV(infinite, unless, bits));
    const HVX_Vector sign = Q6_V_vand_VV(found.sign, Q6_V_vsplat_R(INT32_MIN));
    return Q6_V_vor_VV(bits, Q6_Vuw_vlsr_VuwR(sign, 8 * (4 - kBytesOf)));
  }

 private:
  static constexpr int32_t kBytesOf = kMantissa == 23 ? 4 : 2, kSpare = 30 - static_cast<int32_t>(kMantissa);
  static constexpr int32_t kBias = kBytesOf == 4 ? 127 : 15, kTop = 2 * kBias;
  static constexpr int32_t kSizes = kBytesOf == 4 ? INT32_MAX : 0x7fff, kInfinity = (kTop + 1) << kMantissa;

  bool taken_;
};

/// The product of each row or column as one result. `T`, `To`: integers as elements and results
/// lie, or float and uint16_t (halves).
template <typename T, typename To, typename Of>
class ElementProducts {
 public:
  static constexpr bool kReduces = true;
  static constexpr size_t kSize = sizeof(T), kLanes = kBytes / kSize, kParts = 4 / kSize;

  OPKG_SMALL ElementProducts(const ScanNumbers& numbers, size_t count) : of_(numbers, count) {}

  bool taken() const { return of_.taken(); }

  /// A vector of columns, or the first `bytes` of it.
  template <bool kWhole>
  OPKG_INLINE void columns(const uint8_t* at, uint8_t* to, size_t stride, size_t count, size_t bytes) const {
    if (kWhole || bytes > 32 * kSize) {
      down<kWhole, kParts>(at, to, stride, count, bytes);
    } else {
      down<false, 1>(at, to, stride, count, bytes);
    }
  }

  /// Rows one after another; those that fill no vector of words are joined together.
  OPKG_INLINE void rows(const uint8_t* at, uint8_t* to, size_t rows, size_t count) const {
    const size_t together = count <= 32 ? kTogether : 1;
    OPKG_UNROLL(1)
    while (rows != 0) {
      const size_t some = rows < together ? rows : together;
      if (count <= 32) {
        few(at, to, some, count);
      } else {
        row(at, to, count);
      }
      rows -= some, at += some * count * kSize, to += some * kSize;
    }
  }

 private:
  static constexpr size_t kTogether = 4;  ///< rows
  static constexpr bool kFloats = !std::is_same_v<Of, StoredMantissas<T>>;

  struct Found {
    Mantissas factors;
    HVX_Vector most = Q6_V_vzero();  ///< bits of floats

    OPKG_INLINE void take(const Of& of, HVX_Vector x) {
      factors.join(of.of(x));
      if constexpr (kFloats) most = Q6_Vw_vmax_VwVw(most, Of::bits_of(x));
    }
    OPKG_INLINE void join(const Found& other) {
      factors.join(other.factors);
      if constexpr (kFloats) most = Q6_Vw_vmax_VwVw(most, other.most);
    }
    /// Neighbouring lanes joined: those of `found` first.
    static OPKG_INLINE Found folded(const Found& found, const Found& next) {
      const auto apart = [](HVX_Vector a, HVX_Vector b) OPKG_INLINE_LAMBDA { return Q6_W_vdeal_VVR(b, a, -4); };
      const HVX_VectorPair size = apart(found.factors.size, next.factors.size), sign = apart(found.factors.sign, next.factors.sign);
      const HVX_VectorPair exponent = apart(found.factors.exponent, next.factors.exponent), most = apart(found.most, next.most);
      Found even, odd;
      even.factors.size = Q6_V_lo_W(size), even.factors.exponent = Q6_V_lo_W(exponent), even.factors.sign = Q6_V_lo_W(sign);
      odd.factors.size = Q6_V_hi_W(size), odd.factors.exponent = Q6_V_hi_W(exponent), odd.factors.sign = Q6_V_hi_W(sign);
      even.most = Q6_V_lo_W(most), odd.most = Q6_V_hi_W(most);
      even.join(odd);
      return even;
    }
    OPKG_INLINE HVX_Vector result(const Of& of) const {
      if constexpr (kFloats) return of.result(factors, most);
      if constexpr (!kFloats) return of.result(factors);
    }
  };
  using Words = HVX_Vector[kParts];

  template <bool kWhole, size_t kUsed>
  __attribute__((noinline)) void down(const uint8_t* at, uint8_t* to, size_t stride, size_t count, size_t bytes) const {
    Found found[kUsed];
    OPKG_UNROLL(1)
    for (size_t i = 0; i < count; ++i, at += stride) take(found, kWhole ? load_unaligned(at) : load_some(at, bytes));
    Words words;
    for (size_t part = 0; part < kParts; ++part) words[part] = found[part % kUsed].result(of_);
    if (kWhole) {
      store_unaligned(to, packed(words));
    } else {
      store_some(to, bytes, packed(words));
    }
  }

  __attribute__((noinline)) void row(const uint8_t* at, uint8_t* to, size_t count) const {
    Found found[kParts];
    OPKG_UNROLL(1)
    for (; count >= kLanes; count -= kLanes, at += kBytes) take(found, load_unaligned(at));
    if (count != 0) take_some(found, load_some(at, count * kSize), count);
    for (size_t part = 1; part < kParts; ++part) found[0].join(found[part]);
    Found all = found[0];
    OPKG_UNROLL(1)
    for (int i = 0; i < 5; ++i) all = Found::folded(all, all);
    put_some(to, all, 1);
  }
  /// At most kTogether short rows.
  __attribute__((noinline)) void few(const uint8_t* at, uint8_t* to, size_t rows, size_t count) const {
    Found all[kTogether];
    const HVX_VectorPred there = Q6_Q_vsetq2_R(static_cast<int32_t>(4 * count));
    for (size_t row = 0; row < kTogether; ++row) {
      Words words;
      widen(load_some(at + (row < rows ? row * count * kSize : 0), count * kSize), words);
      all[row].take(of_, Q6_V_vmux_QVV(there, words[0], of_.one()));
    }
    Found found = Found::folded(Found::folded(all[0], all[1]), Found::folded(all[2], all[3]));
    OPKG_UNROLL(1)
    for (int i = 0; i < 3; ++i) found = Found::folded(found, found);
    put_some(to, found, rows);
  }
  OPKG_INLINE void put_some(uint8_t* to, const Found& found, size_t count) const {
    Words words;
    for (size_t part = 0; part < kParts; ++part) words[part] = found.result(of_);
    store_some(to, count * kSize, packed(words));
  }

  static OPKG_INLINE void widen(HVX_Vector v, Words& to) {
    if constexpr (kSize == 4) {
      to[0] = v;
    } else if constexpr (kSize == 2) {
      const HVX_VectorPair pair = std::is_signed_v<T> ? Q6_Ww_vunpack_Vh(v) : Q6_Wuw_vunpack_Vuh(v);
      to[0] = Q6_V_lo_W(pair), to[1] = Q6_V_hi_W(pair);
    } else {
      const HVX_VectorPair pair = std::is_signed_v<T> ? Q6_Wh_vunpack_Vb(v) : Q6_Wuh_vunpack_Vub(v);
      for (size_t i = 0; i < 2; ++i) {
        const HVX_Vector half = i == 0 ? Q6_V_lo_W(pair) : Q6_V_hi_W(pair);
        const HVX_VectorPair words = std::is_signed_v<T> ? Q6_Ww_vunpack_Vh(half) : Q6_Wuw_vunpack_Vuh(half);
        to[2 * i] = Q6_V_lo_W(words), to[2 * i + 1] = Q6_V_hi_W(words);
      }
    }
  }
  template <size_t kUsed>
  OPKG_INLINE void take(Found (&found)[kUsed], HVX_Vector v) const {
    Words words;
    widen(v, words);
    for (size_t part = 0; part < kUsed; ++part) found[part].take(of_, words[part]);
  }
  /// The first elements of a vector.
  OPKG_INLINE void take_some(Found (&found)[kParts], HVX_Vector v, size_t live) const {
    Words words;
    widen(v, words);
    for (size_t part = 0; part < kParts && live > part * 32; ++part) {
      const size_t more = live - part * 32;
      const HVX_VectorPred there = Q6_Q_vsetq2_R(static_cast<int32_t>(4 * (more < 32 ? more : 32)));
      found[part].take(of_, Q6_V_vmux_QVV(there, words[part], of_.one()));
    }
  }
  /// Words as results lie.
  static OPKG_INLINE HVX_Vector packed(const Words& words) {
    if constexpr (kSize == 4) {
      return words[0];
    } else if constexpr (kFloats) {
      return Q6_Vh_vpacke_VwVw(words[1], words[0]);
    } else if constexpr (kSize == 2) {
      return halves(words[1], words[0]);
    } else {
      const HVX_Vector high = Q6_Vh_vpack_VwVw_sat(words[3], words[2]), low = Q6_Vh_vpack_VwVw_sat(words[1], words[0]);
      return std::is_signed_v<To> ? Q6_Vb_vpack_VhVh_sat(high, low) : Q6_Vub_vpack_VhVh_sat(high, low);
    }
  }
  static OPKG_INLINE HVX_Vector halves(HVX_Vector high, HVX_Vector low) { return std::is_signed_v<To> ? Q6_Vh_vpack_VwVw_sat(high, low) : Q6_Vuh_vpack_VwVw_sat(high, low); }

  Of of_;
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_FACTORS_H_
