// HVX floating point as a model: nothing here was compared with hardware. SPDX-License-Identifier: Apache-2.0
//
// IEEE operations are those of the host, rounded once; products that are added up are rounded before the sum. qfloat
// vectors (qf16, qf32) hold IEEE numbers: hardware has a significand that is not kept normalized and no infinity, NaN or
// subnormal number, so results agree within a unit of the last place of the operands and within the smallest normal
// number, not bit for bit, and not where they overflow. Conversions to integers cut off and saturate, NaN gives 0;
// vfmin and vfmax give the other operand where one is NaN.
#ifndef OPKG_HVX_FLOAT_H_
#define OPKG_HVX_FLOAT_H_

#include <cmath>
#include <limits>

#include "../float16.h"
#include "define.h"

namespace opkg_hvx {

// Lanes as float, of single (sf) and half (hf) precision vectors.
struct Sf {
  using Storage = float;
  static float load(float x) { return x; }
  static float store(float x) { return x; }
};
struct Hf {
  using Storage = uint16_t;
  static float load(uint16_t x) { return opkg_sim::half_to_float(x); }
  static uint16_t store(float x) { return opkg_sim::float_to_half(x); }
};

template <typename P, typename F>
inline HVX_Vector float_map(HVX_Vector va, HVX_Vector vb, F f) {
  using T = typename P::Storage;
  const Lanes<T> a(va), b(vb);
  Lanes<T> out;
  for (int i = 0; i < Lanes<T>::count; i++) out.at[i] = P::store(f(P::load(a.at[i]), P::load(b.at[i])));
  return out.vector();
}

template <typename P, typename F>
inline HVX_VectorPred float_compare(HVX_Vector va, HVX_Vector vb, F f) {
  using T = typename P::Storage;
  const Lanes<T> a(va), b(vb);
  Lanes<T> out;
  for (int i = 0; i < Lanes<T>::count; i++) {
    memset(&out.at[i], f(P::load(a.at[i]), P::load(b.at[i])) ? 0xff : 0, sizeof(T));
  }
  return out.vector();
}

// Even lanes of the halves to the low vector, odd ones to the high vector, and back.
inline HVX_VectorPair halves_to_floats(HVX_Vector v) {
  const Lanes<uint16_t> in(v);
  WidePair<float> out;
  for (int i = 0; i < 64; i++) out.at(i) = Hf::load(in.at[i]);
  return out.pair();
}
inline HVX_Vector floats_to_halves(HVX_Vector odd, HVX_Vector even) {
  const Lanes<float> o(odd), e(even);
  Lanes<uint16_t> out;
  for (int i = 0; i < 32; i++) {
    out.at[2 * i] = Hf::store(e.at[i]);
    out.at[2 * i + 1] = Hf::store(o.at[i]);
  }
  return out.vector();
}

template <typename T>
inline T truncate(float x) {
  if (x != x) return 0;
  const float high = float(std::numeric_limits<T>::max()), low = float(std::numeric_limits<T>::min());
  return x >= high ? std::numeric_limits<T>::max() : x <= low ? std::numeric_limits<T>::min() : T(x);
}

// Bytes to halves, and back: even bytes belong to the low, or second, vector.
template <typename T>
inline HVX_VectorPair bytes_to_halves(HVX_Vector v) {
  const Lanes<T> in(v);
  WidePair<uint16_t> out;
  for (int i = 0; i < 128; i++) out.at(i) = Hf::store(float(in.at[i]));
  return out.pair();
}
template <typename T>
inline HVX_Vector halves_to_bytes(HVX_Vector odd, HVX_Vector even) {
  const Lanes<uint16_t> o(odd), e(even);
  Lanes<T> out;
  for (int i = 0; i < 64; i++) {
    out.at[2 * i] = truncate<T>(Hf::load(e.at[i]));
    out.at[2 * i + 1] = truncate<T>(Hf::load(o.at[i]));
  }
  return out.vector();
}

}  // namespace opkg_hvx

