// HVX: intrinsics made from the table opkg/kernels/hvx/table.py. Do not edit: python -m opkg.kernels.hvx.headers
// SPDX-License-Identifier: Apache-2.0
// clang-format off
#ifndef OPKG_HVX_TABLE_H_
#define OPKG_HVX_TABLE_H_

#include "expressions.h"

inline HVX_Vector Q6_Vb_vadd_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[i]) + uint32_t(b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wb_vadd_WbWb(HVX_VectorPair va, HVX_VectorPair vb) {
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(uint32_t(a0[i]) + uint32_t(b0[i])); o1[i] = T(uint32_t(a1[i]) + uint32_t(b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vh_vadd_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[i]) + uint32_t(b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vadd_WhWh(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int16_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(uint32_t(a0[i]) + uint32_t(b0[i])); o1[i] = T(uint32_t(a1[i]) + uint32_t(b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vw_vadd_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[i]) + uint32_t(b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Ww_vadd_WwWw(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int32_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(uint32_t(a0[i]) + uint32_t(b0[i])); o1[i] = T(uint32_t(a1[i]) + uint32_t(b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vb_vadd_VbVb_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] + b[i])); }
  return lo0.vector();
}
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(a0[i] + b0[i])); o1[i] = T(saturate<T>(a1[i] + b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vub_vadd_VubVub_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] + b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wub_vadd_WubWub_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint8_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(a0[i] + b0[i])); o1[i] = T(saturate<T>(a1[i] + b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vh_vadd_VhVh_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] + b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vadd_WhWh_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int16_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(a0[i] + b0[i])); o1[i] = T(saturate<T>(a1[i] + b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vuh_vadd_VuhVuh_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] + b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wuh_vadd_WuhWuh_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint16_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(a0[i] + b0[i])); o1[i] = T(saturate<T>(a1[i] + b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vw_vadd_VwVw_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(int64_t(a[i]) + b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Ww_vadd_WwWw_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int32_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(int64_t(a0[i]) + b0[i])); o1[i] = T(saturate<T>(int64_t(a1[i]) + b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vuw_vadd_VuwVuw_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(int64_t(a[i]) + b[i])); }
  return lo0.vector();
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
inline HVX_Vector Q6_Vub_vadd_VubVb_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] + b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vadd_VubVub(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i] + b[2 * i]); o1[i] = T(a[2 * i + 1] + b[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vaddacc_WhVubVub(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a[2 * i] + b[2 * i])); o1[i] = T(wrap(x1[i], a[2 * i + 1] + b[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vadd_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i] + b[2 * i]); o1[i] = T(a[2 * i + 1] + b[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vaddacc_WwVhVh(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a[2 * i] + b[2 * i])); o1[i] = T(wrap(x1[i], a[2 * i + 1] + b[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vadd_VuhVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i] + b[2 * i]); o1[i] = T(a[2 * i + 1] + b[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vaddacc_WwVuhVuh(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a[2 * i] + b[2 * i])); o1[i] = T(wrap(x1[i], a[2 * i + 1] + b[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vb_vsub_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[i]) - uint32_t(b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wb_vsub_WbWb(HVX_VectorPair va, HVX_VectorPair vb) {
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(uint32_t(a0[i]) - uint32_t(b0[i])); o1[i] = T(uint32_t(a1[i]) - uint32_t(b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vh_vsub_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[i]) - uint32_t(b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vsub_WhWh(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int16_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(uint32_t(a0[i]) - uint32_t(b0[i])); o1[i] = T(uint32_t(a1[i]) - uint32_t(b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vw_vsub_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[i]) - uint32_t(b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Ww_vsub_WwWw(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int32_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(uint32_t(a0[i]) - uint32_t(b0[i])); o1[i] = T(uint32_t(a1[i]) - uint32_t(b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vb_vsub_VbVb_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] - b[i])); }
  return lo0.vector();
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(a0[i] - b0[i])); o1[i] = T(saturate<T>(a1[i] - b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vub_vsub_VubVub_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] - b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wub_vsub_WubWub_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint8_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(a0[i] - b0[i])); o1[i] = T(saturate<T>(a1[i] - b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vh_vsub_VhVh_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] - b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vsub_WhWh_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int16_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(a0[i] - b0[i])); o1[i] = T(saturate<T>(a1[i] - b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vuh_vsub_VuhVuh_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] - b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wuh_vsub_WuhWuh_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<uint16_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(a0[i] - b0[i])); o1[i] = T(saturate<T>(a1[i] - b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vw_vsub_VwVw_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(int64_t(a[i]) - b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Ww_vsub_WwWw_sat(HVX_VectorPair va, HVX_VectorPair vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Lanes<int32_t> lb0(opkg_hvx::lo(vb)), lb1(opkg_hvx::hi(vb));
  const auto& b0 = lb0.at;
  const auto& b1 = lb1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(saturate<T>(int64_t(a0[i]) - b0[i])); o1[i] = T(saturate<T>(int64_t(a1[i]) - b1[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vuw_vsub_VuwVuw_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(int64_t(a[i]) - b[i])); }
  return lo0.vector();
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
inline HVX_Vector Q6_Vub_vsub_VubVb_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] - b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vsub_VubVub(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i] - b[2 * i]); o1[i] = T(a[2 * i + 1] - b[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vsub_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i] - b[2 * i]); o1[i] = T(a[2 * i + 1] - b[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vsub_VuhVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i] - b[2 * i]); o1[i] = T(a[2 * i + 1] - b[2 * i + 1]); }
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
inline HVX_Vector Q6_Vb_vmax_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] > b[i] ? a[i] : b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vmin_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < b[i] ? a[i] : b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vavg_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] + b[i]) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vavg_VbVb_rnd(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] + b[i] + 1) >> 1); }
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
inline HVX_Vector Q6_Vb_vabs_Vb(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < 0 ? -a[i] : a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vabs_Vb_sat(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] < 0 ? -a[i] : a[i])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vmax_VubVub(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] > b[i] ? a[i] : b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vmin_VubVub(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < b[i] ? a[i] : b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vavg_VubVub(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] + b[i]) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vavg_VubVub_rnd(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] + b[i] + 1) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmax_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] > b[i] ? a[i] : b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmin_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < b[i] ? a[i] : b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vavg_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] + b[i]) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vavg_VhVh_rnd(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] + b[i] + 1) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vnavg_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] - b[i]) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vabs_Vh(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < 0 ? -a[i] : a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vabs_Vh_sat(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] < 0 ? -a[i] : a[i])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vmax_VuhVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] > b[i] ? a[i] : b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vmin_VuhVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < b[i] ? a[i] : b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vavg_VuhVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] + b[i]) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vavg_VuhVuh_rnd(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] + b[i] + 1) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmax_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] > b[i] ? a[i] : b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmin_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < b[i] ? a[i] : b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vavg_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((int64_t(a[i]) + b[i]) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vavg_VwVw_rnd(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((int64_t(a[i]) + b[i] + 1) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vnavg_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((int64_t(a[i]) - b[i]) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vabs_Vw(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < 0 ? -int64_t(a[i]) : int64_t(a[i])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vabs_Vw_sat(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] < 0 ? -int64_t(a[i]) : int64_t(a[i]))); }
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
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((int64_t(a[i]) + b[i]) >> 1); }
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
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((int64_t(a[i]) + b[i] + 1) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vnavg_VubVub(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] - b[i]) >> 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vabsdiff_VubVub(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vabsdiff_VuhVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vabsdiff_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vabsdiff_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] > b[i] ? int64_t(a[i]) - b[i] : int64_t(b[i]) - a[i]); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gt_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtand_QVbVb(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtor_QVbVb(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtxacc_QVbVb(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] ^ (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eq_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eqand_QVbVb(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & (a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eqor_QVbVb(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | (a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eqxacc_QVbVb(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] ^ (a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gt_VubVub(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtand_QVubVub(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtor_QVubVub(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtxacc_QVubVub(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] ^ (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gt_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtand_QVhVh(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtor_QVhVh(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtxacc_QVhVh(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] ^ (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eq_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eqand_QVhVh(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & (a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eqor_QVhVh(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | (a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eqxacc_QVhVh(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] ^ (a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gt_VuhVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtand_QVuhVuh(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtor_QVuhVuh(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtxacc_QVuhVuh(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] ^ (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gt_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtand_QVwVw(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtor_QVwVw(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtxacc_QVwVw(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] ^ (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eq_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eqand_QVwVw(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & (a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eqor_QVwVw(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | (a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_eqxacc_QVwVw(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] ^ (a[i] == b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gt_VuwVuw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtand_QVuwVuw(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtor_QVuwVuw(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vcmp_gtxacc_QVuwVuw(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] ^ (a[i] > b[i] ? -1 : 0)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_condacc_QVbVb(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int8_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) + uint32_t(a[i])) & uint32_t(q[i])) | (uint32_t(x[i]) & ~uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_condacc_QnVbVb(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int8_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) + uint32_t(a[i])) & ~uint32_t(q[i])) | (uint32_t(x[i]) & uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_condnac_QVbVb(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int8_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) - uint32_t(a[i])) & uint32_t(q[i])) | (uint32_t(x[i]) & ~uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_condnac_QnVbVb(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int8_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) - uint32_t(a[i])) & ~uint32_t(q[i])) | (uint32_t(x[i]) & uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_condacc_QVhVh(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) + uint32_t(a[i])) & uint32_t(q[i])) | (uint32_t(x[i]) & ~uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_condacc_QnVhVh(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) + uint32_t(a[i])) & ~uint32_t(q[i])) | (uint32_t(x[i]) & uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_condnac_QVhVh(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) - uint32_t(a[i])) & uint32_t(q[i])) | (uint32_t(x[i]) & ~uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_condnac_QnVhVh(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) - uint32_t(a[i])) & ~uint32_t(q[i])) | (uint32_t(x[i]) & uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_condacc_QVwVw(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) + uint32_t(a[i])) & uint32_t(q[i])) | (uint32_t(x[i]) & ~uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_condacc_QnVwVw(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) + uint32_t(a[i])) & ~uint32_t(q[i])) | (uint32_t(x[i]) & uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_condnac_QVwVw(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) - uint32_t(a[i])) & uint32_t(q[i])) | (uint32_t(x[i]) & ~uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_condnac_QnVwVw(HVX_VectorPred vq, HVX_Vector vx, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(((uint32_t(x[i]) - uint32_t(a[i])) & ~uint32_t(q[i])) | (uint32_t(x[i]) & uint32_t(q[i]))); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_and_QQn(HVX_VectorPred vq, HVX_VectorPred vs) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> ls(vs);
  const auto& s = ls.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & ~s[i]); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_or_QQn(HVX_VectorPred vq, HVX_VectorPred vs) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> ls(vs);
  const auto& s = ls.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | ~s[i]); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_not_Q(HVX_VectorPred vq) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(~q[i]); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vsetq_R(int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(i < (r & 127) ? 0xff : 0); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vsetq2_R(int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(i <= ((r - 1) & 127) ? 0xff : 0); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vand_VR(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] & r[i & 3] ? 0xff : 0); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_vandor_QVR(HVX_VectorPred vq, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | (a[i] & r[i & 3] ? 0xff : 0)); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vand_QR(HVX_VectorPred vq, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & r[i & 3]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vand_QnR(HVX_VectorPred vq, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(~q[i] & r[i & 3]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vandor_VQR(HVX_Vector vx, HVX_VectorPred vq, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(x[i] | (q[i] & r[i & 3])); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vandor_VQnR(HVX_Vector vx, HVX_VectorPred vq, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint8_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(x[i] | (~q[i] & r[i & 3])); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vand_QV(HVX_VectorPred vq, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vand_QnV(HVX_VectorPred vq, HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(~q[i] & a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vmux_QVV(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((q[i] & a[i]) | (~q[i] & b[i])); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_W_vswap_QVV(HVX_VectorPred vq, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T((q[i] & a[i]) | (~q[i] & b[i])); o1[i] = T((q[i] & b[i]) | (~q[i] & a[i])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_V_vnot_V(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(~a[i]); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_and_QQ(HVX_VectorPred vq, HVX_VectorPred vs) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> ls(vs);
  const auto& s = ls.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] & s[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vand_VV(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] & b[i]); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_or_QQ(HVX_VectorPred vq, HVX_VectorPred vs) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> ls(vs);
  const auto& s = ls.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] | s[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vor_VV(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] | b[i]); }
  return lo0.vector();
}
inline HVX_VectorPred Q6_Q_xor_QQ(HVX_VectorPred vq, HVX_VectorPred vs) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  const opkg_hvx::Lanes<int32_t> ls(vs);
  const auto& s = ls.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(q[i] ^ s[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vxor_VV(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] ^ b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vzero() {
  using namespace opkg_hvx;
  using T = int32_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(0); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_W_vzero() {
  using namespace opkg_hvx;
  using T = int32_t;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(0); o1[i] = T(0); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_V_vsplat_R(int32_t r) {
  using namespace opkg_hvx;
  using T = int32_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(r); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vsplat_R(int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(r); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vsplat_R(int32_t r) {
  using namespace opkg_hvx;
  using T = int8_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(r); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_equals_V(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i]); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_W_equals_W(HVX_VectorPair va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[i]); o1[i] = T(a1[i]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_V_lo_W(HVX_VectorPair va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a0[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_hi_W(HVX_VectorPair va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a1 = la1.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a1[i]); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_W_vcombine_VV(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(b[i]); o1[i] = T(a[i]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vw_vinsert_VwR(HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(i ? a[i] : r); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vror_VR(HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  Lanes<T> lo0;
  auto& o = lo0.at;
  const Lanes<uint8_t> from(window(va, va, r & 127));
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(from.at[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_valign_VVR(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  Lanes<T> lo0;
  auto& o = lo0.at;
  const Lanes<uint8_t> from(window(va, vb, r & 127));
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(from.at[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vlalign_VVR(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  Lanes<T> lo0;
  auto& o = lo0.at;
  const Lanes<uint8_t> from(window(va, vb, 128 - (r & 127)));
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(from.at[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_valign_VVI(HVX_Vector va, HVX_Vector vb, uint32_t n) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  Lanes<T> lo0;
  auto& o = lo0.at;
  const Lanes<uint8_t> from(window(va, vb, int(n & 7)));
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(from.at[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_V_vlalign_VVI(HVX_Vector va, HVX_Vector vb, uint32_t n) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  Lanes<T> lo0;
  auto& o = lo0.at;
  const Lanes<uint8_t> from(window(va, vb, 128 - (int(n & 7))));
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(from.at[i]); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_W_vshuff_VVR(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  Lanes<uint8_t> h(va), l(vb); for (int size = 1; size < 128; size <<= 1) if (r & size) exchange(&h, &l, size);
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(l.at[i]); o1[i] = T(h.at[i]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_W_vdeal_VVR(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  Lanes<uint8_t> h(va), l(vb); for (int size = 64; size > 0; size >>= 1) if (r & size) exchange(&h, &l, size);
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(l.at[i]); o1[i] = T(h.at[i]); }
  return pair(lo1.vector(), lo0.vector());
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
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i + 0] = saturate<T>(shift_right(a0[i], b[2 * i + 0] & 7)); o[2 * i + 1] = saturate<T>(shift_right(a1[i], b[2 * i + 1] & 7)); }
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
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i + 0] = saturate<T>(round_shift(a0[i], b[2 * i + 0] & 7)); o[2 * i + 1] = saturate<T>(round_shift(a1[i], b[2 * i + 1] & 7)); }
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
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i + 0] = saturate<T>(shift_right(a0[i], b[2 * i + 0] & 15)); o[2 * i + 1] = saturate<T>(shift_right(a1[i], b[2 * i + 1] & 15)); }
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
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i + 0] = saturate<T>(round_shift(a0[i], b[2 * i + 0] & 15)); o[2 * i + 1] = saturate<T>(round_shift(a1[i], b[2 * i + 1] & 15)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vasl_VhR(HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[i]) << (r & 15)); }
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
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], uint32_t(a[i]) << (r & 15))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vasr_VhR(HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (r & 15)); }
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
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], a[i] >> (r & 15))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vasr_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(shift_right(a[i], signed_bits(b[i], 5))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vasl_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(shift_right(a[i], -signed_bits(b[i], 5))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vlsr_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(shift_right(a[i], signed_bits(b[i], 5))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vasl_VwR(HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[i]) << (r & 31)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vaslacc_VwVwR(HVX_Vector vx, HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], uint32_t(a[i]) << (r & 31))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vasr_VwR(HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (r & 31)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vasracc_VwVwR(HVX_Vector vx, HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], a[i] >> (r & 31))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vasr_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(shift_right(a[i], signed_bits(b[i], 6))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vasl_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(shift_right(a[i], -signed_bits(b[i], 6))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vlsr_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(shift_right(a[i], signed_bits(b[i], 6))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vlsr_VubR(HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (r & 7)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vlsr_VuhR(HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (r & 15)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vlsr_VuwR(HVX_Vector va, int32_t r) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (r & 31)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vcl0_Vuh(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] ? __builtin_clz(a[i]) - 16 : 16); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vcl0_Vuw(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] ? __builtin_clz(a[i]) : 32); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vpopcount_Vh(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(__builtin_popcount(a[i])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vnormamt_Vh(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(leading(a[i]) - 17); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vnormamt_Vw(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(leading(a[i]) - 1); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vasr_VhVhR_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(shift_right(b[i], r & 7))); o[2 * i + 1] = T(saturate<T>(shift_right(a[i], r & 7))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vasr_VhVhR_rnd_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], r & 7))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], r & 7))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vasr_VhVhR_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(shift_right(b[i], r & 7))); o[2 * i + 1] = T(saturate<T>(shift_right(a[i], r & 7))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vasr_VhVhR_rnd_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], r & 7))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], r & 7))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vasr_VuhVuhR_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(shift_right(b[i], r & 7))); o[2 * i + 1] = T(saturate<T>(shift_right(a[i], r & 7))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vasr_VuhVuhR_rnd_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], r & 7))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], r & 7))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vasr_VwVwR_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(shift_right(b[i], r & 15))); o[2 * i + 1] = T(saturate<T>(shift_right(a[i], r & 15))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vasr_VwVwR_rnd_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], r & 15))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], r & 15))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vasr_VwVwR_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(shift_right(b[i], r & 15))); o[2 * i + 1] = T(saturate<T>(shift_right(a[i], r & 15))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vasr_VwVwR_rnd_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], r & 15))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], r & 15))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vasr_VuwVuwR_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(shift_right(b[i], r & 15))); o[2 * i + 1] = T(saturate<T>(shift_right(a[i], r & 15))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vasr_VuwVuwR_rnd_sat(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], r & 15))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], r & 15))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vasr_VwVwR(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(b[i] >> (r & 15)); o[2 * i + 1] = T(a[i] >> (r & 15)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vsat_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(b[i])); o[2 * i + 1] = T(saturate<T>(a[i])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vsat_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(b[i])); o[2 * i + 1] = T(saturate<T>(a[i])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vsat_VuwVuw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(b[i])); o[2 * i + 1] = T(saturate<T>(a[i])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vround_VhVh_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], 8))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], 8))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vround_VhVh_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], 8))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], 8))); }
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
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], 8))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], 8))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vround_VwVw_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], 16))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], 16))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vround_VwVw_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], 16))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], 16))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vround_VuwVuw_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(saturate<T>(round_shift(b[i], 16))); o[2 * i + 1] = T(saturate<T>(round_shift(a[i], 16))); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vshuffe_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(b[i]); o[2 * i + 1] = T(a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vshuffo_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(b[i] >> 8); o[2 * i + 1] = T(a[i] >> 8); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wb_vshuffoe_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o0[2 * i] = b[2 * i]; o0[2 * i + 1] = a[2 * i]; o1[2 * i] = b[2 * i + 1]; o1[2 * i + 1] = a[2 * i + 1]; }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vh_vshuffe_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(b[i]); o[2 * i + 1] = T(a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vshuffo_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = T(b[i] >> 16); o[2 * i + 1] = T(a[i] >> 16); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vshuffoe_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o0[2 * i] = b[2 * i]; o0[2 * i + 1] = a[2 * i]; o1[2 * i] = b[2 * i + 1]; o1[2 * i + 1] = a[2 * i + 1]; }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vb_vpack_VhVh_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = saturate<T>(b[i]); o[64 + i] = saturate<T>(a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vub_vpack_VhVh_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = saturate<T>(b[i]); o[64 + i] = saturate<T>(a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vpack_VwVw_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = saturate<T>(b[i]); o[32 + i] = saturate<T>(a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuh_vpack_VwVw_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int32_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = saturate<T>(b[i]); o[32 + i] = saturate<T>(a[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vpacke_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = b[2 * i + 0]; o[64 + i] = a[2 * i + 0]; }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vpacko_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = b[2 * i + 1]; o[64 + i] = a[2 * i + 1]; }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vdeal_Vb(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = a[2 * i]; o[64 + i] = a[2 * i + 1]; }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vshuff_Vb(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = a[i]; o[2 * i + 1] = a[64 + i]; }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vpacke_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = b[2 * i + 0]; o[32 + i] = a[2 * i + 0]; }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vpacko_VwVw(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = b[2 * i + 1]; o[32 + i] = a[2 * i + 1]; }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vdeal_Vh(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = a[2 * i]; o[32 + i] = a[2 * i + 1]; }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vshuff_Vh(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = a[i]; o[2 * i + 1] = a[32 + i]; }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vdeale_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 4; i++) { o[i] = b[4 * i]; o[32 + i] = b[4 * i + 2]; o[64 + i] = a[4 * i]; o[96 + i] = a[4 * i + 2]; }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wuh_vunpack_Vub(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[i]); o1[i] = T(a[64 + i]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuh_vzxt_Vub(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i]); o1[i] = T(a[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vunpack_Vuh(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[i]); o1[i] = T(a[32 + i]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vzxt_Vuh(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i]); o1[i] = T(a[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vunpack_Vb(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[i]); o1[i] = T(a[64 + i]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vsxt_Vb(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i]); o1[i] = T(a[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vunpack_Vh(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[i]); o1[i] = T(a[32 + i]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vsxt_Vh(HVX_Vector va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i]); o1[i] = T(a[2 * i + 1]); }
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(x0[i] | uint32_t(a[i]) << 8); o1[i] = T(x1[i] | uint32_t(a[64 + i]) << 8); }
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
inline HVX_Vector Q6_Vb_vlut32_VbVbR(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  const uint32_t range = uint32_t(r) & 7, odd = uint32_t(r) >> 1 & 1;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((uint32_t(a[i]) >> 5 == range ? b[uint32_t(a[i]) % 64 * 2 + odd] : 0)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vlut32or_VbVbVbR(HVX_Vector vx, HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  const uint32_t range = uint32_t(r) & 7, odd = uint32_t(r) >> 1 & 1;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(x[i] | (uint32_t(a[i]) >> 5 == range ? b[uint32_t(a[i]) % 64 * 2 + odd] : 0)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vlut32_VbVbR_nomatch(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  const uint32_t range = uint32_t(r) & 7, odd = uint32_t(r) >> 1 & 1;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(b[((uint32_t(a[i]) & 31) | range << 5) % 64 * 2 + odd]); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vlut16_VbVhR(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  const uint32_t range = uint32_t(r) & 15, odd = uint32_t(r) >> 1 & 1;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T((uint32_t(a[2 * i]) >> 4 == range ? b[uint32_t(a[2 * i]) % 32 * 2 + odd] : 0)); o1[i] = T((uint32_t(a[2 * i + 1]) >> 4 == range ? b[uint32_t(a[2 * i + 1]) % 32 * 2 + odd] : 0)); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vlut16or_WhVbVhR(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  const uint32_t range = uint32_t(r) & 15, odd = uint32_t(r) >> 1 & 1;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(x0[i] | (uint32_t(a[2 * i]) >> 4 == range ? b[uint32_t(a[2 * i]) % 32 * 2 + odd] : 0)); o1[i] = T(x1[i] | (uint32_t(a[2 * i + 1]) >> 4 == range ? b[uint32_t(a[2 * i + 1]) % 32 * 2 + odd] : 0)); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vlut16_VbVhR_nomatch(HVX_Vector va, HVX_Vector vb, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  const uint32_t range = uint32_t(r) & 15, odd = uint32_t(r) >> 1 & 1;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(b[((uint32_t(a[2 * i]) & 15) | range << 4) % 32 * 2 + odd]); o1[i] = T(b[((uint32_t(a[2 * i + 1]) & 15) | range << 4) % 32 * 2 + odd]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_Vector Q6_Vb_vlut32_VbVbI(HVX_Vector va, HVX_Vector vb, uint32_t n) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  const uint32_t range = n & 7, odd = n >> 1 & 1;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T((uint32_t(a[i]) >> 5 == range ? b[uint32_t(a[i]) % 64 * 2 + odd] : 0)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vb_vlut32or_VbVbVbI(HVX_Vector vx, HVX_Vector va, HVX_Vector vb, uint32_t n) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  const uint32_t range = n & 7, odd = n >> 1 & 1;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(x[i] | (uint32_t(a[i]) >> 5 == range ? b[uint32_t(a[i]) % 64 * 2 + odd] : 0)); }
  return lo0.vector();
}
inline HVX_VectorPair Q6_Wh_vlut16_VbVhI(HVX_Vector va, HVX_Vector vb, uint32_t n) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  const uint32_t range = n & 15, odd = n >> 1 & 1;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T((uint32_t(a[2 * i]) >> 4 == range ? b[uint32_t(a[2 * i]) % 32 * 2 + odd] : 0)); o1[i] = T((uint32_t(a[2 * i + 1]) >> 4 == range ? b[uint32_t(a[2 * i + 1]) % 32 * 2 + odd] : 0)); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vlut16or_WhVbVhI(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb, uint32_t n) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  const uint32_t range = n & 15, odd = n >> 1 & 1;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(x0[i] | (uint32_t(a[2 * i]) >> 4 == range ? b[uint32_t(a[2 * i]) % 32 * 2 + odd] : 0)); o1[i] = T(x1[i] | (uint32_t(a[2 * i + 1]) >> 4 == range ? b[uint32_t(a[2 * i + 1]) % 32 * 2 + odd] : 0)); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpy_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i] * b[2 * i]); o1[i] = T(a[2 * i + 1] * b[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpyacc_WhVbVb(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a[2 * i] * b[2 * i])); o1[i] = T(wrap(x1[i], a[2 * i + 1] * b[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpy_VubVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i] * b[2 * i]); o1[i] = T(a[2 * i + 1] * b[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpyacc_WhVubVb(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a[2 * i] * b[2 * i])); o1[i] = T(wrap(x1[i], a[2 * i + 1] * b[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuh_vmpy_VubVub(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i] * b[2 * i]); o1[i] = T(a[2 * i + 1] * b[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuh_vmpyacc_WuhVubVub(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a[2 * i] * b[2 * i])); o1[i] = T(wrap(x1[i], a[2 * i + 1] * b[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpy_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a[2 * i] * b[2 * i]); o1[i] = T(a[2 * i + 1] * b[2 * i + 1]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpyacc_WwVhVh(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a[2 * i] * b[2 * i])); o1[i] = T(wrap(x1[i], a[2 * i + 1] * b[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpy_VhVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(mul(a[2 * i], b[2 * i])); o1[i] = T(mul(a[2 * i + 1], b[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpyacc_WwVhVuh(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], mul(a[2 * i], b[2 * i]))); o1[i] = T(wrap(x1[i], mul(a[2 * i + 1], b[2 * i + 1]))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vmpy_VuhVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(mul(a[2 * i], b[2 * i])); o1[i] = T(mul(a[2 * i + 1], b[2 * i + 1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vmpyacc_WuwVuhVuh(HVX_VectorPair vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], mul(a[2 * i], b[2 * i]))); o1[i] = T(wrap(x1[i], mul(a[2 * i + 1], b[2 * i + 1]))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpy_VubRb(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(mul(a[2 * i], r[2 * i & 3])); o1[i] = T(mul(a[2 * i + 1], r[(2 * i + 1) & 3])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpyacc_WhVubRb(HVX_VectorPair vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], mul(a[2 * i], r[2 * i & 3]))); o1[i] = T(wrap(x1[i], mul(a[2 * i + 1], r[(2 * i + 1) & 3]))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuh_vmpy_VubRub(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(mul(a[2 * i], r[2 * i & 3])); o1[i] = T(mul(a[2 * i + 1], r[(2 * i + 1) & 3])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuh_vmpyacc_WuhVubRub(HVX_VectorPair vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], mul(a[2 * i], r[2 * i & 3]))); o1[i] = T(wrap(x1[i], mul(a[2 * i + 1], r[(2 * i + 1) & 3]))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vmpy_VuhRuh(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(mul(a[2 * i], r[0])); o1[i] = T(mul(a[2 * i + 1], r[1])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wuw_vmpyacc_WuwVuhRuh(HVX_VectorPair vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
  const auto& x0 = lx0.at;
  const auto& x1 = lx1.at;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], mul(a[2 * i], r[0]))); o1[i] = T(wrap(x1[i], mul(a[2 * i + 1], r[1]))); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpy_VhRh(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(mul(a[2 * i], r[0])); o1[i] = T(mul(a[2 * i + 1], r[1])); }
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
inline HVX_Vector Q6_Vw_vrmpy_VbVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[4 * i + 0] * b[4 * i + 0] + a[4 * i + 1] * b[4 * i + 1] + a[4 * i + 2] * b[4 * i + 2] + a[4 * i + 3] * b[4 * i + 3]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vrmpyacc_VwVbVb(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], a[4 * i + 0] * b[4 * i + 0] + a[4 * i + 1] * b[4 * i + 1] + a[4 * i + 2] * b[4 * i + 2] + a[4 * i + 3] * b[4 * i + 3])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vrmpy_VubVb(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[4 * i + 0] * b[4 * i + 0] + a[4 * i + 1] * b[4 * i + 1] + a[4 * i + 2] * b[4 * i + 2] + a[4 * i + 3] * b[4 * i + 3]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vrmpyacc_VwVubVb(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], a[4 * i + 0] * b[4 * i + 0] + a[4 * i + 1] * b[4 * i + 1] + a[4 * i + 2] * b[4 * i + 2] + a[4 * i + 3] * b[4 * i + 3])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vrmpy_VubVub(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[4 * i + 0] * b[4 * i + 0] + a[4 * i + 1] * b[4 * i + 1] + a[4 * i + 2] * b[4 * i + 2] + a[4 * i + 3] * b[4 * i + 3]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vrmpyacc_VuwVubVub(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint8_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], a[4 * i + 0] * b[4 * i + 0] + a[4 * i + 1] * b[4 * i + 1] + a[4 * i + 2] * b[4 * i + 2] + a[4 * i + 3] * b[4 * i + 3])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vrmpy_VubRb(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[4 * i + 0] * r[0] + a[4 * i + 1] * r[1] + a[4 * i + 2] * r[2] + a[4 * i + 3] * r[3]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vrmpyacc_VwVubRb(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], a[4 * i + 0] * r[0] + a[4 * i + 1] * r[1] + a[4 * i + 2] * r[2] + a[4 * i + 3] * r[3])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vrmpy_VubRub(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[4 * i + 0] * r[0] + a[4 * i + 1] * r[1] + a[4 * i + 2] * r[2] + a[4 * i + 3] * r[3]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vuw_vrmpyacc_VuwVubRub(HVX_Vector vx, HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], a[4 * i + 0] * r[0] + a[4 * i + 1] * r[1] + a[4 * i + 2] * r[2] + a[4 * i + 3] * r[3])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmpyi_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] * b[i]); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmpyiacc_VhVhVh(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx(vx);
  const auto& x = lx.at;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(wrap(x[i], a[i] * b[i])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmpyi_VhRb(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(mul(a[i], r[i & 3])); }
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
inline HVX_Vector Q6_Vw_vmpyi_VwRb(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(mul(a[i], r[i & 3])); }
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
inline HVX_Vector Q6_Vw_vmpyi_VwRub(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(mul(a[i], r[i & 3])); }
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
inline HVX_Vector Q6_Vw_vmpyi_VwRh(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(mul(a[i], r[i & 1])); }
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
inline HVX_Vector Q6_Vw_vmpyie_VwVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(mul(a[i], b[2 * i])); }
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
inline HVX_Vector Q6_Vw_vmpyio_VwVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(mul(a[i], b[2 * i + 1])); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpyieo_VhVh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[2 * i] * b[2 * i + 1]) << 16); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmpy_VhVh_s1_rnd_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>((mul(a[i], b[i]) * 2 + 0x8000) >> 16)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmpy_VhRh_s1_sat(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>((mul(a[i], r[i & 1]) * 2) >> 16)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vh_vmpy_VhRh_s1_rnd_sat(HVX_Vector va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Elements<int16_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>((mul(a[i], r[i & 1]) * 2 + 0x8000) >> 16)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpye_VwVuh(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<uint16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(mul(a[i], b[2 * i]) >> 16); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpyo_VwVh_s1_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(mul(a[i], b[2 * i + 1]) >> 15)); }
  return lo0.vector();
}
inline HVX_Vector Q6_Vw_vmpyo_VwVh_s1_rnd_sat(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  const opkg_hvx::Lanes<int16_t> lb(vb);
  const auto& b = lb.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(((mul(a[i], b[2 * i + 1]) >> 14) + 1) >> 1)); }
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * r[0] + a1[2 * i] * r[1]); o1[i] = T(a0[2 * i + 1] * r[2] + a1[2 * i + 1] * r[3]); }
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a0[2 * i] * r[0] + a1[2 * i] * r[1])); o1[i] = T(wrap(x1[i], a0[2 * i + 1] * r[2] + a1[2 * i + 1] * r[3])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpa_WhRb(HVX_VectorPair va, int32_t vr) {
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * r[0] + a1[2 * i] * r[1]); o1[i] = T(a0[2 * i + 1] * r[2] + a1[2 * i + 1] * r[3]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Ww_vmpaacc_WwWhRb(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr) {
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a0[2 * i] * r[0] + a1[2 * i] * r[1])); o1[i] = T(wrap(x1[i], a0[2 * i + 1] * r[2] + a1[2 * i + 1] * r[3])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpa_WubRb(HVX_VectorPair va, int32_t vr) {
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * r[0] + a1[2 * i] * r[1]); o1[i] = T(a0[2 * i + 1] * r[2] + a1[2 * i + 1] * r[3]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpaacc_WhWubRb(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr) {
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a0[2 * i] * r[0] + a1[2 * i] * r[1])); o1[i] = T(wrap(x1[i], a0[2 * i + 1] * r[2] + a1[2 * i + 1] * r[3])); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpa_WubRub(HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint8_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  const auto& a1 = la1.at;
  const opkg_hvx::Elements<uint8_t, int32_t> lr(vr);
  const auto& r = lr.at;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(a0[2 * i] * r[0] + a1[2 * i] * r[1]); o1[i] = T(a0[2 * i + 1] * r[2] + a1[2 * i + 1] * r[3]); }
  return pair(lo1.vector(), lo0.vector());
}
inline HVX_VectorPair Q6_Wh_vmpaacc_WhWubRub(HVX_VectorPair vx, HVX_VectorPair va, int32_t vr) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> lx0(opkg_hvx::lo(vx)), lx1(opkg_hvx::hi(vx));
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
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(wrap(x0[i], a0[2 * i] * r[0] + a1[2 * i] * r[1])); o1[i] = T(wrap(x1[i], a0[2 * i + 1] * r[2] + a1[2 * i + 1] * r[3])); }
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

#endif  // OPKG_HVX_TABLE_H_
