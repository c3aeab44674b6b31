// HVX: intrinsics made from the table opkg/kernels/hvx/table.py. Do not edit: python -m opkg.kernels.hvx.headers
// SPDX-License-Identifier: Apache-2.0
// clang-format off
#ifndef OPKG_HVX_TABLE_H_
#define OPKG_HVX_TABLE_H_

#include "expressions.h"

inline HVX_VectorPair Q6_Wb_vadd_WbWb_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int8_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(int64_t(a0[i]) + b0[i])); o1[i] = T(saturate<T>(int64_t(a1[i]) + b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vadd_WuwWuw_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint32_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(int64_t(a0[i]) + b0[i])); o1[i] = T(saturate<T>(int64_t(a1[i]) + b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wb_vsub_WbWb_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int8_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(int64_t(a0[i]) - b0[i])); o1[i] = T(saturate<T>(int64_t(a1[i]) - b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vsub_WuwWuw_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint32_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(int64_t(a0[i]) - b0[i])); o1[i] = T(saturate<T>(int64_t(a1[i]) - b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vw_vadd_VwVwQ_carry(HVX_Vector va, HVX_Vector vb, HVX_VectorPred* vq) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  opkg_hvx::Lanes<uint8_t> lq(*vq);
  auto& q = lq.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { const uint64_t sum = uint64_t(uint32_t(a[i])) + uint32_t(b[i]) + (q[4 * i] & 1); o[i] = T(sum); for (int k = 0; k < 4; k++) q[4 * i + k] = sum >> 32 ? 0xff : 0; }
  *vq = lq.vector();
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vsub_VwVwQ_carry(HVX_Vector va, HVX_Vector vb, HVX_VectorPred* vq) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  opkg_hvx::Lanes<uint8_t> lq(*vq);
  auto& q = lq.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { const uint64_t sum = uint64_t(uint32_t(a[i])) + ~uint32_t(b[i]) + (q[4 * i] & 1); o[i] = T(sum); for (int k = 0; k < 4; k++) q[4 * i + k] = sum >> 32 ? 0xff : 0; }
  *vq = lq.vector();
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vadd_VwVwQ_carry_sat(HVX_Vector va, HVX_Vector vb, HVX_VectorPred vq) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(int64_t(a[i]) + b[i] + (q[4 * i] & 1))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vadd_vclb_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(leading(a[i]) - 16 + b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vadd_vclb_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(leading(a[i]), b[i])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vavg_VuwVuw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((uint64_t(a[i]) + b[i]) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vavg_VuwVuw_rnd(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((uint64_t(a[i]) + b[i] + 1) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vnavg_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] - b[i]) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vaslacc_VhVhR(HVX_Vector vx, HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(x[i] + (a[i] << (r & 15))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vasracc_VhVhR(HVX_Vector vx, HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(x[i] + (a[i] >> (r & 15))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vround_VuhVuh_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(((i & 1 ? a : b)[i / 2] + 0x80) >> 8)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vrotr_VuwVuw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (b[i] & 31) | a[i] << (-b[i] & 31)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vsatdw_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(int64_t(uint64_t(a[i]) << 32 | uint32_t(b[i])))); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Ww_vasrinto_WwVwVw(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { const int64_t both = shift_into(a[i], x0[i], (b[i] & 63) - (b[i] & 64)); o0[i] = T(both); o1[i] = T(both >> 32); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vub_vasr_WuhVub_sat(HVX_VectorPair va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { const int64_t v = (i & 1 ? a1 : a0)[i / 2]; const int k = b[i] & 7; o[i] = saturate<T>(v >> k); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vasr_WuhVub_rnd_sat(HVX_VectorPair va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { const int64_t v = (i & 1 ? a1 : a0)[i / 2]; const int k = b[i] & 7; o[i] = saturate<T>(round_shift(v, k)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vasr_WwVuh_sat(HVX_VectorPair va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { const int64_t v = (i & 1 ? a1 : a0)[i / 2]; const int k = b[i] & 15; o[i] = saturate<T>(v >> k); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vasr_WwVuh_rnd_sat(HVX_VectorPair va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { const int64_t v = (i & 1 ? a1 : a0)[i / 2]; const int k = b[i] & 15; o[i] = saturate<T>(round_shift(v, k)); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vmpa_WubWb(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int8_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * b0[2 * i] + a1[2 * i] * b1[2 * i]); o1[i] = T(a0[2 * i + 1] * b0[2 * i + 1] + a1[2 * i + 1] * b1[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpa_WubWub(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint8_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * b0[2 * i] + a1[2 * i] * b1[2 * i]); o1[i] = T(a0[2 * i + 1] * b0[2 * i + 1] + a1[2 * i + 1] * b1[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpa_WuhRb(HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<uint16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(mul(a0[2 * i], r[0]) + mul(a1[2 * i], r[1])); o1[i] = T(mul(a0[2 * i + 1], r[2]) + mul(a1[2 * i + 1], r[3])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpaacc_WwWuhRb(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], mul(a0[2 * i], r[0]) + mul(a1[2 * i], r[1]))); o1[i] = T(wrap(x1[i], mul(a0[2 * i + 1], r[2]) + mul(a1[2 * i + 1], r[3]))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpyacc_WwVhRh_sat(HVX_VectorPair vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(x0[i] + (mul(a[2 * i], r[0])))); o1[i] = T(saturate<T>(x1[i] + (mul(a[2 * i + 1], r[1])))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpyacc_WwVhRh(HVX_VectorPair vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], mul(a[2 * i], r[0]))); o1[i] = T(wrap(x1[i], mul(a[2 * i + 1], r[1]))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vuw_vmpye_VuhRuh(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(mul(a[2 * i], r[0])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vmpyeacc_VuwVuhRuh(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], mul(a[2 * i], r[0]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpyieacc_VwVwVh(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], mul(a[i], b[2 * i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpyieacc_VwVwVuh(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], mul(a[i], b[2 * i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmpyiacc_VhVhRb(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], mul(a[i], r[i & 3]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpyiacc_VwVwRb(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], mul(a[i], r[i & 3]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpyiacc_VwVwRub(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], mul(a[i], r[i & 3]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpyiacc_VwVwRh(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], mul(a[i], r[i & 1]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpyoacc_VwVwVh_s1_sat_shift(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>((((mul(a[i], b[2 * i + 1]) + x[i]) >> 14) + 0) >> 1)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>((((mul(a[i], b[2 * i + 1]) + x[i]) >> 14) + 1) >> 1)); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_W_vmpye_VwVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(uint64_t(mul(a[i], b[2 * i])) << 16); o1[i] = T(mul(a[i], b[2 * i]) >> 16); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_W_vmpyoacc_WVwVh(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T((uint32_t(x0[i]) >> 16) | uint32_t((mul(a[i], b[2 * i + 1]) + x1[i])) << 16); o1[i] = T((mul(a[i], b[2 * i + 1]) + x1[i]) >> 16); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vuh_vmpy_VuhVuh_rs16(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(mul(a[i], b[i]) >> 16); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmpa_VhVhVhPh_sat(HVX_Vector vx, HVX_Vector va, int64_t vp) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int64_t> lp(vp);
  const auto& p = lp.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(((mul(x[i], a[i]) * 2) + mul(p[uint16_t(a[i]) >> 14], 1 << 15)) >> 16)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmpa_VhVhVuhPuh_sat(HVX_Vector vx, HVX_Vector va, int64_t vp) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint16_t, int64_t> lp(vp);
  const auto& p = lp.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>((mul(x[i], a[i]) + mul(p[uint16_t(a[i]) >> 14], 1 << 15)) >> 16)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmps_VhVhVuhPuh_sat(HVX_Vector vx, HVX_Vector va, int64_t vp) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint16_t, int64_t> lp(vp);
  const auto& p = lp.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>((mul(x[i], a[i]) - mul(p[uint16_t(a[i]) >> 14], 1 << 15)) >> 16)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vdmpy_VubRb(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[2 * i] * r[2 * i % 4] + a[2 * i + 1] * r[(2 * i + 1) % 4]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vdmpyacc_VhVubRb(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], a[2 * i] * r[2 * i % 4] + a[2 * i + 1] * r[(2 * i + 1) % 4])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vdmpy_WubRb(HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * r[2 * i % 4] + a0[2 * i + 1] * r[(2 * i + 1) % 4]); o1[i] = T(a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vdmpyacc_WhWubRb(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a0[2 * i] * r[2 * i % 4] + a0[2 * i + 1] * r[(2 * i + 1) % 4])); o1[i] = T(wrap(x1[i], a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vw_vdmpy_VhRb(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[2 * i] * r[2 * i % 4] + a[2 * i + 1] * r[(2 * i + 1) % 4]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vdmpyacc_VwVhRb(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], a[2 * i] * r[2 * i % 4] + a[2 * i + 1] * r[(2 * i + 1) % 4])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Ww_vdmpy_WhRb(HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * r[2 * i % 4] + a0[2 * i + 1] * r[(2 * i + 1) % 4]); o1[i] = T(a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vdmpyacc_WwWhRb(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a0[2 * i] * r[2 * i % 4] + a0[2 * i + 1] * r[(2 * i + 1) % 4])); o1[i] = T(wrap(x1[i], a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vw_vdmpy_WhRh_sat(HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(mul(a0[2 * i + 1], r[0]) + mul(a1[2 * i], r[1]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vdmpyacc_VwWhRh_sat(HVX_Vector vx, HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(x[i] + (mul(a0[2 * i + 1], r[0]) + mul(a1[2 * i], r[1])))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vdmpy_VhRh_sat(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(mul(a[2 * i], r[0]) + mul(a[2 * i + 1], r[1]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vdmpyacc_VwVhRh_sat(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(x[i] + (mul(a[2 * i], r[0]) + mul(a[2 * i + 1], r[1])))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vdmpy_WhRuh_sat(HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<uint16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(mul(a0[2 * i + 1], r[0]) + mul(a1[2 * i], r[1]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vdmpyacc_VwWhRuh_sat(HVX_Vector vx, HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<uint16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(x[i] + (mul(a0[2 * i + 1], r[0]) + mul(a1[2 * i], r[1])))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vdmpy_VhRuh_sat(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(mul(a[2 * i], r[0]) + mul(a[2 * i + 1], r[1]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vdmpyacc_VwVhRuh_sat(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(x[i] + (mul(a[2 * i], r[0]) + mul(a[2 * i + 1], r[1])))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vdmpy_VhVh_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(mul(a[2 * i], b[2 * i]) + mul(a[2 * i + 1], b[2 * i + 1]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vdmpyacc_VwVhVh_sat(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(x[i] + (mul(a[2 * i], b[2 * i]) + mul(a[2 * i + 1], b[2 * i + 1])))); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vtmpy_WbRb(HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * r[2 * i % 4] + a0[2 * i + 1] * r[(2 * i + 1) % 4] + a1[2 * i]); o1[i] = T(a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4] + a1[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vtmpyacc_WhWbRb(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a0[2 * i] * r[2 * i % 4] + a0[2 * i + 1] * r[(2 * i + 1) % 4] + a1[2 * i])); o1[i] = T(wrap(x1[i], a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4] + a1[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vtmpy_WubRb(HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * r[2 * i % 4] + a0[2 * i + 1] * r[(2 * i + 1) % 4] + a1[2 * i]); o1[i] = T(a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4] + a1[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vtmpyacc_WhWubRb(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a0[2 * i] * r[2 * i % 4] + a0[2 * i + 1] * r[(2 * i + 1) % 4] + a1[2 * i])); o1[i] = T(wrap(x1[i], a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4] + a1[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vtmpy_WhRb(HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * r[2 * i % 4] + a0[2 * i + 1] * r[(2 * i + 1) % 4] + a1[2 * i]); o1[i] = T(a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4] + a1[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vtmpyacc_WwWhRb(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a0[2 * i] * r[2 * i % 4] + a0[2 * i + 1] * r[(2 * i + 1) % 4] + a1[2 * i])); o1[i] = T(wrap(x1[i], a0[2 * i + 1] * r[2 * i % 4] + a1[2 * i] * r[(2 * i + 1) % 4] + a1[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vdsad_WuhRuh(HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<uint16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(apart(a0[2 * i], r[0]) + apart(a0[2 * i + 1], r[1])); o1[i] = T(apart(a0[2 * i + 1], r[0]) + apart(a1[2 * i], r[1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vdsadacc_WuwWuhRuh(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<uint16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], apart(a0[2 * i], r[0]) + apart(a0[2 * i + 1], r[1]))); o1[i] = T(wrap(x1[i], apart(a0[2 * i + 1], r[0]) + apart(a1[2 * i], r[1]))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vrmpy_WubRbI(HVX_VectorPair va, int32_t vr, uint32_t n) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T((n ? a1 : a0)[4 * i + 0] * r[(0 - n) & 3] + a0[4 * i + 1] * r[(1 - n) & 3] + a0[4 * i + 2] * r[(2 - n) & 3] + a0[4 * i + 3] * r[(3 - n) & 3]); o1[i] = T(a1[4 * i + 0] * r[(2 - n) & 3] + a1[4 * i + 1] * r[(3 - n) & 3] + (n ? a1 : a0)[4 * i + 2] * r[(4 - n) & 3] + a0[4 * i + 3] * r[(5 - n) & 3]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vrmpyacc_WwWubRbI(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr, uint32_t n) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], (n ? a1 : a0)[4 * i + 0] * r[(0 - n) & 3] + a0[4 * i + 1] * r[(1 - n) & 3] + a0[4 * i + 2] * r[(2 - n) & 3] + a0[4 * i + 3] * r[(3 - n) & 3])); o1[i] = T(wrap(x1[i], a1[4 * i + 0] * r[(2 - n) & 3] + a1[4 * i + 1] * r[(3 - n) & 3] + (n ? a1 : a0)[4 * i + 2] * r[(4 - n) & 3] + a0[4 * i + 3] * r[(5 - n) & 3])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vrmpy_WubRubI(HVX_VectorPair va, int32_t vr, uint32_t n) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T((n ? a1 : a0)[4 * i + 0] * r[(0 - n) & 3] + a0[4 * i + 1] * r[(1 - n) & 3] + a0[4 * i + 2] * r[(2 - n) & 3] + a0[4 * i + 3] * r[(3 - n) & 3]); o1[i] = T(a1[4 * i + 0] * r[(2 - n) & 3] + a1[4 * i + 1] * r[(3 - n) & 3] + (n ? a1 : a0)[4 * i + 2] * r[(4 - n) & 3] + a0[4 * i + 3] * r[(5 - n) & 3]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vrmpyacc_WuwWubRubI(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr, uint32_t n) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], (n ? a1 : a0)[4 * i + 0] * r[(0 - n) & 3] + a0[4 * i + 1] * r[(1 - n) & 3] + a0[4 * i + 2] * r[(2 - n) & 3] + a0[4 * i + 3] * r[(3 - n) & 3])); o1[i] = T(wrap(x1[i], a1[4 * i + 0] * r[(2 - n) & 3] + a1[4 * i + 1] * r[(3 - n) & 3] + (n ? a1 : a0)[4 * i + 2] * r[(4 - n) & 3] + a0[4 * i + 3] * r[(5 - n) & 3])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vrsad_WubRubI(HVX_VectorPair va, int32_t vr, uint32_t n) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(apart((n ? a1 : a0)[4 * i + 0], r[(0 - n) & 3]) + apart(a0[4 * i + 1], r[(1 - n) & 3]) + apart(a0[4 * i + 2], r[(2 - n) & 3]) + apart(a0[4 * i + 3], r[(3 - n) & 3])); o1[i] = T(apart(a1[4 * i + 0], r[(2 - n) & 3]) + apart(a1[4 * i + 1], r[(3 - n) & 3]) + apart((n ? a1 : a0)[4 * i + 2], r[(4 - n) & 3]) + apart(a0[4 * i + 3], r[(5 - n) & 3])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vrsadacc_WuwWubRubI(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr, uint32_t n) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], apart((n ? a1 : a0)[4 * i + 0], r[(0 - n) & 3]) + apart(a0[4 * i + 1], r[(1 - n) & 3]) + apart(a0[4 * i + 2], r[(2 - n) & 3]) + apart(a0[4 * i + 3], r[(3 - n) & 3]))); o1[i] = T(wrap(x1[i], apart(a1[4 * i + 0], r[(2 - n) & 3]) + apart(a1[4 * i + 1], r[(3 - n) & 3]) + apart((n ? a1 : a0)[4 * i + 2], r[(4 - n) & 3]) + apart(a0[4 * i + 3], r[(5 - n) & 3]))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_v6mpy_WubWbI_h(HVX_VectorPair va, HVX_VectorPair vb, uint32_t n) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int8_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T((n == 0 ? a0[4 * i + 2] * coefficient(b1, i, 2) + a1[4 * i + 0] * coefficient(b1, i, 1) + a1[4 * i + 2] * coefficient(b1, i, 0) : n == 1 ? a0[4 * i + 2] * coefficient(b0, i, 2) + a0[4 * i + 3] * coefficient(b1, i, 2) + a1[4 * i + 0] * coefficient(b0, i, 1) + a1[4 * i + 1] * coefficient(b1, i, 1) + a1[4 * i + 2] * coefficient(b0, i, 0) + a1[4 * i + 3] * coefficient(b1, i, 0) : n == 2 ? a0[4 * i + 0] * coefficient(b1, i, 2) + a0[4 * i + 2] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b1, i, 0) : a0[4 * i + 0] * coefficient(b0, i, 2) + a0[4 * i + 1] * coefficient(b1, i, 2) + a0[4 * i + 2] * coefficient(b0, i, 1) + a0[4 * i + 3] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b0, i, 0) + a1[4 * i + 1] * coefficient(b1, i, 0))); o1[i] = T((n == 0 ? a0[4 * i + 2] * coefficient(b0, i, 2) + a0[4 * i + 3] * coefficient(b1, i, 2) + a1[4 * i + 0] * coefficient(b0, i, 1) + a1[4 * i + 1] * coefficient(b1, i, 1) + a1[4 * i + 2] * coefficient(b0, i, 0) + a1[4 * i + 3] * coefficient(b1, i, 0) : n == 1 ? a0[4 * i + 3] * coefficient(b0, i, 2) + a1[4 * i + 1] * coefficient(b0, i, 1) + a1[4 * i + 3] * coefficient(b0, i, 0) : n == 2 ? a0[4 * i + 0] * coefficient(b0, i, 2) + a0[4 * i + 1] * coefficient(b1, i, 2) + a0[4 * i + 2] * coefficient(b0, i, 1) + a0[4 * i + 3] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b0, i, 0) + a1[4 * i + 1] * coefficient(b1, i, 0) : a0[4 * i + 1] * coefficient(b0, i, 2) + a0[4 * i + 3] * coefficient(b0, i, 1) + a1[4 * i + 1] * coefficient(b0, i, 0))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_v6mpyacc_WwWubWbI_h(HVX_VectorPair vx, HVX_VectorPair va, HVX_VectorPair vb, uint32_t n) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int8_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], (n == 0 ? a0[4 * i + 2] * coefficient(b1, i, 2) + a1[4 * i + 0] * coefficient(b1, i, 1) + a1[4 * i + 2] * coefficient(b1, i, 0) : n == 1 ? a0[4 * i + 2] * coefficient(b0, i, 2) + a0[4 * i + 3] * coefficient(b1, i, 2) + a1[4 * i + 0] * coefficient(b0, i, 1) + a1[4 * i + 1] * coefficient(b1, i, 1) + a1[4 * i + 2] * coefficient(b0, i, 0) + a1[4 * i + 3] * coefficient(b1, i, 0) : n == 2 ? a0[4 * i + 0] * coefficient(b1, i, 2) + a0[4 * i + 2] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b1, i, 0) : a0[4 * i + 0] * coefficient(b0, i, 2) + a0[4 * i + 1] * coefficient(b1, i, 2) + a0[4 * i + 2] * coefficient(b0, i, 1) + a0[4 * i + 3] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b0, i, 0) + a1[4 * i + 1] * coefficient(b1, i, 0)))); o1[i] = T(wrap(x1[i], (n == 0 ? a0[4 * i + 2] * coefficient(b0, i, 2) + a0[4 * i + 3] * coefficient(b1, i, 2) + a1[4 * i + 0] * coefficient(b0, i, 1) + a1[4 * i + 1] * coefficient(b1, i, 1) + a1[4 * i + 2] * coefficient(b0, i, 0) + a1[4 * i + 3] * coefficient(b1, i, 0) : n == 1 ? a0[4 * i + 3] * coefficient(b0, i, 2) + a1[4 * i + 1] * coefficient(b0, i, 1) + a1[4 * i + 3] * coefficient(b0, i, 0) : n == 2 ? a0[4 * i + 0] * coefficient(b0, i, 2) + a0[4 * i + 1] * coefficient(b1, i, 2) + a0[4 * i + 2] * coefficient(b0, i, 1) + a0[4 * i + 3] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b0, i, 0) + a1[4 * i + 1] * coefficient(b1, i, 0) : a0[4 * i + 1] * coefficient(b0, i, 2) + a0[4 * i + 3] * coefficient(b0, i, 1) + a1[4 * i + 1] * coefficient(b0, i, 0)))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_v6mpy_WubWbI_v(HVX_VectorPair va, HVX_VectorPair vb, uint32_t n) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int8_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T((n == 0 ? a0[4 * i + 1] * coefficient(b1, i, 0) + a1[4 * i + 0] * coefficient(b1, i, 1) + a1[4 * i + 1] * coefficient(b1, i, 2) : n == 1 ? a0[4 * i + 1] * coefficient(b0, i, 0) + a0[4 * i + 3] * coefficient(b1, i, 0) + a1[4 * i + 0] * coefficient(b0, i, 1) + a1[4 * i + 1] * coefficient(b0, i, 2) + a1[4 * i + 2] * coefficient(b1, i, 1) + a1[4 * i + 3] * coefficient(b1, i, 2) : n == 2 ? a0[4 * i + 0] * coefficient(b1, i, 0) + a0[4 * i + 1] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b1, i, 2) : a0[4 * i + 0] * coefficient(b0, i, 0) + a0[4 * i + 1] * coefficient(b0, i, 1) + a0[4 * i + 2] * coefficient(b1, i, 0) + a0[4 * i + 3] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b0, i, 2) + a1[4 * i + 2] * coefficient(b1, i, 2))); o1[i] = T((n == 0 ? a0[4 * i + 1] * coefficient(b0, i, 0) + a0[4 * i + 3] * coefficient(b1, i, 0) + a1[4 * i + 0] * coefficient(b0, i, 1) + a1[4 * i + 1] * coefficient(b0, i, 2) + a1[4 * i + 2] * coefficient(b1, i, 1) + a1[4 * i + 3] * coefficient(b1, i, 2) : n == 1 ? a0[4 * i + 3] * coefficient(b0, i, 0) + a1[4 * i + 2] * coefficient(b0, i, 1) + a1[4 * i + 3] * coefficient(b0, i, 2) : n == 2 ? a0[4 * i + 0] * coefficient(b0, i, 0) + a0[4 * i + 1] * coefficient(b0, i, 1) + a0[4 * i + 2] * coefficient(b1, i, 0) + a0[4 * i + 3] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b0, i, 2) + a1[4 * i + 2] * coefficient(b1, i, 2) : a0[4 * i + 2] * coefficient(b0, i, 0) + a0[4 * i + 3] * coefficient(b0, i, 1) + a1[4 * i + 2] * coefficient(b0, i, 2))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_v6mpyacc_WwWubWbI_v(HVX_VectorPair vx, HVX_VectorPair va, HVX_VectorPair vb, uint32_t n) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int8_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], (n == 0 ? a0[4 * i + 1] * coefficient(b1, i, 0) + a1[4 * i + 0] * coefficient(b1, i, 1) + a1[4 * i + 1] * coefficient(b1, i, 2) : n == 1 ? a0[4 * i + 1] * coefficient(b0, i, 0) + a0[4 * i + 3] * coefficient(b1, i, 0) + a1[4 * i + 0] * coefficient(b0, i, 1) + a1[4 * i + 1] * coefficient(b0, i, 2) + a1[4 * i + 2] * coefficient(b1, i, 1) + a1[4 * i + 3] * coefficient(b1, i, 2) : n == 2 ? a0[4 * i + 0] * coefficient(b1, i, 0) + a0[4 * i + 1] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b1, i, 2) : a0[4 * i + 0] * coefficient(b0, i, 0) + a0[4 * i + 1] * coefficient(b0, i, 1) + a0[4 * i + 2] * coefficient(b1, i, 0) + a0[4 * i + 3] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b0, i, 2) + a1[4 * i + 2] * coefficient(b1, i, 2)))); o1[i] = T(wrap(x1[i], (n == 0 ? a0[4 * i + 1] * coefficient(b0, i, 0) + a0[4 * i + 3] * coefficient(b1, i, 0) + a1[4 * i + 0] * coefficient(b0, i, 1) + a1[4 * i + 1] * coefficient(b0, i, 2) + a1[4 * i + 2] * coefficient(b1, i, 1) + a1[4 * i + 3] * coefficient(b1, i, 2) : n == 1 ? a0[4 * i + 3] * coefficient(b0, i, 0) + a1[4 * i + 2] * coefficient(b0, i, 1) + a1[4 * i + 3] * coefficient(b0, i, 2) : n == 2 ? a0[4 * i + 0] * coefficient(b0, i, 0) + a0[4 * i + 1] * coefficient(b0, i, 1) + a0[4 * i + 2] * coefficient(b1, i, 0) + a0[4 * i + 3] * coefficient(b1, i, 1) + a1[4 * i + 0] * coefficient(b0, i, 2) + a1[4 * i + 2] * coefficient(b1, i, 2) : a0[4 * i + 2] * coefficient(b0, i, 0) + a0[4 * i + 3] * coefficient(b0, i, 1) + a1[4 * i + 2] * coefficient(b0, i, 2)))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vunpackoor_WhVb(HVX_VectorPair vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(x0[i] | a[i] << 8); o1[i] = T(x1[i] | a[64 + i] << 8); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vunpackoor_WwVh(HVX_VectorPair vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(x0[i] | uint32_t(a[i]) << 16); o1[i] = T(x1[i] | uint32_t(a[32 + i]) << 16); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPred Q6_Qb_vshuffe_QhQh(HVX_VectorPred vq, HVX_VectorPred vs) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint8_t> ls(vs);
  const auto& s = ls.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(i & 1 ? q[i - 1] : s[i]); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Qh_vshuffe_QwQw(HVX_VectorPred vq, HVX_VectorPred vs) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint8_t> ls(vs);
  const auto& s = ls.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(i & 2 ? q[i - 2] : s[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vandor_VQnR(HVX_Vector vx, HVX_VectorPred vq, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(x[i] | (q[i] ? 0 : uint32_t(r) >> 8 * (i & 3))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vlut4_VuhPh(HVX_Vector va, int64_t vp) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int64_t> lp(vp);
  const auto& p = lp.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(p[a[i] >> 14]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vdelta_VV(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { int from = i; for (int step = 1; step < 128; step <<= 1) from ^= b[from] & step; o[i] = a[from]; }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vrdelta_VV(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { int from = i; for (int step = 64; step > 0; step >>= 1) from ^= b[from] & step; o[i] = a[from]; }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_prefixsum_Q(HVX_VectorPred vq) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  int sum = 0;
  for (int i = 0; i < Lanes<T>::count; i++) { sum += q[1 * i + 0] & 1; o[i] = T(sum); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_prefixsum_Q(HVX_VectorPred vq) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  int sum = 0;
  for (int i = 0; i < Lanes<T>::count; i++) { sum += q[2 * i + 0] & 1; sum += q[2 * i + 1] & 1; o[i] = T(sum); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_prefixsum_Q(HVX_VectorPred vq) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  int sum = 0;
  for (int i = 0; i < Lanes<T>::count; i++) { sum += q[4 * i + 0] & 1; sum += q[4 * i + 1] & 1; sum += q[4 * i + 2] & 1; sum += q[4 * i + 3] & 1; o[i] = T(sum); }
  return lo0.vector();
}

#endif  // OPKG_HVX_TABLE_H_
