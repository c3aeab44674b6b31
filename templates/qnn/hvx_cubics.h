// Smooth functions of halves, 128 at a time: cubics of pieces of equal length, in whole numbers.
#ifndef OPKG_HVX_CUBICS_H_
#define OPKG_HVX_CUBICS_H_

#include <cstddef>
#include <cstdint>

#include "opkg/hvx.h"

namespace opkg::hvx {

/// A function f(x) = g(x), or x g(x), which keeps all digits of results next to 0. On a piece g is 2^-power times
/// value + t (slope + t (bend + t twist)), with t from -1 to 1; it is nowhere below 0.
template <size_t kPieces>
struct Cubics {
  bool times;      ///< f(x) = x g(x)
  int32_t point;   ///< x is looked up with so many bits of fraction, or with the most that 16 bits hold
  int32_t length;  ///< a piece is 2^length of the last of them
  int32_t origin;  ///< and this many are in front of 0
  uint32_t least;  ///< bits of a negative half: smaller ones have its result
  uint32_t most;   ///< of a positive one: larger ones have its result
  bool overflows;  ///< finite numbers may have infinite results
  bool undefined;  ///< f(-infinity) is NaN
  alignas(128) int16_t value[128];
  alignas(128) int16_t slope[128];
  alignas(128) int16_t bend[128];
  alignas(128) int16_t twist[128];
  alignas(128) int8_t power[128];
};

#if OPKG_HVX

OPKG_INLINE HVX_Vector all_h(uint32_t bits) { return Q6_V_vsplat_R(static_cast<int32_t>((bits & 0xffff) * 0x10001u)); }
OPKG_INLINE HVX_Vector vector_of(const void* table) { return *static_cast<const HVX_Vector*>(table); }

/// Entries of 128 indices: those of even bytes and those of odd ones.
template <size_t kPieces, size_t kPart = (kPieces - 1) / 16>
OPKG_INLINE HVX_VectorPair entries(const int16_t (&table)[128], HVX_Vector index) {
  const HVX_Vector values = Q6_Vh_vshuff_Vh(vector_of(table + kPart / 4 * 64));
  if constexpr (kPart == 0) {
    return Q6_Wh_vlut16_VbVhI(index, values, 0);
  } else {
    const HVX_VectorPair before = entries<kPieces, kPart - 1>(table, index);
    return Q6_Wh_vlut16or_WhVbVhI(before, index, values, kPart);
  }
}
template <size_t kPieces, size_t kPart = (kPieces - 1) / 32>
OPKG_INLINE HVX_Vector entries(const int8_t (&table)[128], HVX_Vector index) {
  const HVX_Vector values = Q6_Vb_vshuff_Vb(vector_of(table));
  if constexpr (kPart == 0) {
    return Q6_Vb_vlut32_VbVbI(index, values, 0);
  } else {
    const HVX_Vector before = entries<kPieces, kPart - 1>(table, index);
    return Q6_Vb_vlut32or_VbVbVbI(before, index, values, kPart);
  }
}

/// A half apart: its significand with 15 bits, its exponent (of subnormal ones 1), and the place where it is looked up.
struct Apart {
  HVX_Vector significand, exponent, place;
};
template <const auto& f, size_t kPieces>
OPKG_INLINE Apart apart_hf(HVX_Vector x) {
  if constexpr (f.least < 0xfc00) x = Q6_Vuh_vmin_VuhVuh(x, all_h(f.least));
  if constexpr (f.most < 0x7c00) x = Q6_Vh_vmin_VhVh(x, all_h(f.most));
  const HVX_Vector size = Q6_V_vand_VV(x, all_h(0x7fff)), digits = Q6_V_vand_VV(Q6_Vh_vasl_VhR(x, 4), all_h(0x3ff0));
  const HVX_VectorPred tiny = Q6_Q_vcmp_gt_VhVh(all_h(0x400), size);
  const HVX_Vector significand = Q6_Vh_condacc_QnVhVh(tiny, digits, all_h(0x4000));
  const HVX_Vector exponent = Q6_Vh_condacc_QVhVh(tiny, Q6_Vuh_vlsr_VuhR(size, 10), all_h(1));
  constexpr int32_t behind = (int32_t{kPieces} << f.length) - f.origin;
  constexpr bool kWide = f.origin > 1 << 15 || behind > 1 << 15;  // twice a place takes more than 16 bits
  const HVX_Vector steps = Q6_Vh_vadd_VhVh(exponent, all_h(static_cast<uint32_t>(f.point - 28)));
  const HVX_Vector twice = Q6_Vh_vasl_VhVh(significand, steps);
  HVX_Vector near;
  if constexpr (kWide) {
    const HVX_Vector whole = Q6_Vh_vasl_VhVh(significand, Q6_Vh_vsub_VhVh(steps, all_h(1)));
    near = Q6_Vh_vadd_VhVh(whole, Q6_V_vand_VV(twice, all_h(1)));
  } else {
    near = Q6_Vuh_vavg_VuhVuh_rnd(twice, Q6_V_vzero());
  }
  const HVX_VectorPred far = Q6_Q_vcmp_gt_VhVh(exponent, all_h(static_cast<uint32_t>(29 + kWide - f.point)));
  const HVX_Vector away = Q6_V_vmux_QVV(far, all_h(0xffff), near), origin = all_h(static_cast<uint32_t>(f.origin));
  const HVX_Vector place = Q6_V_vmux_QVV(Q6_Q_vcmp_gt_VhVh(Q6_V_vzero(), x), Q6_Vuh_vsub_VuhVuh_sat(origin, away),
                                         Q6_Vuh_vadd_VuhVuh_sat(origin, away));
  return {significand, exponent, Q6_Vuh_vmin_VuhVuh(place, all_h((kPieces << f.length) - 1))};
}

/// The half of a number of up to 15 bits, which is its size times 2^-(29 - exponent).
OPKG_INLINE HVX_Vector half_of(HVX_Vector number, HVX_Vector exponent) {
  const HVX_Vector room = Q6_Vh_vmin_VhVh(Q6_Vuh_vcl0_Vuh(number), exponent);  // subnormal numbers: the least exponent
  const HVX_Vector digits = Q6_Vuh_vavg_VuhVuh_rnd(Q6_Vh_vasl_VhVh(number, room), all_h(15));
  return Q6_Vh_vadd_VhVh(Q6_Vuh_vlsr_VuhR(digits, 4), Q6_Vh_vasl_VhR(Q6_Vh_vsub_VhVh(exponent, room), 10));
}

/// a + b t.
OPKG_INLINE HVX_Vector sum_along(HVX_Vector a, HVX_Vector b, HVX_Vector t) {
  return Q6_Vh_vadd_VhVh_sat(a, Q6_Vh_vmpy_VhVh_s1_rnd_sat(b, t));
}

/// The numbers of each lane's piece.
struct Piece {
  HVX_Vector power, twist, bend, slope, value;
};
template <const auto& f>
OPKG_INLINE HVX_Vector on_piece(HVX_Vector x, const Apart& part, const Piece& piece) {
  const HVX_Vector t = Q6_V_vxor_VV(Q6_Vh_vasl_VhR(part.place, 16 - f.length), all_h(0x8000));
  const HVX_Vector g = sum_along(piece.value, sum_along(piece.slope, sum_along(piece.bend, piece.twist, t), t), t);
  HVX_Vector found;
  if constexpr (f.times) {
    const HVX_Vector number = Q6_Vh_vmpy_VhVh_s1_rnd_sat(g, part.significand);
    found = Q6_V_vor_VV(half_of(number, Q6_Vh_vsub_VhVh(part.exponent, piece.power)), Q6_V_vand_VV(x, all_h(0x8000)));
  } else {
    found = half_of(g, piece.power);
  }
  if constexpr (f.overflows) found = Q6_Vuh_vmin_VuhVuh(found, all_h(0x7c00));
  HVX_VectorPred none = Q6_Q_vcmp_gt_VhVh(Q6_V_vand_VV(x, all_h(0x7fff)), all_h(0x7c00));
  if constexpr (f.undefined) none = Q6_Q_vcmp_eqor_QVhVh(none, x, all_h(0xfc00));
  return Q6_V_vmux_QVV(none, all_h(0x7fff), found);
}

/// f(x).
template <const auto& f, size_t kPieces>
OPKG_INLINE HVX_VectorPair cubics_hf(HVX_Vector x1, HVX_Vector x0) {
  const Apart first = apart_hf<f, kPieces>(x0), second = apart_hf<f, kPieces>(x1);
  HVX_Vector index = Q6_Vb_vshuffo_VbVb(second.place, first.place);
  if constexpr (f.length > 8) index = Q6_Vub_vlsr_VubR(index, f.length - 8);
  const HVX_VectorPair power = Q6_Wh_vsxt_Vb(entries<kPieces>(f.power, index));
  const HVX_VectorPair twist = entries<kPieces>(f.twist, index), bend = entries<kPieces>(f.bend, index);
  const HVX_VectorPair slope = entries<kPieces>(f.slope, index), value = entries<kPieces>(f.value, index);
  const Piece low = {Q6_V_lo_W(power), Q6_V_lo_W(twist), Q6_V_lo_W(bend), Q6_V_lo_W(slope), Q6_V_lo_W(value)};
  const Piece high = {Q6_V_hi_W(power), Q6_V_hi_W(twist), Q6_V_hi_W(bend), Q6_V_hi_W(slope), Q6_V_hi_W(value)};
  return Q6_W_vcombine_VV(on_piece<f>(x1, second, high), on_piece<f>(x0, first, low));
}

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_CUBICS_H_
