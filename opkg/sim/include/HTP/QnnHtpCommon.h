// Stand-in for the vendor header of this name: backend id and API version of HTP.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_QNN_HTP_COMMON_H_
#define OPKG_HTP_QNN_HTP_COMMON_H_

#include "../opkg/qnn_abi.h"

#endif  // OPKG_HTP_QNN_HTP_COMMON_H_
