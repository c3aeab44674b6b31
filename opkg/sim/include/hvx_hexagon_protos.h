// Stand-in for the compiler header of this name: HVX intrinsics in plain C++.
// SPDX-License-Identifier: Apache-2.0
//
// They are exact, qfloat and its bits in the vectors too: what each was compared with is in docs/hvx-coverage.md.
#ifndef OPKG_HVX_HEXAGON_PROTOS_H_
#define OPKG_HVX_HEXAGON_PROTOS_H_

#ifdef __hexagon__
#include_next <hvx_hexagon_protos.h>
#else
#include "HTP/opkg/hvx/access.h"
#include "HTP/opkg/hvx/float.h"
#include "HTP/opkg/hvx/float_convert.h"
#include "HTP/opkg/hvx/table.h"
#endif

#endif  // OPKG_HVX_HEXAGON_PROTOS_H_
