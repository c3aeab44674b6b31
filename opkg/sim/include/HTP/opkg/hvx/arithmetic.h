// HVX: add, subtract, minimum, maximum, average, absolute value and difference.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_ARITHMETIC_H_
#define OPKG_HVX_ARITHMETIC_H_

#include "define.h"

using opkg_hvx_i64 = int64_t;

// Add and subtract, modulo 2^n.
OPKG_HVX_VV(Q6_Vb_vadd_VbVb, uint8_t, uint8_t, uint8_t, a + b)
OPKG_HVX_VV(Q6_Vh_vadd_VhVh, uint16_t, uint16_t, uint16_t, a + b)
OPKG_HVX_VV(Q6_Vw_vadd_VwVw, uint32_t, uint32_t, uint32_t, a + b)
OPKG_HVX_VV(Q6_Vb_vsub_VbVb, uint8_t, uint8_t, uint8_t, a - b)
OPKG_HVX_VV(Q6_Vh_vsub_VhVh, uint16_t, uint16_t, uint16_t, a - b)
OPKG_HVX_VV(Q6_Vw_vsub_VwVw, uint32_t, uint32_t, uint32_t, a - b)

// Saturating.
OPKG_HVX_VV(Q6_Vb_vadd_VbVb_sat, int8_t, int8_t, int8_t, opkg_hvx::saturate<int8_t>(a + b))
OPKG_HVX_VV(Q6_Vub_vadd_VubVub_sat, uint8_t, uint8_t, uint8_t, opkg_hvx::saturate<uint8_t>(a + b))
OPKG_HVX_VV(Q6_Vub_vadd_VubVb_sat, uint8_t, uint8_t, int8_t, opkg_hvx::saturate<uint8_t>(a + b))
OPKG_HVX_VV(Q6_Vh_vadd_VhVh_sat, int16_t, int16_t, int16_t, opkg_hvx::saturate<int16_t>(a + b))
OPKG_HVX_VV(Q6_Vuh_vadd_VuhVuh_sat, uint16_t, uint16_t, uint16_t, opkg_hvx::saturate<uint16_t>(a + b))
OPKG_HVX_VV(Q6_Vw_vadd_VwVw_sat, int32_t, int32_t, int32_t, opkg_hvx::saturate<int32_t>(opkg_hvx_i64(a) + b))
OPKG_HVX_VV(Q6_Vuw_vadd_VuwVuw_sat, uint32_t, uint32_t, uint32_t,
            opkg_hvx::saturate<uint32_t>(opkg_hvx_i64(a) + b))
OPKG_HVX_VV(Q6_Vb_vsub_VbVb_sat, int8_t, int8_t, int8_t, opkg_hvx::saturate<int8_t>(a - b))
OPKG_HVX_VV(Q6_Vub_vsub_VubVub_sat, uint8_t, uint8_t, uint8_t, opkg_hvx::saturate<uint8_t>(a - b))
OPKG_HVX_VV(Q6_Vub_vsub_VubVb_sat, uint8_t, uint8_t, int8_t, opkg_hvx::saturate<uint8_t>(a - b))
OPKG_HVX_VV(Q6_Vh_vsub_VhVh_sat, int16_t, int16_t, int16_t, opkg_hvx::saturate<int16_t>(a - b))
OPKG_HVX_VV(Q6_Vuh_vsub_VuhVuh_sat, uint16_t, uint16_t, uint16_t, opkg_hvx::saturate<uint16_t>(a - b))
OPKG_HVX_VV(Q6_Vw_vsub_VwVw_sat, int32_t, int32_t, int32_t, opkg_hvx::saturate<int32_t>(opkg_hvx_i64(a) - b))
OPKG_HVX_VV(Q6_Vuw_vsub_VuwVuw_sat, uint32_t, uint32_t, uint32_t,
            opkg_hvx::saturate<uint32_t>(opkg_hvx_i64(a) - opkg_hvx_i64(b)))

