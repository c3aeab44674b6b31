// Stands between a package and the backend: kernels are called with guarded copies of their tensors.
// SPDX-License-Identifier: Apache-2.0
#include "htp_guard.h"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "opkg/qhpi_abi.h"
#include "progress.h"

namespace opkg {
namespace {

constexpr size_t kMostKernels = 1024;
constexpr size_t kBlockBytes = 2048;

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
std::string g_violation, g_unguarded;
std::vector<std::string> g_ran;  // kernels, each once
std::atomic<Place> g_place{Place::kStart};

// The backend's own functions.
struct Backend {
  decltype(&qhpi_register_ops_v1) register_ops;
  decltype(&qhpi_tensor_raw_data) raw_data;
  decltype(&qhpi_tensor_is_indirect) is_indirect;  // null before QNN 2.50
  decltype(&qhpi_tensor_block_table) block_table;
  decltype(&qhpi_tensor_block_table_length) blocks;
  decltype(&qhpi_tensor_shape) shape;
  decltype(&qhpi_tensor_layout) layout;
  decltype(&qhpi_tensor_type) type;
  decltype(&qhpi_element_type_size) element;
};
Backend g_backend;
const Backend& backend() { return g_backend; }

// Whether a table of blocks holds a tensor: flat ones are direct, all others that a kernel gets are in blocks.
bool isIndirect(const QHPI_Tensor* tensor) {
  if (backend().is_indirect != nullptr) return backend().is_indirect(tensor) != 0;
  return backend().layout(tensor) > QHPI_Layout_Flat6;
}

// Returns whether the library has it.
template <typename Function>
bool find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

// One tensor's copy: `real` are the backend's parts, `before` what they held.
struct Copy {
  std::vector<uint8_t*> real;
  GuardedBuffer memory;
  std::vector<uint8_t> before;
  std::vector<void*> table;
  bool written = false;  // an output, or an input in whose place one lies
  std::string name;
};

// The copies of one kernel call, in the thread that runs it.
class Frame {
 public:
  Frame(uint32_t num_outputs, QHPI_Tensor** outputs, uint32_t num_inputs, const QHPI_Tensor* const* inputs)
      : outputs_(outputs, outputs + num_outputs), inputs_(inputs, inputs + num_inputs) {}

  Copy* direct(const QHPI_Tensor* tensor, void* real) {
    const uint32_t layout = backend().layout(tensor);
    if (layout < QHPI_Layout_Flat4 || layout > QHPI_Layout_Flat6) return nullptr;
    const QHPI_Shape shape = backend().shape(tensor);
    const size_t element = backend().element(backend().type(tensor));
    size_t size = element;
    for (uint32_t i = 0; i < shape.rank; ++i) size *= shape.dims[i];
    return size != 0 ? copy(tensor, {static_cast<uint8_t*>(real)}, size, element) : nullptr;
  }

  Copy* blocks(const QHPI_Tensor* tensor, void** table) {
    const uint32_t count = backend().blocks(tensor);
    std::vector<uint8_t*> parts;
    for (uint32_t i = 0; i < count; ++i) parts.push_back(static_cast<uint8_t*>(table[i]));
    return count != 0 ? copy(tensor, parts, kBlockBytes, 1) : nullptr;
  }

  // Carries back what was written; says what should not have been.
  std::string finish() {
    std::string message;
    for (Copy& copy : copies_) {
      std::string here;
      if (!copy.memory.check(&here) && message.empty()) message = here;
      for (size_t part = 0; part < copy.real.size(); ++part) {
        const uint8_t* const before = &copy.before[part * copy.memory.partSize()];
        const uint8_t* const after = copy.memory.part(part);
        if (memcmp(before, after, copy.memory.partSize()) == 0) continue;
        if (!copy.written && message.empty()) message = "tensor " + copy.name + ": the kernel wrote to its input";
        // Byte by byte: other slices write theirs.
        for (size_t i = 0; i < copy.memory.partSize(); ++i) {
          if (before[i] != after[i]) copy.real[part][i] = after[i];
        }
      }
    }
    return message;
  }

 private:
  Copy* copy(const QHPI_Tensor* tensor, std::vector<uint8_t*> real, size_t part, size_t element) {
    for (Copy& known : copies_) {
      if (known.real[0] == real[0] && known.memory.partSize() == part && known.real.size() == real.size()) return &known;
    }
    copies_.emplace_back();
    Copy& made = copies_.back();
    made.name = nameOf(tensor, &made.written);
    made.memory = GuardedBuffer(made.name.c_str(), part, real.size(), g_place, element);
    for (size_t i = 0; i < real.size(); ++i) {
      memcpy(made.memory.part(i), real[i], part);
      made.table.push_back(made.memory.part(i));
      made.before.insert(made.before.end(), real[i], real[i] + part);
    }
    made.real = std::move(real);
    return &made;
  }

