// Stand-in for the vendor header of this name: the interface file's list of op files.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_UNIQUE_TYPES_H_
#define OPKG_HTP_CORE_UNIQUE_TYPES_H_

#include "../opkg/registry.h"

#define DEFINE_UNIQ_TY() \
  struct UniqTy {};

#define BEGIN_PKG_OPS_OPTS_LIST() [[maybe_unused]] static opkg_sim::OpFileList opkg_this_unit;

#define DECLARE_PKG_OPS_OPTS_LIST(NAME)                                             \
  extern "C" OPKG_SIM_LOCAL const OpkgOpFile* OPKG_SIM_JOIN(opkg_op_file_, NAME)(); \
  [[maybe_unused]] static const bool OPKG_SIM_JOIN(opkg_declared_, NAME) =          \
      opkg_this_unit.declare(&OPKG_SIM_JOIN(opkg_op_file_, NAME));

#define END_PKG_OPS_OPTS_LIST()                                                                       \
  extern "C" __attribute__((visibility("default"))) const OpkgClassicPackage* opkg_classic_package(); \
  extern "C" const OpkgClassicPackage* opkg_classic_package() { return opkg_sim::publish(opkg_this_unit); }

#endif  // OPKG_HTP_CORE_UNIQUE_TYPES_H_
