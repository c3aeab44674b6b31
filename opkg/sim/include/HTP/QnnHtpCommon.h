// Stand-in for the vendor header of this name: backend id and API version of HTP.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_QNN_HTP_COMMON_H_
#define OPKG_HTP_QNN_HTP_COMMON_H_

#include "../opkg/qnn_abi.h"

#define QNN_BACKEND_ID_HTP 6
#define QNN_HTP_API_VERSION_MAJOR 5
#define QNN_HTP_API_VERSION_MINOR 0
#define QNN_HTP_API_VERSION_PATCH 0
#define QNN_HTP_API_VERSION_INIT                                           \
  {                                                                        \
    {QNN_API_VERSION_MAJOR, QNN_API_VERSION_MINOR, QNN_API_VERSION_PATCH}, \
    {QNN_HTP_API_VERSION_MAJOR, QNN_HTP_API_VERSION_MINOR, QNN_HTP_API_VERSION_PATCH} \
  }

#endif  // OPKG_HTP_QNN_HTP_COMMON_H_
