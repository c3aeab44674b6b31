// Stand-in for the vendor header of this name: optimization rules, recorded as text.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_OPTIMIZE_H_
#define OPKG_HTP_CORE_OPTIMIZE_H_

#ifndef OPKG_HTP_CORE_CONSTRAINTS_H_
#error "include HTP/core/constraints.h before HTP/core/optimize.h, as the real headers demand"
#endif

#include "../opkg/registry.h"

// Arguments are expanded as macros, then kept as text: Op, AND, OK and the other names of the rule language
// need no definition. Builds for the device (-DPREPARE_DISABLED) drop all rules. With -DDEF_OPT_COMPILE the
// preprocessor's output (-E), which is no C++ then, has each rule with its parts and its place.
#if defined(DEF_OPT_COMPILE)
#define DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(PASS, FLAGS, MATCH, CONSTRAINT, REPLACEMENT) \
  __def_opt__(PASS, FLAGS, MATCH, CONSTRAINT, REPLACEMENT)<<<__FILE__, __LINE__>>>
#define DEF_PACKAGE_OPTIMIZATION(PASS, MATCH, CONSTRAINT, REPLACEMENT) \
  __def_opt__(PASS, 0, MATCH, CONSTRAINT, REPLACEMENT)<<<__FILE__, __LINE__>>>
#elif defined(PREPARE_DISABLED)
#define DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(PASS, FLAGS, MATCH, CONSTRAINT, REPLACEMENT)
#define DEF_PACKAGE_OPTIMIZATION(PASS, MATCH, CONSTRAINT, REPLACEMENT)
#else
#define DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(PASS, FLAGS, MATCH, CONSTRAINT, REPLACEMENT) \
  static opkg_sim::RuleEntry OPKG_SIM_UNIQUE(opkg_rule_)(                                \
      &opkg_this_unit, OPKG_SIM_TEXT(PASS), OPKG_SIM_TEXT(FLAGS), OPKG_SIM_TEXT(MATCH),  \
      OPKG_SIM_TEXT(CONSTRAINT), OPKG_SIM_TEXT(REPLACEMENT), opkg_sim::Source{__FILE__, __LINE__});
#define DEF_PACKAGE_OPTIMIZATION(PASS, MATCH, CONSTRAINT, REPLACEMENT)                           \
  static opkg_sim::RuleEntry OPKG_SIM_UNIQUE(opkg_rule_)(                                        \
      &opkg_this_unit, OPKG_SIM_TEXT(PASS), "", OPKG_SIM_TEXT(MATCH), OPKG_SIM_TEXT(CONSTRAINT), \
      OPKG_SIM_TEXT(REPLACEMENT), opkg_sim::Source{__FILE__, __LINE__});
#endif

// The older name of a rule's macro.
#define DEF_OPTIM(PASS, MATCH, CONSTRAINT, REPLACEMENT) DEF_PACKAGE_OPTIMIZATION(PASS, MATCH, CONSTRAINT, REPLACEMENT)

#endif  // OPKG_HTP_CORE_OPTIMIZE_H_
