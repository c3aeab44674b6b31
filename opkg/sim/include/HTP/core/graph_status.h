// Stand-in for the vendor header of this name: GraphStatus.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_GRAPH_STATUS_H_
#define OPKG_HTP_CORE_GRAPH_STATUS_H_

#include "../opkg/status.h"

#endif  // OPKG_HTP_CORE_GRAPH_STATUS_H_
