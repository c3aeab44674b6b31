// The plug point of opkg-host: one class per way of writing an op package ("qhpi", "classic"). See README.md
// here.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_INTERFACE_H_
#define OPKG_RUNNER_INTERFACE_H_

#include "case_file.h"
#include "package.h"
#include "results.h"

namespace opkg {

// How a package's ops are registered, prepared and run. The driver (host_main.cpp) calls load() once in the
// parent process, then validate(), prepare() and execute() once per case in a forked child, which is thrown
// away afterwards: an implementation may leak, keep globals and die as it likes. Every call runs under
// progress(): set the stage and the node you work on, so that a crash is reported with them.
class Interface {
 public:
  virtual ~Interface() = default;

  // After the library was loaded and its QNN interface initialised: registers the package's ops.
  virtual Outcome load(const Package& package) = 0;

  // addNode: unknown ops and the package's own validateOpConfig. The default asks validateOpConfig of every
  // node.
  virtual Outcome validate(const Package& package, const Case& test);

  // Builds the graph and prepares it as the backend's finalize does. Fills result->kernels and, if tracing,
  // trace.
  virtual Outcome prepare(const Package& package, const Case& test, CaseResult* result) = 0;

  // Runs the prepared graph once; fills result->us and writes every output tensor with addOutput().
  virtual Outcome execute(const Case& test, CaseResult* result, ResultWriter* writer) = 0;
};

// Writes one output's bytes (dense, in the tensor's QNN data type) and records where they are.
void addOutput(const TensorSpec& tensor, const void* bytes, size_t size, CaseResult* result,
               ResultWriter* writer);

// Settings every interface may read.
struct Settings {
  bool trace = false;
  uint32_t slices = 1;  // OPKG_SIM_SLICES
};
Settings& settings();

// Factories. A runner that lacks an implementation's sources reports so; hence the weak reference.
Interface* makeQhpiInterface() __attribute__((weak));
Interface* makeClassicInterface() __attribute__((weak));

}  // namespace opkg

#endif  // OPKG_RUNNER_INTERFACE_H_
