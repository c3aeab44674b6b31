// Floating point on HVX: 32 floats or 64 halves in a vector.
#ifndef OPKG_HVX_FLOAT_FUNCTIONS_H_
#define OPKG_HVX_FLOAT_FUNCTIONS_H_

#include "opkg/hvx_angles.h"  // sine, cosine, arc tangent
#include "opkg/hvx_lanes.h"   // arithmetic, comparisons, whole numbers, conversions
#include "opkg/hvx_math.h"    // division, roots, exponential and what is made of it
#include "opkg/hvx_pow.h"     // powers

#endif  // OPKG_HVX_FLOAT_FUNCTIONS_H_
