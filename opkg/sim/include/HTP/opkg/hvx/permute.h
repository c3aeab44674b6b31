// HVX: rotation, alignment, shuffles, deals and table lookups.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_PERMUTE_H_
#define OPKG_HVX_PERMUTE_H_

#include "define.h"

namespace opkg_hvx {

// 128 bytes of the pair (high, low), from byte `start` (0 to 128) on.
inline HVX_Vector window(HVX_Vector high, HVX_Vector low, int start) {
  uint8_t bytes[256];
  memcpy(bytes, &low, 128);
  memcpy(bytes + 128, &high, 128);
  HVX_Vector v;
  memcpy(&v, bytes + start, 128);
  return v;
}

// One step of vshuff and vdeal: exchanges the blocks of `size` bytes at odd places of `low` and even places
// of `high`.
inline void exchange(Lanes<uint8_t>* high, Lanes<uint8_t>* low, int size) {
  for (int i = 0; i < 128; i++) {
    if (i & size) continue;
    const uint8_t kept = high->at[i];
    high->at[i] = low->at[i + size];
    low->at[i + size] = kept;
  }
}

// Even lanes to the low half, odd ones to the high half, or back.
template <typename T>
inline HVX_Vector deal(HVX_Vector v) {
  const Lanes<T> in(v);
  Lanes<T> out;
  constexpr int half = Lanes<T>::count / 2;
  for (int i = 0; i < half; i++) {
    out.at[i] = in.at[2 * i];
    out.at[half + i] = in.at[2 * i + 1];
  }
  return out.vector();
}
template <typename T>
inline HVX_Vector shuffle(HVX_Vector v) {
  const Lanes<T> in(v);
  Lanes<T> out;
  constexpr int half = Lanes<T>::count / 2;
  for (int i = 0; i < half; i++) {
    out.at[2 * i] = in.at[i];
    out.at[2 * i + 1] = in.at[half + i];
  }
  return out.vector();
}

}  // namespace opkg_hvx

inline HVX_Vector Q6_V_vror_VR(HVX_Vector v, int32_t r) { return opkg_hvx::window(v, v, r & 127); }
inline HVX_Vector Q6_V_valign_VVR(HVX_Vector high, HVX_Vector low, int32_t r) {
  return opkg_hvx::window(high, low, r & 127);
}
inline HVX_Vector Q6_V_vlalign_VVR(HVX_Vector high, HVX_Vector low, int32_t r) {
  return opkg_hvx::window(high, low, 128 - (r & 127));
}
inline HVX_Vector Q6_V_valign_VVI(HVX_Vector high, HVX_Vector low, uint32_t n) {
  return opkg_hvx::window(high, low, int(n & 7));
}
inline HVX_Vector Q6_V_vlalign_VVI(HVX_Vector high, HVX_Vector low, uint32_t n) {
  return opkg_hvx::window(high, low, 128 - int(n & 7));
}

inline HVX_VectorPair Q6_W_vshuff_VVR(HVX_Vector high, HVX_Vector low, int32_t r) {
  opkg_hvx::Lanes<uint8_t> h(high), l(low);
  for (int size = 1; size < 128; size <<= 1) {
    if (r & size) opkg_hvx::exchange(&h, &l, size);
  }
  return opkg_hvx::pair(h.vector(), l.vector());
}
inline HVX_VectorPair Q6_W_vdeal_VVR(HVX_Vector high, HVX_Vector low, int32_t r) {
  opkg_hvx::Lanes<uint8_t> h(high), l(low);
  for (int size = 64; size > 0; size >>= 1) {
    if (r & size) opkg_hvx::exchange(&h, &l, size);
  }
  return opkg_hvx::pair(h.vector(), l.vector());
}
inline HVX_Vector Q6_Vb_vdeal_Vb(HVX_Vector v) { return opkg_hvx::deal<uint8_t>(v); }
inline HVX_Vector Q6_Vh_vdeal_Vh(HVX_Vector v) { return opkg_hvx::deal<uint16_t>(v); }
inline HVX_Vector Q6_Vb_vshuff_Vb(HVX_Vector v) { return opkg_hvx::shuffle<uint8_t>(v); }
inline HVX_Vector Q6_Vh_vshuff_Vh(HVX_Vector v) { return opkg_hvx::shuffle<uint16_t>(v); }

