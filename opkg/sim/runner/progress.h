// What is being worked on, so that a crash or a hang is reported as the result of its case.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_PROGRESS_H_
#define OPKG_RUNNER_PROGRESS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace opkg {

// One guarded buffer, known to the signal handler: a fault inside [low, high) is a stray access of that tensor, which
// has `parts` blocks of `part` bytes, `stride` apart.
struct WatchedRange {
  uintptr_t low, high, first;
  size_t part, stride, parts;
  char name[48];
};

// Lives in memory shared between the driver and its forked children; plain data, so a signal handler may read
// it.
struct Progress {
  std::atomic<int> case_index;
  std::atomic<uint64_t> stage_started_us;
  std::atomic<bool> result_written;
  char case_name[128];
  char stage[16];
  char node[128];
  char kernel[128];
  char call[160];  // which of several calls of the kernel; empty in the first one
  std::atomic<uint32_t> range_count;
  WatchedRange ranges[1024];

  void startCase(int index, const char* name);
  void at(const char* stage_name, const char* node_name);
  void inKernel(const char* name);
  void during(const char* which_call);
};

Progress& progress();

// Writes to `results_fd` a record for the case in progress: status "crash" or "timeout". Async-signal-safe.
void writeEmergencyResult(int results_fd, const char* status, int code, const char* message);

// From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT and SIGTRAP write such a record and end the process
// with `exit_status`, without running exit handlers.
void installCrashHandler(int results_fd, int exit_status);

// A thread that ends the process when a stage of opkg-htp takes longer than `seconds` (a hang cannot be
// interrupted).
void startWatchdog(int results_fd, double seconds, int exit_status);

// Ends that thread and waits until it is gone: a process that forks while it starts or ends leaves locks of a
// sanitizer with the child, which then waits for ever.
void stopWatchdog();

uint64_t nowMicros();

}  // namespace opkg

#endif  // OPKG_RUNNER_PROGRESS_H_
