// HVX: intrinsics made from the table opkg/kernels/hvx/table.py. Do not edit: python -m opkg.kernels.hvx.headers
// SPDX-License-Identifier: Apache-2.0
// clang-format off
#ifndef OPKG_HVX_TABLE_H_
#define OPKG_HVX_TABLE_H_

#include "expressions.h"

OPKG_HVX_CALL HVX_Vector Q6_Vb_vadd_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wb_vadd_WbWb(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vadd_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vadd_WhWh(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vadd_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vadd_WwWw(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vadd_VbVb_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wb_vadd_WbWb_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vadd_VubVub_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wub_vadd_WubWub_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vadd_VhVh_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vadd_WhWh_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vadd_VuhVuh_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuh_vadd_WuhWuh_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vadd_VwVw_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vadd_WwWw_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vadd_VuwVuw_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vadd_WuwWuw_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vadd_VubVb_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vadd_VubVub(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vaddacc_WhVubVub(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vadd_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vaddacc_WwVhVh(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vadd_VuhVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vaddacc_WwVuhVuh(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vsub_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wb_vsub_WbWb(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vsub_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vsub_WhWh(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vsub_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vsub_WwWw(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vsub_VbVb_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wb_vsub_WbWb_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vsub_VubVub_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wub_vsub_WubWub_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vsub_VhVh_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vsub_WhWh_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vsub_VuhVuh_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuh_vsub_WuhWuh_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vsub_VwVw_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vsub_WwWw_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vsub_VuwVuw_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vsub_WuwWuw_sat(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vsub_VubVb_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vsub_VubVub(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vsub_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vsub_VuhVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vadd_VwVwQ_carry(const HVX_UVector& va, const HVX_UVector& vb, HVX_VectorPred* vq) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vsub_VwVwQ_carry(const HVX_UVector& va, const HVX_UVector& vb, HVX_VectorPred* vq) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vadd_VwVwQ_carry_sat(const HVX_UVector& va, const HVX_UVector& vb, const HVX_UVectorPred& vq) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vadd_vclb_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vadd_vclb_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vmax_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vmin_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vavg_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vavg_VbVb_rnd(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vnavg_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vabs_Vb(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < 0 ? -a[i] : a[i]); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vb_vabs_Vb_sat(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] < 0 ? -a[i] : a[i])); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vub_vmax_VubVub(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vmin_VubVub(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vavg_VubVub(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vavg_VubVub_rnd(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmax_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmin_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vavg_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vavg_VhVh_rnd(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vnavg_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vabs_Vh(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < 0 ? -a[i] : a[i]); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vh_vabs_Vh_sat(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] < 0 ? -a[i] : a[i])); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vmax_VuhVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vmin_VuhVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vavg_VuhVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vavg_VuhVuh_rnd(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmax_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmin_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vavg_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vavg_VwVw_rnd(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vnavg_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vabs_Vw(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] < 0 ? -int64_t(a[i]) : int64_t(a[i])); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vw_vabs_Vw_sat(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(saturate<T>(a[i] < 0 ? -int64_t(a[i]) : int64_t(a[i]))); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vavg_VuwVuw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vavg_VuwVuw_rnd(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vnavg_VubVub(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vabsdiff_VubVub(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vabsdiff_VuhVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vabsdiff_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vabsdiff_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gt_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtand_QVbVb(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtor_QVbVb(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtxacc_QVbVb(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eq_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eqand_QVbVb(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eqor_QVbVb(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eqxacc_QVbVb(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gt_VubVub(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtand_QVubVub(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtor_QVubVub(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtxacc_QVubVub(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gt_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtand_QVhVh(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtor_QVhVh(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtxacc_QVhVh(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eq_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eqand_QVhVh(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eqor_QVhVh(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eqxacc_QVhVh(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gt_VuhVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtand_QVuhVuh(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtor_QVuhVuh(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtxacc_QVuhVuh(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gt_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtand_QVwVw(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtor_QVwVw(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtxacc_QVwVw(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eq_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eqand_QVwVw(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eqor_QVwVw(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_eqxacc_QVwVw(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gt_VuwVuw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtand_QVuwVuw(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtor_QVuwVuw(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vcmp_gtxacc_QVuwVuw(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_condacc_QVbVb(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_condacc_QnVbVb(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_condnac_QVbVb(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_condnac_QnVbVb(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_condacc_QVhVh(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_condacc_QnVhVh(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_condnac_QVhVh(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_condnac_QnVhVh(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_condacc_QVwVw(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_condacc_QnVwVw(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_condnac_QVwVw(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_condnac_QnVwVw(const HVX_UVectorPred& vq, const HVX_UVector& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_and_QQn(const HVX_UVectorPred& vq, const HVX_UVectorPred& vs) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_or_QQn(const HVX_UVectorPred& vq, const HVX_UVectorPred& vs) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_not_Q(const HVX_UVectorPred& vq) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> lq(vq);
  const auto& q = lq.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(~q[i]); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vsetq_R(int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(i < (r & 127) ? 0xff : 0); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vsetq2_R(int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(i <= ((r - 1) & 127) ? 0xff : 0); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vand_VR(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_vandor_QVR(const HVX_UVectorPred& vq, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vand_QR(const HVX_UVectorPred& vq, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vand_QnR(const HVX_UVectorPred& vq, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vandor_VQR(const HVX_UVector& vx, const HVX_UVectorPred& vq, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vandor_VQnR(const HVX_UVector& vx, const HVX_UVectorPred& vq, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vand_QV(const HVX_UVectorPred& vq, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vand_QnV(const HVX_UVectorPred& vq, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vmux_QVV(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_W_vswap_QVV(const HVX_UVectorPred& vq, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vnot_V(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(~a[i]); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_VectorPred Q6_Q_and_QQ(const HVX_UVectorPred& vq, const HVX_UVectorPred& vs) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vand_VV(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_or_QQ(const HVX_UVectorPred& vq, const HVX_UVectorPred& vs) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vor_VV(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Q_xor_QQ(const HVX_UVectorPred& vq, const HVX_UVectorPred& vs) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vxor_VV(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vzero() {
  using namespace opkg_hvx;
  using T = int32_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(0); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_VectorPair Q6_W_vzero() {
  using namespace opkg_hvx;
  using T = int32_t;
  Lanes<T> lo0, lo1;
  auto& o0 = lo0.at;
  auto& o1 = lo1.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o0[i] = T(0); o1[i] = T(0); }
  return pair(lo1.vector(), lo0.vector());
}
OPKG_HVX_CALL HVX_Vector Q6_V_vsplat_R(int32_t r) {
  using namespace opkg_hvx;
  using T = int32_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(r); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vh_vsplat_R(int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(r); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vb_vsplat_R(int32_t r) {
  using namespace opkg_hvx;
  using T = int8_t;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(r); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_V_equals_V(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i]); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_VectorPair Q6_W_equals_W(const HVX_UVectorPair& va) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_lo_W(const HVX_UVectorPair& va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a0 = la0.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a0[i]); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_V_hi_W(const HVX_UVectorPair& va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la0(opkg_hvx::lo(va)), la1(opkg_hvx::hi(va));
  const auto& a1 = la1.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a1[i]); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_VectorPair Q6_W_vcombine_VV(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vinsert_VwR(const HVX_UVector& va, int32_t r) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(i ? a[i] : r); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_V_vror_VR(const HVX_UVector& va, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  Lanes<T> lo0;
  auto& o = lo0.at;
  const Lanes<uint8_t> from(window(va, va, r & 127));
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(from.at[i]); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_V_valign_VVR(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vlalign_VVR(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_valign_VVI(const HVX_UVector& va, const HVX_UVector& vb, uint32_t n) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vlalign_VVI(const HVX_UVector& va, const HVX_UVector& vb, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_W_vshuff_VVR(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_W_vdeal_VVR(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vrotr_VuwVuw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vsatdw_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vasrinto_WwVwVw(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vasr_WuhVub_sat(const HVX_UVectorPair& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vasr_WuhVub_rnd_sat(const HVX_UVectorPair& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vasr_WwVuh_sat(const HVX_UVectorPair& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vasr_WwVuh_rnd_sat(const HVX_UVectorPair& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vasl_VhR(const HVX_UVector& va, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[i]) << (r & 15)); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vh_vaslacc_VhVhR(const HVX_UVector& vx, const HVX_UVector& va, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vasr_VhR(const HVX_UVector& va, int32_t r) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (r & 15)); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vh_vasracc_VhVhR(const HVX_UVector& vx, const HVX_UVector& va, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vasr_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vasl_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vlsr_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vasl_VwR(const HVX_UVector& va, int32_t r) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(uint32_t(a[i]) << (r & 31)); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vw_vaslacc_VwVwR(const HVX_UVector& vx, const HVX_UVector& va, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vasr_VwR(const HVX_UVector& va, int32_t r) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (r & 31)); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vw_vasracc_VwVwR(const HVX_UVector& vx, const HVX_UVector& va, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vasr_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vasl_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vlsr_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vlsr_VubR(const HVX_UVector& va, int32_t r) {
  using namespace opkg_hvx;
  using T = uint8_t;
  const opkg_hvx::Lanes<uint8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (r & 7)); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vlsr_VuhR(const HVX_UVector& va, int32_t r) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (r & 15)); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vlsr_VuwR(const HVX_UVector& va, int32_t r) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] >> (r & 31)); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vcl0_Vuh(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = uint16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] ? __builtin_clz(a[i]) - 16 : 16); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vcl0_Vuw(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = uint32_t;
  const opkg_hvx::Lanes<uint32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(a[i] ? __builtin_clz(a[i]) : 32); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vh_vpopcount_Vh(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<uint16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(__builtin_popcount(a[i])); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vh_vnormamt_Vh(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(leading(a[i]) - 17); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vw_vnormamt_Vw(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int32_t;
  const opkg_hvx::Lanes<int32_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count; i++) { o[i] = T(leading(a[i]) - 1); }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vub_vasr_VhVhR_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vasr_VhVhR_rnd_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vasr_VhVhR_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vasr_VhVhR_rnd_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vasr_VuhVuhR_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vasr_VuhVuhR_rnd_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vasr_VwVwR_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vasr_VwVwR_rnd_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vasr_VwVwR_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vasr_VwVwR_rnd_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vasr_VuwVuwR_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vasr_VuwVuwR_rnd_sat(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vasr_VwVwR(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vsat_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vsat_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vsat_VuwVuw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vround_VhVh_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vround_VhVh_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vround_VuhVuh_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vround_VwVw_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vround_VwVw_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vround_VuwVuw_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vshuffe_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vshuffo_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wb_vshuffoe_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vshuffe_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vshuffo_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vshuffoe_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vpack_VhVh_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vub_vpack_VhVh_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vpack_VwVw_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vpack_VwVw_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vpacke_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vpacko_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vdeal_Vb(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = a[2 * i]; o[64 + i] = a[2 * i + 1]; }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vb_vshuff_Vb(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int8_t;
  const opkg_hvx::Lanes<int8_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = a[i]; o[2 * i + 1] = a[64 + i]; }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vh_vpacke_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vpacko_VwVw(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vdeal_Vh(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[i] = a[2 * i]; o[32 + i] = a[2 * i + 1]; }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vh_vshuff_Vh(const HVX_UVector& va) {
  using namespace opkg_hvx;
  using T = int16_t;
  const opkg_hvx::Lanes<int16_t> la(va);
  const auto& a = la.at;
  Lanes<T> lo0;
  auto& o = lo0.at;
  for (int i = 0; i < Lanes<T>::count / 2; i++) { o[2 * i] = a[i]; o[2 * i + 1] = a[32 + i]; }
  return lo0.vector();
}
OPKG_HVX_CALL HVX_Vector Q6_Vb_vdeale_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuh_vunpack_Vub(const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuh_vzxt_Vub(const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vunpack_Vuh(const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vzxt_Vuh(const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vunpack_Vb(const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vsxt_Vb(const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vunpack_Vh(const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vsxt_Vh(const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vunpackoor_WhVb(const HVX_UVectorPair& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vunpackoor_WwVh(const HVX_UVectorPair& vx, const HVX_UVector& va) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Qb_vshuffe_QhQh(const HVX_UVectorPred& vq, const HVX_UVectorPred& vs) {
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
OPKG_HVX_CALL HVX_VectorPred Q6_Qh_vshuffe_QwQw(const HVX_UVectorPred& vq, const HVX_UVectorPred& vs) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vlut4_VuhPh(const HVX_UVector& va, int64_t vp) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vdelta_VV(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_V_vrdelta_VV(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_prefixsum_Q(const HVX_UVectorPred& vq) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_prefixsum_Q(const HVX_UVectorPred& vq) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_prefixsum_Q(const HVX_UVectorPred& vq) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vlut32_VbVbR(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vlut32or_VbVbVbR(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vlut32_VbVbR_nomatch(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vlut16_VbVhR(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vlut16or_WhVbVhR(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vlut16_VbVhR_nomatch(const HVX_UVector& va, const HVX_UVector& vb, int32_t r) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vlut32_VbVbI(const HVX_UVector& va, const HVX_UVector& vb, uint32_t n) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vb_vlut32or_VbVbVbI(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vlut16_VbVhI(const HVX_UVector& va, const HVX_UVector& vb, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vlut16or_WhVbVhI(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpy_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpyacc_WhVbVb(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpy_VubVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpyacc_WhVubVb(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuh_vmpy_VubVub(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuh_vmpyacc_WuhVubVub(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpy_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpyacc_WwVhVh(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpy_VhVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpyacc_WwVhVuh(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vmpy_VuhVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vmpyacc_WuwVuhVuh(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpy_VubRb(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpyacc_WhVubRb(const HVX_UVectorPair& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuh_vmpy_VubRub(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuh_vmpyacc_WuhVubRub(const HVX_UVectorPair& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vmpy_VuhRuh(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vmpyacc_WuwVuhRuh(const HVX_UVectorPair& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpy_VhRh(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpyacc_WwVhRh(const HVX_UVectorPair& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpyacc_WwVhRh_sat(const HVX_UVectorPair& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vrmpy_VbVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vrmpyacc_VwVbVb(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vrmpy_VubVb(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vrmpyacc_VwVubVb(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vrmpy_VubVub(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vrmpyacc_VuwVubVub(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vrmpy_VubRb(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vrmpyacc_VwVubRb(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vrmpy_VubRub(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vrmpyacc_VuwVubRub(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmpyi_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmpyiacc_VhVhVh(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmpyi_VhRb(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmpyiacc_VhVhRb(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyi_VwRb(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyiacc_VwVwRb(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyi_VwRub(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyiacc_VwVwRub(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyi_VwRh(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyiacc_VwVwRh(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyie_VwVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyieacc_VwVwVuh(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyieacc_VwVwVh(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyio_VwVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyieo_VhVh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmpy_VhVh_s1_rnd_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmpy_VhRh_s1_sat(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmpy_VhRh_s1_rnd_sat(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpye_VwVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyo_VwVh_s1_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyo_VwVh_s1_rnd_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpa_WubWb(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpa_WubWub(const HVX_UVectorPair& va, const HVX_UVectorPair& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpa_WuhRb(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpaacc_WwWuhRb(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpa_WhRb(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vmpaacc_WwWhRb(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpa_WubRb(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpaacc_WhWubRb(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpa_WubRub(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vmpaacc_WhWubRub(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vmpye_VuhRuh(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuw_vmpyeacc_VuwVuhRuh(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyoacc_VwVwVh_s1_sat_shift(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_W_vmpye_VwVuh(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_W_vmpyoacc_WVwVh(const HVX_UVectorPair& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vuh_vmpy_VuhVuh_rs16(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmpa_VhVhVhPh_sat(const HVX_UVector& vx, const HVX_UVector& va, int64_t vp) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmpa_VhVhVuhPuh_sat(const HVX_UVector& vx, const HVX_UVector& va, int64_t vp) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vmps_VhVhVuhPuh_sat(const HVX_UVector& vx, const HVX_UVector& va, int64_t vp) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vdmpy_VubRb(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vh_vdmpyacc_VhVubRb(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vdmpy_WubRb(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vdmpyacc_WhWubRb(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpy_VhRb(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpyacc_VwVhRb(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vdmpy_WhRb(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vdmpyacc_WwWhRb(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpy_WhRh_sat(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpyacc_VwWhRh_sat(const HVX_UVector& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpy_VhRh_sat(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpyacc_VwVhRh_sat(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpy_WhRuh_sat(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpyacc_VwWhRuh_sat(const HVX_UVector& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpy_VhRuh_sat(const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpyacc_VwVhRuh_sat(const HVX_UVector& vx, const HVX_UVector& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpy_VhVh_sat(const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_Vector Q6_Vw_vdmpyacc_VwVhVh_sat(const HVX_UVector& vx, const HVX_UVector& va, const HVX_UVector& vb) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vtmpy_WbRb(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vtmpyacc_WhWbRb(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vtmpy_WubRb(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wh_vtmpyacc_WhWubRb(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vtmpy_WhRb(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vtmpyacc_WwWhRb(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vdsad_WuhRuh(const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vdsadacc_WuwWuhRuh(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vrmpy_WubRbI(const HVX_UVectorPair& va, int32_t vr, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_vrmpyacc_WwWubRbI(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vrmpy_WubRubI(const HVX_UVectorPair& va, int32_t vr, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vrmpyacc_WuwWubRubI(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vrsad_WubRubI(const HVX_UVectorPair& va, int32_t vr, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Wuw_vrsadacc_WuwWubRubI(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, int32_t vr, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_v6mpy_WubWbI_h(const HVX_UVectorPair& va, const HVX_UVectorPair& vb, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_v6mpyacc_WwWubWbI_h(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, const HVX_UVectorPair& vb, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_v6mpy_WubWbI_v(const HVX_UVectorPair& va, const HVX_UVectorPair& vb, uint32_t n) {
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
OPKG_HVX_CALL HVX_VectorPair Q6_Ww_v6mpyacc_WwWubWbI_v(const HVX_UVectorPair& vx, const HVX_UVectorPair& va, const HVX_UVectorPair& vb, uint32_t n) {
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
