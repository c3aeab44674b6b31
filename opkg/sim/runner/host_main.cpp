// opkg-host: runs case files against a package in our simulation, each case in a forked child with a time
// limit.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "interface.h"
#include "leaks.h"
#include "options.h"
#include "paths.h"
#include "processes.h"
#include "progress.h"

namespace opkg {
namespace {

Interface* makeInterface(const char* name) {
  if (strcmp(name, "qhpi") == 0 && makeQhpiInterface != nullptr) return makeQhpiInterface();
  if (strcmp(name, "classic") == 0 && makeClassicInterface != nullptr) return makeClassicInterface();
  return nullptr;
}

constexpr uint64_t kLongCall = 2000000;  // us; a longer one is not made again

// What is called after the first call: the kernel must not remember it, whatever it was given. The slices of
// multithreaded kernels run together there.
const CallStyle kOtherData = {Place::kLineEnd, true, true, 3, 0x3C};
const CallStyle kAgain = {Place::kByteEnd, false, true, 4, 0x5A};

bool sameOps(const Case& a, const Case& b) {
  return a.nodes.size() == 1 && b.nodes.size() == 1 && a.nodes[0].type == b.nodes[0].type &&
         a.nodes[0].package == b.nodes[0].package;
}

// Another case of the same op, as a backend runs several nodes of a type in one process; what becomes of it does not
// matter here.
void runNeighbour(const Interface& interface, const Package& package, const Case& test) {
  progress().during((" (in a call of " + test.name + " before it)").c_str());
  const std::unique_ptr<Interface> other = interface.another();
  CaseResult result;
  Outputs outputs;
  if (other->prepare(package, test, &result).ok()) other->execute(test, CallStyle(), &result, &outputs);
  progress().during("");
}

Outcome runAgain(Interface* interface, const Case& test, const Outputs& first, Outputs* again) {
  Outputs ignored;
  CaseResult scratch;
  progress().during(" (second call: other data, at the ends of pages)");
  Outcome outcome = interface->execute(test, kOtherData, &scratch, &ignored);
  if (!outcome.ok()) return outcome;
  progress().during(" (third call: the first data, misaligned)");
  outcome = interface->execute(test, kAgain, &scratch, again);
  if (outcome.ok() && *again == first) again->clear();
  return outcome;
}

// After another case of its op, the case is called three times in one process: as a backend does it, with other data, and
// as at first.
Outcome runStages(Interface* interface, const Package& package, const Case& test, const Case* neighbour,
                  CaseResult* result, ResultWriter* writer) {
  Outcome outcome = interface->validate(package, test);
  if (outcome.ok()) outcome = interface->prepare(package, test, result);
  if (outcome.ok() && neighbour != nullptr) {
    const std::vector<LogLine> log = LogCapture::take();
    runNeighbour(*interface, package, *neighbour);
    LogCapture::take();
    result->log = log;
    result->after = neighbour->name;
  }
  Outputs outputs, again;
  const PathCounts paths(package.library());
  paths.clear();
  if (outcome.ok()) outcome = interface->execute(test, CallStyle(), result, &outputs);
  result->paths = paths.get();
  for (LogLine& line : LogCapture::take()) result->log.push_back(std::move(line));
  if (outcome.ok() && result->us < kLongCall) {
    outcome = runAgain(interface, test, outputs, &again);
    const std::vector<LogLine> log = LogCapture::take();  // once more what the first call logged, if all went well
    if (!outcome.ok()) {
      outcome.message += progress().call;
      result->log.insert(result->log.end(), log.begin(), log.end());
    }
  }
  if (!outcome.ok()) return outcome;
  size_t place = 0;
  for (const TensorSpec& tensor : test.tensors) {
    if (tensor.kind != TensorKind::kOutput) continue;
    result->outputs.push_back(writer->append(tensor, outputs[place]));
    if (!again.empty()) result->again.push_back(writer->append(tensor, again[place]));
    ++place;
  }
  return outcome;
}

// Sends what this process writes to stderr to a file of its own.
void takeErrors(const char* prefix) {
  const std::string path = std::string(prefix) + ".stderr." + std::to_string(getpid());
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
  if (file < 0) return;
  dup2(file, 2);
  close(file);
}

[[noreturn]] void runChild(Interface* interface, const Package& package, const Case& test, const Case* neighbour,
                           const Options& options, ResultWriter* writer) {
  if (options.reports != nullptr) takeErrors(options.reports);
  ignoreOwnLeaks();
  CaseResult result;
  result.index = test.index;
  result.name = test.name;
  result.outcome = runStages(interface, package, test, neighbour, &result, writer);
  reportLeaks();
  if (!progress().result_written.exchange(true)) writer->write(result);
  _exit(result.outcome.ok() ? kExitDone : kExitFailed);
}

// Waits for the child, and ends it at the limit together with what it started. What the child did not report itself is
// reported here. Whether the case went well.
bool superviseChild(pid_t child, const Options& options, ResultWriter* writer) {
  const uint64_t deadline = nowMicros() + static_cast<uint64_t>(options.timeout * 1e6);
  int status = 0;
  for (unsigned naps = 0; waitpid(child, &status, WNOHANG) == 0; ++naps) {
    if (nowMicros() < deadline) {
      usleep(naps < 100 ? 250 : 5000);
      continue;
    }
    char text[400];
    snprintf(text, sizeof text, "no end after %g s in %s%s", options.timeout, progress().node, progress().call);
    writeEmergencyResult(writer->resultsFd(), "timeout", 0, text);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    break;
  }
  endChildren();
  const bool whole = progress().result_written && WIFEXITED(status) && WEXITSTATUS(status) == kExitDone;
  if (WIFSIGNALED(status)) {
    writeEmergencyResult(writer->resultsFd(), "crash", WTERMSIG(status), strsignal(WTERMSIG(status)));
  } else if (!progress().result_written) {
    writeEmergencyResult(writer->resultsFd(), "crash", WEXITSTATUS(status), "the package ended the process");
  }
  if (options.reports != nullptr) writer->addReport(options.reports, child);
  return whole;
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
  const Case* before = nullptr;  // the last case that went well
  for (const Case& test : file.cases) {
    if (test.index < options.from) continue;
    progress().startCase(test.index, test.name.c_str());
    // Not under a sanitizer, which could not tell whose faults it reports.
    const bool alone = before == nullptr || options.reports != nullptr || !sameOps(*before, test);
    const Case* const neighbour = alone ? nullptr : before;
    const pid_t child = fork();
    if (child == 0) runChild(interface, package, test, neighbour, options, writer);
    if (child < 0) return fail(writer, Outcome::error("load", 1, "fork failed"));
    if (superviseChild(child, options, writer)) before = &test;
  }
  return kExitDone;
}

}  // namespace
}  // namespace opkg

int main(int argc, char** argv) {
  using namespace opkg;
  Options options;
  if (!parseOptions(argc, argv, false, &options)) return kExitUsage;
  endWithParent();
  settings().trace = options.trace;
  if (const char* slices = getenv("OPKG_SIM_SLICES")) settings().slices = static_cast<uint32_t>(atoi(slices));
  if (settings().slices > 64) settings().slices = 1;
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
  const int status = runAll(options, file, &writer);
  endChildren();
  _exit(status);  // a package's exit handlers are its own affair
}
