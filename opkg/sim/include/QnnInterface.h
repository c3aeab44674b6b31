// Stand-in for the vendor header of this name: the provider record and its function table.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QNN_INTERFACE_H_
#define OPKG_QNN_INTERFACE_H_

#include "opkg/qnn_interface_abi.h"

#ifdef __cplusplus
extern "C"
#endif
    QNN_API Qnn_ErrorHandle_t QnnInterface_getProviders(const QnnInterface_t*** providers, uint32_t* count);

#endif  // OPKG_QNN_INTERFACE_H_