  // "output 0", "input 1"; `*written`: whether the kernel may write there.
  std::string nameOf(const QHPI_Tensor* tensor, bool* written) const {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (outputs_[i] == tensor) *written = true;
      if (outputs_[i] == tensor) return "output " + std::to_string(i);
    }
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i] != tensor) continue;
      for (const QHPI_Tensor* output : outputs_) *written = *written || sharesMemory(output, tensor);
      return "input " + std::to_string(i);
    }
    return "of another op";
  }

  static bool sharesMemory(const QHPI_Tensor* a, const QHPI_Tensor* b) {
    const void* const first = firstByte(a);
    return first != nullptr && first == firstByte(b);
  }

  static const void* firstByte(const QHPI_Tensor* tensor) {
    if (!isIndirect(tensor)) return backend().raw_data(tensor);
    void** const table = backend().block_table(tensor);
    return table != nullptr && backend().blocks(tensor) != 0 ? table[0] : nullptr;
  }

  std::vector<const QHPI_Tensor*> outputs_, inputs_;
  std::deque<Copy> copies_;
};

thread_local Frame* t_frame = nullptr;
QHPI_KernelFunc g_kernels[kMostKernels];
QHPI_PrecomputeFunc g_precomputations[kMostKernels];
QHPI_PrecomputedKernelFunc g_kept[kMostKernels];
const char* g_names[kMostKernels];
size_t g_count = 0;

// The tensors of a kernel that gets nothing but what its precomputation left.
struct Tensors {
  std::vector<QHPI_Tensor*> outputs;
  std::vector<const QHPI_Tensor*> inputs;
};
std::map<const void*, Tensors> g_tensors;  // by its data

template <typename Run>
uint32_t guardedCall(size_t number, Frame frame, const Run& run) {
  t_frame = &frame;
  progress().inKernel(g_names[number]);
  const uint32_t status = run();
  t_frame = nullptr;
  const std::string message = frame.finish();
  pthread_mutex_lock(&g_mutex);
  if (std::find(g_ran.begin(), g_ran.end(), g_names[number]) == g_ran.end()) g_ran.push_back(g_names[number]);
  if (!message.empty() && g_violation.empty()) g_violation = message + " in " + g_names[number];
  pthread_mutex_unlock(&g_mutex);
  return status;
}

// One function per kernel: a kernel's function is told nothing that would name it.
template <size_t kNumber>
uint32_t entry(QHPI_RuntimeHandle* handle, uint32_t num_outputs, QHPI_Tensor** outputs, uint32_t num_inputs,
               const QHPI_Tensor* const* inputs) {
  return guardedCall(kNumber, Frame(num_outputs, outputs, num_inputs, inputs),
                     [&] { return g_kernels[kNumber](handle, num_outputs, outputs, num_inputs, inputs); });
}

// Precomputation itself reads no tensor but constants.
template <size_t kNumber>
uint32_t precomputation(QHPI_RuntimeHandle* handle, void* data, uint32_t num_outputs, QHPI_Tensor** outputs,
                        uint32_t num_inputs, const QHPI_Tensor* const* inputs) {
  pthread_mutex_lock(&g_mutex);
  g_tensors[data] = {{outputs, outputs + num_outputs}, {inputs, inputs + num_inputs}};
  pthread_mutex_unlock(&g_mutex);
  return g_precomputations[kNumber](handle, data, num_outputs, outputs, num_inputs, inputs);
}

template <size_t kNumber>
uint32_t keptEntry(QHPI_RuntimeHandle* handle, const void* data) {
  pthread_mutex_lock(&g_mutex);
  Tensors tensors = g_tensors[data];
  pthread_mutex_unlock(&g_mutex);
  Frame frame(static_cast<uint32_t>(tensors.outputs.size()), tensors.outputs.data(),
              static_cast<uint32_t>(tensors.inputs.size()), tensors.inputs.data());
  return guardedCall(kNumber, std::move(frame), [&] { return g_kept[kNumber](handle, data); });
}

