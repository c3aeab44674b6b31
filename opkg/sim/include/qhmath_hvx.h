// Stand-in for the vendor header of this name: includes the HVX intrinsics. The math library itself is not
// modelled. SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QHMATH_HVX_H_
#define OPKG_QHMATH_HVX_H_

#include "hvx_internal.h"

#endif  // OPKG_QHMATH_HVX_H_
