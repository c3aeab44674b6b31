// Runs a prepared graph: one kernel after the other, in guarded memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_QHPI_EXECUTE_H_
#define OPKG_RUNNER_QHPI_EXECUTE_H_

#include "qhpi_prepare.h"

namespace opkg {

class QhpiExecution {
 public:
  QhpiExecution(QhpiGraph* graph, const Case& test);

  // Lets kernels with precomputed data compute it, twice: into a dirty buffer with tensors that are then
  // thrown away, as finalize may and a reloaded context does, and with the tensors that execute will use.
  Outcome precompute(CaseResult* result);
  Outcome execute(const CallStyle& style, CaseResult* result);

  // The dense bytes of an output, in QHPI's own element type.
  const std::vector<uint8_t>& value(QHPI_OpRef ref) const;

 private:
  // What one kernel call sees; kept from precompute to execute.
  struct OpTensors {
    std::vector<QHPI_Tensor> inputs, outputs;
    std::vector<const QHPI_Tensor*> in;
    std::vector<QHPI_Tensor*> out;
    GuardedBuffer data;  // precomputed
  };
  bool worksInPlace(const QHPI_Op& op, const OpTensors& tensors) const;
  void loadInputs(const CallStyle& style);
  std::unique_ptr<OpTensors> allocate(const QHPI_Op& op, const CallStyle& style);
  void place(const QHPI_Op& op, OpTensors* tensors, const CallStyle& style);
  void fillInputs(const QHPI_Op& op, OpTensors* tensors, bool precomputing);
  Outcome runKernel(QHPI_Op* op, const CallStyle& style, CaseResult* result);
  Outcome launch(QHPI_Op* op, const CallStyle& style, OpTensors* tensors);
  Outcome precomputeOp(QHPI_Op* op, CaseResult* result);
  Outcome checkMemory(const QHPI_Op& op, const OpTensors& tensors);
  void slice(const QHPI_Op& op);
  void concat(const QHPI_Op& op);
  std::vector<uint8_t>& slot(const QHPI_Op* op, uint32_t output);
  std::string tensorName(const QHPI_Op& op, const char* side, size_t index) const;

  QhpiGraph& graph_;
  const Case& test_;
  std::vector<QHPI_Op*> order_;
  std::vector<std::vector<std::vector<uint8_t>>> values_;  // by op id, by output
  std::vector<std::unique_ptr<OpTensors>> precomputed_;    // by op id
};

}  // namespace opkg

#endif  // OPKG_RUNNER_QHPI_EXECUTE_H_
