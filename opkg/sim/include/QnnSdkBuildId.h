// Stand-in for the vendor header of this name: the id a package reports as its SDK.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QNN_SDK_BUILD_ID_H_
#define OPKG_QNN_SDK_BUILD_ID_H_

#define QNN_SDK_BUILD_ID "opkg"

#endif  // OPKG_QNN_SDK_BUILD_ID_H_
