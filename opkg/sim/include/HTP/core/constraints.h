// Stand-in for the vendor header of this name: what external constraint functions of rules take.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_CORE_CONSTRAINTS_H_
#define OPKG_HTP_CORE_CONSTRAINTS_H_

#include "../opkg/status.h"

// An operand of a matched op. Rules are recorded as text here and nothing evaluates them in C++, so functions
// that a rule names (EXTERNAL_CONSTRAINT, EXTERNAL_REPLACE, SHAPEFN_APPLY) compile when they take these by
// reference or value.
class Constraint;
class Graph;
class OpDef;

// The slice that is made: where it begins along the split dimension, and its extent there.
class Split_Context {
 public:
  size_t start = 0;
  size_t size = 0;
};

// The rule's replacement while it is built.
class Replacement {
 public:
  Graph& graph() const;
};

class OpRef {
 public:
  OpRef() = default;
  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const OpRef& other) const { return node_ == other.node_; }
  bool operator!=(const OpRef& other) const { return node_ != other.node_; }

  // Of the operand's first output. Nothing evaluates rules in C++: declared, so that calls compile.
  size_t rank() const;
  size_t dim(size_t i) const;
  size_t dim(const Graph& graph, size_t i) const;
  DType dtype() const;

 private:
  const OpDef* node_ = nullptr;
};

// A shape of up to eight dimensions that a shape function may return in place of a node.
class QuickShape {
 public:
  template <typename... N>
  explicit QuickShape(size_t first, N... others) : rank_(1 + sizeof...(N)), dims_{first, size_t(others)...} {}
  size_t rank() const { return rank_; }
  size_t operator[](size_t i) const { return dims_[i]; }

 private:
  size_t rank_;
  size_t dims_[8];
};

#endif  // OPKG_HTP_CORE_CONSTRAINTS_H_
