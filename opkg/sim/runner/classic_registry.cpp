// Reads the lists that the macros of our classic headers filled.
// SPDX-License-Identifier: Apache-2.0
#include "classic_registry.h"

#include <cstring>

namespace opkg {
namespace {

constexpr int kWarn = 2;

void logFromPackage(int level, const char* text) { LogCapture::add(level, text); }

Outcome refuse(const std::string& text) { return Outcome::error("register", 4005, text); }

}  // namespace

Outcome ClassicRegistry::load(const Package& package) {
  Outcome outcome = readRecord(package);
  if (!outcome.ok()) return outcome;
  for (uint32_t i = 0; i < record_->file_count && outcome.ok(); i++) outcome = readFile(*record_->files[i]());
  checkListedOps(package);
  return outcome;
}

Outcome ClassicRegistry::readRecord(const Package& package) {
  using RecordFn = const OpkgClassicPackage* (*)();
  const auto record = reinterpret_cast<RecordFn>(package.symbol(OPKG_CLASSIC_SYMBOL));
  if (record == nullptr) {
    return refuse("no " OPKG_CLASSIC_SYMBOL
                  "() in the library: the interface file has no END_PKG_OPS_OPTS_LIST(), or the package "
                  "was not built with the headers of opkg/sim/include");
  }
  using InitFn = int (*)(void*);
  if (const auto init = reinterpret_cast<InitFn>(package.symbol("op_pkg_init"))) {  // since SDK 2.17
    const int status = init(nullptr);
    if (status != 0) return refuse("op_pkg_init returned " + std::to_string(status));
  }
  record_ = record();
  if (record_->abi != kOpkgClassicAbi)
    return refuse("the package was built with other headers; build it again");
  *record_->log = logFromPackage;
  if (!record_->ops) {
    return refuse(
        "the package registers no ops: INIT_PKG_CORE_INIT_FUNC(), or REGISTER_PACKAGE_OPS() in its init "
        "function, is missing");
  }
  if (package.name() != record_->name) {
    return refuse("the interface calls the package " + package.name() + ", its ops are registered under " +
                  record_->name + " (THIS_PKG_NAME)");
  }
  return Outcome();
}

Outcome ClassicRegistry::readFile(const OpkgOpFile& file) {
  for (const OpkgKernel* kernel = file.kernels; kernel != nullptr; kernel = kernel->next, kernels_++) {
    ops_[kernel->op].kernels.push_back(kernel);
  }
  if (!record_->param_orders && file.param_orders != nullptr) {
    LogCapture::add(kWarn, std::string(file.name) +
                               ": param orders are ignored, as the package's init function lacks "
                               "REGISTER_PACKAGE_PARAM_ORDERS()");
  }
  for (const OpkgParamOrder* order = file.param_orders; record_->param_orders && order != nullptr;
       order = order->next) {
    ClassicOp& op = ops_[order->op];
    if (op.params != nullptr)
      LogCapture::add(kWarn, std::string(order->op) + ": a second param order is ignored");
    if (op.params == nullptr) op.params = order;
  }
  for (const OpkgTensorProperties* text = file.properties; text != nullptr; text = text->next) {
    auto properties = std::make_unique<TensorProperties>();
    std::string error;
    if (!parseTensorProperties(text->text, record_->name, properties.get(), &error)) {
      return refuse(std::string(text->file) + ":" + std::to_string(text->line) + ": " + error);
    }
    ClassicOp& op = ops_[properties->op];
    if (op.properties == nullptr) op.properties = std::move(properties);
  }
  for (const OpkgRule* rule = file.rules; record_->optimizations && rule != nullptr; rule = rule->next) {
    rules_.push_back(rule);
  }
  if (!record_->optimizations && file.rules != nullptr) {
    LogCapture::add(kWarn, std::string(file.name) +
                               ": rules never run, as the package's init function lacks "
                               "REGISTER_PACKAGE_OPTIMIZATIONS()");
  }
  return Outcome();
}

void ClassicRegistry::checkListedOps(const Package& package) {
  for (uint32_t i = 0; i < package.info().numOperations; i++) {
    const std::string name = package.name() + "::" + package.info().operationNames[i];
    const ClassicOp* op = find(name);
    if (op != nullptr && !op->kernels.empty()) continue;
    LogCapture::add(kWarn,
                    name + " is in the package's list of operations, but no kernel is registered for it");
  }
}

const ClassicOp* ClassicRegistry::find(const std::string& name) const {
  const auto found = ops_.find(name);
  return found == ops_.end() ? nullptr : &found->second;
}

bool ClassicRegistry::isAxisParam(const std::string& name) const {
  if (!record_->axis_params) return false;
  for (uint32_t i = 0; i < record_->axis_name_count; i++) {
    if (name == record_->axis_names[i]) return true;
  }
  return false;
}

void ClassicRegistry::trace(std::vector<std::string>* lines) const {
  lines->push_back("registered " + std::to_string(ops_.size()) + " ops, " + std::to_string(kernels_) +
                   " kernels, " + std::to_string(rules_.size()) + " rules");
  for (const OpkgRule* rule : rules_) {
    std::string text = std::string("rule ") + rule->pass;
    for (const char* part : {rule->flags, rule->match, rule->constraint, rule->replacement})
      text += std::string(" | ") + part;
    lines->push_back(text);
  }
}

}  // namespace opkg
