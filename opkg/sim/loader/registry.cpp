// The strict loader's side of QHPI: takes the records that a package registers, and shows tensors to a kernel.
// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"
#include "opkg/qhpi_abi.h"
#include "system.h"

// 32-bit records, natural layout.
static_assert(sizeof(QHPI_Kernel_v1) == 68 && sizeof(QHPI_OpInfo_v1) == 52);
static_assert(sizeof(QHPI_Tensor_Signature_v1) == 12 && sizeof(QHPI_Shape) == 36);

struct QHPI_Tensor {
  QHPI_Shape shape;
  uint32_t type, layout;
  char* data;
};

namespace loader {
namespace {

QHPI_OpInfo_v1* g_ops;
uint32_t g_num_ops;

bool reserved(const QHPI_Kernel_v1& k) { return k.Reserved_1 || k.Reserved_2 || k.Reserved_3 || k.Reserved_4; }
bool reserved(const QHPI_OpInfo_v1& o) { return o.Reserved_1 || o.Reserved_2 || o.Reserved_3 || o.Reserved_4; }

QHPI_Tensor tensor(const QHPI_Tensor_Signature_v1& signature, uint32_t elements, bool counted) {
  QHPI_Tensor made = {};
  made.type = signature.element_type;
  made.layout = signature.layout;
  made.shape.rank = signature.layout == QHPI_LAYOUT_FLAT_5 ? 5 : 4;
  for (uint32_t i = 0; i < made.shape.rank; ++i) made.shape.dims[i] = 1;
  made.shape.dims[made.shape.rank - 1] = elements;
  made.data = static_cast<char*>(calloc(elements + 256, 8));
  for (uint32_t i = 0; counted && i < elements * qhpi_element_type_size(made.type); ++i) made.data[i] = static_cast<char>(i);
  return made;
}

int call(const QHPI_Kernel_v1& kernel, uint32_t elements) {
  constexpr uint32_t kMost = 8;
  if (kernel.min_inputs > kMost || kernel.min_outputs > kMost) refuse("too many tensors", kernel.function_name);
  QHPI_Tensor in[kMost], out[kMost];
  const QHPI_Tensor* inputs[kMost];
  QHPI_Tensor* outputs[kMost];
  for (uint32_t i = 0; i < kernel.min_inputs; ++i) inputs[i] = &(in[i] = tensor(kernel.input_signature[i], elements, true));
  for (uint32_t i = 0; i < kernel.min_outputs; ++i) outputs[i] = &(out[i] = tensor(kernel.output_signature[i], elements, false));
  uint32_t status = 0;
  if (kernel.function != nullptr) {
    status = kernel.function(nullptr, kernel.min_outputs, outputs, kernel.min_inputs, inputs);
  } else {
    void* const data = calloc(kernel.precomputed_data_size, 1);
    status = kernel.do_precomputation_function(nullptr, data, kernel.min_outputs, outputs, kernel.min_inputs, inputs);
    if (status == 0) status = kernel.function_with_precomputed_data(nullptr, data);
  }
  say("status\t%u\n", status);
  for (uint32_t i = 0; i < kernel.min_outputs; ++i) {
    say("output\t");
    for (uint32_t b = 0; b < elements * qhpi_element_type_size(out[i].type); ++b) say("%02x", static_cast<uint8_t>(out[i].data[b]));
    say("\n");
  }
  return 0;
}

}  // namespace

void say(const char* format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  const int size = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  opkg_write_all(1, line, static_cast<size_t>(size) < sizeof line ? static_cast<size_t>(size) : sizeof line - 1);
}

void refuse(const char* why, const char* what) {
  printf("refused: %s %s\n", why, what);  // the run time prints to stderr
  opkg_exit(1);
}

void* map_executable(size_t size) {
  constexpr int kReadWriteExecute = 7;
  return reinterpret_cast<void*>(
      opkg_system_call(kCallMap, 0, static_cast<long>(size), kReadWriteExecute, kPrivateAnonymous, -1, 0));
}

int call(const char* kernel, uint32_t elements) {
  for (uint32_t i = 0; i < g_num_ops; ++i) {
    for (uint32_t k = 0; k < g_ops[i].num_kernels; ++k) {
      if (strcmp(g_ops[i].kernels[k].function_name, kernel) == 0) return call(g_ops[i].kernels[k], elements);
    }
  }
  refuse("no kernel", kernel);
}

}  // namespace loader

extern "C" {

void opkg_loader_absent() { loader::refuse("called a function that the emulator does not have", ""); }

uint32_t qhpi_register_ops_v1(uint32_t num_ops, QHPI_OpInfo_v1* ops, const char* package) {
  using loader::say;
  loader::g_ops = ops;
  loader::g_num_ops = num_ops;
  for (uint32_t i = 0; i < num_ops; ++i) {
    const QHPI_OpInfo_v1& op = ops[i];
    if (op.name == nullptr || loader::reserved(op)) loader::refuse("a damaged op record", package);
    say("op\t%s\t%u\n", op.name, op.num_kernels);
    for (uint32_t k = 0; k < op.num_kernels; ++k) {
      const QHPI_Kernel_v1& kernel = op.kernels[k];
      const bool kept = kernel.function_with_precomputed_data != nullptr && kernel.do_precomputation_function != nullptr &&
                        kernel.precomputed_data_size != 0;
      const bool whole = kernel.function_name != nullptr && (kernel.function != nullptr) != kept && !loader::reserved(kernel) &&
                         (kernel.min_inputs == 0 || kernel.input_signature != nullptr) && kernel.min_outputs != 0 &&
                         kernel.output_signature != nullptr && kernel.resources != 0;
      if (!whole) loader::refuse("a damaged kernel record of", op.name);
      say("kernel\t%s\t%u\t%u\n", kernel.function_name, kernel.min_inputs, kernel.min_outputs);
    }
  }
  return QHPI_SUCCESS;
}

uint32_t qhpi_element_type_size(QHPI_Element_Type type) {
  constexpr uint32_t kSizes[] = {0, 1, 2, 2, 4, 4, 4, 1, 2, 8};
  return type < sizeof kSizes / sizeof kSizes[0] ? kSizes[type] : 0;
}
QHPI_Shape qhpi_tensor_shape(const QHPI_Tensor* tensor) { return tensor->shape; }
QHPI_Element_Type qhpi_tensor_type(const QHPI_Tensor* tensor) { return tensor->type; }
QHPI_Standard_Layout qhpi_tensor_layout(const QHPI_Tensor* tensor) { return tensor->layout; }
QHPI_Quant_Parameters qhpi_tensor_quant_parameters(const QHPI_Tensor*) { return {0, 1.0f}; }
uint32_t qhpi_tensor_placement(const QHPI_Tensor*) { return QHPI_MemLoc_TCM_Only; }
void* qhpi_tensor_raw_data(const QHPI_Tensor* tensor) { return tensor->data; }
uint32_t qhpi_num_slices(const QHPI_RuntimeHandle*) { return 1; }
uint32_t qhpi_slice_number(const QHPI_RuntimeHandle*) { return 0; }

}  // extern "C"
