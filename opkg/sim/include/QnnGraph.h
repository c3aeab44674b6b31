// Stand-in for the vendor header of this name: function types of the Graph calls.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QNN_GRAPH_H_
#define OPKG_QNN_GRAPH_H_

#include "opkg/qnn_interface_abi.h"

#endif  // OPKG_QNN_GRAPH_H_