// Both vectors of a pair.
OPKG_HVX_WW(Q6_Wb_vadd_WbWb, Q6_Vb_vadd_VbVb)
OPKG_HVX_WW(Q6_Wh_vadd_WhWh, Q6_Vh_vadd_VhVh)
OPKG_HVX_WW(Q6_Ww_vadd_WwWw, Q6_Vw_vadd_VwVw)
OPKG_HVX_WW(Q6_Wb_vsub_WbWb, Q6_Vb_vsub_VbVb)
OPKG_HVX_WW(Q6_Wh_vsub_WhWh, Q6_Vh_vsub_VhVh)
OPKG_HVX_WW(Q6_Ww_vsub_WwWw, Q6_Vw_vsub_VwVw)
OPKG_HVX_WW(Q6_Wub_vadd_WubWub_sat, Q6_Vub_vadd_VubVub_sat)
OPKG_HVX_WW(Q6_Wuh_vadd_WuhWuh_sat, Q6_Vuh_vadd_VuhVuh_sat)
OPKG_HVX_WW(Q6_Wh_vadd_WhWh_sat, Q6_Vh_vadd_VhVh_sat)
OPKG_HVX_WW(Q6_Ww_vadd_WwWw_sat, Q6_Vw_vadd_VwVw_sat)
OPKG_HVX_WW(Q6_Wub_vsub_WubWub_sat, Q6_Vub_vsub_VubVub_sat)
OPKG_HVX_WW(Q6_Wuh_vsub_WuhWuh_sat, Q6_Vuh_vsub_VuhVuh_sat)
OPKG_HVX_WW(Q6_Wh_vsub_WhWh_sat, Q6_Vh_vsub_VhVh_sat)
OPKG_HVX_WW(Q6_Ww_vsub_WwWw_sat, Q6_Vw_vsub_VwVw_sat)

// Widening.
OPKG_HVX_WVV(Q6_Wh_vadd_VubVub, int16_t, uint8_t, uint8_t, a + b)
OPKG_HVX_WVV(Q6_Wh_vsub_VubVub, int16_t, uint8_t, uint8_t, a - b)
OPKG_HVX_WVV(Q6_Ww_vadd_VhVh, int32_t, int16_t, int16_t, a + b)
OPKG_HVX_WVV(Q6_Ww_vsub_VhVh, int32_t, int16_t, int16_t, a - b)
OPKG_HVX_WVV(Q6_Ww_vadd_VuhVuh, int32_t, uint16_t, uint16_t, a + b)
OPKG_HVX_WVV(Q6_Ww_vsub_VuhVuh, int32_t, uint16_t, uint16_t, a - b)
OPKG_HVX_WXVV(Q6_Wh_vaddacc_WhVubVub, int16_t, uint8_t, uint8_t, x + a + b)
OPKG_HVX_WXVV(Q6_Ww_vaddacc_WwVhVh, uint32_t, int16_t, int16_t, x + uint32_t(a + b))
OPKG_HVX_WXVV(Q6_Ww_vaddacc_WwVuhVuh, uint32_t, uint16_t, uint16_t, x + uint32_t(a + b))

// Minimum and maximum.
OPKG_HVX_VV(Q6_Vb_vmax_VbVb, int8_t, int8_t, int8_t, a > b ? a : b)
OPKG_HVX_VV(Q6_Vub_vmax_VubVub, uint8_t, uint8_t, uint8_t, a > b ? a : b)
OPKG_HVX_VV(Q6_Vh_vmax_VhVh, int16_t, int16_t, int16_t, a > b ? a : b)
OPKG_HVX_VV(Q6_Vuh_vmax_VuhVuh, uint16_t, uint16_t, uint16_t, a > b ? a : b)
OPKG_HVX_VV(Q6_Vw_vmax_VwVw, int32_t, int32_t, int32_t, a > b ? a : b)
OPKG_HVX_VV(Q6_Vb_vmin_VbVb, int8_t, int8_t, int8_t, a < b ? a : b)
OPKG_HVX_VV(Q6_Vub_vmin_VubVub, uint8_t, uint8_t, uint8_t, a < b ? a : b)
OPKG_HVX_VV(Q6_Vh_vmin_VhVh, int16_t, int16_t, int16_t, a < b ? a : b)
OPKG_HVX_VV(Q6_Vuh_vmin_VuhVuh, uint16_t, uint16_t, uint16_t, a < b ? a : b)
OPKG_HVX_VV(Q6_Vw_vmin_VwVw, int32_t, int32_t, int32_t, a < b ? a : b)

