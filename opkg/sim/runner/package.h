// An op package library in this process: its QNN interface and its symbols.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_PACKAGE_H_
#define OPKG_RUNNER_PACKAGE_H_

#include "case_file.h"
#include "opkg/qnn_abi.h"
#include "results.h"

namespace opkg {

class Package {
 public:
  // dlopen, interface provider, init, log, info: what a backend does before it registers ops. Error codes as
  // a backend's.
  Outcome open(const char* path, const char* provider);

  void* symbol(const char* name) const;
  void* library() const { return library_; }
  const QnnOpPackage_Info_t& info() const { return *info_; }
  std::string name() const { return info_->packageName; }
  bool listsOp(const std::string& type) const;

  // The package's answer to one op config; 0 accepts.
  Qnn_ErrorHandle_t validate(const Qnn_OpConfig_t& config) const;

 private:
  void* library_ = nullptr;
  QnnOpPackage_Interface_t interface_ = {};
  const QnnOpPackage_Info_t* info_ = nullptr;
};

}  // namespace opkg

#endif  // OPKG_RUNNER_PACKAGE_H_
