// Stand-in for the vendor header of this name: DType.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_DTYPE_H_
#define OPKG_HTP_CORE_DTYPE_H_

#include "../opkg/status.h"

#endif  // OPKG_HTP_CORE_DTYPE_H_
