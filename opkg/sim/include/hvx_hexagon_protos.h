// Stand-in for the compiler header of this name: HVX intrinsics in plain C++.
// SPDX-License-Identifier: Apache-2.0
//
// Integer intrinsics are exact: tests/hvx compares them with qemu-hexagon bit by bit. Those on qfloat
// keep IEEE numbers in the vector instead of the hardware's own format; their results agree within a
// tolerance only.
#ifndef OPKG_HVX_HEXAGON_PROTOS_H_
#define OPKG_HVX_HEXAGON_PROTOS_H_

#ifdef __hexagon__
#include_next <hvx_hexagon_protos.h>
#else
#include "HTP/opkg/hvx/access.h"
#include "HTP/opkg/hvx/float.h"
#include "HTP/opkg/hvx/table.h"
#endif

#endif  // OPKG_HVX_HEXAGON_PROTOS_H_
