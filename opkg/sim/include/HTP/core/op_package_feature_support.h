// Stand-in for the vendor header of this name: param orders, axis params, and what the package's init
// function calls. SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_OP_PACKAGE_FEATURE_SUPPORT_H_
#define OPKG_HTP_CORE_OP_PACKAGE_FEATURE_SUPPORT_H_

#include "../../QnnLog.h"
#include "../opkg/registry.h"

// In an op file: DEF_PACKAGE_PARAM_ORDER("Op", "param", mandatory, default, ...); a default is a Qnn_Param_t*
// or nullptr.
#define DEF_PACKAGE_PARAM_ORDER(OP, ...)                                                             \
  static opkg_sim::ParamOrderEntry<decltype(opkg_sim::triples(__VA_ARGS__))::value> OPKG_SIM_UNIQUE( \
      opkg_param_order_)(&opkg_this_unit, THIS_PKG_NAME_STR "::" OP, __VA_ARGS__);

// In the interface file, at file scope. Before SDK 2.17 the first three were needed; they declare nothing
// here.
#define INIT_PACKAGE_OP_DEF()
#define INIT_PACKAGE_OPTIMIZATION_DEF()
#define INIT_PACKAGE_PARAM_ORDER_DEF()
#define LIST_PACKAGE_AXIS_PARAMS(...) \
  [[maybe_unused]] static const bool opkg_axis_params = opkg_sim::axis_names.list(__VA_ARGS__);
#define LIST_PACKAGE_PER_CHANNEL_QUANTIZED_OPS(...)

// In the package's init function, written without a semicolon. Ops and optimizations: before SDK 2.17 only.
#define REGISTER_PACKAGE_OPS() opkg_sim::registered.ops = true;
#define REGISTER_PACKAGE_OPTIMIZATIONS() opkg_sim::registered.optimizations = true;
#define REGISTER_PACKAGE_PARAM_ORDERS() opkg_sim::registered.param_orders = true;
#define REGISTER_PACKAGE_AXIS_PARAMS() opkg_sim::registered.axis_params = true;
#define REGISTER_PACKAGE_PER_CHANNEL_QUANTIZED_OPS() opkg_sim::registered.per_channel_ops = true;

namespace opkg_sim {
// Number of params that N arguments of DEF_PACKAGE_PARAM_ORDER describe.
template <size_t N>
struct Triples {
  static_assert(N % 3 == 0, "DEF_PACKAGE_PARAM_ORDER takes (name, mandatory, default) for every param");
  static constexpr size_t value = N / 3;
};
template <typename... A>
Triples<sizeof...(A)> triples(const A&...);
}  // namespace opkg_sim

#endif  // OPKG_HTP_CORE_OP_PACKAGE_FEATURE_SUPPORT_H_
