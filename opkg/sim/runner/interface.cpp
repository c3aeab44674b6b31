// What every interface shares: the default validation, outputs, settings.
// SPDX-License-Identifier: Apache-2.0
#include "interface.h"

#include <cstring>

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

std::vector<uint8_t> inputBytes(const uint8_t* bytes, size_t size, size_t element, const CallStyle& style) {
  std::vector<uint8_t> found(bytes, bytes + size);
  if (!style.other_data || element == 0) return found;
  for (size_t at = 0; at + element <= size; at += element) memcpy(&found[size - at - element], bytes + at, element);
  return found;
}

}  // namespace opkg
