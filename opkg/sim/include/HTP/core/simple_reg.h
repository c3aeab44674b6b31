// Stand-in for the vendor header of this name: the frame of an op file, and tensor properties.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_SIMPLE_REG_H_
#define OPKG_HTP_CORE_SIMPLE_REG_H_

#include "../opkg/registry.h"

// Everything an op file registers stands between these two. The name UniqTy and the list opkg_this_unit are
// what an interface file defines too: the two kinds of file cannot be one, here as with the real headers.
#define BEGIN_PKG_OP_DEFINITION(NAME) \
  struct UniqTy {};                   \
  [[maybe_unused]] static opkg_sim::OpFile opkg_this_unit(#NAME);

#define END_PKG_OP_DEFINITION(NAME)                                                 \
  extern "C" OPKG_SIM_LOCAL const OpkgOpFile* OPKG_SIM_JOIN(opkg_op_file_, NAME)(); \
  extern "C" const OpkgOpFile* OPKG_SIM_JOIN(opkg_op_file_, NAME)() { return opkg_this_unit.publish(); }

// DEF_TENSOR_PROPERTIES(Op("Op", "in", ...), Outputs("out"), Flat("*"), ...): kept as text, read by the
// runner. With -DDTP_COMPILE the output of -E has each of them with its place.
#ifdef DTP_COMPILE
#define DEF_TENSOR_PROPERTIES(...) __dtp__(__VA_ARGS__)<<<__FILE__, __LINE__>>>
#else
#define DEF_TENSOR_PROPERTIES(...)                                    \
  static opkg_sim::PropertiesEntry OPKG_SIM_UNIQUE(opkg_properties_)( \
      &opkg_this_unit, OPKG_SIM_TEXT(__VA_ARGS__), opkg_sim::Source{__FILE__, __LINE__});
#endif

#endif  // OPKG_HTP_CORE_SIMPLE_REG_H_
