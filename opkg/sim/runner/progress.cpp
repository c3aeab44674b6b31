// Signal handler, watchdog and the records they write.
// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "processes.h"

namespace opkg {
namespace {

int g_results_fd = -1;
int g_exit_status = 1;
double g_watchdog_seconds = 0.0;
pthread_t g_watchdog;
sem_t g_watchdog_ends;

struct sigaction g_before[NSIG];  // handlers of a sanitizer

// A bounded line built without malloc or stdio.
class Line {
 public:
  void text(const char* value) {
    while (*value != '\0') put(*value++);
  }
  void quoted(const char* value) {
    put('"');
    for (; *value != '\0'; ++value) {
      const unsigned char byte = static_cast<unsigned char>(*value);
      if (byte == '"' || byte == '\\') put('\\');
      put(byte < 0x20 || byte >= 0x7F ? '?' : *value);
    }
    put('"');
  }
  void number(int64_t value) {
    char digits[24];
    int length = 0;
    uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    do {
      digits[length++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (value < 0) put('-');
    while (length > 0) put(digits[--length]);
  }
  void put(char character) {
    if (size_ + 1 < sizeof text_) text_[size_++] = character;
  }
  const char* c_str() {
    text_[size_] = '\0';
    return text_;
  }
  size_t size() const { return size_; }

 private:
  char text_[2048];
  size_t size_ = 0;
};

void writeRecord(int fd, const char* status, int code, const char* message) {
  const Progress& now = progress();
  Line line;
  line.text("{\"case\": ");
  line.number(now.case_index);
  line.text(", \"name\": ");
  line.quoted(now.case_name);
  line.text(", \"status\": ");
  line.quoted(status);
  line.text(", \"stage\": ");
  line.quoted(now.stage[0] != '\0' ? now.stage : "load");
  line.text(", \"code\": ");
  line.number(code);
  line.text(", \"message\": ");
  line.quoted(message);
  line.text(", \"kernels\": [");
  if (now.kernel[0] != '\0') {
    line.text("{\"kernel\": ");
    line.quoted(now.kernel);
    line.text("}");
  }
  line.text("], \"outputs\": [], \"log\": [], \"trace\": [], \"us\": 0}\n");
  ssize_t ignored = write(fd, line.c_str(), line.size());
  (void)ignored;
}

const char* signalName(int number) {
  switch (number) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return "arithmetic fault";
    case SIGILL:
      return "illegal instruction";
    case SIGABRT:
      return "abort";
    case SIGTRAP:
      return "trap";
    default:
      return "signal";
  }
}

// The watched buffer around a faulting address, if any.
const WatchedRange* rangeOf(uintptr_t address) {
  const Progress& now = progress();
  const uint32_t count = now.range_count;
  for (uint32_t i = 0; i < count && i < sizeof now.ranges / sizeof now.ranges[0]; ++i) {
    if (address >= now.ranges[i].low && address < now.ranges[i].high) return &now.ranges[i];
  }
  return nullptr;
}

// "read at byte offset 64 of tensor x, past its end (size 64)"; of a block, its number and the offset in it.
void describe(const WatchedRange& range, uintptr_t address, const char* access, Line* message) {
  size_t block = 0;
  if (address > range.first && range.stride != 0) block = (address - range.first) / range.stride;
  if (block >= range.parts) block = range.parts - 1;
  uintptr_t begin = range.first + block * range.stride;
  // The guard before a block belongs to the nearer of its neighbours.
  if (block + 1 < range.parts && address - begin > (range.part + range.stride) / 2) begin = range.first + ++block * range.stride;
  message->text("tensor ");
  message->text(range.name);
  if (range.parts > 1) {
    message->text(" block ");
    message->number(static_cast<int64_t>(block));
  }
  message->text(": ");
  message->text(access);
  message->text(" at byte offset ");
  message->number(static_cast<int64_t>(address - begin));
  message->text(address < begin ? ", before its start" : ", past its end (size ");
  if (address >= begin) {
    message->number(static_cast<int64_t>(range.part));
    message->text(")");
  }
}

// What a fault was: the processor tells writes from reads on x86-64.
const char* accessOf([[maybe_unused]] void* context) {
#if defined(__x86_64__)
  const auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  return (registers[REG_ERR] & 2) != 0 ? "write" : "read";
#else
  return "access";
#endif
}

// Lets a sanitizer that had a handler before us write its report and end the process.
bool chained(int number, siginfo_t* info, void* context) {
  const struct sigaction& before = g_before[number];
  if ((before.sa_flags & SA_SIGINFO) == 0 || before.sa_sigaction == nullptr) return false;
  before.sa_sigaction(number, info, context);
  return true;
}

void onCrash(int number, siginfo_t* info, void* context) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr);
  const bool memory_fault = number == SIGSEGV || number == SIGBUS;
  const WatchedRange* range = memory_fault ? rangeOf(address) : nullptr;
  Line message;
  if (range != nullptr) {
    describe(*range, address, accessOf(context), &message);
  } else {
    message.text(signalName(number));
  }
  if (progress().node[0] != '\0') {
    message.text(" in ");
    message.text(progress().node);
  }
  message.text(progress().call);
  writeEmergencyResult(g_results_fd, range != nullptr ? "guard" : "crash", number, message.c_str());
  if (chained(number, info, context)) return;
  endChildren();
  _exit(g_exit_status);
}

// Whether the watchdog is to end; waits for that up to 50 ms.
bool ends() {
  timespec until = {};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 50'000'000;
  if (until.tv_nsec >= 1'000'000'000) {
    until.tv_nsec -= 1'000'000'000;
    ++until.tv_sec;
  }
  return sem_timedwait(&g_watchdog_ends, &until) == 0;
}

void* watch(void*) {
  const uint64_t limit = static_cast<uint64_t>(g_watchdog_seconds * 1e6);
  while (!ends()) {
    const uint64_t started = progress().stage_started_us;
    if (started == 0 || nowMicros() - started < limit) continue;
    Line message;
    message.text("no end after ");
    message.number(static_cast<int64_t>(g_watchdog_seconds));
    message.text(" s");
    if (progress().node[0] != '\0') {
      message.text(" in ");
      message.text(progress().node);
    }
    writeEmergencyResult(g_results_fd, "timeout", 0, message.c_str());
    endChildren();
    _exit(g_exit_status);
  }
  return nullptr;
}

void copyText(char* to, size_t size, const char* from) {
  const size_t length = strnlen(from, size - 1);
  memcpy(to, from, length);
  to[length] = '\0';
}

}  // namespace

