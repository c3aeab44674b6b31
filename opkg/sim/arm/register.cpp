// Registers an op package with a QNN backend library, both for ARM, as a device does before it prepares a graph.
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

#include "opkg/qnn_interface_abi.h"

namespace {

using GetProviders = Qnn_ErrorHandle_t (*)(const QnnInterface_t***, uint32_t*);

void onLog(const char* format, QnnLog_Level_t level, uint64_t, va_list args) {
  if (level > QNN_LOG_LEVEL_WARN) return;
  fputs("log: ", stdout);
  vprintf(format, args);
  fputc('\n', stdout);
}

// The exit handlers of the backend may crash.
[[noreturn]] void end(const char* stage, uint64_t code, const char* text) {
  printf("%s %" PRIu64 " %s\n", stage, code, text);
  fflush(stdout);
  _exit(code == 0 ? 0 : 1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) end("usage", 1, "register BACKEND PACKAGE PROVIDER");
  void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) end("load", 1, dlerror());
  const auto providers_of = reinterpret_cast<GetProviders>(dlsym(library, "QnnInterface_getProviders"));
  if (providers_of == nullptr) end("load", 1, "no QnnInterface_getProviders");
  const QnnInterface_t** providers = nullptr;
  uint32_t count = 0;
  Qnn_ErrorHandle_t code = providers_of(&providers, &count);
  if (code != QNN_SUCCESS || count == 0) end("providers", code != QNN_SUCCESS ? code : 1, "");
  const QnnInterface_Implementation_t& api = providers[0]->v2;
  Qnn_LogHandle_t log = nullptr;
  if (api.logCreate(onLog, QNN_LOG_LEVEL_WARN, &log) != QNN_SUCCESS) log = nullptr;
  Qnn_BackendHandle_t backend = nullptr;
  code = api.backendCreate(log, nullptr, &backend);
  if (code != QNN_SUCCESS) end("create", code, "backendCreate");
  code = api.backendRegisterOpPackage(backend, argv[2], argv[3], "CPU");
  end("register", code, "backendRegisterOpPackage");
}