// Average and half the difference; "rnd" rounds halves up.
OPKG_HVX_VV(Q6_Vub_vavg_VubVub, uint8_t, uint8_t, uint8_t, (a + b) >> 1)
OPKG_HVX_VV(Q6_Vub_vavg_VubVub_rnd, uint8_t, uint8_t, uint8_t, (a + b + 1) >> 1)
OPKG_HVX_VV(Q6_Vh_vavg_VhVh, int16_t, int16_t, int16_t, (a + b) >> 1)
OPKG_HVX_VV(Q6_Vh_vavg_VhVh_rnd, int16_t, int16_t, int16_t, (a + b + 1) >> 1)
OPKG_HVX_VV(Q6_Vuh_vavg_VuhVuh, uint16_t, uint16_t, uint16_t, (a + b) >> 1)
OPKG_HVX_VV(Q6_Vuh_vavg_VuhVuh_rnd, uint16_t, uint16_t, uint16_t, (a + b + 1) >> 1)
OPKG_HVX_VV(Q6_Vw_vavg_VwVw, int32_t, int32_t, int32_t, (opkg_hvx_i64(a) + b) >> 1)
OPKG_HVX_VV(Q6_Vw_vavg_VwVw_rnd, int32_t, int32_t, int32_t, (opkg_hvx_i64(a) + b + 1) >> 1)
OPKG_HVX_VV(Q6_Vb_vavg_VbVb, int8_t, int8_t, int8_t, (a + b) >> 1)
OPKG_HVX_VV(Q6_Vb_vavg_VbVb_rnd, int8_t, int8_t, int8_t, (a + b + 1) >> 1)
OPKG_HVX_VV(Q6_Vb_vnavg_VubVub, int8_t, uint8_t, uint8_t, (a - b) >> 1)
OPKG_HVX_VV(Q6_Vh_vnavg_VhVh, int16_t, int16_t, int16_t, (a - b) >> 1)
OPKG_HVX_VV(Q6_Vw_vnavg_VwVw, int32_t, int32_t, int32_t, (opkg_hvx_i64(a) - b) >> 1)

// Absolute difference and absolute value.
OPKG_HVX_VV(Q6_Vub_vabsdiff_VubVub, uint8_t, uint8_t, uint8_t, a > b ? a - b : b - a)
OPKG_HVX_VV(Q6_Vuh_vabsdiff_VuhVuh, uint16_t, uint16_t, uint16_t, a > b ? a - b : b - a)
OPKG_HVX_VV(Q6_Vuh_vabsdiff_VhVh, uint16_t, int16_t, int16_t, a > b ? a - b : b - a)
OPKG_HVX_VV(Q6_Vuw_vabsdiff_VwVw, uint32_t, int32_t, int32_t,
            a > b ? opkg_hvx_i64(a) - b : opkg_hvx_i64(b) - a)
OPKG_HVX_V(Q6_Vb_vabs_Vb, int8_t, int8_t, a < 0 ? -a : a)
OPKG_HVX_V(Q6_Vb_vabs_Vb_sat, int8_t, int8_t, opkg_hvx::saturate<int8_t>(a < 0 ? -a : a))
OPKG_HVX_V(Q6_Vh_vabs_Vh, int16_t, int16_t, a < 0 ? -a : a)
OPKG_HVX_V(Q6_Vh_vabs_Vh_sat, int16_t, int16_t, opkg_hvx::saturate<int16_t>(a < 0 ? -a : a))
OPKG_HVX_V(Q6_Vw_vabs_Vw, int32_t, int32_t, a < 0 ? -opkg_hvx_i64(a) : a)
OPKG_HVX_V(Q6_Vw_vabs_Vw_sat, int32_t, int32_t, opkg_hvx::saturate<int32_t>(a < 0 ? -opkg_hvx_i64(a) : a))

#endif  // OPKG_HVX_ARITHMETIC_H_
