// From a case to a graph whose ops have kernels: composition, rewrites, tiling, kernel choice.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_QHPI_PREPARE_H_
#define OPKG_RUNNER_QHPI_PREPARE_H_

#include "qhpi_graph.h"
#include "qhpi_tensor.h"
#include "results.h"

namespace opkg {

// Builds the graph of a case: inputs, constants, one op per node with its params appended as constants.
Outcome composeGraph(const Case& test, QhpiGraph* graph);

// Calls every package op's early or late rewrite, producers first.
Outcome rewriteGraph(QhpiGraph* graph, bool early, CaseResult* result);

// Splits ops that ask for tiles (shape_required, shape_legalized, build_tile).
Outcome tileGraph(QhpiGraph* graph, CaseResult* result);

// Gives every package op its kernel; says why none fits.
Outcome chooseKernels(QhpiGraph* graph, CaseResult* result);

// Inputs or outputs of an op in the layouts its kernel asks for, without memory.
std::vector<QHPI_Tensor> inputTensors(const QHPI_Op& op, const QHPI_Kernel_v1& kernel);
std::vector<QHPI_Tensor> outputTensors(const QHPI_Op& op, const QHPI_Kernel_v1& kernel);

void addTrace(CaseResult* result, const std::string& text);

// finalize's number for everything that a graph's preparation rejects.
constexpr uint64_t kPrepareFailed = 1002;

}  // namespace opkg

#endif  // OPKG_RUNNER_QHPI_PREPARE_H_
