// Drives a backend for scripts/qhpi_handles.py: t = a + b, y = t + b by one op of the probe package, in two graphs of one
// context, executed in turns with other buffers each time, then from the context's binary. Prints a line a phase.
//
//     qhpi_handles BACKEND PACKAGE OP DIMS...
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "opkg/qnn_interface_abi.h"
#include "qhpi_handles.h"

namespace {

using Size = Qnn_ErrorHandle_t (*)(Qnn_ContextHandle_t, uint64_t*);
using Get = Qnn_ErrorHandle_t (*)(Qnn_ContextHandle_t, void*, uint64_t, uint64_t*);
using Load = Qnn_ErrorHandle_t (*)(Qnn_BackendHandle_t, Qnn_DeviceHandle_t, const void**, const void*, uint64_t,
                                   Qnn_ContextHandle_t*, Qnn_ProfileHandle_t);
using Retrieve = Qnn_ErrorHandle_t (*)(Qnn_ContextHandle_t, const char*, Qnn_GraphHandle_t*);

const QnnInterface_Implementation_t* g_api;
void (*g_take)(uint32_t*);
std::vector<uint32_t> g_dims;
size_t g_size = 1;

void need(Qnn_ErrorHandle_t code, const char* what) {
  if (code == QNN_SUCCESS) return;
  printf("failed %s %llu\n", what, static_cast<unsigned long long>(code));
  fflush(stdout);
  _exit(1);
}

void quiet(const char*, QnnLog_Level_t, uint64_t, va_list) {}

Qnn_Tensor_t tensor(const std::string& name, Qnn_TensorType_t type) {
  Qnn_Tensor_t made;
  memset(&made, 0, sizeof made);
  made.version = QNN_TENSOR_VERSION_1;
  made.v1.name = strdup(name.c_str());
  made.v1.type = type;
  made.v1.dataType = QNN_DATATYPE_UFIXED_POINT_8;
  made.v1.rank = static_cast<uint32_t>(g_dims.size());
  made.v1.dimensions = g_dims.data();
  made.v1.memType = QNN_TENSORMEMTYPE_RAW;
  made.v1.quantizeParams.encodingDefinition = QNN_DEFINITION_DEFINED;
  made.v1.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
  made.v1.quantizeParams.scaleOffsetEncoding = {0.5f, 0};
  return made;
}

struct Graph {
  Qnn_GraphHandle_t handle = nullptr;
  Qnn_Tensor_t a, b, t, y;

  void node(const char* name, const char* op, Qnn_Tensor_t first, Qnn_Tensor_t second, Qnn_Tensor_t out) {
    Qnn_Tensor_t inputs[] = {first, second};
    Qnn_OpConfig_t config;
    memset(&config, 0, sizeof config);
    config.version = QNN_OPCONFIG_VERSION_1;
    config.v1.name = name;
    config.v1.packageName = "probe.handles";
    config.v1.typeName = op;
    config.v1.numOfInputs = 2;
    config.v1.inputTensors = inputs;
    config.v1.numOfOutputs = 1;
    config.v1.outputTensors = &out;
    need(g_api->graphAddNode(handle, config), "graphAddNode");
  }

  void make(Qnn_ContextHandle_t context, const char* name, const char* op) {
    need(g_api->graphCreate(context, name, nullptr, &handle), "graphCreate");
    a = tensor("a", QNN_TENSOR_TYPE_APP_WRITE), b = tensor("b", QNN_TENSOR_TYPE_APP_WRITE);
    t = tensor("t", QNN_TENSOR_TYPE_NATIVE), y = tensor("y", QNN_TENSOR_TYPE_APP_READ);
    for (Qnn_Tensor_t* made : {&a, &b, &t, &y}) need(g_api->tensorCreateGraphTensor(handle, made), "tensorCreate");
    node("first", op, a, b, t);
    node("second", op, t, b, y);
    need(g_api->graphFinalize(handle, nullptr, nullptr), "graphFinalize");
  }

