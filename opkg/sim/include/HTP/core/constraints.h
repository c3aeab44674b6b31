// Stand-in for the vendor header of this name: what external constraint functions of rules take.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_CONSTRAINTS_H_
#define OPKG_HTP_CORE_CONSTRAINTS_H_

#include "../opkg/status.h"

// An operand of a matched op. Rules are recorded as text here and nothing evaluates them in C++, so functions
// that a rule names (EXTERNAL_CONSTRAINT, EXTERNAL_REPLACE, SHAPEFN_APPLY) compile when they take these by
// reference or value.
class Constraint;
class Replacement;
class OpDef;

class OpRef {
 public:
  OpRef() = default;
  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const OpRef& other) const { return node_ == other.node_; }
  bool operator!=(const OpRef& other) const { return node_ != other.node_; }

 private:
  const OpDef* node_ = nullptr;
};

#endif  // OPKG_HTP_CORE_CONSTRAINTS_H_
