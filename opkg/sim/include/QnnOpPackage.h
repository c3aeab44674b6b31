// Stand-in for the vendor header of this name: what an op package hands to a backend.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QNN_OP_PACKAGE_H_
#define OPKG_QNN_OP_PACKAGE_H_

#include "opkg/qnn_abi.h"

#endif  // OPKG_QNN_OP_PACKAGE_H_
