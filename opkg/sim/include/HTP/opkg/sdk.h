// Which SDK's C++ interface these headers imitate, and the standard headers packages expect to find included.
// SPDX-License-Identifier: Apache-2.0
//
// -DOPKG_SIM_SDK=225 or 243: strictly that SDK's spellings. Not set: the newest, and both spellings where
// possible.
#ifndef OPKG_HTP_SDK_H_
#define OPKG_HTP_SDK_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef OPKG_SIM_SDK
#define OPKG_SIM_HAS_225 (OPKG_SIM_SDK < 243)
#define OPKG_SIM_HAS_243 (OPKG_SIM_SDK >= 243)
#define OPKG_SIM_SDK_NUMBER OPKG_SIM_SDK
#else
#define OPKG_SIM_HAS_225 1
#define OPKG_SIM_HAS_243 1
#define OPKG_SIM_SDK_NUMBER 0
#endif

// The package's name: -DTHIS_PKG_NAME=MyPackage on the compiler's command line.
#if !defined(THIS_PKG_NAME) && !defined(DEF_OPT_COMPILE)
#error "define THIS_PKG_NAME: the name of the op package, as an identifier (-DTHIS_PKG_NAME=MyPackage)"
#endif
#define OPKG_SIM_TEXT_(...) #__VA_ARGS__
#define OPKG_SIM_TEXT(...) OPKG_SIM_TEXT_(__VA_ARGS__)
#define THIS_PKG_NAME_STR OPKG_SIM_TEXT(THIS_PKG_NAME)

#define OPKG_SIM_JOIN_(a, b) a##b
#define OPKG_SIM_JOIN(a, b) OPKG_SIM_JOIN_(a, b)
#define OPKG_SIM_UNIQUE(prefix) OPKG_SIM_JOIN(prefix, __COUNTER__)

// What belongs to one package library and must not be shared with another one in the same process.
#define OPKG_SIM_LOCAL __attribute__((visibility("hidden")))
#ifndef API_EXPORT
#define API_EXPORT __attribute__((visibility("default")))
#endif

#endif  // OPKG_HTP_SDK_H_
