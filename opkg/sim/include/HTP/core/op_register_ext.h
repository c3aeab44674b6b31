// Stand-in for the vendor header of this name: registration of kernels, and the function the backend calls to
// load them. SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_OP_REGISTER_EXT_H_
#define OPKG_HTP_CORE_OP_REGISTER_EXT_H_

#include "../opkg/registry.h"

#define OPKG_SIM_KERNEL(F, OP, COST, FLAGS)                                                              \
  static opkg_sim::KernelEntry OPKG_SIM_UNIQUE(opkg_kernel_)(                                            \
      &opkg_this_unit, opkg_sim::Signature<decltype(&F)>(), &opkg_sim::Signature<decltype(&F)>::run<&F>, \
      THIS_PKG_NAME_STR "::" OP, #F, opkg_sim::Source{__FILE__, __LINE__}, COST, FLAGS);

// Kernel F for the op. Cost GLACIAL and flag RESOURCE_HVX, unless given. With -DOP_REG_COMPILE the output of -E
// has each registration with its place.
#ifdef OP_REG_COMPILE
#define DEF_PACKAGE_OP(F, OP) __reg_op__(F, OP)<<<__FILE__, __LINE__>>>
#define DEF_PACKAGE_OP_AND_COST_AND_FLAGS(F, OP, COST, ...) __reg_op__(F, OP)<<<__FILE__, __LINE__>>>
#define DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(F, OP, COST_F, ...) __reg_op__(F, OP)<<<__FILE__, __LINE__>>>
#else
#define DEF_PACKAGE_OP(F, OP) OPKG_SIM_KERNEL(F, OP, GLACIAL, opkg_sim::flag_bits(Flags::RESOURCE_HVX))
#define DEF_PACKAGE_OP_AND_COST_AND_FLAGS(F, OP, COST, ...) \
  OPKG_SIM_KERNEL(F, OP, COST, opkg_sim::flag_bits(__VA_ARGS__))
// COST_F: float COST_F(const Op*), in cycles.
#define DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(F, OP, COST_F, ...) \
  OPKG_SIM_KERNEL(F, OP, &opkg_sim::cost_of<COST_F>, opkg_sim::flag_bits(__VA_ARGS__))
#endif

// Since SDK 2.17, in the interface file: defines what the backend calls to have ops and rules registered.
#if OPKG_SIM_SDK_NUMBER == 0 || OPKG_SIM_SDK_NUMBER >= 217
#define INIT_PKG_CORE_INIT_FUNC()                                           \
  extern "C" __attribute__((visibility("default"))) int op_pkg_init(void*); \
  extern "C" int op_pkg_init(void*) {                                       \
    opkg_sim::registered.ops = true;                                        \
    opkg_sim::registered.optimizations = true;                              \
    return GraphStatus::Success;                                            \
  }
#endif

#endif  // OPKG_HTP_CORE_OP_REGISTER_EXT_H_
