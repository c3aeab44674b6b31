// Stand-in for the vendor header of this name: log levels and callback.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QNN_LOG_H_
#define OPKG_QNN_LOG_H_

#include "opkg/qnn_abi.h"

// What interface files return from their log functions. Its real number was not measured.
#ifndef QNN_LOG_ERROR_INVALID_ARGUMENT
#define QNN_LOG_ERROR_INVALID_ARGUMENT QNN_OP_PACKAGE_ERROR_INVALID_ARGUMENT
#endif

#endif  // OPKG_QNN_LOG_H_
