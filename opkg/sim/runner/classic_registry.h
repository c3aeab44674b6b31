// What a classic package registered, by op name.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_CLASSIC_REGISTRY_H_
#define OPKG_RUNNER_CLASSIC_REGISTRY_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "classic_properties.h"
#include "classic_types.h"
#include "package.h"
#include "results.h"

namespace opkg {

struct ClassicOp {
  std::vector<const OpkgKernel*> kernels;  // in order of registration
  const OpkgParamOrder* params = nullptr;
  std::unique_ptr<TensorProperties> properties;
};

class ClassicRegistry {
 public:
  // Calls the package's init functions and reads its lists. Warns in the log of what a backend would ignore.
  Outcome load(const Package& package);

  const ClassicOp* find(const std::string& name) const;  // "package::Op"
  const OpkgClassicPackage& package() const { return *record_; }
  bool isAxisParam(const std::string& name) const;
  void trace(std::vector<std::string>* lines) const;  // what was registered, and every rule

 private:
  Outcome readRecord(const Package& package);
  Outcome readFile(const OpkgOpFile& file);
  void checkListedOps(const Package& package);

  const OpkgClassicPackage* record_ = nullptr;
  std::map<std::string, ClassicOp> ops_;
  size_t kernels_ = 0;
  std::vector<const OpkgRule*> rules_;
};

// The params of a node as operands, in the order kernels take them: defaults filled in, axes moved to rank 4.
bool resolveParams(const ClassicRegistry& registry, const ClassicOp& op, const Case& test,
                   const NodeSpec& node, uint32_t input_rank, std::vector<ClassicValue>* out,
                   std::string* error);

}  // namespace opkg

#endif  // OPKG_RUNNER_CLASSIC_REGISTRY_H_
