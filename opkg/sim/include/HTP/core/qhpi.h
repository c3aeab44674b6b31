// Stand-in for the vendor header of this name: the C plugin interface.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_QHPI_H_
#define OPKG_HTP_CORE_QHPI_H_

#include "../../opkg/qhpi_abi.h"

#endif  // OPKG_HTP_CORE_QHPI_H_
