// Stand-in for the vendor header of this name: tensors, params, op configs.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QNN_TYPES_H_
#define OPKG_QNN_TYPES_H_

#include "opkg/qnn_abi.h"

#endif  // OPKG_QNN_TYPES_H_
