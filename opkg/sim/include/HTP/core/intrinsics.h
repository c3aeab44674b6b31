// Stand-in for the vendor header of this name: HVX types and intrinsics.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_INTRINSICS_H_
#define OPKG_HTP_CORE_INTRINSICS_H_

#include "../../hexagon_protos.h"
#include "../../hexagon_types.h"
#include "../../hvx_hexagon_protos.h"

#endif  // OPKG_HTP_CORE_INTRINSICS_H_
