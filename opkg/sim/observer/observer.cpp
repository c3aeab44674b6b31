// Counts the calls of kernels that op packages register with an HTP backend in this process.
//
// Loaded (RTLD_GLOBAL) before the packages: their `qhpi_register_ops_v1` is then this one. It hands the backend copies of
// the records whose kernel functions count a call and go on to the package's own. A kernel that runs in slices is called once
// for each of them, on threads: its calls are those of the slice 0.
#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "opkg/qhpi_abi.h"

namespace {

constexpr size_t kMostKernels = 2048;  // an op has one for each combination of element types and ranks

using SliceNumber = uint32_t (*)(const QHPI_RuntimeHandle*);
SliceNumber slice_number = nullptr;  // the backend's

struct Watched {
  std::string name;  // package::Op/function
  QHPI_KernelFunc function = nullptr;
  QHPI_PrecomputedKernelFunc precomputed = nullptr;
  bool in_slices = false;
  std::atomic<uint64_t> calls{0};
  std::atomic<uint64_t> slices{0};

  __attribute__((noinline)) void count(const QHPI_RuntimeHandle* handle) {
    slices.fetch_add(1, std::memory_order_relaxed);
    if (!in_slices || slice_number(handle) == 0) calls.fetch_add(1, std::memory_order_relaxed);
  }
};

std::array<Watched, kMostKernels> watched;
size_t used = 0;
std::map<const void*, size_t> places;  // a package's kernel record -> its place: packages register more than once
std::mutex guard;

template <size_t I>
uint32_t call(QHPI_RuntimeHandle* handle, uint32_t outputs_count, QHPI_Tensor** outputs, uint32_t inputs_count,
              const QHPI_Tensor* const* inputs) {
  watched[I].count(handle);
  return watched[I].function(handle, outputs_count, outputs, inputs_count, inputs);
}

template <size_t I>
uint32_t call_precomputed(QHPI_RuntimeHandle* handle, const void* data) {
  watched[I].count(handle);
  return watched[I].precomputed(handle, data);
}

template <size_t... I>
constexpr std::array<QHPI_KernelFunc, sizeof...(I)> callers(std::index_sequence<I...>) {
  return {&call<I>...};
}

template <size_t... I>
constexpr std::array<QHPI_PrecomputedKernelFunc, sizeof...(I)> precomputed_callers(std::index_sequence<I...>) {
  return {&call_precomputed<I>...};
}

const auto kCallers = callers(std::make_index_sequence<kMostKernels>{});
const auto kPrecomputedCallers = precomputed_callers(std::make_index_sequence<kMostKernels>{});

// The place of a kernel record, or kMostKernels when there is none left: then it is not watched.
size_t place_of(const QHPI_Kernel_v1& kernel, const char* op) {
  const auto found = places.find(&kernel);
  const size_t place = found != places.end() ? found->second : used;
  if (place >= kMostKernels) return kMostKernels;
  if (found == places.end()) places[&kernel] = used++;
  watched[place].name = std::string(op != nullptr ? op : "?") + "/" + (kernel.function_name != nullptr ? kernel.function_name : "?");
  watched[place].function = kernel.function;
  watched[place].precomputed = kernel.function_with_precomputed_data;
  watched[place].in_slices = kernel.multithreaded != 0 && slice_number != nullptr;
  return place;
}

// The records that the backend keeps are never freed, as a package's own are static. A package that is registered once more
// (ONNX Runtime does so for each of its ops) gets the same ones: the backend takes others for duplicates.
QHPI_Kernel_v1* watched_kernels(const QHPI_OpInfo_v1& op) {
  static std::map<std::pair<const void*, uint32_t>, QHPI_Kernel_v1*> made;
  QHPI_Kernel_v1*& copies = made[{op.kernels, op.num_kernels}];
  if (copies == nullptr) copies = new QHPI_Kernel_v1[op.num_kernels];
  for (uint32_t i = 0; i < op.num_kernels; ++i) {
    copies[i] = op.kernels[i];
    const size_t place = place_of(op.kernels[i], op.name);
    if (place == kMostKernels) continue;
    if (copies[i].function != nullptr) copies[i].function = kCallers[place];
    if (copies[i].function_with_precomputed_data != nullptr) copies[i].function_with_precomputed_data = kPrecomputedCallers[place];
  }
  return copies;
}

using Register = uint32_t (*)(uint32_t, QHPI_OpInfo_v1*, const char*);

// A function of the backend: behind this library when it was preloaded, else in the backend, which is loaded by now.
template <typename Function>
Function backend_function(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    void* backend = dlopen("libQnnHtp.so", RTLD_NOLOAD | RTLD_NOW);
    if (backend != nullptr) found = dlsym(backend, name);
  }
  return reinterpret_cast<Function>(found);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) uint32_t qhpi_register_ops_v1(uint32_t count, QHPI_OpInfo_v1* ops, const char* package) {
  const auto next = backend_function<Register>("qhpi_register_ops_v1");
  if (next == nullptr) {
    std::fputs("opkg observer: no backend with qhpi_register_ops_v1 is loaded\n", stderr);
    return 4;
  }
  const std::lock_guard<std::mutex> lock(guard);
  slice_number = backend_function<SliceNumber>("qhpi_slice_number");
  auto* copies = new QHPI_OpInfo_v1[count];
  for (uint32_t i = 0; i < count; ++i) {
    copies[i] = ops[i];
    copies[i].kernels = watched_kernels(ops[i]);
  }
  return next(count, copies, package);
}

// The number of kernels that were registered.
__attribute__((visibility("default"))) uint64_t opkg_observed_kernels(void) { return used; }

// Name, calls and slices of one of them: as many slices as calls where each is one slice.
__attribute__((visibility("default"))) const char* opkg_observed_name(uint64_t place) { return watched[place].name.c_str(); }
__attribute__((visibility("default"))) uint64_t opkg_observed_calls(uint64_t place) { return watched[place].calls.load(); }
__attribute__((visibility("default"))) uint64_t opkg_observed_slices(uint64_t place) { return watched[place].slices.load(); }
}
