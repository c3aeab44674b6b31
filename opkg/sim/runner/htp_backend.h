// A QNN backend library, loaded and asked to take an op package in.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_HTP_BACKEND_H_
#define OPKG_RUNNER_HTP_BACKEND_H_

#include "case_file.h"
#include "opkg/qnn_interface_abi.h"
#include "options.h"
#include "paths.h"
#include "results.h"

namespace opkg {

class HtpBackend {
 public:
  // Loads the library, creates log and backend, registers the package.
  Outcome open(const Options& options);

  // Builds, finalizes and executes one case in a context and graph of its own. With a folder `contexts` the context is
  // saved there as INDEX.bin instead of executed.
  void run(const Case& test, const char* contexts, CaseResult* result, ResultWriter* writer);

  // The backend's words for an error number.
  std::string describe(const char* call, Qnn_ErrorHandle_t code) const;

  // What the package counts.
  const PathCounts& paths() const { return paths_; }

 private:
  // Writes a finalized context to FOLDER/INDEX.bin.
  Outcome save(Qnn_ContextHandle_t context, const char* folder, int index) const;

  // Creates a device that stands for a SoC by QNN's number of it.
  Outcome openDevice(uint32_t soc);

  const QnnInterface_Implementation_t* api_ = nullptr;
  Qnn_LogHandle_t log_ = nullptr;
  Qnn_BackendHandle_t backend_ = nullptr;
  Qnn_DeviceHandle_t device_ = nullptr;  // null: the backend's own choice
  PathCounts paths_{nullptr};
};

}  // namespace opkg

#endif  // OPKG_RUNNER_HTP_BACKEND_H_
