// Stand-in for the vendor header of this name: versions, errors, handles.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QNN_COMMON_H_
#define OPKG_QNN_COMMON_H_

#include "opkg/qnn_abi.h"

#endif  // OPKG_QNN_COMMON_H_
