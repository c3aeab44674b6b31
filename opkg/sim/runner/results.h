// What became of a case, and the writer of R.jsonl and R.bin (docs/design/case-format.md).
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_RESULTS_H_
#define OPKG_RUNNER_RESULTS_H_

#include <cstdarg>
#include <cstdint>
#include <string>
#include <vector>

#include "case_file.h"

namespace opkg {

struct LogLine {
  int level = 1;  // QNN: error 1, warn 2, info 3, verbose 4, debug 5
  std::string text;
};

// How the line begins that a generated package logs when one of its rules fired; such lines become part of
// the trace.
constexpr char kRuleFired[] = "rule ";

struct KernelUse {
  std::string node, op, kernel;
};

// Elements that vector code and portable code computed; nothing is counted of kernels by hand.
struct Paths {
  uint64_t vector = 0, portable = 0;
};

struct OutputRange {
  std::string name;
  uint32_t dtype = 0;
  std::vector<uint32_t> dims;
  uint64_t offset = 0, size = 0;
};

// What a stage says: "ok", "rejected", "error", "crash", "timeout" or "guard".
struct Outcome {
  const char* status = "ok";
  const char* stage = "execute";
  uint64_t code = 0;
  std::string message;

  bool ok() const { return status[0] == 'o'; }
  static Outcome error(const char* stage, uint64_t code, std::string message) {
    return {"error", stage, code, std::move(message)};
  }
};

struct CaseResult {
  int index = -1;
  std::string name;
  Outcome outcome;
  std::vector<KernelUse> kernels;
  std::vector<OutputRange> outputs;
  std::string after;                 // the case of the same op that ran in the process before it
  std::vector<OutputRange> again;  // of the same call made once more, where it gave other bytes
  std::vector<LogLine> log;
  std::vector<std::string> trace;
  Paths paths;                       // of the first call
  uint64_t us = 0;
};

// Lines a package or backend logged since the last take, from any thread. Keeps errors and warnings, and
// every level for lines that the package itself wrote.
class LogCapture {
 public:
  static void add(int level, const char* format, va_list args);
  static void add(int level, std::string text);
  static std::vector<LogLine> take();
};

// Appends results; every record is one write(), so what a killed process leaves behind is whole lines.
class ResultWriter {
 public:
  // Appends to existing files when `append`, else starts them anew.
  bool open(const char* results_path, const char* out_path, bool append);
  // Writes one output's bytes (dense, in the tensor's QNN data type) to R.bin and says where they are.
  OutputRange append(const TensorSpec& tensor, const std::vector<uint8_t>& bytes);
  void write(const CaseResult& result);
  // A record with what a sanitizer wrote to PREFIX.PID and PREFIX.stderr.PID about the case in
  // progress; these files are then gone.
  void addReport(const char* prefix, int pid);
  int resultsFd() const { return results_fd_; }

 private:
  int results_fd_ = -1;
  int out_fd_ = -1;
};

void appendJsonString(std::string* out, const std::string& text);

}  // namespace opkg

#endif  // OPKG_RUNNER_RESULTS_H_
