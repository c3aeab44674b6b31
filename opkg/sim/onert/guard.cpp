// Stands between onert and a custom kernel: in guarded calls its tensors are copies that lie between pages which cannot
// be touched.
//
// The runtime calls opkg_guard_eval, which calls the kernel that opkg_guard_call named. A stray access in a page ends
// the process after a record about it was written; what else is wrong is asked for after the call.
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define EXPORT __attribute__((visibility("default")))

namespace {

// The layout of nnfw_operand and nnfw_custom_kernel_params.
struct Operand {
  int32_t type;
  int32_t rank;
  int32_t dims[6];
  void* data;
};
struct Call {
  size_t input_count;
  Operand* inputs;
  size_t output_count;
  Operand* outputs;
};
using Eval = void (*)(Call*, char*, size_t);

enum Turn { kPlain = 0, kFirstByte = 1, kLastByte = 2 };
constexpr uint8_t kUntouched = 0x5a, kUnwritten = 0xa5;

// A tensor's copy: [guard][slack, data, slack][guard].
struct Region {
  uint8_t* pages = nullptr;
  size_t mapped = 0;
  uint8_t* data = nullptr;
  size_t size = 0;
  size_t name = 0;
};

Eval g_kernel;
int g_turn;
unsigned g_calls;
std::string g_fault;
std::vector<std::string> g_names;
std::string g_head, g_tail;
int g_results = -1;
std::vector<Region> g_regions;

size_t page_size() {
  static const size_t size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

size_t guard_size() { return 16 * page_size(); }

size_t bytes_of(const Operand& operand) {
  size_t bytes = operand.type == 0 || operand.type == 1 ? 4 : 1;
  for (int32_t i = 0; i < operand.rank && i < 6; ++i) bytes *= static_cast<size_t>(operand.dims[i]);
  return bytes;
}

const char* name_of(size_t index) { return index < g_names.size() ? g_names[index].c_str() : "?"; }

int describe(char (&text)[300], size_t name, long long at, size_t size, const char* what) {
  return std::snprintf(text, sizeof text, "call %d: %s byte %lld of '%s', which has %zu bytes", g_turn + 1, what, at,
                       name_of(name), size);
}

void fault(size_t name, long long at, size_t size, const char* what) {
  char text[300];
  describe(text, name, at, size, what);
  if (g_fault.empty()) g_fault = text;
}

void on_signal(int number, siginfo_t* info, void* context) {
  const uint8_t* address = static_cast<const uint8_t*>(info->si_addr);
  for (const Region& region : g_regions) {
    if (address < region.pages || address >= region.pages + region.mapped) continue;
    const char* what = "access to";
#ifdef __x86_64__
    what = (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? "write to" : "read of";
#else
    (void)context;
#endif
    char text[300];
    const int length = describe(text, region.name, address - region.data, region.size, what);
    const bool written =
        write(g_results, g_head.data(), g_head.size()) > 0 && write(g_results, text, std::strlen(text)) == length;
    _exit(written && write(g_results, g_tail.data(), g_tail.size()) > 0 ? 1 : 2);
  }
  signal(number, SIG_DFL);  // not ours: it happens again, and ends the process
}

Region made(size_t size, size_t name) {
  const size_t page = page_size(), inside = (size + page - 1) / page * page + (size == 0 ? page : 0);
  Region region;
  region.mapped = inside + 2 * guard_size();
  void* pages = mmap(nullptr, region.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return region;
  region.pages = static_cast<uint8_t*>(pages);
  uint8_t* first = region.pages + guard_size();
  mprotect(first, inside, PROT_READ | PROT_WRITE);
  std::memset(first, kUntouched, inside);
  region.data = g_turn == kFirstByte ? first : first + inside - size;
  region.size = size;
  region.name = name;
  return region;
}

// Looks for bytes around the data that somebody wrote.
void check_slack(const Region& region) {
  const uint8_t* first = region.pages + guard_size();
  const uint8_t* end = region.pages + region.mapped - guard_size();
  for (const uint8_t* at = first; at < end; ++at) {
    if (at == region.data) at += region.size;
    if (at < end && *at != kUntouched) return fault(region.name, at - region.data, region.size, "write to");
  }
}

// Copies of a call's tensors, which end with it, also when the kernel throws.
class Guarded {
 public:
  explicit Guarded(const Call& call)
      : inputs_(call.inputs, call.inputs + call.input_count), outputs_(call.outputs, call.outputs + call.output_count) {
    for (Operand& operand : inputs_) {
      const void* from = operand.data;
      std::memcpy(put(operand), from, bytes_of(operand));
    }
    for (Operand& operand : outputs_) std::memset(put(operand), kUnwritten, bytes_of(operand));
  }
  ~Guarded() {
    for (const Region& region : g_regions) munmap(region.pages, region.mapped);
    g_regions.clear();
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  Call call() { return {inputs_.size(), inputs_.data(), outputs_.size(), outputs_.data()}; }
  void finish(const Call& original) {
    for (const Region& region : g_regions) check_slack(region);
    for (size_t i = 0; i < outputs_.size(); ++i)
      std::memcpy(original.outputs[i].data, outputs_[i].data, bytes_of(outputs_[i]));
  }

 private:
  void* put(Operand& operand) {
    g_regions.push_back(made(bytes_of(operand), g_regions.size()));
    return operand.data = g_regions.back().data;
  }

  std::vector<Operand> inputs_, outputs_;
};

// Looks for bytes of inputs that the kernel changed.
void check_inputs(const Call& call, const std::vector<std::string>& before) {
  for (size_t i = 0; i < before.size(); ++i) {
    const uint8_t* now = static_cast<const uint8_t*>(call.inputs[i].data);
    for (size_t at = 0; at < before[i].size(); ++at) {
      if (now[at] != static_cast<uint8_t>(before[i][at]))
        return fault(i, static_cast<long long>(at), before[i].size(), "write to an input,");
    }
  }
}

}  // namespace

extern "C" {

// Names of the inputs and outputs of the next calls, and the two halves of the record around a message about a stray
// access.
EXPORT void opkg_guard_case(int results, const char* head, const char* tail, const char* const* names, size_t count) {
  g_results = results;
  g_head = head;
  g_tail = tail;
  g_names.assign(names, names + count);
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

// The kernel of the next call, and how its tensors lie.
EXPORT void opkg_guard_call(void* kernel, int turn) {
  g_kernel = reinterpret_cast<Eval>(kernel);
  g_turn = turn;
  g_calls = 0;
  g_fault.clear();
}

EXPORT unsigned opkg_guard_calls() { return g_calls; }
EXPORT const char* opkg_guard_fault() { return g_fault.c_str(); }

EXPORT void opkg_guard_eval(Call* call, char* options, size_t size) {
  ++g_calls;
  std::vector<std::string> before;
  for (size_t i = 0; i < call->input_count; ++i) {
    before.emplace_back(static_cast<const char*>(call->inputs[i].data), bytes_of(call->inputs[i]));
  }
  if (g_turn == kPlain) {
    g_kernel(call, options, size);
    return check_inputs(*call, before);
  }
  Guarded guarded(*call);
  Call copy = guarded.call();
  g_kernel(&copy, options, size);
  guarded.finish(*call);
  check_inputs(copy, before);
}

}  // extern "C"
