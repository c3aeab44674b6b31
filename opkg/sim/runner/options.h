// The command line of both runners.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_OPTIONS_H_
#define OPKG_RUNNER_OPTIONS_H_

namespace opkg {

enum ExitStatus { kExitDone = 0, kExitFailed = 1, kExitUsage = 2, kExitPackage = 3, kExitTimeout = 4 };

struct Options {
  const char* backend = nullptr;  // opkg-htp only
  const char* package = nullptr;
  const char* provider = nullptr;
  const char* interface = "qhpi";  // opkg-host only
  const char* target = "CPU";      // opkg-htp only
  const char* cases = nullptr;
  const char* data = nullptr;
  const char* results = nullptr;
  const char* out = nullptr;
  const char* reports = nullptr;  // opkg-host only: where a sanitizer writes; ".PID" is added
  const char* contexts = nullptr;  // opkg-htp only: folder for context binaries; nothing is executed then
  const char* soc = nullptr;       // opkg-htp only: QNN's number of the SoC to prepare for
  double timeout = 20.0;  // seconds per case
  int from = 0;
  bool trace = false;
};

// Returns false after saying on stderr what is wrong.
bool parseOptions(int argc, char** argv, bool htp, Options* out);

}  // namespace opkg

#endif  // OPKG_RUNNER_OPTIONS_H_
