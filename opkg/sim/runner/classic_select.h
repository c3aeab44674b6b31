// Kernel choice: the cheapest kernel whose tensor classes match, with a layout and placement for every
// operand. SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_CLASSIC_SELECT_H_
#define OPKG_RUNNER_CLASSIC_SELECT_H_

#include "classic_registry.h"

namespace opkg {

struct ClassicOperand {
  ClassicValue* value;
  OpkgLayout layout = kOpkgFlat;
  OpkgPlacement placement = kOpkgMain;
};

// Chooses, and fills the operands' layouts and placements (outputs first). Null, and why, when no kernel
// matches.
const OpkgKernel* selectKernel(const ClassicOp& op, size_t outputs, std::vector<ClassicOperand>* operands,
                               std::string* error);

// A record of the operand without buffers: what a cost function sees, and what a kernel call starts from.
OpkgTensor describe(const ClassicOperand& operand);

// "relu<QuantUint8Tensor>", without the parentheses that the macro needed.
std::string kernelName(const OpkgKernel& kernel);

}  // namespace opkg

#endif  // OPKG_RUNNER_CLASSIC_SELECT_H_
