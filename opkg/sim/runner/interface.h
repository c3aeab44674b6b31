// The plug point of opkg-host: one class per way of writing an op package ("qhpi", "classic"). See README.md
// here.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_INTERFACE_H_
#define OPKG_RUNNER_INTERFACE_H_

#include <memory>

#include "case_file.h"
#include "guarded.h"
#include "package.h"
#include "results.h"

namespace opkg {

// How one call of a graph's kernels is made.
struct CallStyle {
  Place place = Place::kStart;
  bool other_data = false;   // every input holds its own elements in reverse order; the results mean nothing
  bool concurrently = false;  // slices in threads; else one after the other, the last one first
  uint32_t slices = 4;        // of multithreaded kernels
  uint8_t poison = 0xA5;      // what fills outputs and padding before a kernel runs
};

using Outputs = std::vector<std::vector<uint8_t>>;  // of a graph, in the order of the case's output tensors

// How a package's ops are registered, prepared and run. The driver (host_main.cpp) calls load() once in the
// parent process, then validate(), prepare() and several times execute() per case in a forked child, which is thrown
// away afterwards: an implementation may leak, keep globals and die as it likes. Every call runs under
// progress(): set the stage and the node you work on, so that a crash is reported with them.
class Interface {
 public:
  virtual ~Interface() = default;

  // After the library was loaded and its QNN interface initialised: registers the package's ops.
  virtual Outcome load(const Package& package) = 0;

  // One with the same ops and no graph.
  virtual std::unique_ptr<Interface> another() const = 0;

  // addNode: unknown ops and the package's own validateOpConfig. The default asks validateOpConfig of every
  // node.
  virtual Outcome validate(const Package& package, const Case& test);

  // Builds the graph and prepares it as the backend's finalize does. Fills result->kernels and, if tracing,
  // trace.
  virtual Outcome prepare(const Package& package, const Case& test, CaseResult* result) = 0;

  // Runs the prepared graph; may be called any number of times. Adds to result->us, and gives every output's bytes
  // (dense, in the tensor's QNN data type).
  virtual Outcome execute(const Case& test, const CallStyle& style, CaseResult* result, Outputs* outputs) = 0;
};

// An input's bytes in a call of this style: as they are, or its elements in reverse order.
std::vector<uint8_t> inputBytes(const uint8_t* bytes, size_t size, size_t element, const CallStyle& style);

// Settings every interface may read.
struct Settings {
  bool trace = false;
  uint32_t slices = 0;  // OPKG_SIM_SLICES; 0: as the style says
};
Settings& settings();

// Factories. A runner that lacks an implementation's sources reports so; hence the weak reference.
Interface* makeQhpiInterface() __attribute__((weak));
Interface* makeClassicInterface() __attribute__((weak));

}  // namespace opkg

#endif  // OPKG_RUNNER_INTERFACE_H_
