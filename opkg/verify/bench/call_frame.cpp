// Frame of a program that measures whole calls of a registered QHPI kernel in qemu-hexagon: the runtime's functions for
// tensors, and a `main` that reads a call (call_data.py), chooses the record and calls it.
//
//     program CALLS      the counters of each call, as words: status, packets of an empty call, of the calls 1 to CALLS; then
//                        elements by vector and by portable code, where the kernels count them
//     program CALLS x    the same calls; the last one stands between opkg_begin() and opkg_end(), for a trace
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "opkg/qhpi_abi.h"

extern "C" {
int opkg_write_all(int, const void*, size_t);
long opkg_read(int, void*, size_t);
void* opkg_map(size_t);
__attribute__((weak)) uint64_t opkg_paths[2];  // of kernels that are compiled with OPKG_COUNT_PATHS (paths.h)
}

struct QHPI_Tensor {
  QHPI_Shape shape, padded;
  uint32_t type, layout;
  QHPI_Quant_Parameters quant;
  void* data;
  void** blocks;
  uint32_t num_blocks;
  QHPI_MemLoc placement;
};

struct QHPI_RuntimeHandle {
  uint32_t slice, slices;
};

QHPI_OpInfo_v1 opkg_subject();  // the generated function that returns the op's record

// The runtime's functions, as cheap as they can be: what is counted of them is the call and one copy.
extern "C" {
QHPI_Shape qhpi_tensor_shape(const QHPI_Tensor* t) { return t->shape; }
QHPI_Shape qhpi_tensor_padded_shape(const QHPI_Tensor* t) { return t->padded; }
uint32_t qhpi_tensor_type(const QHPI_Tensor* t) { return t->type; }
uint32_t qhpi_tensor_layout(const QHPI_Tensor* t) { return t->layout; }
uint32_t qhpi_tensor_placement(const QHPI_Tensor* t) { return t->placement; }
uint32_t qhpi_tensor_is_indirect(const QHPI_Tensor* t) { return t->blocks != nullptr; }
QHPI_Quant_Parameters qhpi_tensor_quant_parameters(const QHPI_Tensor* t) { return t->quant; }
void* qhpi_tensor_raw_data(const QHPI_Tensor* t) { return t->data; }
void** qhpi_tensor_block_table(const QHPI_Tensor* t) { return t->blocks; }
uint32_t qhpi_tensor_block_table_length(const QHPI_Tensor* t) { return t->num_blocks; }
uint32_t qhpi_num_slices(const QHPI_RuntimeHandle* h) { return h->slices; }
uint32_t qhpi_slice_number(const QHPI_RuntimeHandle* h) { return h->slice; }

__attribute__((noinline)) void opkg_begin() { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void opkg_end() { __asm__ volatile("" ::: "memory"); }
}

namespace {

constexpr uint32_t kMostTensors = 16, kMostCalls = 8, kLine = 128, kBlockBytes = 2048;
QHPI_Tensor g_tensors[kMostTensors];
const QHPI_Tensor* g_inputs[kMostTensors];
QHPI_Tensor* g_outputs[kMostTensors];
char g_name[64];
uint32_t g_num_inputs, g_num_outputs, g_name_length;
void* g_data;

__attribute__((noinline)) uint32_t packets() {
  register uint32_t value __asm__("r0");
  __asm__ volatile(".word 0x6a14c000" : "=r"(value)::"memory");
  return value;
}

bool opkg_setup_read(void* data, size_t size) {
  char* to = static_cast<char*>(data);
  while (size != 0) {
    const long got = opkg_read(0, to, size);
    if (got <= 0) return false;
    to += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

/// A tensor: its words, memory `shift` bytes behind a line, data for inputs.
bool opkg_setup_tensor(QHPI_Tensor& t) {
  uint32_t words[24];
  if (!opkg_setup_read(words, sizeof words)) return false;
  t.type = words[0];
  t.layout = words[1];
  t.shape.rank = t.padded.rank = words[2];
  for (uint32_t i = 0; i < QHPI_MAX_RANK; ++i) t.shape.dims[i] = words[3 + i], t.padded.dims[i] = words[11 + i];
  t.quant.zero_offset = static_cast<int32_t>(words[19]);
  __builtin_memcpy(&t.quant.stepsize, &words[20], 4);
  const uint32_t bytes = words[21], shift = words[22], given = words[23] & 1;
  t.placement = (words[23] & 2) != 0 ? QHPI_MemLoc_DDR_Only : QHPI_MemLoc_TCM_Only;
  if (bytes == 0) return true;
  auto* const room = static_cast<uint8_t*>(opkg_map(bytes + shift + 2 * kLine));
  if (room == nullptr) return false;
  t.data = room + kLine + shift;
  if (given != 0 && !opkg_setup_read(t.data, bytes)) return false;
  if (t.layout < QHPI_Layout_Crouton_8) return true;
  t.num_blocks = bytes / kBlockBytes;
  t.blocks = static_cast<void**>(opkg_map((t.num_blocks + 1) * sizeof(void*)));
  for (uint32_t i = 0; i < t.num_blocks; ++i) t.blocks[i] = static_cast<uint8_t*>(t.data) + i * kBlockBytes;
  t.data = nullptr;
  return true;
}

bool opkg_setup_fits(const QHPI_Kernel_v1& kernel) {
  for (uint32_t i = 0; i < g_name_length; ++i) {
    if (kernel.function_name[i] != g_name[i]) return false;
  }
  const char behind = kernel.function_name[g_name_length];  // what tells a kernel's records apart begins with __
  if (behind != 0 && (behind != '_' || kernel.function_name[g_name_length + 1] != '_')) return false;
  if (kernel.min_inputs != g_num_inputs || kernel.min_outputs != g_num_outputs) return false;
  for (uint32_t i = 0; i < g_num_inputs + g_num_outputs; ++i) {
    const bool input = i < g_num_inputs;
    const auto& wanted = input ? kernel.input_signature[i] : kernel.output_signature[i - g_num_inputs];
    if (wanted.element_type != g_tensors[i].type && wanted.element_type != QHPI_Any_Element_Type) return false;
    if (wanted.layout != g_tensors[i].layout && wanted.layout != QHPI_Layout_Any) return false;
  }
  return true;
}

const QHPI_Kernel_v1* opkg_setup() {
  uint32_t head[3];
  if (!opkg_setup_read(head, sizeof head) || head[0] + head[1] > kMostTensors || head[2] >= sizeof g_name) return nullptr;
  g_num_inputs = head[0];
  g_num_outputs = head[1];
  g_name_length = head[2];
  if (!opkg_setup_read(g_name, head[2])) return nullptr;
  for (uint32_t i = 0; i < g_num_inputs + g_num_outputs; ++i) {
    if (!opkg_setup_tensor(g_tensors[i])) return nullptr;
    if (i < g_num_inputs) g_inputs[i] = &g_tensors[i];
    if (i >= g_num_inputs) g_outputs[i - g_num_inputs] = &g_tensors[i];
  }
  const QHPI_OpInfo_v1 info = opkg_subject();
  for (uint32_t i = 0; i < info.num_kernels; ++i) {
    if (opkg_setup_fits(info.kernels[i])) return &info.kernels[i];
  }
  return nullptr;
}

/// What precomputation leaves; on the device it runs when the graph is prepared, and again when a context is loaded.
uint32_t opkg_setup_precompute(const QHPI_Kernel_v1& kernel, QHPI_RuntimeHandle& handle) {
  if (kernel.function_with_precomputed_data == nullptr) return 0;
  g_data = opkg_map(kernel.precomputed_data_size + kLine);
  return kernel.do_precomputation_function(&handle, g_data, g_num_outputs, g_outputs, g_num_inputs, g_inputs);
}

__attribute__((noinline)) uint32_t call(const QHPI_Kernel_v1& kernel, QHPI_RuntimeHandle& handle) {
  if (kernel.function_with_precomputed_data != nullptr) return kernel.function_with_precomputed_data(&handle, g_data);
  return kernel.function(&handle, g_num_outputs, g_outputs, g_num_inputs, g_inputs);
}

__attribute__((noinline)) uint32_t nothing(QHPI_RuntimeHandle*, uint32_t, QHPI_Tensor**, uint32_t,
                                           const QHPI_Tensor* const*) {
  __asm__ volatile("" ::: "memory");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const QHPI_Kernel_v1* const kernel = opkg_setup();
  if (kernel == nullptr) return 3;
  QHPI_RuntimeHandle handle = {0, 1};
  if (opkg_setup_precompute(*kernel, handle) != 0) return 4;
  const uint32_t calls = static_cast<uint32_t>(argv[1][0] - '0');
  uint32_t report[2 + kMostCalls] = {};
  for (uint32_t i = 1; i <= calls; ++i) {
    if (argc > 2 && i == calls) opkg_begin();
    const uint32_t before = packets();
    const uint32_t status = call(*kernel, handle);
    const uint32_t after = packets();
    if (argc > 2 && i == calls) opkg_end();
    report[0] |= status;
    report[1 + i] = after - before;
  }
  QHPI_Kernel_v1 empty = {};
  empty.function = nothing;
  const uint32_t before = packets();
  call(empty, handle);
  report[1] = packets() - before;
  opkg_write_all(1, report, sizeof report);
  opkg_write_all(1, opkg_paths, sizeof opkg_paths);
  return 0;
}