template <size_t... kNumbers>
constexpr std::array<QHPI_KernelFunc, sizeof...(kNumbers)> entries(std::index_sequence<kNumbers...>) {
  return {{entry<kNumbers>...}};
}
template <size_t... kNumbers>
constexpr std::array<QHPI_PrecomputeFunc, sizeof...(kNumbers)> precomputations(std::index_sequence<kNumbers...>) {
  return {{precomputation<kNumbers>...}};
}
template <size_t... kNumbers>
constexpr std::array<QHPI_PrecomputedKernelFunc, sizeof...(kNumbers)> keptEntries(std::index_sequence<kNumbers...>) {
  return {{keptEntry<kNumbers>...}};
}
using Numbers = std::make_index_sequence<kMostKernels>;
constexpr auto kEntries = entries(Numbers());
constexpr auto kPrecomputations = precomputations(Numbers());
constexpr auto kKeptEntries = keptEntries(Numbers());

void guardKernel(QHPI_Kernel_v1* kernel) {
  const bool kept = kernel->function == nullptr && kernel->function_with_precomputed_data != nullptr &&
                    kernel->do_precomputation_function != nullptr;
  const bool plain = kernel->function != nullptr && kernel->function_with_precomputed_data == nullptr;
  if ((!kept && !plain) || kernel->sync_block_size != 0 || g_count == kMostKernels) {
    g_unguarded += (g_unguarded.empty() ? "" : ", ") + std::string(kernel->function_name);
    return;
  }
  g_names[g_count] = kernel->function_name;
  if (plain) g_kernels[g_count] = std::exchange(kernel->function, kEntries[g_count]);
  if (kept) {
    g_precomputations[g_count] =
        std::exchange(kernel->do_precomputation_function, kPrecomputations[g_count]);
    g_kept[g_count] = std::exchange(kernel->function_with_precomputed_data, kKeptEntries[g_count]);
  }
  ++g_count;
}

}  // namespace

bool guardBackend(void* library) {
  find(library, "qhpi_tensor_is_indirect", &g_backend.is_indirect);
  return find(library, "qhpi_register_ops_v1", &g_backend.register_ops) &&
         find(library, "qhpi_tensor_raw_data", &g_backend.raw_data) &&
         find(library, "qhpi_tensor_block_table", &g_backend.block_table) &&
         find(library, "qhpi_tensor_block_table_length", &g_backend.blocks) &&
         find(library, "qhpi_tensor_shape", &g_backend.shape) &&
         find(library, "qhpi_tensor_layout", &g_backend.layout) &&
         find(library, "qhpi_tensor_type", &g_backend.type) &&
         find(library, "qhpi_element_type_size", &g_backend.element);
}

void guardTensorsAt(Place place) { g_place = place; }

std::vector<std::string> takeKernels() {
  pthread_mutex_lock(&g_mutex);
  std::vector<std::string> found;
  found.swap(g_ran);
  pthread_mutex_unlock(&g_mutex);
  return found;
}

std::string takeGuardViolation() {
  pthread_mutex_lock(&g_mutex);
  std::string found;
  found.swap(g_violation);
  pthread_mutex_unlock(&g_mutex);
  return found;
}

std::string unguardedKernels() { return g_unguarded; }

}  // namespace opkg

extern "C" {

// The backend keeps the records: they live as long as the process.
uint32_t qhpi_register_ops_v1(uint32_t num_ops, QHPI_OpInfo_v1* ops, const char* package_name) {
  using namespace opkg;
  auto* const infos = new std::vector<QHPI_OpInfo_v1>(ops, ops + num_ops);
  for (QHPI_OpInfo_v1& info : *infos) {
    auto* const kernels = new std::vector<QHPI_Kernel_v1>(info.kernels, info.kernels + info.num_kernels);
    for (QHPI_Kernel_v1& kernel : *kernels) guardKernel(&kernel);
    info.kernels = kernels->data();
  }
  return backend().register_ops(num_ops, infos->data(), package_name);
}

void* qhpi_tensor_raw_data(const QHPI_Tensor* tensor) {
  using namespace opkg;
  void* const real = backend().raw_data(tensor);
  Copy* const copy = t_frame != nullptr && real != nullptr ? t_frame->direct(tensor, real) : nullptr;
  return copy != nullptr ? copy->memory.part() : real;
}

void** qhpi_tensor_block_table(const QHPI_Tensor* tensor) {
  using namespace opkg;
  void** const real = backend().block_table(tensor);
  const bool indirect = real != nullptr && t_frame != nullptr && isIndirect(tensor);
  Copy* const copy = indirect ? t_frame->blocks(tensor, real) : nullptr;
  return copy != nullptr ? copy->table.data() : real;
}

}  // extern "C"
