// Stand-in for the vendor header of this name, which packages include and use nothing of.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_OP_HOOK_BASE_H_
#define OPKG_HTP_CORE_OP_HOOK_BASE_H_

#include "../opkg/status.h"

#endif  // OPKG_HTP_CORE_OP_HOOK_BASE_H_
