// Sums of functions of 16-bit elements, down columns and along rows, made of the elements a vector at a time.
#ifndef OPKG_HVX_COLUMNS_FUNCTION_H_
#define OPKG_HVX_COLUMNS_FUNCTION_H_

#include "opkg/hvx_columns_pixels.h"

namespace opkg::hvx {

/// What functions of both sides of a zero point have in common: 16-bit elements without sign, `size` and `above` of which count in stored steps.
template <typename T>
class Corner {
 protected:
  static constexpr bool kSigned = std::is_signed_v<T>;

 public:
  /// False: no element can be zero.
  bool set(int64_t stored) {
    zero = static_cast<T>(stored);
    return zero == stored;
  }

#if OPKG_HVX
  OPKG_INLINE HVX_Vector neutral() const { return Q6_V_vsplat_R(both_halves(zero)); }
#endif

 protected:
  T zero = 0;
};

/// |x|.
template <typename T>
struct Size : Corner<T> {
#if OPKG_HVX
  OPKG_INLINE HVX_Vector of(HVX_Vector a) const {
    const HVX_Vector zero = this->neutral();  // not vabsdiff, for which sums would wait
    if constexpr (std::is_signed_v<T>) return Q6_Vh_vsub_VhVh(Q6_Vh_vmax_VhVh(a, zero), Q6_Vh_vmin_VhVh(a, zero));
    return Q6_V_vor_VV(Q6_Vuh_vsub_VuhVuh_sat(a, zero), Q6_Vuh_vsub_VuhVuh_sat(zero, a));
  }
#endif
};

/// max(x, 0).
template <typename T>
struct Above : Corner<T> {
#if OPKG_HVX
  OPKG_INLINE HVX_Vector of(HVX_Vector a) const {
    if constexpr (!std::is_signed_v<T>) return Q6_Vuh_vsub_VuhVuh_sat(a, this->neutral());
    return Q6_Vh_vsub_VhVh(Q6_Vh_vmax_VhVh(a, this->neutral()), this->neutral());
  }
#endif
};

#if OPKG_HVX

/// Sums of a function, a member of the struct.
template <typename Function>
class FunctionSum : public Sum16<uint16_t, Function> {
  using Base = Sum16<uint16_t, Function>;

 public:
  using Of = Function;

  OPKG_INLINE void bind(const Function& function) { function_ = function; }
  OPKG_INLINE HVX_Vector neutral() const { return function_.neutral(); }
  OPKG_INLINE void one(HVX_Vector a) { Base::one(function_.of(a)); }
  OPKG_INLINE void two(HVX_Vector a, HVX_Vector b) { Base::two(function_.of(a), function_.of(b)); }

  static OPKG_INLINE HVX_Vector begin(const Function& function, HVX_Vector a) { return Base::begin(function.of(a)); }
  static OPKG_INLINE HVX_Vector begin(const Function& function, HVX_VectorPred with, HVX_Vector a) {
    return begin(function, Q6_V_vmux_QVV(with, a, function.neutral()));
  }

 private:
  Function function_;
};

template <typename Function>
struct Gather<FunctionSum<Function>> : Gather<Sum16<uint16_t, Function>> {};

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_COLUMNS_FUNCTION_H_
