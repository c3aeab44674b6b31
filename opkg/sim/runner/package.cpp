// Loads an op package as a backend does.
// SPDX-License-Identifier: Apache-2.0
#include "package.h"

#include <dlfcn.h>

#include <cstring>

#include "progress.h"

namespace opkg {
namespace {

enum : Qnn_ErrorHandle_t { kNotFound = 4005, kNoProvider = 4006, kFailed = 4007, kVersion = 4008 };

void onLog(const char* format, QnnLog_Level_t level, uint64_t, va_list args) {
  LogCapture::add(static_cast<int>(level), format, args);
}

}  // namespace

Outcome Package::open(const char* path, const char* provider) {
  progress().at("load", path);
  library_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) return Outcome::error("load", kNotFound, dlerror());
  progress().at("register", provider);
  const auto provide = reinterpret_cast<QnnOpPackage_InterfaceProvider_t>(dlsym(library_, provider));
  if (provide == nullptr)
    return Outcome::error("register", kNoProvider, std::string("no symbol ") + provider);
  Qnn_ErrorHandle_t code = provide(&interface_);
  if (code != QNN_SUCCESS) return Outcome::error("register", kFailed, "the interface provider failed");
  if (interface_.interfaceVersion.major != 1) {
    return Outcome::error("register", kVersion, "the package's interface version is not 1.x");
  }
  const QnnOpPackage_ImplementationV1_4_t& calls = interface_.v1_4;
  if (calls.init == nullptr || calls.getInfo == nullptr || calls.validateOpConfig == nullptr) {
    return Outcome::error("register", kFailed,
                          "the package interface lacks init, getInfo or validateOpConfig");
  }
  if (calls.logInitialize != nullptr) calls.logInitialize(onLog, QNN_LOG_LEVEL_DEBUG);
  code = calls.init(nullptr);
  if (code != QNN_SUCCESS) return Outcome::error("register", code, "the package's init failed");
  code = calls.getInfo(&info_);
  if (code != QNN_SUCCESS || info_ == nullptr || info_->packageName == nullptr) {
    return Outcome::error("register", code != 0 ? code : kFailed,
                          "the package's getInfo gave no package name");
  }
  return Outcome();
}

void* Package::symbol(const char* name) const { return dlsym(library_, name); }

bool Package::listsOp(const std::string& type) const {
  for (uint32_t i = 0; i < info_->numOperations; ++i) {
    if (info_->operationNames[i] != nullptr && type == info_->operationNames[i]) return true;
  }
  return false;
}

Qnn_ErrorHandle_t Package::validate(const Qnn_OpConfig_t& config) const {
  return interface_.v1_4.validateOpConfig(config);
}

}  // namespace opkg
