// The bits of 32 floats or 64 halves in a vector, and what HVX has for them.
#ifndef OPKG_HVX_BITS_H_
#define OPKG_HVX_BITS_H_

#include "opkg/hvx.h"

// 1: kernels may compute floats in vectors. 0: they leave it to the portable code.
#ifndef OPKG_HVX_FLOAT
#define OPKG_HVX_FLOAT OPKG_HVX
#endif

// 1: by instructions for them (v68 and later, and a host in their place). 0: in whole numbers, or not at all.
#ifndef OPKG_HVX_FLOAT_UNIT
#if !OPKG_HVX_FLOAT || (defined(__HVX_ARCH__) && __HVX_ARCH__ < 68)
#define OPKG_HVX_FLOAT_UNIT 0
#else
#define OPKG_HVX_FLOAT_UNIT 1
#endif
#endif

// 1: sums and products by IEEE instructions (v68 to v75; clang 20 and later want -mhvx-ieee-fp). 0: by qfloat (v79, and a
// host that takes the part of it).
#ifndef OPKG_HVX_IEEE
#if (defined(__HVX_ARCH__) && __HVX_ARCH__ >= 79) || (defined(OPKG_HVX_QFLOAT) && OPKG_HVX_QFLOAT >= 79)
#define OPKG_HVX_IEEE 0
#else
#define OPKG_HVX_IEEE 1
#endif
#endif

#if OPKG_HVX_FLOAT

// Functions of many instructions. Inside of a loop HVX keeps their constants in registers; a host, and whole numbers in
// the place of each, only compile longer.
#if defined(__hexagon__) && OPKG_HVX_FLOAT_UNIT
#define OPKG_FLOAT_FUNCTION OPKG_INLINE
#else
#define OPKG_FLOAT_FUNCTION __attribute__((noinline)) inline
#endif

namespace opkg::hvx {

/// A function as a call of its own, for kernels that use it on several vectors of a step.
template <auto function, typename... Vectors>
__attribute__((noinline)) HVX_Vector apart(Vectors... v) {
  return function(v...);
}

// -------------------------------------------------------------------------------------------------------------- bits

OPKG_INLINE HVX_Vector splat_w(uint32_t word) { return Q6_V_vsplat_R(static_cast<int32_t>(word)); }

/// The same number in all lanes.
OPKG_INLINE HVX_Vector splat_sf(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);  // also a constant without a C library
  return splat_w(bits);
}
OPKG_INLINE HVX_Vector splat_hf(uint16_t bits) { return splat_w(bits * 0x10001u); }

constexpr uint32_t kInfinity = 0x7f800000u, kNan = 0x7fffffffu;

OPKG_INLINE HVX_Vector sign_bits(HVX_Vector x) { return Q6_V_vand_VV(x, splat_w(0x80000000u)); }
OPKG_INLINE HVX_Vector magnitude_sf(HVX_Vector x) { return Q6_V_vand_VV(x, splat_w(0x7fffffffu)); }
OPKG_INLINE HVX_Vector magnitude_hf(HVX_Vector x) { return Q6_V_vand_VV(x, splat_hf(0x7fff)); }
OPKG_INLINE HVX_Vector exponent_bits(HVX_Vector x) {  // 0 to 255
  return Q6_Vuw_vlsr_VuwR(magnitude_sf(x), 23);
}
OPKG_INLINE HVX_VectorPred nan_sf(HVX_Vector x) { return Q6_Q_vcmp_gt_VwVw(magnitude_sf(x), splat_w(kInfinity)); }
OPKG_INLINE HVX_VectorPred nan_hf(HVX_Vector x) { return Q6_Q_vcmp_gt_VhVh(magnitude_hf(x), splat_hf(0x7c00)); }
/// NaN where x is NaN.
OPKG_INLINE HVX_Vector keep_nan(HVX_Vector x, HVX_Vector result) {
  return Q6_V_vmux_QVV(nan_sf(x), splat_w(kNan), result);
}

OPKG_INLINE HVX_Vector neg_sf(HVX_Vector x) { return Q6_V_vxor_VV(x, splat_w(0x80000000u)); }
OPKG_INLINE HVX_Vector abs_sf(HVX_Vector x) { return magnitude_sf(x); }
OPKG_INLINE HVX_Vector neg_hf(HVX_Vector x) { return Q6_V_vxor_VV(x, splat_hf(0x8000)); }
OPKG_INLINE HVX_Vector abs_hf(HVX_Vector x) { return magnitude_hf(x); }

}  // namespace opkg::hvx

#endif  // OPKG_HVX_FLOAT
#endif  // OPKG_HVX_BITS_H_
