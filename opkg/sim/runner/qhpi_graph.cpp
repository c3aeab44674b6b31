// Order, uses and replacement in the graph.
// SPDX-License-Identifier: Apache-2.0
#include "qhpi_graph.h"

#include <algorithm>

namespace opkg {
namespace {

// Depth first without recursion, so that long chains need no stack.
class Walk {
 public:
  void visit(QHPI_Op* root) {
    push(root);
    while (!open_.empty()) {
      Frame& frame = open_.back();
      if (frame.next < frame.op->inputs.size()) {
        const QHPI_Op* input = frame.op->inputs[frame.next++].op;
        if (input != nullptr) push(const_cast<QHPI_Op*>(input));
        continue;
      }
      order_.push_back(frame.op);
      open_.pop_back();
    }
  }

  std::vector<QHPI_Op*> take() { return std::move(order_); }

 private:
  struct Frame {
    QHPI_Op* op;
    size_t next;
  };

  void push(QHPI_Op* op) {
    const auto place = std::lower_bound(seen_.begin(), seen_.end(), op);
    if (place != seen_.end() && *place == op) return;
    seen_.insert(place, op);
    open_.push_back({op, 0});
  }

  std::vector<Frame> open_;
  std::vector<QHPI_Op*> seen_, order_;
};

}  // namespace

QHPI_Op* QhpiGraph::add(OpKind kind, const std::string& name, const QHPI_Op* like) {
  ops_.push_back(std::make_unique<QHPI_Op>());
  QHPI_Op* op = ops_.back().get();
  op->graph = this;
  op->kind = kind;
  op->id = static_cast<uint32_t>(ops_.size());
  op->name = name;
  if (like != nullptr) op->node = like->node;
  if (rewrite_depth_ > 0) in_rewrite_.push_back(op);
  return op;
}

QHPI_OpRef QhpiGraph::resolve(QHPI_OpRef ref) {
  while (ref.op != nullptr && ref.op->kind == OpKind::kMultiOutput &&
         ref.output_number < ref.op->inputs.size()) {
    ref = ref.op->inputs[ref.output_number];
  }
  return ref;
}

std::vector<QHPI_Op*> QhpiGraph::live() {
  Walk walk;
  for (Output& output : outputs) {
    output.ref = resolve(output.ref);
    if (output.ref.op != nullptr) walk.visit(const_cast<QHPI_Op*>(output.ref.op));
  }
  std::vector<QHPI_Op*> order = walk.take();
  bool changed = false;
  for (QHPI_Op* op : order) {
    for (QHPI_OpRef& input : op->inputs) {
      const QHPI_OpRef target = resolve(input);
      changed = changed || target.op != input.op;
      input = target;
    }
  }
  return changed ? live() : order;
}

void QhpiGraph::replace(const QHPI_Op* from, const QHPI_Op* to, const std::vector<QHPI_Op*>& users) {
  const auto redirect = [&](QHPI_OpRef* ref) {
    if (ref->op != from) return;
    ref->op = to;
    if (to->kind != OpKind::kMultiOutput && ref->output_number >= to->outputs.size()) ref->output_number = 0;
  };
  for (QHPI_Op* user : users) {
    if (user == to) continue;  // a replacement may wrap what it replaces
    for (QHPI_OpRef& input : user->inputs) redirect(&input);
  }
  for (Output& output : outputs) redirect(&output.ref);
}

void QhpiGraph::separateInputs() {
  const std::vector<QHPI_Op*> order = live();
  for (QHPI_Op* all : order) {
    if (all->kind != OpKind::kInput) continue;
    std::vector<const QHPI_Op*> own;
    for (uint32_t i = 0; i < all->outputs.size(); ++i) {
      QHPI_Op* op = add(OpKind::kInput, all->name);
      op->outputs.push_back(all->outputs[i]);
      op->first_input = i;
      own.push_back(op);
    }
    const auto redirect = [&](QHPI_OpRef* ref) {
      if (ref->op == all) *ref = {own[ref->output_number], 0};
    };
    for (QHPI_Op* user : order) {
      for (QHPI_OpRef& input : user->inputs) redirect(&input);
    }
    for (Output& output : outputs) redirect(&output.ref);
  }
}

uint32_t QhpiGraph::beginRewrite() {
  if (rewrite_depth_++ == 0) in_rewrite_ = live();
  return static_cast<uint32_t>(ops_.size());
}

void QhpiGraph::endRewrite() {
  if (--rewrite_depth_ == 0) in_rewrite_.clear();
}

uint32_t QhpiGraph::uses(const QHPI_Op* op) {
  if (op->outputs.size() > 1) return static_cast<uint32_t>(op->outputs.size());
  uint32_t count = 0;
  for (const QHPI_Op* user : rewrite_depth_ == 0 ? live() : in_rewrite_) {
    const auto uses_it = [op](const QHPI_OpRef& input) { return input.op == op; };
    count += std::any_of(user->inputs.begin(), user->inputs.end(), uses_it) ? 1 : 0;
  }
  for (const Output& output : outputs) count += output.ref.op == op ? 1 : 0;
  return count;
}

}  // namespace opkg
