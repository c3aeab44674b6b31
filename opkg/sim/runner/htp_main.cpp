// opkg-htp: runs case files through a QNN backend library, in one process.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "case_file.h"
#include "htp_backend.h"
#include "options.h"
#include "processes.h"
#include "progress.h"

int main(int argc, char** argv) {
  using namespace opkg;
  Options options;
  if (!parseOptions(argc, argv, true, &options)) return kExitUsage;
  endWithParent();
  CaseFile file;
  std::string error;
  if (!readCaseFile(options.cases, options.data, &file, &error)) {
    fprintf(stderr, "%s: %s\n", argv[0], error.c_str());
    return kExitUsage;
  }
  ResultWriter writer;
  if (!writer.open(options.results, options.out, options.from > 0)) {
    fprintf(stderr, "%s: cannot write %s or %s\n", argv[0], options.results, options.out);
    return kExitUsage;
  }
  progress().startCase(-1, "package");
  installCrashHandler(writer.resultsFd(), kExitPackage);
  startWatchdog(writer.resultsFd(), options.timeout, kExitTimeout);

  HtpBackend backend;
  CaseResult loaded;
  loaded.name = "package";
  loaded.outcome = backend.open(options);
  loaded.log = LogCapture::take();
  if (!loaded.outcome.ok() || !loaded.log.empty()) writer.write(loaded);
  if (!loaded.outcome.ok()) _exit(kExitPackage);

  installCrashHandler(writer.resultsFd(), kExitTimeout);
  for (const Case& test : file.cases) {
    if (test.index < options.from) continue;
    progress().startCase(test.index, test.name.c_str());
    CaseResult result;
    result.index = test.index;
    result.name = test.name;
    backend.run(test, options.contexts, &result, &writer);
    for (LogLine& line : LogCapture::take()) result.log.push_back(std::move(line));
    if (!progress().result_written.exchange(true)) writer.write(result);
  }
  endChildren();
  _exit(kExitDone);  // the backend's exit handlers may crash
}
