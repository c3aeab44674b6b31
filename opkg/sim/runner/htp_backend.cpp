// Loads a QNN backend library and registers an op package with it.
// SPDX-License-Identifier: Apache-2.0
#include "htp_backend.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "htp_guard.h"
#include "progress.h"

namespace opkg {
namespace {

// Lines that a run without any fault logs too; they would only hide the ones that matter.
bool isNoise(const std::string& text) {
  static const char* const kNoise[] = {"Initializing HtpProvider",
                                       "No op packages found for architecture",
                                       "VTCM_OFFSET/VTCM_TOTAL_SIZE are no longer supported",
                                       "Sanitizing the value for hvx_threads",
                                       "unexpected GraphHtpSettings option",
                                       "No registered op found for",
                                       "remote-weight rewrite scaffold",
                                       "op package registration API version check failed"};  // lower is fine
  for (const char* noise : kNoise) {
    if (text.find(noise) != std::string::npos) return true;
  }
  return false;
}

void onLog(const char* format, QnnLog_Level_t level, uint64_t, va_list args) {
  if (level > QNN_LOG_LEVEL_WARN && strncmp(format, kRuleFired, sizeof kRuleFired - 1) != 0) return;
  char line[2048];
  vsnprintf(line, sizeof line, format, args);
  std::string text = line;
  if (text.compare(0, 2, " <") == 0 && text.compare(3, 2, "> ") == 0)
    text.erase(0, 5);  // the level, once more
  if (!isNoise(text)) LogCapture::add(static_cast<int>(level), std::move(text));
}

QnnLog_Level_t wantedLogLevel() {
  const char* text = getenv("OPKG_HTP_LOG_LEVEL");
  return text != nullptr ? static_cast<QnnLog_Level_t>(atoi(text)) : QNN_LOG_LEVEL_WARN;
}

// Every level goes to stderr, for people looking into the backend.
void onLogVerbose(const char* format, QnnLog_Level_t level, uint64_t time, va_list args) {
  va_list copy;
  va_copy(copy, args);
  fprintf(stderr, "[%d] ", static_cast<int>(level));
  vfprintf(stderr, format, copy);
  fputc('\n', stderr);
  va_end(copy);
  onLog(format, level, time, args);
}

}  // namespace

std::string HtpBackend::describe(const char* call, Qnn_ErrorHandle_t code) const {
  std::string text = std::string(call) + " returned " + std::to_string(code);
  const char* words = nullptr;
  if (api_ != nullptr && api_->errorGetMessage(code, &words) == QNN_SUCCESS && words != nullptr) {
    text += std::string(": ") + words;
  }
  return text;
}

Outcome HtpBackend::open(const Options& options) {
  progress().at("load", options.backend);
  void* library = dlopen(options.backend, RTLD_NOW | RTLD_GLOBAL);  // packages resolve qhpi_* in it
  if (library == nullptr) return Outcome::error("load", 1, dlerror());
  if (!guardBackend(library))
    return Outcome::error("load", 1, "the backend has no QHPI: packages need QNN 2.47 or later");
  const auto get_providers =
      reinterpret_cast<QnnInterface_GetProvidersFn_t>(dlsym(library, "QnnInterface_getProviders"));
  if (get_providers == nullptr)
    return Outcome::error("load", 1, "the backend has no QnnInterface_getProviders");
  const QnnInterface_t** providers = nullptr;
  uint32_t count = 0;
  Qnn_ErrorHandle_t code = get_providers(&providers, &count);
  if (code != QNN_SUCCESS || count == 0)
    return Outcome::error("load", code, "the backend offers no provider");
  api_ = &providers[0]->v2;

  const QnnLog_Level_t level = wantedLogLevel();
  code = api_->logCreate(level > QNN_LOG_LEVEL_WARN ? onLogVerbose : onLog, level, &log_);
  if (code != QNN_SUCCESS) log_ = nullptr;
  code = api_->backendCreate(log_, nullptr, &backend_);
  if (code != QNN_SUCCESS) return Outcome::error("load", code, describe("backendCreate", code));

  if (options.soc != nullptr) {
    const Outcome outcome = openDevice(static_cast<uint32_t>(atoi(options.soc)));
    if (!outcome.ok()) return outcome;
  }
  progress().at("register", options.package);
  code = api_->backendRegisterOpPackage(backend_, options.package, options.provider, options.target);
  if (code != QNN_SUCCESS)
    return Outcome::error("register", code, describe("backendRegisterOpPackage", code));
  paths_ = PathCounts(dlopen(options.package, RTLD_NOW | RTLD_NOLOAD));
  return Outcome();
}

// Measured: the number stands 4 bytes into the backend's own record in QNN 2.49, 8 bytes in the others.
Outcome HtpBackend::openDevice(uint32_t soc) {
  struct OwnConfig {
    uint32_t option = 0;  // the SoC
    uint32_t number, padded_number;
    uint32_t rest[5] = {};
  } own;
  own.number = own.padded_number = soc;
  struct Config {
    uint32_t option = 0;  // the backend's own
    const void* own;
  } config;
  config.own = &own;
  const Config* const configs[] = {&config, nullptr};
  using Create = Qnn_ErrorHandle_t (*)(Qnn_LogHandle_t, const Config* const*, Qnn_DeviceHandle_t*);
  constexpr int kCreate = 3;  // among the table's functions of devices
  const auto create = reinterpret_cast<Create>(api_->device[kCreate]);
  const Qnn_ErrorHandle_t code = create(log_, configs, &device_);
  return code == QNN_SUCCESS ? Outcome() : Outcome::error("load", code, describe("deviceCreate", code));
}

}  // namespace opkg
