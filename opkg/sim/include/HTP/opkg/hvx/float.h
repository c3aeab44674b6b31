// HVX floating point: arithmetic and comparisons of single and half precision, qfloat and bfloat16.
// SPDX-License-Identifier: Apache-2.0
//
// OPKG_HVX_QFLOAT chooses the model of qfloat, by architecture: 68 (v68 to v75, the default: exact, qfloat.h) or 79 (v79 and
// later: a proxy, qfloat_v79.h). All code of a program has to agree on it. The rest is the same for both. The bits are those
// of the vendor's published architecture model for v68 to v75 (docs/hvx-coverage.md); nothing was compared with silicon.
#ifndef OPKG_HVX_FLOAT_H_
#define OPKG_HVX_FLOAT_H_

#ifndef OPKG_HVX_QFLOAT
#define OPKG_HVX_QFLOAT 68
#endif

#include "ieee.h"
#if OPKG_HVX_QFLOAT >= 79
#include "qfloat_v79.h"
#else
#include "qfloat_fast.h"
#endif

// ------------------------------------------------------------------------------------------------------------ qfloat

// NAME(a, b) of words (map_words) or halves (map_halves), or of halves with results twice as wide (map_wide).
#define OPKG_HVX_BINARY(RESULT, NAME, MAP, ...)                                                        \
  inline RESULT NAME(HVX_Vector va, HVX_Vector vb) {                                                   \
    using namespace opkg_hvx;                                                                          \
    return MAP([](Words a, Words b) -> Words { return __VA_ARGS__; }, va, vb);                         \
  }
