// Stand-in for the vendor header of this name: error numbers.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QNN_ERROR_H_
#define OPKG_QNN_ERROR_H_

#include "opkg/qnn_abi.h"

#endif  // OPKG_QNN_ERROR_H_