  /// Wrong bytes of one execution. The buffers are new ones each time, and stay allocated.
  size_t execute(uint32_t seed) const {
    auto* const first = static_cast<uint8_t*>(malloc(g_size)), *const second = static_cast<uint8_t*>(malloc(g_size));
    auto* const result = static_cast<uint8_t*>(calloc(1, g_size));
    for (size_t i = 0; i < g_size; ++i) {
      seed = seed * 1664525u + 1013904223u;
      first[i] = static_cast<uint8_t>(seed >> 24), second[i] = static_cast<uint8_t>(seed >> 16);
    }
    Qnn_Tensor_t inputs[] = {a, b}, outputs[] = {y};
    inputs[0].v1.clientBuf = {first, static_cast<uint32_t>(g_size)};
    inputs[1].v1.clientBuf = {second, static_cast<uint32_t>(g_size)};
    outputs[0].v1.clientBuf = {result, static_cast<uint32_t>(g_size)};
    need(g_api->graphExecute(handle, inputs, 2, outputs, 1, nullptr, nullptr), "graphExecute");
    size_t wrong = 0;
    for (size_t i = 0; i < g_size; ++i) wrong += result[i] != static_cast<uint8_t>(first[i] + 2 * second[i]);
    return wrong;
  }
};

void report(const char* phase, size_t wrong) {
  uint32_t counts[kCounters];
  g_take(counts);
  printf("%s %zu", phase, wrong);
  for (const uint32_t count : counts) printf(" %u", count);
  printf("\n");
  fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 4; i < argc; ++i) g_dims.push_back(static_cast<uint32_t>(atoi(argv[i]))), g_size *= g_dims.back();
  void* const library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return fprintf(stderr, "%s\n", dlerror()), 2;
  const auto providers = reinterpret_cast<QnnInterface_GetProvidersFn_t>(dlsym(library, "QnnInterface_getProviders"));
  const QnnInterface_t** found = nullptr;
  uint32_t count = 0;
  need(providers(&found, &count), "getProviders");
  g_api = &found[0]->v2;
  Qnn_LogHandle_t log = nullptr;
  g_api->logCreate(quiet, QNN_LOG_LEVEL_ERROR, &log);
  Qnn_BackendHandle_t backend = nullptr;
  need(g_api->backendCreate(log, nullptr, &backend), "backendCreate");
  need(g_api->backendRegisterOpPackage(backend, argv[2], "toyProvider", "CPU"), "registerOpPackage");
  g_take = reinterpret_cast<void (*)(uint32_t*)>(dlsym(dlopen(argv[2], RTLD_NOW | RTLD_NOLOAD), "probe_take"));

  Qnn_ContextHandle_t context = nullptr;
  need(g_api->contextCreate(backend, nullptr, nullptr, &context), "contextCreate");
  Graph one, two;
  one.make(context, "one", argv[3]);
  two.make(context, "two", argv[3]);
  report("finalize", 0);
  report("execute", one.execute(1));
  report("again", one.execute(2));
  report("other_graph", two.execute(3));
  report("after_other", one.execute(4));

  uint64_t size = 0, written = 0;
  need(reinterpret_cast<Size>(g_api->contextGetBinarySize)(context, &size), "contextGetBinarySize");
  std::vector<uint8_t> binary(size);
  need(reinterpret_cast<Get>(g_api->contextGetBinary)(context, binary.data(), size, &written), "contextGetBinary");
  need(g_api->contextFree(context, nullptr), "contextFree");
  report("save", 0);
  Qnn_ContextHandle_t loaded = nullptr;
  need(reinterpret_cast<Load>(g_api->contextCreateFromBinary)(backend, nullptr, nullptr, binary.data(), written, &loaded, nullptr),
       "contextCreateFromBinary");
  const auto retrieve = reinterpret_cast<Retrieve>(g_api->graphRetrieve);
  need(retrieve(loaded, "one", &one.handle), "graphRetrieve");
  need(retrieve(loaded, "two", &two.handle), "graphRetrieve");
  report("load", 0);
  report("loaded", one.execute(5));
  report("loaded_again", two.execute(6) + one.execute(7));
  _exit(0);  // the backend's exit handlers may crash
}
