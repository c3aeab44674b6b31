// Early and late rewrites.
// SPDX-License-Identifier: Apache-2.0
#include "progress.h"
#include "qhpi_prepare.h"

namespace opkg {
namespace {

Outcome failed(const QHPI_Op& op, const std::string& text) {
  return Outcome::error("finalize", 1100, op.node + " (" + op.name + "): " + text);
}

// The first op in what a rewrite returned that cannot be prepared.
Outcome checkReplacement(const QHPI_Op& original, const QHPI_Op* replacement, const char* stage) {
  if (replacement == nullptr) return failed(original, std::string(stage) + " returned null");
  if (replacement->kind == OpKind::kError)
    return failed(original, std::string(stage) + ": " + replacement->error);
  if (replacement->kind == OpKind::kMultiOutput && replacement->inputs.size() < 2)
    return Outcome::error("finalize", kPrepareFailed, original.node + ": could not create op: $MultiTemp");
  if (replacement->kind == OpKind::kMultiOutput) {
    for (const QHPI_OpRef& input : replacement->inputs) {
      const Outcome outcome = checkReplacement(original, input.op, stage);
      if (!outcome.ok()) return outcome;
    }
  }
  return Outcome();
}

bool isSigned(QHPI_Element_Type type) { return type == QHPI_QInt8 || type == QHPI_QInt16; }

// Whether new ops (ids above `newest`) that `op` is made of use `original`, which they are about to replace.
bool usesReplaced(const QHPI_Op* op, const QHPI_Op* original, uint32_t newest) {
  if (op == nullptr || op->id <= newest) return false;
  for (const QHPI_OpRef& input : op->inputs) {
    if (input.op == original || usesReplaced(input.op, original, newest)) return true;
  }
  return false;
}

constexpr uint32_t kMostRewrites = 10000;  // of one kind in one graph; more is a rewrite that never settles

class Rewriter {
 public:
  Rewriter(QhpiGraph* graph, bool early, CaseResult* result)
      : graph_(*graph), early_(early), result_(*result) {}

  // Rewrites the op, then the new ops that its rewrite made, producers first.
  Outcome rewrite(QHPI_Op* op) {
    const QHPI_RewriteOpFunc function =
        early_ ? op->registered->info->early_rewrite : op->registered->info->late_rewrite;
    bool& done = early_ ? op->rewritten_early : op->rewritten_late;
    if (function == nullptr || done || !isLive(op)) return Outcome();
    done = true;
    if (++count_ > kMostRewrites) return failed(*op, "rewrites never come to an end");
    const char* const stage = early_ ? "early_rewrite" : "late_rewrite";
    progress().at("finalize", op->node.c_str());
    addTrace(&result_, std::string(stage) + " " + op->node);
    const std::vector<QHPI_Op*> users = graph_.live();
    const uint32_t newest = graph_.beginRewrite();
    const QHPI_Op* replacement = function(op);
    const Outcome outcome = checkReplacement(*op, replacement, stage);
    if (!outcome.ok() || replacement == op) {
      graph_.endRewrite();
      return outcome;
    }
    if (usesReplaced(replacement, op, newest)) {
      graph_.endRewrite();
      return Outcome::error("finalize", kPrepareFailed, op->node + ": Cannot order graph - loop detected");
    }
    graph_.replace(op, replacement, users);
    return rewriteNew(newest);
  }

 private:
  Outcome rewriteNew(uint32_t newest) {
    Outcome outcome;
    for (QHPI_Op* op : graph_.live()) {
      if (op->id <= newest || op->kind != OpKind::kPackage) continue;
      outcome = rewrite(op);
      if (!outcome.ok()) break;
    }
    graph_.endRewrite();
    return outcome;
  }

  bool isLive(const QHPI_Op* op) {
    for (const QHPI_Op* live : graph_.live()) {
      if (live == op) return true;
    }
    return false;
  }

  QhpiGraph& graph_;
  bool early_;
  CaseResult& result_;
  uint32_t count_ = 0;
};

}  // namespace

Outcome rewriteGraph(QhpiGraph* graph, bool early, CaseResult* result) {
  graph->early = early;
  Rewriter rewriter(graph, early, result);
  for (QHPI_Op* op : graph->live()) {
    if (op->kind != OpKind::kPackage) continue;
    const Outcome outcome = rewriter.rewrite(op);
    if (!outcome.ok()) return outcome;
  }
  graph->early = false;
  for (const QHPI_Op* op : graph->live()) {
    if (op->kind == OpKind::kError) return failed(*op, op->error);
    if (op->kind == OpKind::kSlice && isSigned(op->outputs[0].type))  // graph inputs are converted, their slices are not
      return Outcome::error("finalize", kPrepareFailed,
                            op->node + ": could not create op q::Slice_shape of a signed type");
    if (op->kind != OpKind::kUnknown) continue;
    return Outcome::error("finalize", kPrepareFailed, op->node + ": could not create op " + op->name);
  }
  return Outcome();
}

}  // namespace opkg
