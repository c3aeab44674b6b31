// opkg-host: runs case files against a package in our simulation, each case in a forked child with a time
// limit.
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "interface.h"
#include "options.h"
#include "progress.h"

namespace opkg {
namespace {

Interface* makeInterface(const char* name) {
  if (strcmp(name, "qhpi") == 0 && makeQhpiInterface != nullptr) return makeQhpiInterface();
  if (strcmp(name, "classic") == 0 && makeClassicInterface != nullptr) return makeClassicInterface();
  return nullptr;
}

Outcome runStages(Interface* interface, const Package& package, const Case& test, CaseResult* result,
                  ResultWriter* writer) {
  Outcome outcome = interface->validate(package, test);
  if (outcome.ok()) outcome = interface->prepare(package, test, result);
  if (outcome.ok()) outcome = interface->execute(test, result, writer);
  return outcome;
}

[[noreturn]] void runChild(Interface* interface, const Package& package, const Case& test,
                           ResultWriter* writer) {
  CaseResult result;
  result.index = test.index;
  result.name = test.name;
  result.outcome = runStages(interface, package, test, &result, writer);
  result.log = LogCapture::take();
  if (!progress().result_written.exchange(true)) writer->write(result);
  _exit(0);
}

// Waits for the child; kills it at the limit. What the child did not report itself is reported here.
void superviseChild(pid_t child, const Options& options, ResultWriter* writer) {
  const uint64_t deadline = nowMicros() + static_cast<uint64_t>(options.timeout * 1e6);
  int status = 0;
  for (unsigned naps = 0; waitpid(child, &status, WNOHANG) == 0; ++naps) {
    if (nowMicros() < deadline) {
      usleep(naps < 40 ? 250 : 5000);
      continue;
    }
    char text[200];
    snprintf(text, sizeof text, "no end after %g s in %s", options.timeout, progress().node);
    writeEmergencyResult(writer->resultsFd(), "timeout", 0, text);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return;
  }
  if (WIFSIGNALED(status)) {
    writeEmergencyResult(writer->resultsFd(), "crash", WTERMSIG(status), strsignal(WTERMSIG(status)));
  } else if (!progress().result_written) {
    writeEmergencyResult(writer->resultsFd(), "crash", WEXITSTATUS(status), "the package ended the process");
  }
}

int fail(ResultWriter* writer, const Outcome& outcome) {
  CaseResult result;
  result.name = "package";
  result.outcome = outcome;
  result.log = LogCapture::take();
  writer->write(result);
  return kExitPackage;
}

int runAll(const Options& options, const CaseFile& file, ResultWriter* writer) {
  progress().startCase(-1, "package");
  installCrashHandler(writer->resultsFd(), kExitPackage);
  startWatchdog(writer->resultsFd(), options.timeout, kExitPackage);
  Interface* interface = makeInterface(options.interface);
  if (interface == nullptr) {
    return fail(writer,
                Outcome::error("load", 1, std::string("this runner has no interface ") + options.interface));
  }
  Package package;
  Outcome loaded = package.open(options.package, options.provider);
  if (loaded.ok()) loaded = interface->load(package);
  stopWatchdog();  // from here on each child has its own limit
  if (!loaded.ok()) return fail(writer, loaded);
  const std::vector<LogLine> log = LogCapture::take();
  if (!log.empty()) {
    CaseResult result;
    result.name = "package";
    result.outcome.stage = "register";
    result.log = log;
    writer->write(result);
  }
  for (const Case& test : file.cases) {
    if (test.index < options.from) continue;
    progress().startCase(test.index, test.name.c_str());
    const pid_t child = fork();
    if (child == 0) runChild(interface, package, test, writer);
    if (child < 0) return fail(writer, Outcome::error("load", 1, "fork failed"));
    superviseChild(child, options, writer);
  }
  return kExitDone;
}

}  // namespace
}  // namespace opkg

int main(int argc, char** argv) {
  using namespace opkg;
  Options options;
  if (!parseOptions(argc, argv, false, &options)) return kExitUsage;
  settings().trace = options.trace;
  if (const char* slices = getenv("OPKG_SIM_SLICES")) settings().slices = static_cast<uint32_t>(atoi(slices));
  if (settings().slices == 0 || settings().slices > 64) settings().slices = 1;
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
  _exit(runAll(options, file, &writer));  // a package's exit handlers are its own affair
}