// Add, subtract and multiply with every mix of IEEE and qfloat operands, which are the same thing here.
#define OPKG_HVX_LANEWISE(NAME, P, EXPR)                                                                \
  inline HVX_Vector NAME(HVX_Vector va, HVX_Vector vb) {                                             \
    return opkg_hvx::float_map<opkg_hvx::P>(va, vb, [](float a, float b) -> float { return EXPR; }); \
  }
#define OPKG_HVX_QFLOAT(OP, Q, I, P, EXPR)             \
  OPKG_HVX_LANEWISE(Q6_V##Q##_##OP##_V##I##V##I, P, EXPR) \
  OPKG_HVX_LANEWISE(Q6_V##Q##_##OP##_V##Q##V##I, P, EXPR) \
  OPKG_HVX_LANEWISE(Q6_V##Q##_##OP##_V##Q##V##Q, P, EXPR) \
  OPKG_HVX_LANEWISE(Q6_V##I##_##OP##_V##I##V##I, P, EXPR)
OPKG_HVX_QFLOAT(vadd, qf32, sf, Sf, a + b)
OPKG_HVX_QFLOAT(vsub, qf32, sf, Sf, a - b)
OPKG_HVX_QFLOAT(vmpy, qf32, sf, Sf, a* b)
OPKG_HVX_QFLOAT(vadd, qf16, hf, Hf, a + b)
OPKG_HVX_QFLOAT(vsub, qf16, hf, Hf, a - b)
OPKG_HVX_QFLOAT(vmpy, qf16, hf, Hf, a* b)
OPKG_HVX_LANEWISE(Q6_Vsf_vfmax_VsfVsf, Sf, a > b || b != b ? a : b)
OPKG_HVX_LANEWISE(Q6_Vsf_vfmin_VsfVsf, Sf, a < b || b != b ? a : b)
OPKG_HVX_LANEWISE(Q6_Vhf_vfmax_VhfVhf, Hf, a > b || b != b ? a : b)
OPKG_HVX_LANEWISE(Q6_Vhf_vfmin_VhfVhf, Hf, a < b || b != b ? a : b)
OPKG_HVX_LANEWISE(Q6_Vsf_vmax_VsfVsf, Sf, a > b ? a : b)
OPKG_HVX_LANEWISE(Q6_Vsf_vmin_VsfVsf, Sf, a < b ? a : b)
OPKG_HVX_LANEWISE(Q6_Vhf_vmax_VhfVhf, Hf, a > b ? a : b)
OPKG_HVX_LANEWISE(Q6_Vhf_vmin_VhfVhf, Hf, a < b ? a : b)
#undef OPKG_HVX_QFLOAT
#undef OPKG_HVX_LANEWISE

inline HVX_VectorPred Q6_Q_vcmp_gt_VsfVsf(HVX_Vector va, HVX_Vector vb) {
  return opkg_hvx::float_compare<opkg_hvx::Sf>(va, vb, [](float a, float b) { return a > b; });
}
inline HVX_VectorPred Q6_Q_vcmp_gt_VhfVhf(HVX_Vector va, HVX_Vector vb) {
  return opkg_hvx::float_compare<opkg_hvx::Hf>(va, vb, [](float a, float b) { return a > b; });
}

// Comparisons that are joined with a predicate.
#define OPKG_HVX_FLOAT_JOINED(I)                                                                                  \
  inline HVX_VectorPred Q6_Q_vcmp_gtand_QV##I##V##I(HVX_VectorPred q, HVX_Vector va, HVX_Vector vb) {             \
    return q & Q6_Q_vcmp_gt_V##I##V##I(va, vb);                                                                   \
  }                                                                                                               \
  inline HVX_VectorPred Q6_Q_vcmp_gtor_QV##I##V##I(HVX_VectorPred q, HVX_Vector va, HVX_Vector vb) {              \
    return q | Q6_Q_vcmp_gt_V##I##V##I(va, vb);                                                                   \
  }                                                                                                               \
  inline HVX_VectorPred Q6_Q_vcmp_gtxacc_QV##I##V##I(HVX_VectorPred q, HVX_Vector va, HVX_Vector vb) {            \
    return q ^ Q6_Q_vcmp_gt_V##I##V##I(va, vb);                                                                   \
  }
OPKG_HVX_FLOAT_JOINED(sf)
OPKG_HVX_FLOAT_JOINED(hf)
#undef OPKG_HVX_FLOAT_JOINED

// Sums, differences and products of halves in single precision.
#define OPKG_HVX_FLOAT_WIDE(NAME, OPERATION)                                                     \
  inline HVX_VectorPair NAME(HVX_Vector va, HVX_Vector vb) {                                     \
    const HVX_VectorPair a = opkg_hvx::halves_to_floats(va), b = opkg_hvx::halves_to_floats(vb); \
    return opkg_hvx::pair(Q6_Vsf_##OPERATION##_VsfVsf(opkg_hvx::hi(a), opkg_hvx::hi(b)),         \
                          Q6_Vsf_##OPERATION##_VsfVsf(opkg_hvx::lo(a), opkg_hvx::lo(b)));        \
  }
OPKG_HVX_FLOAT_WIDE(Q6_Wqf32_vmpy_VhfVhf, vmpy)
OPKG_HVX_FLOAT_WIDE(Q6_Wqf32_vmpy_Vqf16Vhf, vmpy)
OPKG_HVX_FLOAT_WIDE(Q6_Wqf32_vmpy_Vqf16Vqf16, vmpy)
OPKG_HVX_FLOAT_WIDE(Q6_Wsf_vmpy_VhfVhf, vmpy)
OPKG_HVX_FLOAT_WIDE(Q6_Wsf_vadd_VhfVhf, vadd)
OPKG_HVX_FLOAT_WIDE(Q6_Wsf_vsub_VhfVhf, vsub)
#undef OPKG_HVX_FLOAT_WIDE

// Sums of products.
inline HVX_Vector Q6_Vhf_vmpyacc_VhfVhfVhf(HVX_Vector x, HVX_Vector va, HVX_Vector vb) {
  return Q6_Vhf_vadd_VhfVhf(x, Q6_Vhf_vmpy_VhfVhf(va, vb));
}
inline HVX_VectorPair Q6_Wsf_vmpyacc_WsfVhfVhf(HVX_VectorPair x, HVX_Vector va, HVX_Vector vb) {
  const HVX_VectorPair products = Q6_Wsf_vmpy_VhfVhf(va, vb);
  return opkg_hvx::pair(Q6_Vsf_vadd_VsfVsf(opkg_hvx::hi(x), opkg_hvx::hi(products)),
                        Q6_Vsf_vadd_VsfVsf(opkg_hvx::lo(x), opkg_hvx::lo(products)));
}
inline HVX_Vector Q6_Vsf_vdmpy_VhfVhf(HVX_Vector va, HVX_Vector vb) {
  const HVX_VectorPair products = Q6_Wsf_vmpy_VhfVhf(va, vb);
  return Q6_Vsf_vadd_VsfVsf(opkg_hvx::lo(products), opkg_hvx::hi(products));
}
inline HVX_Vector Q6_Vsf_vdmpyacc_VsfVhfVhf(HVX_Vector x, HVX_Vector va, HVX_Vector vb) {
  return Q6_Vsf_vadd_VsfVsf(x, Q6_Vsf_vdmpy_VhfVhf(va, vb));
}

// Conversions.
inline HVX_Vector Q6_Vsf_equals_Vqf32(HVX_Vector v) { return v; }
inline HVX_Vector Q6_Vhf_equals_Vqf16(HVX_Vector v) { return v; }
inline HVX_Vector Q6_Vhf_equals_Wqf32(HVX_VectorPair w) {
  return opkg_hvx::floats_to_halves(opkg_hvx::hi(w), opkg_hvx::lo(w));
}
inline HVX_Vector Q6_Vhf_vcvt_VsfVsf(HVX_Vector odd, HVX_Vector even) {
  return opkg_hvx::floats_to_halves(odd, even);
}
inline HVX_VectorPair Q6_Wsf_vcvt_Vhf(HVX_Vector v) { return opkg_hvx::halves_to_floats(v); }
#define OPKG_HVX_CONVERT(NAME, T, A, EXPR)                   \
  inline HVX_Vector NAME(HVX_Vector va) {                    \
    const opkg_hvx::Lanes<A> la(va);                         \
    opkg_hvx::Lanes<T> out;                                  \
    for (int i = 0; i < opkg_hvx::Lanes<T>::count; i++)      \
      out.at[i] = ([](A a) -> T { return EXPR; })(la.at[i]); \
    return out.vector();                                     \
  }
OPKG_HVX_CONVERT(Q6_Vsf_equals_Vw, float, int32_t, float(a))
OPKG_HVX_CONVERT(Q6_Vw_equals_Vsf, int32_t, float, opkg_hvx::truncate<int32_t>(a))
OPKG_HVX_CONVERT(Q6_Vhf_equals_Vh, uint16_t, int16_t, opkg_hvx::Hf::store(float(a)))
OPKG_HVX_CONVERT(Q6_Vh_equals_Vhf, int16_t, uint16_t, opkg_hvx::truncate<int16_t>(opkg_hvx::Hf::load(a)))
OPKG_HVX_CONVERT(Q6_Vhf_vcvt_Vh, uint16_t, int16_t, opkg_hvx::Hf::store(float(a)))
OPKG_HVX_CONVERT(Q6_Vhf_vcvt_Vuh, uint16_t, uint16_t, opkg_hvx::Hf::store(float(a)))
OPKG_HVX_CONVERT(Q6_Vh_vcvt_Vhf, int16_t, uint16_t, opkg_hvx::truncate<int16_t>(opkg_hvx::Hf::load(a)))
OPKG_HVX_CONVERT(Q6_Vuh_vcvt_Vhf, uint16_t, uint16_t, opkg_hvx::truncate<uint16_t>(opkg_hvx::Hf::load(a)))
OPKG_HVX_CONVERT(Q6_Vsf_vabs_Vsf, float, float, fabsf(a))
OPKG_HVX_CONVERT(Q6_Vsf_vfneg_Vsf, float, float, -a)
OPKG_HVX_CONVERT(Q6_Vhf_vabs_Vhf, uint16_t, uint16_t, uint16_t(a & 0x7fff))
OPKG_HVX_CONVERT(Q6_Vhf_vfneg_Vhf, uint16_t, uint16_t, uint16_t(a ^ 0x8000))
#undef OPKG_HVX_CONVERT
inline HVX_VectorPair Q6_Whf_vcvt_Vb(HVX_Vector v) { return opkg_hvx::bytes_to_halves<int8_t>(v); }
inline HVX_VectorPair Q6_Whf_vcvt_Vub(HVX_Vector v) { return opkg_hvx::bytes_to_halves<uint8_t>(v); }
inline HVX_Vector Q6_Vb_vcvt_VhfVhf(HVX_Vector odd, HVX_Vector even) {
  return opkg_hvx::halves_to_bytes<int8_t>(odd, even);
}
inline HVX_Vector Q6_Vub_vcvt_VhfVhf(HVX_Vector odd, HVX_Vector even) {
  return opkg_hvx::halves_to_bytes<uint8_t>(odd, even);
}
inline HVX_Vector Q6_Vw_vfmv_Vw(HVX_Vector v) { return v; }

#endif  // OPKG_HVX_FLOAT_H_
