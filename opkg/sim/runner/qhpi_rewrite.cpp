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
  if (replacement->kind == OpKind::kMultiOutput) {
    for (const QHPI_OpRef& input : replacement->inputs) {
      const Outcome outcome = checkReplacement(original, input.op, stage);
      if (!outcome.ok()) return outcome;
    }
  }
  return Outcome();
}

bool stillLive(QhpiGraph* graph, const QHPI_Op* op) {
  for (const QHPI_Op* live : graph->live()) {
    if (live == op) return true;
  }
  return false;
}

}  // namespace

Outcome rewriteGraph(QhpiGraph* graph, bool early, CaseResult* result) {
  const char* const stage = early ? "early_rewrite" : "late_rewrite";
  graph->early = early;
  for (QHPI_Op* op : graph->live()) {
    if (op->kind != OpKind::kPackage) continue;
    const QHPI_RewriteOpFunc rewrite =
        early ? op->registered->info->early_rewrite : op->registered->info->late_rewrite;
    if (rewrite == nullptr || !stillLive(graph, op)) continue;
    progress().at("finalize", op->node.c_str());
    addTrace(result, std::string(stage) + " " + op->node);
    const std::vector<QHPI_Op*> users = graph->live();
    const QHPI_Op* replacement = rewrite(op);
    const Outcome outcome = checkReplacement(*op, replacement, stage);
    if (!outcome.ok()) return outcome;
    if (replacement != op) graph->replace(op, replacement, users);
  }
  graph->early = false;
  for (const QHPI_Op* op : graph->live()) {
    if (op->kind == OpKind::kError) return failed(*op, op->error);
    if (op->kind != OpKind::kUnknown) continue;
    return Outcome::error("finalize", kPrepareFailed, op->node + ": could not create op " + op->name);
  }
  return Outcome();
}

}  // namespace opkg