// Bytes 0 of the words of the second operand, then its bytes 2, then the same of the first.
inline HVX_Vector Q6_Vb_vdeale_VbVb(HVX_Vector va, HVX_Vector vb) {
  const opkg_hvx::Lanes<uint8_t> a(va), b(vb);
  opkg_hvx::Lanes<uint8_t> out;
  for (int i = 0; i < 32; i++) {
    out.at[i] = b.at[4 * i];
    out.at[32 + i] = b.at[4 * i + 2];
    out.at[64 + i] = a.at[4 * i];
    out.at[96 + i] = a.at[4 * i + 2];
  }
  return out.vector();
}

// Table lookups. A table vector holds two interleaved tables; bit 1 of r picks one, the low bits of r pick
// the range of indices that hit (0 is returned for all others; the nomatch forms replace the index's high
// bits by r's).
namespace opkg_hvx {

inline HVX_Vector lookup32(HVX_Vector index, HVX_Vector table, uint32_t r, bool match) {
  const Lanes<uint8_t> at(index), entries(table);
  Lanes<uint8_t> out;
  const uint32_t range = r & 7, odd = r >> 1 & 1;
  for (int i = 0; i < 128; i++) {
    const uint32_t n = match ? at.at[i] : (at.at[i] & 31u) | range << 5;
    out.at[i] = n >> 5 == range ? entries.at[n % 64 * 2 + odd] : 0;
  }
  return out.vector();
}

inline HVX_VectorPair lookup16(HVX_Vector index, HVX_Vector table, uint32_t r, bool match) {
  const Lanes<uint8_t> at(index);
  const Lanes<uint16_t> entries(table);
  WidePair<uint16_t> out;
  const uint32_t range = r & 15, odd = r >> 1 & 1;
  for (int i = 0; i < 128; i++) {
    const uint32_t n = match ? at.at[i] : (at.at[i] & 15u) | range << 4;
    out.at(i) = n >> 4 == range ? entries.at[n % 32 * 2 + odd] : 0;
  }
  return out.pair();
}

}  // namespace opkg_hvx

inline HVX_Vector Q6_Vb_vlut32_VbVbR(HVX_Vector index, HVX_Vector table, int32_t r) {
  return opkg_hvx::lookup32(index, table, uint32_t(r), true);
}
inline HVX_Vector Q6_Vb_vlut32or_VbVbVbR(HVX_Vector x, HVX_Vector index, HVX_Vector table, int32_t r) {
  return x | Q6_Vb_vlut32_VbVbR(index, table, r);
}
inline HVX_Vector Q6_Vb_vlut32_VbVbI(HVX_Vector index, HVX_Vector table, uint32_t r) {
  return opkg_hvx::lookup32(index, table, r, true);
}
inline HVX_Vector Q6_Vb_vlut32or_VbVbVbI(HVX_Vector x, HVX_Vector index, HVX_Vector table, uint32_t r) {
  return x | Q6_Vb_vlut32_VbVbI(index, table, r);
}
inline HVX_Vector Q6_Vb_vlut32_VbVbR_nomatch(HVX_Vector index, HVX_Vector table, int32_t r) {
  return opkg_hvx::lookup32(index, table, uint32_t(r), false);
}
inline HVX_VectorPair Q6_Wh_vlut16_VbVhR(HVX_Vector index, HVX_Vector table, int32_t r) {
  return opkg_hvx::lookup16(index, table, uint32_t(r), true);
}
inline HVX_VectorPair Q6_Wh_vlut16or_WhVbVhR(HVX_VectorPair x, HVX_Vector index, HVX_Vector table,
                                             int32_t r) {
  return x | Q6_Wh_vlut16_VbVhR(index, table, r);
}
inline HVX_VectorPair Q6_Wh_vlut16_VbVhI(HVX_Vector index, HVX_Vector table, uint32_t r) {
  return opkg_hvx::lookup16(index, table, r, true);
}
inline HVX_VectorPair Q6_Wh_vlut16or_WhVbVhI(HVX_VectorPair x, HVX_Vector index, HVX_Vector table,
                                             uint32_t r) {
  return x | Q6_Wh_vlut16_VbVhI(index, table, r);
}
inline HVX_VectorPair Q6_Wh_vlut16_VbVhR_nomatch(HVX_Vector index, HVX_Vector table, int32_t r) {
  return opkg_hvx::lookup16(index, table, uint32_t(r), false);
}

#endif  // OPKG_HVX_PERMUTE_H_
