// The C++ (DEF_PACKAGE_OP) interface of opkg-host: one translation unit, because parsing the standard headers once is most of a build's time.
// SPDX-License-Identifier: Apache-2.0
#include "../classic_call.cpp"
#include "../classic_interface.cpp"
#include "../classic_params.cpp"
#include "../classic_properties.cpp"
#include "../classic_registry.cpp"
#include "../classic_select.cpp"
#include "../classic_types.cpp"
