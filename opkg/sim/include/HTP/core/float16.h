// Stand-in for the vendor header of this name: Float16.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_FLOAT16_H_
#define OPKG_HTP_CORE_FLOAT16_H_

#include "../opkg/float16.h"

#endif  // OPKG_HTP_CORE_FLOAT16_H_
