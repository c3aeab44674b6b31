// Stand-in for the vendor header of this name: log levels and callback.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QNN_LOG_H_
#define OPKG_QNN_LOG_H_

#include "opkg/qnn_abi.h"

#endif  // OPKG_QNN_LOG_H_