// The same of qfloat: quick_OP, or qfloat_OP where that does not compute all lanes. FORMS: whether a and b are qfloat.
#define OPKG_HVX_QUICK(NAME, MAP, OP, FORMS, ...)                                                    \
  inline HVX_Vector NAME(HVX_Vector va, HVX_Vector vb) {                                             \
    using namespace opkg_hvx;                                                                        \
    Words ends = words(0);                                                                           \
    const HVX_Vector quick =                                                                         \
        MAP([&](Words a, Words b) -> Words { return quick_##OP<FORMS>(__VA_ARGS__, &ends); }, va, vb); \
    if (__builtin_expect(!any(ends), 1)) return quick;                                               \
    return MAP([](Words a, Words b) -> Words { return qfloat_##OP<FORMS>(__VA_ARGS__); }, va, vb);   \
  }
#define OPKG_HVX_FORMS(Q, A, B) opkg_hvx::Q, A, B
#define OPKG_HVX_SUMS(Q, QF, I, MAP, OP, MINUS)                                                               \
  OPKG_HVX_QUICK(Q6_V##QF##_##OP##_V##I##V##I, MAP, sum, OPKG_HVX_FORMS(Q, false, false), a, b, MINUS)        \
  OPKG_HVX_QUICK(Q6_V##QF##_##OP##_V##QF##V##I, MAP, sum, OPKG_HVX_FORMS(Q, true, false), a, b, MINUS)        \
  OPKG_HVX_QUICK(Q6_V##QF##_##OP##_V##QF##V##QF, MAP, sum, OPKG_HVX_FORMS(Q, true, true), a, b, MINUS)
OPKG_HVX_SUMS(Qf32, qf32, sf, map_words, vadd, 0)
OPKG_HVX_SUMS(Qf32, qf32, sf, map_words, vsub, -1)
OPKG_HVX_SUMS(Qf16, qf16, hf, map_halves, vadd, 0)
OPKG_HVX_SUMS(Qf16, qf16, hf, map_halves, vsub, -1)
#undef OPKG_HVX_SUMS
OPKG_HVX_QUICK(Q6_Vqf32_vmpy_VsfVsf, map_words, product, OPKG_HVX_FORMS(Qf32, false, false), a, b)
OPKG_HVX_QUICK(Q6_Vqf32_vmpy_Vqf32Vqf32, map_words, product, OPKG_HVX_FORMS(Qf32, true, true), a, b)
OPKG_HVX_QUICK(Q6_Vqf16_vmpy_VhfVhf, map_halves, product, OPKG_HVX_FORMS(Qf16, false, false), a, b)
OPKG_HVX_QUICK(Q6_Vqf16_vmpy_Vqf16Vhf, map_halves, product, OPKG_HVX_FORMS(Qf16, true, false), a, b)
OPKG_HVX_QUICK(Q6_Vqf16_vmpy_Vqf16Vqf16, map_halves, product, OPKG_HVX_FORMS(Qf16, true, true), a, b)
#undef OPKG_HVX_QUICK
#undef OPKG_HVX_FORMS
#define OPKG_HVX_WIDE(A, B, FORM)                                                                       \
  OPKG_HVX_BINARY(HVX_VectorPair, Q6_Wqf32_vmpy_##FORM, map_wide, qfloat_wide_product<A, B>(a, b))
OPKG_HVX_WIDE(false, false, VhfVhf)
OPKG_HVX_WIDE(true, false, Vqf16Vhf)
OPKG_HVX_WIDE(true, true, Vqf16Vqf16)
#undef OPKG_HVX_WIDE

// -------------------------------------------------------------------------------------------------- IEEE arithmetic

#define OPKG_HVX_ARITHMETIC(OP, SIGN)                                                                                 \
  OPKG_HVX_BINARY(HVX_Vector, Q6_Vsf_##OP##_VsfVsf, map_words, canonical(as<Floats>(a) SIGN as<Floats>(b)))           \
  OPKG_HVX_BINARY(HVX_Vector, Q6_Vhf_##OP##_VhfVhf, map_halves, to_half(from_half(a) SIGN from_half(b)))              \
  OPKG_HVX_BINARY(HVX_VectorPair, Q6_Wsf_##OP##_VhfVhf, map_wide, canonical(from_half(a) SIGN from_half(b)))          \
  OPKG_HVX_BINARY(HVX_VectorPair, Q6_Wsf_##OP##_VbfVbf, map_wide, canonical(from_bfloat(a) SIGN from_bfloat(b)))
OPKG_HVX_ARITHMETIC(vadd, +)
OPKG_HVX_ARITHMETIC(vsub, -)
OPKG_HVX_ARITHMETIC(vmpy, *)
#undef OPKG_HVX_ARITHMETIC

// Sums of products: fused, rounded once. Of the three-way sum Q6_Vsf_vdmpyacc the sources disagree: another one says that
// the sum of the products is rounded first.
inline HVX_Vector Q6_Vhf_vmpyacc_VhfVhfVhf(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  return map_halves(
      [](Words x, Words a, Words b) {  // the product is exact in single precision, the sum where it matters in double
        return to_half(odd_floats(doubles(from_half(x)) + doubles(from_half(a) * from_half(b))));
      },
      vx, va, vb);
}
inline HVX_VectorPair Q6_Wsf_vmpyacc_WsfVhfVhf(HVX_VectorPair x, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  const auto add = [](Words sum, Words a, Words b) {
    return canonical(as<Floats>(sum) + from_half(a) * from_half(b));
  };
  return pair(map_words([&](Words s, Words a, Words b) { return add(s, high_half(a), high_half(b)); }, hi(x), va, vb),
              map_words([&](Words s, Words a, Words b) { return add(s, low_half(a), low_half(b)); }, lo(x), va, vb));
}
inline HVX_VectorPair Q6_Wsf_vmpyacc_WsfVbfVbf(HVX_VectorPair x, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  const auto add = [](Words sum, Words a, Words b) {
    return canonical(to_floats(doubles(as<Floats>(sum)) + doubles(from_bfloat(a)) * doubles(from_bfloat(b))));
  };
  return pair(map_words([&](Words s, Words a, Words b) { return add(s, high_half(a), high_half(b)); }, hi(x), va, vb),
              map_words([&](Words s, Words a, Words b) { return add(s, a, b); }, lo(x), va, vb));
}
inline HVX_Vector Q6_Vsf_vdmpy_VhfVhf(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  return map_words(
      [](Words a, Words b) {
        const Floats high = from_half(high_half(a)) * from_half(high_half(b));
        return canonical(to_floats(odd_sum(doubles(from_half(a) * from_half(b)), doubles(high))));
      },
      va, vb);
}
inline HVX_Vector Q6_Vsf_vdmpyacc_VsfVhfVhf(HVX_Vector vx, HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  return map_words(
      [](Words x, Words a, Words b) {
        const Floats high = from_half(high_half(a)) * from_half(high_half(b));
        return canonical(to_floats(odd_sum(as<Floats>(x), from_half(a) * from_half(b), high)));
      },
      vx, va, vb);
}

// ------------------------------------------------------------------------------------------- comparisons and the like

// vmax and vmin go by the order of the bits: -NaN, -infinity, ..., -0, +0, ..., infinity, NaN; vfmax, vfmin and those of
// bfloat16 give NaN where an operand is one.
#define OPKG_HVX_EXTREMES(I, MAP, MAX, MIN, FIX)                                                                      \
  OPKG_HVX_BINARY(HVX_Vector, Q6_V##I##_##MAX##_V##I##V##I, MAP, FIX(a, b, select(Words(ordered(a) > ordered(b)), a, b))) \
  OPKG_HVX_BINARY(HVX_Vector, Q6_V##I##_##MIN##_V##I##V##I, MAP, FIX(a, b, select(Words(ordered(a) > ordered(b)), b, a)))
OPKG_HVX_EXTREMES(sf, map_words, vmax, vmin, opkg_hvx::whatever)
OPKG_HVX_EXTREMES(hf, map_halves, vmax, vmin, opkg_hvx::whatever)
OPKG_HVX_EXTREMES(sf, map_words, vfmax, vfmin, opkg_hvx::nan_of_sf)
OPKG_HVX_EXTREMES(hf, map_halves, vfmax, vfmin, opkg_hvx::nan_of_hf)
OPKG_HVX_EXTREMES(bf, map_halves, vmax, vmin, opkg_hvx::nan_of_bf)
#undef OPKG_HVX_EXTREMES
#undef OPKG_HVX_BINARY

// By the same order, but +0 is not greater than -0.
inline HVX_VectorPred Q6_Q_vcmp_gt_VsfVsf(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  return map_words([](Words a, Words b) { return greater(a, b, 0x7fffffff); }, va, vb);
}
inline HVX_VectorPred Q6_Q_vcmp_gt_VhfVhf(HVX_Vector va, HVX_Vector vb) {
  using namespace opkg_hvx;
  return map_halves([](Words a, Words b) { return greater(a, b, 0x7fff); }, va, vb);
}
inline HVX_VectorPred Q6_Q_vcmp_gt_VbfVbf(HVX_Vector va, HVX_Vector vb) { return Q6_Q_vcmp_gt_VhfVhf(va, vb); }

// Comparisons that are joined with a predicate.
#define OPKG_HVX_FLOAT_JOINED(I)                                                                      \
  inline HVX_VectorPred Q6_Q_vcmp_gtand_QV##I##V##I(HVX_VectorPred q, HVX_Vector va, HVX_Vector vb) { \
    return q & Q6_Q_vcmp_gt_V##I##V##I(va, vb);                                                       \
  }                                                                                                   \
  inline HVX_VectorPred Q6_Q_vcmp_gtor_QV##I##V##I(HVX_VectorPred q, HVX_Vector va, HVX_Vector vb) {  \
    return q | Q6_Q_vcmp_gt_V##I##V##I(va, vb);                                                       \
  }                                                                                                   \
  inline HVX_VectorPred Q6_Q_vcmp_gtxacc_QV##I##V##I(HVX_VectorPred q, HVX_Vector va, HVX_Vector vb) { \
    return q ^ Q6_Q_vcmp_gt_V##I##V##I(va, vb);                                                       \
  }
OPKG_HVX_FLOAT_JOINED(sf)
OPKG_HVX_FLOAT_JOINED(hf)
#undef OPKG_HVX_FLOAT_JOINED

#endif  // OPKG_HVX_FLOAT_H_