Progress& progress() {
  static Progress* const shared = static_cast<Progress*>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  return *shared;
}

void Progress::startCase(int index, const char* name) {
  case_index = index;
  copyText(case_name, sizeof case_name, name);
  range_count = 0;
  result_written = false;
  during("");
  at("load", "");
}

void Progress::at(const char* stage_name, const char* node_name) {
  copyText(stage, sizeof stage, stage_name);
  copyText(node, sizeof node, node_name);
  kernel[0] = '\0';
  stage_started_us = nowMicros();
}

void Progress::inKernel(const char* name) { copyText(kernel, sizeof kernel, name); }

void Progress::during(const char* which_call) { copyText(call, sizeof call, which_call); }

void writeEmergencyResult(int results_fd, const char* status, int code, const char* message) {
  if (progress().result_written.exchange(true)) return;
  writeRecord(results_fd, status, code, message);
}

void installCrashHandler(int results_fd, int exit_status) {
  g_results_fd = results_fd;
  g_exit_status = exit_status;
  static char alternate[64 * 1024];
  stack_t stack = {};
  stack.ss_sp = alternate;
  stack.ss_size = sizeof alternate;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = onCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
    struct sigaction before = {};
    sigaction(number, &action, &before);
    if (before.sa_sigaction != onCrash) g_before[number] = before;
  }
}

void startWatchdog(int results_fd, double seconds, int exit_status) {
  g_results_fd = results_fd;
  g_exit_status = exit_status;
  g_watchdog_seconds = seconds;
  sem_init(&g_watchdog_ends, 0, 0);
  pthread_create(&g_watchdog, nullptr, watch, nullptr);
}

void stopWatchdog() {
  sem_post(&g_watchdog_ends);
  pthread_join(g_watchdog, nullptr);
}

uint64_t nowMicros() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000u + static_cast<uint64_t>(time.tv_nsec) / 1000u;
}

}  // namespace opkg
