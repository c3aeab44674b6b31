// What every interface shares: the default validation, outputs, settings.
// SPDX-License-Identifier: Apache-2.0
#include "interface.h"

#include "progress.h"
#include "qnn_config.h"

namespace opkg {

Settings& settings() {
  static Settings values;
  return values;
}

Outcome Interface::validate(const Package& package, const Case& test) {
  QnnConfig config(test);
  for (size_t i = 0; i < config.tensorCount(); ++i) config.tensor(i).v1.id = static_cast<uint32_t>(i + 1);
  for (size_t i = 0; i < test.nodes.size(); ++i) {
    const NodeSpec& node = test.nodes[i];
    progress().at("validate", node.name.c_str());
    if (node.package != package.name()) {
      return Outcome::error(
          "validate", 1000,
          node.name + ": the host runs ops of " + package.name() + " only, not of " + node.package);
    }
    if (!package.listsOp(node.type)) {
      return Outcome::error("validate", 6001, node.name + ": the package lists no op " + node.type);
    }
    const Qnn_ErrorHandle_t code = package.validate(config.node(i));
    if (code == QNN_SUCCESS) continue;
    return {"rejected", "validate", code, node.name + ": validateOpConfig returned " + std::to_string(code)};
  }
  return Outcome();
}

void addOutput(const TensorSpec& tensor, const void* bytes, size_t size, CaseResult* result,
               ResultWriter* writer) {
  OutputRange range{tensor.name, tensor.dtype, tensor.dims, 0, size};
  range.offset = writer->appendOutput(bytes, size);
  result->outputs.push_back(range);
}

}  // namespace opkg
