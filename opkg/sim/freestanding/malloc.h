// <malloc.h> of our own: what <stdlib.h> has not.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_FREESTANDING_MALLOC_H_
#define OPKG_FREESTANDING_MALLOC_H_

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
void* memalign(size_t alignment, size_t size);
#ifdef __cplusplus
}
#endif

#endif  // OPKG_FREESTANDING_MALLOC_H_
