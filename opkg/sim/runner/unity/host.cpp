// The driver of opkg-host: one translation unit, because parsing the standard headers once is most of a build's time.
// SPDX-License-Identifier: Apache-2.0
#include "../guarded.cpp"
#include "../host_main.cpp"
#include "../interface.cpp"
#include "../package.cpp"
