// Stand-in for the vendor header of this name: the tensor classes.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_TENSOR_H_
#define OPKG_HTP_CORE_TENSOR_H_

#include "../opkg/tensor_types.h"

#endif  // OPKG_HTP_CORE_TENSOR_H_
