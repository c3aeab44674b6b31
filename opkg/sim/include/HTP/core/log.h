// Stand-in for the vendor header of this name: debuglog, infolog, warnlog, errlog.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_LOG_H_
#define OPKG_HTP_CORE_LOG_H_

#include "../opkg/log.h"

#endif  // OPKG_HTP_CORE_LOG_H_
