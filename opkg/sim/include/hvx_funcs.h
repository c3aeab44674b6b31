// Stand-in for the vendor header of this name: the helpers of hvx_internal.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_FUNCS_H_
#define OPKG_HVX_FUNCS_H_

#include "hvx_internal.h"

#endif  // OPKG_HVX_FUNCS_H_
